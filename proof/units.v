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
  let j := nth (Ordinal lt) (free_columns taken) (nat_of_bin o %% f) in
  take_columns (r :: R) taken o =
    take_columns R ((r, j) :: taken) (bin_of_nat (nat_of_bin o %/ f)) /\ uniq (map snd ((r, j) ::
      taken)).
Proof. move=> u; have sf := size_free u; have lf : nat_of_bin o %% f < f by rewrite ltn_pmod //
  subn_gt0.
rewrite /= sf div_euclE ?subn_gt0 // bin_of_natK (drop_nth (Ordinal lt)) ?sf //.
by rewrite -mem_free mem_nth ?sf. Qed.
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
  \sum_(o <- iota 0 ((n - size taken) ^_ size R)) G (take_columns R taken (bin_of_nat o)) =
    G taken.
Proof. move=> GS; elim: R taken => [|r R IH] taken; first by rewrite big_seq1. move=> uR u le;
  have rt : r \notin map fst taken by move: uR; rewrite /= mem_cat => /andP [/norP []].
have lt : size taken < n by apply: leq_trans le; rewrite /= addnS ltnS leq_addr.
rewrite ffactnS; set f := n - size taken; set left := free_columns taken; pose j0 := Ordinal lt.
pose next i o := G (take_columns R ((r, nth j0 left i) :: taken) (bin_of_nat o)).
rewrite (eq_bigr (fun o => next (o %% f) (o %/ f))) => [|o _]; last first.
  by have [-> _] := place_first r R (bin_of_nat o) lt u; rewrite bin_of_natK.
rewrite sum_digits /next.
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
Implicit Types (q : {perm 'I_n}) (c t b : seq square) (C F : {set 'I_n}) (l : lead h k).
Lemma in_top r : (r \in top) = (r < h). Proof. by rewrite inE mem_rows. Qed.
Lemma in_mid r : (r \in mid) = (h <= r) && (r < h + k). Proof. by rewrite inE mem_rows. Qed.
Lemma in_bot r : (r \in bot) = (h + k <= r). Proof. by rewrite inE mem_rows. Qed.
Definition in_rows := (in_top, in_mid, in_bot).
Lemma size_top : size (top_rows h k) = h.
Proof. by rewrite -[RHS]subn0 -(@size_lines n 0 h) //; lia. Qed.
Lemma card_top : #|top| = h. Proof. by rewrite cardsE (card_uniqP (uniq_rows _)) size_top. Qed.
Lemma size_mid : size (middle_rows h k) = k. Proof. by rewrite size_lines; lia. Qed.
Lemma all_rows : perm_eq (bottom_rows h k ++ top_rows h k ++ middle_rows h k) (lines n).
Proof. apply: uniq_perm => [||r]; rewrite ?uniq_lines //;
  last by rewrite !mem_cat !mem_rows mem_lines; lia. by rewrite !cat_uniq !uniq_rows /= andbT;
  apply/andP; split; apply/hasPn => r; rewrite /= ?mem_cat !mem_rows; lia. Qed.
Lemma validP l : valid_lead l -> [/\ peaceful (queens l),
  {subset map fst (queens l) <= middle_rows h k} & eight l = MainDiagonals -> k = 0].
Proof. by case/and3P => p /allP m e; split=> // eM; apply/eqP; rewrite eM in e. Qed.
(** The rows of a lead's queens, and the others, are the middle rows. *)
Lemma core_rows l : valid_lead l -> perm_eq (other_rows l ++ map fst (queens l)) (middle_rows h k).
Proof. case/validP => p m _; have /andP [u1 _] := peaceful_uniq p; rewrite /other_rows;
  apply: uniq_perm => [||r].
- by rewrite cat_uniq u1 andbT filter_uniq ?uniq_rows //; apply/hasPn => r rq;
  rewrite /= mem_filter rq.
- exact: uniq_rows. by rewrite mem_cat mem_filter; case rq: (r \in map fst _); rewrite ?orbF //= m.
Qed.
Lemma size_core l : valid_lead l -> size (queens l) + size (other_rows l) = k.
Proof. by move=> /core_rows /perm_size; rewrite size_cat size_map size_mid addnC. Qed.
Lemma core_shape l o (c := core_of l o) : valid_lead l ->
  size (free_columns c) = 2 * h /\ perm_eq (map fst c) (middle_rows h k).
Proof. move=> v; have [p _ _] := validP v; have /andP [_ u2] := peaceful_uniq p.
have le : size (queens l) + size (other_rows l) <= n by rewrite size_core //; lia.
have [uc pc] := place_shape o le u2; have {}pc := perm_trans pc (core_rows v).
by split=> //; rewrite size_free // -(size_map fst) (perm_size pc) size_mid; lia. Qed.
Variable side : nat. Hypothesis side0 : 0 < side.
Lemma sum_unit l o (c := core_of l o) (F := set_of (free_columns c)) : size (free_columns c) =
  2 * h ->
  peaceful c -> ~~ has (closed (eight l)) c ->
  \sum_(tile <- tiles h side (kind l)) unit_count side (l, o, tile) =
  \sum_(C : {set 'I_n} | (C \subset F) && (#|C| == h)) weight l * image_weight (kind l) F C *
    pair_count (eight l) c (top_rows h k) (enum C) (bottom_rows h k) (enum (F :\: C)).
Proof. move=> sf p /negPf nc; have uf : uniq (free_columns c) by apply: uniq_rows.
have fE : list_of F = free_columns c by apply: eq_filter => j; rewrite inE mem_rows.
pose G (t i j : nat) := part_count l c
  (set_of_number i t h, set_of_number j t h, counted_for h (kind l) t i j).
transitivity (\sum_(tile <- tiles h side (kind l)) \sum_(q <- column_sets h side (kind l) tile) G
  tile.1.1 q.1 q.2).
  apply: eq_bigr => -[[t a] d] _;
    rewrite /unit_count /part_counts /parts -/c p nc /= -map_comp sumn_map.
  by apply: eq_bigr => -[i j] _.
rewrite sum_tiles // => [|t i j e]; last by rewrite /G /part_count e muln0 mul0n.
rewrite sum_column_sets //; apply: eq_bigr => t _; apply: eq_iota => i Ci; apply: eq_iota => j Cj.
have [li ei] := set_of_number_in Ci; have [lj ej] := set_of_number_in Cj.
rewrite /G /part_count /image_weight fE; have [-> ->] := ad_top uf sf li lj.
by rewrite ei !number_of_set // /pair_count -on_bottomE // !half_boards_enum. Qed.
Theorem sum_lead l : valid_lead l ->
  \sum_(o <- iota 0 (orders l)) \sum_(tile <- tiles h side (kind l)) unit_count side (l, bin_of_nat
    o, tile) =
  \sum_(q | solution q && has_queens q (queens l))
    weight l * image_weight (kind l) (left_over q) (top_cols q) * eight_weight (eight l) q.
Proof. move=> v; have [p _ _] := validP v; have /andP [_ u2] := peaceful_uniq p.
pose f q := weight l * image_weight (kind l) (left_over q) (top_cols q) * eight_weight (eight l) q.
have f0 (q : {perm 'I_n}) r : closed (eight l) (r, q r) -> f q = 0.
  by move=> rc; rewrite /f /eight_weight; case: existsP => [|[]]; rewrite ?muln0 //; exists r.
rewrite -[RHS]/(having f (queens l)) -(@sum_place _ _ (other_rows l)) //; first last.
- by rewrite size_core //; lia.
- by rewrite (perm_uniq (core_rows v)) uniq_rows.
- by move=> r c; exact: having_queen. apply: eq_bigr => m _; set o := bin_of_nat m;
  rewrite -/(core_of l o); have := core_shape o v; set c := core_of l o => -[sf pc].
case okc: (~~ peaceful c || has (closed (eight l)) c).
  rewrite big1 => [|[[t a] d] _]; last by rewrite /unit_count /part_counts /parts -/c okc.
  apply/esym/big1 => q /andP [sq /has_queensE ec].
  move: okc; rewrite ec => /orP [/negP [] | /hasP [_ /mapP [r _ ->] /f0 //]].
  by apply: peaceful_queens; rewrite ?(perm_uniq pc) ?uniq_rows.
move/negbT: okc; rewrite negb_or negbK => /andP [okp nc]; rewrite sum_unit //.
pose F C (t b : seq square) := weight l * image_weight (kind l) (set_of (free_columns c)) C *
  pair_weight (eight l) (marks (eight l) c) (marks (eight l) t) (marks (eight l) b).
have rows : perm_eq (bottom_rows h k ++ top_rows h k ++ map fst c) (lines n).
  by rewrite -(permPr all_rows) !perm_cat2l.
rewrite (@cut _ (eight l) f f0 _ _ _ F rows) // => [|q t b et eb no hq].
  rewrite size_top; apply: eq_bigr => C _; rewrite /pair_count sumn_map big_distrr;
    apply: eq_bigr => t _.
  rewrite /= sumn_map big_distrr [RHS]big_mkcond; apply: eq_bigr => b _.
  by rewrite /F; case: share_diagonal; rewrite /= ?muln0.
have := hq; rewrite /has_queens !all_cat => /and3P [hb ht hc].
have em : mid = set_of (map fst c) by apply/setP => r; rewrite !inE (perm_mem pc).
rewrite /f /F /left_over /top_cols /eight_weight em -(marks_queens _ hc pc) -[top_rows h k]et
  -[bottom_rows h k]eb !imset_queens // free_set -!(marks_queens _ _ (perm_refl _)) //.
case: existsP => // -[r rc]; have /negP [] : ~~ has (closed (eight l)) (b ++ t ++ c).
  by rewrite catA has_cat negb_or no.
apply/hasP; exists (r, q r); rewrite // (has_queensE hq) map_f //.
by rewrite !map_cat et eb (perm_mem rows) mem_lines. Qed.
End Lead.
