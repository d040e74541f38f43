(** Small boards by evaluation: Coq runs the program. *)
From Queens Require Import recount theorem main.

(** The last step turns a binary number into a numeral. *)
Lemma by_program h k side c (board := board_of h k side) : 0 < h -> 0 < side ->
  sum_N [seq odflt 0%num (count_unit side board (bin_of_nat m))
        | m <- iota 0 (nat_of_bin (number_of_units board))] = c ->
  solutions (h + k + h) = nat_of_bin c.
Proof. move=> h0 side0 <-; have [counts [e <-]] := counted k h0 side0.
rewrite (map_comp (odflt 0%num) (fun m => count_unit side board (bin_of_nat m))) e -map_comp.
by rewrite sum_NE map_id. Qed.
Theorem small_boards : Small_boards.
Proof. split; [apply: (etrans (@by_program 4 0 3 92 isT isT _))
  | apply: (etrans (@by_program 5 0 16 724 isT isT _))]; vm_compute; reflexivity. Qed.
