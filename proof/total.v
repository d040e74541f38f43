(** The counts of all units sum to Q(N). *)
From Queens Require Export units symmetry.
(** Rows by what they are, in their order. *)
Lemma filter_lines n (P : pred 'I_n) s : sorted ltn (map val s) -> P =1 mem s ->
  [seq r <- lines n | P r] = s.
Proof. move=> so e; apply: (inj_map val_inj); apply: (irr_sorted_eq ltn_trans ltnn) so _ => [|i].
  by rewrite (subseq_sorted ltn_trans (map_subseq val (filter_subseq P _))) ?val_lines
    ?iota_ltn_sorted.
by apply/mapP/mapP => -[r rs ->]; exists r => //; move: rs; rewrite mem_rows e.
Qed.
Section Total. Variables h k : nat. Notation n := (h + k + h). Notation square := (square n).
Notation top := (set_of (top_rows h k)). Notation mid := (set_of (middle_rows h k)).
Notation bot := (set_of (bottom_rows h k)). Implicit Types (q : {perm 'I_n}) (C F : {set 'I_n}).
(** *** The columns of the top, and those that the core leaves *)
Lemma in_left q j : (j \in left_over q) = (q^-1%g j \notin mid).
Proof. by rewrite -{1}[j](permKV q) in_setC mem_imset //; exact: perm_inj. Qed.
Lemma in_top_cols q j : (j \in top_cols q) = (q^-1%g j \in top).
Proof. by rewrite -{1}[j](permKV q) mem_imset //; exact: perm_inj. Qed.
Lemma left_flip q : left_over (flip q) = left_over q.
Proof. apply/setP => j; rewrite !in_left flipV mirrorE !in_rows /=.
by lia. Qed.
(** *** Numbers of column sets, and for how many images one is counted *)
Notation columns q := (list_of (left_over q)).
Definition a_in q := a_of h (columns q) (top_cols q).
Definition d_in q := d_of h (columns q) (top_cols q).
Definition tier q := popcount h (a_in q).
Notation na q := (number_of h (a_in q)). Notation nd q := (number_of h (d_in q)).
Notation last q := ('C(h, tier q) - 1).
Lemma columns_uniq q : uniq (columns q). Proof. exact: uniq_rows. Qed.
Lemma mem_columns q j : (j \in columns q) = (j \in left_over q).
Proof. exact: mem_rows. Qed.
Lemma size_columns q : size (columns q) = 2 * h.
Proof. rewrite -(card_uniqP (columns_uniq q)) (eq_card (mem_columns q)) cardsCs setCK card_ord.
by rewrite card_imset ?cardsE ?(card_uniqP (uniq_rows _)) ?size_mid; [lia | exact: perm_inj]. Qed.
Lemma tier_d q : popcount h (d_in q) = tier q.
Proof. have [u sz] := (columns_uniq q, size_columns q). apply/eqP;
  rewrite -(card_columns u sz) ?lt_a ?lt_d // top_ad //.
  by rewrite card_imset ?card_top //; exact: perm_inj.
by apply/subsetP => j; rewrite inE mem_columns in_left in_top_cols !in_rows; lia. Qed.
Lemma numbers_lt q : (na q < 'C(h, tier q)) * (nd q < 'C(h, tier q)).
Proof. by rewrite -{2}tier_d !number_lt ?lt_a ?lt_d // ?columns_uniq ?size_columns. Qed.
Lemma numbers_flip q :
  [/\ tier (flip q) = h - tier q, na (flip q) = last q - na q & nd (flip q) = last q - nd q].
Proof. have u := columns_uniq q; have sz := size_columns q.
have e : {in columns q, forall j, (j \in top_cols (flip q)) = (j \notin top_cols q)}.
  by move=> j; rewrite mem_columns in_left !in_top_cols flipV mirrorE !in_rows; lia.
rewrite /tier /a_in /d_in left_flip !(compl_ad u sz e) popcount_compl ?lt_a //.
by rewrite (number_compl (lt_d u sz _)) (number_compl (lt_a u sz _)) -/(a_in q) -/(d_in q) tier_d.
Qed.
Lemma numbers_mirror q : left_over (mirror q) = left_over q ->
  [/\ tier (mirror q) = h - tier q, na (mirror q) = last q - nd q & nd (mirror q) = last q - na q].
Proof. move=> sym; have u := columns_uniq q; have sz := size_columns q.
have e : {in columns q, forall j, (j \in top_cols (mirror q)) = (rev_ord j \in top_cols q)}.
  by move=> j _; rewrite !in_top_cols mirrorV flipE.
have rs : map (@rev_ord n) (columns q) = rev (columns q).
  rewrite /list_of -filter_rev -rev_lines filter_map; congr map; apply: eq_filter => j /=.
  by rewrite -[in LHS]sym !in_left mirrorV flipE.
rewrite /tier /a_in /d_in sym !(mirror_ad u sz rs e) popcount_compl ?lt_d //.
rewrite (number_compl (lt_d u sz _)) (number_compl (lt_a u sz _)) -/(a_in q) -/(d_in q) tier_d //.
Qed.
(** *** What a solution weighs by the order of eight *)
Lemma eight_reach q : 0 < n -> eight_weight (Reach (across q)) q = weight8 q.
Proof. move=> n0; rewrite closed_and_marks // /eight_weight; case: ifP => // _.
set s := Reach _; have -> : [exists r, marked s (r, q r)] = (0 < marks s (queens_of q (lines n))).
  rewrite -has_count; apply/existsP/hasP => [[r mr] | [_ /mapP [r _ ->] mr]]; last by exists r.
  by exists (r, q r); rewrite // map_f ?mem_lines.
rewrite /pair_weight /marks /queens_of !count_map -(seq.permP (all_rows h k)) !count_cat.
congr (if _ < _ then _ else _); rewrite addnC; congr (_ + _); exact: addnC. Qed.
(** *** The rows of leads *)
Lemma mem_lead r : (r \in lead_rows h k) = (r \in mid) && (distance r <= 2).
Proof. by rewrite mem_cat mem_rev !mem_filter in_mid mem_lines; case: (distance r); lia. Qed.
Lemma uniq_lead : uniq (lead_rows h k).
Proof. rewrite cat_uniq rev_uniq !filter_uniq ?uniq_lines //= andbT; apply/hasPn => r.
by rewrite mem_rev mem_filter /= [r \in [seq _ <- _ | _ == 0]]mem_filter; case: (distance r). Qed.
(** No middle row, one, or the two that the flip exchanges and maybe a third. *)
Lemma lead_rowsE : [\/ k = 0 /\ lead_rows h k = [::],
  exists c : 'I_n, [/\ k = 1, distance c = 0 & lead_rows h k = [:: c]] |
  1 < k /\ exists R up, lead_rows h k = R ++ rev [:: up; rev_ord up]].
Proof. have := size_mid h k; rewrite {1 2}/lead_rows;
  case e: (middle_rows h k) => [|c [|c' s]] /= sz.
- by constructor 1.
- have : c \in middle_rows h k by rewrite e mem_head.
  rewrite mem_filter => /andP [m _]; have d : distance c = 0 by lia.
  by constructor 2; exists c; rewrite d.
- have lt : n./2.-1 < n by lia.
constructor 3; split; first lia; exists [seq r <- middle_rows h k | distance r == 0], (Ordinal lt).
congr (_ ++ rev _); rewrite -filter_predI; apply: filter_lines => [|r]; first by rewrite /= andbT;
  lia.
  by rewrite !inE -!val_eqE /= /distance; lia. Qed.
(** *** Solutions by the queens of a lead *)
Notation lead_queens q := (queens_of q (lead_rows h k)).
Notation lead_in q := (lead_of (lead_queens q)).
Lemma lead_queensE p q : p \in placements predT (lead_rows h k) -> has_queens q p ->
  p = lead_queens q.
Proof. by rewrite mem_placements => /and3P [/eqP <- _ _]; exact: has_queensE. Qed.
Lemma reachE q : 0 < k -> reach (lead_queens q) = across q.
Proof. move=> k0; rewrite /reach filter_map -map_comp foldrE big_map big_uniq ?filter_uniq
  ?uniq_lead //=. by apply: eq_bigl => r;
  rewrite mem_filter mem_lead in_mid /= /is_middle /distance; lia. Qed.
Lemma valid_lead_of p : p \in placements predT (lead_rows h k) -> valid_lead (lead_of p).
Proof. rewrite mem_placements /valid_lead => /and3P [/eqP e _ pp]; rewrite /= pp e /=.
apply/andP; split; last by case: (k == 0); case: (8 < h).
by apply/allP => r; rewrite mem_lead inE => /andP []. Qed.
Lemma valid_leads : all (@valid_lead h k) (leads h k).
Proof. rewrite all_filter all_map; apply/allP => p pl; apply/implyP => _; apply: valid_lead_of.
by move: pl; case: ifP; rewrite ?mem_rev. Qed.
(** *** The images of a solution *)
Notation images kd q := (image_weight kd (left_over q) (top_cols q)).
Lemma imagesE kd q : images kd q = counted_for h kd (tier q) (na q) (nd q). Proof. by []. Qed.
Lemma image_itself q : images Itself q = 1.
Proof. by []. Qed.
Lemma image_flip q : images Flip q + images Flip (flip q) = 2.
Proof. have [e1 e2 e3] := numbers_flip q; have [l1 l2] := numbers_lt q.
by rewrite !imagesE e1 e2 e3 counted_flip // popcount_le. Qed.
Lemma image_all q : left_over (mirror q) = left_over q ->
  images All q + images All (mirror q) + images All (flip q) + images All (mirror (flip q)) = 4.
Proof. move=> sym; have [f1 f2 f3] := numbers_flip q; have [m1 m2 m3] := numbers_mirror sym.
have [n1 n2 n3] := numbers_flip (mirror q).
have [l1 l2] := numbers_lt q; have th : tier q <= h by exact: popcount_le.
rewrite -flip_mirror !imagesE n1 n2 n3 m1 m2 m3 f1 f2 f3 bin_sub // -(counted_all th l1 l2).
by congr (_ + _ + _ + counted_for _ _ _ _ _); lia. Qed.
(** If the mirror keeps the core, it keeps the columns that are left. *)
Lemma left_mirror q : {in mid, forall r, rev_ord (q r) = q r} -> left_over (mirror q) = left_over q.
Proof. move=> sym; have sym_row j : q^-1%g j \in mid -> rev_ord j = j by move=> /sym;
  rewrite permKV.
apply/setP => j; rewrite !in_left mirrorV flipE; congr (~~ _).
by apply/idP/idP => m; [rewrite -[j]rev_ordK (sym_row _ m) | rewrite (sym_row j m)]. Qed.
Theorem weights_of_four q :
  weight4 q + weight4 (mirror q) + weight4 (flip q) + weight4 (mirror (flip q)) = 4.
Proof. have [[k0 e] | [c [k1 d e]] | [_ [R [up e]]]] := lead_rowsE.
- have one : least_weight (take 2 (rev [::])) = 1 :> nat by [].
  rewrite /weight4 /queens_of e /= !one !mul1n image_all // left_mirror // => r; rewrite in_mid;
    lia.
- have centred (i : 'I_n) : distance i = 0 -> rev_ord i = i.
  by move=> i0; apply: val_inj; move: i0; rewrite /distance /=; lia.
  have := least_weight_sum [:: q c].
  rewrite /weight4 /queens_of e /= !(mirrorE, flipE) (centred c d).
  set j := q c; rewrite distance_rev -[rev [:: j]]/[:: j]; case: eqP => [/centred ej | _] L.
    have := @image_all q; rewrite left_mirror // => [/(_ erefl)|r].
      rewrite !ej in L *; rewrite -!mulnDr => ->.
      by rewrite mulnC !mulSn mul0n addn0 !addnA; exact: L.
    by rewrite in_mid => m; have -> : r = c by apply: val_inj; move: d; rewrite /distance /=; lia.
  rewrite -addnA addnACA -!mulnDr image_flip -flip_mirror image_flip !muln2 -!addnn addnACA addnA.
  exact: L.
have W q' : weight4 q' = least_weight [:: q' up; q' (rev_ord up)].
  have itself (p : seq square) x y : kind (lead_of (p ++ [:: x; y])) = Itself by case: p => [|? []].
  by rewrite /weight4 /queens_of e map_cat itself image_itself muln1 /= map_cat rev_cat /= take0.
by rewrite !W !(mirrorE, flipE) rev_ordK; exact: least_weight_sum [:: q up; q (rev_ord up)]. Qed.
Variable side : nat. Hypothesis side0 : 0 < side.
Lemma total_of_leads : sumn [seq unit_count side u | u <- units h k side] =
  \sum_(q : {perm 'I_n} | solution q) weight4 q *
    if reach (lead_queens q) == 2 then 0 else eight_weight (eight (lead_in q)) q.
Proof. pose f q := weight4 q * if reach (lead_queens q) == 2 then
  0 else eight_weight (eight (lead_in q)) q.
transitivity (having f [::]); last by apply: eq_bigl => q; rewrite andbT.
rewrite (@having_placement _ Unused f _ (lead_rows h k)) ?cats0 ?uniq_lead //
  (eq_placements (o' := predT)) //. rewrite sumn_map /units big_flatten big_map big_filter big_map.
rewrite (@perm_big _ _ _ _ _ (placements predT (lead_rows h k))) /=; last by case: ifP => // _;
  rewrite perm_rev.
rewrite big_mkcond; apply: eq_big_seq => p pl; rewrite cats0 /having /f /weight4.
under [RHS]eq_bigr => q /andP [_ hq] do rewrite -(lead_queensE pl hq) /=.
case: posnP => [w0|_] /=; first by rewrite big1 // => q _; rewrite w0.
case: eqP => /= _; first by rewrite big1 // => q _; rewrite muln0.
by rewrite big_allpairs_dep sum_lead ?valid_lead_of. Qed.
Definition weight_eight q := if k == 0 then if 8 < h then weight6 (top_rows h k) (bottom_rows h k) q
  else 1
  else weight8 q.
Lemma eightE q : solution q ->
  (if reach (lead_queens q) == 2 then 0 else eight_weight (eight (lead_in q)) q) = weight_eight q.
Proof. move=> s; rewrite /weight_eight /=; case: (eqVneq k 0) => k0.
  have [[_ ->] | [c [k1]] | [k2]] := lead_rowsE; [|lia|lia].
  by case: (8 < h); rewrite /eight_weight; case: ifP => // /existsP [x].
have n0 : 0 < n by lia.
by rewrite reachE ?lt0n // eight_reach //; case: eqP => // /(nothing_beside_the_centre n0 s) ->.
Qed.
(** For every board, every number of middle rows and every side of tiles. *)
Lemma total : sumn [seq unit_count side u | u <- units h k side] = Q n.
Proof. have rt r : (rev_ord r \in top_rows h k) = (r \in bottom_rows h k).
  by rewrite !mem_rows; lia.
have ib : k = 0 -> forall r, (r \in bottom_rows h k) = (r \notin top_rows h k).
  by move=> k0 r; rewrite !mem_rows; lia.
have [ut ub] : uniq (top_rows h k) /\ uniq (bottom_rows h k) by split; exact: uniq_rows.
rewrite total_of_leads (eq_bigr (fun q => weight4 q * weight_eight q)) => [|q s];
  last by rewrite eightE. apply: sum_of_eight => [q s | q |]; last exact: weights_of_four.
all: rewrite /weight_eight; case: (eqVneq k 0) => [/ib {}ib | _].
- by case: (8 < h); rewrite ?(order_eight_main ut ub rt ib).
- exact: weights_of_eight.
- by case: (8 < h); rewrite ?(weight6_mirror ut ub rt ib).
- exact: weight8_mirror. Qed.
End Total.
Theorem sum_of_units : Sum_of_units. Proof. by move=> h k side _; exact: total. Qed.
