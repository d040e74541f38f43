(** The counts of all units sum to Q(N). *)
From Queens Require Export units symmetry.
(** Rows by what they are, in their order. *)
Lemma filter_lines n (P : pred 'I_n) s : sorted ltn (map val s) -> P =1 mem s ->
  [seq r <- lines n | P r] = s.
Proof. move=> so e; apply: (inj_map val_inj); apply: (irr_sorted_eq ltn_trans ltnn) so _ => [|i].
  by rewrite (subseq_sorted ltn_trans (map_subseq val (filter_subseq P _))) ?val_lines
    ?iota_ltn_sorted.
by apply/mapP/mapP => -[r rs ->]; exists r => //; move: rs; rewrite mem_filter mem_lines andbT e.
Qed.
(** *** The images of a column set weigh as many as they are *)
Section Counted. Variables h t i j : nat. Notation last := ('C(h, t) - 1).
Hypotheses (h0 : 0 < h) (th : t <= h) (li : i < 'C(h, t)) (lj : j < 'C(h, t)).
Lemma twice : [/\ h - (h - t) = t, last - (last - i) = i & last - (last - j) = j].
Proof. by split; lia. Qed.
Lemma counted_flip : counted h Flip t i j + counted h Flip (h - t) (last - i) (last - j) = 2.
Proof. have [e ei ej] := twice; rewrite !least_of_images ?bin_sub //; try lia.
rewrite /column_set_images bin_sub // e ei ej.
have two p q : least [:: p; q; p; q] = least [:: p; q].
  by rewrite /least /= !inE !eqxx !orbT /=; case: (lex p p); case: (lex p q).
pose p := [:: t; i; j]; pose q := [:: h - t; last - i; last - j].
by have := @least_sum 3 (h + 'C(h, t)).+1 p q p q; rewrite !two !eqxx [q == p]eq_sym /p /q /=; lia.
Qed.
Lemma counted_all : counted h All t i j + counted h All (h - t) (last - j) (last - i) +
  counted h All (h - t) (last - i) (last - j) + counted h All t j i = 4.
Proof. have [e ei ej] := twice; rewrite !least_of_images ?bin_sub //; try lia.
rewrite /column_set_images bin_sub // e ei ej.
rewrite -(@least_sum 3 (h + 'C(h, t)).+1 [:: t; i; j] [:: h - t; last - i; last - j] [:: t; j;
  i] [:: h - t; last - j; last - i]) /=; by rewrite ?eqseq_cons ?andbT; lia. Qed.
End Counted.

Section Total. Variables h k : nat. Notation n := (h + k + h). Notation square := (square n).
Notation top := (set_of (top_rows h k)). Notation mid := (set_of (middle_rows h k)).
Notation bot := (set_of (bottom_rows h k)). Notation mirrored := (image (@mirror n)).
Notation flipped := (image (@flip n)). Notation transposed := (image (@transpose n)).
Implicit Types (q : {set square}) (C F : {set 'I_n}).
(** *** The columns of the top, and those that the core leaves *)
Definition row q j := column (transposed q) j.
Lemma rowP q r j : solution q -> ((r, j) \in q) = (r == row q j).
Proof. by move=> s; rewrite -columnP ?solution_transpose // mem_image //; exact: transposeK. Qed.
Lemma in_cols q (R : {set 'I_n}) j : solution q -> (j \in cols (part R q)) = (row q j \in R).
Proof. move=> s; apply/imsetP/idP => [[[r j'] /setIP [xq]] | rR]; first by rewrite inE /= => rR ->;
  move: xq; rewrite rowP // => /eqP <-. by exists (row q j, j) => //; rewrite !inE /= rR rowP ?eqxx.
Qed.
(** Transposition makes a flip of a mirror. *)
Lemma row_mirror q j : solution q -> row (mirrored q) j = row q (rev_ord j).
Proof. by move=> s; rewrite /row -column_flip ?solution_transpose // /image -!imset_comp. Qed.
Lemma row_flip q j : solution q -> row (flipped q) j = rev_ord (row q j).
Proof. by move=> s; rewrite /row -column_mirror ?solution_transpose // /image -!imset_comp. Qed.
Lemma rowK q : solution q -> cancel (row q) (column q).
Proof. by move=> s j; apply/esym/eqP; rewrite -columnP // rowP. Qed.
Lemma card_cols q (R : {set 'I_n}) : solution q -> #|cols (part R q)| = #|R|.
Proof. by move=> s; rewrite -(card_preimset R (can_inj (rowK s))); apply: eq_card => j;
  rewrite in_cols // inE. Qed.
Lemma in_left q j : solution q -> (j \in left_over q) = (row q j \notin mid).
Proof. by move=> s; rewrite in_setC in_cols. Qed.
Lemma in_top_cols q j : solution q -> (j \in top_cols q) = (row q j \in top).
Proof. exact: in_cols. Qed.
Lemma left_flip q : solution q -> left_over (flipped q) = left_over q.
Proof. move=> s; apply/setP => j; rewrite !in_left ?solution_flip // row_flip // !in_rows /=.
by have := ltn_ord (row q j); lia. Qed.
(** *** Numbers of column sets, and for how many images one is counted *)
Notation columns q := (list_of (left_over q)).
Definition a_in q := a_of h (columns q) (top_cols q).
Definition d_in q := d_of h (columns q) (top_cols q).
Definition tier q := popcount h (a_in q).
Notation na q := (number_of h (a_in q)). Notation nd q := (number_of h (d_in q)).
Notation last q := ('C(h, tier q) - 1).
Lemma columns_uniq q : uniq (columns q). Proof. exact: uniq_rows. Qed.
Lemma mem_columns q j : (j \in columns q) = (j \in left_over q).
Proof. by rewrite mem_filter mem_lines andbT. Qed.
Lemma size_columns q : solution q -> size (columns q) = 2 * h.
Proof. move=> s; rewrite -(card_uniqP (columns_uniq q)) (eq_card (mem_columns q)) cardsCs setCK
  card_ord card_cols //. by rewrite cardsE (card_uniqP (uniq_rows _)) size_mid; lia. Qed.
Lemma tier_d q : solution q -> popcount h (d_in q) = tier q.
Proof. move=> s; have [u sz] := (columns_uniq q, size_columns s). apply/eqP;
  rewrite -(card_columns u sz) ?lt_a ?lt_d // top_ad //; first by rewrite card_cols // card_top.
by apply/subsetP => j; rewrite inE mem_columns in_left // in_top_cols // !in_rows; lia. Qed.
Lemma numbers_lt q : solution q -> (na q < 'C(h, tier q)) * (nd q < 'C(h, tier q)).
Proof. by move=> s; rewrite -{2}(tier_d s) !number_lt ?lt_a ?lt_d // ?columns_uniq ?size_columns.
Qed.
Lemma numbers_flip q : solution q ->
  [/\ tier (flipped q) = h - tier q, na (flipped q) = last q - na q & nd (flipped q) =
    last q - nd q].
Proof. move=> s; have u := columns_uniq q; have sz := size_columns s.
have e : {in columns q, forall j, (j \in top_cols (flipped q)) = (j \notin top_cols q)}.
  move=> j; rewrite mem_columns in_left // !in_top_cols ?solution_flip // row_flip // !in_rows /=.
  by have := ltn_ord (row q j); lia.
rewrite /tier /a_in /d_in left_flip // !(compl_ad u sz e) popcount_compl ?lt_a //.
by rewrite (number_compl (lt_d u sz _)) (number_compl (lt_a u sz _)) -/(a_in q) -/(d_in q) tier_d.
Qed.
Lemma numbers_mirror q : solution q -> left_over (mirrored q) = left_over q ->
  [/\ tier (mirrored q) = h - tier q, na (mirrored q) = last q - nd q & nd (mirrored q) =
    last q - na q].
Proof. move=> s sym; have u := columns_uniq q; have sz := size_columns s.
have e : {in columns q, forall j, (j \in top_cols (mirrored q)) = (rev_ord j \in top_cols q)}.
  by move=> j _; rewrite !in_top_cols ?solution_mirror // row_mirror.
have rs : map (@rev_ord n) (columns q) = rev (columns q).
  rewrite /list_of -filter_rev -rev_lines filter_map; congr map; apply: eq_filter => j /=.
  by rewrite -[in LHS]sym !in_left ?solution_mirror // row_mirror.
rewrite /tier /a_in /d_in sym !(mirror_ad u sz rs e) popcount_compl ?lt_d //.
rewrite (number_compl (lt_d u sz _)) (number_compl (lt_a u sz _)) -/(a_in q) -/(d_in q) tier_d //.
Qed.
(** *** What a solution weighs by the order of eight *)
Lemma eight_unused q : eight_weight Unused q = 1.
Proof. by rewrite /eight_weight; case: ifP => // /exists_inP [x]. Qed.
Lemma eight_main q : eight_weight MainDiagonals q = weight6 top bot q.
Proof. by rewrite /eight_weight; case: ifP => // /exists_inP [x]. Qed.
Lemma marked_parts s q :
  (0 < marks_set s (part mid q) + marks_set s (part top q) + marks_set s (part bot q)) =
    [exists x in q, marked s x].
Proof. have marksE (R : {set 'I_n}) : marks_set s (part R q) =
  \sum_(x in q) ((x.1 \in R) && marked s x).
  by rewrite -big_mkcondr sum1dep_card; apply: eq_card => x; rewrite !in_set andbA.
rewrite !marksE -!big_split /= (eq_bigr (fun x => marked s x : nat)) => [|x _]; last first.
  by rewrite !in_rows; case: (marked s x); rewrite ?andbF ?andbT //; have := ltn_ord x.1; lia.
rewrite -big_mkcondr sum1dep_card; apply/card_gt0P/exists_inP => [[x] | [x xq m]]; last by exists x;
  rewrite in_set xq. by rewrite in_set => /andP [xq m]; exists x. Qed.
Lemma eight_reach q : 0 < n -> solution q -> eight_weight (Reach (across q)) q = weight8 q.
Proof. by move=> n0 s; rewrite closed_and_marks // /eight_weight; case: ifP => // _;
  rewrite /= marked_parts. Qed.
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
  rewrite mem_filter => /andP [m _]; have d : distance c = 0 by rewrite /distance; lia.
  by constructor 2; exists c; rewrite d.
- have lt : n./2.-1 < n by lia.
constructor 3; split; first lia; exists [seq r <- middle_rows h k | distance r == 0], (Ordinal lt).
congr (_ ++ rev _); rewrite -filter_predI; apply: filter_lines => [|r]; first by rewrite /= andbT;
  lia.
  by rewrite !inE -!val_eqE /= /distance; have := ltn_ord r; lia. Qed.
(** *** Solutions by the queens of a lead *)
Notation lead_in q := (lead_of (lead_queens q)).
Lemma lead_queensE p q : p \in placements predT (lead_rows h k) -> solution q -> all (mem q) p ->
  p = lead_queens q.
Proof. rewrite mem_placements ?uniq_lead // /lead_queens => /and3P [/eqP <- _ _] s /allP sub;
  rewrite -map_comp. by apply/esym/map_id_in => -[r j] /sub /=; rewrite columnP // => /eqP ->. Qed.
Lemma reachE q : 0 < k -> solution q -> reach (lead_queens q) = across q.
Proof. move=> k0 s; rewrite acrossE // /reach filter_map -map_comp foldrE big_map big_uniq
  ?filter_uniq ?uniq_lead //=. by apply: eq_bigl => r;
  rewrite mem_filter mem_lead in_mid /= /is_middle /distance; have := ltn_ord r; lia. Qed.
Lemma valid_lead_of p : p \in placements predT (lead_rows h k) -> valid_lead (lead_of p).
Proof. rewrite mem_placements ?uniq_lead // => /and3P [/eqP e _ pp].
have u : uniq p by apply: (@map_uniq _ _ fst); rewrite e uniq_lead.
rewrite /valid_lead /= pp u e /=; apply/andP; split; last by case: (k == 0); case: (8 < h).
by apply/allP => r; rewrite mem_lead inE => /andP []. Qed.
Lemma valid_leads : all (@valid_lead h k) (leads h k).
Proof. rewrite all_filter all_map; apply/allP => p pl; apply/implyP => _; apply: valid_lead_of.
by move: pl; case: ifP; rewrite ?mem_rev. Qed.
Hypothesis h0 : 0 < h.
(** *** The images of a solution *)
Lemma flip_mirror q : flipped (mirrored q) = mirrored (flipped q).
Proof. by rewrite /image -!imset_comp. Qed.
Notation images kd q := (image_weight kd (left_over q) (top_cols q)).
Lemma imagesE kd q : images kd q = counted h kd (tier q) (na q) (nd q). Proof. by []. Qed.
Lemma image_itself q : images Itself q = 1.
Proof. by rewrite imagesE /counted mem_iota /= add0n ltnS popcount_le. Qed.
Lemma image_flip q : solution q -> images Flip q + images Flip (flipped q) = 2.
Proof. move=> s; have [e1 e2 e3] := numbers_flip s; have [l1 l2] := numbers_lt s.
by rewrite !imagesE e1 e2 e3 counted_flip // popcount_le. Qed.
Lemma image_all q : solution q -> left_over (mirrored q) = left_over q ->
  images All q + images All (mirrored q) + images All (flipped q) +
    images All (mirrored (flipped q)) = 4.
Proof. move=> s sym; have sm : solution (mirrored q) by rewrite solution_mirror.
have [f1 f2 f3] := numbers_flip s; have [m1 m2 m3] := numbers_mirror s sym;
  have [n1 n2 n3] := numbers_flip sm.
have [l1 l2] := numbers_lt s; have th : tier q <= h by exact: popcount_le.
rewrite -flip_mirror !imagesE n1 n2 n3 m1 m2 m3 f1 f2 f3 bin_sub // -(counted_all h0 th l1 l2).
by congr (_ + _ + _ + counted _ _ _ _ _); lia. Qed.
(** If the mirror keeps the core, it keeps the columns that are left. *)
Lemma left_mirror q : solution q -> {in mid, forall r, rev_ord (column q r) = column q r} ->
  left_over (mirrored q) = left_over q.
Proof. move=> s sym; have sym_row j : row q j \in mid -> rev_ord j = j by move=> /sym;
  rewrite (rowK s).
apply/setP => j; rewrite !in_left ?solution_mirror // row_mirror //; congr (~~ _).
by apply/idP/idP => m; [rewrite -[j]rev_ordK (sym_row _ m) | rewrite (sym_row j m)]. Qed.
Theorem weights_of_four q : solution q ->
  weight4 q + weight4 (mirrored q) + weight4 (flipped q) + weight4 (mirrored (flipped q)) = 4.
Proof. move=> s; have sm := etrans (solution_mirror q) s; have sf := etrans (solution_flip q) s.
have [[k0 e] | [c [k1 d e]] | [_ [R [up e]]]] := lead_rowsE.
- have one : least_weight (take 2 (rev [::])) = 1 :> nat by [].
  rewrite /weight4 /lead_queens e /= !one !mul1n image_all // left_mirror // => r; rewrite in_mid;
    lia.
- have centred (i : 'I_n) : distance i = 0 -> rev_ord i = i.
  by move=> i0; apply: val_inj; move: i0; rewrite /distance /=; have := ltn_ord i; lia.
  have := least_weight_sum [:: column q c].
  rewrite /weight4 /lead_queens e /= !column_mirror // column_flip // (centred c d).
  set j := column q c; rewrite distance_rev -[rev [:: j]]/[:: j]; case: eqP => [/centred ej | _] L.
    have := image_all s; rewrite left_mirror // => [/(_ erefl)|r]; first by rewrite !ej in L *; lia.
    by rewrite in_mid => m; have -> : r = c by apply: val_inj; move: d; rewrite /distance /=; lia.
  by rewrite -addnA addnACA -!mulnDr image_flip // -flip_mirror image_flip //; lia.
have W q' : weight4 q' = least_weight (map (column q') [:: up; rev_ord up]).
  have itself (p : seq square) x y : kind (lead_of (p ++ [:: x; y])) = Itself by case: p => [|? []].
  by rewrite /weight4 /lead_queens e map_cat itself image_itself muln1 /= map_cat rev_cat /= take0.
have u : map (@rev_ord n) [:: up; rev_ord up] = rev [:: up; rev_ord up] by rewrite /= rev_ordK.
by rewrite !W !columns_mirror // (columns_flip s u) least_weight_sum. Qed.
Variable side : nat. Hypothesis side0 : 0 < side.
Lemma total_of_leads : sumn [seq unit_count side u | u <- units h k side] =
  \sum_(q : {set square} | solution q) weight4 q *
    if reach (lead_queens q) == 2 then 0 else eight_weight (eight (lead_in q)) q.
Proof. pose f q := weight4 q * if reach (lead_queens q) == 2 then
  0 else eight_weight (eight (lead_in q)) q.
transitivity (having f [::]); last by apply: eq_bigl => q; rewrite andbT.
rewrite (@having_placement _ Unused f _ (lead_rows h k)) ?cats0 ?uniq_lead //
  (eq_placements (o' := predT)) //. rewrite sumn_map /units big_flatten big_map big_filter big_map.
rewrite (@perm_big _ _ _ _ _ (placements predT (lead_rows h k))) /=; last by case: ifP => // _;
  rewrite perm_rev.
rewrite big_mkcond; apply: eq_big_seq => p pl; rewrite cats0 /having /f /weight4.
under [RHS]eq_bigr => q /andP [s sub] do rewrite -(lead_queensE pl s sub) /=.
case: posnP => [w0|_] /=; first by rewrite big1 // => q _; rewrite w0.
case: eqP => /= _; first by rewrite big1 // => q _; rewrite muln0.
by rewrite big_allpairs_dep sum_lead ?valid_lead_of. Qed.
Definition weight_eight q := if k == 0 then if 8 < h then weight6 top bot q else 1 else weight8 q.
Lemma eightE q : solution q ->
  (if reach (lead_queens q) == 2 then 0 else eight_weight (eight (lead_in q)) q) = weight_eight q.
Proof. move=> s; rewrite /weight_eight /=; case: (eqVneq k 0) => k0.
  rewrite /lead_queens; have [[_ ->] | [c [k1]] | [k2]] := lead_rowsE; [|lia|lia].
  by case: (8 < h); rewrite ?eight_main ?eight_unused.
have n0 : 0 < n by lia.
by rewrite reachE ?lt0n // eight_reach //; case: eqP => // /(nothing_beside_the_centre n0 s) ->.
Qed.
(** For every board, every number of middle rows and every side of tiles. *)
Lemma total : sumn [seq unit_count side u | u <- units h k side] = Q n.
Proof. have rt r : (rev_ord r \in top) = (r \in bot) by rewrite !in_rows /=; have := ltn_ord r; lia.
have ib : k = 0 -> forall r, (r \in bot) = (r \notin top) by move=> k0 r; rewrite !in_rows; lia.
rewrite total_of_leads (eq_bigr (fun q => weight4 q * weight_eight q)) => [|q s];
  last by rewrite eightE. apply: sum_of_eight => [q s | q |]; last exact: weights_of_four.
all: rewrite /weight_eight; case: (eqVneq k 0) => [/ib {}ib | _].
- by case: (8 < h); rewrite ?(weight6_transpose rt ib).
- exact: weight8_transpose.
- by case: (8 < h); rewrite ?(weight6_mirror rt ib).
- exact: weight8_mirror. Qed.
End Total.
Theorem sum_of_units : Sum_of_units. Proof. by move=> h k side h0 side0; exact: total. Qed.
