(** What is proved, in one place. [.ci/proof] sees to it that these are closed: they rest on no axiom. *)
From Queens Require Import chain.

(** The chessboard, by evaluation of its units. *)
Theorem Q_8 : Q 8 = 92. Proof. rewrite -[8]/(4 + 0 + 4) -(@sum_of_units 4 0 3 isT isT); vm_compute; reflexivity. Qed.

Definition theorems :=
  (@cut, @order_eight, @weights_of_four, @closed_and_marks, @nothing_beside_the_centre, @order_eight_main, @subsets,
   @complements, @least_of_images, @sum_column_sets, @sum_tiles, @sum_lead, @sum_of_units, @quarters, @sum_halves,
   @sum_classes, @places, @joined_pairs, @sum_of_joins, @joins_exist, @Q_8).
Print Assumptions theorems.
