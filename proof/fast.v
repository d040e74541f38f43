(** Pairs of half-boards, counted fast enough for large boards: words are lists of bits, found by
    one search with forward checking, and counted by splitting both lists by one diagonal after
    another. *)
From Coq Require Export NArith.
From Queens Require Export words.
(** *** Pairs of words without a common bit *)
Definition bits := seq bool.
Implicit Types (x y t b : bits) (ts bs : seq bits).
Fixpoint disjoint_bits x y : bool :=
  match x, y with
  | b :: x', c :: y' => if b then if c then false else disjoint_bits x' y' else disjoint_bits x' y'
  | _, _ => true
  end.
Fixpoint count_with t bs (acc : N) : N :=
  if bs is b :: bs' then count_with t bs' (if disjoint_bits t b then N.succ acc else acc) else acc.
Fixpoint double_loop ts bs (acc : N) : N :=
  if ts is t :: ts' then double_loop ts' bs (count_with t bs acc) else acc.
(** The tails of the words with the first bit, and of those without it. *)
Fixpoint divide ts (yes no : seq bits) : seq bits * seq bits :=
  match ts with
  | (b :: x) :: ts' => if b then divide ts' (x :: yes) no else divide ts' yes (x :: no)
  | [::] :: ts' => divide ts' yes ([::] :: no)
  | [::] => (yes, no)
  end.
Definition short ts := if ts is [:: _, _, _, _ & _] then false else true.
Fixpoint split_by (m : nat) ts bs (acc : N) : N :=
  if m is m'.+1 then
    if short ts || short bs then double_loop ts bs acc else
    let: (tyes, tno) := divide ts [::] [::] in
    let: (byes, bno) := divide bs [::] [::] in
    split_by m' tno (catrev byes bno) (split_by m' tyes bno acc)
  else double_loop ts bs acc.
Definition met ts bs : nat := \sum_(t <- ts) \sum_(b <- bs) disjoint_bits t b.
Lemma double_loopE ts bs acc : nat_of_bin (double_loop ts bs acc) = acc + met ts bs.
Proof. have withE t bs' a : nat_of_bin (count_with t bs' a) = a + \sum_(b <- bs') disjoint_bits t b.
  elim: bs' a => [|b bs' IH] a /=; first by rewrite big_nil addn0. by rewrite IH big_cons;
    case: (disjoint_bits t b); case: a => //= p; rewrite nat_of_succ_pos addSnnS.
rewrite /met; elim: ts acc => [|t ts IH] acc /=; first by rewrite big_nil addn0.
by rewrite IH big_cons withE addnA. Qed.
Lemma disjoint_behead x y :
  disjoint_bits x y = ~~ (head false x && head false y) && disjoint_bits (behead x) (behead y).
Proof. by case: x => [|[] x]; case: y => [|[] y] //=; case: x. Qed.
Lemma divideE ts yes no (F : bits -> nat) :
  (\sum_(x <- (divide ts yes no).1) F x =
    \sum_(x <- yes) F x + \sum_(x <- ts | head false x) F (behead x)) *
  (\sum_(x <- (divide ts yes no).2) F x =
    \sum_(x <- no) F x + \sum_(x <- ts | ~~ head false x) F (behead x)).
Proof. elim: ts yes no => [|[|b x] ts IH] yes no /=; first by rewrite !big_nil !addn0.
  by rewrite !IH !big_cons /=; split; rewrite // addnCA addnA.
by rewrite !big_cons; case: b; rewrite !IH !big_cons /=; split; rewrite // addnCA addnA. Qed.
Lemma split_byE m ts bs acc : nat_of_bin (split_by m ts bs acc) = acc + met ts bs.
Proof. elim: m ts bs acc => [|m IH] ts bs acc /=; first exact: double_loopE.
case: ifP => _; first exact: double_loopE.
have dt F := divideE ts [::] [::] F; have db F := divideE bs [::] [::] F.
move: dt db; case: (divide ts _ _) => tyes tno; case: (divide bs _ _) => byes bno /= dt db.
have e t : \sum_(b <- bs) disjoint_bits t b = if head false t then \sum_(b <- bno) disjoint_bits
  (behead t) b else \sum_(b <- catrev byes bno) disjoint_bits (behead t) b.
  rewrite catrevE big_cat /= (perm_big _ (permEl (perm_rev byes))) /= !db !big_nil !add0n
    (bigID (head false)) /=. under eq_bigr => b hb do rewrite disjoint_behead hb andbT.
  under [X in _ + X]eq_bigr => b hb do rewrite disjoint_behead (negPf hb) andbF /=.
  by case: (head false t) => //=; rewrite big1.
rewrite !IH -addnA /met (eq_bigr _ (fun t _ => e t)) [\sum_(t <- ts) _](bigID (head false)) /= !dt
  !big_nil !add0n. by do 2 congr (_ + _); apply: eq_bigr => t; [move=> -> | move/negPf=> ->]. Qed.
(** *** Half-boards by forward checking: of the squares of later rows those are alive that no queen
    attacks *)
Record entry := Entry { bits_of_square : bits; is_marked : bool; leaves : seq bits }.
Fixpoint or_bits x y : bits :=
  match x, y with b :: x', c :: y' => (if b then true else c) :: or_bits x' y' | _, _ => [::] end.
Fixpoint and_bits x y : bits :=
  match x, y with b :: x', c :: y' => (if b then c else false) :: and_bits x' y' | _, _ => [::] end.
Fixpoint and_all ts bs : seq bits :=
  match ts, bs with t :: ts', b :: bs' => and_bits t b :: and_all ts' bs' | _, _ => [::] end.
Fixpoint search (rows : seq (seq entry)) (alive : seq bits) (w : bits) (m : nat)
  (acc : seq (nat * bits)) :=
  match rows, alive with
  | r :: rows', a :: alive' =>
    (fix go (r : seq entry) a acc :=
       match r, a with
       | x :: r', b :: a' =>
         go r' a' (if b then search rows' (and_all alive' (leaves x)) (or_bits w (bits_of_square x))
                               (if is_marked x then m.+1 else m) acc else acc)
       | _, _ => acc
       end) r a acc
  | _, _ => (m, w) :: acc
  end.

Section Bits. Variables (T : Type) (f g : T -> bool).
Lemma or_bitsE s : or_bits (map f s) (map g s) = [seq f d || g d | d <- s].
Proof. by elim: s => //= d s ->; case: (f d). Qed.
Lemma and_allE (s : seq (seq T)) :
  and_all [seq map f r | r <- s] [seq map g r | r <- s] = [seq [seq f x && g x | x <- r] | r <- s].
Proof. by elim: s => //= r s ->; congr (_ :: _); elim: r => //= x r ->; case: (f x). Qed.
Lemma disjoint_bitsE s : disjoint_bits (map f s) (map g s) = ~~ has (fun d => f d && g d) s.
Proof. by elim: s => //= d s ->; case: (f d); case: (g d). Qed.
End Bits.

Section Search. Variables (h k : nat) (s : order_eight) (core : seq (square (h + k + h))).
Notation n := (h + k + h). Notation square := (square n). Notation diagonals := (diagonals h k).
Implicit Types (p : seq square) (rs : seq (seq square)) (ds : seq diagonals) (R C T B D : seq 'I_n).
(** From the squares of each row: bits, marks, and which squares of later rows they leave. *)
Fixpoint prepare ds rs : seq (seq entry) :=
  if rs is r :: rs' then
    [seq Entry [seq through d x | d <- ds] (marked s x)
      [seq [seq ~~ attack x y | y <- r'] | r' <- rs'] | x <- r] ::
    prepare ds rs'
  else [::].
Definition squares_of R C := [seq [seq (r, j) | j <- lines n & open s core C (r, j)] | r <- rev R].
Definition boards ds R C :=
  let rs := squares_of R C in
  search (prepare ds rs) [seq [seq true | _ <- r] | r <- rs] [seq false | _ <- ds] 0 [::].
Fixpoint depth_first rs p : seq (seq square) :=
  if rs is r :: rs' then flatten [seq depth_first rs' (x :: p) | x <- r & apart p x] else [:: p].
Definition view ds p : nat * bits := (marks s p, [seq has (through d) p | d <- ds]).
Lemma searchE ds rs p acc (F : nat * bits -> nat) :
  \sum_(x <- search (prepare ds rs) [seq [seq apart p x | x <- r] | r <- rs] (view ds p).2
    (view ds p).1 acc) F x =
  \sum_(x <- acc) F x + \sum_(q <- depth_first rs p) F (view ds q).
Proof. elim: rs p acc => [|r rs IH] p acc; first by rewrite big_cons big_seq1 addnC.
rewrite [depth_first _ _]/= big_flatten big_map big_filter [search _ _ _ _ _]/=.
elim: r acc => [|x r IHr] acc; first by rewrite big_nil addn0.
rewrite /= IHr big_cons; case px: (apart p x) => //=; rewrite addnA; congr (_ + _).
rewrite and_allE or_bitsE -(IH (x :: p)) /view /=; congr (\sum_(y <- search _ _ _ _ _) F y).
- by do 2 (apply: eq_map => ? /=); rewrite andbC.
- by apply: eq_map => d; rewrite orbC. by case: (marked s x). Qed.
Lemma sum_rcons rs r p (F : seq square -> nat) :
  \sum_(l <- depth_first (rcons rs r) p) F l =
    \sum_(q <- depth_first rs p) \sum_(x <- r | apart q x) F (x :: q).
Proof. elim: rs p => [|r' rs IH] p /=; last by rewrite !big_flatten !big_map; apply: eq_bigr => x _;
  exact: IH.
by rewrite big_flatten big_map big_filter big_seq1; apply: eq_bigr => x _; rewrite big_seq1. Qed.
Lemma boardsE ds R C (F : nat * bits -> nat) :
  \sum_(x <- boards ds R C) F x = \sum_(l <- half_boards s core R C) F (view ds l).
Proof. have -> (G : seq square -> nat) : \sum_(l <- half_boards s core R C) G l =
  \sum_(l <- depth_first (squares_of R C) [::]) G l.
  rewrite /half_boards /squares_of; elim: R G => [|r R IH] G; first by rewrite /= !big_seq1.
  rewrite sum_queen IH rev_cons map_rcons sum_rcons; apply: eq_bigr => p _.
  by rewrite big_map big_filter_cond sum_lines.
by rewrite /boards; have := searchE ds (squares_of R C) [::] [::] F; rewrite big_nil add0n => <-.
Qed.
(** *** The pairs of two lists, class by class of marks *)
(** The diagonals that squares of both lie on, those first that many of both do. *)
Definition shared (ts bs : seq (seq square)) : seq diagonals :=
  let on d := count (through d) (flatten ts) * count (through d) (flatten bs) in
  [seq c.2 | c <- sort (fun c c' => c'.1 <= c.1)
    [seq c <- [seq (on d, d) | d <- lines (4 * n)] | 0 < c.1]].
Definition sum_N (l : seq N) : N := foldr N.add N0 l.
Definition most_marks (l : seq (nat * bits)) := foldl (fun m c => maxn c.1 m) 0 l.
Fixpoint of_class i (l : seq (nat * bits)) (acc : seq bits) :=
  if l is c :: l' then of_class i l' (if c.1 == i then c.2 :: acc else acc) else acc.
Definition classes l := [seq (i, of_class i l [::]) | i <- iota 0 (most_marks l).+1].
Arguments classes : simpl never.
Definition fast_pair_count T C B D : N :=
  let ds := shared (squares_of T C) (squares_of B D) in
  let width := size ds in
  let ts := classes (boards ds T C) in
  let bs := classes (boards ds B D) in
  sum_N [seq sum_N [seq let w := pair_weight s (marks s core) t.1 b.1 in
                        if w == 0 then N0 else N.mul (bin_of_nat w) (split_by width t.2 b.2 N0) | b
                          <- bs] | t <- ts].
Lemma sum_NE A (l : seq A) (f : A -> N) : nat_of_bin (sum_N [seq f x | x <- l]) =
  \sum_(x <- l) nat_of_bin (f x).
Proof. by elim: l => [|x l IH] /=; rewrite ?big_nil // nat_of_add_bin IH big_cons. Qed.
Lemma sum_by_class (l : seq (nat * bits)) (F : nat -> bits -> nat) :
  \sum_(c <- classes l) \sum_(w <- c.2) F c.1 w = \sum_(x <- l) F x.1 x.2.
Proof. have ofE i l' acc : \sum_(w <- of_class i l' acc) F i w =
  \sum_(w <- acc) F i w + \sum_(x <- l' | x.1 == i) F i x.2.
  elim: l' acc => [|x l' IH] acc /=; first by rewrite big_nil addn0.
  by rewrite IH big_cons; case: eqP => // _; rewrite big_cons addnCA addnA.
rewrite big_map /=; under eq_bigr do rewrite ofE big_nil.
rewrite (exchange_big_dep predT) //=; apply: eq_big_seq => x xl.
rewrite (eq_bigl (pred1 x.1)) => [|i]; last exact: eq_sym.
have le m l' : (m <= foldl (fun m c => maxn c.1 m) m l') /\
  {in l', forall c : nat * bits, c.1 <= foldl (fun m c => maxn c.1 m) m l'}.
  elim: l' m => [|c l' IH] m //=; have [] := IH (maxn c.1 m); rewrite geq_max => /andP [cm mm] all;
    split=> // c'. by rewrite inE => /orP [/eqP -> | /all].
have xm : x.1 \in iota 0 (most_marks l).+1 by rewrite mem_iota add0n ltnS (le 0 l).2.
by rewrite -big_filter filter_pred1_uniq ?big_seq1 ?xm //; exact: (iota_uniq 0 _.+1). Qed.
Lemma mem_shared (ts bs : seq (seq square)) d :
  (d \in shared ts bs) = has (through d) (flatten ts) && has (through d) (flatten bs).
Proof. rewrite !has_count -muln_gt0; apply/mapP/idP => [[x] | pos].
  by rewrite mem_sort mem_filter => /andP [pos /mapP [d' _ e]] ->; move: pos; rewrite e.
exists (count (through d) (flatten ts) * count (through d) (flatten bs), d) => //.
by rewrite mem_sort mem_filter /= pos map_f // mem_lines. Qed.
Lemma on_squares R C l d : uniq R -> l \in half_boards s core R C -> has (through d) l ->
  has (through d) (flatten (squares_of R C)).
Proof. move=> uR; rewrite mem_placements // => /and3P [/eqP e /allP o _] /hasP [x xl dx];
  apply/hasP; exists x => //.
apply/flattenP; exists [seq (x.1, j) | j <- lines n & open s core C (x.1, j)].
  by apply: map_f; rewrite mem_rev -e map_f.
by rewrite [x]surjective_pairing map_f // mem_filter mem_lines andbT -surjective_pairing o. Qed.
Lemma fast_pair_countE T C B D : uniq T -> uniq B -> nat_of_bin (fast_pair_count T C B D) =
  pair_count s core T C B D.
Proof. move=> uT uB; rewrite /fast_pair_count; set ds := shared _ _.
pose W := pair_weight s (marks s core).
pose G (i : nat) (t : bits) := \sum_(y <- boards ds B D) W i y.1 * disjoint_bits t y.2.
transitivity (\sum_(v <- boards ds T C) G v.1 v.2).
  rewrite sum_NE -(sum_by_class _ G); apply: eq_bigr => -[i ts] _.
  rewrite sum_NE -[(i, ts).1]/i -[(i, ts).2]/ts /G exchange_big.
  rewrite -(sum_by_class (boards ds B D) (fun j y => \sum_(t <- ts) W i j * disjoint_bits t y)).
  apply: eq_bigr => -[j bs] _; rewrite -[(j, bs).1]/j -[(j, bs).2]/bs -/W; case: eqVneq => [->|_].
    by rewrite big1 // => y _; rewrite big1.
  rewrite nat_of_mul_bin bin_of_natK split_byE add0n /met exchange_big big_distrr;
    apply: eq_bigr => y _. by rewrite big_distrr.
rewrite boardsE /pair_count sumn_map; apply: eq_big_seq => t tT; rewrite /G boardsE sumn_map.
apply: eq_big_seq => b bB; rewrite /= -/(W _ _) disjoint_bitsE.
suff -> : has (fun d => has (through d) t && has (through d) b) ds = share_diagonal t b.
  by case: share_diagonal; rewrite ?muln0 ?muln1.
rewrite share_through; apply/hasP/existsP => [[d _ e] | [d /andP [dt db]]]; first by exists d.
by exists d; rewrite ?dt // mem_shared (on_squares uT tT) // (on_squares uB bB). Qed.
End Search.
(** *** What a part counts *)
Definition fast_part_count h k (l : lead h k) core (p : nat * nat * nat) : N :=
  let: (a, d, times) := p in
  N.mul (bin_of_nat (weight l * times))
    (fast_pair_count (eight l) core (top_rows h k) (top_columns core a d) (bottom_rows h k)
      (bottom_columns core a d)).
Theorem fast_part_countE h k (l : lead h k) core p : nat_of_bin (fast_part_count l core p) =
  part_count l core p.
Proof. by case: p => -[a d] times; rewrite nat_of_mul_bin bin_of_natK fast_pair_countE // uniq_rows.
Qed.
