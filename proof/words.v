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
Notation columns := (free_columns core).
Notation left := (take h columns).
Notation right := (rev (drop h columns)).

(** A diagonal of two quarters is relevant, or it is a main diagonal where those weigh. *)
Lemma relevant_or_main x y d : available x -> available y -> quarter x != quarter y -> through d x -> through d y ->
  d \in relevant \/ s = MainDiagonals /\ is_main d.
Proof.
move=> xa ya ne dx dy; case m: (if s is MainDiagonals then is_main d else false); first by right; case: (s) m.
by left; rewrite inE m; apply/existsP; exists x; apply/existsP; exists y; apply/and5P.
Qed.

(** *** The columns that a core leaves, left and right *)
Lemma uniq_free : uniq (free_columns core). Proof. by rewrite filter_uniq ?uniq_lines. Qed.
(** Left ones are less than a number, and right ones are not; and that is h columns away from both borders. *)
Lemma quarterE : exists2 m, h <= m <= n - h & forall x, available x ->
  ((x.1 < h) || (n - h <= x.1)) /\ quarter x = (x.1 < h : bool, x.2 < m : bool).
Proof.
set m := \max_(j <- left) j.+1.
have lt : {in left, forall j : 'I_n, j < m} by move=> j jl; exact: (leq_bigmax_seq (F := fun j : 'I_n => j.+1)) jl _.
have ge : {in right, forall j : 'I_n, m <= j}.
  move=> j; rewrite mem_rev => jr; apply/bigmax_leqP_seq => i il _.
  have : pairwise (fun i j : 'I_n => i < j) columns.
    apply: pairwise_filter; rewrite -(pairwise_map val ltn) val_lines -sorted_pairwise ?iota_ltn_sorted //.
    exact: ltn_trans.
  by rewrite -(cat_take_drop h columns) pairwise_cat => /andP [/allrelP ltr _]; exact: ltr.
have mn : m <= n by apply/bigmax_leqP_seq => j _ _; exact: ltn_ord.
have hm : h <= m.
  rewrite -[X in X <= _](size_left uniq_free size_free) -[X in _ <= X]subn0 -(@size_lines n 0 m) //.
  by apply: uniq_leq_size (uniq_left h uniq_free) _ => j jl; rewrite mem_filter mem_lines lt.
have mh : h <= n - m.
  rewrite -[X in X <= _](size_right uniq_free size_free) -(@size_lines n m n) ?mn ?leqnn //.
  by apply: uniq_leq_size (uniq_right h uniq_free) _ => j jr; rewrite mem_filter mem_lines ltn_ord ge.
exists m => [|x /andP [xr /and3P [xc _ _]]]; first by lia.
split; first by rewrite addnK.
rewrite /quarter; congr (_, _); apply/idP/idP => [/lt // | xm]; move: xc.
by rewrite (left_or_right h) => /orP [// | /ge]; rewrite leqNgt xm.
Qed.

(** *** At most 2N - 2 diagonals are relevant: a column between left and right is crossed by so many *)
Lemma card_relevant : #|relevant| <= 2 * n - 2.
Proof.
have [m hm q] := quarterE.
have := @uniq_leq_size _ (map val (enum relevant)) (iota m n.-1 ++ iota (2 * n - 1 + m) n.-1).
rewrite map_inj_uniq ?enum_uniq; last exact: val_inj.
rewrite size_map -cardE size_cat !size_iota => /(_ isT) le; apply: (leq_trans (le _)); last lia.
move=> i /mapP [d]; rewrite mem_enum inE => /andP [_ /existsP [x /existsP [y]]].
case/and5P => /q [xr ->] /q [yr ->] ne dx dy -> {q le i}.
have := ltn_ord x.1; have := ltn_ord x.2; have := ltn_ord y.1; have := ltn_ord y.2.
move: ne; rewrite mem_cat !mem_iota xpair_eqE; case/orP: dx => /eqP dx; case/orP: dy => /eqP dy;
  case: (ltnP x.1 h) xr; case: (ltnP y.1 h) yr => /=; case: (ltnP x.2 m); case: (ltnP y.2 m) => //= *; lia.
Qed.

Hypothesis main0 : s = MainDiagonals -> k = 0.
(** Two quarters of one half never hold the same main diagonal. *)
Lemma half_not_main x y d : available x -> available y -> quarter x != quarter y -> (x.1 < h) = (y.1 < h) ->
  through d x -> through d y -> d \in relevant.
Proof.
move=> xa ya ne same dx dy; have [// | [sM md]] := relevant_or_main xa ya ne dx dy; have k0 := main0 sM.
have [m hm q] := quarterE; have [xr qx] := q x xa; have [yr qy] := q y ya; move: ne.
rewrite qx qy same xpair_eqE eqxx /= => ne; exfalso => {q qx qy xa ya}.
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
  case/andP => _ /eqP dx /andP [_ /eqP dy]; apply/orP; left; apply/eqP; move: dx dy; rewrite /distance {l1 l2}.
  by case: (ltnP x.1 h) xr e1; case: (ltnP y.1 h) yr => //= *; lia.
rewrite /on_main -!val_eqE /= => /orP [] /eqP mx /orP [] /eqP my; rewrite ?mx ?my ?[y.2 + x.2]addnC ?eqxx ?orbT //;
  exfalso; case: (ltnP x.1 h) xr e1; case: (ltnP y.1 h) yr => //=;
  case: (ltnP x.2 m) e2; case: (ltnP y.2 m) => //= *; lia.
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
exists (place d); apply/setIP; split; apply/bigcupP; [exists x | exists y] => //;
  apply/imsetP; exists d => //; exact/setIdP.
Qed.

(** *** Half-boards are pairs of quarter-boards *)
Definition half_rows (top : bool) := if top then top_rows h k else bottom_rows h k.
Lemma uniq_half (top : bool) : uniq (half_rows top). Proof. by case: top; rewrite filter_uniq ?uniq_lines. Qed.
Lemma size_half (top : bool) : size (half_rows top) = h.
Proof.
case: top; first by rewrite -[RHS]subn0 -(@size_lines n 0 h) //; lia.
rewrite -[RHS](addKn (h + k)) -(@size_lines n (h + k) n); last by lia.
by congr size; apply: eq_filter => r; rewrite ltn_ord andbT.
Qed.
Lemma board_in (top : bool) R C q : {subset R <= half_rows top} -> {subset C <= columns} ->
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
case=> /peacefulP p iq; rewrite /marks_set /marking; case: exists_inP => [[x xq xm] | none]; last first.
  by apply: eq_card0 => x; rewrite !inE; apply/andP => -[xq xm]; apply: none; exists x.
apply/eqP/cards1P; exists x; apply/setP => y; rewrite !inE; apply/andP/eqP => [[yq ym] | -> //]; apply: p => //.
by have [xa xc] := iq x xq; have [ya yc] := iq y yq; apply: marked_attack; rewrite ?xc.
Qed.

(** Half-boards have at most two marks, so that they are in three classes. *)
Lemma by_marks (R l r : seq 'I_n) (F : nat -> {set 'I_bits} -> nat) : let hs := halves place s core R l r in
  \sum_(x <- hs) F x.1 x.2 = \sum_(i < 3) \sum_(w <- with_marks i hs) F i w.
Proof.
move=> hs; have lt v : v \in hs -> v.1 < 3.
  case/flattenP => l' /mapP [m _ ->] /allpairsPdep [y [z [/mapP [p _ ->]]]].
  by rewrite mem_filter => /andP [_ /mapP [p' _ ->]] ->; rewrite /=; do 2 case: has.
under [RHS]eq_bigr do rewrite big_map big_filter.
rewrite (exchange_big_dep predT) //= big_seq [RHS]big_seq; apply: eq_bigr => x /lt x3.
by rewrite (big_pred1 (Ordinal x3)) // => i; rewrite /= eq_sym.
Qed.

(** A half of the rows, and the columns of a left and of a right set. *)
Section Half.
Variables (top : bool) (a d : nat).
Hypothesis sizes : popcount h a + popcount h d = h.
Notation L := (left_columns core a).
Notation L' := (right_columns core d).

Lemma side_columns (side : bool) (x : 'I_n) : x \in (if side then L else L') -> x \in columns /\ (x \in left) = side.
Proof.
case: side => /pick_sub xs; rewrite (left_or_right h) xs ?orbT; split=> //.
by apply/negP => xl; exact: (left_not_right uniq_free xl xs).
Qed.
Lemma sub_columns : {subset L ++ L' <= columns}.
Proof. by move=> x; rewrite mem_cat => /orP [/(@side_columns true) | /(@side_columns false)] []. Qed.
Lemma apart_columns : [disjoint set_of L & set_of L'].
Proof.
rewrite disjoints_subset; apply/subsetP => x; rewrite !inE => /(@side_columns true) [_ xl].
by apply/negP => /(@side_columns false) [_]; rewrite xl.
Qed.
Lemma in_side (side : bool) R q : {subset R <= half_rows top} ->
  placement (set_of R) (open s core (if side then L else L')) q -> in_quarter (top, side) q.
Proof.
move=> sR pq; split; first by case/and3P: pq.
have sC : {subset (if side then L else L') <= columns} by move=> j /side_columns [].
by move=> x xq; have [xa xt /side_columns [_ xs]] := board_in sR sC pq xq; rewrite /quarter xt xs.
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
  \sum_(i < 3) \sum_(w <- with_marks i (halves place s core (half_rows top) L L')) F i w =
  \sum_(q | placement (set_of (half_rows top)) (open s core (L ++ L')) q) F (marks_set s q) (word_of q).
Proof.
rewrite -by_marks; have openE (R : {set _}) C q : placement R (open s core C) q =
    boards (fun x => all (fun y => ~~ attack y x) core && ~~ closed s x) R (set_of C) q.
  by apply: eq_placement => x _; rewrite /= inE.
have card R : uniq R -> #|set_of R| = size R by move=> uR; rewrite cardsE; exact/card_uniqP.
have uR := uniq_half top.
have [sl sr] := (size_left uniq_free size_free, size_right uniq_free size_free).
have [cL cL'] : #|set_of L| = popcount h a /\ #|set_of L'| = popcount h d.
  by rewrite !card ?pick_uniq ?uniq_left ?uniq_right ?uniq_free // !size_pick sl sr.
under [RHS]eq_bigl do rewrite openE.
have -> : set_of (L ++ L') = set_of L :|: set_of L' by apply/setP => x; rewrite !inE mem_cat.
rewrite quarters ?apart_columns //; last by rewrite cL cL' card // size_half.
rewrite [RHS]big_mkcondr (sum_pick _ uR) size_half /halves big_flatten big_map big_filter big_mkcond.
rewrite big_seq [RHS]big_seq; apply: eq_bigr => m; rewrite mem_iota => /andP [_ lt].
rewrite cL card ?pick_uniq // !size_pick size_half sl.
case: ifP => // _; set m' := 2 ^ h - 1 - m.
have -> : set_of (half_rows top) :\: set_of (pick (half_rows top) m) = set_of (pick (half_rows top) m').
  by apply/setP => x; have := pick_compl (m := m) x uR; rewrite size_half !inE andbC => ->.
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
Notation weight := (pair_weight s (marks s core)).

(** Halves that share a main diagonal without a bit are both marked, and weigh nothing. *)
Lemma weigh_words C D t b : {subset C <= columns} -> {subset D <= columns} ->
  placement (set_of (half_rows true)) (open s core C) t -> placement (set_of (half_rows false)) (open s core D) b ->
  weight (marks_set s t) (marks_set s b) * (word_of t :&: word_of b == set0) =
  if share t b then 0 else weight (marks_set s t) (marks_set s b).
Proof.
move=> sC sD pt pb; have it := board_in (fun _ => id) sC pt; have ib := board_in (fun _ => id) sD pb.
rewrite -[_ == set0]negbK; case: shareP => [[x [y [e [xt yb ex ey]]]] | ns]; last first.
  case: words_share => [[x [y [e [sh _]]]] | _]; last by rewrite muln1.
  by case: ns; exists x, y, e.
case: words_share => [_ | nr]; first by rewrite muln0.
have [xa xh _] := it x xt; have [ya yh _] := ib y yb; have ne : quarter x != quarter y by rewrite /quarter xh yh.
have [er | [sM m]] := relevant_or_main xa ya ne ex ey; first by case: nr; exists x, y, e.
have pos z q : z \in q -> through e z -> 0 < marks_set s q.
  by move=> zq ez; apply/card_gt0P; exists z; rewrite inE zq sM (main_on ez m).
have := pos x t xt ex; have := pos y b yb ey; rewrite sM /pair_weight.
by case: (marks_set _ t) => [|[|[|i]]] //; case: (marks_set _ b) => [|[|[|j]]].
Qed.

Theorem sum_classes (ts := tops place s core a d) (bs := bottoms place s core a d) :
  \sum_(i < 3) \sum_(j < 3) weight i j * pairs (with_marks i ts) (with_marks j bs) =
  pair_count s core (top_rows h k) (top_columns core a d) (bottom_rows h k) (bottom_columns core a d).
Proof.
have le := popcount_le h d.
have [sT sB] : popcount h a + popcount h (2 ^ h - 1 - d) = h /\ popcount h (2 ^ h - 1 - a) + popcount h d = h.
  by rewrite !popcount_compl //; lia.
pose met i w := \sum_(j < 3) \sum_(b <- with_marks j bs) weight i j * (w :&: b == set0).
transitivity (\sum_(i < 3) \sum_(t <- with_marks i ts) met i t).
  apply: eq_bigr => i _; rewrite /met exchange_big; apply: eq_bigr => j _; rewrite /pairs big_distrr.
  by apply: eq_bigr => t _; rewrite big_distrr.
rewrite (sum_halves true sT met) (pair_countE _ _ _ uniq_core (uniq_half true) (uniq_half false)).
rewrite /pair_count_set (marks_setE _ uniq_core); apply: eq_big => [t | t pt]; first by rewrite half_setE.
rewrite /met (sum_halves false sB (fun j w => weight (marks_set s t) j * (word_of t :&: w == set0))).
rewrite [RHS]big_mkcondr; apply: eq_big => [b | b pb]; first by rewrite half_setE.
by rewrite (weigh_words (@sub_columns _ _) (@sub_columns _ _) pt pb); case: share.
Qed.
End Core.
End Words.

Theorem places : Places.
Proof. by move=> h k s core; exact: card_relevant. Qed.
