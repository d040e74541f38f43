(** From lists of words joined in blocks to Q(N): what a unit is counted to by joins is what the definitions say. *)
From Queens Require Export total join words.

Section Chain.
Variables h k side bits : nat.
Notation n := (h + k + h).

Lemma valid_units : 0 < h -> all (fun u : unit_of h k => valid_lead u.1.1) (units h k side).
Proof.
move=> h0; rewrite /units all_flatten all_map; apply: sub_all (valid_leads k h0) => l v /=.
by apply/all_allpairsP => order tile _ _.
Qed.

(** The numbers of a part are sets of the same size. *)
Lemma part_sets (u : unit_of h k) p : p \in parts side u ->
  [/\ p.1.1 < 2 ^ h, p.1.2 < 2 ^ h & popcount h p.1.1 = popcount h p.1.2].
Proof.
case: u => -[l order] [[t a0] d0]; rewrite /parts; case: ifP => // _ /mapP [[i j]] + -> /=.
rewrite mem_filter => /andP [/and3P [/= li lj _] _].
have set m (lt : m < 'C(h, t)) : set_of_number m t h \in sets_of h t.
  by rewrite nth_sets // mem_nth // size_sets.
by have := set i li; have := set j lj; rewrite !mem_sets => /andP [-> /eqP ->] /andP [-> /eqP ->].
Qed.

Section Unit.
Variables (l : lead h k) (order : nat) (tile : nat * nat * nat).
Hypothesis v : valid_lead l.
Notation core := (core_of l order).
Notation u := (l, order, tile).
Lemma size_free_core : size (free_columns core) = 2 * h.
Proof. by have [uc sz] := core_shape order v; rewrite size_free // sz; lia. Qed.

(** A part may be joined, and only to its count. *)
Lemma part_joinedE (place : diagonals h k -> 'I_bits) p c : {in relevant (eight l) core &, injective place} ->
  p \in parts side u -> part_joined l core place p c <-> c = part_count l core p.
Proof.
move=> inj pu; have [la ld same] := part_sets pu; case: p la ld same {pu} => -[a d] images /= la ld same.
have [uc _] := core_shape order v; have [_ _ _ main0] := validP v.
rewrite /part_joined -(sum_classes size_free_core main0 inj (map_uniq uc) la ld same).
set ts := tops _ _ _ a d; set bs := bottoms _ _ _ a d.
split=> [[m [jm ->]] | ->].
  by congr (_ * _); apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite (joined_pairs (jm i j)).
by exists (fun i j => pairs (with_marks i ts) (with_marks j bs)); split=> // i j; exact: joined_exists.
Qed.
Lemma unit_joined_count c : unit_joined side bits u c -> c = unit_count side u.
Proof.
case=> place [inj [of_part [joins ->]]]; congr sumn; apply/eq_in_map => p pu.
exact/(part_joinedE _ inj pu)/joins.
Qed.
Lemma unit_joins : 0 < h -> 2 * n - 2 <= bits -> unit_joined side bits u (unit_count side u).
Proof.
move=> h0 le; set R := relevant (eight l) core; have b0 : 0 < bits by lia.
have lt d : d \in R -> index d (enum R) < bits.
  move=> dR; apply: leq_trans (leq_trans (places (eight l) size_free_core) le).
  by rewrite -/R cardE index_mem mem_enum.
pose place d := insubd (Ordinal b0) (index d (enum R)).
have inj : {in R &, injective place}.
  move=> d d' dR dR' /(congr1 val); rewrite !val_insubd !lt // => e.
  by rewrite -[d](nth_index d (s := enum R)) ?mem_enum // e nth_index ?mem_enum.
by exists place; split=> //; exists (part_count l core); split=> // p pu; exact/(part_joinedE _ inj pu).
Qed.
End Unit.
End Chain.

Theorem sum_of_joins : Sum_of_joins.
Proof.
move=> h k side bits counts h0 side0; rewrite -(sum_of_units k h0 side0) => joined.
elim: joined (valid_units k side h0) => [//|[[l order] tile] c us cs uc _ IH] /= /andP [v vs].
by rewrite (unit_joined_count v uc) (IH vs).
Qed.
Theorem joins_exist : Joins_exist.
Proof.
move=> h k side bits h0 side0 le; exists [seq unit_count side u | u <- units h k side].
elim: (units h k side) (valid_units k side h0) => [_ | [[l order] tile] us IH /= /andP [v /IH]]; constructor => //.
exact: unit_joins.
Qed.
