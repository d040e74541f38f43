(** Boards as sets of squares, and their symmetries. *)
From Queens Require Export sums.

Section Board. Variable n : nat. Notation square := (square n).
Implicit Types (x y : square) (q c t b : {set square}) (R C : {set 'I_n}).
Definition rows q : {set 'I_n} := [set x.1 | x in q].
Lemma diagonalC x y : diagonal x y = diagonal y x. Proof. rewrite /diagonal; lia. Qed.
Lemma attackC x y : attack x y = attack y x.
Proof. by rewrite /attack [x.1 == _]eq_sym [x.2 == _]eq_sym diagonalC. Qed.
Lemma peacefulP q : reflect {in q &, forall x y, attack x y -> x = y} (peaceful q).
Proof. apply: (iffP idP) => [/forall_inP p x y xq yq a | p].
  by have /forall_inP /(_ y yq) := p x xq; rewrite a implybF negbK => /eqP.
apply/forall_inP => x xq; apply/forall_inP => y yq; apply/implyP; apply: contra => a.
by apply/eqP/p. Qed.
Lemma peaceful_sub q c : c \subset q -> peaceful q -> peaceful c.
Proof. by move=> /subsetP s /peacefulP p; apply/peacefulP => x y /s xq /s yq; apply: p. Qed.
Lemma peaceful_rows q : peaceful q -> #|rows q| = #|q|.
Proof. by move/peacefulP=> p; apply: card_in_imset => x y xq yq e; apply: p;
  rewrite // /attack e eqxx. Qed.
Lemma peaceful_cols q : peaceful q -> #|cols q| = #|q|.
Proof. by move/peacefulP=> p; apply: card_in_imset => x y xq yq e; apply: p;
  rewrite // /attack e eqxx orbT. Qed.
Lemma solution_peaceful q : solution q -> peaceful q. Proof. by case/andP. Qed.
Lemma solution_rows q : solution q -> rows q = setT.
Proof. by case/andP=> [/eqP e p]; apply/eqP;
  rewrite eqEcard subsetT /= cardsT card_ord peaceful_rows ?e. Qed.
Lemma solution_cols q : solution q -> cols q = setT.
Proof. by case/andP=> [/eqP e p]; apply/eqP;
  rewrite eqEcard subsetT /= cardsT card_ord peaceful_cols ?e. Qed.
Lemma columnP q r j : solution q -> ((r, j) \in q) = (j == column q r).
Proof. move=> s; have /peacefulP p := solution_peaceful s;
  have /imsetP [x xq ->] : r \in rows q by rewrite solution_rows ?inE.
rewrite /column; case: pickP => [j' jq' | /(_ x.2)] /=; last by rewrite -surjective_pairing xq.
apply/idP/eqP => [jq | -> //]; have := p _ _ jq jq'. by rewrite /attack eqxx => /(_ isT) []. Qed.
(** *** Symmetries *)
Lemma mirrorK : involutive (@mirror n). Proof. by case=> r j; rewrite /mirror /= rev_ordK. Qed.
Lemma flipK : involutive (@flip n). Proof. by case=> r j; rewrite /flip /= rev_ordK. Qed.
Lemma transposeK : involutive (@transpose n). Proof. by case. Qed.
Lemma attack_mirror x y : attack (mirror x) (mirror y) = attack x y.
Proof. case: x y => [[a la] [c lc]] [[b lb] [d ld]];
  rewrite /attack /diagonal /= -!(inj_eq val_inj) /=.
by congr (_ || _); rewrite [X in _ || X]orbC; congr [|| _, _ | _]; lia. Qed.
Lemma attack_transpose x y : attack (transpose x) (transpose y) = attack x y.
Proof. rewrite /attack /diagonal /= orbCA; do 2 congr (_ || _).
by rewrite ![x.2 + _]addnC ![y.2 + _]addnC; congr (_ || _); apply/eqP/eqP; lia. Qed.
(** A flip is a mirror image between two transpositions. *)
Lemma attack_flip x y : attack (flip x) (flip y) = attack x y.
Proof. by rewrite -[RHS]attack_transpose -[RHS]attack_mirror -[RHS]attack_transpose. Qed.

Section Image. Variable g : square -> square. Hypothesis gK : involutive g.
Hypothesis ga : forall x y, attack (g x) (g y) = attack x y.
Lemma imageK : involutive (image g).
Proof. by move=> q; rewrite /image -imset_comp (eq_imset _ gK) imset_id. Qed.
Lemma mem_image q x : (x \in image g q) = (g x \in q).
Proof. by rewrite -{1}[x]gK /image mem_imset //; apply: inv_inj gK. Qed.
Lemma solution_image q : solution (image g q) = solution q.
Proof. rewrite /solution /image card_imset; last exact: inv_inj.
congr (_ && _); apply/peacefulP/peacefulP => p x y xq yq a.
  by apply: (inv_inj gK); apply: p; rewrite ?ga //; apply: imset_f.
rewrite -[x]gK -[y]gK; congr (g _); apply: p; rewrite -?mem_image // ?gK //. by rewrite ga. Qed.
Lemma sum_image q (F : square -> nat) : \sum_(x in image g q) F x = \sum_(x in q) F (g x).
Proof. by rewrite (reindex_inj (inv_inj gK)) /=; apply: eq_bigl => x; rewrite mem_image // gK. Qed.
Lemma max_image q (P : pred square) (F : square -> nat) :
  \max_(x in image g q | P x) F x = \max_(x in q | P (g x)) F (g x).
Proof. by rewrite (reindex_inj (inv_inj gK)) /=; apply: eq_bigl => x; rewrite mem_image // gK. Qed.
End Image. End Board.
