(** Lists that compute, and the sets that they stand for. *)
From Queens Require Export board.

Notation set_of l := [set x in l].

Lemma sum_lines n (f : 'I_n -> nat) : \sum_(j <- lines n) f j = \sum_(j : 'I_n) f j.
Proof.
rewrite /lines; elim: n f => [|n IH] f; first by rewrite big_ord0 big_nil.
by rewrite big_ord_recl /= big_cons -IH big_map.
Qed.
Lemma mem_lines n (j : 'I_n) : j \in lines n.
Proof.
rewrite /lines; elim: n j => [[] // | n IH] j /=; rewrite inE; case: (unliftP ord0 j) => [i ->|->]; last by rewrite eqxx.
by rewrite map_f ?orbT.
Qed.
Lemma uniq_lines n : uniq (lines n).
Proof.
rewrite /lines; elim: n => //= n IH; rewrite map_inj_uniq ?IH ?andbT; last exact: lift_inj.
by apply/mapP => -[i _ /eqP]; rewrite (negPf (neq_lift _ _)).
Qed.
Lemma lineE n r (lt : r < n) : line n r = [:: Ordinal lt].
Proof.
have m : forall i, i \in line n r = (i == Ordinal lt) by move=> i; rewrite mem_filter mem_lines andbT -val_eqE.
have u : uniq (line n r) by apply: filter_uniq; exact: uniq_lines.
by apply/perm_small_eq => //; apply: uniq_perm => // i; rewrite m inE.
Qed.
Lemma val_lines n : map val (lines n) = iota 0 n.
Proof.
rewrite /lines; elim: n => //= n IH; rewrite -map_comp (eq_map (f2 := succn \o val)) // map_comp IH.
by rewrite -[1]/(1 + 0) iotaDl.
Qed.
(** The rows from one on, up to another. *)
Lemma size_lines n a b : a <= b <= n -> size [seq r : 'I_n <- lines n | (a <= r) && (r < b)] = b - a.
Proof.
case/andP => ab bn; rewrite size_filter -(count_map val (fun i => (a <= i) && (i < b))) val_lines -(subnKC bn) iotaD.
rewrite -{2}(subnKC ab) iotaD !count_cat !add0n (eq_in_count (a2 := pred0)); last first.
  by move=> i; rewrite mem_iota /=; lia.
rewrite count_pred0 add0n (eq_in_count (a2 := predT)) => [|i]; last by rewrite mem_iota /=; lia.
rewrite [X in _ + X](eq_in_count (a2 := pred0)) => [|i]; last by rewrite mem_iota /=; lia.
by rewrite !count_pred0 count_predT size_iota addn0.
Qed.
Lemma rev_lines n : map (@rev_ord n) (lines n) = rev (lines n).
Proof.
apply: (inj_map val_inj); rewrite map_rev val_lines -map_comp (eq_map (f2 := (fun i => n - i.+1) \o val)) //.
rewrite map_comp val_lines; apply: (@eq_from_nth _ 0) => [|i]; rewrite size_map ?size_rev size_iota //.
by move=> lt; rewrite (nth_map 0) ?size_iota // nth_rev ?size_iota // !nth_iota //; lia.
Qed.

Section Lists.
Variable n : nat.
Notation square := (square n).
Implicit Types (x y : square) (q : {set square}) (l : seq square) (R : seq 'I_n).

Lemma forall_set_of (P : pred square) l : [forall x in set_of l, P x] = all P l.
Proof. by apply/forall_inP/allP => h x; have := h x; rewrite inE. Qed.
Lemma exists_set_of (P : pred square) l : [exists x in set_of l, P x] = has P l.
Proof. by apply/exists_inP/hasP => -[x]; rewrite ?inE => ? ?; exists x; rewrite ?inE. Qed.
Lemma apart_set l x : apart (set_of l) x = all (fun y => ~~ attack y x) l.
Proof. exact: forall_set_of. Qed.
Lemma peaceful_set l : peaceful (set_of l) = peaceful_list l.
Proof.
apply/peacefulP/allP => [p x xl | p x y xl yl a].
  apply/allP => y yl; case a: (attack x y); last by rewrite orbT.
  by rewrite (p x y) ?eqxx // inE.
move: xl yl; rewrite !inE => xl yl; have /allP /(_ y yl) := p x xl.
by rewrite a orbF => /eqP.
Qed.
Lemma share_set (t b : seq square) : share (set_of t) (set_of b) = share_diagonal t b.
Proof. by rewrite /share exists_set_of; apply: eq_has => x; rewrite exists_set_of. Qed.
Lemma free_set l : free (set_of l) = set_of (free_columns l).
Proof.
apply/setP => j; rewrite !inE mem_filter mem_lines andbT; apply/negP/allP => [nj x xl | a /imsetP [x]].
  by apply/negP => /eqP e; apply: nj; rewrite -e; apply: imset_f; rewrite inE.
by rewrite inE => /a /negP nx e; apply: nx; rewrite e.
Qed.

(** *** Placements *)
Lemma placement0 o q : placement set0 o q = (q == set0).
Proof.
apply/idP/eqP => [/and3P [/eqP e _ _] | ->].
  apply/setP => x; rewrite inE; apply/negP => xq.
  by have : x.1 \in rows q by [apply: imset_f]; rewrite e inE.
apply/and3P; split; [|by apply/forall_inP => x; rewrite inE|by apply/peacefulP => x y; rewrite inE].
by rewrite /rows imset0.
Qed.
Lemma sum_placement1 (r : 'I_n) o (f : {set square} -> nat) :
  \sum_(q : {set square} | placement [set r] o q) f q = \sum_(j | o (r, j)) f [set (r, j)].
Proof.
rewrite (reindex_onto (fun j => [set (r, j)]) (fun q => odflt r [pick j | (r, j) \in q])) /=.
  apply: eq_bigl => j; case: pickP => [j'|/(_ j)] /=; rewrite !inE ?eqxx // => /eqP [->].
  rewrite eqxx andbT; apply/and3P/idP => [[_ /forall_inP -> //]|oj]; first by rewrite inE.
  split; [by rewrite /rows imset_set1 | by apply/forall_inP => x; rewrite inE => /eqP -> |].
  by apply/peacefulP => x y; rewrite !inE => /eqP -> /eqP ->.
move=> q /and3P [/eqP rq _ /peacefulP p].
have /imsetP [x xq er] : r \in rows q by rewrite rq set11.
case: pickP => [j jq /= | /(_ x.2)]; last by rewrite er -surjective_pairing xq.
apply/setP => y; rewrite inE; apply/eqP/idP => [-> //| yq]; apply: p => //.
have : y.1 \in rows q by exact: imset_f.
by rewrite rq inE /attack /= => /eqP ->; rewrite eqxx.
Qed.

Theorem sum_placements o R (f : {set square} -> nat) : uniq R ->
  \sum_(q : {set square} | placement (set_of R) o q) f q = \sum_(l <- placements o R) f (set_of l).
Proof.
elim: R f => [|r R IH] f.
  by move=> _; rewrite /= big_seq1 !set_of_nil (big_pred1 set0) // => q; rewrite placement0.
rewrite [uniq _]/= => /andP [rR uR]; rewrite set_of_cons setUC sum_placementU; last by rewrite disjoint_sym disjoints1 inE.
rewrite IH // big_flatten big_map; apply: eq_bigr => l _.
rewrite sum_placement1 big_map big_filter [RHS]big_mkcond sum_lines -big_mkcond /=; apply: eq_big => [j|j _].
  by rewrite apart_set.
by rewrite set_of_cons setUC.
Qed.
Lemma uniq_placements o R l : l \in placements o R -> uniq l.
Proof.
elim: R l => [|r R IH] l /=; first by rewrite inE => /eqP ->.
case/flattenP => s /mapP [p /IH up ->] /mapP [j]; rewrite mem_filter => /andP [/andP [_ /allP a] _] ->.
by rewrite /= up andbT; apply/negP => /a; rewrite attackxx.
Qed.

(** *** What a column set counts, on sets *)
Definition marks_set s q := #|[set x in q | marked s x]|.
Definition half_set s (R : {set 'I_n}) c C t := placement R (open_set c C) t && [forall x in t, ~~ closed s x].
Definition pair_count_set s (R : {set 'I_n}) c C (R' : {set 'I_n}) D :=
  \sum_(t : {set square} | half_set s R c C t) \sum_(b : {set square} | half_set s R' c D b && ~~ share t b)
    pair_weight s (marks_set s c) (marks_set s t) (marks_set s b).

Lemma marks_setE s l : uniq l -> marks_set s (set_of l) = marks s l.
Proof.
move=> u; rewrite /marks_set /marks -size_filter -(card_uniqP _) ?filter_uniq // -[RHS]cardsE.
by congr #|pred_of_set _|; apply/setP => x; rewrite !in_set mem_filter andbC.
Qed.
Lemma half_setE s (c : seq square) (R S : seq 'I_n) q :
  half_set s (set_of R) (set_of c) (set_of S) q = placement (set_of R) (open s c S) q.
Proof.
rewrite /half_set -placementI; apply: eq_placement => x _.
by rewrite /open_set /open inE apart_set andbA.
Qed.
Lemma pair_countE s (c : seq square) (T C B D : seq 'I_n) : uniq c -> uniq T -> uniq B ->
  pair_count s c T C B D = pair_count_set s (set_of T) (set_of c) (set_of C) (set_of B) (set_of D).
Proof.
move=> uc uT uB; rewrite /pair_count sumn_map /pair_count_set (eq_bigl _ _ (half_setE s c T C)) sum_placements // /half_boards.
rewrite big_seq [RHS]big_seq; apply: eq_bigr => t /uniq_placements ut.
rewrite sumn_map big_mkcondr (eq_bigl _ _ (half_setE s c B D)) sum_placements //=.
rewrite big_seq [RHS]big_seq; apply: eq_bigr => b /uniq_placements ub.
by rewrite share_set !marks_setE //; case: share_diagonal.
Qed.
End Lists.
