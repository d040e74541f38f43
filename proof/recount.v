(** Units by their numbers, and their counts, without a list of all units: what [extract.v] makes a
    program of. *)
From Queens Require Export total fast.

Section Recount. Variables h k side : nat. Notation n := (h + k + h).
(** A tile has a column set that counts if its first one does. *)
Definition fast_tiles (kd : images) :=
  [seq tile <- all_tiles h side kd | let: (tier, a, d) := tile in 0 < counted_for h kd tier a d].
(** What is made once for a board: its leads, and the tiles by the kind of a lead. *)
Definition board := (seq (lead h k) * seq (seq (nat * nat * nat)))%type.
Definition board_of : board := (leads h k, [seq fast_tiles kd | kd <- [:: Itself; Flip; All]]).
Definition tiles_in (b : board) kd := nth [::] b.2 match kd with Itself => 0 | Flip => 1 | All =>
  2 end.
(** Orders of the queens beside the lead are too many for unary numbers. *)
Fixpoint falling (m i : nat) : N :=
  if i is i'.+1 then N.mul (bin_of_nat m) (falling m.-1 i') else 1%num.
Definition fast_orders (l : lead h k) := falling (n - size (queens l)) (size (other_rows l)).
Fixpoint take_fast (rows : seq 'I_n) (taken : seq (square n)) (order : N) : seq (square n) :=
  if rows is r :: rows' then
    let left := free_columns taken in
    let (next, column) := N.div_eucl order (bin_of_nat (size left)) in
    if drop (nat_of_bin column) left is j :: _ then take_fast rows' ((r, j) :: taken) next else [::]
  else taken.
Definition fast_core (l : lead h k) (order : N) := take_fast (other_rows l) (queens l) order.
Definition parts_of (l : lead h k) (core : seq (square n)) (tile : nat * nat * nat) :
    seq (nat * nat * nat) :=
  let: (tier, a0, d0) := tile in
  if ~~ peaceful_list core || has (closed (eight l)) core then [::] else
  [seq (set_of_number p.1 tier h, set_of_number p.2 tier h, counted_for h (kind l) tier p.1 p.2)
  | p <- column_sets h side (kind l) (tier, a0, d0)].
Definition units_in (b : board) (l : lead h k) : N :=
  N.mul (fast_orders l) (bin_of_nat (size (tiles_in b (kind l)))).
Definition found := (lead h k * N * (nat * nat * nat))%type.
Fixpoint find_unit (b : board) (ls : seq (lead h k)) (m : N) : option found :=
  if ls is l :: ls' then
    if N.ltb m (units_in b l) then
      let tiles := tiles_in b (kind l) in
      let (order, tile) := N.div_eucl m (bin_of_nat (size tiles)) in
      Some (l, order, nth (0, 0, 0) tiles (nat_of_bin tile))
    else find_unit b ls' (N.sub m (units_in b l))
  else None.
Definition unit_at (b : board) (m : N) := find_unit b b.1 m.
Definition number_of_units (b : board) : N := sum_N [seq units_in b l | l <- b.1].
(** What the parts of a unit count, and what it counts itself. *)
Definition fast_counts (u : found) : seq N :=
  let: (l, order, tile) := u in let core := fast_core l order in
  [seq fast_part_count l core p | p <- parts_of l core tile].
Definition count_unit (b : board) (m : N) : option N :=
  omap (fun u => sum_N (fast_counts u)) (unit_at b m).
Definition count_part (b : board) (m : N) (part : nat) : option N :=
  if unit_at b m is Some (l, order, tile) then
    let core := fast_core l order in
    omap (fast_part_count l core) (nth None (map Some (parts_of l core tile)) part)
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
Lemma fallingE m i : nat_of_bin (falling m i) = m ^_ i.
Proof. by elim: i m => //= i IH m; rewrite nat_of_mul_bin bin_of_natK IH ffactnS. Qed.
Lemma div_euclE (m : N) d q r : 0 < d -> N.div_eucl m (bin_of_nat d) = (q, r) ->
  nat_of_bin m = nat_of_bin q * d + nat_of_bin r /\ nat_of_bin r < d.
Proof. move=> d0 e; have := N.div_eucl_spec m (bin_of_nat d); have := N.mod_lt m (bin_of_nat d).
rewrite /N.modulo e /= => lr ->; rewrite nat_of_add_bin nat_of_mul_bin bin_of_natK mulnC.
by split=> //; have := bin_of_natK d; lia. Qed.
Lemma fast_coreE l order : fast_core l order = core_of l (nat_of_bin order).
Proof. rewrite /fast_core /core_of; elim: (other_rows l) (queens l) order => //= r rows IH.
move=> taken order.
case e: N.div_eucl => [q c]; case: (posnP (size (free_columns taken))) => [/size0nil -> //|d0].
have [-> lc] := div_euclE d0 e; rewrite modnMDl modn_small // divnMDl // divn_small // addn0.
by case: (drop _ _). Qed.
Definition listed (u : found) : unit_of h k := (u.1.1, nat_of_bin u.1.2, u.2).
Lemma unit_atE m :
  nth None [seq Some u | u <- units h k side] (nat_of_bin m) = omap listed (unit_at board_of m).
Proof. rewrite /unit_at /units -[board_of.1]/(leads h k); elim: (leads h k) m => [|l ls IH] m /=;
  first by case: (nat_of_bin m). have e : tiles_in board_of (kind l) = tiles h side (kind l).
  by rewrite -fast_tilesE /tiles_in; case: (kind l).
rewrite map_cat nth_cat size_map size_allpairs size_iota; set ts := tiles h side (kind l) in e *.
have ue : nat_of_bin (units_in board_of l) =
  orders l * size ts by rewrite /units_in e nat_of_mul_bin bin_of_natK fallingE.
rewrite -ue (_ : N.ltb m _ = (nat_of_bin m < nat_of_bin (units_in board_of l))); last by lia.
case: ltnP => [|ge]; last by rewrite -IH; congr (nth _ _ _); lia.
rewrite ue e => lt; have t0 : 0 < size ts by case: (size ts) lt; rewrite ?muln0.
case de: N.div_eucl => [q r]; have [em lr] := div_euclE t0 de.
by rewrite em nth_pairs //; have := leq_mul2r (size ts) (orders l) q; lia. Qed.
Lemma fast_countsE u : [seq nat_of_bin c | c <- fast_counts u] = part_counts side (listed u).
Proof. case: u => -[l order] [[tier a0] d0]; rewrite /fast_counts fast_coreE -map_comp.
by apply: eq_map => p; rewrite /= fast_part_countE. Qed.
Theorem number_of_unitsE : nat_of_bin (number_of_units board_of) = size (units h k side).
Proof. rewrite sum_NE size_flatten /shape -map_comp sumn_map; apply: eq_bigr => l _.
rewrite /= size_allpairs size_iota nat_of_mul_bin bin_of_natK fallingE /tiles_in -fast_tilesE;
  by case: (kind l). Qed.
Theorem count_unitE m (u := nth None [seq Some u | u <- units h k side] (nat_of_bin m)) :
  omap nat_of_bin (count_unit board_of m) = omap (unit_count side) u.
Proof. rewrite /u unit_atE /count_unit; case: unit_at => //= v.
by rewrite /unit_count -fast_countsE -[fast_counts v]map_id sum_NE sumn_map map_id. Qed.
Theorem count_partE b m i :
  count_part b m i = obind (fun u => nth None [seq Some c | c <- fast_counts u] i) (unit_at b m).
Proof. rewrite /count_part; case: unit_at => [[[l order] tile]|] //=; rewrite -map_comp.
by elim: (parts_of l _ tile) i => [|p ps IH] [|i]; rewrite /= ?IH. Qed.
End Recount.
