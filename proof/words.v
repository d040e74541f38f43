(** Words (section 3): diagonals as bits, and the lists of words that half-boards make. *)
From Queens Require Export quarters join_statements columns.

Section Words.
Variables h k : nat.
Notation n := (h + k + h).
Notation square := (square n).
Notation diagonals := (diagonals h k).
Implicit Types (x y : square) (q l r t b : {set square}) (R C : seq 'I_n) (d : diagonals).

Lemma diagonal_through x y : diagonal x y = [exists d, through d x && through d y].
Proof.
have := ltn_ord x.1; have := ltn_ord x.2; have := ltn_ord y.1; have := ltn_ord y.2 => l1 l2 l3 l4.
apply/orP/existsP => [|[d]]; last by rewrite /through; lia.
have [lf lr] : x.2 + n - 1 - x.1 < 4 * n /\ 2 * n - 1 + x.1 + x.2 < 4 * n by lia.
by case=> /eqP e; [exists (Ordinal lr) | exists (Ordinal lf)]; rewrite /through /=; lia.
Qed.
Lemma shareP l r :
  reflect (exists x y d, [/\ x \in l, y \in r, through d x & through d y]) (share l r).
Proof.
apply: (iffP exists_inP) => [[x xl /exists_inP [y yr]] | [x [y [d [xl yr dx dy]]]]].
  by rewrite diagonal_through => /existsP [d /andP [dx dy]]; exists x, y, d.
by exists x => //; apply/exists_inP; exists y; rewrite // diagonal_through; apply/existsP; exists d; rewrite dx.
Qed.

Section Core.
Variables (s : order_eight) (core : seq square).
Hypothesis size_free : size (free_columns core) = 2 * h.
Notation relevant := (relevant s core).
Notation available := (@available h k s core).
Notation quarter := (@quarter h k core).
Notation left := (take h (free_columns core)).
Notation right := (rev (drop h (free_columns core))).

Lemma relevantP d : reflect (~~ (if s is MainDiagonals then is_main d else false) /\
  exists x y, [/\ available x, available y, quarter x != quarter y, through d x & through d y]) (d \in relevant).
Proof.
rewrite inE; apply: (iffP andP) => -[m]; last first.
  by case=> x [y] [*]; split=> //; apply/existsP; exists x; apply/existsP; exists y; apply/and5P.
by case/existsP => x /existsP [y /and5P [*]]; split => //; exists x, y.
Qed.

(** *** The columns that a core leaves, left and right *)
Lemma uniq_free : uniq (free_columns core). Proof. by rewrite filter_uniq ?uniq_lines. Qed.
Lemma columns_apart : exists m, [/\ h <= m <= n - h, {in left, forall j : 'I_n, j < m} & {in right, forall j : 'I_n, m <= j}].
Proof.
set m := \max_(j <- left) j.+1; exists m.
have lt : {in left, forall j : 'I_n, j < m} by move=> j jl; exact: (leq_bigmax_seq (F := fun j : 'I_n => j.+1)) jl _.
have ge : {in right, forall j : 'I_n, m <= j}.
  move=> j; rewrite mem_rev => jr; apply/bigmax_leqP_seq => i il _.
  have : pairwise (fun i j : 'I_n => i < j) (free_columns core).
    apply: pairwise_filter; rewrite -(pairwise_map val ltn) val_lines -sorted_pairwise ?iota_ltn_sorted //.
    exact: ltn_trans.
  by rewrite -(cat_take_drop h (free_columns core)) pairwise_cat => /andP [/allrelP ltr _]; exact: ltr.
have few (C : seq 'I_n) i c : uniq C -> {in C, forall j : 'I_n, i <= j < i + c} -> size C <= c.
  move=> uC lim; rewrite -(size_map val) -(size_iota i c); apply: uniq_leq_size; first by rewrite map_inj_uniq //; exact: val_inj.
  by move=> _ /mapP [j jC ->]; rewrite mem_iota lim.
have mn : m <= n by apply/bigmax_leqP_seq => j _ _; exact: ltn_ord.
have := few left 0 m (uniq_left h uniq_free) lt; rewrite (size_left uniq_free size_free).
have /(few right m (n - m) (uniq_right h uniq_free)) : {in right, forall j : 'I_n, m <= j < m + (n - m)}.
  by move=> j /ge; rewrite subnKC // ltn_ord andbT.
by rewrite (size_right uniq_free size_free); split=> //; lia.
Qed.
Lemma quarterE : exists2 m, h <= m <= n - h & forall x, available x ->
  ((x.1 < h) || (n - h <= x.1)) /\ quarter x = (x.1 < h : bool, x.2 < m : bool).
Proof.
have [m [hm lt_m ge_m]] := columns_apart; exists m => // x /andP [xr /and3P [xc _ _]].
split; first by rewrite addnK.
rewrite /quarter; congr (_, _); apply/idP/idP => [/lt_m // | lt]; move: xc.
by rewrite (left_or_right h) => /orP [// | /ge_m]; rewrite leqNgt lt.
Qed.

(** *** At most 2N - 2 diagonals are relevant: a column between left and right is crossed by so many *)
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
Definition word_of q := \bigcup_(x in q) bits_of place s core x.
Lemma wordE (p : seq square) : word place s core p = word_of (set_of p).
Proof. by rewrite /word bigcup_seq; apply: eq_bigl => x; rewrite inE. Qed.
(** Two words share a bit if their queens share a relevant diagonal. *)
Lemma words_share l r : reflect (exists x y d, [/\ x \in l, y \in r, through d x & through d y] /\ d \in relevant)
  (word_of l :&: word_of r != set0).
Proof.
apply: (iffP (set0Pn _)) => [[i /setIP []] | [x [y [d [[xl yr dx dy] dr]]]]].
  case/bigcupP => x xl /imsetP [d /setIdP [dr dx] ->] /bigcupP [y yr /imsetP [d' /setIdP [dr' dy]]].
  by move/(injective_place dr dr') => e; exists x, y, d; rewrite {2}e.
exists (place d); apply/setIP; split; apply/bigcupP; [exists x | exists y] => //; apply/imsetP; exists d => //; exact/setIdP.
Qed.

(** *** Half-boards are pairs of quarter-boards *)
Definition half_rows (top : bool) := if top then top_rows h k else bottom_rows h k.
Lemma uniq_half (top : bool) : uniq (half_rows top). Proof. by case: top; rewrite filter_uniq ?uniq_lines. Qed.
Lemma size_half (top : bool) : size (half_rows top) = h.
Proof.
case: top; rewrite /half_rows.
  by rewrite /top_rows -(eq_filter (a1 := fun r : 'I_n => (0 <= r) && (r < h))) // size_lines ?subn0 //; lia.
rewrite /bottom_rows -(eq_filter (a1 := fun r : 'I_n => (h + k <= r) && (r < n))); last by move=> r; rewrite ltn_ord andbT.
by rewrite size_lines; lia.
Qed.
Lemma board_in (top : bool) R C q : {subset R <= half_rows top} -> {subset C <= free_columns core} ->
  placement (set_of R) (open s core C) q -> {in q, forall x, [/\ available x, (x.1 < h) = top & x.2 \in C]}.
Proof.
move=> sR sC p x xq; have /and3P [_ /forall_inP /(_ x xq) /and3P [xc a nc] _] := p.
have := subsetP (placement_sub p) x xq; rewrite !inE => /sR; rewrite /available /open (sC _ xc) a nc.
case: top {sR}; rewrite mem_filter mem_lines andbT => xr; split=> //; rewrite ?xr ?orbT //.
by rewrite ltnNge (leq_trans (leq_addr _ _) xr).
Qed.

Definition marking q := [exists x in q, marked s x].
Definition in_quarter c q := peaceful q /\ {in q, forall x, available x /\ quarter x = c}.
Lemma marks_quarter c q : in_quarter c q -> marks_set s q = marking q.
Proof.
case=> /peacefulP p iq; have le : marks_set s q <= 1.
  apply/card_le1_eqP => x y /setIdP [xq xm] /setIdP [yq ym]; apply: p => //.
  by have [xa xc] := iq x xq; have [ya yc] := iq y yq; apply: marked_attack; rewrite ?xc.
have : (0 < marks_set s q) = marking q.
  by apply/card_gt0P/exists_inP => [[x /setIdP [xq xm]] | [x xq xm]]; exists x; rewrite ?inE ?xq.
by case: (marks_set s q) le => [|[|]] // _ <-.
Qed.

(** A half of the rows, and the columns of a left and of a right set. *)
Section Half.
Variables (top : bool) (a d : nat).
Hypothesis sizes : popcount h a + popcount h d = h.
Notation L := (left_columns core a).
Notation L' := (right_columns core d).

Lemma sub_left : {subset L <= left}. Proof. by move=> x /pick_sub. Qed.
Lemma sub_right : {subset L' <= right}. Proof. by move=> x /pick_sub. Qed.
Lemma sub_free : {subset L ++ L' <= free_columns core}.
Proof. by move=> x; rewrite mem_cat [_ \in free_columns _](left_or_right h) => /orP [/sub_left | /sub_right] ->; rewrite ?orbT. Qed.
Lemma apart_columns : [disjoint set_of L & set_of L'].
Proof.
rewrite disjoints_subset; apply/subsetP => x; rewrite !inE => /sub_left xl.
by apply/negP => /sub_right; exact: (left_not_right uniq_free xl).
Qed.
Lemma in_side (side : bool) R q : {subset R <= half_rows top} ->
  placement (set_of R) (open s core (if side then L else L')) q -> in_quarter (top, side) q.
Proof.
move=> sR pq; split; first by case/and3P: pq.
have sF : {subset (if side then L else L') <= free_columns core}.
  by move=> j js; apply: sub_free; rewrite mem_cat; case: side js {pq} => ->; rewrite ?orbT.
move=> x xq; have [xa xt] := board_in sR sF pq xq; rewrite /quarter xt; case: side {pq sF} => xs; split=> //.
  by rewrite sub_left.
by congr (_, _); apply/negP => xl; exact: (left_not_right uniq_free xl (sub_right xs)).
Qed.

Lemma quarters_share l r : in_quarter (top, true) l -> in_quarter (top, false) r ->
  (word_of l :&: word_of r == set0) = ~~ share l r.
Proof.
move=> [_ il] [_ ir]; rewrite -[LHS]negbK; congr (~~ _); apply/words_share/shareP => -[x [y [d']]].
  by case; exists x, y, d'.
move=> [xl yr dx dy]; exists x, y, d'; split=> //; have [xa xc] := il x xl; have [ya yc] := ir y yr.
apply: (half_not_main xa ya) => //; first by rewrite xc yc xpair_eqE andbF.
by case: xc => -> _; case: yc => ->.
Qed.
Lemma marks_halves l r : in_quarter (top, true) l -> in_quarter (top, false) r ->
  marks_set s (l :|: r) = marking l + marking r.
Proof.
move=> ql qr; rewrite -(marks_quarter ql) -(marks_quarter qr) /marks_set !setIdE setIUl cardsU -setIIl.
suff -> : l :&: r = set0 by rewrite set0I cards0 subn0.
apply/setP => x; rewrite in_set0; apply/negP => /setIP [/ql.2 [_ e] /qr.2 [_]].
by rewrite e.
Qed.

Theorem sum_halves (F : nat -> {set 'I_bits} -> nat) :
  \sum_(x <- halves place s core (half_rows top) L L') F x.1 x.2 =
  \sum_(q | placement (set_of (half_rows top)) (open s core (L ++ L')) q) F (marks_set s q) (word_of q).
Proof.
have openE (R : {set _}) C q : placement R (open s core C) q =
    boards (fun x => all (fun y => ~~ attack y x) core && ~~ closed s x) R (set_of C) q.
  by apply: eq_placement => x _; rewrite /= inE.
have card R : uniq R -> #|set_of R| = size R by move=> uR; rewrite cardsE; exact/card_uniqP.
have uR := uniq_half top.
have [cL cL'] : #|set_of L| = popcount h a /\ #|set_of L'| = popcount h d.
  by rewrite !card ?pick_uniq ?uniq_left ?uniq_right ?uniq_free // !size_pick (size_left uniq_free size_free) (size_right uniq_free size_free).
under [RHS]eq_bigl do rewrite openE.
have -> : set_of (L ++ L') = set_of L :|: set_of L' by apply/setP => x; rewrite !inE mem_cat.
rewrite quarters ?apart_columns //; last by rewrite cL cL' card // size_half.
rewrite [RHS]big_mkcondr (sum_pick _ uR) size_half /halves big_flatten big_map big_filter big_mkcond big_seq [RHS]big_seq.
apply: eq_bigr => m; rewrite mem_iota => /andP [_ lt]; rewrite cL card ?pick_uniq // !size_pick size_half (size_left uniq_free size_free).
case: ifP => // _; set m' := 2 ^ h - 1 - m.
have -> : set_of (half_rows top) :\: set_of (pick (half_rows top) m) = set_of (pick (half_rows top) m').
  apply/setP => x; rewrite !inE andbC; case xR: (x \in half_rows top) => /=.
    by have := pick_compl uR (m := m) _ xR; rewrite size_half => ->.
  by apply/esym/negP => /pick_sub; rewrite xR.
have sub i : {subset pick (half_rows top) i <= half_rows top} by move=> x /pick_sub.
rewrite big_allpairs_dep big_map /=.
transitivity (\sum_(l | placement (set_of (pick (half_rows top) m)) (open s core L) l)
  \sum_(r | placement (set_of (pick (half_rows top) m')) (open s core L') r)
  if word_of l :&: word_of r == set0 then F (marking l + marking r) (word_of l :|: word_of r) else 0).
  rewrite sum_placements ?pick_uniq //; apply: eq_bigr => l _; rewrite sum_placements ?pick_uniq // big_filter big_map.
  by rewrite big_mkcond; apply: eq_bigr => r _; rewrite /= !wordE /marking !exists_set_of.
apply: eq_big => [l | l pl]; first exact: openE.
rewrite [RHS]big_mkcondr; apply: eq_big => [r | r pr]; first exact: openE.
have il := in_side (side := true) (sub m) pl; have ir := in_side (side := false) (sub m') pr.
by rewrite (quarters_share il ir) -(marks_halves il ir) /word_of bigcup_setU.
Qed.
End Half.

(** *** What a column set counts, in words *)
Hypothesis uniq_core : uniq core.
Variables a d : nat.
Hypotheses (la : a < 2 ^ h) (ld : d < 2 ^ h) (same_tier : popcount h a = popcount h d).
Notation weight := (pair_weight n s (marks s core)).

(** Halves that share a main diagonal without a bit are both marked, and weigh nothing. *)
Lemma weigh_words C D t b : {subset C <= free_columns core} -> {subset D <= free_columns core} ->
  placement (set_of (half_rows true)) (open s core C) t -> placement (set_of (half_rows false)) (open s core D) b ->
  weight (marks_set s t) (marks_set s b) * (word_of t :&: word_of b == set0) =
  if share t b then 0 else weight (marks_set s t) (marks_set s b).
Proof.
move=> sC sD pt pb; have it := board_in (fun _ => id) sC pt; have ib := board_in (fun _ => id) sD pb.
rewrite -[_ == set0]negbK; case: shareP => [[x [y [e [xt yb ex ey]]]] | ns]; last first.
  case: words_share => [[x [y [e [sh _]]]] | _]; last by rewrite muln1.
  by case: ns; exists x, y, e.
case: words_share => [_ | nr]; first by rewrite muln0.
have [xa xh _] := it x xt; have [ya yh _] := ib y yb; case m: (if s is MainDiagonals then is_main e else false); last first.
  case: nr; exists x, y, e; split=> //; apply/relevantP; rewrite m; split => //.
  by exists x, y; split; rewrite // /quarter xh yh.
case: (s) m => // m; have pos z q : z \in q -> through e z -> 0 < marks_set MainDiagonals q.
  by move=> zq ez; apply/card_gt0P; exists z; rewrite inE zq (main_on ez m).
by have := pos x t xt ex; have := pos y b yb ey; rewrite /pair_weight;
  case: (marks_set _ t) => [|[|[|i]]] //; case: (marks_set _ b) => [|[|[|j]]].
Qed.

Theorem sum_pairs : \sum_(x <- tops place s core a d) \sum_(y <- bottoms place s core a d)
    weight x.1 y.1 * (x.2 :&: y.2 == set0) =
  pair_count s core (top_rows h k) (top_columns core a d) (bottom_rows h k) (bottom_columns core a d).
Proof.
have le := popcount_le h d.
have [sT sB] : popcount h a + popcount h (2 ^ h - 1 - d) = h /\ popcount h (2 ^ h - 1 - a) + popcount h d = h.
  by rewrite !popcount_compl //; lia.
rewrite (sum_halves true sT (fun i w => \sum_(y <- bottoms place s core a d) weight i y.1 * (w :&: y.2 == set0))).
rewrite (pair_countE _ _ _ uniq_core (uniq_half true) (uniq_half false)) /pair_count_set (marks_setE _ uniq_core).
apply: eq_big => [t | t pt]; first by rewrite half_setE.
rewrite (sum_halves false sB (fun i w => weight (marks_set s t) i * (word_of t :&: w == set0))).
rewrite [RHS]big_mkcondr; apply: eq_big => [b | b pb]; first by rewrite half_setE.
by rewrite (weigh_words (@sub_free _ _) (@sub_free _ _) pt pb); case: share.
Qed.

(** The same, class by class of marks. *)
Lemma by_marks (l : seq (nat * {set 'I_bits})) (F : nat -> {set 'I_bits} -> nat) : all (fun v => v.1 < 3) l ->
  \sum_(x <- l) F x.1 x.2 = \sum_(i < 3) \sum_(w <- with_marks i l) F i w.
Proof.
move=> /allP lt; under [RHS]eq_bigr do rewrite big_map big_filter.
rewrite (exchange_big_dep predT) //= big_seq [RHS]big_seq; apply: eq_bigr => x /lt x3.
by rewrite (big_pred1 (Ordinal x3)) // => i; rewrite /= eq_sym.
Qed.
Lemma marks_lt (R l r : seq 'I_n) : all (fun v => v.1 < 3) (halves place s core R l r).
Proof.
apply/allP => x /flattenP [l' /mapP [m _ ->] /allpairsPdep [y [z [/mapP [p _ ->]]]]].
by rewrite mem_filter => /andP [_ /mapP [p' _ ->]] ->; rewrite /=; do 2 case: has.
Qed.
Theorem sum_classes : \sum_(i < 3) \sum_(j < 3)
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
