(** From lists of words joined in blocks to Q(N): what a unit is counted to by joins is what the definitions say. *)
From Queens Require Export total join words.

Section Chain.
Variables h k side bits : nat.
Hypotheses (h0 : 0 < h) (side0 : 0 < side).
Notation n := (h + k + h).
Implicit Types (l : lead h k) (u : unit_of h k).

Lemma valid_units : all (fun u : unit_of h k => valid_lead u.1.1) (units h k side).
Proof.
rewrite /units all_flatten all_map; apply: sub_all (valid_leads k h0) => l v /=.
by apply/all_allpairsP => order tile _ _.
Qed.

(** The numbers of a part are sets of the same size. *)
Lemma part_sets u p : p \in parts side u ->
  [/\ p.1.1 < 2 ^ h, p.1.2 < 2 ^ h & popcount h p.1.1 = popcount h p.1.2].
Proof.
case: u => -[l order] [[t a0] d0]; rewrite /parts; case: ifP => // _ /mapP [[i j]] + -> /=.
rewrite mem_filter => /andP [/and3P [/= li lj _] _]; have set m (lt : m < 'C(h, t)) : set_of_number m t h \in sets_of h t.
  by rewrite nth_sets // mem_nth // size_sets.
by have := set i li; have := set j lj; rewrite !mem_sets => /andP [-> /eqP ->] /andP [-> /eqP ->].
Qed.

Section Core.
Variables (l : lead h k) (order : nat).
Hypothesis v : valid_lead l.
Notation core := (core_of l order).
Lemma size_free_core : size (free_columns core) = 2 * h.
Proof. by have [u sz] := core_shape order v; rewrite size_free // sz; lia. Qed.
Lemma part_pairs (place : diagonals h k -> 'I_bits) a d images :
  {in relevant (eight l) core &, injective place} -> a < 2 ^ h -> d < 2 ^ h -> popcount h a = popcount h d ->
  part_count l core (a, d, images) = weight l * images *
    \sum_(0 <= i < 3) \sum_(0 <= j < 3) pair_weight n (eight l) (marks (eight l) core) i j *
      pairs (with_marks i (tops place (eight l) core a d)) (with_marks j (bottoms place (eight l) core a d)).
Proof.
move=> inj la ld same; have [u _] := core_shape order v; have [_ _ _ main0] := validP v.
by rewrite (sum_classes size_free_core main0 inj (map_uniq u) la ld same).
Qed.
End Core.

Lemma unit_joined_count u c : valid_lead u.1.1 -> unit_joined side bits u c -> c = unit_count side u.
Proof.
move=> v; have := @part_sets u; case: u v => -[l order] tile v sets [place [inj [of_part [joins ->]]]].
rewrite /unit_count; congr sumn; apply/eq_in_map => p pu; have [la ld same] := sets p pu.
have := joins p pu; case: p la ld same {pu} => -[a d] images la ld same [m [jm ->]].
rewrite (part_pairs (v : valid_lead l) images inj la ld same); congr (_ * _).
rewrite !big_mkord; apply: eq_bigr => i _; rewrite !big_mkord; apply: eq_bigr => j _.
by rewrite (joined_pairs (jm i j (ltn_ord i) (ltn_ord j))).
Qed.

Lemma unit_joins u : valid_lead u.1.1 -> 2 * n - 2 <= bits -> exists c, unit_joined side bits u c.
Proof.
case: u => -[l order] tile v le; exists (unit_count side (l, order, tile)).
set R := relevant (eight l) (core_of l order).
have lt d : d \in R -> index d (enum R) < bits.
  move=> dR; have few := leq_trans (places (eight l) (size_free_core order (v : valid_lead l))) le.
  by apply: leq_trans few; rewrite -/R cardE index_mem mem_enum.
have b0 : 0 < bits by lia.
pose place d : 'I_bits := insubd (Ordinal b0) (index d (enum R)).
have inj : {in R &, injective place}.
  move=> d d' dR dR' /(congr1 val); rewrite !val_insubd !lt // => e.
  by rewrite -[d](nth_index d (s := enum R)) ?mem_enum // e nth_index ?mem_enum.
exists place; split => //; exists (part_count l (core_of l order)); split => // p pu.
have [la ld same] := part_sets pu; case: p la ld same {pu} => -[a d] images la ld same.
exists (fun i j => pairs (with_marks i (tops place (eight l) (core_of l order) a d))
                         (with_marks j (bottoms place (eight l) (core_of l order) a d))).
split => [i j _ _|]; last exact: (part_pairs (v : valid_lead l) images inj la) ld same.
by have [m jm] := joins_exist_ (with_marks i (tops place (eight l) (core_of l order) a d))
  (with_marks j (bottoms place (eight l) (core_of l order) a d)); rewrite -(joined_pairs jm).
Qed.
End Chain.

Theorem sum_of_joins : Sum_of_joins.
Proof.
move=> h k side bits counts h0 side0; rewrite -(sum_of_units k h0 side0) => joined.
elim: joined (valid_units k side h0) => [//|u c us cs uc _ IH] /= /andP [v vs].
by rewrite (unit_joined_count h0 side0 v uc) (IH vs).
Qed.
Theorem joins_exist : Joins_exist.
Proof.
move=> h k side bits h0 side0 le; elim: (units h k side) (valid_units k side h0) => [|u us IH] /=; first by exists [::].
case/andP => v /IH [cs {}IH]; have [c uc] := unit_joins h0 side0 v le; by exists (c :: cs); constructor.
Qed.
