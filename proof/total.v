(** The counts of all units sum to Q(N). *)
From Queens Require Export units symmetry.

(** *** The images of a column set weigh as many as they are *)
Section Counted.
Variables h t i j : nat.
Notation last := ('C(h, t) - 1).
Hypotheses (h0 : 0 < h) (th : t <= h) (li : i < 'C(h, t)) (lj : j < 'C(h, t)).
Lemma twice : [/\ h - (h - t) = t, last - (last - i) = i & last - (last - j) = j].
Proof. by split; lia. Qed.
Lemma counted_flip : counted h Flip t i j + counted h Flip (h - t) (last - i) (last - j) = 2.
Proof.
have even : 2 * t = h -> ~~ odd 'C(h, t) by move=> e; rewrite -{1}e bin_middle //; lia.
rewrite /counted /counted_for !mem_iota bin_sub //= add0n; have lt := li; move: 'C(h, t) even lt => S even lt.
have -> : (2 * (h - t) == h) = (2 * t == h) by lia.
have [-> ->] : (t < h./2.+1) = (2 * t <= h) /\ (h - t < h./2.+1) = (h <= 2 * t) by split; lia.
case: (ltngtP (2 * t) h) => //= /even odd_S; have -> : (S <= 2 * (S - 1 - i)) = ~~ (S <= 2 * i) by lia.
by case: (S <= 2 * i).
Qed.
Lemma counted_all : counted h All t i j + counted h All (h - t) (last - j) (last - i) +
  counted h All (h - t) (last - i) (last - j) + counted h All t j i = 4.
Proof.
have [e ei ej] := twice; rewrite /counted !least_of_images ?bin_sub //; try lia.
rewrite /column_set_images bin_sub // e ei ej.
rewrite -(@least_sum 3 (h + 'C(h, t)).+1 [:: t; i; j] [:: h - t; last - i; last - j]
  [:: t; j; i] [:: h - t; last - j; last - i]) /=.
- lia.
- by rewrite ?andbT; lia.
- by rewrite !eqseq_cons !andbT; lia.
- by rewrite !eqseq_cons !andbT; lia.
- by rewrite !eqseq_cons !andbT; lia.
Qed.
End Counted.

Section Rows.
Variables h k : nat.
Notation n := (h + k + h).
Notation square := (square n).
Notation top := (set_of (top_rows h k)).
Notation mid := (set_of (middle_rows h k)).
Notation bot := (set_of (bottom_rows h k)).
Notation mirrored := (image (@mirror n)).
Notation flipped := (image (@flip n)).
Notation transposed := (image (@transpose n)).
Implicit Types (q : {set square}) (C F : {set 'I_n}).

(** *** The columns of the top, and those that the core leaves *)
Definition row q j := column (transposed q) j.
Lemma rowP q r j : solution q -> ((r, j) \in q) = (r == row q j).
Proof. by move=> s; rewrite -columnP ?solution_transpose // mem_image //; exact: transposeK. Qed.
Lemma in_cols q (R : {set 'I_n}) j : solution q -> (j \in cols (part R q)) = (row q j \in R).
Proof.
move=> s; apply/imsetP/idP => [[[r j'] /setIP [xq]] | rR];
  first by rewrite inE /= => rR ->; move: xq; rewrite rowP // => /eqP <-.
by exists (row q j, j) => //; rewrite !inE /= rR rowP ?eqxx.
Qed.
(** Transposition makes a flip of a mirror. *)
Lemma row_mirror q j : solution q -> row (mirrored q) j = row q (rev_ord j).
Proof. by move=> s; rewrite /row -column_flip ?solution_transpose // /image -!imset_comp. Qed.
Lemma row_flip q j : solution q -> row (flipped q) j = rev_ord (row q j).
Proof. by move=> s; rewrite /row -column_mirror ?solution_transpose // /image -!imset_comp. Qed.
Lemma card_cols q (R : {set 'I_n}) : solution q -> #|cols (part R q)| = #|R|.
Proof.
move=> s; have p : peaceful (part R q) := peaceful_sub (subsetIl _ _) (solution_peaceful s).
rewrite peaceful_cols // -peaceful_rows //; apply: eq_card => r.
apply/imsetP/idP => [[x /setIP [_]] | rR]; first by rewrite inE => ? ->.
by exists (r, column q r); rewrite // !inE rR andbT columnP.
Qed.
Lemma in_left q j : solution q -> (j \in left_over q) = (row q j \notin mid).
Proof. by move=> s; rewrite in_setC in_cols. Qed.
Lemma in_top_cols q j : solution q -> (j \in top_cols q) = (row q j \in top).
Proof. exact: in_cols. Qed.
Lemma card_left q : solution q -> #|left_over q| = 2 * h.
Proof.
move=> s; rewrite /left_over /free cardsCs setCK card_ord card_cols // cardsE (card_uniqP (uniq_rows _)).
by rewrite size_mid; lia.
Qed.
Lemma top_cols_sub q : solution q -> top_cols q \subset left_over q.
Proof. by move=> s; apply/subsetP => j; rewrite in_left // in_top_cols // !in_rows; lia. Qed.
Lemma left_flip q : solution q -> left_over (flipped q) = left_over q.
Proof.
move=> s; apply/setP => j; rewrite !in_left ?solution_flip // row_flip // !in_rows /=.
by have := ltn_ord (row q j); lia.
Qed.
(** *** Numbers of column sets, and for how many images one is counted *)
Notation columns q := (list_of (left_over q)).
Definition a_in q := a_of h (columns q) (top_cols q).
Definition d_in q := d_of h (columns q) (top_cols q).
Definition tier q := popcount h (a_in q).
Lemma image_weightE kd q : image_weight kd (left_over q) (top_cols q) =
  counted h kd (tier q) (number_of h (a_in q)) (number_of h (d_in q)).
Proof. by []. Qed.

Lemma columns_uniq q : uniq (columns q). Proof. exact: uniq_rows. Qed.
Lemma mem_columns q j : (j \in columns q) = (j \in left_over q). Proof. by rewrite mem_filter mem_lines andbT. Qed.
Lemma size_columns q : solution q -> size (columns q) = 2 * h.
Proof.
move=> s; rewrite -(card_left s) -(card_uniqP (columns_uniq q)); apply: eq_card => j; exact: mem_columns.
Qed.
Lemma tier_d q : solution q -> popcount h (d_in q) = tier q.
Proof.
move=> s; apply/eqP; rewrite -card_ad ?columns_uniq ?size_columns //; first by rewrite card_cols // card_top.
by apply/subsetP => j /(subsetP (top_cols_sub s)); rewrite inE mem_columns.
Qed.
Lemma numbers_lt q : solution q -> (number_of h (a_in q) < 'C(h, tier q)) * (number_of h (d_in q) < 'C(h, tier q)).
Proof. by move=> s; rewrite -{2}(tier_d s) !number_lt ?lt_a ?lt_d // ?columns_uniq ?size_columns. Qed.
Lemma numbers_flip q : solution q -> [/\ tier (flipped q) = h - tier q,
  number_of h (a_in (flipped q)) = 'C(h, tier q) - 1 - number_of h (a_in q) &
  number_of h (d_in (flipped q)) = 'C(h, tier q) - 1 - number_of h (d_in q)].
Proof.
move=> s; have u := columns_uniq q; have sz := size_columns s.
have e : {in columns q, forall j, (j \in top_cols (flipped q)) = (j \notin top_cols q)}.
  move=> j; rewrite mem_columns in_left // !in_top_cols ?solution_flip // row_flip // !in_rows /=.
  by have := ltn_ord (row q j); lia.
rewrite /tier /a_in /d_in left_flip // !(compl_ad u sz e) popcount_compl ?lt_a //.
by rewrite (number_compl (lt_d u sz _)) (number_compl (lt_a u sz _)) -/(a_in q) -/(d_in q) tier_d.
Qed.
Lemma numbers_mirror q : solution q -> left_over (mirrored q) = left_over q -> [/\ tier (mirrored q) = h - tier q,
  number_of h (a_in (mirrored q)) = 'C(h, tier q) - 1 - number_of h (d_in q) &
  number_of h (d_in (mirrored q)) = 'C(h, tier q) - 1 - number_of h (a_in q)].
Proof.
move=> s sym; have u := columns_uniq q; have sz := size_columns s.
have e : {in columns q, forall j, (j \in top_cols (mirrored q)) = (rev_ord j \in top_cols q)}.
  by move=> j _; rewrite !in_top_cols ?solution_mirror // row_mirror.
have rs : map (@rev_ord n) (columns q) = rev (columns q).
  rewrite /list_of -filter_rev -rev_lines filter_map; congr map; apply: eq_filter => j /=.
  by rewrite -[in LHS]sym !in_left ?solution_mirror // row_mirror.
rewrite /tier /a_in /d_in sym !(mirror_ad u sz rs e) popcount_compl ?lt_d //.
rewrite (number_compl (lt_d u sz _)) (number_compl (lt_a u sz _)) -/(a_in q) -/(d_in q) tier_d //.
Qed.

End Rows.

Section Eight.
Variables h k : nat.
Notation n := (h + k + h).
Notation top := (set_of (top_rows h k)).
Notation mid := (set_of (middle_rows h k)).
Notation bot := (set_of (bottom_rows h k)).
Implicit Types (q : {set square n}).

(** *** What a solution weighs by the order of eight *)
Lemma eight_unused q : eight_weight Unused q = 1.
Proof. by rewrite /eight_weight; case: ifP => // /exists_inP [x]. Qed.
Lemma eight_main q : eight_weight MainDiagonals q = weight6 top bot q.
Proof. by rewrite /eight_weight; case: ifP => // /exists_inP [x]. Qed.
Lemma marked_parts s q :
  (0 < marks_set s (part mid q) + marks_set s (part top q) + marks_set s (part bot q)) = [exists x in q, marked s x].
Proof.
have marksE (R : {set 'I_n}) : marks_set s (part R q) = \sum_(x in q) ((x.1 \in R) && marked s x).
  by rewrite -big_mkcondr sum1dep_card; apply: eq_card => x; rewrite !in_set andbA.
rewrite !marksE -!big_split /= (eq_bigr (fun x => marked s x : nat)) => [|x _]; last first.
  by rewrite !in_rows; case: (marked s x); rewrite ?andbF ?andbT //; have := ltn_ord x.1; lia.
rewrite -big_mkcondr sum1dep_card; apply/card_gt0P/exists_inP => [[x] | [x xq m]]; last by exists x; rewrite in_set xq.
by rewrite in_set => /andP [xq m]; exists x.
Qed.
Lemma eight_reach q : 0 < n -> solution q -> eight_weight (Reach (across q)) q = weight8 q.
Proof. by move=> n0 s; rewrite weight8E // /eight_weight; case: ifP => // _; rewrite /= marked_parts. Qed.
Lemma eight_odd (m : 'I_n) q (j := column q m) : n = m.*2.+1 -> solution q ->
  middle_weight j * eight_weight (Reach (distance j)) q = weight8 q.
Proof.
move=> mE s; rewrite -(across_odd mE s) eight_reach //; last by have := ltn_ord m; lia.
by rewrite /middle_weight -(across_odd mE s); case: eqP => [/(weight8_2 mE s) -> | _]; rewrite ?mul1n.
Qed.
End Eight.

(** *** Leads *)
Lemma all_flatten T (P : pred T) (ss : seq (seq T)) : all P (flatten ss) = all (all P) ss.
Proof. by elim: ss => //= s ss IH; rewrite all_cat IH. Qed.

Section Leads.
Variables h k side : nat.
Hypothesis h0 : 0 < h.
Hypothesis side0 : 0 < side.
Notation n := (h + k + h).
Notation mid := (set_of (middle_rows h k)).
Implicit Types (q : {set square n}).

Definition lead_value (l : lead h k) := \sum_(q : {set square n} | solution q && all (fun x => x \in q) (queens l))
  weight l * image_weight (kind l) (left_over q) (top_cols q) * eight_weight (eight l) q.
(** A candidate that is no lead counts nothing. *)
Lemma lead_value0 l : ~~ (peaceful_list (queens l) && (0 < weight l)) -> lead_value l = 0.
Proof.
rewrite negb_and -eqn0Ngt => none; apply: big1 => q /andP [s /allP sub]; case/orP: none => [|/eqP -> //].
rewrite -peaceful_set (peaceful_sub _ (solution_peaceful s)) //.
by apply/subsetP => x; rewrite inE; exact: sub.
Qed.
Lemma total_of_leads : all (@shaped h k) (candidates h k) ->
  sumn [seq unit_count side u | u <- units h k side] = \sum_(l <- candidates h k) lead_value l.
Proof.
rewrite sumn_map /units big_flatten big_map big_filter; elim: (candidates h k) => [|l ls IH] /=.
  by rewrite !big_nil.
case/andP => sl /IH {}IH; rewrite !big_cons IH; case: ifP => [/andP [p _] | /negbT /lead_value0 -> //].
rewrite big_allpairs_dep sum_lead ?/valid_lead ?p //; congr (_ + _); apply: eq_bigl => q; congr (_ && _).
by apply/subsetP/allP => a x; have := a x; rewrite inE.
Qed.
Lemma image_itself q : image_weight Itself (left_over q) (top_cols q) = 1.
Proof. by rewrite image_weightE /counted mem_iota /= add0n ltnS popcount_le. Qed.
Lemma image_flip q : solution q -> image_weight Flip (left_over q) (top_cols q) +
  image_weight Flip (left_over (image (@flip n) q)) (top_cols (image (@flip n) q)) = 2.
Proof.
move=> s; have [e1 e2 e3] := numbers_flip s; have [l1 l2] := numbers_lt s.
by rewrite !image_weightE e1 e2 e3 counted_flip // popcount_le.
Qed.
Lemma image_all q (m := image (@mirror n)) (f := image (@flip n)) : solution q -> left_over (m q) = left_over q ->
  let w q := image_weight All (left_over q) (top_cols q) in w q + w (m q) + w (f q) + w (m (f q)) = 4.
Proof.
move=> s sym /=; have sf : solution (f q) by rewrite solution_flip.
have symf : left_over (m (f q)) = left_over (f q).
  apply/setP => j; move/setP/(_ j): sym; rewrite !in_left ?solution_mirror // !row_mirror // !row_flip // !in_rows /=.
  by have := ltn_ord (row q j); have := ltn_ord (row q (rev_ord j)); lia.
have [e1 e2 e3] := numbers_flip s; have [l1 l2] := numbers_lt s; have [m1 m2 m3] := numbers_mirror s sym.
have [n1 n2 n3] := numbers_mirror sf symf; have th : tier q <= h by exact: popcount_le.
rewrite !image_weightE n1 n2 n3 m1 m2 m3 e1 e2 e3 bin_sub // subKn //.
rewrite -(counted_all h0 th l1 l2); congr (_ + _ + _ + counted _ _ _ _ _); lia.
Qed.
End Leads.

Lemma shaped_0 h : all (@shaped h 0) (candidates h 0).
Proof. by rewrite /shaped /=; case: ifP. Qed.
Theorem total_0 h side : 0 < h -> 0 < side -> sumn [seq unit_count side u | u <- units h 0 side] = Q (h + 0 + h).
Proof.
move=> h0 side0; rewrite total_of_leads //; last exact: shaped_0.
rewrite big_seq1 /lead_value /=.
have sym q : solution q -> left_over (image (@mirror (h + 0 + h)) q) = left_over q.
  by move=> s; apply/setP => j; rewrite !in_left ?solution_mirror // !in_rows; lia.
pose w (q : {set square (h + 0 + h)}) := image_weight All (left_over q) (top_cols q).
pose s := if 8 < h then MainDiagonals else Unused.
transitivity (\sum_(q : {set square (h + 0 + h)} | solution q) w q * eight_weight s q).
  by apply: eq_big => [q | q _]; rewrite ?andbT // mul1n.
have rt r : (rev_ord r \in set_of (top_rows h 0)) = (r \in set_of (bottom_rows h 0)).
  by rewrite !in_rows /=; have := ltn_ord r; lia.
have ib r : (r \in set_of (bottom_rows h 0)) = (r \notin set_of (top_rows h 0)) by rewrite !in_rows; lia.
rewrite (sum_of_four (w := w)).
- rewrite /s; case: ifP => _; last by rewrite (eq_bigr _ (fun q _ => eight_unused q)) sum1dep_card.
  by rewrite -(order_eight_main rt ib); apply: eq_bigr => q _; exact: eight_main.
- by move=> q _; rewrite /s; case: ifP => _; rewrite ?eight_unused // !eight_main (weight6_mirror rt ib).
- by move=> q _; rewrite /s; case: ifP => _; rewrite ?eight_unused // !eight_main (weight6_flip rt ib).
- move=> q sq; exact: (image_all h0 side0 sq (sym q sq)).
Qed.

(** Two middle rows or more. *)
Section Many.
Variables h k' : nat.
Hypothesis h0 : 0 < h.
Notation k := k'.+2.
Notation n := (h + k + h).
Notation mid := (set_of (middle_rows h k)).
Fact upper_lt : upper h k < n. Proof. by rewrite /upper; case: ifP; lia. Qed.
Definition up : 'I_n := Ordinal upper_lt.
Lemma up_mid : (up \in mid) && (rev_ord up \in mid).
Proof. by rewrite !in_rows /= /upper; case: ifP; lia. Qed.
Lemma up_low : up != rev_ord up.
Proof. by rewrite -val_eqE /= /upper; case: ifP; lia. Qed.
Lemma n0 : 0 < n. Proof. lia. Qed.

Lemma sum_of_pairs (f : 'I_n -> 'I_n -> {set square n} -> nat) :
  \sum_(a <- lines n) \sum_(b <- lines n)
    \sum_(q : {set square n} | [&& solution q, (up, a) \in q & (rev_ord up, b) \in q]) f a b q =
  \sum_(q : {set square n} | solution q) f (column q up) (column q (rev_ord up)) q.
Proof.
rewrite -(@sum_by_column _ (@solution n) up (fun a q => f a (column q (rev_ord up)) q)) //; apply: eq_bigr => a _.
rewrite -(@sum_by_column _ (fun q => solution q && ((up, a) \in q)) (rev_ord up) (fun b q => f a b q))
  => [|q /andP [] //].
by apply: eq_bigr => b _; apply: eq_bigl => q; rewrite andbA.
Qed.

(** Odd boards: the queen of the middle row, too. *)
Fact middle_lt : n./2 < n. Proof. lia. Qed.
Definition ce : 'I_n := Ordinal middle_lt.
Lemma up_ce : odd n -> (up != ce) && (ce != rev_ord up).
Proof. by move=> od; rewrite -!val_eqE /= /upper od /=; lia. Qed.

Lemma shaped_many : all (@shaped h k) (candidates h k).
Proof.
have /andP [u1 u2] := up_mid; have u12 := negPf up_low.
rewrite /candidates (lineE upper_lt) /= cats0 all_flatten !all_map; apply/allP => -[a b] _ /=.
case: ifP => od; last by rewrite /shaped /= u1 u2 !inE xpair_eqE u12.
have /andP [/negPf uc /negPf cu] := up_ce od; have cm : ce \in mid by rewrite !in_rows /=; lia.
rewrite (lineE middle_lt) /= cats0 all_map; apply/allP => j _ /=.
by rewrite /shaped /= u1 u2 cm !inE !xpair_eqE u12 uc cu.
Qed.
Theorem total_many side : 0 < side -> sumn [seq unit_count side u | u <- units h k side] = Q n.
Proof.
move=> side0; rewrite total_of_leads ?shaped_many // -(order_four_and_eight up).
rewrite -(sum_of_pairs (fun a b q => least_weight a b * weight8 q)) /candidates (lineE upper_lt) /= cats0.
rewrite big_flatten !big_map big_allpairs; apply: eq_bigr => a _; apply: eq_bigr => b _ /=; case: ifP => od.
  have nE : n = ce.*2.+1 by rewrite /=; lia.
  rewrite (lineE middle_lt) /= cats0 big_map -(@sum_by_column _ _ ce (fun j q => least_weight a b * weight8 q)).
    apply: eq_bigr => j _; rewrite /lead_value /=; apply: eq_big => [q | q /and5P [s _ jq _ _]].
      by case: (solution q) => //=; case: ((up, a) \in q) => //=; rewrite andbT andbC.
    move: jq; rewrite columnP // => /eqP ->.
    by rewrite image_itself // muln1 -mulnA (eight_odd nE s).
  by move=> q /and3P [].
rewrite big_seq1 /lead_value /=; apply: eq_big => [q | q /and4P [s]]; first by rewrite andbT.
rewrite !columnP // => /eqP -> /eqP -> _; rewrite image_itself // muln1 -across_even ?eight_reach ?od ?n0 //.
by rewrite /= /upper od.
Qed.
End Many.

(** One middle row. *)
Section One.
Variables h side : nat.
Hypothesis h0 : 0 < h.
Hypothesis side0 : 0 < side.
Notation n := (h + 1 + h).
Notation mid := (set_of (middle_rows h 1)).
Fact centre_lt : h < n. Proof. clear; lia. Qed.
Definition centre : 'I_n := Ordinal centre_lt.
Lemma rev_centre : rev_ord centre = centre. Proof. by apply: val_inj => /=; clear; lia. Qed.
Lemma centreE : n = centre.*2.+1. Proof. rewrite /=; clear; lia. Qed.
Lemma mid_centre r : (r \in mid) = (r == centre). Proof. by rewrite !in_rows -val_eqE /=; clear; lia. Qed.
Definition one_weight (q : {set square n}) := let j := column q centre in
  if j == centre then image_weight All (left_over q) (top_cols q)
  else if j < h then 2 * image_weight Flip (left_over q) (top_cols q) else 0.

Lemma one_weight_sum (q : {set square n}) (m := image (@mirror n)) (f := image (@flip n)) : solution q ->
  one_weight q + one_weight (m q) + one_weight (f q) + one_weight (m (f q)) = 4.
Proof.
move=> s; have sm : solution (m q) by rewrite solution_mirror.
have sf : solution (f q) by rewrite solution_flip.
have mf : m (f q) = f (m q) by rewrite /m /f /image -!imset_comp.
rewrite /one_weight (column_mirror centre sf) (column_mirror centre s) (column_flip centre s) rev_centre.
rewrite (inv_eq (@rev_ordK n)) rev_centre; case: (eqVneq (column q centre) centre) => [e | ne].
  have sym : left_over (m q) = left_over q.
    apply/setP => j; rewrite !in_left // row_mirror // !mid_centre ![_ == centre]eq_sym -!rowP //.
    by rewrite !columnP // e (inv_eq (@rev_ordK n)) rev_centre.
  exact: (image_all h0 side0 s sym).
have lt : (rev_ord (column q centre) < h) = ~~ (column q centre < h).
  by move: ne; rewrite -val_eqE /=; have := ltn_ord (column q centre); lia.
rewrite lt; case: (column q centre < h) => /=.
  by have := image_flip h0 s; rewrite -/f; lia.
by rewrite mf; have := image_flip h0 sm; rewrite -/f; lia.
Qed.

Lemma shaped_1 : all (@shaped h 1) (candidates h 1).
Proof.
rewrite /candidates (lineE centre_lt) /= cats0 all_map; apply/allP => j _ /=.
by case: ifP => _; rewrite /shaped /= mid_centre eqxx.
Qed.
Theorem total_1 : sumn [seq unit_count side u | u <- units h 1 side] = Q n.
Proof.
rewrite total_of_leads ?shaped_1 // -(order_eight n) -(sum_of_four (w := one_weight)); last first.
- exact: one_weight_sum.
- by move=> q _; exact: weight8_flip.
- by move=> q _; exact: weight8_mirror.
rewrite -(@sum_by_column _ (@solution n) centre (fun j q => one_weight q * weight8 q)) //.
rewrite /candidates (lineE centre_lt) /= cats0 big_map big_filter (perm_big (lines n)) /=; last by rewrite perm_rev.
rewrite big_mkcond; apply: eq_bigr => j _ /=.
have d0 : (distance j == 0) = (j == centre) by rewrite -val_eqE /distance /=; have := ltn_ord j; clear; lia.
transitivity (\sum_(q | solution q && ((centre, j) \in q)) (if j <= h then
  (if j == centre then image_weight All (left_over q) (top_cols q)
   else 2 * image_weight Flip (left_over q) (top_cols q)) * weight8 q else 0)); last first.
  apply: eq_bigr => q /andP [s]; rewrite columnP // /one_weight => /eqP <-; case: eqP => [-> | ne].
    by rewrite leqnn.
  by rewrite leq_eqVlt (_ : (j == h :> nat) = false) /=; [case: ifP | apply/eqP => e; apply: ne; apply: val_inj].
case: ifP => _; last by rewrite big1.
rewrite d0; case: ifP => _; rewrite /lead_value /=; apply: eq_big => [q | q /and3P [s jq _]]; rewrite ?andbT //;
  by move: jq; rewrite columnP // => /eqP ->; rewrite -(eight_odd centreE s) -/centre; lia.
Qed.
End One.

Lemma shaped_candidates h k : 0 < h -> all (@shaped h k) (candidates h k).
Proof. by case: k => [|[|k]] h0; [exact: shaped_0 | exact: shaped_1 | exact: shaped_many]. Qed.
Lemma valid_leads h k : 0 < h -> all (@valid_lead h k) (leads h k).
Proof.
move=> /(shaped_candidates k); rewrite /leads all_filter; apply: sub_all => l s /=.
by apply/implyP => /andP [p _]; rewrite /valid_lead p.
Qed.
(** For every board, every number of middle rows and every side of tiles. *)
Theorem sum_of_units : Sum_of_units.
Proof. by move=> h k side h0 s0; case: k => [|[|k]]; [exact: total_0 | exact: total_1 | exact: total_many]. Qed.
