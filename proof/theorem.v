(** What is proved, on one page. Nothing on it needs the other files but [units], [unit_count] and [part_counts], which
    [statements.v] defines, and [count_unit] and [count_part], which are the program. [main.v] has the proofs.

    [seq nat] is a list of numbers, [iota 0 n] the numbers less than n, [nth 0 s i] member i of a list, counted from 0;
    [i.+1] is i + 1, and [c != d] says that two numbers differ. *)
From Queens Require Export recount.

(** A board is the list of the columns of its queens, row by row. Two queens do not attack each other, the lower one
    i + 1 rows below the other, if they differ in their columns, and not by i + 1. *)
Definition no_attack (i c d : nat) := [&& c != d, c + i.+1 != d & d + i.+1 != c].
Fixpoint ok (columns : seq nat) :=
  if columns is c :: below then all (fun i => no_attack i c (nth 0 below i)) (iota 0 (size below)) && ok below else true.
(** All lists of m columns, each of them less than n; and those of n queens that do not attack each other. *)
Fixpoint lists (n m : nat) : seq (seq nat) :=
  if m is m'.+1 then [seq c :: s | s <- lists n m', c <- iota 0 n] else [:: [::]].
Definition solutions (n : nat) := size [seq columns <- lists n n | ok columns].

(** 1. This is the Q(N) that all other files count: the number of sets of N squares that do not attack each other. *)
Definition Plain := forall n, solutions n = Q n.
(** 2. The counts of the units sum to it: for every h >= 1, every number k of middle rows and every side of tiles. *)
Definition Units_sum := forall h k side, 0 < h -> 0 < side ->
  sumn [seq unit_count side u | u <- units h k side] = solutions (h + k + h).
(** 3. What the program counts for unit m, and for its part i, is what they count; nothing, if there is no such one.
    [board_of] is what it makes once for a board. *)
Definition Recounted := forall h k side (m : N) i, 0 < side -> let all := [seq Some u | u <- units h k side] in
  omap nat_of_bin (count_unit side (board_of h k side) m) = omap (unit_count side) (nth None all m) /\
  omap nat_of_bin (count_part side (board_of h k side) m i) =
    obind (fun u => nth None [seq Some c | c <- part_counts side u] i) (nth None all m).
(** 4. Small boards, by evaluation of their units in Coq. *)
Definition Solutions_8 := solutions 8 = 92.
Definition Solutions_10 := solutions 10 = 724.
Definition Solutions_12 := solutions 12 = 14200.
