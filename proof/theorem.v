(** What Coq has proved, on one page. To judge it, you need no other file.

    [nat] is the type of natural numbers, [N] the same in binary, and [nat_of_bin] and [bin_of_nat]
    convert them. [seq T] is a list, [size s] its length, [sumn s] its sum, [iota 0 n] the list of
    the numbers less than n, and [nth x s i] its member i, counted from 0, or x behind its end.
    [i.+1] is i + 1, [c != d] says that two numbers differ, [Some c] is a result and [None] none. *)
From mathcomp Require Import all_ssreflect.
From Coq Require Import NArith.
(** The program that Coq writes: the names that begin with [recount]. *)
From Queens Require recount.

(** A board is the list of the columns of its queens, row by row. A queen does not attack one that
    stands i + 1 rows below if their columns differ, and not by i + 1. *)
Definition no_attack (i c d : nat) := [&& c != d, c + i.+1 != d & d + i.+1 != c].
Fixpoint ok (columns : seq nat) :=
  if columns is c :: below then
    all (fun i => no_attack i c (nth 0 below i)) (iota 0 (size below)) && ok below else true.
(** All lists of m columns less than n; and the number of those where no queen attacks another. *)
Fixpoint lists (n m : nat) : seq (seq nat) :=
  if m is m'.+1 then [seq c :: s | s <- lists n m', c <- iota 0 n] else [:: [::]].
Definition solutions (n : nat) := size [seq columns <- lists n n | ok columns].

(** A plan of a board consists of the k middle rows, the h rows above them and the h rows below
    them, and [side], which sets the size of units. For every plan, the program computes the number
    of units, and the count of each unit m below it. These counts sum to the number of solutions. *)
Definition Counted := forall h k side : nat, 0 < h -> 0 < side ->
  let board := recount.board_of h k side in
  exists counts : seq N,
    [seq recount.count_unit side board (bin_of_nat m)
    | m <- iota 0 (nat_of_bin (recount.number_of_units board))] = [seq Some c | c <- counts] /\
    sumn [seq nat_of_bin c | c <- counts] = solutions (h + k + h).
(** The count of a unit is the sum of the counts of its parts. The program counts part i of a unit,
    if there is one. *)
Definition Parts_counted := forall h k side (board : recount.board h k) (m c : N),
  recount.count_unit side board m = Some c -> exists counts : seq N,
    (forall i, recount.count_part side board m i = nth None [seq Some c | c <- counts] i) /\
    sumn [seq nat_of_bin c | c <- counts] = nat_of_bin c.
(** Small boards, by evaluation of the program in Coq. *)
Definition Small_boards := solutions 8 = 92 /\ solutions 10 = 724.
