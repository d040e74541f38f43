(** Subsets by their numbers, column sets by two subsets, and tiles (section 8). *)
From Queens Require Export lists.

(** *** Bits *)
Lemma bit0 m : bit m 0 = odd m. Proof. by rewrite /bit expn0 divn1. Qed.
Lemma bitS m i : bit m i.+1 = bit m./2 i. Proof. by rewrite /bit expnS divnMA divn2. Qed.
(** The lowest bit, and the highest. *)
Lemma popcountS h m : popcount h.+1 m = odd m + popcount h m./2.
Proof.
rewrite /popcount /= bit0; congr (_ + _).
by rewrite -[1]/(1 + 0) iotaDl count_map; apply: eq_count => i /=; rewrite add1n bitS.
Qed.
Lemma popcount_low h m : m < 2 ^ h -> popcount h.+1 m = popcount h m.
Proof. by move=> lt; rewrite /popcount -[h.+1]addn1 iotaD count_cat /= /bit divn_small // !addn0. Qed.
Lemma popcount_high h m : m < 2 ^ h -> popcount h.+1 (2 ^ h + m) = (popcount h m).+1.
Proof.
move=> lt; rewrite /popcount -[h.+1]addn1 iotaD count_cat /= addn0 add0n -[RHS]addn1; congr (_ + _); last first.
  by rewrite /bit divnDl // divnn expn_gt0 divn_small.
apply: eq_in_count => i; rewrite mem_iota => /andP [_ ih]; rewrite /bit.
have -> : 2 ^ h = 2 ^ (h - i).-1 * 2 * 2 ^ i by rewrite -expnSr -expnD; congr (2 ^ _); lia.
by rewrite divnMDl ?expn_gt0 // oddD oddM andbF.
Qed.
Lemma popcount_le h m : popcount h m <= h.
Proof. by rewrite /popcount (leq_trans (count_size _ _)) ?size_iota. Qed.
Lemma popcount_compl h m : m < 2 ^ h -> popcount h (2 ^ h - 1 - m) = h - popcount h m.
Proof.
elim: h m => [|h IH] m //; rewrite expnS => lt; have ltm : m./2 < 2 ^ h by lia.
have -> : 2 * 2 ^ h - 1 - m = ~~ odd m + 2 * (2 ^ h - 1 - m./2) by have := odd_double_half m; lia.
rewrite !popcountS oddD mul2n odd_double addbF oddb halfD odd_double andbF add0n doubleK.
have -> : ((~~ odd m) : nat)./2 = 0 by case: odd.
by rewrite add0n IH //; have := popcount_le h m./2; case: (odd m) => /=; lia.
Qed.

(** *** Numbers of subsets *)
Lemma sets_ofS p s : sets_of p.+1 s = sets_of p s ++ (if s is s'.+1 then [seq 2 ^ p + m | m <- sets_of p s'] else [::]).
Proof.
rewrite /sets_of expnS mul2n -addnn iotaD filter_cat add0n; congr (_ ++ _).
  by apply: eq_in_filter => m; rewrite mem_iota => /andP [_ lt]; rewrite popcount_low.
rewrite -[X in iota X]addn0 iotaDl filter_map.
have e : {in iota 0 (2 ^ p), forall m, popcount p.+1 (2 ^ p + m) = (popcount p m).+1}.
  by move=> m; rewrite mem_iota => /andP [_ lt]; exact: popcount_high.
case: s => [|s]; last by congr map; apply: eq_in_filter => m /e /= ->.
by rewrite (eq_in_filter (a2 := pred0)) ?filter_pred0 // => m /e /= ->.
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
(** The number of a set. *)
Definition number_of h m := index m (sets_of h (popcount h m)).
Lemma number_lt h m : m < 2 ^ h -> number_of h m < 'C(h, popcount h m).
Proof. by move=> lt; rewrite -size_sets index_mem mem_sets lt /=. Qed.
Lemma number_of_set h t i : i < 'C(h, t) -> number_of h (set_of_number i t h) = i.
Proof.
move=> lt; have [_ e] := set_of_number_in lt; by rewrite /number_of e nth_sets // index_uniq ?size_sets // filter_uniq ?iota_uniq.
Qed.
Lemma set_number h m : m < 2 ^ h -> set_of_number (number_of h m) (popcount h m) h = m.
Proof. by move=> lt; rewrite nth_sets ?number_lt // nth_index // mem_sets lt /=. Qed.
(** Complements reverse the order. *)
Lemma number_compl h m : m < 2 ^ h -> number_of h (2 ^ h - 1 - m) = 'C(h, popcount h m) - 1 - number_of h m.
Proof.
move=> lt; set t := popcount h m; have th : t <= h by exact: popcount_le.
have e : sets_of h (h - t) = rev [seq 2 ^ h - 1 - m | m <- sets_of h t].
  have -> : sets_of h t = [seq m <- iota 0 (2 ^ h) | popcount h (2 ^ h - 1 - m) == h - t].
    apply: eq_in_filter => m'; rewrite mem_iota => /andP [_ lt']; rewrite popcount_compl //.
    by have := popcount_le h m'; lia.
  rewrite -(filter_map (fun m => 2 ^ h - 1 - m) (fun m => popcount h m == h - t)) -filter_rev; congr filter.
  apply: (@eq_from_nth _ 0) => [|i]; rewrite ?size_rev ?size_map size_iota // => li.
  by rewrite nth_rev ?(nth_map 0) ?size_map ?size_iota ?nth_iota //; lia.
have u : uniq [seq 2 ^ h - 1 - m | m <- sets_of h t].
  by rewrite -rev_uniq -e filter_uniq // iota_uniq.
have li := number_lt lt; rewrite -/t in li.
have sz : size (rev [seq 2 ^ h - 1 - m | m <- sets_of h t]) = 'C(h, t) by rewrite size_rev size_map size_sets.
rewrite {1}/number_of popcount_compl // -/t e -[X in index X](_ : nth 0 (rev [seq 2 ^ h - 1 - m | m <- sets_of h t])
  ('C(h, t) - 1 - number_of h m) = _); first by rewrite index_uniq ?rev_uniq ?sz //; lia.
rewrite nth_rev ?size_map ?size_sets; last by lia.
rewrite (nth_map 0) ?size_sets; last by lia.
by congr (_ - _); rewrite -[RHS](nth_index 0 (s := sets_of h t)) ?mem_sets ?lt /= //; congr nth; rewrite /number_of -/t in li *; lia.
Qed.

(** *** Members of a list that a set picks *)
Lemma sum_double M (F : nat -> nat) :
  \sum_(m <- iota 0 (2 * M)) F m = \sum_(m <- iota 0 M) (F (2 * m) + F (2 * m).+1).
Proof.
elim: M => [|M IH]; first by rewrite !big_nil.
by rewrite mulnS addnC iotaD big_cat IH -[M.+1]addn1 iotaD big_cat /= !add0n !big_cons !big_nil !addn0.
Qed.

Section Pick.
Variable T : finType.
Implicit Types (s : seq T) (C : {set T}).

Lemma sum_pick s (F : {set T} -> nat) : uniq s ->
  \sum_(C : {set T} | C \subset set_of s) F C = \sum_(m <- iota 0 (2 ^ size s)) F (set_of (pick s m)).
Proof.
elim: s F => [|x s IH] F.
  by move=> _; rewrite /= big_seq1 set_of_nil (big_pred1 set0) // => C; rewrite subset0.
rewrite [uniq _]/= => /andP [xs us]; rewrite set_of_cons sum_union; last by rewrite disjoints1 inE.
have one (G : {set T} -> nat) : \sum_(C : {set T} | C \subset [set x]) G C = G set0 + G [set x].
  rewrite (bigD1 set0) ?sub0set //= (bigD1 [set x]) /=; last first.
    by rewrite subxx; apply/eqP => /setP /(_ x); rewrite !inE eqxx.
  rewrite big1 ?addn0 // => C /andP [/andP [c n0] n1]; rewrite subset1 in c.
  by case/orP: c => e; rewrite e in n0 n1.
rewrite one !IH // [size _]/= expnS sum_double -big_split /=; apply: eq_bigr => m _.
by rewrite mul2n /= odd_double /= doubleK uphalf_double set0U set_of_cons.
Qed.
Lemma pick_sub s m x : x \in pick s m -> x \in s.
Proof. by elim: s m => //= y s IH m; case: ifP => _; rewrite !inE; [case/orP => [->//|]|] => /IH ->; rewrite orbT. Qed.
Lemma pick_uniq s m : uniq s -> uniq (pick s m).
Proof.
elim: s m => //= y s IH m /andP [ys us]; case: ifP => _ /=; rewrite ?IH // andbT.
by apply: contra ys; exact: pick_sub.
Qed.
Lemma size_pick s m : size (pick s m) = popcount (size s) m.
Proof. by elim: s m => //= y s IH m; rewrite popcountS -IH; case: odd. Qed.
Lemma pick_compl s m : uniq s -> m < 2 ^ size s -> {in s, forall x, (x \in pick s (2 ^ size s - 1 - m)) = (x \notin pick s m)}.
Proof.
elim: s m => [|y s IH] m //; rewrite [uniq _]/= => /andP [ys us]; rewrite [size _]/= expnS => lt x.
have ltm : m./2 < 2 ^ size s by lia.
have -> : 2 * 2 ^ size s - 1 - m = ~~ odd m + 2 * (2 ^ size s - 1 - m./2) by have := odd_double_half m; lia.
rewrite /= oddD mul2n odd_double addbF oddb halfD odd_double andbF add0n doubleK.
have -> : ((~~ odd m) : nat)./2 = 0 by case: odd.
have ny m' : (y \in pick s m') = false by apply/negP => /pick_sub; apply/negP.
rewrite add0n inE => /predU1P [-> | xs]; first by case: odd; rewrite !inE ?eqxx !ny.
have nxy : (x == y) = false by apply/eqP => e; rewrite e (negPf ys) in xs.
by have := IH m./2 us ltm x xs; case: odd => /= e; rewrite ?inE ?nxy e.
Qed.
(** The set that picks the members of another. *)
Fixpoint coord s C : nat := if s is x :: s' then (x \in C) + (coord s' C).*2 else 0.
Lemma coord_lt s C : coord s C < 2 ^ size s.
Proof. by elim: s => //= x s IH; rewrite expnS; case: (x \in C) => /=; lia. Qed.
Lemma coord_pick s m C : uniq s -> m < 2 ^ size s -> {in s, forall x, (x \in C) = (x \in pick s m)} -> coord s C = m.
Proof.
elim: s m => [|x s IH] m; first by case: m.
rewrite [uniq _]/= => /andP [xs us]; rewrite [size _]/= expnS => lt e.
have nx m' : (x \in pick s m') = false by apply/negP => /pick_sub; apply/negP.
have ex : (x \in C) = odd m by rewrite e ?mem_head //= ; case: odd; rewrite ?mem_head ?nx.
rewrite /= ex (IH m./2) ?odd_double_half //; first by lia.
move=> y ys; rewrite e ?inE ?ys ?orbT //=; case: odd => //; rewrite inE.
by case: eqVneq => // ey; rewrite ey (negPf xs) in ys.
Qed.
End Pick.
