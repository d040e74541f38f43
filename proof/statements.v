(** Definitions and statements: what is counted, and what is proved of it.

    Everything here can be read without knowing how proofs are written. The names of sections are those of
    [src/engine/rows/README.md]. A statement is a [Prop]; the other files prove them, and [main.v] lists all.

    [{set T}] is a finite set, [seq T] a list, ['I_n] the numbers less than n, [x.1] and [x.2] the parts of a pair,
    [rev_ord i] is n - 1 - i, [iota a m] the list of m numbers from a, ['C(n, k)] a binomial, [n ^_ m] the product of m
    numbers from n down, [n./2] the half rounded down, [n.-1] is n - 1, [%/] and [%%] quotient and remainder,
    [up_log 2 m] the least e with m <= 2 ^ e. Subtraction stops at 0. [undup] keeps one of equal members, [mask bs s]
    those where a list of [bool] says true. A [bool] among numbers is 0 or 1.

    Comments of the form "(* sentence | file item *)" name the text and the Rust of src/engine/rows for a definition. *)
From mathcomp Require Export all_ssreflect.
#[export] Set Implicit Arguments.
#[export] Unset Strict Implicit.
#[export] Unset Printing Implicit Defensive.

(** * The board *)
Section Board.
Variable n : nat.

(** A square is a row and a column. Queens attack along rows, columns and diagonals. *)
Definition square := ('I_n * 'I_n)%type.
Implicit Types (x y : square) (q t b : {set square}).
Definition diagonal x y := (x.1 + x.2 == y.1 + y.2) || (x.1 + y.2 == y.1 + x.2).
(* so that none attacks another | theory/core.rs attack *)
Definition attack x y := [|| x.1 == y.1, x.2 == y.2 | diagonal x y].
Definition peaceful q := [forall x in q, forall y in q, (x != y) ==> ~~ attack x y].
Definition solution q := (#|q| == n) && peaceful q.
(* Q(N) is the number of ways to place N queens | recount.rs recount *)
Definition Q := #|[set q | solution q]|.

(** Section 5: twice the distance of a row or column from the centre; R and S, doubled. *)
(* Let R be the distance from the centre | theory/core.rs distance *)
Definition distance (i : 'I_n) : nat := (2 * i - n.-1) + (n.-1 - 2 * i).
Definition is_middle (i : 'I_n) := distance i <= 1.
(* A queen on a main diagonal is a mark of her half-board | theory/core.rs compare *)
Definition on_main x := (x.1 == x.2) || (x.1 == rev_ord x.2).

(** * Lists of rows and of queens, which can be computed *)
Fixpoint lines_ m : seq 'I_m := if m is m'.+1 then ord0 :: map (lift ord0) (lines_ m') else [::].
Definition lines : seq 'I_n := lines_ n.
(** A queen in each of some rows, on open squares, none of which attacks another. *)
Fixpoint placements (open : pred square) (rows : seq 'I_n) : seq (seq square) :=
  if rows is r :: rows' then
    flatten [seq [seq (r, j) :: p | j <- lines & open (r, j) && all (fun x => ~~ attack x (r, j)) p]
            | p <- placements open rows']
  else [:: [::]].
Definition peaceful_list (p : seq square) := all (fun x => all (fun y => (x == y) || ~~ attack x y) p) p.
(* unless a diagonal has a queen of each | theory/core.rs diagonals *)
Definition share_diagonal (t b : seq square) := has (fun x => has (diagonal x) b) t.
(** The columns that some queens leave. *)
Definition free_columns (p : seq square) := [seq j <- lines | all (fun x => x.2 != j) p].

(** * Order eight: what pairs of half-boards weigh (sections 5 and 6) *)
(* So it does not act on cores, but it exchanges two numbers | theory/core.rs OrderEight *)
Inductive order_eight := Unused | MainDiagonals | Reach of nat.
(** The squares that are closed, beside those that the core attacks, and those that mark a half-board. *)
(* So these squares are **closed** | theory/core.rs compare *)
Definition closed (s : order_eight) x := if s is Reach r then is_middle x.2 && (r < distance x.1) else false.
(* is a **mark** of her half-board | theory/core.rs compare *)
Definition marked (s : order_eight) x :=
  match s with
  | Unused => false
  | MainDiagonals => on_main x
  | Reach r => is_middle x.2 && (distance x.1 == r)
  end.
(** What a pair weighs, with m marks in the core, i in the top and j in the bottom. *)
Definition main_weight (i j : nat) : nat :=
  match i, j with 0, 0 | 1, 0 | 0, 1 => 1 | 2, 0 | 0, 2 => 2 | _, _ => 0 end.
(* A pair weighs 1 if there is a mark | theory/core.rs Weights *)
Definition pair_weight (s : order_eight) (m i j : nat) : nat :=
  match s with
  | Unused => 1
  | MainDiagonals => main_weight i j
  | Reach _ => if 0 < m + i + j then 1 else 2
  end.

(** * What a column set counts: pairs of a top and a bottom (section 2) *)
(* that the core does not attack are **open** | theory/core.rs Core *)
Definition open (s : order_eight) (core : seq square) (columns : seq 'I_n) x :=
  [&& x.2 \in columns, all (fun y => ~~ attack y x) core & ~~ closed s x].
Definition marks (s : order_eight) (p : seq square) := count (marked s) p.
(* Tops and bottoms are **half-boards** | recount.rs half_boards *)
Definition half_boards s core (rows columns : seq 'I_n) := placements (open s core columns) rows.
(** The pairs of a top with rows [T] on the columns [C] and a bottom with rows [B] on the columns [D]. *)
(* both on open squares, that share no diagonal | join.rs disjoint_pairs *)
Definition pair_count s core (T C B D : seq 'I_n) : nat :=
  sumn [seq sumn [seq if share_diagonal t b then 0 else pair_weight s (marks s core) (marks s t) (marks s b)
                 | b <- half_boards s core B D] | t <- half_boards s core T C].
End Board.

(** * Subsets by their numbers (section 8) *)
(** A set of places is a number with a bit for each member. *)
Definition bit (m i : nat) := odd (m %/ 2 ^ i).
Definition mask_of (places m : nat) := [seq bit m i | i <- iota 0 places].
(** The members of a list that a set picks. *)
Definition pick {T} (s : seq T) (m : nat) : seq T := mask (mask_of (size s) m) s.
(** The set of a number, of all sets of a size in the order of their masks, as the program computes it. *)
(* Sets of a size are numbered in the order of their masks | theory/subsets.rs unrank *)
Fixpoint set_of_number (number size places : nat) : nat :=
  if places is p.+1 then
    if (0 < size) && ('C(p, size) <= number) then 2 ^ p + set_of_number (number - 'C(p, size)) size.-1 p
    else set_of_number number size p
  else 0.
(** * Units (section 8) *)
(* Of the images under the symmetries that keep the core | theory/core.rs Images *)
Inductive images := Itself | Flip | All.

(** Of images, which are lists of numbers, the first counts if it is the least, for as many as differ: by the first
    number, among these by the second, and so on. *)
Fixpoint lex (p q : seq nat) : bool :=
  if p is x :: p' then if q is y :: q' then (x < y) || (x == y) && lex p' q' else true else true.
Definition least (images : seq (seq nat)) : nat :=
  if all (lex (head [::] images)) images then size (undup images) else 0.

Section Cores.
Variable n : nat.
(** Section 4: the columns of queens in rows that the flip exchanges, from the upper row on, and their images. *)
(* a solution weighs as many as differ | theory/numbering.rs images *)
Definition least_weight (columns : seq 'I_n) : nat :=
  let mirrored := [seq rev_ord j | j <- columns] in
  least [seq map val image | image <- [:: columns; mirrored; rev columns; rev mirrored]].
(** Section 5: R of some queens, doubled. *)
Definition reach (p : seq (square n)) : nat := foldr maxn 0 [seq distance x.2 | x <- p & is_middle x.1].
(** Queens by a number: its remainder says which of the columns that are left the queen of the first row takes, and
    its quotient goes on to the next row. *)
(* its remainder modulo f says which of them the queen takes | theory/numbering.rs core *)
Fixpoint take_columns (rows : seq 'I_n) (taken : seq (square n)) (order : nat) : seq (square n) :=
  if rows is r :: rows' then
    let left := free_columns taken in
    if drop (order %% size left) left is j :: _ then take_columns rows' ((r, j) :: taken) (order %/ size left) else [::]
  else taken.
End Cores.

Section Units.
Variables h k side : nat.
Notation n := (h + k + h).
Notation square := (square n).
Definition top_rows := [seq r : 'I_n <- lines n | r < h].
Definition middle_rows := [seq r : 'I_n <- lines n | (h <= r) && (r < h + k)].
Definition bottom_rows := [seq r : 'I_n <- lines n | h + k <= r].

(** Leads: queens on which symmetry depends, the images of column sets that are counted together beside them, how many
    images of the queens differ, and what is made of order eight. *)
(* The **lead** of a core is the queens on which symmetry depends | theory/numbering.rs Lead *)
Record lead := Lead { queens : seq square; kind : images; weight : nat; eight : order_eight }.
(** The rows of a lead: the middle row of an odd board, and the two next to the centre, the lower one first. *)
Definition lead_rows := [seq r <- middle_rows | distance r == 0] ++ rev [seq r <- middle_rows | 0 < distance r <= 2].
(** The lead of queens in these rows. *)
Definition lead_of (p : seq square) : lead :=
  Lead p
    (match p with [::] => All | [:: x] => if distance x.2 == 0 then All else Flip | _ => Itself end)
    (least_weight (take 2 (rev [seq x.2 | x <- p])))
    (if k == 0 then if 8 < h then MainDiagonals else Unused else Reach (reach p)).
(** The leads that weigh something, but for those with R = 1. [placements] has the last row in the outer loop; a single
    queen goes from the centre to the left. *)
(* Left out are leads whose queens attack each other | theory/numbering.rs all *)
Definition leads : seq lead :=
  let all := placements predT lead_rows in
  [seq l <- [seq lead_of p | p <- if k == 1 then rev all else all] | (0 < weight l) && (reach (queens l) != 2)].

(** Cores: the queens of a lead, and those of the other middle rows by a number. *)
Definition other_rows (l : lead) := [seq r <- middle_rows | r \notin [seq q.1 | q <- queens l]].
Definition core_of (l : lead) (order : nat) := take_columns (other_rows l) (queens l) order.
Definition orders (l : lead) := (n - size (queens l)) ^_ size (other_rows l).

(** Column sets: a tier, the number of a and the number of d; and for how many images one is counted. *)
(* with s sets in a tier, the chosen ones are these | theory/tiling.rs counted_for *)
Definition counted_for (kd : images) (tier a d : nat) : nat :=
  let sets := 'C(h, tier) in
  let middle := 2 * tier == h in
  match kd with
  | Itself => 1
  | Flip => if middle && (sets <= 2 * a) then 0 else 2
  | All => if (d < a) || middle && (sets <= a + d) then 0
           else if (a == d) || middle && (a + d == sets.-1) then 2 else 4
  end.
Definition tiers (kd : images) := iota 0 (if kd is Itself then h.+1 else h./2.+1).

(** Tiles: a tier and the first numbers of a and of d. Their column sets, quarter by quarter. *)
(* Parts are numbered upper left, upper right, lower left, lower right | theory/tiling.rs column_sets *)
Fixpoint by_quarters (m : nat) : seq (nat * nat) :=
  if m is m'.+1 then
    let within r c := [seq (r + p.1, c + p.2) | p <- by_quarters m'] in
    within 0 0 ++ within 0 (2 ^ m') ++ within (2 ^ m') 0 ++ within (2 ^ m') (2 ^ m')
  else [:: (0, 0)].
(* A **part** of a unit is one chosen column set | theory/tiling.rs column_sets *)
Definition column_sets (kd : images) (tile : nat * nat * nat) : seq (nat * nat) :=
  let: (tier, a, d) := tile in
  let sets := 'C(h, tier) in
  [seq p <- [seq (a + p.1, d + p.2) | p <- by_quarters (up_log 2 side) & (p.1 < side) && (p.2 < side)]
  | [&& p.1 < sets, p.2 < sets & 0 < counted_for kd tier p.1 p.2]].
Definition steps (m : nat) := [seq side * i | i <- iota 0 ((m + side.-1) %/ side)].
Definition all_tiles (kd : images) : seq (nat * nat * nat) :=
  let firsts tier := [seq (a, d) | a <- steps 'C(h, tier), d <- steps 'C(h, tier)] in
  [seq (tier, p.1, p.2) | tier <- tiers kd, p <- firsts tier].
(* Tiles without a column set that is chosen are left out | theory/tiling.rs tiles *)
Definition tiles (kd : images) := [seq tile <- all_tiles kd | ~~ nilp (column_sets kd tile)].

(** Units in their order, and what each counts. *)
Definition unit_of := (lead * nat * (nat * nat * nat))%type.
(* They are numbered lead by lead, core by core, tile by tile | theory/numbering.rs unit *)
Definition units : seq unit_of :=
  flatten [seq [seq (l, order, tile) | order <- iota 0 (orders l), tile <- tiles (kind l)] | l <- leads].
(** The columns of the top: a from the left border, and from the right border those that d leaves. *)
Definition left_columns (core : seq square) (a : nat) := pick (take h (free_columns core)) a.
Definition right_columns (core : seq square) (d : nat) := pick (rev (drop h (free_columns core))) d.
(* `a`, the left columns of the top, and `d`, the right columns of the bottom | theory/tiling.rs quarters *)
Definition top_columns (core : seq square) (a d : nat) := left_columns core a ++ right_columns core (2 ^ h - 1 - d).
Definition bottom_columns (core : seq square) (a d : nat) := left_columns core (2 ^ h - 1 - a) ++ right_columns core d.
(** A part of a unit: a and d as sets, and for how many images the column set is counted. *)
(* or whose core is dropped, is a unit of count 0 | recount/units.rs parts *)
Definition parts (u : unit_of) : seq (nat * nat * nat) :=
  let: (l, order, (tier, a0, d0)) := u in
  let core := core_of l order in
  if ~~ peaceful_list core || has (closed (eight l)) core then [::] else
  [seq (set_of_number p.1 tier h, set_of_number p.2 tier h, counted_for (kind l) tier p.1 p.2)
  | p <- column_sets (kind l) (tier, a0, d0)].
(* Otherwise a part counts its pairs | worker.rs count_part *)
Definition part_count (l : lead) (core : seq square) (p : nat * nat * nat) : nat :=
  let: (a, d, times) := p in
  weight l * times * pair_count (eight l) core top_rows (top_columns core a d) bottom_rows (bottom_columns core a d).
Definition part_counts (u : unit_of) : seq nat :=
  let: (l, order, _) := u in [seq part_count l (core_of l order) p | p <- parts u].
(* The count of a unit is the sum of its parts | worker.rs count *)
Definition unit_count (u : unit_of) : nat := sumn (part_counts u).
End Units.

Definition Sum_of_units := forall h k side, 0 < h -> 0 < side ->
  sumn [seq unit_count side u | u <- units h k side] = Q (h + k + h).
