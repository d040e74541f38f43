(** Half-boards are pairs of quarter-boards (section 3). *)
From Queens Require Export board.

Section Quarters.
Variables (n : nat) (o : pred (square n)).
Implicit Types (x y : square n) (q a b : {set square n}) (RS C : {set 'I_n}).
Definition boards RS C := placement RS (fun x => (x.2 \in C) && o x).

(** A half-board has the rows R and as many columns: left ones L, and right ones L'. *)
Variables R L L' : {set 'I_n}.
Hypotheses (apart_columns : [disjoint L & L']) (as_many : #|R| = #|L| + #|L'|).
Definition left_rows q := rows (q :&: [set x | x.2 \in L]).

Lemma left_rowsE q : boards R (L :|: L') q -> (left_rows q \subset R) && (#|left_rows q| == #|L|).
Proof.
case/and3P => /eqP rq /forall_inP oq pq; rewrite -{1}rq imsetS ?subsetIl //=.
have cq : cols q = L :|: L'.
  apply/eqP; rewrite eqEcard peaceful_cols // -peaceful_rows // rq as_many (leq_card_setU L L').1 andbT.
  by apply/subsetP => j /imsetP [x /oq /andP [xc _] ->].
have ql := peaceful_sub (subsetIl q [set x | x.2 \in L]) pq.
rewrite peaceful_rows // -peaceful_cols //; apply/eqP; congr #|pred_of_set _|; apply/setP => j.
apply/imsetP/idP => [[x /setIP [_]] | jL]; first by rewrite inE => xL ->.
have : j \in cols q by rewrite cq inE jL.
by case/imsetP => x xq e; exists x; rewrite // !inE xq -e.
Qed.

(** The rows of the left queens say on which side each queen stands. *)
Lemma sidesE RS q : RS \subset R -> boards R (L :|: L') q && (left_rows q == RS) =
  placement R (fun x => (x.2 \in if x.1 \in RS then L else L') && o x) q.
Proof.
rewrite /boards /placement => /subsetP sR; case: eqP => //= rq; case p: (peaceful q); rewrite ?andbF // !andbT.
apply/andP/forall_inP => [[/forall_inP oq /eqP <-] x xq | oq].
  have /andP [] := oq x xq; rewrite inE => xc ->; rewrite andbT; case: imsetP => [[y /setIP [yq]] | nx].
    by rewrite inE => yL e; rewrite (peacefulP _ p x y) // /attack e eqxx.
  by case/orP: xc => // xL; case: nx; exists x; rewrite // !inE xq.
split; first by apply/forall_inP => x xq; have := oq x xq; rewrite inE; case: ifP => _ /andP [-> ->]; rewrite ?orbT.
apply/eqP/setP => i; apply/imsetP/idP => [[x /setIP [xq]] | iRS].
  by rewrite inE => xL ->; have := oq x xq; case: ifP; rewrite // (disjointFr apart_columns xL).
have : i \in rows q by rewrite rq sR.
by case/imsetP => x xq e; exists x; rewrite // !inE xq; have := oq x xq; rewrite -e iRS => /andP [].
Qed.

(** Each half-board is a pair of a left and a right quarter-board on complementary rows, once. *)
Theorem quarters (f : {set square n} -> nat) : \sum_(q | boards R (L :|: L') q) f q =
  \sum_(RS : {set 'I_n} | (RS \subset R) && (#|RS| == #|L|))
  \sum_(a | boards RS L a) \sum_(b | boards (R :\: RS) L' b && ~~ share a b) f (a :|: b).
Proof.
rewrite (partition_big left_rows (fun RS => (RS \subset R) && (#|RS| == #|L|)) left_rowsE) /=.
apply: eq_bigr => RS /andP [sR _]; under eq_bigl do rewrite sidesE //.
have dis : [disjoint RS & R :\: RS] by rewrite disjoint_sym; apply/setDidPl; rewrite setDDl setUid.
rewrite -{1}(setID R RS) (setIidPr sR) sum_placementU {dis}//.
apply: eq_big => [a | a pa]; first by apply: eq_placement => x ->.
apply: eq_bigl => b.
have -> : ~~ share a b = [forall x in b, [forall y in a, ~~ diagonal y x]].
  apply/idP/forall_inP => [/exists_inP ns x xb | na].
    by apply/forall_inP => y ya; apply/negP => d; apply: ns; exists y => //; apply/exists_inP; exists x.
  by apply/exists_inP => -[y ya /exists_inP [x /na /forall_inP /(_ y ya) /negP]].
rewrite -placementI; apply: eq_placement => x; rewrite inE => /andP [/negbTE nx _]; rewrite nx.
case xL' : (x.2 \in L') => //=; congr (_ && _); apply: eq_forallb_in => y ya; rewrite /attack.
have := subsetP (placement_sub pa) y ya; case/and3P: pa => _ /forall_inP /(_ y ya) + _; rewrite inE.
case: ifP => // yRS /andP [yL _] _; case: eqP => [e | _]; first by rewrite -e yRS in nx.
by case: eqP => // e; rewrite -e (disjointFr apart_columns yL) in xL'.
Qed.
End Quarters.
