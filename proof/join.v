(** The join counts each pair once (section 7). *)
From Queens Require Export sums join_statements.

(** The places of a block that hold no word, or one of some kind. *)
Lemma card_places (T : Type) (x0 : T) (P : pred T) (s : seq T) m : size s <= m ->
  #|[set i : 'I_m | (size s <= i) || P (nth x0 s i)]| = m - size s + count P s.
Proof.
move=> le; rewrite -sum1_card; under eq_bigl do rewrite inE.
rewrite big_mkcond /= -(big_mkord predT (fun i => if (size s <= i) || P (nth x0 s i) then 1 else 0)).
rewrite (big_cat_nat _ _ _ (leq0n _) le) /= addnC; congr (_ + _).
  rewrite big_nat_cond (eq_bigr (fun=> 1)) => [|i /andP [/andP [-> _] _] //].
  by rewrite -big_nat_cond sum_nat_const_nat muln1.
rewrite -sum1_count [RHS]big_mkcond (big_nth x0) big_nat_cond [RHS]big_nat_cond; apply: eq_bigr => i.
by case/andP => /andP [_ lt] _; rewrite leqNgt lt.
Qed.

Lemma mem_bigcup_seq (T : finType) (I : Type) (s : seq I) (F : I -> {set T}) x :
  (x \in \bigcup_(i <- s) F i) = has (fun i => x \in F i) s.
Proof. by elim: s => [|i s IH]; rewrite ?big_nil ?big_cons inE ?IH. Qed.

Section Join.
Variable bits : nat.
Notation word := {set 'I_bits}.
Implicit Types (t b g v : word) (tops bottoms block : seq word).

(** *** A plan *)
Section Plan.
Variables (p : plan bits) (tops bottoms : seq word).
Hypothesis ok : valid p tops bottoms.
Notation group := (group p).

Lemma mem_entry block v (i : 'I_(room p)) : (i \in entry p block v) = (v :&: nth set0 block i != set0).
Proof.
apply/bigcupP/set0Pn => [[d dv] | [d]]; first by rewrite inE => db; exists d; rewrite inE dv.
by rewrite inE => /andP [dv db]; exists d; rewrite // inE.
Qed.

(** The OR of the entries for the chunks has the bits of the bottoms that a top conflicts with, and of absent ones. *)
Lemma conflictsE g block t : g \subset group -> block \in blocks p g -> t \in tops -> t :&: group = g ->
  conflicts p block t = [set i : 'I_(room p) | (size block <= i) || (t :&: nth set0 block i != set0)].
Proof.
case: ok => of_bottoms _ cover _ gG inB tT tG; apply/setP => i; rewrite !inE; case: leqP => //= lt.
have : nth set0 block i \in [seq b <- bottoms | g :&: b == set0].
  by rewrite -(perm_mem (of_bottoms g gG)); apply/flattenP; exists block => //; apply: mem_nth.
rewrite mem_filter => /andP [/eqP free inb]; have := subsetP (cover _ _ tT inb) => in_chunks.
rewrite mem_bigcup_seq; apply/hasP/set0Pn => [[chunk cp] | [d dtb]].
  by rewrite mem_entry => /set0Pn [d]; rewrite !inE => /andP [/andP [dt _] db]; exists d; rewrite inE dt.
have := in_chunks d dtb; move: dtb; rewrite in_setI in_setU => /andP [dt db] /orP [dG|].
  by move/setP/(_ d): free; rewrite -tG !inE dt dG db.
rewrite mem_bigcup_seq => /hasP [chunk cp dc]; exists chunk => //.
by rewrite mem_entry; apply/set0Pn; exists d; rewrite !inE dt dc.
Qed.

Lemma count_blockE g block : g \subset group -> block \in blocks p g ->
  count_block p tops g block = \sum_(t <- tops | t :&: group == g) \sum_(b <- block) (t :&: b == set0).
Proof.
move=> gG inB; case: (ok) => _ fits _ over; have le := fits g block gG inB.
have one t : t \in tops -> t :&: group = g ->
    #|conflicts p block t| + \sum_(b <- block) (t :&: b == set0) = room p.
  move=> tT tG; rewrite (conflictsE gG inB tT tG) (card_places set0 (fun b => t :&: b != set0) le).
  by rewrite -big_mkcond sum1_count -addnA [count _ _ + _]addnC count_predC subnK.
rewrite (bigID (fun t => passed_over p block (t :&: key p))) /= big1 ?add0n => [|t /andP [_ po]]; last first.
  rewrite big_seq big1 // => b bB; have /allP /(_ b bB) := over _ _ po; rewrite -setIA => /set0Pn [d].
  by rewrite !inE => /and3P [dt _ db]; apply/eqP; rewrite eqb0; apply/set0Pn; exists d; rewrite inE dt.
rewrite /count_block; set looked_up := filter _ _.
have -> : room p * size looked_up = \sum_(t <- looked_up) (#|conflicts p block t| + \sum_(b <- block) (t :&: b == set0)).
  rewrite big_seq (eq_bigr (fun=> room p)) => [|t]; first by rewrite -big_seq big_const_seq count_predT iter_addn_0.
  by rewrite mem_filter => /andP [/andP [/eqP tG _] tT]; exact: one.
by rewrite big_split /= addKn big_filter.
Qed.

Lemma joinE : join p tops = pairs tops bottoms.
Proof.
rewrite /join (eq_bigl (fun g => g \subset group)) => [|g]; last by rewrite powersetE.
rewrite /pairs [RHS](partition_big (fun t => t :&: group) (fun g => g \subset group)) /= => [|t _]; last exact: subsetIr.
apply: eq_bigr => g gG; rewrite big_seq; under eq_bigr do [rewrite count_blockE //]; rewrite -big_seq exchange_big /=.
case: ok => of_bottoms _ _ _; apply: eq_bigr => t /eqP tG.
rewrite -big_flatten (perm_big _ (of_bottoms g gG)) big_filter big_mkcond /=; apply: eq_bigr => b _.
case: ifP => // /negbT /set0Pn [d]; rewrite -tG !inE => /andP [/andP [dt _] db].
by apply/esym/eqP; rewrite eqb0; apply/set0Pn; exists d; rewrite inE dt.
Qed.
End Plan.

Theorem joined_pairs_ tops bottoms m : joined tops bottoms m -> m = pairs tops bottoms.
Proof.
elim=> {tops bottoms m} [p tops bottoms ok | tops tops' bottoms m pm _ -> | tops bottoms m _ -> |
  tops tops' bottoms m m' _ -> _ ->]; rewrite /pairs; first exact: joinE.
- exact: perm_big.
- by rewrite exchange_big; apply: eq_bigr => t _; apply: eq_bigr => b _; rewrite setIC.
- by rewrite big_cat.
Qed.

(** Every two lists can be joined: with no group, no key and one chunk, in one block. *)
Theorem joins_exist_ tops bottoms : exists m, joined tops bottoms m.
Proof.
exists (join (Plan (size bottoms) set0 set0 [:: setT] (fun=> [:: bottoms]) (fun _ _ => false)) tops).
apply: By_plan; split=> //= [g | g block _ | t b _ _].
- rewrite subset0 => /eqP ->; rewrite cats0 (_ : filter _ _ = bottoms) //.
  by apply/all_filterP/allP => b _; rewrite set0I.
- by rewrite inE => /eqP ->.
- by rewrite big_seq1 setUT subsetT.
Qed.
End Join.

Theorem joined_pairs : Joined_pairs.
Proof. by move=> bits tops bottoms m; exact: joined_pairs_. Qed.
