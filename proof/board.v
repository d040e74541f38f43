(** Boards as sets of squares: symmetries, placements, and the cut (sections 1 and 2). *)
From Queens Require Export sums.

Section Board.
Variable n : nat.
Notation square := (square n).
Implicit Types (x y : square) (q c t b : {set square}) (R C : {set 'I_n}).

Definition rows q : {set 'I_n} := [set x.1 | x in q].
Definition cols q : {set 'I_n} := [set x.2 | x in q].

Lemma attackC x y : attack x y = attack y x.
Proof. rewrite /attack /diagonal [x.1 == _]eq_sym [x.2 == _]eq_sym; do 2 congr (_ || _); lia. Qed.
Lemma attackxx x : attack x x.
Proof. by rewrite /attack eqxx. Qed.

Lemma peacefulP q : reflect {in q &, forall x y, attack x y -> x = y} (peaceful q).
Proof.
apply: (iffP idP) => [/forall_inP p x y xq yq a | p].
  by have /forall_inP /(_ y yq) := p x xq; rewrite a implybF negbK => /eqP.
apply/forall_inP => x xq; apply/forall_inP => y yq; apply/implyP; apply: contra => a.
by apply/eqP/p.
Qed.
Lemma peaceful_sub q c : c \subset q -> peaceful q -> peaceful c.
Proof. by move=> /subsetP s /peacefulP p; apply/peacefulP => x y /s xq /s yq; apply: p. Qed.
Lemma peaceful_rows q : peaceful q -> #|rows q| = #|q|.
Proof. by move/peacefulP=> p; apply: card_in_imset => x y xq yq e; apply: p; rewrite // /attack e eqxx. Qed.
Lemma peaceful_cols q : peaceful q -> #|cols q| = #|q|.
Proof. by move/peacefulP=> p; apply: card_in_imset => x y xq yq e; apply: p; rewrite // /attack e eqxx orbT. Qed.

(** *** Symmetries *)
Lemma mirrorK : involutive (@mirror n). Proof. by case=> r j; rewrite /mirror /= rev_ordK. Qed.
Lemma flipK : involutive (@flip n). Proof. by case=> r j; rewrite /flip /= rev_ordK. Qed.
Lemma transposeK : involutive (@transpose n). Proof. by case. Qed.

Lemma attack_mirror x y : attack (mirror x) (mirror y) = attack x y.
Proof.
case: x y => [[a la] [c lc]] [[b lb] [d ld]]; rewrite /attack /diagonal /= -!(inj_eq val_inj) /=.
by congr (_ || _); rewrite [X in _ || X]orbC; congr [|| _, _ | _]; lia.
Qed.
Lemma attack_flip x y : attack (flip x) (flip y) = attack x y.
Proof.
case: x y => [[a la] [c lc]] [[b lb] [d ld]]; rewrite /attack /diagonal /= -!(inj_eq val_inj) /=.
by congr [|| _, _ | _]; rewrite 1?[RHS]orbC; lia.
Qed.
Lemma attack_transpose x y : attack (transpose x) (transpose y) = attack x y.
Proof.
rewrite /attack /diagonal /= orbCA; do 2 congr (_ || _).
by rewrite ![x.2 + _]addnC ![y.2 + _]addnC; congr (_ || _); apply/eqP/eqP; lia.
Qed.

Section Image.
Variable g : square -> square.
Hypothesis gK : involutive g.
Hypothesis ga : forall x y, attack (g x) (g y) = attack x y.
Lemma imageK : involutive (image g).
Proof.
by move=> q; rewrite /image -imset_comp (eq_imset (g := id)) ?imset_id // => x /=; rewrite gK.
Qed.
Lemma mem_image q x : (x \in image g q) = (g x \in q).
Proof. by rewrite -{1}[x]gK /image mem_imset //; apply: inv_inj gK. Qed.
Lemma solution_image q : solution (image g q) = solution q.
Proof.
rewrite /solution /image card_imset; last exact: inv_inj.
congr (_ && _); apply/peacefulP/peacefulP => p x y xq yq a.
  by apply: (inv_inj gK); apply: p; rewrite ?ga //; apply: imset_f.
rewrite -[x]gK -[y]gK; congr (g _); apply: p; rewrite -?mem_image // ?gK //.
by rewrite ga.
Qed.
Lemma sum_image q (F : square -> nat) : \sum_(x in image g q) F x = \sum_(x in q) F (g x).
Proof. by rewrite (reindex_inj (inv_inj gK)) /=; apply: eq_bigl => x; rewrite mem_image // gK. Qed.
Lemma max_image q (P : pred square) (F : square -> nat) :
  \max_(x in image g q | P x) F x = \max_(x in q | P (g x)) F (g x).
Proof. by rewrite (reindex_inj (inv_inj gK)) /=; apply: eq_bigl => x; rewrite mem_image // gK. Qed.
End Image.

(** *** Placements: a queen in each of some rows, on open squares, none of which attacks another *)
Definition placement R (o : pred square) q := [&& rows q == R, [forall x in q, o x] & peaceful q].
Definition squares R : {set square} := [set x | x.1 \in R].
(** The squares that no queen of a set attacks. *)
Definition apart q : pred square := fun x => [forall y in q, ~~ attack y x].

Lemma rows_sub q R : (rows q \subset R) = (q \subset squares R).
Proof.
apply/subsetP/subsetP => s x; first by move=> xq; rewrite inE; apply: s; apply: imset_f.
by case/imsetP=> y /s; rewrite inE => h ->.
Qed.
Lemma placement_sub R o q : placement R o q -> q \subset squares R.
Proof. by case/and3P=> [/eqP <- _ _]; rewrite -rows_sub. Qed.
Lemma rowsU q q' : rows (q :|: q') = rows q :|: rows q'. Proof. exact: imsetU. Qed.
Lemma colsU q q' : cols (q :|: q') = cols q :|: cols q'. Proof. exact: imsetU. Qed.
Lemma placementI R o o' q : placement R (fun x => o x && o' x) q = placement R o q && [forall x in q, o' x].
Proof.
rewrite /placement; case: (rows q == R) => //=; rewrite [RHS]andbAC; congr (_ && _).
apply/forall_inP/andP => [h | [/forall_inP h /forall_inP h'] x xq]; last by rewrite h // h'.
by split; apply/forall_inP => x /h /andP [].
Qed.
Lemma eq_placement R o o' q : (forall x, x.1 \in R -> o x = o' x) -> placement R o q = placement R o' q.
Proof.
move=> e; rewrite /placement; case r: (rows q == R) => //=; congr (_ && _).
by apply: eq_forallb_in => x xq; apply: e; rewrite -(eqP r); exact: imset_f.
Qed.

Lemma solutionE q : solution q = placement setT predT q.
Proof.
rewrite /solution /placement; have -> : [forall x in q, predT x] by apply/forall_inP.
rewrite andbC [RHS]andbC; case p: (peaceful q) => //=.
rewrite eqEcard subsetT /= cardsT card_ord -(peaceful_rows p) eqn_leq.
by have := max_card (mem (rows q)); rewrite card_ord => ->.
Qed.
Lemma solution_peaceful q : solution q -> peaceful q. Proof. by case/andP. Qed.
Lemma solution_rows q : solution q -> rows q = setT.
Proof. by rewrite solutionE => /and3P [/eqP]. Qed.
Lemma solution_cols q : solution q -> cols q = setT.
Proof. by case/andP=> [/eqP e p]; apply/eqP; rewrite eqEcard subsetT /= cardsT card_ord peaceful_cols ?e. Qed.

Lemma peacefulU q q' : [disjoint q & q'] ->
  peaceful (q :|: q') = [&& peaceful q, peaceful q' & [forall x in q', apart q x]].
Proof.
move=> d; have ne x y : x \in q -> y \in q' -> x = y -> False.
  by move=> xq yq e; rewrite e (disjointFl d yq) in xq.
apply/idP/and3P => [p | [/peacefulP p /peacefulP p' /forall_inP a]].
  split; [exact: peaceful_sub (subsetUl _ _) p | exact: peaceful_sub (subsetUr _ _) p |].
  apply/forall_inP => y yq; apply/forall_inP => x xq; apply/negP => a.
  by apply: (ne x y) => //; apply: (peacefulP _ p) a; rewrite inE ?xq ?yq ?orbT.
have na x y : x \in q -> y \in q' -> ~~ attack x y by move=> xq yq; move/forall_inP: (a y yq); apply.
apply/peacefulP => x y; rewrite !inE => /orP [xq|xq] /orP [yq|yq] atk; [exact: p | | | exact: p'].
  by rewrite (negPf (na x y xq yq)) in atk.
by rewrite attackC (negPf (na y x yq xq)) in atk.
Qed.

Section TwoParts.
Variables R R' : {set 'I_n}.
Hypothesis dR : [disjoint R & R'].

Lemma disjoint_squares : [disjoint squares R & squares R'].
Proof.
by move: dR; rewrite -!setI_eq0 => /eqP d; apply/eqP/setP => x; move/setP/(_ x.1): d; rewrite !inE.
Qed.

Lemma placementU o q q' : q \subset squares R -> q' \subset squares R' ->
  placement (R :|: R') o (q :|: q') = placement R o q && placement R' (fun x => o x && apart q x) q'.
Proof.
move=> qR qR'; have d : [disjoint q & q'] by apply: disjointWl qR _; apply: disjointWr qR' disjoint_squares.
have -> : placement (R :|: R') o (q :|: q') =
    [&& rows q == R, rows q' == R', [forall x in q, o x], [forall x in q', o x] & peaceful (q :|: q')].
  rewrite /placement rowsU [RHS]andbA; congr (_ && _).
    move: (qR) (qR'); rewrite -!rows_sub => sR sR'.
    apply/eqP/andP => [e | [/eqP -> /eqP -> //]].
    have {}d : rows q :&: R' = set0 by apply/eqP; rewrite setI_eq0; exact: disjointWl sR dR.
    have d' : rows q' :&: R = set0 by apply/eqP; rewrite setI_eq0 disjoint_sym; exact: disjointWr sR' dR.
    rewrite !eqEsubset sR sR' /=; split; apply/subsetP => r rR; move/setP/(_ r): e; rewrite !inE rR ?orbT /=.
      by case/orP => // r'; move/setP/(_ r): d'; rewrite !inE r' rR.
    by case/orP => // r'; move/setP/(_ r): d; rewrite !inE r' rR.
  rewrite andbA; congr (_ && _); apply/forall_inP/andP => [h | [/forall_inP h /forall_inP h'] x].
    by split; apply/forall_inP => x xq; apply: h; rewrite inE xq ?orbT.
  by rewrite inE => /orP [/h | /h'].
rewrite placementI peacefulU // /placement.
by case: (rows q == R); case: (rows q' == R') => //=; case: [forall x in q, o x]; case: [forall x in q', o x];
  case: (peaceful q); rewrite /= ?andbF.
Qed.

Theorem sum_placementU o (f : {set square} -> nat) :
  \sum_(q : {set square} | placement (R :|: R') o q) f q =
  \sum_(q : {set square} | placement R o q)
  \sum_(q' : {set square} | placement R' (fun x => o x && apart q x) q') f (q :|: q').
Proof.
have sq : squares (R :|: R') = squares R :|: squares R' by apply/setP => x; rewrite !inE.
transitivity (\sum_(q : {set square} | q \subset squares R :|: squares R') placement (R :|: R') o q * f q).
  rewrite -sq big_mkcond [RHS]big_mkcond; apply: eq_bigr => q _; case p: (placement _ _ q).
    by rewrite (placement_sub p) mul1n.
  by rewrite mul0n if_same.
rewrite (sum_union _ disjoint_squares) big_mkcond [RHS]big_mkcond; apply: eq_bigr => q _.
case: ifP => qR; last by case: ifP => // /placement_sub; rewrite qR.
case p: (placement R o q); last first.
  by rewrite big1 // => q' qR'; rewrite placementU // p mul0n.
rewrite big_mkcond [RHS]big_mkcond; apply: eq_bigr => q' _; case: ifP => qR'; last first.
  by case: ifP => // /placement_sub; rewrite qR'.
by rewrite placementU // p /=; case: (placement R' _ q'); rewrite ?mul1n ?mul0n.
Qed.
End TwoParts.

(** *** The cut: cores, half-boards, and the diagonals that two of them share *)
Definition free c := ~: cols c.
Definition open_set c C x := (x.2 \in C) && apart c x.
Definition half_board R c C q := placement R (open_set c C) q.
Definition share t b := [exists x in t, exists y in b, diagonal x y].

Lemma half_board_cols R c C t : half_board R c C t -> #|C| = #|R| -> cols t = C.
Proof.
case/and3P=> [/eqP r /forall_inP o p] e; apply/eqP; rewrite eqEcard peaceful_cols // e -r peaceful_rows // leqnn andbT.
by apply/subsetP => j /imsetP [x xt ->]; case/andP: (o x xt).
Qed.
Lemma apart_free c x : apart c x -> x.2 \in free c.
Proof.
move=> /forall_inP a; rewrite inE; apply/negP => /imsetP [y yc e].
by have := a y yc; rewrite /attack e eqxx orbT.
Qed.

Variables rT rM rB : {set 'I_n}.
Hypothesis disjTM : [disjoint rM & rT].
Hypothesis disjTB : [disjoint rT & rB].
Hypothesis disjMB : [disjoint rM & rB].
Hypothesis cover : rM :|: (rT :|: rB) = setT.

(** A core, a half-board on some columns, and a half-board on the others that shares no diagonal with it. *)
Theorem cut (f : {set square} -> nat) :
  \sum_(q : {set square} | solution q) f q =
  \sum_(c : {set square} | placement rM predT c)
  \sum_(C : {set 'I_n} | (C \subset free c) && (#|C| == #|rT|))
  \sum_(t : {set square} | half_board rT c C t)
  \sum_(b : {set square} | half_board rB c (free c :\: C) b && ~~ share t b) f (c :|: (t :|: b)).
Proof.
under eq_bigl => q do rewrite solutionE -cover.
rewrite sum_placementU; last by rewrite -setI_eq0 setIUr setU_eq0 !setI_eq0 disjTM.
apply: eq_bigr => c _; rewrite sum_placementU //=.
rewrite (partition_big cols (fun C => (C \subset free c) && (#|C| == #|rT|))) /=; last first.
  move=> t /and3P [/eqP r /forall_inP o p]; rewrite peaceful_cols // -peaceful_rows // r eqxx andbT.
  by apply/subsetP => j /imsetP [x /o xt ->]; exact: apart_free.
apply: eq_bigr => C /andP [_ /eqP cC]; apply: eq_big => [t | t /andP [/and3P [/eqP rt _ _] /eqP ct]].
  apply/andP/idP => [[/and3P [r /forall_inP o p] /eqP e] | ht].
    by apply/and3P; split=> //; apply/forall_inP => x xt; rewrite /open_set -e imset_f ?o.
  rewrite (half_board_cols ht cC) eqxx; split => //; move: ht; rewrite /half_board /open_set.
  by rewrite (eq_placement (o' := fun x => apart c x && (x.2 \in C))) => [|x _]; [rewrite placementI => /andP [] | exact: andbC].
under [RHS]eq_bigl => b.
  have -> : ~~ share t b = [forall x in b, [forall y in t, ~~ diagonal y x]].
    apply/idP/forall_inP => [/exists_inP h x xb | h].
      by apply/forall_inP => y yt; apply/negP => d; apply: h; exists y => //; apply/exists_inP; exists x.
    by apply/exists_inP => -[y yt /exists_inP [x xb d]]; move/forall_inP: (h x xb) => /(_ y yt) /negP.
  rewrite -placementI; over.
apply: eq_bigl => b; apply: eq_placement => x xB; rewrite /= /open_set inE -ct.
case a: (apart c x); rewrite ?andbF //= (apart_free a) !andbT.
apply/forall_inP/andP => [na | [nx /forall_inP nd] y yt].
  split; last by apply/forall_inP => y /na; rewrite /attack !negb_or => /and3P [].
  by apply/negP => /imsetP [y /na ny e]; rewrite /attack e eqxx orbT in ny.
rewrite /attack 2!negb_or nd // andbT; apply/andP; split; apply/negP => /eqP e.
  have yT : y.1 \in rT by rewrite -rt imset_f.
  by move: disjTB; rewrite -setI_eq0 => /eqP/setP/(_ y.1); rewrite !inE yT e xB.
by move/negP: nx; apply; rewrite -e imset_f.
Qed.
End Board.
