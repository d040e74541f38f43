(** Column sets by two subsets, and tiles (section 8). *)
From Queens Require Export numbers.

Lemma coord_compl (T : finType) (s : seq T) (C C' : {set T}) : {in s, forall x, (x \in C') = (x \notin C)} ->
  coord s C' = 2 ^ size s - 1 - coord s C.
Proof.
elim: s => //= x s IH e; rewrite e ?mem_head // IH => [|y ys]; last by rewrite e // inE ys orbT.
by have := coord_lt s C; rewrite expnS; case: (x \in C) => /=; lia.
Qed.
Lemma coord_map (T : finType) (g : T -> T) s (C C' : {set T}) : {in s, forall x, (x \in C') = (g x \in C)} ->
  coord s C' = coord (map g s) C.
Proof.
elim: s => //= x s IH e; rewrite e ?mem_head // IH //.
by move=> y ys; rewrite e // inE ys orbT.
Qed.
Lemma popcount_coord (T : finType) (s : seq T) (C : {set T}) : popcount (size s) (coord s C) = count (mem C) s.
Proof.
elim: s => //= x s IH; rewrite popcountS oddD odd_double addbF oddb halfD odd_double andbF add0n doubleK.
have -> : ((x \in C) : nat)./2 = 0 by case: (x \in C).
by rewrite add0n IH.
Qed.

(** *** Column sets of a list of 2h columns *)
Section Columns.
Variables (T : finType) (h : nat) (s : seq T).
Hypothesis us : uniq s.
Hypothesis ss : size s = 2 * h.
Implicit Types C : {set T}.
Notation left := (take h s).
Notation right := (rev (drop h s)).
Definition on_top a d := pick left a ++ pick right (2 ^ h - 1 - d).
Definition on_bottom a d := pick left (2 ^ h - 1 - a) ++ pick right d.
Definition a_of C := coord left C.
Definition d_of C := 2 ^ h - 1 - coord right C.

Lemma size_left : size left = h. Proof. by rewrite size_take ss; case: ltnP; lia. Qed.
Lemma size_right : size right = h. Proof. by rewrite size_rev size_drop ss; lia. Qed.
Lemma uniq_left : uniq left. Proof. exact: take_uniq. Qed.
Lemma uniq_right : uniq right. Proof. rewrite rev_uniq; exact: drop_uniq. Qed.
Lemma left_or_right x : (x \in s) = (x \in left) || (x \in right).
Proof. by rewrite mem_rev -mem_cat cat_take_drop. Qed.
Lemma left_not_right x : x \in left -> x \in right -> False.
Proof.
move: us; rewrite mem_rev -{1}(cat_take_drop h s) cat_uniq => /and3P [_ /hasPn d _] xl /d.
by rewrite /= xl.
Qed.
Lemma lt_a C : a_of C < 2 ^ h. Proof. by have := coord_lt left C; rewrite size_left. Qed.
Lemma lt_right C : coord right C < 2 ^ h. Proof. by have := coord_lt right C; rewrite size_right. Qed.
Lemma lt_d C : d_of C < 2 ^ h. Proof. by have := lt_right C; rewrite /d_of; lia. Qed.

Lemma in_left a d x : x \in left -> (x \in on_top a d) = (x \in pick left a).
Proof.
move=> xl; rewrite mem_cat; case: (x \in pick left a) => //=.
by apply/negP => /pick_sub; exact: left_not_right.
Qed.
Lemma in_right a d x : x \in right -> (x \in on_top a d) = (x \in pick right (2 ^ h - 1 - d)).
Proof.
move=> xr; rewrite mem_cat orbC; case: (x \in pick right _) => //=.
by apply/negP => /pick_sub xl; exact: left_not_right xl xr.
Qed.
Lemma a_of_top a d : a < 2 ^ h -> a_of (set_of (on_top a d)) = a.
Proof. by move=> la; apply: coord_pick uniq_left _ _; rewrite ?size_left // => x xl; rewrite inE in_left. Qed.
Lemma d_of_top a d : d < 2 ^ h -> d_of (set_of (on_top a d)) = d.
Proof.
move=> ld; rewrite /d_of (coord_pick (m := 2 ^ h - 1 - d) uniq_right) ?size_right; try lia.
by move=> x xr; rewrite inE in_right.
Qed.
Lemma on_bottomE a d : a < 2 ^ h -> d < 2 ^ h -> set_of (on_bottom a d) = set_of s :\: set_of (on_top a d).
Proof.
move=> la ld; have ld' : 2 ^ h - 1 - d < 2 ^ h by lia.
apply/setP => x; rewrite in_setD !inE left_or_right [x \in on_bottom a d]mem_cat.
have bl := pick_compl uniq_left; have br := pick_compl uniq_right; rewrite size_left in bl; rewrite size_right in br.
have {}br := br _ ld' x; rewrite (_ : 2 ^ h - 1 - (2 ^ h - 1 - d) = d) in br; last by lia.
case xl: (x \in left).
  rewrite in_left // bl //= orbC; case xr: (x \in pick right d); rewrite ?andbT //.
  by move/pick_sub: xr => /(left_not_right xl).
have -> : (x \in pick left (2 ^ h - 1 - a)) = false by apply/negP => /pick_sub; rewrite xl.
case xr: (x \in right); first by rewrite in_right // br // andbT.
by rewrite andbF; apply/negP => /pick_sub; rewrite xr.
Qed.

(** What complements make of a and d, and mirror images. *)
Lemma compl_a C C' : {in s, forall x, (x \in C') = (x \notin C)} -> a_of C' = 2 ^ h - 1 - a_of C.
Proof. by move=> e; rewrite /a_of (@coord_compl _ left C) ?size_left // => x xl; rewrite e // left_or_right xl. Qed.
Lemma compl_d C C' : {in s, forall x, (x \in C') = (x \notin C)} -> d_of C' = 2 ^ h - 1 - d_of C.
Proof.
move=> e; rewrite /d_of (@coord_compl _ right C) ?size_right //.
by move=> x xr; rewrite e // left_or_right xr orbT.
Qed.
Section Mirror.
Variable g : T -> T.
Hypothesis gK : involutive g.
Hypothesis gs : map g s = rev s.
Lemma mirror_a C C' : {in s, forall x, (x \in C') = (g x \in C)} -> a_of C' = 2 ^ h - 1 - d_of C.
Proof.
move=> e; rewrite /a_of (@coord_map _ g _ C) => [|x xl]; last by rewrite e // left_or_right xl.
rewrite map_take gs take_rev ss (_ : 2 * h - h = h); last by lia.
by rewrite /d_of; have := lt_right C; lia.
Qed.
Lemma mirror_d C C' : {in s, forall x, (x \in C') = (g x \in C)} -> d_of C' = 2 ^ h - 1 - a_of C.
Proof.
move=> e; rewrite /d_of (@coord_map _ g right C) => [|x xr]; last by rewrite e // left_or_right xr orbT.
by rewrite map_rev map_drop gs drop_rev revK ss (_ : 2 * h - h = h) //; lia.
Qed.
End Mirror.

Lemma popcount_ad C : C \subset set_of s -> #|C| = h -> popcount h (d_of C) = popcount h (a_of C).
Proof.
move=> /subsetP sub cC; rewrite /d_of popcount_compl ?lt_right //.
have := popcount_coord left C; rewrite size_left => ->; have := popcount_coord right C; rewrite size_right => ->.
have : count (mem C) s = h.
  rewrite -size_filter -(card_uniqP _) ?filter_uniq // -cC; apply: eq_card => x; rewrite mem_filter /=.
  by case xC: (x \in C) => //=; have := sub x xC; rewrite inE.
by rewrite -{1}(cat_take_drop h s) count_cat count_rev; lia.
Qed.

Theorem sum_column_sets (F : {set T} -> nat) :
  \sum_(C : {set T} | (C \subset set_of s) && (#|C| == h)) F C =
  \sum_(t <- iota 0 h.+1) \sum_(i <- iota 0 'C(h, t)) \sum_(j <- iota 0 'C(h, t))
    F (set_of (on_top (set_of_number i t h) (set_of_number j t h))).
Proof.
have -> : set_of s = set_of left :|: set_of right by apply/setP => x; rewrite !inE left_or_right.
rewrite big_mkcondr /= sum_union; last first.
  by rewrite -setI_eq0; apply/eqP/setP => x; rewrite !inE; apply/negP => /andP [xl]; exact: left_not_right.
rewrite (sum_pick _ uniq_left) size_left.
transitivity (\sum_(a <- iota 0 (2 ^ h)) \sum_(d <- iota 0 (2 ^ h) | popcount h a == popcount h d) F (set_of (on_top a d))).
  rewrite big_seq [RHS]big_seq; apply: eq_bigr => a; rewrite mem_iota => /andP [_ la].
  have neg (G : nat -> nat) : \sum_(m <- iota 0 (2 ^ h)) G m = \sum_(m <- iota 0 (2 ^ h)) G (2 ^ h - 1 - m).
    have -> : iota 0 (2 ^ h) = index_iota 0 (2 ^ h) by rewrite /index_iota subn0.
    by rewrite big_nat_rev /=; apply: eq_bigr => i _; congr G; lia.
  rewrite (sum_pick _ uniq_right) size_right neg [RHS]big_mkcond big_seq [RHS]big_seq.
  apply: eq_bigr => d; rewrite mem_iota => /andP [_ ld].
  have -> : set_of (pick left a) :|: set_of (pick right (2 ^ h - 1 - d)) = set_of (on_top a d).
    by apply/setP => x; rewrite !inE mem_cat.
  have -> // : (#|set_of (on_top a d)| == h) = (popcount h a == popcount h d).
  rewrite cardsE (card_uniqP _); last first.
    rewrite cat_uniq !pick_uniq ?uniq_left ?uniq_right //= andbT; apply/hasPn => x /pick_sub xr.
    by apply/negP => /pick_sub xl; exact: left_not_right xl xr.
  rewrite size_cat !size_pick size_left size_right popcount_compl //.
  by have := popcount_le h d; lia.
transitivity (\sum_(t <- iota 0 h.+1) \sum_(a <- sets_of h t) \sum_(d <- sets_of h t) F (set_of (on_top a d))); last first.
  apply: eq_bigr => t _; rewrite -sum_sets; apply: eq_bigr => i _; by rewrite -sum_sets.
transitivity (\sum_(t <- iota 0 h.+1) \sum_(a <- iota 0 (2 ^ h) | popcount h a == t)
   \sum_(d <- iota 0 (2 ^ h) | popcount h d == t) F (set_of (on_top a d))); last first.
  by apply: eq_bigr => i _; rewrite big_filter; apply: eq_bigr => a _; rewrite big_filter.
rewrite [RHS](exchange_big_dep predT) //; apply: eq_bigr => a _.
rewrite [RHS](big_rem (popcount h a)); last by rewrite mem_iota ltnS popcount_le.
rewrite eqxx [X in _ = _ + X]big_seq_cond [X in _ = _ + X]big1 ?addn0; last first.
  by move=> i /andP [im /eqP e]; move: im; rewrite -e mem_rem_uniqF // iota_uniq.
by apply: eq_bigl => d; rewrite eq_sym.
Qed.
End Columns.

(** *** The rules of numbers say which column set is the least of its images *)
Theorem complements : Complements.
Proof.
move=> h t i lt; have := number_of_set lt; have := set_of_number_in lt.
move: (set_of_number i t h) => m [lm e] <-.
have -> : h - t = popcount h (2 ^ h - 1 - m) by rewrite popcount_compl // e.
by rewrite -e -number_compl // set_number //; lia.
Qed.
Lemma bin_middle t : 0 < t -> ~~ odd 'C(2 * t, t).
Proof.
case: t => // t _; have -> : 2 * t.+1 = (2 * t).+2 by lia.
rewrite binS -[in 'C(_, t.+1)](@bin_sub _ t.+1); last by lia.
by rewrite (_ : (2 * t).+1 - t.+1 = t) ?addnn ?odd_double //; lia.
Qed.
Definition counted h kd t i j := if t \in tiers h kd then counted_for h kd t i j else 0.
Theorem least_of_images : Least_of_images.
Proof.
move=> h kd t i j h0 th; have even : 2 * t = h -> ~~ odd 'C(h, t) by move=> e; rewrite -{1}e bin_middle //; lia.
rewrite /counted_for /column_set_images /least mem_iota add0n /=; move: 'C(h, t) even => S even li lj.
have [r1 r2 r3 r4] : [/\ (S - 1 - i < S - 1 - j) = (j < i), (S - 1 - j < S - 1 - i) = (i < j),
  (S - 1 - i == S - 1 - j) = (i == j) & (S - 1 - j == S - 1 - i) = (i == j)] by split; lia.
have [t1 t2 t3 low] : [/\ (t < h - t) = (2 * t < h), (t == h - t) = (2 * t == h), (h - t == t) = (2 * t == h) &
  (t <= h./2) = (2 * t <= h)] by split; lia.
case: kd => /=; rewrite ?ltnS ?th ?low ?inE ?eqseq_cons ?eqxx ?ltnn ?t1 ?t2 ?t3 ?r1 ?r2 ?r3 ?r4 //= {r1 r2 r3 r4 t1 t2 t3 low}.
- case: (ltngtP (2 * t) h) => //= /even odd_S; have -> : (i == S - 1 - i) = false by lia.
  have -> : (i < S - 1 - i) = ~~ (S <= 2 * i) by lia.
  by case: (S <= 2 * i).
- case: (ltngtP (2 * t) h) => [lt|//|/even odd_S] /=; first by rewrite [j == i]eq_sym; case: (ltngtP i j).
  have [-> -> ->] : [/\ (i == S - 1 - i) = false, (j == S - 1 - j) = false & (i < S - 1 - i) = (2 * i < S.-1)] by split; lia.
  have [-> -> ->] : [/\ (i < S - 1 - j) = (i + j < S.-1), (S <= i + j) = (S.-1 < i + j) & (i == S - 1 - j) = (i + j == S.-1)].
    by split; lia.
  have [-> -> ->] : [/\ (S - 1 - i == j) = (i + j == S.-1), (S - 1 - j == i) = (i + j == S.-1) & (j == S - 1 - i) = (i + j == S.-1)].
    by split; lia.
  rewrite [j == i]eq_sym; case: (ltngtP i j) => ij; case: (ltngtP (i + j) S.-1) => sum; case: (ltnP (2 * i) S.-1) => //=;
    rewrite ?orbT //; lia.
Qed.

(** *** Tiles: every column set that is counted is in one *)
Section Tiles.
Variables h side : nat.
Hypothesis side0 : 0 < side.

Lemma sum_steps m (F : nat -> nat) : (forall i, m <= i -> F i = 0) ->
  \sum_(a <- steps side m) \sum_(r <- iota 0 side) F (a + r) = \sum_(i <- iota 0 m) F i.
Proof.
rewrite /steps big_map; under eq_bigr do rewrite mulnC; rewrite -sum_rows; apply: sum_below.
by have := divn_eq (m + side.-1) side; have := ltn_pmod (m + side.-1) side0; lia.
Qed.
Lemma sum_quarters m (F : nat -> nat -> nat) :
  \sum_(p <- by_quarters m) F p.1 p.2 = \sum_(i <- iota 0 (2 ^ m)) \sum_(j <- iota 0 (2 ^ m)) F i j.
Proof.
elim: m F => [|m IH] F; first by rewrite /= !big_seq1.
rewrite /= !big_cat !big_map /= !(IH (fun i j => F (_ + i) (_ + j))) expnS mul2n -addnn sum_iotaD addnA.
by congr (_ + _); rewrite -big_split; apply: eq_bigr => i _; rewrite sum_iotaD.
Qed.
Lemma sum_square (F : nat -> nat -> nat) :
  \sum_(p <- by_quarters (up_log 2 side) | (p.1 < side) && (p.2 < side)) F p.1 p.2 =
  \sum_(i <- iota 0 side) \sum_(j <- iota 0 side) F i j.
Proof.
have up := up_logP side (isT : 1 < 2); pose G i j := if (i < side) && (j < side) then F i j else 0.
rewrite big_mkcond (sum_quarters _ G) (sum_below up) => [|i le]; last by rewrite big1 // /G ltnNge le.
apply: eq_iota => i li; rewrite (sum_below up) /G li => [|j]; last by rewrite leqNgt; case: ltnP.
by apply: eq_iota => j ->.
Qed.

Theorem sum_tiles kd (F : nat -> nat -> nat -> nat) : (forall t i j, counted_for h kd t i j = 0 -> F t i j = 0) ->
  \sum_(tile <- tiles h side kd) \sum_(p <- column_sets h side kd tile) F tile.1.1 p.1 p.2 =
  \sum_(t <- tiers h kd) \sum_(i <- iota 0 'C(h, t)) \sum_(j <- iota 0 'C(h, t)) F t i j.
Proof.
move=> F0; rewrite big_filter big_mkcond big_allpairs_dep /=; apply: eq_bigr => t _.
rewrite big_allpairs /=; set m := 'C(h, t).
pose G i j := if [&& i < m, j < m & 0 < counted_for h kd t i j] then F t i j else 0.
transitivity (\sum_(a <- steps side m) \sum_(r <- iota 0 side)
              \sum_(d <- steps side m) \sum_(c <- iota 0 side) G (a + r) (d + c)).
  apply: eq_bigr => a _; rewrite exchange_big; apply: eq_bigr => d _.
  transitivity (\sum_(p <- column_sets h side kd (t, a, d)) F t p.1 p.2).
    by case: nilP => //= ->; rewrite big_nil.
  by rewrite big_filter big_map big_filter_cond big_mkcondr (sum_square (fun r c => G (a + r) (d + c))).
rewrite (sum_steps (F := fun i => \sum_(d <- _) \sum_(c <- _) G i (d + c))) => [|i le]; last first.
  by rewrite big1 // => d _; rewrite big1 // => c _; rewrite /G ltnNge le.
apply: eq_iota => i li; rewrite (sum_steps (F := G i)) => [|j le]; last by rewrite /G [j < m]ltnNge le andbF.
by apply: eq_iota => j lj; rewrite /G li lj /=; case: posnP => // /F0.
Qed.
End Tiles.
