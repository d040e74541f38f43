(** Subsets by their numbers (section 8): numbers as lists of bits, the sets of a size, and members of a list. *)
From Queens Require Export lists.

(** *** Bits, from the lowest *)
Definition bits_in h m := [seq bit m i | i <- iota 0 h].
Fixpoint of_bits (bs : seq bool) := if bs is b :: bs' then b + (of_bits bs').*2 else 0.

Lemma size_bits h m : size (bits_in h m) = h. Proof. by rewrite size_map size_iota. Qed.
Lemma bits_inS h m : bits_in h.+1 m = odd m :: bits_in h m./2.
Proof.
rewrite /bits_in /= {1}/bit divn1 -[1]addn0 iotaDl -map_comp; congr (_ :: _); apply: eq_map => i.
by rewrite /= /bit expnS divnMA divn2.
Qed.
Lemma bits_inK h m : m < 2 ^ h -> of_bits (bits_in h m) = m.
Proof.
elim: h m => [[]|h IH m] //; rewrite expnS => lt; rewrite bits_inS /= IH ?odd_double_half //; lia.
Qed.
Lemma of_bitsK bs : bits_in (size bs) (of_bits bs) = bs.
Proof. by elim: bs => // b bs IH; rewrite bits_inS /= oddD odd_double addbF oddb half_bit_double IH. Qed.
Lemma of_bits_lt bs : of_bits bs < 2 ^ size bs.
Proof. by elim: bs => //= b bs IH; rewrite expnS; case: b => /=; lia. Qed.
Lemma of_bits_compl bs : of_bits (map negb bs) = 2 ^ size bs - 1 - of_bits bs.
Proof. by elim: bs => //= b bs IH; have := of_bits_lt bs; rewrite expnS IH; case: b => /=; lia. Qed.
Lemma bits_compl h m : m < 2 ^ h -> bits_in h (2 ^ h - 1 - m) = map negb (bits_in h m).
Proof. by move=> lt; rewrite -[RHS]of_bitsK of_bits_compl bits_inK // size_map size_bits. Qed.

Lemma popcountE h m : popcount h m = count id (bits_in h m). Proof. by rewrite count_map. Qed.
Lemma popcount_le h m : popcount h m <= h.
Proof. by rewrite popcountE -[X in _ <= X](size_bits h m) count_size. Qed.
Lemma popcount_compl h m : m < 2 ^ h -> popcount h (2 ^ h - 1 - m) = h - popcount h m.
Proof.
by move=> lt; rewrite !popcountE bits_compl // count_map -[X in X - _](size_bits h m) -(count_predC id) addKn.
Qed.
(** The highest bit. *)
Lemma popcount_top h m (b : bool) : m < 2 ^ h -> popcount h.+1 (b * 2 ^ h + m) = b + popcount h m.
Proof.
have popcountS p j : popcount p.+1 j = odd j + popcount p j./2 by rewrite !popcountE bits_inS.
elim: h m => [[]|h IH m]; rewrite ?expnS //; first by case: b.
move=> lt; rewrite popcountS [in RHS]popcountS addnCA -IH; last by lia.
by congr (nat_of_bool _ + popcount _ _); clear; case: b; lia.
Qed.

(** *** Numbers of subsets *)
Lemma sets_ofS p s : sets_of p.+1 s = sets_of p s ++ (if s is s'.+1 then [seq 2 ^ p + m | m <- sets_of p s'] else [::]).
Proof.
have top (b : bool) : {in iota 0 (2 ^ p), forall m, popcount p.+1 (b * 2 ^ p + m) = b + popcount p m}.
  by move=> m; rewrite mem_iota => /andP [_ lt]; exact: popcount_top.
rewrite /sets_of expnS mul2n -addnn iotaD filter_cat add0n -[X in _ ++ filter _ (iota X _)]addn0 iotaDl filter_map.
congr (_ ++ _); first by apply: eq_in_filter => m /(top false) /= ->.
case: s => [|s]; last by congr map; apply: eq_in_filter => m /(top true); rewrite mul1n /= => ->.
by rewrite (eq_in_filter (a2 := pred0)) ?filter_pred0 // => m /(top true); rewrite mul1n /= => ->.
Qed.
Theorem subsets : Subsets.
Proof.
elim=> [|p IH] s; first by case: s => [|s]; rewrite /sets_of ?bin0n.
rewrite sets_ofS -!IH; case: s => [|s]; first by rewrite !bin0 cats0.
rewrite binS iotaD map_cat add0n; congr (_ ++ _).
  by apply/eq_in_map => i; rewrite mem_iota => /andP [_ lt] /=; rewrite leqNgt lt.
rewrite -[X in iota X]addn0 iotaDl -[in RHS]IH -!map_comp; apply: eq_map => i /=.
by rewrite leq_addr addKn.
Qed.
Lemma size_sets h t : size (sets_of h t) = 'C(h, t).
Proof. by rewrite -subsets size_map size_iota. Qed.
Lemma nth_sets h t i : i < 'C(h, t) -> set_of_number i t h = nth 0 (sets_of h t) i.
Proof. by move=> lt; rewrite -subsets (nth_map 0) ?size_iota // nth_iota. Qed.
Lemma sum_sets h t (F : nat -> nat) :
  \sum_(i <- iota 0 'C(h, t)) F (set_of_number i t h) = \sum_(m <- sets_of h t) F m.
Proof. by rewrite -subsets big_map. Qed.
Lemma mem_sets h t m : (m \in sets_of h t) = (m < 2 ^ h) && (popcount h m == t).
Proof. by rewrite mem_filter mem_iota andbC. Qed.
Lemma set_of_number_in h t i : i < 'C(h, t) ->
  set_of_number i t h < 2 ^ h /\ popcount h (set_of_number i t h) = t.
Proof.
move=> lt; have : set_of_number i t h \in sets_of h t by rewrite nth_sets // mem_nth // size_sets.
by rewrite mem_sets => /andP [? /eqP].
Qed.
(** All sets, size by size. *)
Lemma sum_sizes h (F : nat -> nat) :
  \sum_(m <- iota 0 (2 ^ h)) F m = \sum_(t <- iota 0 h.+1) \sum_(m <- sets_of h t) F m.
Proof.
under [RHS]eq_bigr do rewrite big_filter; rewrite [RHS](exchange_big_dep predT) //; apply: eq_bigr => m _.
rewrite sum_iota (big_pred1 (Ordinal (popcount_le h m : popcount h m < h.+1))) // => t.
exact: eq_sym.
Qed.

(** The number of a set, and complements, which reverse the order. *)
Definition number_of h m := index m (sets_of h (popcount h m)).
Lemma number_lt h m : m < 2 ^ h -> number_of h m < 'C(h, popcount h m).
Proof. by move=> lt; rewrite -size_sets index_mem mem_sets lt /=. Qed.
Lemma number_of_set h t i : i < 'C(h, t) -> number_of h (set_of_number i t h) = i.
Proof.
move=> lt; have [_ e] := set_of_number_in lt.
by rewrite /number_of e nth_sets // index_uniq ?size_sets // filter_uniq ?iota_uniq.
Qed.
Lemma set_number h m : m < 2 ^ h -> set_of_number (number_of h m) (popcount h m) h = m.
Proof. by move=> lt; rewrite nth_sets ?number_lt // nth_index // mem_sets lt /=. Qed.
Lemma iota_compl m : iota 0 m = rev [seq m - 1 - i | i <- iota 0 m].
Proof.
apply: (@eq_from_nth _ 0) => [|i]; rewrite ?size_rev ?size_map size_iota // => lt.
by rewrite nth_rev ?(nth_map 0) ?size_map ?size_iota ?nth_iota //; lia.
Qed.
Theorem complements : Complements.
Proof.
move=> h t i lt; have th : t <= h by rewrite -bin_gt0; lia.
have e : sets_of h (h - t) = rev [seq 2 ^ h - 1 - m | m <- sets_of h t].
  rewrite /sets_of {1}iota_compl filter_rev filter_map; congr (rev (map _ _)); apply: eq_in_filter => m.
  by rewrite mem_iota => /andP [_ lm] /=; rewrite popcount_compl //; have := popcount_le h m; lia.
rewrite !nth_sets ?bin_sub //; last by lia.
by rewrite e nth_rev ?(nth_map 0) ?size_map ?size_sets; [congr (_ - nth _ _ _) | |]; lia.
Qed.
Lemma number_compl h m : m < 2 ^ h -> number_of h (2 ^ h - 1 - m) = 'C(h, popcount h m) - 1 - number_of h m.
Proof.
move=> lt; have li := number_lt lt; rewrite -{1}(set_number lt) -complements // number_of_set //.
by rewrite bin_sub ?popcount_le //; lia.
Qed.

(** *** Members of a list that a set picks *)
Section Pick.
Variable T : finType.
Implicit Types (s : seq T) (C : {set T}).

Lemma pickE s m : pick s m = mask (bits_in (size s) m) s.
Proof. by elim: s m => // x s IH m; rewrite [size _]/= bits_inS /= IH; case: odd. Qed.
Lemma pick_sub s m x : x \in pick s m -> x \in s.
Proof. by rewrite pickE; exact: mem_mask. Qed.
Lemma pick_uniq s m : uniq s -> uniq (pick s m).
Proof. by move=> us; rewrite pickE mask_uniq. Qed.
Lemma size_pick s m : size (pick s m) = popcount (size s) m.
Proof. by rewrite pickE popcountE size_mask // size_bits. Qed.
Lemma mask_compl bs s x : uniq s -> size bs = size s ->
  (x \in mask (map negb bs) s) = (x \in s) && (x \notin mask bs s).
Proof. by move=> us sz; rewrite !in_mask //; case xs: (x \in s); rewrite //= (nth_map false) // sz index_mem. Qed.
Lemma pick_compl s m x : uniq s -> m < 2 ^ size s ->
  (x \in pick s (2 ^ size s - 1 - m)) = (x \in s) && (x \notin pick s m).
Proof. by move=> us lt; rewrite !pickE bits_compl // mask_compl // size_bits. Qed.
(** The set that picks the members of another. *)
Definition coord s C := of_bits [seq x \in C | x <- s].
Lemma coord_lt s C : coord s C < 2 ^ size s.
Proof. by have := of_bits_lt [seq x \in C | x <- s]; rewrite size_map. Qed.
Lemma pick_coord s C : pick s (coord s C) = [seq x <- s | x \in C].
Proof. by rewrite pickE -[X in bits_in X _](size_map (mem C)) of_bitsK filter_mask. Qed.
Lemma popcount_coord s C : popcount (size s) (coord s C) = count (mem C) s.
Proof. by rewrite -size_pick pick_coord size_filter. Qed.
Lemma coord_compl s C C' : {in s, forall x, (x \in C') = (x \notin C)} -> coord s C' = 2 ^ size s - 1 - coord s C.
Proof. by move=> /eq_in_map e; rewrite /coord e (map_comp negb (mem C)) of_bits_compl size_map. Qed.
Lemma bits_mask bs s : uniq s -> size bs = size s -> [seq x \in mask bs s | x <- s] = bs.
Proof.
move=> us sz; apply: (@eq_from_nth _ false); rewrite size_map // => i lt.
have x : T by case: s lt us sz => [|x].
by rewrite (nth_map x) // in_mask // mem_nth // index_uniq.
Qed.
Lemma sum_pick s (F : {set T} -> nat) : uniq s ->
  \sum_(C : {set T} | C \subset set_of s) F C = \sum_(m <- iota 0 (2 ^ size s)) F (set_of (pick s m)).
Proof.
move=> us; rewrite sum_iota.
rewrite (reindex_onto (fun m : 'I__ => set_of (pick s m)) (fun C => Ordinal (coord_lt s C))) /= => [|C /subsetP sC].
  apply: eq_bigl => m; rewrite -val_eqE /= /coord (eq_map (in_set _)) pickE bits_mask ?size_bits // bits_inK //.
  by rewrite eqxx andbT; apply/subsetP => x; rewrite !inE; exact: mem_mask.
by apply/setP => x; rewrite inE pick_coord mem_filter andb_idr // => /sC; rewrite inE.
Qed.
End Pick.
