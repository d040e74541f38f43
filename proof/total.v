(** The counts of all units sum to Q(N). *)
From Queens Require Export units symmetry.

(** The images of a column set weigh as many as they are, because of these the least counts. *)
Lemma least_two M p q : size p = size q -> all (gtn M) p -> all (gtn M) q -> least [:: p; q] + least [:: q; p] = 2.
Proof.
move=> s pM qM; have [l e] := lex_code s pM qM; have [l' e'] := lex_code (esym s) qM pM.
have [r _] := lex_code erefl pM pM; have [r' _] := lex_code erefl qM qM.
by rewrite /least /= !inE l l' r r' e e' !leqnn; case: ltngtP.
Qed.
Section Counted.
Variables h t i j : nat.
Notation last := ('C(h, t) - 1).
Hypotheses (h0 : 0 < h) (th : t <= h) (li : i < 'C(h, t)) (lj : j < 'C(h, t)).
Lemma twice : [/\ h - (h - t) = t, last - (last - i) = i & last - (last - j) = j].
Proof. by split; lia. Qed.
Lemma counted_flip : counted h Flip t i j + counted h Flip (h - t) (last - i) (last - j) = 2.
Proof.
have [e ei ej] := twice; rewrite /counted !least_of_images ?bin_sub //; try lia.
rewrite /column_set_images bin_sub // e ei ej.
by apply: (@least_two (h + 'C(h, t)).+1); rewrite //= ?andbT; lia.
Qed.
Lemma counted_all : counted h All t i j + counted h All (h - t) (last - j) (last - i) +
  counted h All (h - t) (last - i) (last - j) + counted h All t j i = 4.
Proof.
have [e ei ej] := twice; rewrite /counted !least_of_images ?bin_sub //; try lia.
rewrite /column_set_images bin_sub // e ei ej.
rewrite -(@least_sum 3 (h + 'C(h, t)).+1 [:: t; i; j] [:: h - t; last - i; last - j] [:: t; j; i] [:: h - t; last - j; last - i]) /=.
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
move=> s; apply/imsetP/idP => [[[r j'] /setIP [xq]] | rR]; first by rewrite inE /= => rR ->; move: xq; rewrite rowP // => /eqP <-.
by exists (row q j, j) => //; rewrite !inE /= rR rowP ?eqxx.
Qed.
Lemma row_mirror q j : solution q -> row (mirrored q) j = row q (rev_ord j).
Proof.
move=> s; apply/esym/eqP; rewrite -rowP ?solution_mirror // mem_image; last exact: mirrorK.
by rewrite /mirror /= rowP.
Qed.
Lemma row_flip q j : solution q -> row (flipped q) j = rev_ord (row q j).
Proof.
move=> s; apply/esym/eqP; rewrite -rowP ?solution_flip // mem_image; last exact: flipK.
by rewrite /flip /= rev_ordK rowP.
Qed.
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
Lemma top_flip q : solution q -> {in left_over q, forall j, (j \in top_cols (flipped q)) = (j \notin top_cols q)}.
Proof.
move=> s j; rewrite in_left // !in_top_cols ?solution_flip // row_flip // !in_rows /=.
by have := ltn_ord (row q j); lia.
Qed.
Lemma top_mirror q : solution q -> {in left_over q, forall j, (j \in top_cols (mirrored q)) = (rev_ord j \in top_cols q)}.
Proof. by move=> s j _; rewrite !in_top_cols ?solution_mirror // row_mirror. Qed.

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
move=> s; rewrite /tier /a_in /d_in popcount_ad ?columns_uniq ?size_columns //.
  by apply/subsetP => j /(subsetP (top_cols_sub s)); rewrite inE mem_columns.
by rewrite card_cols // card_top.
Qed.
Lemma numbers_lt q : solution q -> (number_of h (a_in q) < 'C(h, tier q)) * (number_of h (d_in q) < 'C(h, tier q)).
Proof. by move=> s; rewrite -{2}(tier_d s) !number_lt ?lt_a ?lt_d // ?columns_uniq ?size_columns. Qed.
Lemma numbers_flip q : solution q -> [/\ tier (flipped q) = h - tier q,
  number_of h (a_in (flipped q)) = 'C(h, tier q) - 1 - number_of h (a_in q) &
  number_of h (d_in (flipped q)) = 'C(h, tier q) - 1 - number_of h (d_in q)].
Proof.
move=> s; have u := columns_uniq q; have sz := size_columns s.
have e : {in columns q, forall j, (j \in top_cols (flipped q)) = (j \notin top_cols q)}.
  by move=> j; rewrite mem_columns; exact: top_flip.
rewrite /tier /a_in /d_in left_flip // (compl_a u sz e) (compl_d u sz e) popcount_compl ?lt_a //.
by rewrite (number_compl (lt_d u sz _)) (number_compl (lt_a u sz _)) -/(a_in q) -/(d_in q) tier_d.
Qed.
Lemma numbers_mirror q : solution q -> left_over (mirrored q) = left_over q -> [/\ tier (mirrored q) = h - tier q,
  number_of h (a_in (mirrored q)) = 'C(h, tier q) - 1 - number_of h (d_in q) &
  number_of h (d_in (mirrored q)) = 'C(h, tier q) - 1 - number_of h (a_in q)].
Proof.
move=> s sym; have u := columns_uniq q; have sz := size_columns s.
have e : {in columns q, forall j, (j \in top_cols (mirrored q)) = (rev_ord j \in top_cols q)}.
  by move=> j; rewrite mem_columns; exact: top_mirror.
have rs : map (@rev_ord n) (columns q) = rev (columns q).
  rewrite /list_of -filter_rev -rev_lines filter_map; congr map; apply: eq_filter => j /=.
  by rewrite -[in LHS]sym !in_left ?solution_mirror // row_mirror.
rewrite /tier /a_in /d_in sym (mirror_a u sz rs e) (mirror_d u sz rs e) popcount_compl ?lt_d //.
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
have pos R : (0 < marks_set s (part R q)) = [exists x in q, (x.1 \in R) && marked s x].
  apply/card_gt0P/exists_inP => [[x] | [x xq /andP [xR m]]].
    by rewrite in_set => /andP [/setIP [xq]]; rewrite in_set => xR m; exists x => //; rewrite xR.
  by exists x; rewrite !in_set xq xR.
rewrite !addn_gt0 !pos; apply/idP/exists_inP => [/orP [/orP [] |] /exists_inP [x xq /andP [_ m]] | [x xq m]];
  try by exists x.
have : x.1 \in mid :|: (top :|: bot) by rewrite cover_rows inE.
rewrite !in_setU => /or3P [] xR; apply/orP; [left; apply/orP; left | left; apply/orP; right | right];
  by apply/exists_inP; exists x => //; rewrite xR.
Qed.
Lemma eight_even q : 0 < n -> ~~ odd n -> solution q -> eight_weight (Reach (across q)) q = weight8 q.
Proof.
move=> n0 ev s; rewrite weight8_even // /eight_weight; case: ifP => // _.
by rewrite /pair_weight (negPf ev) marked_parts.
Qed.
Lemma eight_odd q (m : 'I_n) : n = m.*2.+1 -> solution q -> across q != 0 ->
  2 * eight_weight (Reach (across q)) q = weight8 q.
Proof.
move=> mE s ne; rewrite (weight8_odd mE s ne) /eight_weight; case: ifP => // _.
by rewrite /pair_weight (_ : odd n) // mE /= odd_double.
Qed.
End Eight.

(** *** Leads *)
Lemma Forall_flatten T (P : T -> Prop) (ss : seq (seq T)) : List.Forall (List.Forall P) ss -> List.Forall P (flatten ss).
Proof.
elim => [|s ss' ps _ IH] /=; first by constructor.
by elim: ps => [//|x s' px _ IH']; constructor.
Qed.
Lemma Forall_map (T : eqType) U (P : U -> Prop) (f : T -> U) (s : seq T) :
  (forall x, x \in s -> P (f x)) -> List.Forall P [seq f x | x <- s].
Proof.
elim: s => [|x s IH] a /=; first by constructor.
by constructor; [apply: a; exact: mem_head | apply: IH => y ys; apply: a; rewrite inE ys orbT].
Qed.

Section Leads.
Variables h k side : nat.
Hypothesis h0 : 0 < h.
Hypothesis side0 : 0 < side.
Notation n := (h + k + h).
Notation mid := (set_of (middle_rows h k)).
Implicit Types (q : {set square n}).

Definition lead_value (l : lead h k) := \sum_(q : {set square n} | solution q && all (fun x => x \in q) (queens l))
  weight l * image_weight (kind l) (left_over q) (top_cols q) * eight_weight (eight l) q.
Lemma total_of_leads : List.Forall (@valid_lead h k) (leads h k) ->
  sumn [seq unit_count side u | u <- units h k side] = \sum_(l <- leads h k) lead_value l.
Proof.
rewrite sumn_map /units big_flatten big_map; elim => [|l s' v _ IH]; first by rewrite !big_nil.
rewrite !big_cons IH big_allpairs_dep (sum_lead side0 v); congr (_ + _); apply: eq_bigl => q; congr (_ && _).
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

Lemma valid_0 h : List.Forall (@valid_lead h 0) (leads h 0).
Proof. by repeat constructor. Qed.
Theorem total_0 h side : 0 < h -> 0 < side -> sumn [seq unit_count side u | u <- units h 0 side] = Q (h + 0 + h).
Proof.
move=> h0 side0; rewrite total_of_leads //; last exact: valid_0.
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
Variables h k' side : nat.
Hypothesis h0 : 0 < h.
Hypothesis side0 : 0 < side.
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

(** Queens of a solution do not attack each other. *)
Lemma no_attack (q : {set square n}) x y : solution q -> x \in q -> y \in q -> x != y -> attack x y = false.
Proof.
by move=> s xq yq ne; apply/negP => a; rewrite (peacefulP _ (solution_peaceful s) _ _ xq yq a) eqxx in ne.
Qed.
Lemma sum_of_pairs (f : 'I_n -> 'I_n -> {set square n} -> nat) :
  \sum_(a <- lines n) \sum_(b <- lines n)
    \sum_(q : {set square n} | [&& solution q, (up, a) \in q & (rev_ord up, b) \in q]) f a b q =
  \sum_(q : {set square n} | solution q) f (column q up) (column q (rev_ord up)) q.
Proof.
rewrite -(@sum_by_column _ (@solution n) up (fun a q => f a (column q (rev_ord up)) q)) //; apply: eq_bigr => a _.
rewrite -(@sum_by_column _ (fun q => solution q && ((up, a) \in q)) (rev_ord up) (fun b q => f a b q)) => [|q /andP [] //].
by apply: eq_bigr => b _; apply: eq_bigl => q; rewrite andbA.
Qed.

Lemma valid_even : ~~ odd n -> List.Forall (@valid_lead h k) (leads h k).
Proof.
move=> ev; have lE := lineE upper_lt.
rewrite /leads lE /= cats0 ev /=; apply: Forall_flatten; apply: Forall_map => -[a b] _ /=.
  case: ifP => [_|/negbT]; first by constructor.
  rewrite negb_or => /andP [_ na]; constructor => //; split => /=.
  - rewrite -peaceful_set; apply/peacefulP => x y; rewrite !inE => /orP [] /eqP -> /orP [] /eqP -> // at'.
      by rewrite at' in na.
    by rewrite attackC at' in na.
  - by rewrite inE xpair_eqE (negPf up_low).
  - by have /andP [u1 u2] := up_mid; move=> r; rewrite !inE => /orP [] /eqP ->; [move: u1 | move: u2]; rewrite inE.
  - by [].
Qed.
Theorem total_even : ~~ odd n -> sumn [seq unit_count side u | u <- units h k side] = Q n.
Proof.
move=> ev; have lE := lineE upper_lt; rewrite total_of_leads //; last exact: valid_even.
rewrite -(order_four_and_eight up).
pose f (a b : 'I_n) (q : {set square n}) := least_weight a b * eight_weight (Reach (maxn (distance a) (distance b))) q.
transitivity (\sum_(q : {set square n} | solution q) f (column q up) (column q (rev_ord up)) q); last first.
  apply: eq_bigr => q s; rewrite /f -across_even ?eight_even ?n0 //.
  by rewrite /= /upper (negPf ev).
rewrite -(sum_of_pairs f) /leads lE /= cats0 ev /= big_flatten big_map big_allpairs; apply: eq_bigr => a _; apply: eq_bigr => b _ /=.
case: ifP => [/orP [/eqP w0 | at'] | _].
- by rewrite big_nil big1 // => q _; rewrite /f w0 mul0n.
- rewrite big_nil big1 // => q /and3P [s q1 q2].
  by rewrite (no_attack s q1 q2) // xpair_eqE (negPf up_low) in at'.
rewrite big_seq1 /lead_value /=; apply: eq_big => [q | q _]; first by rewrite andbT.
by rewrite image_itself // muln1.
Qed.

(** Odd boards: the queen of the middle row, too. *)
Hypothesis od : odd n.
Fact middle_lt : n./2 < n. Proof. lia. Qed.
Definition ce : 'I_n := Ordinal middle_lt.
Lemma nE : n = ce.*2.+1. Proof. rewrite /=; lia. Qed.
Lemma ce_mid : ce \in mid. Proof. by rewrite !in_rows /=; lia. Qed.
Lemma up_ce : (up != ce) && (rev_ord up != ce).
Proof. by rewrite -!val_eqE /= /upper od /=; lia. Qed.

Lemma valid_odd : List.Forall (@valid_lead h k) (leads h k).
Proof.
have lE := lineE upper_lt; have mE := lineE middle_lt; have /andP [uc lc] := up_ce; have /andP [u1 u2] := up_mid.
rewrite /leads lE /= cats0 od /=; apply: Forall_flatten; apply: Forall_map => -[a b] _ /=.
  case: ifP => [_|/negbT]; first by constructor.
  rewrite negb_or => /andP [_ na]; apply: Forall_map => -[r j]; rewrite mem_filter mE /= cats0.
  case/andP => /and3P [_ a1 a2] /mapP [j' _ [er ej]]; rewrite er ej in a1 a2 *.
  have v w e : e <> MainDiagonals -> valid_lead (@Lead h k [:: (up, a); (ce, j'); (rev_ord up, b)] Itself w e).
    move=> ne; split => //=.
    - rewrite -peaceful_set; apply/peacefulP => x y; rewrite !inE => /or3P [] /eqP -> /or3P [] /eqP -> // at';
        move: na a1 a2; rewrite ?at' //; rewrite attackC in at'; by rewrite ?at'.
    - by rewrite !inE !xpair_eqE (negPf uc) (negPf up_low) [ce == _]eq_sym (negPf lc).
    - by move=> r'; rewrite !inE => /or3P [] /eqP ->; [move: u1 | have := ce_mid | move: u2]; rewrite inE.
  by case: ifP => _; apply: v.
Qed.
Theorem total_odd : sumn [seq unit_count side u | u <- units h k side] = Q n.
Proof.
have lE := lineE upper_lt; have mE := lineE middle_lt; have /andP [uc lc] := up_ce; have /andP [u1 u2] := up_mid.
rewrite total_of_leads //; last exact: valid_odd.
rewrite -(order_four_and_eight up).
pose f (a b j : 'I_n) (q : {set square n}) := if distance j == 2 then 0 else
  if distance j == 0 then least_weight a b * eight_weight Unused q
  else 2 * least_weight a b * eight_weight (Reach (distance j)) q.
transitivity (\sum_(q : {set square n} | solution q) f (column q up) (column q (rev_ord up)) (column q ce) q); last first.
  apply: eq_bigr => q s; rewrite /f; have aE := across_odd nE s; rewrite -aE.
  case: eqP => [e2|_]; first by rewrite (weight8_2 nE s e2) muln0.
  case: eqP => [e0|/eqP ne]; first by rewrite eight_unused (weight8_0 nE s e0).
  by rewrite -(eight_odd nE s ne) mulnCA mulnA.
rewrite -(sum_of_pairs (fun a b q => f a b (column q ce) q)).
rewrite /leads lE /= cats0 od /= big_flatten big_map big_allpairs; apply: eq_bigr => a _; apply: eq_bigr => b _ /=.
rewrite -(@sum_by_column _ (fun q => [&& solution q, (up, a) \in q & (rev_ord up, b) \in q]) ce (fun j q => f a b j q));
  last by move=> q /and3P [].
case: ifP => [/orP [/eqP w0 | at'] | _].
- rewrite big_nil big1 // => j _; rewrite big1 // => q _; by rewrite /f w0 muln0 !mul0n !if_same.
- rewrite big_nil big1 // => j _; rewrite big1 // => q /andP [/and3P [s q1 q2] _].
  by rewrite (no_attack s q1 q2) // xpair_eqE (negPf up_low) in at'.
rewrite mE /= cats0 big_map big_filter big_map big_mkcond; apply: eq_bigr => j _ /=.
case: ifP => [/and3P [/negPf d2 _ _] | /negbT].
  have lv (w : nat) e : lead_value (@Lead h k [:: (up, a); (ce, j); (rev_ord up, b)] Itself w e) =
      \sum_(q : {set square n} | [&& solution q, (up, a) \in q & (rev_ord up, b) \in q] && ((ce, j) \in q)) w * eight_weight e q.
    rewrite /lead_value; apply: eq_big => [q | q _]; last by rewrite image_itself // muln1.
    by rewrite /=; case: (solution q) => //=; case: ((up, a) \in q) => //=; rewrite andbT andbC.
  by rewrite /f d2; case: ifP => _; rewrite lv.
rewrite !negb_and !negbK => cases; rewrite big1 // => q /andP [/and3P [s q1 q2] q3].
case/or3P: cases => [/eqP d2 | a1 | a2]; first by rewrite /f d2.
- by rewrite (no_attack s q1 q3) // xpair_eqE (negPf uc) in a1.
- by rewrite (no_attack s q2 q3) // xpair_eqE (negPf lc) in a2.
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
have mf : m (f q) = f (m q).
  by apply/setP => x; rewrite (mem_image (@mirrorK n)) !(mem_image (@flipK n)) (mem_image (@mirrorK n)).
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

Lemma valid_1 : List.Forall (@valid_lead h 1) (leads h 1).
Proof.
have lE := lineE centre_lt.
rewrite /leads lE /= cats0; apply: Forall_map => -[r j]; rewrite mem_filter => /andP [_ /mapP [j' _ [-> ->]]].
  have v kd w e : e <> MainDiagonals -> valid_lead (@Lead h 1 [:: (centre, j')] kd w e).
    move=> ne; split => //; first by rewrite -peaceful_set; apply/peacefulP => x y; rewrite !inE => /eqP -> /eqP ->.
    by move=> r'; rewrite inE => /eqP ->; rewrite mid_centre.
  by case: ifP => _; apply: v.
Qed.
Theorem total_1 : sumn [seq unit_count side u | u <- units h 1 side] = Q n.
Proof.
have lE := lineE centre_lt; rewrite total_of_leads //; last exact: valid_1.
rewrite -(order_eight n) -(sum_of_four (w := one_weight)); last first.
- exact: one_weight_sum.
- by move=> q _; exact: weight8_flip.
- by move=> q _; exact: weight8_mirror.
pose f (j : 'I_n) (q : {set square n}) := if (j <= h) && (distance j != 2) then
  if distance j == 0 then image_weight All (left_over q) (top_cols q)
  else 4 * image_weight Flip (left_over q) (top_cols q) * eight_weight (Reach (distance j)) q else 0.
transitivity (\sum_(q : {set square n} | solution q) f (column q centre) q); last first.
  apply: eq_bigr => q s; rewrite /f /one_weight; have aE := across_odd centreE s; rewrite -aE.
  case: (eqVneq (column q centre) centre) => [e | ne].
    have a0 : across q = 0 by rewrite aE e /distance /=; lia.
    by rewrite a0 e leqnn /= (weight8_0 centreE s a0) muln1.
  have a0 : across q != 0 by move: ne; rewrite aE -val_eqE /distance /=; lia.
  case: (eqVneq (across q) 2) => [e2 | ne2]; first by rewrite andbF (weight8_2 centreE s e2) muln0.
  rewrite andbT (negPf a0) leq_eqVlt (_ : (column q centre == h :> nat) = false) /=; last by move: ne; rewrite -val_eqE /= => /negPf.
  by case: ifP => // _; rewrite -(eight_odd centreE s a0); lia.
rewrite -(@sum_by_column _ (@solution n) centre f) // /leads lE /= cats0 big_map big_filter big_map (perm_big (lines n)) /=; last by rewrite perm_rev.
rewrite big_mkcond; apply: eq_bigr => j _ /=; rewrite /f; case: ifP => _; last by rewrite big1.
by case: ifP => _; rewrite /lead_value /=; apply: eq_big => [q | q _]; rewrite ?andbT // mul1n eight_unused muln1.
Qed.
End One.

Lemma valid_leads h k : 0 < h -> List.Forall (@valid_lead h k) (leads h k).
Proof.
move=> h0; case: k => [|[|k]]; [exact: valid_0 | exact: valid_1 |].
by case e: (odd (h + k.+2 + h)); [exact: (@valid_odd h k 1) | apply: (@valid_even h k 1) => //; rewrite e].
Qed.
(** For every board, every number of middle rows and every side of tiles. *)
Theorem sum_of_units : Sum_of_units.
Proof.
move=> h k side h0 s0; case: k => [|[|k]]; [exact: total_0 | exact: total_1 |].
by case e: (odd (h + k.+2 + h)); [exact: total_odd | apply: total_even => //; rewrite e].
Qed.
