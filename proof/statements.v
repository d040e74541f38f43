(** The units, and what they count. One need not know how proofs are written to read this file.

    [{perm T}] is a permutation, [{set T}] a finite set, [seq T] a list, ['I_n] the numbers less
    than n, [x.1] and [x.2] the parts of a pair, [rev_ord i] is n - 1 - i, [iota a m] the list of m
    numbers from a, ['C(n, k)] a binomial, [n ^_ m] the product of m numbers from n down, [n./2]
    the half rounded down, [n.-1] is n - 1, [%/] and [%%] quotient and remainder, [up_log 2 m] the
    least e with m <= 2 ^ e. [N] are the numbers in binary, [bin_of_nat] and [nat_of_bin] convert
    them, and [N.div_eucl] makes quotient and remainder. Subtraction stops at 0. [pairwise r s]
    says that r holds for each member of a list and each behind it. [undup] keeps one of equal
    members, [mask bs s] those where a list of [bool] says true. A [bool] among numbers is 0 or 1.

    A comment before a definition quotes the text, [src/engine/rows/README.md]. *)
From mathcomp Require Export all_ssreflect perm.
From Coq Require Export NArith.
#[export] Set Implicit Arguments.
#[export] Unset Strict Implicit.
#[export] Unset Printing Implicit Defensive.

Section Board. Variable n : nat.
(* so that none attacks another *)
Definition square := ('I_n * 'I_n)%type.
Implicit Types (x y : square).
Definition diagonal x y := (x.1 + x.2 == y.1 + y.2) || (x.1 + y.2 == y.1 + x.2).
Definition attack x y := [|| x.1 == y.1, x.2 == y.2 | diagonal x y].
(** The queen of row r is in column q r. *)
(* Q(N) is the number of ways to place N queens *)
Definition solution (q : {perm 'I_n}) :=
  [forall r, forall r', attack (r, q r) (r', q r') ==> (r == r')].
Definition Q := #|[set q | solution q]|.
(** All distances are doubled. *)
(* Let R be the distance from the centre *)
Definition distance (i : 'I_n) : nat := (2 * i - n.-1) + (n.-1 - 2 * i).
Definition is_middle (i : 'I_n) := distance i <= 1.
(* A queen on a main diagonal is a mark of her half-board *)
Definition on_main x := (x.1 == x.2) || (x.1 == rev_ord x.2).
(* is a placement of the queens of the k middle rows *)
Fixpoint lines_ m : seq 'I_m := if m is m'.+1 then ord0 :: map (lift ord0) (lines_ m') else [::].
Definition lines : seq 'I_n := lines_ n.
Fixpoint placements (open : pred square) (rows : seq 'I_n) : seq (seq square) :=
  if rows is r :: rows' then
    flatten [seq [seq (r, j) :: p | j <- lines & open (r, j) && all (fun x => ~~ attack x (r, j)) p]
            | p <- placements open rows']
  else [:: [::]].
(* in which none attacks another *)
Definition peaceful (p : seq square) := pairwise (fun x y => ~~ attack y x) p.
(* unless a diagonal has a queen of each *)
Definition share_diagonal (t b : seq square) := has (fun x => has (diagonal x) t) b.
(* and 2h columns *)
Definition free_columns (p : seq square) := [seq j <- lines | all (fun x => x.2 != j) p].
(* So it does not act on cores, but it exchanges two numbers *)
Inductive order_eight := Unused | MainDiagonals | Reach of nat.
(* So these squares are **closed** *)
Definition closed (s : order_eight) x :=
  if s is Reach r then is_middle x.2 && (r < distance x.1) else false.
(* is a **mark** of her half-board *)
Definition marked (s : order_eight) x :=
  match s with
  | Unused => false
  | MainDiagonals => on_main x
  | Reach r => is_middle x.2 && (distance x.1 == r)
  end.
(** The marks of the core, of the top and of the bottom are m, i and j. *)
(* two halves that conflict on one are both marked, and weigh 0 anyway *)
Definition main_weight (i j : nat) : nat :=
  match i, j with 0, 0 | 1, 0 | 0, 1 => 1 | 2, 0 | 0, 2 => 2 | _, _ => 0 end.
(* A pair weighs 1 if there is a mark *)
Definition pair_weight (s : order_eight) (m i j : nat) : nat :=
  match s with
  | Unused => 1
  | MainDiagonals => main_weight i j
  | Reach _ => if 0 < m + i + j then 1 else 2
  end.
(* that the core does not attack are **open** *)
Definition open (s : order_eight) (core : seq square) (columns : seq 'I_n) x :=
  [&& x.2 \in columns, all (fun y => ~~ attack y x) core & ~~ closed s x].
(* A half-board has at most one *)
Definition marks (s : order_eight) (p : seq square) := count (marked s) p.
(* Tops and bottoms are **half-boards** *)
Definition half_boards s core (rows columns : seq 'I_n) := placements (open s core columns) rows.
(** The tops have rows T and columns C, the bottoms B and D. *)
(* both on open squares, that share no diagonal *)
Definition pair_count s core (T C B D : seq 'I_n) : nat :=
  sumn [seq sumn [seq if share_diagonal t b then 0
                      else pair_weight s (marks s core) (marks s t) (marks s b)
                 | b <- half_boards s core B D] | t <- half_boards s core T C].
End Board.

(* Sets of a size are numbered in the order of their masks *)
Fixpoint mask_of (places m : nat) : seq bool :=
  if places is p.+1 then odd m :: mask_of p m./2 else [::].
Definition pick {T} (s : seq T) (m : nat) : seq T := mask (mask_of (size s) m) s.
Fixpoint set_of_number (number size places : nat) : nat :=
  if places is p.+1 then
    if (0 < size) && ('C(p, size) <= number)
    then 2 ^ p + set_of_number (number - 'C(p, size)) size.-1 p
    else set_of_number number size p
  else 0.
(* Of the images under the symmetries that keep the core *)
Inductive images := Itself | Flip | All.
(* is the smallest of the four, by p and then by q *)
Fixpoint lex (p q : seq nat) : bool :=
  if p is x :: p' then if q is y :: q' then (x < y) || (x == y) && lex p' q' else true else true.
Definition least (images : seq (seq nat)) : nat :=
  if all (lex (head [::] images)) images then size (undup images) else 0.

Section Cores. Variable n : nat.
(* the weight of a solution is the number of different ones *)
Definition least_weight (columns : seq 'I_n) : nat :=
  let mirrored := [seq rev_ord j | j <- columns] in
  least [seq map val image | image <- [:: columns; mirrored; rev columns; rev mirrored]].
(* the queen in the middle row, or of the farther one if there are two *)
Definition reach (p : seq (square n)) : nat :=
  foldr maxn 0 [seq distance x.2 | x <- p & is_middle x.1].
(* its remainder modulo f determines which of them the queen takes *)
Fixpoint take_columns (rows : seq 'I_n) (taken : seq (square n)) (order : N) : seq (square n) :=
  if rows is r :: rows' then
    let left := free_columns taken in
    let (next, column) := N.div_eucl order (bin_of_nat (size left)) in
    if drop (nat_of_bin column) left is j :: _
    then take_columns rows' ((r, j) :: taken) next else [::]
  else taken.
End Cores.

Section Units. Variables h k side : nat. Notation n := (h + k + h). Notation square := (square n).
(* It leaves h rows above, the top; h rows below, the bottom *)
Definition top_rows := [seq r : 'I_n <- lines n | r < h].
Definition middle_rows := [seq r : 'I_n <- lines n | (h <= r) && (r < h + k)].
Definition bottom_rows := [seq r : 'I_n <- lines n | h + k <= r].
(** Also the images of column sets that are counted together, how many images of the queens differ,
    and what is made of order eight. *)
(* The **lead** of a core is the queens on which symmetry depends *)
Record lead := Lead { queens : seq square; kind : images; weight : nat; eight : order_eight }.
(* in the middle row and its neighbours for odd N *)
Definition lead_rows :=
  [seq r <- middle_rows | distance r == 0] ++ rev [seq r <- middle_rows | 0 < distance r <= 2].
Definition lead_of (p : seq square) : lead :=
  Lead p
    (match p with [::] => All | [:: x] => if distance x.2 == 0 then All else Flip | _ => Itself end)
    (least_weight (take 2 (rev [seq x.2 | x <- p])))
    (if k == 0 then if 8 < h then MainDiagonals else Unused else Reach (reach p)).
(* Leads are left out if their queens attack each other *)
Definition leads : seq lead :=
  let all := placements predT lead_rows in
  [seq l <- [seq lead_of p | p <- if k == 1 then rev all else all]
  | (0 < weight l) && (reach (queens l) != 2)].
(* The queens of the other middle rows take the columns that the lead *)
Definition other_rows (l : lead) := [seq r <- middle_rows | r \notin [seq q.1 | q <- queens l]].
Definition core_of (l : lead) (order : N) := take_columns (other_rows l) (queens l) order.
Definition orders (l : lead) := (n - size (queens l)) ^_ size (other_rows l).
(* the chosen one has the lowest tier, then the lowest number of a, then the lowest number of d *)
Definition counted_for (kd : images) (tier a d : nat) : nat :=
  let compl m := 'C(h, tier) - 1 - m in
  let itself := [:: tier; a; d] in
  let flipped := [:: h - tier; compl a; compl d] in
  match kd with
  | Itself => 1
  | Flip => least [:: itself; flipped]
  | All => least [:: itself; [:: h - tier; compl d; compl a]; flipped; [:: tier; d; a]]
  end.
(* Parts are numbered upper left, upper right, lower left, *)
Fixpoint by_quarters (m : nat) : seq (nat * nat) :=
  if m is m'.+1 then
    let within r c := [seq (r + p.1, c + p.2) | p <- by_quarters m'] in
    within 0 0 ++ within 0 (2 ^ m') ++ within (2 ^ m') 0 ++ within (2 ^ m') (2 ^ m')
  else [:: (0, 0)].
(* A **part** of a unit is one chosen column set *)
Definition column_sets (kd : images) (tile : nat * nat * nat) : seq (nat * nat) :=
  let: (tier, a, d) := tile in
  let sets := 'C(h, tier) in
  [seq p <- [seq (a + p.1, d + p.2)
            | p <- by_quarters (up_log 2 side) & (p.1 < side) && (p.2 < side)]
  | [&& p.1 < sets, p.2 < sets & 0 < counted_for kd tier p.1 p.2]].
(* The numbers of a tier are cut into ranges of the same length *)
Definition steps (m : nat) := [seq side * i | i <- iota 0 ((m + side.-1) %/ side)].
Definition all_tiles : seq (nat * nat * nat) :=
  let firsts tier := [seq (a, d) | a <- steps 'C(h, tier), d <- steps 'C(h, tier)] in
  [seq (tier, p.1, p.2) | tier <- iota 0 h.+1, p <- firsts tier].
(* If its first column set is not chosen, none is *)
Definition tiles (kd : images) := [seq tile <- all_tiles |
  let: (tier, a, d) := tile in 0 < counted_for kd tier a d].
(* They are numbered lead by lead, core by core, tile by tile *)
Definition unit_of := (lead * N * (nat * nat * nat))%type.
Definition units : seq unit_of :=
  flatten [seq [seq (l, bin_of_nat order, tile)
               | order <- iota 0 (orders l), tile <- tiles (kind l)]
          | l <- leads].
(* the left columns of the top, and `d`, the right columns *)
Definition left_columns (core : seq square) (a : nat) := pick (take h (free_columns core)) a.
Definition right_columns (core : seq square) (d : nat) := pick (rev (drop h (free_columns core))) d.
Definition top_columns (core : seq square) (a d : nat) :=
  left_columns core a ++ right_columns core (2 ^ h - 1 - d).
Definition bottom_columns (core : seq square) (a d : nat) :=
  left_columns core (2 ^ h - 1 - a) ++ right_columns core d.
(* or whose core is dropped, is a unit of count 0 *)
Definition parts (u : unit_of) : seq (nat * nat * nat) :=
  let: (l, order, (tier, a0, d0)) := u in
  let core := core_of l order in
  if ~~ peaceful core || has (closed (eight l)) core then [::] else
  [seq (set_of_number p.1 tier h, set_of_number p.2 tier h, counted_for (kind l) tier p.1 p.2)
  | p <- column_sets (kind l) (tier, a0, d0)].
(* Otherwise a part counts its pairs *)
Definition part_count (l : lead) (core : seq square) (p : nat * nat * nat) : nat :=
  let: (a, d, times) := p in
  weight l * times *
  pair_count (eight l) core top_rows (top_columns core a d) bottom_rows (bottom_columns core a d).
Definition part_counts (u : unit_of) : seq nat :=
  let: (l, order, _) := u in [seq part_count l (core_of l order) p | p <- parts u].
(* The count of a unit is the sum of its parts *)
Definition unit_count (u : unit_of) : nat := sumn (part_counts u).
End Units.
(* for every h >= 1, every k and every length of ranges *)
Definition Sum_of_units := forall h k side, 0 < h -> 0 < side ->
  sumn [seq unit_count side u | u <- units h k side] = Q (h + k + h).
