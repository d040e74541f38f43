(** From lists of words joined in blocks to Q(N): what a unit is counted to by joins is what the
    definitions say. *)
From Queens Require Export total join words.

Section Chain. Variables h k side bits : nat. Notation n := (h + k + h).
Lemma valid_units : all (fun u : unit_of h k => valid_lead u.1.1) (units h k side).
Proof. rewrite /units; elim: (leads h k) (valid_leads h k) => //= l ls IH /andP [v /IH vs].
by rewrite all_cat vs andbT; apply/all_allpairsP => order tile _ _. Qed.

Section Unit. Variables (l : lead h k) (order : N) (tile : nat * nat * nat).
Hypothesis v : valid_lead l. Notation core := (core_of l order). Notation u := (l, order, tile).
Notation s := (eight l). Notation R := (relevant s core).
Definition class_pairs (place : diagonals h k -> 'I_bits) (p : nat * nat * nat) i j :=
  pairs (with_marks i (tops place s core p.1.1 p.1.2))
    (with_marks j (bottoms place s core p.1.1 p.1.2)).
Lemma part_countE place : {in R &, injective place} ->
  {in parts side u, forall p, part_count l core p =
  weight l * p.2 * \sum_(i < 3) \sum_(j < 3) pair_weight s (marks s core) i j * class_pairs place p
    i j}.
Proof. case: tile => -[t a0] d0 inj p; rewrite /parts; case: ifP => // _ /mapP [[i j]] + ->.
rewrite mem_filter => /andP [/and3P [/= li lj _] _].
have [[la ea] [ld ed]] := (set_of_number_in li, set_of_number_in lj);
  have [_ _ main0] := validP v.
by rewrite -(sum_classes (core_shape order v).1 main0 inj la ld) // ea ed. Qed.
Lemma unit_joined_count c : unit_joined side bits u c -> c = unit_count side u.
Proof. case=> place [m [inj joins ->]]; rewrite /unit_count /part_counts sumn_map;
  apply: eq_big_seq => -[[a d] images] pu.
rewrite (part_countE inj pu); congr (_ * _); apply: eq_bigr => i _; apply: eq_bigr => j _.
by rewrite (joined_pairs (joins _ _ _ i j pu)). Qed.
End Unit. End Chain.
Theorem sum_of_joins : Sum_of_joins.
Proof. move=> h k side bits counts h0 side0; rewrite -(sum_of_units k h0 side0) => joined.
elim: joined (valid_units h k side) => [//|[[l order] tile] c us cs uc _ IH] /= /andP [v vs].
by rewrite (unit_joined_count v uc) (IH vs). Qed.
