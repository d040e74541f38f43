(** From units to solutions: the units of a lead count each solution that has its queens, with a
    weight. *)
From Queens Require Export columns cut.
(** *** Cores by their numbers *)
Section Place. Variable n : nat. Notation square := (square n).
Implicit Types (R : seq 'I_n) (taken : seq square).
Lemma size_free taken : uniq (map snd taken) -> size (free_columns taken) = n - size taken.
Proof. move=> u; have /card_uniqP <- : uniq (free_columns taken) by exact: uniq_rows.
rewrite -(size_map snd) -(card_uniqP u) -[X in X - _]card_ord -(cardC (mem (map snd taken))) addKn.
by apply: eq_card => j; rewrite mem_free. Qed.
(** The first of the other queens by a number. *)
Lemma place_first r R taken o (lt : size taken < n) (f := n - size taken) : uniq (map snd taken) ->
  let j := nth (Ordinal lt) (free_columns taken) (o %% f) in
  take_columns (r :: R) taken o =
    take_columns R ((r, j) :: taken) (o %/ f) /\ uniq (map snd ((r, j) :: taken)).
Proof. move=> u; have sf := size_free u; have lf : o %% f < f by rewrite ltn_pmod // subn_gt0.
by rewrite /= -mem_free mem_nth ?(drop_nth (Ordinal lt)) ?sf. Qed.
Lemma place_shape R taken o : size taken + size R <= n -> uniq (map snd taken) ->
  uniq (map snd (take_columns R taken o)) /\ perm_eq (map fst (take_columns R taken o))
    (R ++ map fst taken).
Proof. elim: R taken o => [//|r R IH taken o le u].
have lt : size taken < n by apply: leq_trans le; rewrite /= addnS ltnS leq_addr.
have [-> uj] := place_first r R o lt u; rewrite (permPr (permEl (perm_catCA [:: r] R _))).
by apply: IH uj; rewrite /= addSn -addnS. Qed.
(** What is a sum over the columns of any row more is a sum over numbers. *)
Lemma sum_place (G : seq square -> nat) R taken :
  (forall r taken, r \notin map fst taken -> G taken =
    \sum_(j <- free_columns taken) G ((r, j) :: taken)) ->
  uniq (R ++ map fst taken) -> uniq (map snd taken) -> size taken + size R <= n ->
  \sum_(o <- iota 0 ((n - size taken) ^_ size R)) G (take_columns R taken o) = G taken.
Proof. move=> GS; elim: R taken => [|r R IH] taken; first by rewrite big_seq1. move=> uR u le;
  have rt : r \notin map fst taken by move: uR; rewrite /= mem_cat => /andP [/norP []].
have lt : size taken < n by apply: leq_trans le; rewrite /= addnS ltnS leq_addr.
rewrite ffactnS; set f := n - size taken; set left := free_columns taken; pose j0 := Ordinal lt.
rewrite (eq_bigr (fun o => G (take_columns R ((r, nth j0 left (o %% f)) :: taken) (o %/ f)))) =>
  [|o _]; last by have [-> _] := place_first r R o lt u.
rewrite (sum_digits f _ (fun i o => G (take_columns R ((r, nth j0 left i) :: taken) o))).
rewrite (GS r) // (big_nth j0) size_free // /index_iota subn0; apply: eq_iota => i ltf.
have ji : nth j0 left i \in left by rewrite mem_nth // size_free.
rewrite /f -subnS; apply: (IH ((r, _) :: taken)); last by rewrite /= addSn -addnS.
  by rewrite (uniq_catCA R [:: r]).
by rewrite /= -mem_free ji. Qed.
End Place.
(** *** The solutions of a lead *)
Section Lead. Variables h k : nat. Notation n := (h + k + h). Notation square := (square n).
Notation top := (set_of (top_rows h k)). Notation mid := (set_of (middle_rows h k)).
Notation bot := (set_of (bottom_rows h k)).
Implicit Types (q : {set square}) (c t b : seq square) (C F : {set 'I_n}) (l : lead h k).
Lemma in_top r : (r \in top) = (r < h). Proof. by rewrite inE mem_filter mem_lines andbT. Qed.
Lemma in_mid r : (r \in mid) = (h <= r) && (r < h + k).
Proof. by rewrite inE mem_filter mem_lines andbT. Qed.
Lemma in_bot r : (r \in bot) = (h + k <= r). Proof. by rewrite inE mem_filter mem_lines andbT. Qed.
Definition in_rows := (in_top, in_mid, in_bot).
Lemma size_top : size (top_rows h k) = h.
Proof. by rewrite -[RHS]subn0 -(@size_lines n 0 h) //; lia. Qed.
Lemma card_top : #|top| = h. Proof. by rewrite cardsE (card_uniqP (uniq_rows _)) size_top. Qed.
Lemma size_mid : size (middle_rows h k) = k. Proof. by rewrite size_lines; lia. Qed.
Lemma all_rows : perm_eq (bottom_rows h k ++ top_rows h k ++ middle_rows h k) (lines n).
Proof. apply: uniq_perm => [||r]; rewrite ?uniq_lines //;
  last by rewrite !mem_cat !mem_filter mem_lines; lia. by rewrite !cat_uniq !uniq_rows /= andbT;
  apply/andP; split; apply/hasPn => r; rewrite /= ?mem_cat !mem_filter; lia. Qed.
Lemma parts_of_cut c t b (q := set_of (b ++ t ++ c)) :
  perm_eq (map fst c) (middle_rows h k) -> map fst t = top_rows h k ->
    map fst b = bottom_rows h k ->
  [/\ part mid q = set_of c, part top q = set_of t & part bot q = set_of b].
Proof. move=> /perm_mem ec et eb.
have at_ x : [/\ x \in c -> h <= x.1 < h + k, x \in t -> x.1 < h & x \in b -> h + k <= x.1].
  by split=> /(map_f fst); rewrite ?ec ?et ?eb mem_filter => /andP [].
split; apply/setP => x; have [cx tx bx] := at_ x;
  rewrite in_setI [x \in [set y : square | y.1 \in _]]in_set in_rows !in_set !mem_cat;
  case: (x \in c) cx; case: (x \in t) tx; case: (x \in b) bx => //= cx tx bx; lia. Qed.
Lemma validP l : valid_lead l -> [/\ peaceful_list (queens l), uniq (queens l),
  {subset map fst (queens l) <= middle_rows h k} & eight l = MainDiagonals -> k = 0].
Proof. by case/and4P => p u /allP m e; split=> // eM; apply/eqP; rewrite eM in e. Qed.
(** The rows of a lead's queens, and the others, are the middle rows. *)
Lemma core_rows l : valid_lead l -> perm_eq (other_rows l ++ map fst (queens l)) (middle_rows h k).
Proof. case/validP => p u m _; have /andP [u1 _] := peaceful_uniq p u; rewrite /other_rows;
  apply: uniq_perm => [||r].
- by rewrite cat_uniq u1 andbT filter_uniq ?uniq_rows //; apply/hasPn => r rq;
  rewrite /= mem_filter rq.
- exact: uniq_rows. by rewrite mem_cat mem_filter; case rq: (r \in map fst _); rewrite ?orbF //= m.
Qed.
Lemma size_core l : valid_lead l -> size (queens l) + size (other_rows l) = k.
Proof. by move=> /core_rows /perm_size; rewrite size_cat size_map size_mid addnC. Qed.
Lemma core_shape l o (c := core_of l o) : valid_lead l ->
  size (free_columns c) = 2 * h /\ perm_eq (map fst c) (middle_rows h k).
Proof. move=> v; have [p u _ _] := validP v; have /andP [_ u2] := peaceful_uniq p u.
have le : size (queens l) + size (other_rows l) <= n by rewrite size_core //; lia.
have [uc pc] := place_shape o le u2; have {}pc := perm_trans pc (core_rows v).
by split=> //; rewrite size_free // -(size_map fst) (perm_size pc) size_mid; lia. Qed.
Lemma sum_tiers kd (F : nat -> nat) :
  \sum_(t <- tiers h kd) F t = \sum_(t <- iota 0 h.+1) (if t \in tiers h kd then F t else 0).
Proof. rewrite /tiers; set m := if _ is Itself then _ else _; have le : m <= h.+1 by rewrite {}/m;
  case: kd => /=; lia.
by rewrite -big_mkcond -(sum_below _ le); apply: eq_bigl => t; rewrite mem_iota. Qed.
Variable side : nat. Hypothesis side0 : 0 < side.
Lemma sum_unit l o (c := core_of l o) (F := set_of (free_columns c)) : size (free_columns c) =
  2 * h ->
  peaceful_list c -> ~~ has (closed (eight l)) c ->
  \sum_(tile <- tiles h side (kind l)) unit_count side (l, o, tile) =
  \sum_(C : {set 'I_n} | (C \subset F) && (#|C| == h)) weight l * image_weight (kind l) F C *
    pair_count (eight l) c (top_rows h k) (enum C) (bottom_rows h k) (enum (F :\: C)).
Proof. move=> sf p /negPf nc; have uf : uniq (free_columns c) by apply: uniq_rows.
have fE : list_of F = free_columns c by apply: eq_filter => j;
  rewrite inE mem_filter mem_lines andbT.
pose G (t i j : nat) := part_count l c
  (set_of_number i t h, set_of_number j t h, counted_for h (kind l) t i j).
transitivity (\sum_(tile <- tiles h side (kind l)) \sum_(q <- column_sets h side (kind l) tile) G
  tile.1.1 q.1 q.2).
  apply: eq_bigr => -[[t a] d] _;
    rewrite /unit_count /part_counts /parts -/c p nc /= -map_comp sumn_map.
  by apply: eq_bigr => -[i j] _.
rewrite sum_tiles // => [|t i j e]; last by rewrite /G /part_count e muln0 mul0n.
rewrite sum_column_sets // sum_tiers; apply: eq_bigr => t _.
transitivity (\sum_(i <- iota 0 'C(h, t)) \sum_(j <- iota 0 'C(h, t))
  (if t \in tiers h (kind l) then G t i j else 0)).
  by case: ifP => // _; rewrite big1 // => i _; rewrite big1.
apply: eq_iota => i Ci; apply: eq_iota => j Cj.
have [li ei] := set_of_number_in Ci; have [lj ej] := set_of_number_in Cj.
rewrite /G /part_count /image_weight /counted fE; have [-> ->] := ad_top uf sf li lj.
rewrite ei; case: ifP => _; last by rewrite muln0.
by rewrite !number_of_set // /pair_count -on_bottomE // !half_boards_enum. Qed.
Theorem sum_lead l : valid_lead l ->
  \sum_(o <- iota 0 (orders l)) \sum_(tile <- tiles h side (kind l)) unit_count side (l, o, tile) =
  \sum_(q | solution q && all (mem q) (queens l))
    weight l * image_weight (kind l) (left_over q) (top_cols q) * eight_weight (eight l) q.
Proof. move=> v; have [p u _ _] := validP v; have /andP [_ u2] := peaceful_uniq p u.
pose f q := weight l * image_weight (kind l) (left_over q) (top_cols q) * eight_weight (eight l) q.
have f0 (q : {set square}) x : x \in q -> closed (eight l) x -> f q = 0.
  by move=> xq xc; rewrite /f /eight_weight; case: exists_inP => [|[]]; rewrite ?muln0 //; exists x.
rewrite -[RHS]/(having f (queens l)) -(@sum_place _ _ (other_rows l)) //; first last.
- by rewrite size_core //; lia.
- by rewrite (perm_uniq (core_rows v)) uniq_rows.
- by move=> r c; exact: having_queen. apply: eq_bigr => o _; rewrite -/(core_of l o);
  have := core_shape o v; set c := core_of l o => -[sf pc].
case okc: (~~ peaceful_list c || has (closed (eight l)) c).
  rewrite big1 => [|[[t a] d] _]; last by rewrite /unit_count /part_counts /parts -/c okc.
  apply/esym/big1 => q /andP [sq /allP cq]; case/orP: okc => [/negP [] | /hasP [x /cq xq]];
    last exact: f0. by rewrite -peaceful_set (peaceful_sub _ (solution_peaceful sq)) //;
    apply/subsetP => x; rewrite inE; exact: cq.
move/negbT: okc; rewrite negb_or negbK => /andP [okp nc]; rewrite sum_unit //.
rewrite (@cut_core _ (eight l) _ _ (top_rows h k) (bottom_rows h k)) //; last first;
  first by rewrite -(permPr all_rows) !perm_cat2l.
rewrite size_top; apply: eq_bigr => C /andP [_ /eqP cC]; rewrite -/c.
rewrite /pair_count sumn_map big_distrr; apply: eq_big_seq => t.
rewrite mem_placements ?uniq_rows // => /and3P [/eqP et ot pt];
  rewrite /= sumn_map big_distrr [RHS]big_mkcond.
apply: eq_big_seq => b; rewrite mem_placements ?uniq_rows // => /and3P [/eqP eb ob _].
case: (share_diagonal t b) => /=; first by rewrite muln0. have [e1 e2 e3] := parts_of_cut pc et eb.
have /eqP eC : cols (set_of t) == C.
  by rewrite (columnsE (uniq_rows _) _ et) ?size_top //; apply: sub_all ot => x /and3P [+ _ _];
    rewrite mem_enum.
have no_closed D p' : all (open (eight l) c D) p' -> has (closed (eight l)) p' = false.
  by move=> o'; apply/negbTE; rewrite -all_predC; apply: sub_all o' => x /and3P [].
rewrite /f /left_over /top_cols /eight_weight e1 e2 e3 free_set eC exists_set_of !has_cat.
rewrite (no_closed _ _ ot) (no_closed _ _ ob) (negPf nc) !marks_setE //; apply: (@map_uniq _ _ fst).
- by rewrite eb uniq_rows.
- by rewrite et uniq_rows. by rewrite (perm_uniq pc) uniq_rows. Qed.
End Lead.
