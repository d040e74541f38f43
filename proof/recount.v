(** Units by their numbers, and their counts, without a list of all units: what [extract.v] makes a
    program of. *)
From Queens Require Export total fast.

Section Recount. Variables h k side : nat.
(** A tile has a column set that counts if its first one does. *)
Definition fast_tiles (kd : images) :=
  [seq tile <- all_tiles h side kd | let: (tier, a, d) := tile in 0 < counted_for h kd tier a d].
(** What is made once for a board: its leads, and the tiles by the kind of a lead. *)
Definition board := (seq (lead h k) * seq (seq (nat * nat * nat)))%type.
Definition board_of : board := (leads h k, [seq fast_tiles kd | kd <- [:: Itself; Flip; All]]).
Definition tiles_in (b : board) kd := nth [::] b.2 match kd with Itself => 0 | Flip => 1 | All =>
  2 end.
Definition units_in (b : board) (l : lead h k) : N :=
  N.mul (bin_of_nat (orders l)) (bin_of_nat (size (tiles_in b (kind l)))).
Fixpoint find_unit (b : board) (ls : seq (lead h k)) (m : N) : option (unit_of h k) :=
  if ls is l :: ls' then
    if N.ltb m (units_in b l) then
      let tiles := tiles_in b (kind l) in
      let (order, tile) := N.div_eucl m (bin_of_nat (size tiles)) in
      Some (l, nat_of_bin order, nth (0, 0, 0) tiles (nat_of_bin tile))
    else find_unit b ls' (N.sub m (units_in b l))
  else None.
Definition unit_at (b : board) (m : N) := find_unit b b.1 m.
Definition number_of_units (b : board) : N := sum_N [seq units_in b l | l <- b.1].
(** What a unit counts, and what a part of it does. *)
Definition fast_unit_count (u : unit_of h k) : N :=
  let: (l, order, _) := u in let core :=
    core_of l order in sum_N [seq fast_part_count l core p | p <- parts side u].
Definition count_unit (b : board) (m : N) : option N := omap fast_unit_count (unit_at b m).
Definition count_part (b : board) (m : N) (part : nat) : option N :=
  if unit_at b m is Some (l, order, tile) then
    omap (fast_part_count l (core_of l order))
      (nth None (map Some (parts side (l, order, tile))) part)
  else None.
Hypothesis side0 : 0 < side.
Lemma fast_tilesE kd : fast_tiles kd = tiles h side kd.
Proof. apply: eq_in_filter => -[[t a] d] /allpairsPdep [t' [[x y] [_ xy [-> -> ->]]]] {t a d}.
move: xy => /allpairsP [[a d] [/= /mapP [i + ea] /mapP [j + ed] [-> ->]]];
  rewrite !mem_iota !add0n /=. rewrite -[X in nilp X]/(column_sets h side kd (t', a, d)).
set S := 'C(h, t') => li lj; have la : a < S by have := leq_trunc_div (S + side.-1) side; nia.
have ld : d < S by have := leq_trunc_div (S + side.-1) side; nia. apply/idP/idP => [pos | ].
  have first : (0, 0) \in by_quarters (up_log 2 side).
    by elim: (up_log 2 side) => //= m IH; rewrite !mem_cat; apply/orP; left; apply/mapP;
      exists (0, 0).
  suff : (a, d) \in column_sets h side kd (t', a, d) by rewrite /nilp; case: (column_sets _ _ _ _).
  by rewrite mem_filter /= la ld pos; apply/mapP; exists (0, 0);
    rewrite ?addn0 // mem_filter /= side0.
case e: (column_sets _ _ _ _) => [//|q qs] _;
  have : q \in column_sets h side kd (t', a, d) by rewrite e mem_head.
rewrite mem_filter => /andP [/and3P [_ _ pos] /mapP [[r c] + e']]; move: pos;
  rewrite e' mem_filter /= => pos /andP [/andP [lr lc] _]. have le : a + r <= d + c -> a <= d.
  by rewrite ea ed leq_mul2l; case: (leqP i j) => [|ji]; rewrite ?orbT // => le;
    have := leq_mul2l side j.+1 i; lia.
move: pos le; rewrite /counted_for -/S; case: (kd) => //=.
  by case: ifP => //; case: ifP => //; lia.
by do ?case: ifP => //; lia. Qed.
(** The members of a list of pairs by quotients and remainders. *)
Lemma nth_pairs T (f : nat -> nat * nat * nat -> T) ts m a q r : r < size ts -> q < m ->
  nth None (map Some [seq f o t | o <- iota a m, t <- ts]) (q * size ts + r) =
    Some (f (a + q) (nth (0, 0, 0) ts r)).
Proof. move=> lr; elim: m a q => [//|m IH] a [|q] lq;
  rewrite /= map_cat nth_cat !size_map ?mulSn ?add0n ?addn0.
  by rewrite lr (nth_map (f a (0, 0, 0))) ?size_map // (nth_map (0, 0, 0)).
by rewrite -addnA ltnNge leq_addr addKn IH // addSnnS. Qed.
Lemma unit_atE m : nth None [seq Some u | u <- units h k side] (nat_of_bin m) = unit_at board_of m.
Proof. rewrite /unit_at /units -[board_of.1]/(leads h k); elim: (leads h k) m => [|l ls IH] m /=;
  first by case: (nat_of_bin m). have e : tiles_in board_of (kind l) = tiles h side (kind l).
  by rewrite -fast_tilesE /tiles_in; case: (kind l).
rewrite map_cat nth_cat size_map size_allpairs size_iota; set ts := tiles h side (kind l) in e *.
have ue : nat_of_bin (units_in board_of l) =
  orders l * size ts by rewrite /units_in e nat_of_mul_bin !bin_of_natK.
rewrite -ue (_ : N.ltb m _ = (nat_of_bin m < nat_of_bin (units_in board_of l))); last by lia.
case: ltnP => [|ge]; last by rewrite -IH; congr (nth _ _ _); lia.
rewrite ue e => lt; have t0 : 0 < size ts by case: (size ts) lt; rewrite ?muln0.
have := N.div_eucl_spec m (bin_of_nat (size ts)); have := N.mod_lt m (bin_of_nat (size ts)).
rewrite /N.modulo; case: N.div_eucl => q r /= lr em.
have [{}em {}lr] : nat_of_bin m = nat_of_bin q * size ts + nat_of_bin r /\ nat_of_bin r < size ts.
  rewrite em nat_of_add_bin nat_of_mul_bin bin_of_natK mulnC; split=> //.
  by have := bin_of_natK (size ts); lia.
by rewrite em nth_pairs //; have := leq_mul2r (size ts) (orders l) q; lia. Qed.
Lemma fast_unit_countE u : nat_of_bin (fast_unit_count u) = unit_count side u.
Proof. case: u => -[l order] tile;
  rewrite /fast_unit_count sum_NE /unit_count /part_counts sumn_map.
by apply: eq_bigr => p _; rewrite fast_part_countE. Qed.
Lemma count_unitE m (u := nth None [seq Some u | u <- units h k side] (nat_of_bin m)) :
  omap nat_of_bin (count_unit board_of m) = omap (unit_count side) u.
Proof. by rewrite /u unit_atE /count_unit; case: unit_at => //= v; rewrite fast_unit_countE. Qed.
Lemma count_partE m i (u := nth None [seq Some u | u <- units h k side] (nat_of_bin m)) :
  omap nat_of_bin (count_part board_of m i) =
    obind (fun u => nth None [seq Some c | c <- part_counts side u] i) u.
Proof. rewrite /u unit_atE /count_part; case: unit_at => [[[l order] tile]|] //.
rewrite -[RHS]/(nth None [seq Some c | c <- part_counts side (l, order, tile)] i) /part_counts
  -map_comp.
by elim: (parts side (l, order, tile)) i => [|p ps IH] [|i]; rewrite /= ?fast_part_countE ?IH. Qed.
Lemma number_of_unitsE : nat_of_bin (number_of_units board_of) = size (units h k side).
Proof. rewrite sum_NE size_flatten /shape -map_comp sumn_map; apply: eq_bigr => l _.
rewrite /= size_allpairs size_iota nat_of_mul_bin !bin_of_natK /tiles_in -fast_tilesE;
  by case: (kind l). Qed.
Lemma fast_total : 0 < h ->
  Q (h + k + h) = nat_of_bin (sum_N [seq fast_unit_count u | u <- units h k side]).
Proof. move=> h0; rewrite -(sum_of_units k h0 side0) sum_NE sumn_map.
by apply: eq_bigr => u _; rewrite fast_unit_countE. Qed.
End Recount.
