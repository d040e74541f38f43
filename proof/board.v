(** Solutions, and their symmetries. *)
From Queens Require Export sums.

Section Board. Variable n : nat. Notation square := (square n).
Implicit Types (x y : square) (q : {perm 'I_n}).
Lemma attackC x y : attack x y = attack y x. Proof. lia. Qed.
Lemma solutionP q :
  reflect (forall r r', attack (r, q r) (r', q r') -> r = r') (solution q).
Proof. by apply: (iffP 'forall_'forall_implyP) => s r r' /s /eqP. Qed.
(** *** Symmetries *)
Lemma mirrorE q r : mirror q r = rev_ord (q r). Proof. by rewrite permM permE. Qed.
Lemma flipE q r : flip q r = q (rev_ord r). Proof. by rewrite permM permE. Qed.
Lemma mirrorK : involutive (@mirror n).
Proof. by move=> q; apply/permP => r; rewrite !mirrorE rev_ordK. Qed.
Lemma flipK : involutive (@flip n).
Proof. by move=> q; apply/permP => r; rewrite !flipE rev_ordK. Qed.
Lemma flip_mirror q : flip (mirror q) = mirror (flip q).
Proof. by apply/permP => r; rewrite !(mirrorE, flipE). Qed.
(** Transposition makes a flip of a mirror. *)
Lemma mirrorV q : (mirror q)^-1%g = flip q^-1.
Proof. by apply/permP => j; apply: (@perm_inj _ (mirror q));
  rewrite permKV flipE mirrorE permKV rev_ordK. Qed.
Lemma flipV q : (flip q)^-1%g = mirror q^-1.
Proof. by rewrite -[RHS]invgK mirrorV invgK. Qed.
Lemma solution_mirror q : solution (mirror q) = solution q.
Proof. by apply: eq_forallb => r; apply: eq_forallb => r'; rewrite !mirrorE; lia. Qed.
Lemma solution_inv q : solution q^-1%g = solution q.
Proof. have imp (p : {perm 'I_n}) : solution p -> solution p^-1%g.
  move/solutionP => s; apply/solutionP => j j' a; apply: (@perm_inj _ p^-1%g); apply: s.
  by move: a; rewrite !permKV; lia.
by apply/idP/idP => [/imp | /imp //]; rewrite invgK. Qed.
Lemma solution_flip q : solution (flip q) = solution q.
Proof. by rewrite -solution_inv flipV solution_mirror solution_inv. Qed.
Lemma peaceful_queens q R : solution q -> uniq R -> peaceful (queens_of q R).
Proof. move=> /solutionP s; rewrite uniq_pairwise /peaceful pairwise_map;
  apply: sub_pairwise => r r' /=.
by apply: contra => /s ->. Qed.
(** A solution that has some queens has those of their rows. *)
Lemma has_queensE q l : has_queens q l -> l = queens_of q (map fst l).
Proof. by rewrite /queens_of; elim: l => //= -[r j] l IH /andP [/eqP /= -> /IH {1}->]. Qed.
Lemma imset_queens q l : has_queens q l -> q @: set_of (map fst l) = set_of (map snd l).
Proof. move=> hq; have -> : map snd l = map q (map fst l).
  by rewrite {1}(has_queensE hq) -map_comp.
apply/setP => j; rewrite inE.
by apply/imsetP/mapP => -[r rl ->]; exists r => //; move: rl; rewrite inE. Qed.
Lemma marks_queens s q l R : has_queens q l -> perm_eq (map fst l) R ->
  marks s l = marks s (queens_of q R).
Proof. by move=> hq /seq.permP e; rewrite {1}(has_queensE hq) /marks /queens_of count_map e
  count_map. Qed.
End Board.
