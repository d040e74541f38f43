(** Words (section 3): diagonals as bits, and the lists of words that half-boards make. *)
From Queens Require Export units join_statements.
Ltac Zify.zify_pre_hook ::= unfold through, is_main in *; squares.

Section Words. Variables h k : nat. Notation n := (h + k + h). Notation square := (square n).
Notation diagonals := (diagonals h k).
Implicit Types (x y : square) (l r t b : seq square) (R C : seq 'I_n) (d : diagonals).
Lemma diagonal_through x y : diagonal x y = [exists d, through d x && through d y].
Proof. apply/orP/existsP => [|[d]]; last by lia.
have [lf lr] : x.2 + n - 1 - x.1 < 4 * n /\ 2 * n - 1 + x.1 + x.2 < 4 * n by lia.
by case=> /eqP e; [exists (Ordinal lr) | exists (Ordinal lf)]; lia. Qed.
Lemma share_through l r : share_diagonal l r = [exists d, has (through d) l && has (through d) r].
Proof. apply/hasP/existsP => [[x xr /hasP [y yl]] | [d /andP [/hasP [y yl dy] /hasP [x xr dx]]]].
  rewrite diagonal_through => /existsP [d /andP [dx dy]].
  by exists d; apply/andP; split; apply/hasP; [exists y | exists x].
exists x => //; apply/hasP; exists y; rewrite // diagonal_through; apply/existsP; exists d;
  exact/andP. Qed.
Lemma mem_squares x : x \in [seq (r, j) | r <- lines n, j <- lines n].
Proof. by case: x => r j; apply: allpairs_f; exact: mem_lines. Qed.

Section Core. Variables (s : order_eight) (core : seq square).
Hypothesis size_free : size (free_columns core) = 2 * h. Notation relevant := (relevant s core).
Notation available := (@available h k s core). Notation quarter := (@quarter h k core).
Notation columns := (free_columns core). Notation left := (take h columns).
Notation right := (rev (drop h columns)).
(** A diagonal of two quarters is relevant, or it is a main diagonal where those weigh. *)
Lemma relevant_or_main x y d : available x -> available y -> quarter x != quarter y ->
  through d x -> through d y ->
  d \in relevant \/ s = MainDiagonals /\ is_main d.
Proof. move=> xa ya ne dx dy; case m: (if s is MainDiagonals then is_main d else false);
  first by right; case: (s) m. left; rewrite inE /is_relevant m /=; apply/hasP; exists x;
  first by rewrite !mem_filter dx xa mem_squares.
by apply/hasP; exists y; rewrite // !mem_filter dy ya mem_squares. Qed.
(** *** The columns that a core leaves, left and right *)
Lemma uniq_free : uniq columns. Proof. exact: uniq_rows. Qed.
(** Left ones are less than a number, right ones are not; it is h or more from both borders. *)
Lemma quarterE : exists2 m, h <= m <= n - h & forall x, available x ->
  ((x.1 < h) || (n - h <= x.1)) /\ quarter x = (x.1 < h : bool, x.2 < m : bool).
Proof. set m := \max_(j <- left) j.+1. have lt : {in left, forall j : 'I_n, j < m} by move=> j jl;
  exact: (leq_bigmax_seq (F := fun j : 'I_n => j.+1)) jl _.
have ge : {in right, forall j : 'I_n, m <= j}.
  move=> j; rewrite mem_rev => jr; apply/bigmax_leqP_seq => i il _.
  have : pairwise (fun i j : 'I_n => i < j) columns.
    apply: pairwise_filter; rewrite -(pairwise_map val ltn) val_lines -sorted_pairwise
      ?iota_ltn_sorted //. exact: ltn_trans.
  by rewrite -(cat_take_drop h columns) pairwise_cat => /andP [/allrelP ltr _]; exact: ltr.
have mn : m <= n by apply/bigmax_leqP_seq => j _ _; exact: ltn_ord. have hm : h <= m.
  rewrite -[X in X <= _](size_left uniq_free size_free) -[X in _ <= X]subn0 -(@size_lines n 0 m) //.
  by apply: uniq_leq_size (take_uniq h uniq_free) _ => j jl; rewrite mem_rows lt.
have mh : h <= n - m.
  rewrite -[X in X <= _](size_right uniq_free size_free) -(@size_lines n m n) ?mn ?leqnn //.
  by apply: uniq_leq_size (uniq_right h uniq_free) _ => j jr;
    rewrite mem_rows ltn_ord ge.
exists m => [|x /andP [xr /and3P [xc _ _]]]; first by lia. split; first by rewrite addnK.
rewrite /quarter; congr (_, _); apply/idP/idP => [/lt // | xm]; move: xc.
by rewrite (left_or_right h) => /orP [// | /ge]; rewrite leqNgt xm. Qed.
(** *** At most 2N - 2 diagonals are relevant: all cross the border of left and right *)
Theorem places : #|relevant| <= 2 * n - 2.
Proof. have [m hm q] := quarterE.
have := @uniq_leq_size _ (map val (enum relevant)) (iota m n.-1 ++ iota (2 * n - 1 + m) n.-1).
rewrite map_inj_uniq ?enum_uniq; last exact: val_inj.
rewrite size_map -cardE size_cat !size_iota => /(_ isT) le; apply: (leq_trans (le _)); last lia.
move=> i /mapP [d]; rewrite mem_enum inE => /andP [_ /hasP [x + /hasP [y]]].
rewrite !mem_filter => /and3P [dy /q [yr ->] _] /and3P [dx /q [xr ->] _] ne -> {q le i}.
move: ne; rewrite mem_cat !mem_iota xpair_eqE; case/orP: dx => /eqP dx; case/orP: dy => /eqP dy;
  case: (ltnP x.1 h) xr; case: (ltnP y.1 h) yr => /=; case: (ltnP x.2 m);
  case: (ltnP y.2 m) => //= *; lia. Qed.
Hypothesis main0 : s = MainDiagonals -> k = 0.
(** Two quarters of one half never hold the same main diagonal. *)
Lemma half_not_main x y d : available x -> available y -> quarter x != quarter y ->
  (x.1 < h) = (y.1 < h) ->
  through d x -> through d y -> d \in relevant.
Proof. move=> xa ya ne same dx dy; have [// | [sM md]] := relevant_or_main xa ya ne dx dy;
  have k0 := main0 sM.
have [m hm q] := quarterE; have [xr qx] := q x xa; have [yr qy] := q y ya; move: ne.
rewrite qx qy same xpair_eqE eqxx /= => ne; exfalso => {q qx qy xa ya}.
move: ne; case: (ltnP x.2 m); case: (ltnP y.2 m) => // ? ? _; case/orP: md => /eqP md;
  case/orP: dx => /eqP dx; case/orP: dy => /eqP dy; case: (ltnP x.1 h) xr same;
  case: (ltnP y.1 h) yr => //= *; lia. Qed.
Lemma main_on x d : through d x -> is_main d -> marked MainDiagonals x.
Proof. rewrite /=; lia. Qed.
(** Two marked squares of a quarter attack each other, so a quarter-board has at most one mark. *)
Lemma marked_attack x y : available x -> available y -> quarter x = quarter y -> marked s x ->
  marked s y -> attack x y.
Proof. have [m hm q] := quarterE; move=> /q [xr ->] /q [yr ->] [] e1 e2 {q}.
case: (s) main0 => [_ //| /(_ erefl) k0|r _] /=; last first.
  case/andP => _ /eqP dx /andP [_ /eqP dy]; move: dx dy.
  by case: (ltnP x.1 h) xr e1; case: (ltnP y.1 h) yr => //= *; lia.
rewrite /on_main -!val_eqE /= => /orP [] /eqP mx /orP [] /eqP my; case: (ltnP x.1 h) xr e1;
  case: (ltnP y.1 h) yr => //=; case: (ltnP x.2 m) e2; case: (ltnP y.2 m) => //= *; lia. Qed.
(** *** Words *)
Variables (bits : nat) (place : diagonals -> 'I_bits).
Hypothesis injective_place : {in relevant &, injective place}.
Notation word_of := (word_of place s core).
Lemma wordP i l : reflect (exists2 d, d \in relevant & i = place d /\ has (through d) l)
  (i \in word_of l).
Proof. rewrite /join_statements.word_of bigcup_seq;
  apply: (iffP bigcupP) => [[x xl /imsetP [d /setIdP [dr dx] ->]] |].
  by exists d => //; split=> //; apply/hasP; exists x.
by case=> d dr [-> /hasP [x xl dx]]; exists x => //; apply: imset_f; exact/setIdP. Qed.
(** Two words share a bit if their queens share a relevant diagonal. *)
Lemma words_share l r :
  (word_of l :&: word_of r != set0) =
    [exists d in relevant, has (through d) l && has (through d) r].
Proof. apply/set0Pn/exists_inP =>
  [[i /setIP [/wordP [d dr [-> dl]] /wordP [e er [de re]]]] | [d dr /andP [dl dr']]].
  by exists d; rewrite // dl (injective_place dr er de).
by exists (place d); apply/setIP; split; apply/wordP; exists d. Qed.
(** *** Half-boards are pairs of quarter-boards *)
Definition half_rows (top : bool) := if top then top_rows h k else bottom_rows h k.
Lemma uniq_half (top : bool) : uniq (half_rows top). Proof. by case: top; exact: uniq_rows. Qed.
Lemma size_half (top : bool) : size (half_rows top) = h.
Proof. case: top; first exact: size_top; rewrite -[RHS](addKn (h + k)) -(@size_lines n (h + k) n);
  last by lia. by congr size; apply: eq_filter => r; rewrite ltn_ord andbT. Qed.
Lemma board_in (top : bool) R C l : {subset R <= half_rows top} ->
  l \in half_boards s core R C -> {in l, forall x, [/\ available x, (x.1 < h) = top & x.2 \in C]}.
Proof. move=> sR; rewrite mem_placements => /and3P [/eqP e /allP o _] x xl;
  have /and3P [xc a nc] := o x xl.
have := sR x.1; rewrite -e map_f // /available /open (apart_free a) a nc => /(_ isT).
case: top {sR}; rewrite mem_rows => xr; split=> //; rewrite ?xr ?orbT //.
by rewrite ltnNge (leq_trans (leq_addr _ _) xr). Qed.
Definition in_quarter c l :=
  peaceful l /\ {in l, forall x, available x /\ quarter x = c}.
Lemma marks_quarter c l : in_quarter c l -> marks s l = has (marked s) l.
Proof. case=> p il; rewrite has_count /marks -size_filter.
have pf : peaceful (filter (marked s) l) by exact: pairwise_filter.
have {}il x : x \in filter (marked s) l -> [/\ marked s x, available x & quarter x = c].
  by rewrite mem_filter => /andP [mx /il []].
case: filter il pf => [|x [|y f]] //= il /andP [/andP [/negP no _] _]; case: no.
have [xm xa xq] := il x (mem_head _ _); have [|ym ya yq] := il y; first by rewrite !inE eqxx orbT.
by apply: (marked_attack ya xa _ ym xm); rewrite yq. Qed.
(** Half-boards have at most two marks, so that they are in three classes. *)
Lemma by_marks R (L L' : seq 'I_n) (F : nat -> {set 'I_bits} -> nat) : let hs :=
  halves place s core R L L' in
  \sum_(i < 3) \sum_(w <- with_marks i hs) F i w = \sum_(x <- hs) F x.1 x.2.
Proof. move=> hs; have lt v : v \in hs -> v.1 < 3.
  case/flattenP => l' /mapP [m _ ->] /allpairsPdep [y [z [/mapP [p _ ->]]]].
  by rewrite mem_filter => /andP [_ /mapP [p' _ ->]] ->; rewrite /=; do 2 case: has.
under [LHS]eq_bigr do rewrite big_map big_filter.
rewrite (exchange_big_dep predT) //=; apply: eq_big_seq => x /lt x3.
by rewrite (big_pred1 (Ordinal x3)) // => i; rewrite /= eq_sym. Qed.
(** A half of the rows, and the columns of a left and of a right set. *)
Section Half. Variables (top : bool) (a d : nat).
Hypothesis sizes : popcount h a + popcount h d = h. Notation L := (left_columns core a).
Notation L' := (right_columns core d).
Lemma side_columns (side : bool) (j : 'I_n) : j \in (if side then L else L') -> (j \in left) = side.
Proof. by case: side => /pick_sub // jr; apply/negP => jl; exact: (left_not_right uniq_free jl jr).
Qed.
Lemma in_side (side : bool) m l :
  l \in half_boards s core (pick (half_rows top) m) (if side then L else L') ->
  in_quarter (top, side) l.
Proof. move=> lP; have := lP; rewrite mem_placements => /and3P [_ _ p]; split=> // x xl.
by have [xa xt /side_columns xs] := board_in (@pick_sub _ _ m) lP xl; rewrite /quarter xt xs. Qed.
Lemma quarters_share l r : in_quarter (top, true) l -> in_quarter (top, false) r ->
  (word_of l :&: word_of r == set0) = ~~ share_diagonal l r.
Proof. move=> [_ il] [_ ir]; rewrite -[LHS]negbK words_share share_through; congr (~~ _).
apply: eq_existsb => e; rewrite andb_idl // =>
  /andP [/hasP [x /il [xa xc] dx] /hasP [y /ir [ya yc] dy]].
apply: (half_not_main xa ya) dx dy; first by rewrite xc yc xpair_eqE andbF.
by case: xc => -> _; case: yc => ->. Qed.
Theorem sum_halves (F : nat -> {set 'I_bits} -> nat) :
  \sum_(i < 3) \sum_(w <- with_marks i (halves place s core (half_rows top) L L')) F i w =
  \sum_(l <- half_boards s core (half_rows top) (L ++ L')) F (marks s l) (word_of l).
Proof. rewrite by_marks quarters ?uniq_half //; first last.
- by move=> l l' e; rewrite /marks (seq.permP e) /join_statements.word_of (perm_big l').
- by rewrite !size_pick size_left ?size_right ?uniq_free ?size_free ?size_half.
- by move=> j /(@side_columns true) jl; apply/negP => /(@side_columns false); rewrite jl.
rewrite size_half big_flatten big_map; apply: eq_bigr => m _.
rewrite big_allpairs_dep big_map; apply: eq_big_seq => l lP /=; rewrite big_filter big_map.
rewrite big_seq_cond [RHS]big_seq_cond; have ql := @in_side true _ _ lP; apply: eq_big => r.
  by apply: andb_id2l => /(@in_side false) qr; exact: quarters_share.
case/andP => /(@in_side false) qr _;
  rewrite -(marks_quarter ql) -(marks_quarter qr) /marks count_cat.
by rewrite /join_statements.word_of big_cat. Qed.
End Half.
(** *** What a column set counts, in words *)
Variables a d : nat.
Hypotheses (la : a < 2 ^ h) (ld : d < 2 ^ h) (same_tier : popcount h a = popcount h d).
Notation weight := (pair_weight s (marks s core)).
(** Halves that share a main diagonal without a bit are both marked, and weigh nothing. *)
Lemma weigh_words C D t b :
  t \in half_boards s core (half_rows true) C -> b \in half_boards s core (half_rows false) D ->
  weight (marks s t) (marks s b) * (word_of t :&: word_of b == set0) =
  if share_diagonal t b then 0 else weight (marks s t) (marks s b).
Proof. move=> tP bP; rewrite -[_ == set0]negbK words_share share_through;
  case: existsP => [[e /andP [et eb]] | none].
  case: exists_inP => [_ | no]; first by rewrite muln0.
  have [[x xt ex] [y yb ey]] := (hasP et, hasP eb).
  have [xa xh _] := board_in (fun _ => id) tP xt.
  have [ya yh _] := board_in (fun _ => id) bP yb.
  have ne : quarter x != quarter y by rewrite /quarter xh yh.
  have [er | [sM m]] := relevant_or_main xa ya ne ex ey; first by case: no; exists e; rewrite ?et.
  have pos l : has (through e) l -> 0 < marks s l.
    by rewrite /marks -has_count sM; apply: sub_has => z ez; exact: main_on ez m.
  have := pos t et; have := pos b eb; rewrite sM /pair_weight.
  by case: (marks _ t) => [|[|[|i]]] //; case: (marks _ b) => [|[|[|j]]].
by case: exists_inP => [[e _ te] | _]; [case: none; exists e | rewrite muln1]. Qed.
Theorem sum_classes (ts := tops place s core a d) (bs := bottoms place s core a d) :
  \sum_(i < 3) \sum_(j < 3) weight i j * pairs (with_marks i ts) (with_marks j bs) =
  pair_count s core (top_rows h k) (top_columns core a d) (bottom_rows h k)
    (bottom_columns core a d).
Proof. have le := popcount_le h d.
have [sT sB] : popcount h a + popcount h (2 ^ h - 1 - d) =
  h /\ popcount h (2 ^ h - 1 - a) + popcount h d = h.
  by rewrite !popcount_compl //; lia.
pose met i w := \sum_(j < 3) \sum_(b <- with_marks j bs) weight i j * (w :&: b == set0).
transitivity (\sum_(i < 3) \sum_(t <- with_marks i ts) met i t).
  apply: eq_bigr => i _; rewrite /met exchange_big; apply: eq_bigr => j _;
    rewrite /pairs big_distrr. by apply: eq_bigr => t _; rewrite big_distrr.
rewrite (sum_halves true sT met) /pair_count sumn_map; apply: eq_big_seq => t tP; rewrite sumn_map.
rewrite /met (sum_halves false sB (fun j w => weight (marks s t) j * (word_of t :&: w == set0))).
by apply: eq_big_seq => b bP; exact: weigh_words tP bP. Qed.
End Core. End Words.
