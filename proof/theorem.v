(** What is proved, on one page. It needs [units], [unit_count] and [part_counts] of [statements.v],
    and [number_of_units], [count_unit] and [count_part], which are the program. [main.v] has the
    proofs.

    [seq nat] is a list of numbers, [iota 0 n] the numbers less than n, [nth 0 s i] member i of a
    list, counted from 0; [i.+1] is i + 1, and [c != d] says that two numbers differ. *)
From Queens Require Export recount.

(** A board is the list of the columns of its queens, row by row. A queen does not attack one that
    stands i + 1 rows below if their columns differ, and not by i + 1. *)
(* so that none attacks another | ../../plain.rs recursion *)
Definition no_attack (i c d : nat) := [&& c != d, c + i.+1 != d & d + i.+1 != c].
Fixpoint ok (columns : seq nat) :=
  if columns is c :: below then
    all (fun i => no_attack i c (nth 0 below i)) (iota 0 (size below)) && ok below else true.
(** All lists of m columns less than n; and the number of those where no queen attacks another. *)
(* Q(N) is the number of ways to place N queens | ../../plain.rs recursion *)
Fixpoint lists (n m : nat) : seq (seq nat) :=
  if m is m'.+1 then [seq c :: s | s <- lists n m', c <- iota 0 n] else [:: [::]].
Definition solutions (n : nat) := size [seq columns <- lists n n | ok columns].

(** 1. This is the Q(N) of the other files: the number of sets of N squares without attacks. *)
(* Q(N) is the number of ways to place N queens | rows.rs count *)
Definition Plain := forall n, solutions n = Q n.
(** 2. The counts of the units sum to it, for h rows above and below k middle rows. *)
(* for every h >= 1, every k and every length of ranges | theory/numbering.rs Numbering *)
Definition Units_sum := forall h k side, 0 < h -> 0 < side ->
  sumn [seq unit_count side u | u <- units h k side] = solutions (h + k + h).
(** 3. The program has their number, and counts what unit m and its part i do; nothing, if there is
    no such one. It makes [board_of] once for a board. *)
(* a program extracted from the definitions themselves | rows.rs count *)
Definition Recounted := forall h k side (m : N) i, 0 < side ->
  let all := [seq Some u | u <- units h k side] in
  let board := board_of h k side in
  [/\ nat_of_bin (number_of_units board) = size all,
      omap nat_of_bin (count_unit side board m) = omap (unit_count side) (nth None all m) &
      omap nat_of_bin (count_part side board m i) =
        obind (fun u => nth None [seq Some c | c <- part_counts side u] i) (nth None all m)].
(** 4. Small boards, by evaluation of their units in Coq. *)
(* sum to 92, 724 and 14200 | ../../plain.rs recursion *)
Definition Solutions_8 := solutions 8 = 92.
Definition Solutions_10 := solutions 10 = 724.
Definition Solutions_12 := solutions 12 = 14200.
