(** Words (section 3): diagonals as bits, and the lists of words that half-boards make. *)
From Queens Require Export quarters join_statements numbers.

(** *** The columns that a core leaves, left and right *)
Lemma sorted_gap (s : seq nat) i j : sorted ltn s -> i <= j < size s -> nth 0 s i + (j - i) <= nth 0 s j.
Proof.
move=> /(sortedP 0) lt; elim: j => [|j IH]; first by case: i => //= _; rewrite addn0.
case: (ltngtP i j.+1) => // [ij /andP [_ js] | -> _]; last by rewrite subnn addn0.
by have := lt j js; have := IH _; lia.
Qed.

Section Words.
Variables h k : nat.
Notation n := (h + k + h).
Notation square := (square n).
Notation diagonals := (diagonals h k).
Implicit Types (x y : square) (q l r t b : {set square}) (R C : {set 'I_n}) (c : seq square) (d : diagonals).

Lemma columns_apart c : size (free_columns c) = 2 * h ->
  exists m, [/\ h <= m <= n - h, forall j, j \in take h (free_columns c) -> j < m
               & forall j, j \in drop h (free_columns c) -> m <= j].
Proof.
set s := free_columns c => sz; have srt : sorted ltn (map val s).
  rewrite sorted_map sorted_filter //; first by move=> x y z; exact: ltn_trans.
  by rewrite -sorted_map val_lines iota_ltn_sorted.
case: (posnP h) => [h0|h0]; first by exists 0; rewrite (size0nil (s := s)); [split => //; lia | lia].
have gap i j : i <= j < 2 * h -> nth 0 (map val s) i + (j - i) <= nth 0 (map val s) j.
  by move=> lt; apply: sorted_gap; rewrite // size_map sz.
have lt i : i < 2 * h -> nth 0 (map val s) i < n.
  move=> lt; have : nth 0 (map val s) i \in map val s by rewrite mem_nth // size_map sz.
  by case/mapP => j _ ->; exact: ltn_ord.
exists (nth 0 (map val s) h); split.
- by have := gap 0 h; have := gap h (2 * h).-1; have := lt (2 * h).-1; lia.
- move=> j /(nthP j) [i]; rewrite size_takel ?sz; last lia; move=> ih <-; rewrite nth_take //.
  by have := gap i h; rewrite (nth_map j) ?sz /=; lia.
- move=> j /(nthP j) [i]; rewrite size_drop sz => ih <-; rewrite nth_drop.
  by have := gap h (h + i); rewrite [nth 0 _ (h + i)](nth_map j) ?sz /=; lia.
Qed.

(** *** Diagonals *)
Lemma diagonal_through x y : diagonal x y = [exists d, through d x && through d y].
Proof.
have := ltn_ord x.1; have := ltn_ord x.2; have := ltn_ord y.1; have := ltn_ord y.2 => l1 l2 l3 l4.
apply/orP/existsP => [|[d]]; last by rewrite /through; lia.
have [lf lr] : x.2 + n - 1 - x.1 < 4 * n /\ 2 * n - 1 + x.1 + x.2 < 4 * n by lia.
by case=> /eqP e; [exists (Ordinal lr) | exists (Ordinal lf)]; rewrite /through /=; lia.
Qed.

Section Core.
Variables (s : order_eight) (core : seq square).
Hypothesis size_free : size (free_columns core) = 2 * h.
Notation relevant := (relevant s core).
Notation available := (@available h k s core).
Notation quarter := (@quarter h k core).
Notation left := (take h (free_columns core)).
Notation right := (drop h (free_columns core)).

Lemma relevantP d : reflect (~~ (if s is MainDiagonals then is_main d else false) /\
  exists x y, [/\ available x, available y, quarter x != quarter y, through d x & through d y]) (d \in relevant).
Proof.
rewrite inE; apply: (iffP andP) => -[m]; last first.
  by case=> x [y] [*]; split=> //; apply/existsP; exists x; apply/existsP; exists y; apply/and5P.
by case/existsP => x /existsP [y /and5P [*]]; split => //; exists x, y.
Qed.

(** *** At most 2N - 2 diagonals are relevant: a column between left and right is crossed by so many *)
Lemma quarterE : exists2 m, h <= m <= n - h & forall x, available x ->
  ((x.1 < h) || (n - h <= x.1)) /\ quarter x = (x.1 < h : bool, x.2 < m : bool).
Proof.
have [m [hm lt_m ge_m]] := columns_apart size_free; exists m => // x /andP [xr /and3P [xc _ _]].
split; first by rewrite addnK.
rewrite /quarter; congr (_, _); apply/idP/idP => [/lt_m // | lt]; move: xc.
by rewrite -{1}(cat_take_drop h (free_columns core)) mem_cat => /orP [// | /ge_m]; rewrite leqNgt lt.
Qed.
Lemma card_relevant : #|relevant| <= 2 * n - 2.
Proof.
have [m hm q] := quarterE; have := @uniq_leq_size _ (map val (enum relevant)) (iota m n.-1 ++ iota (2 * n - 1 + m) n.-1).
rewrite map_inj_uniq ?enum_uniq; last exact: val_inj.
rewrite size_map -cardE size_cat !size_iota => /(_ isT) le; apply: (leq_trans (le _)); last lia.
move=> i /mapP [d]; rewrite mem_enum => /relevantP [_ [x [y [/q [xr ->] /q [yr ->]]]]] ne dx dy -> {q le i}.
have := ltn_ord x.1; have := ltn_ord x.2; have := ltn_ord y.1; have := ltn_ord y.2.
move: ne; rewrite mem_cat !mem_iota xpair_eqE; case/orP: dx => /eqP dx; case/orP: dy => /eqP dy;
  case: (ltnP x.1 h) xr; case: (ltnP y.1 h) yr => /=; case: (ltnP x.2 m); case: (ltnP y.2 m) => //= *; lia.
Qed.

Hypothesis main0 : s = MainDiagonals -> k = 0.
(** Two quarters of one half never hold the same main diagonal. *)
Lemma half_not_main x y d : available x -> available y -> quarter x != quarter y -> (x.1 < h) = (y.1 < h) ->
  through d x -> through d y -> d \in relevant.
Proof.
move=> xa ya ne same dx dy; apply/relevantP; split; last by exists x, y.
have [m hm q] := quarterE; have [xr qx] := q x xa; have [yr qy] := q y ya; move: ne; rewrite qx qy same xpair_eqE eqxx /=.
case: (s) main0 => // /(_ erefl) k0 ne; apply/negP => md {q qx qy xa ya}.
have := ltn_ord x.2; have := ltn_ord y.2; have := ltn_ord x.1; have := ltn_ord y.1.
move: ne; case: (ltnP x.2 m); case: (ltnP y.2 m) => // ? ? _; case/orP: md => /eqP md;
  case/orP: dx => /eqP dx; case/orP: dy => /eqP dy; case: (ltnP x.1 h) xr same; case: (ltnP y.1 h) yr => //= *; lia.
Qed.
Lemma main_on x d : through d x -> is_main d -> marked MainDiagonals x.
Proof. by rewrite /through /is_main /= /on_main -val_eqE /=; have := ltn_ord x.1; have := ltn_ord x.2; lia. Qed.
(** Two marked squares of a quarter attack each other, so a quarter-board has at most one mark. *)
Lemma marked_attack x y : available x -> available y -> quarter x = quarter y -> marked s x -> marked s y -> attack x y.
Proof.
have [m hm q] := quarterE; move=> /q [xr ->] /q [yr ->] [] e1 e2 {q}; rewrite /attack /diagonal -!val_eqE /=.
have := ltn_ord x.1; have := ltn_ord y.1; have := ltn_ord x.2; have := ltn_ord y.2 => l1 l2 l3 l4.
case: (s) main0 => [_ //| /(_ erefl) k0|r _] /=; last first.
  case/and3P => _ _ /eqP dx /and3P [_ _ /eqP dy]; apply/orP; left; apply/eqP; move: dx dy; rewrite /distance {l1 l2}.
  by case: (ltnP x.1 h) xr e1; case: (ltnP y.1 h) yr => //= *; lia.
rewrite /on_main -!val_eqE /= => /orP [] /eqP mx /orP [] /eqP my; rewrite ?mx ?my ?[y.2 + x.2]addnC ?eqxx ?orbT //;
  exfalso; case: (ltnP x.1 h) xr e1; case: (ltnP y.1 h) yr => //=; case: (ltnP x.2 m) e2; case: (ltnP y.2 m) => //= *; lia.
Qed.

(** *** Words *)
Variables (bits : nat) (place : diagonals -> 'I_bits).
Hypothesis injective_place : {in relevant &, injective place}.
Definition occupied q : {set diagonals} := [set d in relevant | [exists x in q, through d x]].
Definition word_of q := place @: occupied q.
Lemma occupiedP q d : reflect (d \in relevant /\ exists2 x, x \in q & through d x) (d \in occupied q).
Proof. by apply: (iffP setIdP) => -[dr /exists_inP]. Qed.
Lemma wordE (p : seq square) : word place s core p = word_of (set_of p).
Proof. by apply/setP => i; apply/imsetP/imsetP => -[d dp ->]; exists d => //; move: dp; rewrite !inE exists_set_of. Qed.

Lemma word_ofU l r : word_of (l :|: r) = word_of l :|: word_of r.
Proof.
rewrite /word_of -imsetU; suff -> : occupied (l :|: r) = occupied l :|: occupied r by [].
apply/setP => d; rewrite in_setU; apply/occupiedP/orP => [[dr [x]] | [] /occupiedP [dr [x xq dx]]].
- by rewrite inE => /orP [] xq dx; [left | right]; apply/occupiedP; split => //; exists x.
- by split => //; exists x; rewrite ?inE ?xq.
- by split => //; exists x; rewrite ?inE ?xq ?orbT.
Qed.
(** Two words share no bit if their queens share no diagonal, and the other way round but for main diagonals. *)
Lemma words_apart l r : (word_of l :&: word_of r == set0) = (occupied l :&: occupied r == set0).
Proof.
by rewrite /word_of -imsetI ?imset_eq0 // => d d' /occupiedP [dr _] /occupiedP [dr' _]; exact: injective_place.
Qed.
Lemma apart_words l r : ~~ share l r -> word_of l :&: word_of r == set0.
Proof.
move=> ns; rewrite words_apart; apply/eqP/setP => d; rewrite in_set0; apply/negP => /setIP [].
case/occupiedP => _ [x xl dx] /occupiedP [_ [y yr dy]]; case/negP: ns; apply/exists_inP; exists x => //.
by apply/exists_inP; exists y; rewrite // diagonal_through; apply/existsP; exists d; rewrite dx.
Qed.
Lemma share_words l r : share l r -> word_of l :&: word_of r != set0 \/
  exists x y d, [/\ x \in l, y \in r, through d x, through d y & d \notin relevant].
Proof.
case/exists_inP => x xl /exists_inP [y yr]; rewrite diagonal_through => /existsP [d /andP [dx dy]].
case dr: (d \in relevant); last by right; exists x, y, d; rewrite dr.
by left; rewrite words_apart; apply/set0Pn; exists d; apply/setIP; split; apply/occupiedP; split => //; [exists x | exists y].
Qed.

(** *** Half-boards are pairs of quarter-boards *)
Definition in_quarter (c : bool * bool) q := {in q, forall x, available x /\ quarter x = c}.
Definition half_rows (t : bool) := if t then top_rows h k else bottom_rows h k.
Definition half_columns (l : bool) := if l then left else right.
Lemma mem_half (t : bool) (r : 'I_n) : r \in half_rows t -> (r < h) = t /\ (r < h) || (h + k <= r).
Proof. by case: t; rewrite mem_filter mem_lines andbT => e; rewrite e ?orbT; split => //; apply/negbTE; lia. Qed.
Lemma board_available (t : bool) (R C : seq 'I_n) q : {subset R <= half_rows t} -> {subset C <= free_columns core} ->
  placement (set_of R) (open s core C) q -> {in q, forall x, available x /\ (x.1 < h) = t}.
Proof.
move=> sR sC /and3P [/eqP rq /forall_inP o _] x xq; have /and3P [/sC xc a nc] := o x xq.
have [et ht] : (x.1 < h) = t /\ (x.1 < h) || (h + k <= x.1).
  by apply/mem_half/sR; have := imset_f (fun y : square => y.1) xq; rewrite -/(rows q) rq inE.
by rewrite /available ht /open xc a.
Qed.
Lemma uniq_free : uniq (left ++ right). Proof. by rewrite cat_take_drop filter_uniq ?uniq_lines. Qed.
Lemma left_or_right (x : 'I_n) : (x \in free_columns core) = (x \in left) || (x \in right).
Proof. by rewrite -mem_cat cat_take_drop. Qed.
Lemma left_not_right (x : 'I_n) : x \in left -> x \in right -> False.
Proof. by have := uniq_free; rewrite cat_uniq => /and3P [_ /hasPn d _] xl /d /=; rewrite xl. Qed.
Lemma board_in_quarter (t l : bool) (R C : seq 'I_n) q : {subset R <= half_rows t} -> {subset C <= half_columns l} ->
  placement (set_of R) (open s core C) q -> in_quarter (t, l) q.
Proof.
move=> sR sC pq x xq; have sF : {subset C <= free_columns core}.
  by move=> j /sC; rewrite left_or_right; case: (l) => /= ->; rewrite ?orbT.
have [xa et] := board_available sR sF pq xq; split => //; rewrite /quarter et; congr (_, _).
have /and3P [_ /forall_inP o _] := pq; have /and3P [/sC xc _ _] := o x xq.
by case: l sC xc => _ //= xr; apply/negP => /left_not_right; apply.
Qed.

Definition marking q := [exists x in q, marked s x].
Lemma marks_quarter (c : bool * bool) q : peaceful q -> in_quarter c q -> marks_set s q = marking q.
Proof.
move=> /peacefulP p iq; have le : marks_set s q <= 1.
  apply/card_le1_eqP => x y /setIdP [xq xm] /setIdP [yq ym]; apply: p => //.
  by have [xa xc] := iq x xq; have [ya yc] := iq y yq; apply: marked_attack; rewrite ?xc.
have : (0 < marks_set s q) = marking q.
  by apply/card_gt0P/exists_inP => [[x /setIdP [xq xm]] | [x xq xm]]; exists x; rewrite ?inE ?xq.
by case: (marks_set s q) le => [|[|]] // _ <-.
Qed.
Lemma quarters_disjoint (c c' : bool * bool) l r : c != c' -> in_quarter c l -> in_quarter c' r -> l :&: r = set0.
Proof.
move=> ne il ir; apply/setP => x; rewrite in_set0; apply/negP => /setIP [/il [_ e] /ir [_ e']].
by rewrite -e e' eqxx in ne.
Qed.
Lemma marks_halves (t : bool) l r : peaceful l -> peaceful r -> in_quarter (t, true) l -> in_quarter (t, false) r ->
  marks_set s (l :|: r) = marking l + marking r.
Proof.
move=> pl pr il ir; rewrite -(marks_quarter pl il) -(marks_quarter pr ir) /marks_set.
have -> : [set x in l :|: r | marked s x] = [set x in l | marked s x] :|: [set x in r | marked s x].
  by apply/setP => x; rewrite !inE andb_orl.
rewrite cardsU [X in _ - X](_ : _ = 0) ?subn0 //; apply/eqP; rewrite cards_eq0 -subset0.
rewrite -(quarters_disjoint (c := (t, true)) (c' := (t, false)) _ il ir) ?xpair_eqE ?andbF //.
by apply: setISS; apply/subsetP => x /setIdP [].
Qed.
Lemma quarters_share (t : bool) l r : in_quarter (t, true) l -> in_quarter (t, false) r ->
  (word_of l :&: word_of r == set0) = ~~ share l r.
Proof.
move=> il ir; case sh: (share l r); last by rewrite apart_words // sh.
case: (share_words sh) => [/negbTE // | [x [y [d [xl yr dx dy /negP []]]]]].
have [xa xc] := il x xl; have [ya yc] := ir y yr.
apply: (@half_not_main x y) => //; first by rewrite xc yc xpair_eqE andbF.
by case: xc => -> _; case: yc => ->.
Qed.

Lemma size_half (t : bool) : size (half_rows t) = h.
Proof.
case: t; rewrite /half_rows.
  by rewrite /top_rows -(eq_filter (a1 := fun r : 'I_n => (0 <= r) && (r < h))) // size_lines ?subn0 //; lia.
rewrite /bottom_rows -(eq_filter (a1 := fun r : 'I_n => (h + k <= r) && (r < n))); last by move=> r; rewrite ltn_ord andbT.
by rewrite size_lines; lia.
Qed.
Lemma uniq_half (t : bool) : uniq (half_rows t). Proof. by case: t; rewrite filter_uniq ?uniq_lines. Qed.

Section Half.
Variables (t : bool) (l r : seq 'I_n) (F : nat -> {set 'I_bits} -> nat).
Hypotheses (ul : uniq l) (ur : uniq r) (sl : {subset l <= left}) (sr : {subset r <= right}).
Hypothesis sizes : size l + size r = h.

Lemma sum_combined (R R' : seq 'I_n) : uniq R -> uniq R' -> {subset R <= half_rows t} -> {subset R' <= half_rows t} ->
  \sum_(x <- combined (quarter_boards place s core R l) (quarter_boards place s core R' r)) F x.1 x.2 =
  \sum_(a | placement (set_of R) (open s core l) a)
  \sum_(b | placement (set_of R') (open s core r) b && ~~ share a b) F (marks_set s (a :|: b)) (word_of (a :|: b)).
Proof.
move=> uR uR' sR sR'; rewrite big_allpairs_dep big_map /=.
transitivity (\sum_(a | placement (set_of R) (open s core l) a) \sum_(b | placement (set_of R') (open s core r) b)
  if word_of a :&: word_of b == set0 then F (marking a + marking b) (word_of a :|: word_of b) else 0).
  rewrite sum_placements //; apply: eq_bigr => a _; rewrite sum_placements // big_filter big_map big_mkcond.
  by apply: eq_bigr => b _; rewrite /= !wordE /marking !exists_set_of.
apply: eq_bigr => a pa; rewrite [RHS]big_mkcondr; apply: eq_bigr => b pb.
have ia := @board_in_quarter t true R l a sR sl pa; have ib := @board_in_quarter t false R' r b sR' sr pb.
rewrite (quarters_share ia ib) word_ofU (marks_halves _ _ ia ib) //; first by case/and3P: pa.
by case/and3P: pb.
Qed.

Theorem sum_halves : \sum_(x <- halves place s core (half_rows t) l r) F x.1 x.2 =
  \sum_(q | placement (set_of (half_rows t)) (open s core (l ++ r)) q) F (marks_set s q) (word_of q).
Proof.
have openE (C : seq 'I_n) R q : placement R (open s core C) q =
    boards (fun x => all (fun y => ~~ attack y x) core && ~~ closed s x) R (set_of C) q.
  by apply: eq_placement => x _; rewrite /= inE.
have ulr : uniq (l ++ r).
  by rewrite cat_uniq ul ur andbT /=; apply/hasPn => x /sr xr; apply/negP => /sl xl; exact: left_not_right xl xr.
have card (R : seq 'I_n) : uniq R -> #|set_of R| = size R by move=> uR; rewrite cardsE; exact/card_uniqP.
under [RHS]eq_bigl do rewrite openE.
rewrite (quarters _ (set_of left)); last by rewrite !card ?uniq_half // size_cat size_half.
have -> : set_of (l ++ r) :&: set_of left = set_of l.
  apply/setP => x; rewrite !inE mem_cat; apply/andP/idP => [[/orP [//|/sr xr] /left_not_right] | xl]; first by [].
  by rewrite xl sl.
have -> : set_of (l ++ r) :\: set_of left = set_of r.
  apply/setP => x; rewrite !inE mem_cat; apply/andP/idP => [[nl /orP [/sl|//]] | xr]; first by rewrite (negbTE nl).
  by rewrite xr orbT; split => //; apply/negP => /left_not_right; apply; exact: sr.
rewrite [RHS]big_mkcondr (sum_pick _ (uniq_half t)) size_half /halves big_flatten big_map big_filter big_mkcond big_seq [RHS]big_seq.
apply: eq_bigr => m; rewrite mem_iota => /andP [_ lt]; rewrite !card ?pick_uniq ?uniq_half // size_pick size_half.
case: ifP => // _; rewrite sum_combined ?pick_uniq ?uniq_half //; try by move=> x /pick_sub.
apply: eq_big => [q | a _]; first exact: openE.
apply: eq_bigl => b; rewrite openE; congr (boards _ _ _ _ && _).
apply/setP => x; rewrite !inE andbC; case xR: (x \in half_rows t) => /=.
  by have := pick_compl (uniq_half t) (m := m) _ xR; rewrite size_half => ->.
by apply/negP => /pick_sub; rewrite xR.
Qed.
End Half.

(** *** What a column set counts, in words *)
Hypothesis uniq_core : uniq core.
Variables a d : nat.
Hypotheses (la : a < 2 ^ h) (ld : d < 2 ^ h) (same_tier : popcount h a = popcount h d).
Notation weight := (pair_weight n s (marks s core)).

Lemma sub_left m : {subset left_columns core m <= left}. Proof. by move=> x /pick_sub. Qed.
Lemma sub_right m : {subset right_columns core m <= right}. Proof. by move=> x /pick_sub; rewrite mem_rev. Qed.
Lemma sub_free m m' : {subset left_columns core m ++ right_columns core m' <= free_columns core}.
Proof. by move=> x; rewrite mem_cat left_or_right => /orP [/sub_left | /sub_right] ->; rewrite ?orbT. Qed.
Lemma uniq_picked m m' : uniq (left_columns core m) /\ uniq (right_columns core m').
Proof.
have := uniq_free; rewrite cat_uniq => /and3P [ul _ ur].
by split; apply: pick_uniq; rewrite ?rev_uniq.
Qed.
Lemma size_picked m m' : popcount h m + popcount h m' = h ->
  size (left_columns core m) + size (right_columns core m') = h.
Proof.
have e : 2 * h = h + h by rewrite mul2n addnn.
by move=> sum; rewrite !size_pick size_rev size_drop size_takel size_free e ?addnK ?leq_addr.
Qed.

(** Halves that share a main diagonal without a bit are both marked, and weigh nothing. *)
Lemma weigh_words t b :
  {in t, forall x, available x /\ (x.1 < h) = true} -> {in b, forall x, available x /\ (x.1 < h) = false} ->
  weight (marks_set s t) (marks_set s b) * (word_of t :&: word_of b == set0) =
  if share t b then 0 else weight (marks_set s t) (marks_set s b).
Proof.
move=> it ib; case sh: (share t b); last by rewrite apart_words ?sh // muln1.
case: (share_words sh) => [/negbTE -> | [x [y [e [xt yb ex ey /relevantP nr]]]]]; first by rewrite muln0.
have [xa xh] := it x xt; have [ya yh] := ib y yb; case m: (if s is MainDiagonals then is_main e else false); last first.
  by case: nr; rewrite m; split => //; exists x, y; split; rewrite // /quarter xh yh.
case: (s) m => // m; have pos z q : z \in q -> through e z -> 0 < marks_set MainDiagonals q.
  by move=> zq ez; apply/card_gt0P; exists z; rewrite inE zq (main_on ez m).
by have := pos x t xt ex; have := pos y b yb ey; rewrite /pair_weight;
  case: (marks_set _ t) => [|[|[|i]]] //; case: (marks_set _ b) => [|[|[|j]]].
Qed.

Theorem sum_pairs : \sum_(x <- tops place s core a d) \sum_(y <- bottoms place s core a d)
    weight x.1 y.1 * (x.2 :&: y.2 == set0) =
  pair_count s core (top_rows h k) (top_columns core a d) (bottom_rows h k) (bottom_columns core a d).
Proof.
have le := popcount_le h d; have [ul ur] := uniq_picked a (2 ^ h - 1 - d); have [ul' ur'] := uniq_picked (2 ^ h - 1 - a) d.
rewrite (@sum_halves true _ _ (fun i w => \sum_(y <- bottoms place s core a d) weight i y.1 * (w :&: y.2 == set0)) ul ur
  (@sub_left _) (@sub_right _)); last by apply: size_picked; rewrite popcount_compl //; lia.
rewrite (pair_countE _ _ _ uniq_core (uniq_half true) (uniq_half false)) /pair_count_set (marks_setE _ uniq_core).
apply: eq_big => [t | t pt]; first by rewrite half_setE.
rewrite (@sum_halves false _ _ (fun i w => weight (marks_set s t) i * (word_of t :&: w == set0)) ul' ur'
  (@sub_left _) (@sub_right _)); last by apply: size_picked; rewrite popcount_compl //; lia.
rewrite [RHS]big_mkcondr; apply: eq_big => [b | b pb]; first by rewrite half_setE.
rewrite (weigh_words (board_available (t := true) _ (@sub_free _ _) pt) (board_available (t := false) _ (@sub_free _ _) pb)) //.
by case: share.
Qed.

(** The same, class by class of marks. *)
Lemma by_marks (l : seq (nat * {set 'I_bits})) (F : nat -> {set 'I_bits} -> nat) : all (fun v => v.1 < 3) l ->
  \sum_(x <- l) F x.1 x.2 = \sum_(0 <= i < 3) \sum_(w <- with_marks i l) F i w.
Proof.
elim: l => [|[i w] l IH] /=; first by move=> _; rewrite !big_nil big1_seq // => i _; rewrite big_nil.
have e (G : nat -> nat) : \sum_(0 <= j < 3) G j = G 0 + G 1 + G 2 by rewrite /index_iota /= !big_cons big_nil addn0 addnA.
case/andP => li /IH {}IH; rewrite big_cons {}IH !e /with_marks /=.
by case: i li => [|[|[|]]] //= _; rewrite big_cons // !addnA // [_ + F _ w]addnC ?addnA // addnAC.
Qed.
Lemma marks_lt (R l r : seq 'I_n) : all (fun v => v.1 < 3) (halves place s core R l r).
Proof.
apply/allP => x /flattenP [l' /mapP [m _ ->] /allpairsPdep [y [z [/mapP [p _ ->]]]]].
by rewrite mem_filter => /andP [_ /mapP [p' _ ->]] ->; rewrite /=; do 2 case: has.
Qed.
Theorem sum_classes : \sum_(0 <= i < 3) \sum_(0 <= j < 3)
    weight i j * pairs (with_marks i (tops place s core a d)) (with_marks j (bottoms place s core a d)) =
  pair_count s core (top_rows h k) (top_columns core a d) (bottom_rows h k) (bottom_columns core a d).
Proof.
rewrite -sum_pairs (by_marks (fun i w => \sum_(y <- bottoms place s core a d) weight i y.1 * (w :&: y.2 == set0))) ?marks_lt //.
apply: eq_bigr => i _; rewrite (eq_bigr _ (fun w _ => by_marks (fun j v => weight i j * (w :&: v == set0)) (marks_lt _ _ _))).
rewrite exchange_big /=; apply: eq_bigr => j _; rewrite big_distrr /=; apply: eq_bigr => w _.
by rewrite big_distrr.
Qed.
End Core.
End Words.

Theorem places : Places.
Proof. by move=> h k s core; exact: card_relevant. Qed.
