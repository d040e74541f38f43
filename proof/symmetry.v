(** Symmetry: the weights of the images of a solution sum to their number (sections 4, 5 and 6). *)
From Queens Require Export lists.

Section Symmetry.
Variable n : nat.
Notation square := (square n).
Implicit Types (x y : square) (q c t b : {set square}).
Notation mirrored := (image (@mirror n)).
Notation flipped := (image (@flip n)).
Notation transposed := (image (@transpose n)).

Lemma solution_mirror q : solution (mirrored q) = solution q.
Proof. exact: solution_image (@mirrorK n) (@attack_mirror n) q. Qed.
Lemma solution_flip q : solution (flipped q) = solution q.
Proof. exact: solution_image (@flipK n) (@attack_flip n) q. Qed.
Lemma solution_transpose q : solution (transposed q) = solution q.
Proof. exact: solution_image (@transposeK n) (@attack_transpose n) q. Qed.

(** Order eight: an element and its transposition. *)
Lemma sum_of_two (w : {set square} -> nat) : (forall q, solution q -> w q + w (transposed q) = 2) ->
  \sum_(q : {set square} | solution q) w q = Q n.
Proof.
move=> w2; have := @sum_images _ _ (@solution n) (fun i : bool => if i then transposed else id) w (fun=> 1).
rewrite card_bool; under eq_bigr do rewrite muln1; move=> -> //.
- by rewrite sum1dep_card.
- by case=> //; apply: inv_inj; exact: imageK (@transposeK n).
- by case=> // q; exact: solution_transpose.
- by move=> q s; rewrite big_bool /= addnC; exact: w2.
Qed.
(** Order four: the images under mirror and flip. *)
Lemma sum_of_four (w u : {set square} -> nat) :
  (forall q, solution q -> u (mirrored q) = u q) -> (forall q, solution q -> u (flipped q) = u q) ->
  (forall q, solution q -> w q + w (mirrored q) + w (flipped q) + w (mirrored (flipped q)) = 4) ->
  \sum_(q : {set square} | solution q) w q * u q = \sum_(q : {set square} | solution q) u q.
Proof.
move=> um uf w4; pose g (i : bool * bool) q := (if i.1 then mirrored else id) ((if i.2 then flipped else id) q).
apply: (@sum_images _ _ (@solution n) g); rewrite ?card_prod ?card_bool //.
- have mI := inv_inj (imageK (@mirrorK n)); have fI := inv_inj (imageK (@flipK n)).
  by case=> -[] [] q q' /=; [move/mI/fI | move/mI | move/fI | ].
- by case=> -[] [] q; rewrite /g /= ?solution_mirror ?solution_flip.
- by case=> -[] [] q s; rewrite /g /= ?um ?uf ?solution_flip.
- move=> q s; rewrite -(pair_bigA _ (fun i j => w (g (i, j) q))) /= !big_bool /= /g /=.
  by have := w4 q s; lia.
Qed.

(** *** Order four: the least of the images of some columns *)
Lemma least_weight_sum (js : seq 'I_n) (m := map (@rev_ord n)) :
  least_weight js + least_weight (m js) + least_weight (rev js) + least_weight (m (rev js)) = 4.
Proof.
have mK : involutive m by exact: mapK (@rev_ordK n).
have mr s : m (rev s) = rev (m s) by exact: map_rev.
have small (s : seq 'I_n) : all (gtn n) (map val s) by apply/allP => _ /mapP [j _ ->] /=.
rewrite /least_weight -!/(m _) !(mr, mK, revK) /=.
apply: (@least_sum (size js) n); rewrite /= ?small ?size_map ?size_rev ?size_map ?eqxx // !(inj_eq (inj_map val_inj)).
- by rewrite (inj_eq (can_inj revK)).
- by rewrite -mr (inj_eq (inv_inj mK)).
- by rewrite -mr (inv_eq mK).
Qed.

Lemma column_mirror q r : solution q -> column (mirrored q) r = rev_ord (column q r).
Proof.
move=> s; apply/esym/eqP; rewrite -columnP ?solution_mirror // mem_image; last exact: mirrorK.
by rewrite /mirror /= rev_ordK columnP.
Qed.
Lemma column_flip q r : solution q -> column (flipped q) r = column q (rev_ord r).
Proof.
move=> s; apply/esym/eqP; rewrite -columnP ?solution_flip // mem_image; last exact: flipK.
by rewrite /flip /= columnP.
Qed.
(** The solutions by their column in a row. *)
Lemma sum_by_column (P : pred {set square}) r (f : 'I_n -> {set square} -> nat) : (forall q, P q -> solution q) ->
  \sum_(j <- lines n) \sum_(q : {set square} | P q && ((r, j) \in q)) f j q
    = \sum_(q : {set square} | P q) f (column q r) q.
Proof.
move=> Ps; rewrite sum_lines [RHS](partition_big (fun q => column q r) predT) //=; apply: eq_bigr => j _.
by apply: eq_big => [q | q /andP [/Ps s]];
  [case pq: (P q); rewrite //= columnP ?Ps // eq_sym | rewrite columnP // => /eqP <-].
Qed.

(** *** Order eight: R and S *)
Definition weight8 q : nat := if along q < across q then 2 else along q == across q.

Lemma distance_rev (i : 'I_n) : distance (rev_ord i) = distance i.
Proof. rewrite /distance /=; have := ltn_ord i; lia. Qed.
Lemma across_mirror q : across (mirrored q) = across q.
Proof. by rewrite /across (max_image (@mirrorK n)) /=; apply: eq_bigr => x _; rewrite distance_rev. Qed.
Lemma across_flip q : across (flipped q) = across q.
Proof. by rewrite /across (max_image (@flipK n)) /=; apply: eq_bigl => x; rewrite /is_middle distance_rev. Qed.
Lemma along_mirror q : along (mirrored q) = along q.
Proof. by rewrite /along (max_image (@mirrorK n)) /=; apply: eq_bigl => x; rewrite /is_middle distance_rev. Qed.
Lemma along_flip q : along (flipped q) = along q.
Proof. by rewrite /along (max_image (@flipK n)) /=; apply: eq_bigr => x _; rewrite distance_rev. Qed.
Lemma weight8_transpose q : weight8 q + weight8 (transposed q) = 2.
Proof.
rewrite /weight8 [along (transposed _)](max_image (@transposeK n)) [across (transposed _)](max_image (@transposeK n)).
by rewrite -/(across q) -/(along q); case: ltngtP.
Qed.
Theorem order_eight : \sum_(q : {set square} | solution q) weight8 q = Q n.
Proof. by apply: sum_of_two => q _; exact: weight8_transpose. Qed.
Lemma weight8_mirror q : weight8 (mirrored q) = weight8 q. Proof. by rewrite /weight8 across_mirror along_mirror. Qed.
Lemma weight8_flip q : weight8 (flipped q) = weight8 q. Proof. by rewrite /weight8 across_flip along_flip. Qed.

(** The columns of queens in some rows. *)
Lemma columns_mirror q R : solution q -> map (column (mirrored q)) R = map (@rev_ord n) (map (column q) R).
Proof. by move=> s; rewrite -map_comp; apply: eq_map => r; exact: column_mirror. Qed.
Lemma columns_flip q R : solution q -> map (@rev_ord n) R = rev R ->
  map (column (flipped q)) R = rev (map (column q) R).
Proof. by move=> s e; rewrite -map_rev -e -map_comp; apply: eq_map => r; exact: column_flip. Qed.
(** Order four and eight for queens in rows that the flip exchanges. *)
Theorem order_four_and_eight R : map (@rev_ord n) R = rev R ->
  \sum_(q : {set square} | solution q) least_weight (map (column q) R) * weight8 q = Q n.
Proof.
move=> e; rewrite -order_eight; apply: sum_of_four => q s; rewrite ?weight8_mirror ?weight8_flip //.
by rewrite !columns_mirror ?solution_flip // !columns_flip // least_weight_sum.
Qed.

(** *** Closed squares and marks (section 5) *)
Lemma alongP r q : 0 < n -> solution q -> [exists x in q, is_middle x.2 && (r <= distance x.1)] = (r <= along q).
Proof.
move=> n0 s; apply/exists_inP/idP => [[x xq /andP [xm le]] | le].
  by apply: leq_trans le _; apply: (leq_bigmax_cond (F := fun x => distance x.1)); rewrite xq.
have : 0 < #|[pred x in q | is_middle x.2]|.
  have lt : n./2 < n by lia.
  have : Ordinal lt \in cols q by rewrite solution_cols ?inE.
  by case/imsetP => x xq e; apply/card_gt0P; exists x; rewrite inE xq -e /is_middle /distance /=; lia.
case/(eq_bigmax_cond (fun x : square => distance x.1)) => x; rewrite inE => /andP [xq xm] e.
by exists x => //; rewrite xm -e.
Qed.
Lemma weight8E q : 0 < n -> solution q -> weight8 q =
  if [exists x in q, closed (Reach (across q)) x] then 0
    else if [exists x in q, marked (Reach (across q)) x] then 1 else 2.
Proof.
move=> n0 s; rewrite /weight8; move: (across q) => r.
rewrite (alongP r.+1 n0 s); case: (ltnP r (along q)) => [|le]; first by case: ltngtP.
have -> : [exists x in q, marked (Reach r) x] = (r <= along q).
  rewrite -(alongP r n0 s); apply/exists_inP/exists_inP => -[x xq] /andP [xm].
    by move=> /eqP <-; exists x => //; rewrite xm leqnn.
  move=> lr; exists x => //; rewrite /= xm eqn_leq lr andbT; apply: leq_trans le.
  by rewrite -(alongP _ n0 s); apply/exists_inP; exists x => //; rewrite xm leqnn.
by case: ltngtP le.
Qed.
Lemma acrossE q : solution q -> across q = \max_(r | is_middle r) distance (column q r).
Proof.
move=> s; rewrite /across (reindex_onto (fun r => (r, column q r)) fst) /=.
  by apply: eq_bigl => r; rewrite columnP // !eqxx andbT.
by case=> r j /andP [rq _]; move: rq; rewrite columnP // => /eqP ->.
Qed.
(** R = 1 leaves nothing: the queen of the middle column would have to stand in the centre, which is attacked. *)
Lemma weight8_2 q : solution q -> across q = 2 -> weight8 q = 0.
Proof.
move=> s e2; have [r rm er] : exists2 r : 'I_n, is_middle r & distance (column q r) = 2.
  have [e0 | ne] := posnP #|[pred r : 'I_n | is_middle r]|.
    by move: e2; rewrite acrossE // big_pred0 // => r; have := card0_eq e0 r.
  by have [r ? e] := eq_bigmax_cond (fun r => distance (column q r)) ne; exists r; rewrite // -e -acrossE.
have rq : (r, column q r) \in q by rewrite columnP.
have /imsetP [y yq ey] : r \in cols q by rewrite solution_cols ?inE.
have : 2 < along q; last by rewrite /weight8 e2; case: ltngtP.
rewrite -alongP //; last by have := ltn_ord r; lia.
apply/exists_inP; exists y => //; rewrite -ey rm /=; case: ltnP => // le.
have a : attack (r, column q r) y.
  by rewrite /attack /diagonal -!val_eqE /= -ey; move: le er rm; rewrite /is_middle /distance; lia.
by move: rm; rewrite /is_middle ey -(peacefulP _ (solution_peaceful s) _ _ rq yq a) er.
Qed.

(** *** Main diagonals (section 6) *)
Section Main.
Variables top bot : {set 'I_n}.
Hypothesis rev_top : forall r, (rev_ord r \in top) = (r \in bot).
Hypothesis in_bot : forall r, (r \in bot) = (r \notin top).
Implicit Type R : {set 'I_n}.
Definition main_marks R q := marks_set MainDiagonals (q :&: squares R).
Definition weight6 q := main_weight (main_marks top q) (main_marks bot q).
Definition falling R q := \sum_(x in q) ((x.1 == x.2) && (x.1 \in R)).
Definition rising R q := falling R (mirrored q).

Lemma on_mainE x : on_main x = (x.1 == x.2) || (x.1 == rev_ord x.2).
Proof. by rewrite /on_main -[x.1 == rev_ord _]val_eqE /=; congr (_ || _); have := ltn_ord x.2; lia. Qed.
Lemma risingE R q : rising R q = \sum_(x in q) ((x.1 == rev_ord x.2) && (x.1 \in R)).
Proof. exact: sum_image (@mirrorK n) _ _. Qed.
Lemma marksE R q : main_marks R q = falling R q + rising R q.
Proof.
rewrite /main_marks /marks_set risingE -big_split /= -sum1dep_card big_mkcond [RHS]big_mkcond /=.
apply: eq_bigr => -[r j] _; rewrite !inE /marked on_mainE /=.
case: ((r, j) \in q) => //=; case: (r \in R); rewrite ?andbF //= !andbT.
case: (eqVneq r j) => [->|_]; case: (eqVneq _ (rev_ord j)) => //= e.
by have := in_bot j; rewrite -rev_top -e; case: (j \in top).
Qed.
Lemma falling_transpose R q : falling R (transposed q) = falling R q.
Proof. by rewrite /falling (sum_image (@transposeK n)); apply: eq_bigr => -[r j] _ /=;
  rewrite eq_sym; case: eqP => // ->. Qed.
Lemma rising_transpose q :
  (rising top (transposed q) = rising bot q) * (rising bot (transposed q) = rising top q).
Proof.
rewrite !risingE !(sum_image (@transposeK n)); split; apply: eq_bigr => -[r j] _ /=;
  rewrite [j == _]eq_sym (inv_eq (@rev_ordK n)); case: eqP => //= ->;
    by rewrite -?rev_top ?rev_ordK // -[in RHS]rev_top rev_ordK.
Qed.
(** Queens on one diagonal attack each other. *)
Lemma falling_le1 q : solution q -> falling top q + falling bot q <= 1.
Proof.
move=> /solution_peaceful /peacefulP p; rewrite -big_split /= (eq_bigr (fun x => (x.1 == x.2) : nat)) => [|x _].
  rewrite -big_mkcondr sum1dep_card; apply/card_le1_eqP => x y; rewrite !inE => /andP [xq /eqP e] /andP [yq /eqP e'].
  by apply: p => //; rewrite /attack /diagonal e e' [y.2 + x.2]addnC eqxx !orbT.
by rewrite in_bot; case: eqP; case: (_ \in top).
Qed.
Lemma rising_le1 q : solution q -> rising top q + rising bot q <= 1.
Proof. by move=> s; rewrite falling_le1 ?solution_mirror. Qed.
Lemma weight6_transpose q : solution q -> weight6 q + weight6 (transposed q) = 2.
Proof.
move=> s; rewrite /weight6 !marksE !falling_transpose !rising_transpose; have := falling_le1 s; have := rising_le1 s.
move: (falling top q) (falling bot q) (rising top q) (rising bot q).
by do 4 (case=> [|[|?]]; rewrite ?addnS //).
Qed.
Lemma weight6_mirror q : weight6 (mirrored q) = weight6 q.
Proof.
rewrite /weight6 !marksE /rising (imageK (@mirrorK n)).
by rewrite addnC [X in main_weight _ X]addnC.
Qed.
Lemma main_weightC i j : main_weight i j = main_weight j i.
Proof. by case: i j => [|[|[|i]]] [|[|[|j]]]. Qed.
Lemma weight6_flip q : weight6 (flipped q) = weight6 q.
Proof.
have rev_bot r : (rev_ord r \in bot) = (r \in top) by rewrite -rev_top rev_ordK.
rewrite /weight6 main_weightC !marksE !risingE /falling !(sum_image (@flipK n)) addnC [X in main_weight _ X]addnC.
by congr (main_weight (_ + _) (_ + _)); apply: eq_bigr => x _;
  rewrite /= ?(inj_eq rev_ord_inj) ?(inv_eq (@rev_ordK n)) ?rev_top ?rev_bot.
Qed.
Theorem order_eight_main : \sum_(q : {set square} | solution q) weight6 q = Q n.
Proof. by apply: sum_of_two; exact: weight6_transpose. Qed.
End Main.
End Symmetry.
