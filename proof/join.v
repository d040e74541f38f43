(** The join counts each pair once (section 7). *)
From Queens Require Export sums join_statements.
From Queens Require cursor.

Section Plan. Variables (bits : nat) (p : plan bits) (tops bottoms : seq {set 'I_bits}).
Hypothesis ok : valid p tops bottoms. Notation group := (group p).
Implicit Types (t g : {set 'I_bits}) (block : seq {set 'I_bits}).
(** The OR of the entries for the chunks leaves the places of the bottoms that a top shares no bit
    with. *)
Lemma conflictsE g block t : g \subset group -> block \in blocks p g -> t \in tops ->
  t :&: group = g ->
  ~: conflicts p block t =
    [set i : 'I_(room p) | (i < size block) && (t :&: nth set0 block i == set0)].
Proof. case: ok => of_bottoms _ cover _ gG inB tT tG; apply/setP => i; rewrite !inE negb_or -ltnNge;
  case: ltnP => //= lt. have : nth set0 block i \in [seq b <- bottoms | g :&: b == set0].
  by rewrite -(perm_mem (of_bottoms g gG)); apply/flattenP; exists block => //; apply: mem_nth.
rewrite mem_filter -[RHS]negbK bigcup_seq => /andP [/eqP free inb]; congr (~~ _).
apply/bigcupP/set0Pn => [[chunk cp /bigcupP [d dt db]] | [d dtb]].
  by exists d; move: dt db; rewrite !inE => /andP [-> _].
have := subsetP (cover _ _ tT inb) d dtb; move: dtb; rewrite in_setI in_setU bigcup_seq.
move=> /andP [dt db] /orP [dG | /bigcupP [chunk cp dc]]; first by move/setP/(_ d): free;
  rewrite -tG !inE dt dG db. by exists chunk => //; apply/bigcupP; exists d; rewrite inE ?dt. Qed.
Lemma count_blockE g block : g \subset group -> block \in blocks p g ->
  count_block p tops g block =
    \sum_(t <- tops | t :&: group == g) \sum_(b <- block) (t :&: b == set0).
Proof. move=> gG inB; case: (ok) => _ fits _ over; have le := fits g block gG inB.
rewrite (bigID (fun t => passed_over p block (t :&: key p))) /= big1 ?add0n => [|t /andP [_ po]];
  last first.
  by apply: big1_seq => b /(allP (over _ _ po)); rewrite setIAC; case: (t :&: b =P _) => // ->;
    rewrite set0I eqxx.
rewrite /count_block -[RHS]big_filter; set looked_up := filter _ _.
have -> : room p * size looked_up =
  \sum_(t <- looked_up) room p by rewrite big_const_seq count_predT iter_addn_0.
rewrite -sumnB => [|t _]; last by rewrite (leq_trans (max_card _)) ?card_ord.
rewrite big_seq [RHS]big_seq; apply: eq_bigr => t;
  rewrite mem_filter => /andP [/andP [/eqP tG _] tT].
transitivity #|~: conflicts p block t|; first by rewrite [RHS]cardsCs card_ord setCK.
rewrite (conflictsE gG inB tT tG) -sum1_card (big_nth set0) big_mkord.
rewrite (big_ord_widen _ (fun i => (t :&: nth set0 block i == set0 : nat)) le) big_mkcond
  [RHS]big_mkcond. by apply: eq_bigr => i _; rewrite inE; case: (_ < _) => //=; case: (_ == _). Qed.
Lemma joinE : join p tops = pairs tops bottoms.
Proof. rewrite /join (eq_bigl (fun g => g \subset group)) => [|g]; last by rewrite powersetE.
rewrite /pairs [RHS](partition_big (fun t => t :&: group) (fun g => g \subset group)) /=;
  last by move=> t; rewrite subsetIr. apply: eq_bigr => g gG; rewrite big_seq;
  under eq_bigr do [rewrite count_blockE //]; rewrite -big_seq exchange_big /=.
case: ok => of_bottoms _ _ _; apply: eq_bigr => t /eqP tG.
rewrite -big_flatten (perm_big _ (of_bottoms g gG)) big_filter big_mkcond /=; apply: eq_bigr => b _.
by rewrite -tG setIAC; case: (t :&: b =P set0) => [->|_]; rewrite ?set0I ?eqxx ?if_same. Qed.
End Plan.
Theorem joined_pairs bits (tops bottoms : seq {set 'I_bits}) m :
  joined tops bottoms m -> m = pairs tops bottoms.
Proof. elim=> {tops bottoms m} [p tops bottoms ok | tops tops' bottoms m pm _ ->
  | tops bottoms m _ -> |
  tops tops' bottoms m m' _ -> _ ->]; rewrite /pairs; first exact: joinE.
- exact: perm_big.
- by rewrite exchange_big; apply: eq_bigr => t _; apply: eq_bigr => b _; rewrite setIC.
- by rewrite big_cat. Qed.
(** Any group, any key and any number of places may be chosen for two lists. *)
Theorem plans_exist bits (tops bottoms : seq {set 'I_bits}) (g k : {set 'I_bits}) places :
  0 < places ->
  exists p : plan bits, [/\ room p = places, group p = g, key p = k & valid p tops bottoms].
Proof. move=> places0.
pose of_group x := [seq b <- bottoms | x :&: b == set0].
pose all_conflict block v := all (fun b : {set 'I_bits} => v :&: b != set0) block.
exists (Plan places g k [:: k :\: g; ~: k]
  (fun x => cursor.cut places (of_group x)) all_conflict).
split=> //; split=> //= [x _ | x b _ | t b _ _].
- by rewrite cursor.cutE.
- exact: cursor.cut_room.
- rewrite !big_cons big_nil setU0; apply/subsetP => d _; rewrite !inE.
  by case: (d \in g); case: (d \in k). Qed.
