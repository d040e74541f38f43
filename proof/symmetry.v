(** Symmetry: the weights of the images of a solution sum to their number (sections 4, 5 and 6). *)
From Queens Require Export lists.

Section Symmetry. Variable n : nat. Implicit Types (q : {perm 'I_n}) (u w : {perm 'I_n} -> nat).
(** A sum over solutions is one over their images. *)
Lemma sum_image (g : {perm 'I_n} -> {perm 'I_n}) u : involutive g ->
  (forall q, solution (g q) = solution q) ->
  \sum_(q | solution q) u (g q) = \sum_(q | solution q) u q.
Proof. by move=> gK gs; rewrite [RHS](reindex_inj (inv_inj gK)) /=; apply: eq_bigl. Qed.
(** Orders four and eight: the images under mirror and flip. *)
Lemma sum_of_eight w u :
  (forall q, solution q -> u q + u q^-1%g = 2) -> (forall q, u (mirror q) = u q) ->
  (forall q, w q + w (mirror q) + w (flip q) + w (mirror (flip q)) = 4) ->
  \sum_(q | solution q) w q * u q = Q n.
Proof. move=> u2 um w4; have uf q : solution q -> u (flip q) = u q.
  move=> s; have := u2 q s; have := u2 (flip q); rewrite flipV um solution_flip => /(_ s); lia.
pose W q := w q * u q; have eM F := sum_image F (@mirrorK n) (@solution_mirror n).
have eF F := sum_image F (@flipK n) (@solution_flip n).
have two : \sum_(q | solution q) (u q + u q^-1%g) = Q n * 2.
  by rewrite (eq_bigr _ u2) sum_nat_const /Q cardsE.
have four : \sum_(q | solution q) (W q + W (mirror q) + W (flip q) + W (mirror (flip q))) =
  4 * \sum_(q | solution q) u q.
  by rewrite big_distrr; apply: eq_bigr => q s; rewrite /W !um !uf // -!mulnDl w4.
rewrite big_split /= (sum_image u (@invgK _) (@solution_inv n)) in two.
rewrite !big_split /= (eF (fun q => W (mirror q))) eF !eM in four.
rewrite -[LHS]/(\sum_(q | solution q) W q); move: (\sum_(q | _) W q) (\sum_(q | _) u q) two four.
by move=> x y; lia. Qed.
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
(** *** Order eight: R and S *)
Lemma distance_rev (i : 'I_n) : distance (rev_ord i) = distance i.
Proof. lia. Qed.
Lemma across_mirror q : across (mirror q) = across q.
Proof. by apply: eq_bigr => r _; rewrite mirrorE distance_rev. Qed.
Lemma across_flip q : across (flip q) = across q.
Proof. rewrite /across (reindex_inj rev_ord_inj) /=.
by apply: eq_big => r; rewrite /is_middle ?distance_rev // flipE rev_ordK. Qed.
Theorem weights_of_eight q : weight8 q + weight8 q^-1%g = 2.
Proof. by rewrite /weight8 invgK; case: ltngtP. Qed.
Lemma weight8_mirror q : weight8 (mirror q) = weight8 q.
Proof. by rewrite /weight8 mirrorV across_mirror across_flip. Qed.
(** *** Closed squares and marks (section 5) *)
Lemma across_row q : 0 < n -> exists2 r, is_middle r & distance (q r) = across q.
Proof. move=> n0; have lt : n./2 < n by lia.
have [|r mr e] := @eq_bigmax_cond _ [pred r | is_middle r] (fun r => distance (q r));
  last by exists r.
by apply/card_gt0P; exists (Ordinal lt); rewrite inE; lia. Qed.
Lemma along_lt q m : (m < across q^-1%g) = [exists r, closed (Reach m) (r, q r)].
Proof. rewrite ltnNge -[RHS]negbK negb_exists; congr (~~ _).
apply/bigmax_leqP/forallP => [le r | le j mj].
  by apply/negP => /andP [/= mj]; rewrite ltnNge -{1}[r](permK q) le.
by have := le (q^-1%g j); rewrite /= permKV mj -leqNgt. Qed.
Theorem closed_and_marks q : 0 < n -> weight8 q =
  if [exists r, closed (Reach (across q)) (r, q r)] then 0
    else if [exists r, marked (Reach (across q)) (r, q r)] then 1 else 2.
Proof. move=> n0; rewrite -along_lt /weight8; have [j mj ej] := across_row q^-1%g n0.
case: (ltngtP (across q^-1%g)) => // [lt | e]; case: existsP => //=.
  case=> r /andP [/= mr /eqP er]; move: lt; rewrite -er ltnNge -{1}[r](permK q).
  by rewrite /across (leq_bigmax_cond (F := fun j => distance (q^-1%g j))).
by case; exists (q^-1%g j); rewrite /= permKV mj ej e eqxx. Qed.
(** R = 1 leaves nothing: the queen of the middle column would have to stand in the centre, which is
    attacked. *)
Theorem nothing_beside_the_centre q : 0 < n -> solution q -> across q = 2 -> weight8 q = 0.
Proof. move=> n0 /solutionP s e2; have [r mr er] := across_row q n0.
have [j mj ej] := across_row q^-1%g n0. rewrite e2 in er.
have : 2 < across q^-1%g; last by rewrite /weight8 e2; case: ltngtP.
rewrite -ej ltnNge; apply/negP => le.
have e : r = q^-1%g j; last by rewrite e permKV in er; move: mj; rewrite /is_middle er.
by apply: s; rewrite permKV; lia. Qed.
(** *** Main diagonals (section 6) *)
Section Main. Variables top bot : seq 'I_n. Hypotheses (ut : uniq top) (ub : uniq bot).
Hypothesis rev_top : forall r, (rev_ord r \in top) = (r \in bot).
Hypothesis in_bot : forall r, (r \in bot) = (r \notin top). Implicit Type R : seq 'I_n.
Notation weight6 := (weight6 top bot).
Definition falling R q := \sum_(r in R) (q r == r).
Definition rising R q := falling R (mirror q).
Lemma marksE R q : uniq R -> marks MainDiagonals (queens_of q R) = falling R q + rising R q.
Proof. move=> uR; rewrite /marks count_map -sum1_count big_mkcond (big_uniq _ uR) -big_split.
apply: eq_bigr => r _; rewrite /= /on_main /= mirrorE [r == _]eq_sym [r == _]eq_sym.
rewrite (inv_eq (@rev_ordK n)); case: (eqVneq (q r) r) => [->|_];
  case: (eqVneq _ (rev_ord r)) => //= e.
by have := in_bot r; rewrite -rev_top -e; case: (r \in top). Qed.
Lemma falling_inv R q : falling R q^-1%g = falling R q.
Proof. by apply: eq_bigr => r _; rewrite -(inj_eq (@perm_inj _ q)) permKV eq_sym. Qed.
Lemma rising_inv R R' q : (forall r, (rev_ord r \in R) = (r \in R')) ->
  rising R q^-1%g = rising R' q.
Proof. move=> e; rewrite /rising /falling (reindex_inj rev_ord_inj) /=.
apply: eq_big => r; rewrite ?e // => _; rewrite !mirrorE (inj_eq rev_ord_inj).
by rewrite -(inj_eq (@perm_inj _ q) (q^-1%g _)) permKV (inv_eq (@rev_ordK n)) eq_sym. Qed.
(** Queens on one diagonal attack each other. *)
Lemma falling_le1 q : solution q -> falling top q + falling bot q <= 1.
Proof. move=> /solutionP s; rewrite /falling big_mkcond [X in _ + X]big_mkcond -big_split /=.
rewrite (eq_bigr (fun r => (q r == r) : nat)) => [|r _]; last first.
  by rewrite in_bot; case: (r \in top); rewrite ?addn0.
rewrite -big_mkcond sum1dep_card; apply/card_le1_eqP => r r'; rewrite !inE => /eqP e /eqP e'.
by apply: s; rewrite e e'; lia. Qed.
Theorem order_eight_main q : solution q -> weight6 q + weight6 q^-1%g = 2.
Proof. move=> s; rewrite /weight6 !marksE // !falling_inv (rising_inv _ rev_top).
rewrite (@rising_inv bot top) => [|r]; last by rewrite -rev_top rev_ordK.
have := falling_le1 s; have := @falling_le1 (mirror q); rewrite solution_mirror => /(_ s).
rewrite -!/(rising _ _); move: (falling top q) (falling bot q) (rising top q) (rising bot q).
by do 4 (case=> [|[|?]]; rewrite ?addnS //). Qed.
Lemma weight6_mirror q : weight6 (mirror q) = weight6 q.
Proof. by rewrite /weight6 !marksE // /rising mirrorK addnC [X in main_weight _ X]addnC. Qed.
End Main. End Symmetry.
