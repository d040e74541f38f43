(** Column sets by two subsets, and tiles (section 8). *)
From Queens Require Export numbers.
(** *** Column sets of a list of 2h columns *)
Section Columns. Variables (T : finType) (h : nat) (s : seq T).
Hypotheses (us : uniq s) (ss : size s = 2 * h). Implicit Types C : {set T}.
Notation left := (take h s). Notation right := (rev (drop h s)). Notation on_top := (on_top h s).
Notation a_of := (a_of h s). Notation d_of := (d_of h s).
Lemma size_left : size left = h. Proof. by rewrite size_take ss; case: ltnP; lia. Qed.
Lemma size_right : size right = h. Proof. by rewrite size_rev size_drop ss; lia. Qed.
Lemma left_or_right x : (x \in s) = (x \in left) || (x \in right).
Proof. by rewrite mem_rev -mem_cat cat_take_drop. Qed.
Lemma uniq_sides : uniq (left ++ right).
Proof. by rewrite -(perm_uniq (s1 := s)) // -{1}(cat_take_drop h s) perm_cat2l perm_sym perm_rev.
Qed.
Lemma uniq_right : uniq right. Proof. rewrite rev_uniq; exact: drop_uniq. Qed.
Lemma left_not_right x : x \in left -> x \in right -> False.
Proof. by move: uniq_sides; rewrite cat_uniq => /and3P [_ /hasPn d _] xl /d; rewrite /= xl. Qed.
Lemma lt_a C : a_of C < 2 ^ h.
Proof. by rewrite -[X in 2 ^ X]size_left -(size_map (mem C)); exact: of_mask_lt. Qed.
Lemma lt_right C : coord right C < 2 ^ h.
Proof. by rewrite -[X in 2 ^ X]size_right -(size_map (mem C)); exact: of_mask_lt. Qed.
Lemma lt_d C : d_of C < 2 ^ h. Proof. by have := lt_right C; rewrite /d_of; lia. Qed.
Lemma size_masks a d : size (mask_of h a ++ mask_of h d) = size (left ++ right).
Proof. by rewrite !size_cat !size_mask_of size_left size_right. Qed.
Lemma on_topE a d : on_top a d = mask (mask_of h a ++ mask_of h (2 ^ h - 1 - d)) (left ++ right).
Proof. by rewrite mask_cat ?size_mask_of ?size_left // /on_top /pick size_left size_right. Qed.
Lemma ad_top a d : a < 2 ^ h -> d < 2 ^ h -> a_of (set_of (on_top a d)) =
  a /\ d_of (set_of (on_top a d)) = d.
Proof. move=> la ld; rewrite /a_of /d_of /coord !(eq_map (in_set _)) on_topE.
have /eqP := mem_masked uniq_sides (size_masks a (2 ^ h - 1 - d)).
rewrite map_cat eqseq_cat ?size_map ?size_mask_of ?size_left // => /andP [/eqP -> /eqP ->].
by rewrite !mask_ofK; lia. Qed.
Lemma top_ad C : C \subset set_of s -> set_of (on_top (a_of C) (d_of C)) = C.
Proof. move=> /subsetP sC; have lt := lt_right C; apply/setP => x;
  rewrite inE mem_cat /a_of /d_of subKn; last by lia.
by rewrite !pick_coord !mem_filter -andb_orr -left_or_right andb_idr // => /sC; rewrite inE. Qed.
(** Sets of h columns are those of equal tiers. *)
Lemma card_columns a d : a < 2 ^ h -> d < 2 ^ h -> (#|set_of (on_top a d)| == h) =
  (popcount h d == popcount h a).
Proof. move=> la ld; rewrite cardsE on_topE (card_uniqP (mask_uniq uniq_sides _)) size_mask
  ?size_masks // count_cat.
by rewrite -!/(popcount _ _) popcount_compl //; have := popcount_le h d; lia. Qed.
Theorem sum_column_sets (F : {set T} -> nat) :
  \sum_(C : {set T} | (C \subset set_of s) && (#|C| == h)) F C =
  \sum_(t <- iota 0 h.+1) \sum_(i <- iota 0 'C(h, t)) \sum_(j <- iota 0 'C(h, t))
    F (set_of (on_top (set_of_number i t h) (set_of_number j t h))).
Proof. transitivity (\sum_(a <- iota 0 (2 ^ h)) \sum_(d <- sets_of h (popcount h a)) F
  (set_of (on_top a d))); last first.
  rewrite sum_sizes; apply: eq_bigr => t _; rewrite -subsets big_map;
    apply: eq_iota => i /set_of_number_in [_ ->]. by rewrite -subsets big_map.
under [RHS]eq_bigr do rewrite big_filter sum_iota; rewrite sum_iota pair_big_dep /=.
rewrite (reindex_onto (fun p : 'I_(2 ^ h) * 'I_(2 ^ h) => set_of (on_top p.1 p.2))
  (fun C => (Ordinal (lt_a C), Ordinal (lt_d C)))) /= => [|C /andP [/top_ad //]].
apply: eq_bigl => -[a d]; have [ea ed] := ad_top (ltn_ord a) (ltn_ord d).
rewrite card_columns // xpair_eqE -!val_eqE /= ea ed !eqxx !andbT andb_idl // => _;
  apply/subsetP => x. by rewrite !inE on_topE left_or_right -mem_cat; exact: mem_mask. Qed.
(** What complements make of a and d, and mirror images. *)
Lemma compl_ad C C' : {in s, forall x, (x \in C') = (x \notin C)} ->
  (a_of C' = 2 ^ h - 1 - a_of C) * (d_of C' = 2 ^ h - 1 - d_of C).
Proof. move=> e; rewrite /a_of /d_of !(@coord_compl _ _ C C') ?size_left ?size_right // => x xs;
  by rewrite e // left_or_right xs ?orbT. Qed.
Lemma on_bottomE a d : a < 2 ^ h -> d < 2 ^ h ->
  set_of (pick left (2 ^ h - 1 - a) ++ pick right d) = set_of s :\: set_of (on_top a d).
Proof. move=> la ld; have [ea ed] := ad_top la ld; set C := set_of (on_top a d) in ea ed *.
have c : {in s, forall x, (x \in set_of s :\: C) = (x \notin C)} by move=> x xs;
  rewrite !inE xs andbT.
by rewrite -[RHS]top_ad ?subsetDl // !(compl_ad c) ea ed /on_top subKn //; lia. Qed.
Lemma mirror_ad (g : T -> T) C C' : map g s = rev s -> {in s, forall x, (x \in C') = (g x \in C)} ->
  (a_of C' = 2 ^ h - 1 - d_of C) * (d_of C' = 2 ^ h - 1 - a_of C).
Proof. move=> gs e; have := lt_right C;
  have {}e : [seq x \in C' | x <- s] = rev [seq x \in C | x <- s].
  by rewrite -map_rev -gs -map_comp; apply/eq_in_map.
rewrite /a_of /d_of /coord !map_rev !map_take !map_drop e take_rev drop_rev revK size_map ss.
by rewrite (_ : 2 * h - h = h) => [lt|]; [split; lia | lia]. Qed.
End Columns.
(** *** The images of a column set are counted for as many as they are *)
Section Counted. Variables h t i j : nat. Notation last := ('C(h, t) - 1).
Hypotheses (th : t <= h) (li : i < 'C(h, t)) (lj : j < 'C(h, t)).
Theorem counted_flip : counted_for h Flip t i j +
  counted_for h Flip (h - t) (last - i) (last - j) = 2.
Proof. rewrite /counted_for bin_sub // !subKn /least /= ?inE ?(eqseq_cons, eqxx); try lia.
by do ?case: ifP => ? /=; lia. Qed.
Theorem counted_all : counted_for h All t i j + counted_for h All (h - t) (last - j) (last - i) +
  counted_for h All (h - t) (last - i) (last - j) + counted_for h All t j i = 4.
Proof. rewrite /counted_for bin_sub // !subKn; try lia.
by apply: (@least_sum 3 (h + 'C(h, t)).+1); rewrite /= ?(eqseq_cons, eqxx); lia. Qed.
End Counted.
(** *** Tiles: every column set that is counted is in one *)
Section Tiles. Variables h side : nat. Hypothesis side0 : 0 < side.
Lemma sum_steps m (F : nat -> nat) :
  \sum_(a <- steps side m) \sum_(r <- iota 0 side | a + r < m) F (a + r) = \sum_(i <- iota 0 m) F i.
Proof. rewrite /steps big_map; under eq_bigr do rewrite mulnC; rewrite -(sum_rows side _ (gtn m));
  apply: sum_below.
by have := divn_eq (m + side.-1) side; have := ltn_pmod (m + side.-1) side0; lia. Qed.
Lemma sum_quarters m P P' F : \sum_(p <- by_quarters m | P p.1 && P' p.2) F p.1 p.2 =
  \sum_(i <- iota 0 (2 ^ m) | P i) \sum_(j <- iota 0 (2 ^ m) | P' j) F i j.
Proof. elim: m P P' F => [|m IH] P P' F.
  by rewrite !big_cons !big_nil; case: (P 0) => /=; rewrite ?big_cons ?big_nil ?addn0.
have {}IH r c := IH (fun i => P (r + i)) (fun j => P' (c + j)) (fun i j => F (r + i) (c + j)).
rewrite /= !big_cat !big_map /= !IH expnS mul2n -addnn sum_iotaD addnA.
by congr (_ + _); rewrite -big_split; apply: eq_bigr => i _; rewrite sum_iotaD. Qed.
Lemma first_chosen kd t i j r c : c < side ->
  0 < counted_for h kd t (side * i + r) (side * j + c) ->
  0 < counted_for h kd t (side * i) (side * j).
Proof. move=> lc; have : side * i + r <= side * j + c -> side * i <= side * j.
  by rewrite leq_mul2l; case: (leqP i j) => [|ji]; rewrite ?orbT // => le;
    have := leq_mul2l side j.+1 i; lia.
by rewrite /counted_for; case: kd => //; rewrite !least_pos /=; lia. Qed.
Theorem sum_tiles kd (F : nat -> nat -> nat -> nat) :
  (forall t i j, counted_for h kd t i j = 0 -> F t i j = 0) ->
  \sum_(tile <- tiles h side kd) \sum_(p <- column_sets h side kd tile) F tile.1.1 p.1 p.2 =
  \sum_(t <- iota 0 h.+1) \sum_(i <- iota 0 'C(h, t)) \sum_(j <- iota 0 'C(h, t)) F t i j.
Proof. move=> F0; rewrite big_filter big_mkcond big_allpairs_dep /=; apply: eq_bigr => t _.
rewrite big_allpairs /=; set m := 'C(h, t); have up := up_logP side (isT : 1 < 2).
transitivity (\sum_(a <- steps side m) \sum_(r <- iota 0 side | a + r < m) \sum_(d <- steps side m)
  \sum_(c <- iota 0 side | d + c < m) F t (a + r) (d + c)); last first.
  rewrite (sum_steps m (fun i => \sum_(d <- steps side m) \sum_(c <- iota 0 side | d + c < m) F t i
    (d + c))). by apply: eq_bigr => i _; exact: sum_steps.
apply: eq_big_seq => a /mapP [i _ ea]; rewrite exchange_big; apply: eq_big_seq => d /mapP [j _ ed].
rewrite -(filter_iota_ltn 0 up) add0n [RHS]big_filter_cond;
  under [RHS]eq_bigr do rewrite big_filter_cond.
rewrite -(sum_quarters _ (fun r => (r < side) && (a + r < m)) (fun c => (c < side) && (d + c < m))
  (fun r c => F t (a + r) (d + c))).
transitivity (\sum_(p <- column_sets h side kd (t, a, d)) F t p.1 p.2).
  case: posnP => // no; apply/esym/big1_seq => p /=.
  rewrite mem_filter => /andP [/and3P [_ _ pos] /mapP [[r c] + e]]; move: pos no.
  by rewrite e mem_filter ea ed => pos no /andP [/andP [_ /first_chosen /(_ pos)]]; rewrite no.
rewrite big_filter big_map big_filter_cond big_mkcond [RHS]big_mkcond;
  apply: eq_bigr => -[r c] _ /=.
by rewrite andbACA -!andbA; case: posnP => [/F0 -> | _]; rewrite ?andbT ?if_same. Qed.
End Tiles.
