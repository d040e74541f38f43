(** Half-boards are pairs of quarter-boards (section 3). *)
From Queens Require Export board.

Section Quarters.
Variable n : nat.
Notation square := (square n).
Implicit Types (x y : square) (q l r : {set square}) (R C : {set 'I_n}).
(** Open squares; the columns of left quarters. *)
Variables (o : pred square) (L : {set 'I_n}).
Definition boards R C := placement R (fun x => (x.2 \in C) && o x).
Definition columns_in C : {set square} := [set x | x.2 \in C].

Lemma boardsE R C q : boards R C q = [&& rows q == R, cols q \subset C, [forall x in q, o x] & peaceful q].
Proof.
rewrite /boards /placement; congr (_ && _); rewrite andbA; congr (_ && _).
apply/forall_inP/andP => [h | [/subsetP s /forall_inP h] x xq]; last by rewrite h // s // imset_f.
split; last by apply/forall_inP => x /h /andP [].
by apply/subsetP => j /imsetP [x xq ->]; case/andP: (h x xq).
Qed.
Lemma cols_sub q C : (cols q \subset C) = (q \subset columns_in C).
Proof.
apply/subsetP/subsetP => [s x xq | s j /imsetP [x /s]]; first by rewrite inE s // imset_f.
by rewrite inE => h ->.
Qed.

(** Queens of different columns do not attack each other if rows are different and no diagonal is shared. *)
Lemma apart_quarters l r : [disjoint cols l & cols r] ->
  [forall x in r, apart l x] = [disjoint rows l & rows r] && ~~ share l r.
Proof.
move=> dc; apply/idP/andP => [/forall_inP na | [dr /exists_inP sd]].
  have {}na x y : x \in l -> y \in r -> ~~ attack x y by move=> xl yr; apply: (forall_inP (na y yr)).
  split; last by apply/exists_inP => -[x xl /exists_inP [y yr d]]; have := na x y xl yr; rewrite /attack d !orbT.
  rewrite -setI_eq0; apply/eqP/setP => i; rewrite in_set0; apply/negP; rewrite inE.
  by case/andP=> /imsetP [x xl ->] /imsetP [y yr e]; have := na x y xl yr; rewrite /attack e eqxx.
apply/forall_inP => y yr; apply/forall_inP => x xl; apply/or3P => -[/eqP e | /eqP e | d].
- by have := disjointFr dr (imset_f fst xl); rewrite e imset_f.
- by have := disjointFr dc (imset_f snd xl); rewrite e imset_f.
- by apply: sd; exists x => //; apply/exists_inP; exists y.
Qed.

(** The rows of the left quarter-board are as many as it has columns, and leave the others to the right one. *)
Definition left_board R C l := [&& rows l \subset R, #|rows l| == #|C :&: L| & boards (rows l) (C :&: L) l].
Lemma half_board_quarters R C l r : #|C| = #|R| -> cols l \subset L -> cols r \subset ~: L ->
  boards R C (l :|: r) = left_board R C l && (boards (R :\: rows l) (C :\: L) r && ~~ share l r).
Proof.
move=> card lL rL; have dc : [disjoint cols l & cols r].
  by apply: disjointWl lL (disjointWr rL _); rewrite -setI_eq0 setICr.
have dis : [disjoint l & r].
  rewrite -setI_eq0; apply/eqP/setP => x; rewrite in_set0 inE; apply/negP => /andP [xl xr].
  by have := disjointFr dc (imset_f snd xl); rewrite imset_f.
have subl : (cols l \subset C :&: L) = (cols l \subset C) by rewrite subsetI lL andbT.
have subr : (cols r \subset C :\: L) = (cols r \subset C) by rewrite setDE subsetI rL andbT.
have ou : [forall x in l :|: r, o x] = [forall x in l, o x] && [forall x in r, o x].
  apply/forall_inP/andP => [h | [/forall_inP hl /forall_inP hr] x]; last by rewrite inE => /orP [/hl | /hr].
  by split; apply/forall_inP => x xq; apply: h; rewrite inE xq ?orbT.
rewrite /left_board !boardsE eqxx subl subr rowsU colsU subUset ou peacefulU // apart_quarters //.
case: (cols l \subset C) / idP => cl; last by rewrite /= !andbF.
case: (cols r \subset C) / idP => cr; last by rewrite /= !andbF.
case: [forall x in l, o x]; last by rewrite /= !andbF.
case: [forall x in r, o x]; last by rewrite /= !andbF.
case pl: (peaceful l); last by rewrite /= !andbF.
case pr: (peaceful r); last by rewrite /= !andbF.
case: (share l r); first by rewrite /= !andbF.
rewrite /= !andbT -andbA; apply/andP/and3P => [[/eqP e dr] | [el _ /eqP er]].
  have el : rows l \subset R by rewrite -e subsetUl.
  have er : rows r = R :\: rows l.
    by rewrite -e setDUl setDv set0U; apply/esym/setDidPl; rewrite disjoint_sym.
  split; rewrite ?er //; rewrite -subl in cl; rewrite -subr in cr.
  have := subset_leq_card cl; have := subset_leq_card cr; rewrite !peaceful_cols // -!peaceful_rows // => cr' cl'.
  rewrite eqn_leq cl' /= -(leq_add2r #|C :\: L|) cardsID card -(cardsID (rows l) R) (setIidPr el) leq_add2l.
  by rewrite -er.
rewrite er -{1}(setIidPr el) setID eqxx; split => //.
by rewrite -setI_eq0 setIDA [_ :&: R]setIC -setIDA setDv setI0.
Qed.

(** Each half-board is a pair of a left and a right quarter-board on complementary rows, once. *)
Theorem quarters R C (f : {set square} -> nat) : #|C| = #|R| ->
  \sum_(q | boards R C q) f q =
  \sum_(RS : {set 'I_n} | (RS \subset R) && (#|RS| == #|C :&: L|))
  \sum_(l | boards RS (C :&: L) l) \sum_(r | boards (R :\: RS) (C :\: L) r && ~~ share l r) f (l :|: r).
Proof.
move=> card; transitivity (\sum_(q : {set square} | q \subset columns_in L :|: columns_in (~: L)) boards R C q * f q).
  rewrite big_mkcond; apply: eq_big => q; last by case: boards; rewrite ?mul1n.
  by apply/esym/subsetP => x _; rewrite !inE orbN.
rewrite sum_union; last by rewrite -setI_eq0; apply/eqP/setP => x; rewrite !inE andbN.
transitivity (\sum_(l | left_board R C l) \sum_(r | boards (R :\: rows l) (C :\: L) r && ~~ share l r) f (l :|: r)).
  rewrite big_mkcond [RHS]big_mkcond; apply: eq_bigr => l _; rewrite -cols_sub; case: ifP => lL; last first.
    case: ifP => //; rewrite /left_board boardsE => /and5P [_ _ _ s _].
    by rewrite (subset_trans s) ?subsetIr in lL.
  case: ifP => lb; last by rewrite big1 // => r; rewrite -cols_sub => rL; rewrite half_board_quarters // lb.
  rewrite big_mkcond [RHS]big_mkcond; apply: eq_bigr => r _; rewrite -cols_sub; case: ifP => rL; last first.
    case: ifP => // /andP []; rewrite boardsE => /and4P [_ s _ _].
    by rewrite (subset_trans s) // setDE subsetIr in rL.
  by rewrite half_board_quarters // lb /=; case: ifP; rewrite ?mul1n.
rewrite (partition_big (@rows n) (fun RS => (RS \subset R) && (#|RS| == #|C :&: L|))) /= => [|l /and3P [-> ->] //].
apply: eq_bigr => RS /andP [sR cR]; apply: eq_big => [l | l /andP [_ /eqP ->] //].
rewrite /left_board; apply/andP/idP => [[/and3P [_ _ b] /eqP <-] // | b].
by case/and3P: (b) => /eqP e _ _; rewrite e sR cR b eqxx.
Qed.
End Quarters.
