(** Definitions and statements of words and of the join (sections 3 and 7): how the engine counts
    the pairs of a column set. [words.v] and [join.v] prove them.

    A word is the set of the places of its bits that are 1. So AND is [:&:], OR is [:|:], and [set0]
    is 0. A list may be in any order, and hold a word several times. [perm_eq] is equal but for the
    order, [\bigcup_] a union, [powerset] the set of all subsets, [{in R &, injective f}] says that
    f keeps members of R apart. *)
From Queens Require Export sections.

(** * Diagonals and their places *)
Section Diagonals. Variables h k : nat. Notation n := (h + k + h). Notation square := (square n).
(** Diagonals by number: falling ones by column - row, then rising ones by column + row. *)
Definition diagonals := 'I_(4 * n).
Definition through (d : diagonals) (x : square) :=
  (d == x.2 + n - 1 - x.1 :> nat) || (d == 2 * n - 1 + x.1 + x.2 :> nat).
Definition is_main (d : diagonals) := (d == n - 1 :> nat) || (d == 3 * n - 2 :> nat).
(** The open squares of tops and bottoms; a quarter is a half of the rows, and the left or right of
    the columns. *)
Definition available s core (x : square) :=
  ((x.1 < h) || (h + k <= x.1)) && open s core (free_columns core) x.
Definition quarter (core : seq square) (x : square) :=
  (x.1 < h, x.2 \in take h (free_columns core)).
(** The diagonals that open squares of two different quarters lie on. The main diagonals are not
    relevant where they weigh (section 6). *)
Definition is_relevant s core : pred diagonals :=
  let squares := [seq x <- [seq (r, j) | r <- lines n, j <- lines n] | available s core x] in
  fun d => let on := [seq x <- squares | through d x] in
           ~~ (if s is MainDiagonals then is_main d else false) &&
           has (fun x => has (fun y => quarter core x != quarter core y) on) on.
Definition relevant s core : {set diagonals} := [set d | is_relevant s core d].

(** * Lists of words *)
(** Every relevant diagonal has a place of its own among the bits of a word. A word has those of its
    queens. *)
Variables (bits : nat) (place : diagonals -> 'I_bits) (s : order_eight) (core : seq square).
Definition bits_of (x : square) : {set 'I_bits} :=
  [set place d | d in relevant s core & through d x].
Definition word_of (p : seq square) := \bigcup_(x <- p) bits_of x.
(** Quarter-boards and half-boards: the number of their marks, and their word. *)
Definition quarter_boards (rows columns : seq 'I_n) : seq (nat * {set 'I_bits}) :=
  [seq (has (marked s) p : nat, word_of p) | p <- half_boards s core rows columns].
Definition combined (l r : seq (nat * {set 'I_bits})) :=
  [seq (x.1 + y.1, x.2 :|: y.2) | x <- l, y <- [seq y <- r | x.2 :&: y.2 == set0]].
Definition halves (rows left right : seq 'I_n) :=
  flatten [seq combined (quarter_boards (pick rows m) left)
                        (quarter_boards (pick rows (2 ^ h - 1 - m)) right)
          | m <- sets_of h (size left)].
Definition with_marks i (l : seq (nat * {set 'I_bits})) := [seq x.2 | x <- l & x.1 == i].
(** The tops and bottoms of the column set that a and d say. *)
Definition tops a d :=
  halves (top_rows h k) (left_columns core a) (right_columns core (2 ^ h - 1 - d)).
Definition bottoms a d :=
  halves (bottom_rows h k) (left_columns core (2 ^ h - 1 - a)) (right_columns core d).
End Diagonals.

(** * The join *)
Section Join. Variable bits : nat. Notation word := {set 'I_bits}.
(** What a double loop counts. *)
Definition pairs (tops bottoms : seq word) :=
  \sum_(t <- tops) \sum_(b <- bottoms) (t :&: b == set0).
(** What may be chosen for two lists: the places in a block (512), the bits that tell groups of tops
    apart, those of the key, the chunks that have tables (the key in two halves, and the rest), the
    blocks for a group, and which tops are passed over in a block, by the bits of their key. *)
Record plan := Plan {
  room : nat; group : word; key : word; chunks : seq word;
  blocks : word -> seq (seq word); passed_over : seq word -> word -> bool
}.

Section Plan. Variable p : plan.
(** The bitset of a bit, an entry of a table, and the places without a bottom. *)
Definition bitset (block : seq word) (d : 'I_bits) : {set 'I_(room p)} :=
  [set i : 'I__ | d \in nth set0 block i].
Definition entry (block : seq word) (v : word) := \bigcup_(d in v) bitset block d.
Definition absent (block : seq word) : {set 'I_(room p)} := [set i : 'I__ | size block <= i].
Definition conflicts (block : seq word) (t : word) :=
  absent block :|: \bigcup_(chunk <- chunks p) entry block (t :&: chunk).
(** 512 times the lookups less the bits found. *)
Definition count_block (tops : seq word) (g : word) (block : seq word) :=
  let looked_up := [seq t <- tops | (t :&: group p == g) && ~~ passed_over p block (t :&: key p)] in
  room p * size looked_up - \sum_(t <- looked_up) #|conflicts block t|.
Definition join (tops : seq word) :=
  \sum_(g in powerset (group p)) \sum_(block <- blocks p g) count_block tops g block.
(** Blocks for a group hold the bottoms without a bit of it. What a top and a bottom may share
    beside the group is in a chunk. Tops are passed over only if their key conflicts with all
    bottoms of the block. *)
Definition valid (tops bottoms : seq word) :=
  [/\ forall g : word, g \subset group p ->
        perm_eq (flatten (blocks p g)) [seq b <- bottoms | g :&: b == set0],
      forall (g : word) block, g \subset group p -> block \in blocks p g -> size block <= room p,
      forall t b : word, t \in tops -> b \in bottoms ->
        t :&: b \subset group p :|: \bigcup_(chunk <- chunks p) chunk &
      forall block v, passed_over p block v -> all (fun b => v :&: b != set0) block].
End Plan.
(** The numbers that lists may be joined to: by a plan, in another order, with sides exchanged, or
    in two parts. *)
Inductive joined : seq word -> seq word -> nat -> Prop :=
| By_plan p tops bottoms : valid p tops bottoms -> joined tops bottoms (join p tops)
| Sorted tops tops' bottoms m :
    perm_eq tops tops' -> joined tops bottoms m -> joined tops' bottoms m
| Turned tops bottoms m : joined bottoms tops m -> joined tops bottoms m
| In_parts tops tops' bottoms m m' :
    joined tops bottoms m -> joined tops' bottoms m' -> joined (tops ++ tops') bottoms (m + m').
End Join.

(** * What a unit counts, class by class of marks *)
(** The numbers that a unit may be counted to: with any places, and for each part, as a and d say
    it, a join for each two classes of marks. *)
Definition unit_joined h k side bits (u : unit_of h k) (c : nat) : Prop :=
  let: (l, order, _) := u in
  let: (core, s) := (core_of l order, eight l) in
  exists (place : diagonals h k -> 'I_bits) (m : nat * nat * nat -> nat -> nat -> nat),
  [/\ {in relevant s core &, injective place},
      forall a d times (i j : 'I_3), (a, d, times) \in parts side u ->
        joined (with_marks i (tops place s core a d)) (with_marks j (bottoms place s core a d))
          (m (a, d, times) i j) &
      c = \sum_(p <- parts side u)
          weight l * p.2 * \sum_(i < 3) \sum_(j < 3) pair_weight s (marks s core) i j * m p i j].

(** If every unit is counted by joins, their counts sum to Q(N). *)
Definition Sum_of_joins := forall h k side bits counts, 0 < h -> 0 < side ->
  List.Forall2 (@unit_joined h k side bits) (units h k side) counts -> sumn counts = Q (h + k + h).
