(** What is proved, in one place. [.ci/proof] sees to it that each of these is closed: it rests on no axiom. *)
From Queens Require Import chain.

(** The chessboard, by evaluation of its units. *)
Theorem Q_8 : Q 8 = 92.
Proof. rewrite -[8]/(4 + 0 + 4) -(@sum_of_units 4 0 3 isT isT); vm_compute; reflexivity. Qed.

Print Assumptions cut.
Print Assumptions order_eight.
Print Assumptions weights_of_four.
Print Assumptions closed_and_marks.
Print Assumptions nothing_beside_the_centre.
Print Assumptions order_eight_main.
Print Assumptions subsets.
Print Assumptions complements.
Print Assumptions least_of_images.
Print Assumptions sum_column_sets.
Print Assumptions sum_tiles.
Print Assumptions sum_lead.
Print Assumptions sum_of_units.
Print Assumptions quarters.
Print Assumptions sum_halves.
Print Assumptions sum_classes.
Print Assumptions places.
Print Assumptions joined_pairs.
Print Assumptions sum_of_joins.
Print Assumptions joins_exist.
Print Assumptions Q_8.
