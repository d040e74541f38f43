(** Subsets by their numbers (section 8): numbers as lists of bits, the sets of a size, and members
    of a list. *)
From Queens Require Export lists.
(** *** Masks, from the lowest bit *)
Lemma size_mask_of h m : size (mask_of h m) = h. Proof. by elim: h m => //= h IH m; rewrite IH. Qed.
Lemma mask_ofK h m : m < 2 ^ h -> of_mask (mask_of h m) = m.
Proof. by elim: h m => [[]|h IH m] //=; rewrite expnS => lt; rewrite IH ?odd_double_half //; lia. Qed.
Lemma of_maskK bs : mask_of (size bs) (of_mask bs) = bs.
Proof. by elim: bs => //= b bs IH; rewrite oddD odd_double addbF oddb half_bit_double IH. Qed.
Lemma of_mask_lt bs : of_mask bs < 2 ^ size bs.
Proof. by elim: bs => //= b bs IH; rewrite expnS; case: b => /=; lia. Qed.
Lemma of_mask_compl bs : of_mask (map negb bs) = 2 ^ size bs - 1 - of_mask bs.
Proof. by elim: bs => //= b bs IH; have := of_mask_lt bs; rewrite expnS IH; case: b => /=; lia. Qed.
Lemma mask_of_compl h m : m < 2 ^ h -> mask_of h (2 ^ h - 1 - m) = map negb (mask_of h m).
Proof. by move=> lt; rewrite -[RHS]of_maskK of_mask_compl mask_ofK // size_map size_mask_of. Qed.
Lemma popcount_le h m : popcount h m <= h.
Proof. by rewrite -[X in _ <= X](size_mask_of h m) count_size. Qed.
Lemma popcount_compl h m : m < 2 ^ h -> popcount h (2 ^ h - 1 - m) = h - popcount h m.
Proof. by move=> lt; rewrite /popcount mask_of_compl // count_map -[X in X - _](size_mask_of h m)
  -(count_predC id) addKn. Qed.
(** The highest bit. *)
Lemma popcount_top (b : bool) h m : m < 2 ^ h -> popcount h.+1 (b * 2 ^ h + m) = b + popcount h m.
Proof. have popcountS p j : popcount p.+1 j = odd j + popcount p j./2 by [].
elim: h m => [[]|h IH m]; rewrite ?expnS //; first by case: b.
move=> lt; rewrite popcountS [in RHS]popcountS addnCA -IH; last by lia.
by congr (nat_of_bool _ + popcount _ _); clear; case: b; lia. Qed.
(** *** Numbers of subsets *)
Theorem subsets places size :
  [seq set_of_number i size places | i <- iota 0 'C(places, size)] = sets_of places size.
Proof. elim: places size => [|p IH] s; first by case: s => [|s]; rewrite /sets_of ?bin0n.
have -> : sets_of p.+1 s =
  sets_of p s ++ [seq 2 ^ p + m | m <- iota 0 (2 ^ p) & (popcount p m).+1 == s].
  rewrite /sets_of expnS mul2n -addnn iotaD filter_cat add0n [X in _ ++ filter _ X]iotaE filter_map.
  congr (_ ++ _); [|congr map]; apply: eq_in_filter => m; rewrite mem_iota => /andP [_ lt];
    first by have := popcount_top false lt => /= ->.
  by have := popcount_top true lt; rewrite mul1n /= => ->.
case: s => [|s]; first by rewrite (@eq_filter _ _ pred0) // filter_pred0 cats0 -IH !bin0.
rewrite -[filter _ _]/(sets_of p s) -!IH binS iotaD map_cat [iota (0 + _) _]iotaE -!map_comp;
  congr (_ ++ _).
  by apply/eq_in_map => i; rewrite mem_iota => /andP [_ lt] /=; rewrite leqNgt lt.
by apply: eq_map => i /=; rewrite leq_addr addKn. Qed.
Lemma size_sets h t : size (sets_of h t) = 'C(h, t).
Proof. by rewrite -subsets size_map size_iota. Qed.
Lemma nth_sets h t i : i < 'C(h, t) -> set_of_number i t h = nth 0 (sets_of h t) i.
Proof. by move=> lt; rewrite -subsets (nth_map 0) ?size_iota // nth_iota. Qed.
Lemma mem_sets h t m : (m \in sets_of h t) = (m < 2 ^ h) && (popcount h m == t).
Proof. by rewrite mem_filter mem_iota andbC. Qed.
Lemma set_of_number_in h t i : i < 'C(h, t) ->
  set_of_number i t h < 2 ^ h /\ popcount h (set_of_number i t h) = t.
Proof. move=> lt; have :
  set_of_number i t h \in sets_of h t by rewrite nth_sets // mem_nth // size_sets.
by rewrite mem_sets => /andP [? /eqP]. Qed.
(** All sets, size by size. *)
Lemma sum_sizes h F : \sum_(m <- iota 0 (2 ^ h)) F m =
  \sum_(t <- iota 0 h.+1) \sum_(m <- sets_of h t) F m.
Proof. under [RHS]eq_bigr do rewrite big_filter; rewrite [RHS](exchange_big_dep predT) //;
  apply: eq_bigr => m _.
by rewrite sum_iota (big_pred1 (Ordinal (popcount_le h m : _ < h.+1))) // => t; exact: eq_sym. Qed.
(** The number of a set, and complements, which reverse the order. *)
Lemma number_lt h m : m < 2 ^ h -> number_of h m < 'C(h, popcount h m).
Proof. by move=> lt; rewrite -size_sets index_mem mem_sets lt /=. Qed.
Lemma number_of_set h t i : i < 'C(h, t) -> number_of h (set_of_number i t h) = i.
Proof. by move=> lt; rewrite /number_of (set_of_number_in lt).2 nth_sets // index_uniq ?size_sets //
  filter_uniq ?iota_uniq. Qed.
Lemma set_number h m : m < 2 ^ h -> set_of_number (number_of h m) (popcount h m) h = m.
Proof. by move=> lt; rewrite nth_sets ?number_lt // nth_index // mem_sets lt /=. Qed.
Theorem complements h t i : i < 'C(h, t) ->
  set_of_number ('C(h, t) - 1 - i) (h - t) h = 2 ^ h - 1 - set_of_number i t h.
Proof. move=> lt; have th : t <= h by rewrite -bin_gt0; lia.
have e : sets_of h (h - t) = rev [seq 2 ^ h - 1 - m | m <- sets_of h t].
  rewrite /sets_of -{1}rev_iota filter_rev filter_map; congr (rev (map _ _));
    apply: eq_in_filter => m.
  by rewrite mem_iota => /andP [_ lm] /=; rewrite popcount_compl //; have := popcount_le h m; lia.
rewrite !nth_sets ?bin_sub //; last by lia.
by rewrite e nth_rev ?(nth_map 0) ?size_map ?size_sets; [congr (_ - nth _ _ _) | |]; lia. Qed.
Lemma number_compl h m : m < 2 ^ h -> number_of h (2 ^ h - 1 - m) =
  'C(h, popcount h m) - 1 - number_of h m.
Proof. move=> lt; have li := number_lt lt.
by rewrite -{1}(set_number lt) -complements // number_of_set // bin_sub ?popcount_le //; lia. Qed.
(** *** Members of a list that a set picks *)
Section Pick. Variable T : finType. Implicit Types (s : seq T) (C : {set T}).
Lemma pick_sub s m x : x \in pick s m -> x \in s. Proof. exact: mem_mask. Qed.
Lemma size_pick s m : size (pick s m) = popcount (size s) m.
Proof. by rewrite size_mask ?size_mask_of. Qed.
Lemma pick_compl s m x : uniq s -> m < 2 ^ size s ->
  (x \in pick s (2 ^ size s - 1 - m)) = (x \in s) && (x \notin pick s m).
Proof. move=> us lt; rewrite /pick mask_of_compl // !in_mask //; case xs: (x \in s);
  rewrite //= (nth_map false) //. by rewrite size_mask_of index_mem. Qed.
Lemma pick_coord s C : pick s (coord s C) = [seq x <- s | x \in C].
Proof. by rewrite /pick -[X in mask_of X _](size_map (mem C)) of_maskK filter_mask. Qed.
Lemma coord_compl s C C' : {in s, forall x, (x \in C') = (x \notin C)} ->
  coord s C' = 2 ^ size s - 1 - coord s C.
Proof. by move=> /eq_in_map e; rewrite /coord e (map_comp negb (mem C)) of_mask_compl size_map. Qed.
Lemma mem_masked bs s : uniq s -> size bs = size s -> [seq x \in mask bs s | x <- s] = bs.
Proof. case: s => [|x s] us sz; [by case: bs sz | apply: (@eq_from_nth _ false)];
  rewrite size_map // => i lt. by rewrite (nth_map x) // in_mask // mem_nth // index_uniq. Qed.
End Pick.
