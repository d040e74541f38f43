(** Symmetry: the weights of the images of a solution sum to their number (sections 4, 5 and 6). *)
From Queens Require Export lists.

Section Symmetry. Variable n : nat. Notation square := (square n).
Implicit Types (x y : square) (q c t b : {set square}). Notation mirrored := (image (@mirror n)).
Notation flipped := (image (@flip n)). Notation transposed := (image (@transpose n)).
Lemma solution_mirror q : solution (mirrored q) = solution q.
Proof. exact: solution_image (@mirrorK n) (@attack_mirror n) q. Qed.
Lemma solution_flip q : solution (flipped q) = solution q.
Proof. exact: solution_image (@flipK n) (@attack_flip n) q. Qed.
Lemma solution_transpose q : solution (transposed q) = solution q.
Proof. exact: solution_image (@transposeK n) (@attack_transpose n) q. Qed.
(** A sum over solutions is one over their images. *)
Lemma sum_solution_image (g : square -> square) (F : {set square} -> nat) : involutive g ->
  (forall x y, attack (g x) (g y) = attack x y) ->
  \sum_(q | solution q) F (image g q) = \sum_(q | solution q) F q.
Proof. move=> gK ga; rewrite [RHS](reindex_inj (inv_inj (imageK gK))) /=.
by apply: eq_bigl => q; rewrite solution_image. Qed.
(** Order eight: a solution and its transposition. *)
Lemma sum_of_two (u : {set square} -> nat) : (forall q, solution q -> u q + u (transposed q) = 2) ->
  \sum_(q | solution q) u q = Q n.
Proof. move=> u2; have : \sum_(q | solution q) (u q + u (transposed q)) =
  Q n * 2 by rewrite (eq_bigr _ u2) sum_nat_const /Q cardsE.
rewrite big_split /= (sum_solution_image u (@transposeK n) (@attack_transpose n)) addnn -muln2 =>
  /eqP. by rewrite eqn_pmul2r // => /eqP. Qed.
(** Orders four and eight: the images under mirror and flip, which is a mirror between two
    transpositions. *)
Lemma sum_of_eight (w u : {set square} -> nat) :
  (forall q, solution q -> u q + u (transposed q) = 2) -> (forall q, u (mirrored q) = u q) ->
  (forall q, solution q -> w q + w (mirrored q) + w (flipped q) + w (mirrored (flipped q)) = 4) ->
  \sum_(q | solution q) w q * u q = Q n.
Proof. move=> u2 um w4; have uf q : solution q -> u (flipped q) = u q.
  have -> : flipped q = transposed (mirrored (transposed q)) by rewrite /image -!imset_comp.
  move=> s; have st : solution (transposed q) by rewrite solution_transpose.
  have := u2 q s; have := u2 (mirrored (transposed q)); rewrite um solution_mirror => /(_ st); lia.
pose W q := w q * u q; have eM F := sum_solution_image F (@mirrorK n) (@attack_mirror n).
have eF F := sum_solution_image F (@flipK n) (@attack_flip n). rewrite -(sum_of_two u2); apply/eqP;
  rewrite -(eqn_pmul2l (isT : 0 < 4)); apply/eqP; rewrite [RHS]big_distrr /=.
transitivity (\sum_(q | solution q)
  (W q + W (mirrored q) + W (flipped q) + W (mirrored (flipped q)))).
  rewrite !big_split /= (eF (fun q => W (mirrored q))) eF !eM /W; move: (\sum_(q | _) _) => x; lia.
by apply: eq_bigr => q s; rewrite /W !um !uf // -!mulnDl w4. Qed.
(** *** Order four: the least of the images of some columns *)
Lemma least_weight_sum (js : seq 'I_n) (m := map (@rev_ord n)) :
  least_weight js + least_weight (m js) + least_weight (rev js) + least_weight (m (rev js)) = 4.
Proof. have mK : involutive m by exact: mapK (@rev_ordK n).
have mr s : m (rev s) = rev (m s) by exact: map_rev.
have small (s : seq 'I_n) : all (gtn n) (map val s) by apply/allP => _ /mapP [j _ ->] /=.
rewrite /least_weight -!/(m _) !(mr, mK, revK) /=. apply: (@least_sum (size js) n);
  rewrite /= ?small ?size_map ?size_rev ?size_map ?eqxx // !(inj_eq (inj_map val_inj)).
- by rewrite (inj_eq (can_inj revK)).
- by rewrite -mr (inj_eq (inv_inj mK)).
- by rewrite -mr (inv_eq mK). Qed.
Lemma column_mirror q r : solution q -> column (mirrored q) r = rev_ord (column q r).
Proof. move=> s; apply/esym/eqP; rewrite -columnP ?solution_mirror // mem_image;
  last exact: mirrorK. by rewrite /mirror /= rev_ordK columnP. Qed.
Lemma column_flip q r : solution q -> column (flipped q) r = column q (rev_ord r).
Proof. move=> s; apply/esym/eqP; rewrite -columnP ?solution_flip // mem_image; last exact: flipK.
by rewrite /flip /= columnP. Qed.
(** *** Order eight: R and S *)
Lemma distance_rev (i : 'I_n) : distance (rev_ord i) = distance i.
Proof. rewrite /distance /=; have := ltn_ord i; lia. Qed.
Lemma across_mirror q : across (mirrored q) = across q.
Proof. by rewrite /across (max_image (@mirrorK n)) /=; apply: eq_bigr => x _; rewrite distance_rev.
Qed.
Lemma along_mirror q : along (mirrored q) = along q.
Proof. by rewrite /along (max_image (@mirrorK n)) /=; apply: eq_bigl => x;
  rewrite /is_middle distance_rev. Qed.
Lemma along_transpose q : along (transposed q) = across q.
Proof. exact: max_image (@transposeK n) _ _ _. Qed.
Lemma weight8_transpose q : weight8 q + weight8 (transposed q) = 2.
Proof. by rewrite /weight8 along_transpose -(along_transpose (transposed q)) imageK;
  [case: ltngtP | exact: transposeK]. Qed.
Lemma weight8_mirror q : weight8 (mirrored q) = weight8 q.
Proof. by rewrite /weight8 across_mirror along_mirror. Qed.
Theorem weights_of_eight : \sum_(q : {set square} | solution q) weight8 q = Q n.
Proof. by apply: sum_of_two => q _; exact: weight8_transpose. Qed.
(** The columns of queens in some rows. *)
Lemma columns_mirror q R : solution q -> map (column (mirrored q)) R =
  map (@rev_ord n) (map (column q) R).
Proof. by move=> s; rewrite -map_comp; apply: eq_map => r; exact: column_mirror. Qed.
Lemma columns_flip q R : solution q -> map (@rev_ord n) R = rev R ->
  map (column (flipped q)) R = rev (map (column q) R).
Proof. by move=> s e; rewrite -map_rev -e -map_comp; apply: eq_map => r; exact: column_flip. Qed.
(** *** Closed squares and marks (section 5) *)
Lemma along_queen q : 0 < n -> solution q -> exists2 x, x \in q & is_middle x.2 /\ distance x.1 =
  along q.
Proof. move=> n0 s; have lt : n./2 < n by lia.
have /imsetP [y yq ey] : Ordinal lt \in cols q by rewrite solution_cols ?inE.
have [|x /andP [xq xm] e] :=
  @eq_bigmax_cond _ [pred x in q | is_middle x.2] (fun x : square => distance x.1).
  by apply/card_gt0P; exists y; rewrite inE yq -ey /is_middle /distance /=; lia.
by exists x. Qed.
Lemma along_lt q r : (r < along q) = [exists x in q, closed (Reach r) x].
Proof. rewrite ltnNge -[RHS]negbK negb_exists_in; congr (~~ _);
  apply/bigmax_leqP/forall_inP => le x.
  by move=> xq; apply/negP => /andP [xm]; rewrite ltnNge le ?xq.
by case/andP => /le + xm; rewrite /= xm -leqNgt. Qed.
Theorem closed_and_marks q : 0 < n -> solution q -> weight8 q =
  if [exists x in q, closed (Reach (across q)) x] then 0
    else if [exists x in q, marked (Reach (across q)) x] then 1 else 2.
Proof. move=> n0 s; rewrite -along_lt /weight8; have [x xq [xm ex]] := along_queen n0 s.
case: (ltngtP (along q)) => // [lt | e]; case: exists_inP => //=.
  case=> y yq /andP [ym /eqP ey]; move: lt; rewrite -ey ltnNge.
  by rewrite (leq_bigmax_cond (F := fun x : square => distance x.1)) // yq.
by case; exists x; rewrite // xm ex e eqxx. Qed.
Lemma acrossE q : solution q -> across q = \max_(r | is_middle r) distance (column q r).
Proof. move=> s; rewrite /across (reindex_onto (fun r => (r, column q r)) fst) /=.
  by apply: eq_bigl => r; rewrite columnP // !eqxx andbT.
by case=> r j /andP [rq _]; move: rq; rewrite columnP // => /eqP ->. Qed.
(** R = 1 leaves nothing: the queen of the middle column would have to stand in the centre, which is
    attacked. *)
Theorem nothing_beside_the_centre q : 0 < n -> solution q -> across q = 2 -> weight8 q = 0.
Proof. move=> n0 s e2; have [[r m] yq [/= mm er]] := along_queen n0 s;
  have st := etrans (solution_transpose q) s. have [[j m']] := along_queen n0 st;
  rewrite mem_image /= => [xq [/= mm' ej]|]; last exact: transposeK.
have : 2 < along q; last by rewrite /weight8 e2; case: ltngtP.
rewrite along_transpose e2 in ej; rewrite -er ltnNge; apply/negP => le.
have a : attack (m', j) (r, m).
  by rewrite /attack /diagonal -!val_eqE /=; move: le ej mm mm'; rewrite /is_middle /distance;
    clear; lia.
by have [_ e] := peacefulP _ (solution_peaceful s) _ _ xq yq a; move: mm; rewrite -e /is_middle ej.
Qed.
(** *** Main diagonals (section 6) *)
Section Main. Variables top bot : {set 'I_n}.
Hypothesis rev_top : forall r, (rev_ord r \in top) = (r \in bot).
Hypothesis in_bot : forall r, (r \in bot) = (r \notin top). Implicit Type R : {set 'I_n}.
Notation weight6 := (weight6 top bot).
Definition falling R q := \sum_(x in q) ((x.1 == x.2) && (x.1 \in R)).
Definition rising R q := falling R (mirrored q).
Lemma risingE R q : rising R q = \sum_(x in q) ((x.1 == rev_ord x.2) && (x.1 \in R)).
Proof. exact: sum_image (@mirrorK n) _ _. Qed.
Lemma marksE R q : main_marks R q = falling R q + rising R q.
Proof. rewrite /main_marks /marks_set risingE -big_split /= -sum1dep_card big_mkcond [RHS]big_mkcond
  /=. apply: eq_bigr => -[r j] _; rewrite !inE /marked /on_main /=.
case: ((r, j) \in q) => //=; case: (r \in R); rewrite ?andbF //= !andbT.
case: (eqVneq r j) => [->|_]; case: (eqVneq _ (rev_ord j)) => //= e.
by have := in_bot j; rewrite -rev_top -e; case: (j \in top). Qed.
Lemma falling_transpose R q : falling R (transposed q) = falling R q.
Proof. by rewrite /falling (sum_image (@transposeK n)); apply: eq_bigr => -[r j] _ /=;
  rewrite eq_sym; case: eqP => // ->. Qed.
Lemma rising_transpose q :
  (rising top (transposed q) = rising bot q) * (rising bot (transposed q) = rising top q).
Proof. rewrite !risingE !(sum_image (@transposeK n)); split; apply: eq_bigr => -[r j] _ /=;
  rewrite [j == _]eq_sym (inv_eq (@rev_ordK n)); case: eqP => //= ->;
  by rewrite -?rev_top ?rev_ordK // -[in RHS]rev_top rev_ordK. Qed.
(** Queens on one diagonal attack each other. *)
Lemma falling_le1 q : solution q -> falling top q + falling bot q <= 1.
Proof. move=> /solution_peaceful /peacefulP p;
  rewrite -big_split /= (eq_bigr (fun x => (x.1 == x.2) : nat)) => [|x _].
  rewrite -big_mkcondr sum1dep_card; apply/card_le1_eqP => x y;
    rewrite !inE => /andP [xq /eqP e] /andP [yq /eqP e'].
  by apply: p => //; rewrite /attack /diagonal e e' [y.2 + x.2]addnC eqxx !orbT.
by rewrite in_bot; case: eqP; case: (_ \in top). Qed.
Lemma rising_le1 q : solution q -> rising top q + rising bot q <= 1.
Proof. by move=> s; rewrite falling_le1 ?solution_mirror. Qed.
Lemma weight6_transpose q : solution q -> weight6 q + weight6 (transposed q) = 2.
Proof. move=> s; rewrite /weight6 !marksE !falling_transpose !rising_transpose;
  have := falling_le1 s; have := rising_le1 s.
move: (falling top q) (falling bot q) (rising top q) (rising bot q).
by do 4 (case=> [|[|?]]; rewrite ?addnS //). Qed.
Lemma weight6_mirror q : weight6 (mirrored q) = weight6 q.
Proof. rewrite /weight6 !marksE /rising (imageK (@mirrorK n)).
by rewrite addnC [X in main_weight _ X]addnC. Qed.
Theorem order_eight_main : \sum_(q | solution q) weight6 q = Q n.
Proof. by apply: sum_of_two; exact: weight6_transpose. Qed.
End Main. End Symmetry.
