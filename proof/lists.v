(** Lists of rows and of queens, which can be computed. *)
From Queens Require Export board.
(** *** Rows and columns in their order *)
Lemma val_lines n : map val (lines n) = iota 0 n.
Proof. rewrite /lines; elim: n => //= n IH;
  rewrite -map_comp (eq_map (f2 := succn \o val)) // map_comp IH. by rewrite -[1]/(1 + 0) iotaDl.
Qed.
Lemma uniq_lines n : uniq (lines n).
Proof. by apply: (@map_uniq _ _ val); rewrite val_lines iota_uniq. Qed.
Lemma mem_lines n (j : 'I_n) : j \in lines n.
Proof. by rewrite -(mem_map val_inj) val_lines mem_iota /=. Qed.
Lemma mem_rows n (P : pred 'I_n) r : (r \in [seq r <- lines n | P r]) = P r.
Proof. by rewrite mem_filter mem_lines andbT. Qed.
Lemma uniq_rows n (P : pred 'I_n) : uniq [seq r <- lines n | P r].
Proof. by rewrite filter_uniq ?uniq_lines. Qed.
Lemma sum_lines n (P : pred 'I_n) (f : 'I_n -> nat) : \sum_(j <- lines n | P j) f j =
  \sum_(j | P j) f j.
Proof. by apply/perm_big/uniq_perm; rewrite ?uniq_lines ?index_enum_uniq // => j;
  rewrite mem_lines mem_index_enum. Qed.
(** The rows from one on, up to another. *)
Lemma size_lines n a b : a <= b <= n -> size [seq r : 'I_n <- lines n | (a <= r) && (r < b)] =
  b - a.
Proof. case/andP => ab bn;
  rewrite size_filter -(count_map val (fun i => (a <= i) && (i < b))) val_lines -[RHS]muln1.
rewrite -sum_nat_const_nat (big_nat_widen _ _ n) // (big_nat_widenl _ 0) // /index_iota subn0
  sum1_count. by apply: eq_count => i /=; rewrite andbC. Qed.
Lemma rev_lines n : map (@rev_ord n) (lines n) = rev (lines n).
Proof. apply: (inj_map val_inj);
  rewrite map_rev val_lines -[in RHS]rev_iota revK -val_lines -!map_comp.
by apply: eq_map => i /=; lia. Qed.

Section Lists. Variable n : nat. Notation square := (square n).
Implicit Types (o : pred square) (x y : square) (l p t b : seq square) (R : seq 'I_n).
(** *** Queens in a list *)
Lemma mem_free l j : (j \in free_columns l) = (j \notin map snd l).
Proof. by rewrite mem_rows -has_pred1 -all_predC all_map; exact: eq_all. Qed.
Lemma free_set l : ~: set_of (map snd l) = set_of (free_columns l).
Proof. by apply/setP => j; rewrite !inE mem_free. Qed.
(** The squares that no queen attacks; beside rows and columns only diagonals matter. *)
Definition apart p : pred square := fun x => all (fun y => ~~ attack y x) p.
Lemma apart_free p x : apart p x -> x.2 \in free_columns p.
Proof. by rewrite mem_free => /allP a; apply/mapP => -[y /a]; rewrite /attack => ny e;
  rewrite e eqxx orbT in ny. Qed.
Lemma all_apart t b : {in b, forall x, x.1 \notin map fst t} ->
  all (apart t) b = all (fun x => x.2 \in free_columns t) b && ~~ share_diagonal t b.
Proof. rewrite /share_diagonal -all_predC -all_predI => rows; apply: eq_in_all => x /rows r /=.
rewrite mem_free -has_pred1 -!all_predC all_map -all_predI; apply: eq_in_all => y yt.
rewrite /= attackC /attack [x.2 == _]eq_sym -negb_or; case: eqP => // e. by rewrite e map_f in r.
Qed.
Lemma peaceful_cat l p : peaceful l -> peaceful p -> all (apart p) l -> peaceful (l ++ p).
Proof. by move=> pl pp a; rewrite /peaceful pairwise_cat; apply/and3P. Qed.
Lemma peacefulP l : peaceful l -> {in l &, forall x y, attack x y -> x = y}.
Proof. elim: l => //= z l IH /andP [/allP a /IH {}IH] x y; rewrite !inE => /predU1P [-> | xl]
  /predU1P [-> | yl] // at_; last exact: IH.
  by have := a y yl; rewrite attackC at_.
by have := a x xl; rewrite at_. Qed.
Lemma peaceful_uniq l : peaceful l -> uniq (map fst l) && uniq (map snd l).
Proof. move=> p; rewrite !uniq_pairwise !pairwise_map; apply/andP; split;
  apply: sub_pairwise p => x y;
  by rewrite attackC !negb_or => /and3P []. Qed.
(** *** Placements *)
Lemma sum_queen o r R (F : seq square -> nat) : \sum_(l <- placements o (r :: R)) F l =
  \sum_(p <- placements o R) \sum_(j | o (r, j) && apart p (r, j)) F ((r, j) :: p).
Proof. by rewrite big_allpairs_dep; apply: eq_bigr => p _; rewrite big_filter sum_lines. Qed.
Lemma eq_placements o o' R : o =1 o' -> placements o R = placements o' R.
Proof. by move=> e; elim: R => //= r R ->; congr flatten; apply: eq_map => p; congr map;
  apply: eq_filter => j; rewrite e. Qed.
Lemma half_boards_enum s core R (C : seq 'I_n) : half_boards s core R (enum (set_of C)) =
  half_boards s core R C.
Proof. by apply: eq_placements => x; rewrite /open mem_enum inE. Qed.
Lemma uniq_placements o R : uniq (placements o R).
Proof. elim: R => //= r R IH; apply: allpairs_uniq_dep => // [p _ | [p j] [p' j'] _ _ [-> ->] //].
exact: uniq_rows. Qed.
Lemma mem_placements o R l : (l \in placements o R) = [&& map fst l == R, all o l & peaceful l].
Proof. elim: R l => [|r R IH] l; first by case: l.
apply/allpairsPdep/and3P => [[p [j [pP jP ->]]] | [/eqP]].
  move: pP jP; rewrite IH mem_rows => /and3P [/eqP e a pp] /andP [oj nj].
  by rewrite /= e oj a nj eqxx.
case: l => [//|[i j] p] [-> e] /= /andP [oj a] /andP [nj pp].
by exists p, j; rewrite IH mem_rows e eqxx a oj nj. Qed.
(** Placements on the same rows, by what else is asked of them. *)
Lemma sum_placements_if o o' (P : pred (seq square)) R (F : seq square -> nat) :
  (forall l, map fst l = R -> peaceful l -> all o l && P l = all o' l) ->
  \sum_(l <- placements o R | P l) F l = \sum_(l <- placements o' R) F l.
Proof. move=> e; rewrite -big_filter; apply/perm_big/uniq_perm;
  rewrite ?filter_uniq ?uniq_placements // => l.
rewrite mem_filter !mem_placements; case: eqP => //= r; rewrite ?andbF //.
by case p: (peaceful l); rewrite ?andbF // !andbT andbC e. Qed.
End Lists.
