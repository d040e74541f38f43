(** What is proved, in one place. [.ci/proof] checks that it rests on no axiom. *)
From Queens Require Import chain theorem.

(** *** The page for the sceptic *)
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
rewrite mem_placements ?drop_uniq ?uniq_lines // => /and3P [/eqP ep _ _].
rewrite /F /= -(val_lines n) filter_map -!map_comp; congr map; apply: eq_filter => j /=.
rewrite -[p in RHS](mkseq_nth (r, r)) all_map size_map; apply: eq_in_all => i;
  rewrite mem_iota add0n /= => li. have row : val (nth (r, r) p i).1 = n - m.+1 + i.+1 :> nat.
  have szp : size p = m by rewrite -(size_map fst) ep size_drop sn; lia.
  by rewrite -(nth_map _ r) // ep nth_drop valR /=; move: li; rewrite szp; lia.
rewrite /columns (nth_map (r, r)) // /no_attack /attack /diagonal -!val_eqE /= row;
  move: (nth _ p i).2 => c; lia. Qed.
Theorem plain : Plain.
Proof. move=> n; rewrite /solutions plain_rows // subnn drop0 size_map.
have -> : Q n = having (fun _ : {set square n} => 1) [::].
  by rewrite /Q -sum1_card; apply: eq_bigl => q; rewrite inE andbT.
rewrite (@having_placement _ Unused _ _ (lines n)) ?cats0 ?uniq_lines //
  (eq_placements (o' := predT)) => [|x] //. rewrite -sum1_size big_seq [RHS]big_seq;
  apply: eq_bigr => p; rewrite mem_placements ?uniq_lines // => /and3P [/eqP e _ pp].
by rewrite cats0 having_all // e. Qed.
Theorem units_sum : Units_sum. Proof. by move=> h k side h0 side0; rewrite plain sum_of_units. Qed.
Theorem recounted : Recounted.
Proof. by move=> h k side m i s0; split;
  rewrite ?size_map ?number_of_unitsE ?count_unitE ?count_partE. Qed.
(** Boards by evaluation of their units; the last step turns a binary number into a numeral. *)
Lemma by_units h k side (c : N) : 0 < h -> 0 < side ->
  sum_N [seq fast_unit_count side u | u <- units h k side] = c -> solutions (h + k + h) =
    nat_of_bin c.
Proof. by move=> h0 side0 <-; rewrite plain (fast_total k side0 h0). Qed.
Theorem solutions_8 : Solutions_8.
Proof. apply: (etrans (@by_units 4 0 3 92 isT isT _)); vm_compute; reflexivity. Qed.
Theorem solutions_10 : Solutions_10.
Proof. apply: (etrans (@by_units 5 0 16 724 isT isT _)); vm_compute; reflexivity. Qed.
Theorem solutions_12 : Solutions_12.
Proof. apply: (etrans (@by_units 6 0 16 14200 isT isT _)); vm_compute; reflexivity. Qed.
(** The theorems that the text and the README name; [theorems.txt] has their statements. *)
Inductive theorem := T (P : Prop) (p : P).
Definition theorems :=
  [:: T (@plain); T (@units_sum); T (@recounted); T (@solutions_8); T (@solutions_10);
      T (@solutions_12); T (@sum_of_units); T (@cut); T (@quarters); T (@sum_halves);
      T (@sum_classes); T (@places); T (@weights_of_four); T (@weights_of_eight);
      T (@closed_and_marks); T (@nothing_beside_the_centre); T (@order_eight_main);
      T (@joined_pairs); T (@subsets); T (@complements); T (@least_of_images);
      T (@sum_column_sets); T (@sum_tiles); T (@sum_lead); T (@sum_of_joins); T (@joins_exist);
      T (@fast_part_countE)].
Print Assumptions theorems.
