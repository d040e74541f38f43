(** Units by their numbers, and their counts, without a list of all units: what [extract.v] makes a
    program of. *)
From Queens Require Export total fast.

Definition sum_N (l : seq N) : N := foldr N.add N0 l.
Lemma sum_NE l : nat_of_bin (sum_N l) = sumn [seq nat_of_bin c | c <- l].
Proof. by elim: l => //= c l <-; exact: nat_of_add_bin. Qed.

Section Recount. Variables h k side : nat. Notation n := (h + k + h).
(** What is made once for a board: its leads, and the tiles by the kind of a lead. *)
Definition board := (seq (lead h k) * seq (seq (nat * nat * nat)))%type.
Definition board_of : board := (leads h k, [seq tiles h side kd | kd <- [:: Itself; Flip; All]]).
Definition tiles_in (b : board) kd := nth [::] b.2 match kd with Itself => 0 | Flip => 1 | All =>
  2 end.
(** Orders of the queens beside the lead are too many for unary numbers. *)
Fixpoint falling (m i : nat) : N :=
  if i is i'.+1 then N.mul (bin_of_nat m) (falling m.-1 i') else 1%num.
Definition fast_orders (l : lead h k) := falling (n - size (queens l)) (size (other_rows l)).
Definition units_in (b : board) (l : lead h k) : N :=
  N.mul (fast_orders l) (bin_of_nat (size (tiles_in b (kind l)))).
Fixpoint find_unit (b : board) (ls : seq (lead h k)) (m : N) : option (unit_of h k) :=
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
Definition fast_counts (u : unit_of h k) : seq N :=
  let: (l, order, _) := u in [seq fast_part_count l (core_of l order) p | p <- parts side u].
Definition count_unit (b : board) (m : N) : option N :=
  omap (fun u => sum_N (fast_counts u)) (unit_at b m).
Definition count_part (b : board) (m : N) (part : nat) : option N :=
  if unit_at b m is Some u then
    let: (l, order, _) := u in
    omap (fast_part_count l (core_of l order)) (nth None (map Some (parts side u)) part)
  else None.

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
Lemma tiles_inE kd : tiles_in board_of kd = tiles h side kd. Proof. by case: kd. Qed.
Lemma units_inE l : nat_of_bin (units_in board_of l) = orders l * size (tiles h side (kind l)).
Proof. by rewrite /units_in tiles_inE nat_of_mul_bin bin_of_natK fallingE. Qed.
Lemma unit_atE m :
  unit_at board_of m = nth None [seq Some u | u <- units h k side] (nat_of_bin m).
Proof. rewrite /unit_at /units -[board_of.1]/(leads h k); elim: (leads h k) m => [|l ls IH] m /=;
  first by case: (nat_of_bin m).
rewrite map_cat nth_cat size_map size_allpairs size_iota -units_inE tiles_inE.
rewrite (_ : N.ltb m _ = (nat_of_bin m < nat_of_bin (units_in board_of l))); last by lia.
case: ltnP => [|ge]; last by rewrite IH; congr (nth _ _ _); lia.
rewrite units_inE; set ts := tiles h side _ => lt; have t0 : 0 < size ts by case: (size ts) lt;
  rewrite ?muln0.
rewrite div_euclE // [in RHS](divn_eq m (size ts)) nth_pairs ?ltn_pmod ?ltn_divLR // bin_of_natK.
by []. Qed.
Theorem number_of_unitsE : nat_of_bin (number_of_units board_of) = size (units h k side).
Proof. rewrite sum_NE size_flatten /shape -!map_comp; congr sumn; apply: eq_map => l.
by rewrite /= units_inE size_allpairs size_iota. Qed.
Lemma sum_fast_counts u : nat_of_bin (sum_N (fast_counts u)) = unit_count side u.
Proof. case: u => -[l order] tile; rewrite sum_NE -map_comp; congr sumn; apply: eq_map => p.
exact: fast_part_countE. Qed.
Theorem count_partE b m i :
  count_part b m i = obind (fun u => nth None [seq Some c | c <- fast_counts u] i) (unit_at b m).
Proof. have nthE T (f : T -> N) s :
  omap f (nth None (map Some s) i) = nth None (map Some (map f s)) i.
  by elim: s i => [|x s IH] [|i] //=.
by rewrite /count_part; case: unit_at => [[[l order] tile]|] //; exact: nthE. Qed.
End Recount.
