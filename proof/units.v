(** From units to solutions: the units of a lead count each solution that has its queens, with a weight. *)
From Queens Require Export columns.

(** *** Cores by their numbers *)
Section Place.
Variable n : nat.
Notation square := (square n).
Implicit Types (R : seq 'I_n) (taken l : seq square).

Lemma size_free taken : uniq [seq q.2 | q <- taken] -> size (free_columns taken) = n - size taken.
Proof.
move=> u; have ul : uniq (free_columns taken) by apply: filter_uniq; exact: uniq_lines.
rewrite -(card_uniqP ul) -(size_map (fun q : square => q.2)) -(card_uniqP u) -cardsE -[X in _ - X]cardsE.
rewrite cardsCs card_ord; congr (n - #|pred_of_set _|); apply/setP => j.
rewrite in_setC !in_set mem_filter mem_lines andbT -has_predC -has_pred1 has_map.
by apply: eq_has => x /=; rewrite negbK.
Qed.
Lemma free_uniq taken r j : j \in free_columns taken -> uniq [seq q.2 | q <- taken] ->
  uniq [seq q.2 | q <- (r, j) :: taken].
Proof.
rewrite mem_filter => /andP [/allP a _] u; rewrite /= u andbT; apply/mapP => -[x xt e].
by have := a x xt; rewrite -e eqxx.
Qed.
(** The column that a number chooses is one of those that are left. *)
Lemma drop_left taken o : size taken < n -> uniq [seq q.2 | q <- taken] ->
  exists j s, drop (o %% size (free_columns taken)) (free_columns taken) = j :: s /\ j \in free_columns taken.
Proof.
move=> lt u; have sl := size_free u; set f := size (free_columns taken) in sl *.
have lf : o %% f < f by apply: ltn_pmod; rewrite sl subn_gt0.
case e: (drop (o %% f) (free_columns taken)) => [|j s].
  by move: (congr1 size e); rewrite size_drop -/f /= => /eqP; rewrite subn_eq0 leqNgt lf.
by exists j, s; split => //; rewrite -(cat_take_drop (o %% f) (free_columns taken)) e mem_cat mem_head orbT.
Qed.
Lemma place_shape R taken o : size taken + size R <= n -> uniq [seq q.2 | q <- taken] ->
  uniq [seq q.2 | q <- place R taken o] /\ size (place R taken o) = size taken + size R.
Proof.
elim: R taken o => [taken o _ u|r R IH taken o le u] /=; first by rewrite addn0.
have lt : size taken < n by apply: leq_trans le; rewrite /= addnS ltnS leq_addr.
have [j [s [-> jl]]] := drop_left o lt u.
by rewrite addnS -addSn; apply: (IH ((r, j) :: taken)) (free_uniq r jl u); rewrite /= addSn -addnS.
Qed.

Variable G : {set square} -> nat.
Definition of_peaceful l := if peaceful_list l then G (set_of l) else 0.

Lemma sum_place R taken : uniq R -> uniq [seq q.2 | q <- taken] -> size taken + size R <= n ->
  \sum_(o <- iota 0 ((n - size taken) ^_ size R)) of_peaceful (place R taken o) =
  if peaceful_list taken then
    \sum_(q : {set square} | placement (set_of R) (apart (set_of taken)) q) G (set_of taken :|: q) else 0.
Proof.
elim: R taken => [|r R IH] taken.
  move=> _ _ _; rewrite /= big_seq1 /of_peaceful; case: ifP => // _.
  by rewrite set_of_nil (big_pred1 set0) ?setU0 // => q; rewrite placement0.
rewrite [uniq (_ :: _)]/= => /andP [rR uR] u le; have sl := size_free u; set f := n - size taken in sl *.
have f0 : 0 < f by move: le; rewrite /f /=; lia.
have one (x : square) : [set x] = set_of [:: x] by rewrite set_of_cons set_of_nil setU0.
have -> : f ^_ size (r :: R) = f * f.-1 ^_ size R by rewrite -{1}(prednK f0) /= ffactSS prednK.
transitivity (\sum_(j <- free_columns taken) \sum_(o <- iota 0 (f.-1 ^_ size R))
  of_peaceful (place R ((r, j) :: taken) o)).
  have [j0 _] : exists j0, j0 \in free_columns taken.
    by case: (free_columns taken) sl f0 => [<- //|j0 s _ _]; exists j0; exact: mem_head.
  rewrite (big_nth j0) sl /index_iota subn0.
  rewrite -(sum_digits f (f.-1 ^_ size R) (fun i o =>
    of_peaceful (place R ((r, nth j0 (free_columns taken) i) :: taken) o))).
  by apply: eq_bigr => o _ /=; rewrite sl (drop_nth j0) // sl ltn_pmod.
transitivity (if peaceful_list taken then \sum_(j | apart (set_of taken) (r, j))
    \sum_(q : {set square} | placement (set_of R) (apart (set_of ((r, j) :: taken))) q)
      G (set_of ((r, j) :: taken) :|: q) else 0);
  last first.
  case: ifP => // _; rewrite set_of_cons sum_placementU; last by rewrite disjoints1 inE.
  rewrite sum_placement1; apply: eq_bigr => j _; apply: eq_big => [q | q _].
    by apply: eq_placement => x _; rewrite one !apart_set /= andbT andbC.
  by rewrite set_of_cons setUA [set_of taken :|: _]setUC.
have jU j : j \in free_columns taken ->
    peaceful_list ((r, j) :: taken) = peaceful_list taken && apart (set_of taken) (r, j).
  rewrite mem_filter => /andP [/allP jt _]; rewrite -!peaceful_set set_of_cons setUC peacefulU.
    by rewrite one forall_set_of (peaceful_set [:: (r, j)]) /peaceful_list /= eqxx /= andbT.
  by rewrite disjoint_sym disjoints1 inE; apply/negP => /jt; rewrite eqxx.
transitivity (\sum_(j <- free_columns taken) if peaceful_list taken && apart (set_of taken) (r, j) then
    \sum_(q : {set square} | placement (set_of R) (apart (set_of ((r, j) :: taken))) q)
      G (set_of ((r, j) :: taken) :|: q) else 0).
  rewrite big_seq [RHS]big_seq; apply: eq_bigr => j jl; rewrite -jU // -IH ?free_uniq //.
    by rewrite /= subnS.
  by rewrite /= addSn -addnS.
rewrite big_filter big_mkcond sum_lines; case: (peaceful_list taken) => /=;
  last by rewrite big1 // => j _; rewrite if_same.
rewrite [RHS]big_mkcond; apply: eq_bigr => j _; case: ifP => // /negbT;
  rewrite -has_predC => /hasP [x xt /= /negPn /eqP e].
by case: ifP => // /apart_free; rewrite inE /= => /negP []; rewrite -e; apply: imset_f; rewrite inE.
Qed.
End Place.

(** *** The solutions of a lead *)
Section Lead.
Variables h k : nat.
Notation n := (h + k + h).
Notation square := (square n).
Notation top := (set_of (top_rows h k)).
Notation mid := (set_of (middle_rows h k)).
Notation bot := (set_of (bottom_rows h k)).
Implicit Types (q c t b : {set square}) (C F : {set 'I_n}) (s : order_eight).

Lemma in_top r : (r \in top) = (r < h). Proof. by rewrite inE mem_filter mem_lines andbT. Qed.
Lemma in_mid r : (r \in mid) = (h <= r) && (r < h + k). Proof. by rewrite inE mem_filter mem_lines andbT. Qed.
Lemma in_bot r : (r \in bot) = (h + k <= r). Proof. by rewrite inE mem_filter mem_lines andbT. Qed.
Definition in_rows := (in_top, in_mid, in_bot).
Lemma disjoint_mid_top : [disjoint mid & top].
Proof. by rewrite -setI_eq0; apply/eqP/setP => r; rewrite in_setI !in_rows inE; lia. Qed.
Lemma disjoint_top_bot : [disjoint top & bot].
Proof. by rewrite -setI_eq0; apply/eqP/setP => r; rewrite in_setI !in_rows inE; lia. Qed.
Lemma disjoint_mid_bot : [disjoint mid & bot].
Proof. by rewrite -setI_eq0; apply/eqP/setP => r; rewrite in_setI !in_rows inE; lia. Qed.
Lemma cover_rows : mid :|: (top :|: bot) = setT.
Proof. by apply/setP => r; rewrite !in_setU !in_rows inE; lia. Qed.
Lemma uniq_rows (P : pred 'I_n) : uniq [seq r <- lines n | P r]. Proof. by rewrite filter_uniq ?uniq_lines. Qed.
Lemma card_top : #|top| = h.
Proof.
rewrite cardsE (card_uniqP (uniq_rows _)) /top_rows -(eq_filter (a1 := fun r : 'I_n => (0 <= r) && (r < h))) //.
by rewrite size_lines ?subn0 //; lia.
Qed.
Lemma size_mid : size (middle_rows h k) = k.
Proof. by rewrite size_lines; lia. Qed.

(** The core and the halves of a solution, the columns that its core leaves, and those of its top. *)
Definition part (R : {set 'I_n}) q := q :&: squares R.
Definition left_over q := free (part mid q).
Definition top_cols q := cols (part top q).
Lemma parts_of_cut c t b : c \subset squares mid -> t \subset squares top -> b \subset squares bot ->
  [/\ part mid (c :|: (t :|: b)) = c, part top (c :|: (t :|: b)) = t & part bot (c :|: (t :|: b)) = b].
Proof.
move=> /subsetP cM /subsetP tT /subsetP bB.
have at_ x : [/\ x \in c -> h <= x.1 < h + k, x \in t -> x.1 < h & x \in b -> h + k <= x.1].
  by split=> [/cM | /tT | /bB]; rewrite inE in_rows.
split; apply/setP => x; have [cx tx bx] := at_ x; rewrite in_setI !in_setU in_set in_rows;
  case: (x \in c) cx; case: (x \in t) tx; case: (x \in b) bx => //= cx tx bx; lia.
Qed.

(** For how many images a column set is counted, and what a solution weighs by the order of eight. *)
Definition list_of F := [seq j <- lines n | j \in F].
Definition image_weight kd F C :=
  let a := a_of h (list_of F) C in
  let t := popcount h a in
  if t \in tiers h kd then counted_for h kd t (number_of h a) (number_of h (d_of h (list_of F) C)) else 0.
Definition eight_weight s q :=
  if [exists x in q, closed s x] then 0
  else pair_weight s (marks_set s (part mid q)) (marks_set s (part top q)) (marks_set s (part bot q)).
Definition shaped (l : lead h k) := [&& uniq (queens l), all (fun x => x.1 \in mid) (queens l) &
  if eight l is MainDiagonals then k == 0 else true].
Definition valid_lead l := peaceful_list (queens l) && shaped l.
Lemma validP l : valid_lead l -> [/\ peaceful_list (queens l), uniq (queens l),
  {subset [seq q.1 | q <- queens l] <= mid} & eight l = MainDiagonals -> k = 0].
Proof.
case/and4P => p u /allP m e; split => // [r /mapP [x xl ->] | eM]; first exact: m.
by apply/eqP; rewrite eM in e.
Qed.

Definition core_sum (l : lead h k) c :=
  if [exists x in c, closed (eight l) x] then 0 else
  \sum_(C : {set 'I_n} | (C \subset free c) && (#|C| == h))
    weight l * image_weight (kind l) (free c) C * pair_count_set (eight l) top c C bot (free c :\: C).

(** The queens of a core have different columns, and are k. *)
Lemma queens_apart l : valid_lead l -> uniq [seq q.1 | q <- queens l] /\ uniq [seq q.2 | q <- queens l].
Proof.
case/validP=> pl ul _ _; have pP := peacefulP _ (etrans (peaceful_set _) pl).
by split; rewrite map_inj_in_uniq // => x y xl yl e; apply: pP; rewrite ?inE // /attack e eqxx ?orbT.
Qed.
Lemma size_core l : valid_lead l -> size (queens l) + size (other_rows l) = k.
Proof.
move=> v; have [u1 _] := queens_apart v; have [_ ul rl _] := validP v.
rewrite -[RHS]size_mid /other_rows size_filter -(count_predC (mem [seq q.1 | q <- queens l]) (middle_rows h k)).
congr (_ + _); rewrite -size_filter -(size_map (fun q : square => q.1)); apply: perm_size; apply: uniq_perm => //.
  by rewrite filter_uniq ?uniq_rows.
move=> r; rewrite mem_filter /=; case rq: (r \in _) => //=; by have := rl r rq; rewrite inE => ->.
Qed.
Lemma core_shape l o : valid_lead l -> uniq [seq q.2 | q <- core_of l o] /\ size (core_of l o) = k.
Proof.
move=> v; have [_ u2] := queens_apart v; have sz := size_core v; rewrite -[in RHS]sz; apply: place_shape => //.
by rewrite sz; lia.
Qed.

Lemma sum_tiers kd (F : nat -> nat) :
  \sum_(t <- tiers h kd) F t = \sum_(t <- iota 0 h.+1) (if t \in tiers h kd then F t else 0).
Proof.
rewrite /tiers; set m := if _ is Itself then _ else _; have le : m <= h.+1 by rewrite {}/m; case: kd => /=; lia.
by rewrite -big_mkcond -(sum_below _ le); apply: eq_bigl => t; rewrite mem_iota.
Qed.
Variable side : nat.
Hypothesis side0 : 0 < side.
Lemma sum_unit l o (c := core_of l o) : peaceful_list c -> uniq [seq q.2 | q <- c] -> size c = k ->
  \sum_(tile <- tiles h side (kind l)) unit_count side (l, o, tile) = core_sum l (set_of c).
Proof.
move=> p u sc; rewrite /core_sum exists_set_of.
case hc: (has (closed (eight l)) c).
  by rewrite big1 // => -[[t a] d] _; rewrite /unit_count /parts -/c p hc.
have sf : size (free_columns c) = 2 * h by rewrite size_free // sc; lia.
have uf : uniq (free_columns c) by apply: uniq_rows.
have fE : list_of (free (set_of c)) = free_columns c.
  by apply: eq_filter => j; rewrite free_set inE mem_filter mem_lines andbT.
pose F (t i j : nat) := part_count l c (set_of_number i t h, set_of_number j t h, counted_for h (kind l) t i j).
transitivity (\sum_(tile <- tiles h side (kind l)) \sum_(q <- column_sets h side (kind l) tile) F tile.1.1 q.1 q.2).
  apply: eq_bigr => -[[t a] d] _; rewrite /unit_count /parts -/c p hc /= -map_comp sumn_map.
  by apply: eq_bigr => -[i j] _.
rewrite sum_tiles // => [|t i j e]; last by rewrite /F /part_count e muln0 mul0n.
rewrite free_set sum_column_sets // sum_tiers; apply: eq_bigr => t _.
transitivity (\sum_(i <- iota 0 'C(h, t)) \sum_(j <- iota 0 'C(h, t)) (if t \in tiers h (kind l) then F t i j else 0)).
  by case: ifP => // _; rewrite big1 // => i _; rewrite big1.
apply: eq_iota => i Ci; apply: eq_iota => j Cj.
have [li ei] := set_of_number_in Ci; have [lj ej] := set_of_number_in Cj.
rewrite /F /part_count /image_weight -free_set fE; have [-> ->] := ad_top uf sf li lj.
rewrite ei; case: ifP => _; last by rewrite muln0.
rewrite pair_countE ?uniq_rows ?(map_uniq u) // !number_of_set //.
by rewrite free_set -on_bottomE.
Qed.

(** Cores that have the queens of a lead. *)
Lemma sum_containing q (R : {set 'I_n}) (f : {set square} -> nat) : peaceful q -> [disjoint rows q & R] ->
  \sum_(q' : {set square} | placement R (apart q) q') f (q :|: q') =
  \sum_(c : {set square} | placement (rows q :|: R) predT c && (q \subset c)) f c.
Proof.
move=> p d; rewrite [RHS]big_mkcondr sum_placementU // [RHS](bigD1 q) /=; last first.
  by rewrite /placement eqxx p andbT; apply/forall_inP.
rewrite [X in _ = _ + X]big1 ?addn0 => [|q1 /andP [/and3P [/eqP r1 _ p1] ne]].
  by apply: eq_bigr => q' _; rewrite subsetUl.
rewrite big1 // => q' pq'; case: ifP => // /subsetP s; case/negP: ne; rewrite eq_sym eqEcard.
rewrite -(peaceful_rows p) -(peaceful_rows p1) r1 leqnn andbT; apply/subsetP => x xq.
have := s x xq; rewrite inE => /orP [//|xq']; have := subsetP (placement_sub pq') x xq'.
by rewrite inE (disjointFr d) //; exact: imset_f.
Qed.

Theorem sum_lead l : valid_lead l ->
  \sum_(o <- iota 0 (orders l)) \sum_(tile <- tiles h side (kind l)) unit_count side (l, o, tile) =
  \sum_(q : {set square} | solution q && (set_of (queens l) \subset q))
    weight l * image_weight (kind l) (left_over q) (top_cols q) * eight_weight (eight l) q.
Proof.
move=> v; have [u1 u2] := queens_apart v; have sz := size_core v; have [pl ul rl _] := validP v.
have rE : rows (set_of (queens l)) =i [seq q.1 | q <- queens l].
  by move=> r; apply/imsetP/mapP => -[x]; rewrite ?inE => xl e; exists x => //; rewrite inE.
have cov : rows (set_of (queens l)) :|: set_of (other_rows l) = mid.
  apply/setP => r; rewrite in_setU rE !inE [in LHS]mem_filter.
  by case rq: (r \in _) => //=; have := rl r rq; rewrite inE => ->.
have dis : [disjoint rows (set_of (queens l)) & set_of (other_rows l)].
  rewrite -setI_eq0; apply/eqP/setP => r; rewrite in_setI rE !inE mem_filter.
  by case: (r \in _).
have le : size (queens l) + size (other_rows l) <= n by rewrite sz; lia.
transitivity (\sum_(c : {set square} | placement mid predT c && (set_of (queens l) \subset c)) core_sum l c).
  rewrite -cov -sum_containing ?peaceful_set //.
  have := sum_place (core_sum l) (filter_uniq _ (uniq_rows _)) u2 le; rewrite pl => <-; apply: eq_bigr => o _.
  have [uc sc] := core_shape o v.
  rewrite /of_peaceful; case: ifP => pc; first exact: sum_unit.
  by rewrite big1 // => -[[t a] d] _; rewrite /unit_count /parts /core_of pc.
rewrite big_mkcondr [RHS]big_mkcondr (cut disjoint_mid_top disjoint_top_bot disjoint_mid_bot cover_rows) card_top.
apply: eq_bigr => c cM; have cs := placement_sub cM.
have lE q : (set_of (queens l) \subset part mid q) = (set_of (queens l) \subset q).
  by rewrite subsetI -rows_sub -cov subsetUl andbT.
set L := set_of (queens l) in lE *; pose K := [set x : square | ~~ closed (eight l) x].
have closedE q : [exists x in q, closed (eight l) x] = ~~ (q \subset K).
  by apply/exists_inP/subsetPn => -[x xq m]; exists x; rewrite // inE ?negbK // in m *.
have openE q : [forall x in q, ~~ closed (eight l) x] = (q \subset K) by rewrite -[RHS]negbK -closedE negb_exists_in.
(* Both sides weigh the same triples of a core, a top and a bottom; that the squares are open goes into the weight. *)
transitivity (\sum_(C : {set 'I_n} | (C \subset free c) && (#|C| == h))
  ((L \subset c) && (c \subset K)) * (weight l * image_weight (kind l) (free c) C) *
  pair_count_set (eight l) top c C bot (free c :\: C)).
  rewrite /core_sum closedE if_neg; case: (L \subset c); case: (c \subset K) => /=; try by rewrite big1.
  by apply: eq_bigr => C _; rewrite mul1n.
apply: eq_bigr => C /andP [_ /eqP cC]; rewrite /pair_count_set /half_set big_distrr big_mkcondr /=.
apply: eq_bigr => t ht; rewrite openE.
have tE b : half_board bot c (free c :\: C) b && ~~ share t b ->
  (if L \subset c :|: (t :|: b) then weight l * image_weight (kind l) (left_over (c :|: (t :|: b)))
      (top_cols (c :|: (t :|: b))) * eight_weight (eight l) (c :|: (t :|: b)) else 0) =
  [&& L \subset c, c \subset K, t \subset K & b \subset K] * (weight l * image_weight (kind l) (free c) C) *
    pair_weight (eight l) (marks_set (eight l) c) (marks_set (eight l) t) (marks_set (eight l) b).
  case/andP=> hb _; have [e1 e2 e3] := parts_of_cut cs (placement_sub ht) (placement_sub hb).
  rewrite -(lE (c :|: _)) /left_over /top_cols /eight_weight closedE !subUset e1 e2 e3.
  rewrite (half_board_cols ht) ?card_top // if_neg; case: (L \subset c) => //=.
  by case: ifP; rewrite ?mul1n ?muln0.
rewrite [RHS](eq_bigr _ tE); case: (t \subset K); last by rewrite big1 // => b _; rewrite !andbF.
rewrite big_distrr (eq_bigl _ _ (fun b => andbAC _ _ _)) big_mkcondr /=; apply: eq_bigr => b _.
by rewrite openE; case: (b \subset K); rewrite ?andbT ?andbF.
Qed.
End Lead.
