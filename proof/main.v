(** The theorems of theorem.v, and that its [solutions] are the Q(N) of the other files. *)
From Queens Require Import total recount theorem.

Lemma flatten_if T U (P : pred T) (F : T -> seq U) s :
  flatten [seq if P x then F x else [::] | x <- s] = flatten [seq F x | x <- s & P x].
Proof. by elim: s => //= x s ->; case: (P x). Qed.
Lemma plain_rows n m (columns := fun p : seq (square n) => [seq val x.2 | x <- p]) : m <= n ->
  [seq s <- lists n m | ok s] = [seq columns p | p <- placements predT (drop (n - m) (lines n))].
Proof. elim: m => [|m IH] lt;
  first by rewrite subn0 drop_oversize // -(size_map val) val_lines size_iota.
have lr : n - m.+1 < n by lia.
pose r := Ordinal lr; have sn : size (lines n) = n by rewrite -(size_map val) val_lines size_iota.
have valR i : i < n -> val (nth r (lines n) i) = i by move=> l;
  rewrite -(nth_map _ 0) ?sn // val_lines nth_iota.
have e : drop (n - m.+1) (lines n) = r :: drop (n - m) (lines n).
  by rewrite (drop_nth r) ?sn // subnSK //; congr (_ :: _); apply: val_inj; rewrite valR.
rewrite e /= map_flatten -map_comp filter_flatten -map_comp.
pose F s := [seq c :: s | c <- iota 0 n & all (fun i => no_attack i c (nth 0 s i))
  (iota 0 (size s))]. transitivity (flatten [seq F s | s <- lists n m & ok s]).
  rewrite -flatten_if; congr flatten; apply: eq_map => s; rewrite /= filter_map.
  by case oks: (ok s); [congr map; apply: eq_filter => c | rewrite (@eq_filter _ _ pred0)
    ?filter_pred0 // => c]; rewrite /= oks ?andbT ?andbF.
rewrite IH ?(ltnW lt) // -map_comp; congr flatten; apply/eq_in_map => p.
rewrite mem_placements => /and3P [/eqP ep _ _].
rewrite /F /= -(val_lines n) filter_map -!map_comp; congr map; apply: eq_filter => j /=.
rewrite -[p in RHS](mkseq_nth (r, r)) all_map size_map; apply: eq_in_all => i;
  rewrite mem_iota add0n /= => li. have row : val (nth (r, r) p i).1 = n - m.+1 + i.+1 :> nat.
  have szp : size p = m by rewrite -(size_map fst) ep size_drop sn; lia.
  by rewrite -(nth_map _ r) // ep nth_drop valR /=; move: li; rewrite szp; lia.
rewrite /columns (nth_map (r, r)) // /no_attack /attack /diagonal -!val_eqE /= row;
  move: (nth _ p i).2 => c; lia. Qed.
Theorem plain n : solutions n = Q n.
Proof. rewrite /solutions plain_rows // subnn drop0 size_map.
rewrite Q_having (@having_placement _ Unused _ _ (lines n)) ?cats0 ?uniq_lines //
  (eq_placements (o' := predT)) //. rewrite -sum1_size big_seq [RHS]big_seq;
  apply: eq_bigr => p; rewrite mem_placements => /and3P [/eqP e _ pp].
by rewrite cats0; have [||q _ ->] := @having_all _ (fun=> 1) p; rewrite ?e. Qed.
Theorem counted : Counted.
Proof. move=> h k side h0 side0 board; rewrite number_of_unitsE // plain -(sum_of_units k h0 side0).
set us := units h k side; exists [seq sum_N (fast_counts side u) | u <- us].
rewrite -!map_comp; split; last by congr sumn; apply: eq_map => u; rewrite /= sum_fast_counts.
rewrite [RHS](map_comp (omap (fun u => sum_N (fast_counts side u))) Some).
rewrite -[map Some us](mkseq_nth None) size_map -map_comp; apply: eq_map => m.
by rewrite /= /count_unit unit_atE bin_of_natK. Qed.
Theorem parts_counted : Parts_counted.
Proof. move=> h k side board m c; rewrite /count_unit; case e: unit_at => [u|] //= [<-].
exists (fast_counts side u); split=> [i|]; first by rewrite count_partE e.
by rewrite sum_NE. Qed.
(** *** Small boards by evaluation: Coq runs the program *)
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
