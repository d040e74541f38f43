(** Boards are cut into halves, and half-boards into quarter-boards (sections 1 to 3). *)
From Queens Require Export numbers.

Section Cut. Variables (n : nat) (s : order_eight). Notation square := (square n).
Implicit Types (x : square) (l a b c t core : seq square) (R T M B : seq 'I_n).
(** With a queen on a closed square a solution weighs 0. *)
Section Having. Variable f : {perm 'I_n} -> nat. Notation having := (having f).
Hypothesis f0 : forall (q : {perm 'I_n}) r, closed s (r, q r) -> f q = 0.
Lemma having_attack x l : x \notin l -> ~~ (~~ closed s x && apart l x) -> having (x :: l) = 0.
Proof. case: x => r j xl no; apply: big1 => q /and3P [/solutionP sq /= /eqP e /allP lq]; subst j.
case: (boolP (closed s _)) no => [/f0 // | _ /allPn [[r' j'] yl]].
have /eqP /= e := lq _ yl; subst j'; rewrite negbK => /sq e; subst r'; by rewrite yl in xl. Qed.
(** By the queen of one row more. *)
Lemma having_queen r l : r \notin map fst l -> having l =
  \sum_(j <- free_columns l) having ((r, j) :: l).
Proof. move=> rl; rewrite big_filter sum_lines /having.
rewrite (partition_big (fun q : {perm _} => q r) (fun j => all (fun x => x.2 != j) l)) /= =>
  [|q /andP [_ /allP lq]].
  by apply: eq_bigr => j _; apply: eq_bigl => q; rewrite /has_queens /= andbAC -andbA.
apply/allP => x xl; apply: contra rl => /eqP e.
by have /eqP := lq x xl; rewrite e => /perm_inj <-; exact: map_f. Qed.
(** By the queens of some rows more. *)
Theorem having_placement R l : uniq (R ++ map fst l) ->
  having l = \sum_(p <- placements (fun x => ~~ closed s x && apart l x) R) having (p ++ l).
Proof. elim: R => [|r R IH]; first by rewrite big_seq1.
rewrite cat_cons cons_uniq => /andP [rR uR]; rewrite IH // sum_queen; apply: eq_big_seq => p.
rewrite mem_placements => /and3P [/eqP e _ _].
rewrite -e -map_cat in rR;
  rewrite (having_queen rR) big_filter sum_lines big_mkcond [RHS]big_mkcond.
apply: eq_bigr => j _; have new : (r, j) \notin p ++ l by apply: contra rR => /(map_f fst).
have -> : (~~ closed s (r, j) && apart l (r, j)) && apart p (r, j) =
  ~~ closed s (r, j) && apart (p ++ l) (r, j).
  by rewrite [apart (p ++ l) _]all_cat -andbA [apart l _ && _]andbC.
case: (boolP (_ && _)) => [/andP [_ /apart_free] | no]; first by rewrite mem_filter => /andP [-> _].
by rewrite having_attack // if_same. Qed.
(** A queen in every row is a solution. *)
Lemma having_all l : perm_eq (map fst l) (lines n) -> peaceful l ->
  exists2 q, has_queens q l & having l = f q.
Proof. move=> pl /peacefulP p; pose c r := odflt r [pick j | (r, j) \in l].
have row r : exists2 x, x \in l & r = x.1 by apply/mapP; rewrite (perm_mem pl) mem_lines.
have cE x : x \in l -> c x.1 = x.2.
  move=> xl; rewrite /c; case: pickP => [j jl | /(_ x.2)]; last by rewrite -surjective_pairing xl.
  by have := p _ _ jl xl; rewrite /attack eqxx => /(_ isT) <-.
have ci : injective c.
  move=> r r'; have [[x xl ->] [y yl ->]] := (row r, row r'); rewrite !cE // => e.
  by rewrite (p x y) // /attack e eqxx orbT.
have hq : has_queens (perm ci) l by apply/allP => x xl; rewrite /= permE cE.
exists (perm ci) => //; apply: big_pred1 => q; apply/andP/eqP => [[_ /allP lq] | ->].
  by apply/permP => r; have [x xl ->] := row r; rewrite permE cE //; apply/eqP/lq.
split=> //; apply/solutionP => r r'; have [[x xl ->] [y yl ->]] := (row r, row r').
by rewrite !permE !cE // -!surjective_pairing => /p ->. Qed.
(** Peaceful queens on as many columns as they are have all of them. *)
Lemma card_set_cols T t : map fst t = T -> peaceful t -> #|set_of (map snd t)| = size T.
Proof. by move=> <- /peaceful_uniq /andP [_ u]; rewrite cardsE (card_uniqP u) !size_map. Qed.
Lemma columnsE T (C : {set 'I_n}) t : #|C| = size T -> map fst t = T -> peaceful t ->
  (set_of (map snd t) == C) = all (fun x => x.2 \in C) t.
Proof. move=> cC e p; rewrite eqEcard (card_set_cols e p) cC leqnn andbT.
apply/subsetP/allP => [sub x xt | sub j]; first by apply: sub; rewrite inE map_f.
by rewrite inE => /mapP [x /sub + ->]. Qed.
(** A core leaves one set of columns to the top, and a top and a bottom that share no diagonal. *)
Theorem cut T B c (F : {set 'I_n} -> seq square -> seq square -> nat) :
  perm_eq (B ++ T ++ map fst c) (lines n) -> peaceful c ->
  (forall (q : {perm 'I_n}) t b, map fst t = T -> map fst b = B -> ~~ has (closed s) (b ++ t) ->
    has_queens q (b ++ t ++ c) -> f q = F (set_of (map snd t)) t b) ->
  having c = \sum_(C : {set 'I_n} | (C \subset set_of (free_columns c)) && (#|C| == size T))
  \sum_(t <- half_boards s c T (enum C))
  \sum_(b <- half_boards s c B (enum (set_of (free_columns c) :\: C)) | ~~ share_diagonal t b)
  F C t b.
Proof. move=> pR pc fF; have := uniq_lines n;
  rewrite -(perm_uniq pR) cat_uniq => /and3P [uB /hasPn dB uTc].
have uT : uniq T by move: uTc; rewrite cat_uniq => /andP []. rewrite (having_placement uTc) big_seq.
pose of_top (C : {set 'I_n}) := (C \subset set_of (free_columns c)) && (#|C| == size T).
rewrite (partition_big (fun t => set_of (map snd t)) of_top) /=.
  apply: eq_bigr => C /andP [_ /eqP cC]; rewrite -big_seq_cond.
  rewrite (sum_placements_if (o' := open s c (enum C))) // => [|t e p]; last first.
    by rewrite (@columnsE T) // -all_predI; apply: eq_all => x;
      rewrite /open /= mem_enum andbC [~~ _ && _]andbC.
  apply: eq_big_seq => t; rewrite mem_placements => /and3P [/eqP et o p].
  have /eqP eC : set_of (map snd t) == C.
    by rewrite (@columnsE T) //; apply: sub_all o => x /and3P [+ _ _]; rewrite mem_enum.
  have ptc : peaceful (t ++ c) by rewrite peaceful_cat //; apply: sub_all o => x /and3P [].
  rewrite (@having_placement B) => [|]; last by rewrite map_cat et (perm_uniq pR) uniq_lines.
  rewrite (eq_big_seq (F C t)) => [|b]; last first.
    rewrite mem_placements => /and3P [/eqP eb ob pb]; have [||q hq ->] := @having_all (b ++ t ++ c).
    - by rewrite !map_cat eb et.
    - by rewrite peaceful_cat //; apply: sub_all ob => x /andP [].
    rewrite -eC; apply: fF hq => //; rewrite -all_predC all_cat; apply/andP; split.
      by apply: sub_all ob => x /andP [].
    by apply: sub_all o => x /and3P [].
  apply/esym/sum_placements_if => // b eb _.
  rewrite (eq_all (a2 := predI (fun x => ~~ closed s x && apart c x)
    (fun x => x.2 \in free_columns t))) => [|x].
    rewrite all_predI -andbA -all_apart => [|x xb]; last first.
      by apply: contraL (map_f fst xb) => xt; rewrite eb dB // mem_cat -et xt.
    by rewrite -all_predI; apply: eq_all => x;
      rewrite /= [apart (t ++ c) x]all_cat -andbA [apart c x && _]andbC.
  have := free_set t; rewrite eC => /setP /(_ x.2); rewrite /open mem_enum !inE => ->.
  by rewrite -/(apart c x) /=; case a: (apart c x);
    rewrite ?andbF // (apart_free a) /= !andbT andbC.
move=> t; rewrite mem_placements => /and3P [/eqP e /allP o p]; apply/andP; split.
  by apply/subsetP => j; rewrite inE => /mapP [x /o /andP [_ /apart_free]]; rewrite inE => + ->.
by rewrite (@card_set_cols T). Qed.
End Having.
Lemma Q_having : Q n = having (fun _ : {perm 'I_n} => 1) [::].
Proof. by rewrite /Q -sum1_card; apply: eq_bigl => q; rewrite inE andbT. Qed.
(** *** Quarter-boards *)
Section Quarters. Variables (core : seq square) (L L' : seq 'I_n).
Hypothesis apart_columns : {in L, forall j, j \notin L'}.
Notation boards R C := (half_boards s core R C).
(** A half-board has left and right queens, on complementary rows, without attacks. *)
Lemma sum_sides R (G : seq square -> nat) : (forall l l', perm_eq l l' -> G l = G l') ->
  \sum_(l <- boards R (L ++ L')) G l = \sum_(m <- iota 0 (2 ^ size R))
    \sum_(a <- boards (pick R m) L)
      \sum_(b <- boards (pick R (2 ^ size R - 1 - m)) L' | all (apart a) b) G (a ++ b).
Proof. elim: R G => [|r R IH] G permG; first by rewrite /= !big_seq1 big_mkcond big_seq1.
rewrite sum_queen IH => [|l l' e]; last first.
  by apply: eq_big => j; [rewrite /apart (perm_all _ e) | move=> _; apply: permG;
    rewrite perm_cons].
rewrite [size _]/= expnSr sum_rows; apply: eq_iota => m lt; rewrite !big_cons big_nil !addn0.
have [e0 e1] : 2 ^ size R * 2 - 1 - m * 2 = (2 ^ size R - 1 - m).*2.+1 /\ 2 ^ size R * 2 - 1 -
  (m * 2 + 1) = (2 ^ size R - 1 - m).*2 by split; lia.
rewrite e0 e1 muln2 addn1 /pick /= !odd_double /= !doubleK !uphalf_double.
move: (mask _ R) (mask _ R) => A B {e0 e1 lt}.
rewrite addnC [X in _ = X + _]sum_queen -big_split; apply: eq_bigr => a _ /=.
under [X in _ = X + _]eq_bigr do rewrite big_mkcond; rewrite exchange_big /=.
rewrite [X in _ = _ + X]big_mkcond sum_queen big_mkcond -big_split; apply: eq_bigr => b _ /=.
have apart_cons j : all (apart ((r, j) :: a)) b = all (apart a) b && apart b (r, j).
  by rewrite andbC -all_predI; apply: eq_all => x; rewrite /= attackC.
case ab: (all (apart a) b); last by rewrite !big1 // => j _; rewrite ?apart_cons ?ab ?andbF.
rewrite [LHS]big_mkcond [X in _ = X + _]big_mkcond [X in _ = _ + X]big_mkcond -big_split;
  apply: eq_bigr => j _. rewrite apart_cons ab !andbT /open /apart all_cat mem_cat /=.
rewrite (permG _ ((r, j) :: a ++ b) (permEl (perm_catCA a [:: (r, j)] b))).
move: (all _ core && _) (all _ a) (all _ b) => x y z; case: (boolP (j \in L)) => [/apart_columns
  /negPf -> | _] /=; by move: x y z => [] [] []; rewrite ?andbF ?if_same ?andbT ?addn0. Qed.
(** Left and right queens on complementary rows that share no diagonal. *)
Theorem quarters R (F : seq square -> nat) :
  uniq R -> size R = size L + size L' -> (forall l l', perm_eq l l' -> F l = F l') ->
  \sum_(l <- boards R (L ++ L')) F l =
    \sum_(m <- sets_of (size R) (size L)) \sum_(a <- boards (pick R m) L)
    \sum_(b <- boards (pick R (2 ^ size R - 1 - m)) L' | ~~ share_diagonal a b) F (a ++ b).
Proof. move=> uR sz permF; rewrite sum_sides // big_filter [RHS]big_mkcond; apply: eq_iota => m lt.
have few A C l : l \in boards A C ->
  [/\ size A <= size C, map fst l = A & {in l, forall x, x.2 \in C}].
  rewrite mem_placements => /and3P [/eqP e /allP o p].
  have oC : {in l, forall x, x.2 \in C} by move=> x /o /and3P [].
  split=> //; have /andP [_ u] := peaceful_uniq p.
  by rewrite -e size_map -(size_map snd); apply: uniq_leq_size => // j /mapP [x /oC + ->].
case: ifP => sm.
  apply: eq_big_seq => a /(few _ _ _) [_ ea aL]; rewrite big_seq_cond [RHS]big_seq_cond;
    apply: eq_bigl => b.
  apply: andb_id2l => /(few _ _ _) [_ eb bL']; rewrite all_apart => [|x xb].
    rewrite -[RHS]andTb; congr (_ && _); apply/allP => x /bL' xL'; rewrite mem_free.
    by apply/mapP => -[y /aL /apart_columns + e]; rewrite -e xL'.
  by have := map_f fst xb; rewrite eb ea pick_compl // => /andP [].
rewrite big1_seq // => a /(few _ _ _) [sA _ _];
  rewrite big1_seq // => b /andP [_ /(few _ _ _) [sB _ _]].
move: sm sA sB; rewrite !size_pick popcount_compl // sz; move: (popcount _ m) => p; clear; lia. Qed.
End Quarters. End Cut.
