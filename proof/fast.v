(** Pairs of half-boards, counted fast enough for large boards: words are lists of bits, found by
    one search with forward checking, and counted by splitting both lists by one diagonal after
    another. *)
From Coq Require Export NArith.
From Queens Require Export words.
(** *** Pairs of words without a common bit *)
Definition bits := seq bool.
(** With the marks of its half-board. *)
Definition word := (nat * bits)%type.
Implicit Types (x y : bits) (t b : word) (ts bs : seq word).
Fixpoint disjoint_bits x y : bool :=
  match x, y with
  | b :: x', c :: y' => if b then if c then false else disjoint_bits x' y' else disjoint_bits x' y'
  | _, _ => true
  end.

Section Pairs. Variable weight : nat -> nat -> nat.
Definition double_loop ts bs (acc : N) : N :=
  foldl (fun acc t => foldl (fun acc b => if disjoint_bits t.2 b.2
    then N.add (bin_of_nat (weight t.1 b.1)) acc else acc) acc bs) acc ts.
(** The tails of the words with the first bit, and of those without it. *)
Fixpoint divide ts (yes no : seq word) : seq word * seq word :=
  match ts with
  | (m, b :: x) :: ts' =>
    if b then divide ts' ((m, x) :: yes) no else divide ts' yes ((m, x) :: no)
  | t :: ts' => divide ts' yes (t :: no)
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
Definition met ts bs : nat :=
  \sum_(t <- ts) \sum_(b <- bs) weight t.1 b.1 * disjoint_bits t.2 b.2.
Lemma sum_foldl T (f : N -> T -> N) (F : T -> nat) (s : seq T) (acc : N) :
  (forall a e, nat_of_bin (f a e) = nat_of_bin a + F e) ->
  nat_of_bin (foldl f acc s) = acc + \sum_(e <- s) F e.
Proof. move=> fE; elim: s acc => [|e s IH] acc /=; first by rewrite big_nil addn0.
by rewrite IH fE big_cons addnA. Qed.
Lemma double_loopE ts bs acc : nat_of_bin (double_loop ts bs acc) = acc + met ts bs.
Proof. apply: sum_foldl => a t; apply: sum_foldl => {}a b; case: disjoint_bits;
  last by rewrite muln0 addn0.
by rewrite nat_of_add_bin bin_of_natK muln1 addnC. Qed.
Lemma disjoint_behead x y :
  disjoint_bits x y = ~~ (head false x && head false y) && disjoint_bits (behead x) (behead y).
Proof. by case: x => [|[] x]; case: y => [|[] y] //=; case: x. Qed.
Notation tail x := (x.1, behead x.2).
Lemma divideE ts yes no (F : word -> nat) :
  (\sum_(x <- (divide ts yes no).1) F x =
    \sum_(x <- yes) F x + \sum_(x <- ts | head false x.2) F (tail x)) *
  (\sum_(x <- (divide ts yes no).2) F x =
    \sum_(x <- no) F x + \sum_(x <- ts | ~~ head false x.2) F (tail x)).
Proof. elim: ts yes no => [|[m [|b x]] ts IH] yes no /=; first by rewrite !big_nil !addn0.
  by rewrite !IH !big_cons /=; split; rewrite // addnCA addnA.
by rewrite !big_cons; case: b; rewrite !IH !big_cons /=; split; rewrite // addnCA addnA. Qed.
Lemma split_byE m ts bs acc : nat_of_bin (split_by m ts bs acc) = acc + met ts bs.
Proof. elim: m ts bs acc => [|m IH] ts bs acc /=; first exact: double_loopE.
case: ifP => _; first exact: double_loopE.
have dt F := divideE ts [::] [::] F; have db F := divideE bs [::] [::] F.
move: dt db; case: (divide ts _ _) => tyes tno; case: (divide bs _ _) => byes bno /= dt db.
pose F (t b : word) := weight t.1 b.1 * disjoint_bits t.2 b.2.
have e t : \sum_(b <- bs) F t b = if head false t.2 then \sum_(b <- bno) F (tail t) b
  else \sum_(b <- catrev byes bno) F (tail t) b.
  rewrite catrevE big_cat /= (perm_big _ (permEl (perm_rev byes))) /= !db !big_nil !add0n
    (bigID (fun b : word => head false b.2)) /F /=.
  under eq_bigr => b hb do rewrite disjoint_behead hb andbT.
  under [X in _ + X]eq_bigr => b hb do rewrite disjoint_behead (negPf hb) andbF /=.
  by case: (head false t.2) => //=; rewrite big1 // => b _; rewrite muln0.
rewrite !IH -addnA /met (eq_bigr _ (fun t _ => e t))
  [\sum_(t <- ts) _](bigID (fun t : word => head false t.2)) /= !dt !big_nil !add0n.
by do 2 congr (_ + _); apply: eq_bigr => t; [move=> -> | move/negPf=> ->]. Qed.
End Pairs.
(** *** Half-boards by forward checking: of the squares of later rows those are alive that no queen
    attacks *)
Record entry := Entry { bits_of_square : bits; is_marked : bool; leaves : seq bits }.
Fixpoint map2 {A B C} (f : A -> B -> C) (s : seq A) (t : seq B) : seq C :=
  match s, t with x :: s', y :: t' => f x y :: map2 f s' t' | _, _ => [::] end.
Fixpoint search (rows : seq (seq entry)) (alive : seq bits) (w : bits) (m : nat)
  (acc : seq word) :=
  match rows, alive with
  | r :: rows', a :: alive' =>
    (fix go (r : seq entry) a acc :=
       match r, a with
       | x :: r', b :: a' =>
         go r' a' (if b then search rows' (map2 (map2 andb) alive' (leaves x))
                               (map2 orb w (bits_of_square x)) (if is_marked x then m.+1 else m) acc
                   else acc)
       | _, _ => acc
       end) r a acc
  | _, _ => (m, w) :: acc
  end.

Lemma map2E A B C D (h : A -> B -> C) (f : D -> A) (g : D -> B) s :
  map2 h (map f s) (map g s) = [seq h (f x) (g x) | x <- s].
Proof. by elim: s => //= x s ->. Qed.
Lemma disjoint_bitsE T (f g : T -> bool) s :
  disjoint_bits (map f s) (map g s) = ~~ has (fun d => f d && g d) s.
Proof. by elim: s => //= d s ->; case: (f d); case: (g d). Qed.

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
Definition view ds p : word := (marks s p, [seq has (through d) p | d <- ds]).
Lemma searchE ds rs p acc (F : word -> nat) :
  \sum_(x <- search (prepare ds rs) [seq [seq apart p x | x <- r] | r <- rs] (view ds p).2
    (view ds p).1 acc) F x =
  \sum_(x <- acc) F x + \sum_(q <- depth_first rs p) F (view ds q).
Proof. elim: rs p acc => [|r rs IH] p acc; first by rewrite big_cons big_seq1 addnC.
rewrite [depth_first _ _]/= big_flatten big_map big_filter [search _ _ _ _ _]/=.
elim: r acc => [|x r IHr] acc; first by rewrite big_nil addn0.
rewrite /= IHr big_cons; case px: (apart p x) => //=; rewrite addnA; congr (_ + _).
rewrite !map2E -(IH (x :: p)) /view /=; congr (\sum_(y <- search _ _ _ _ _) F y).
- by apply: eq_map => r'; rewrite map2E; apply: eq_map => y; rewrite /= andbC.
- by apply: eq_map => d; rewrite orbC. by case: (marked s x). Qed.
Lemma sum_rcons rs r p (F : seq square -> nat) :
  \sum_(l <- depth_first (rcons rs r) p) F l =
    \sum_(q <- depth_first rs p) \sum_(x <- r | apart q x) F (x :: q).
Proof. elim: rs p => [|r' rs IH] p /=; last by rewrite !big_flatten !big_map; apply: eq_bigr => x _;
  exact: IH.
by rewrite big_flatten big_map big_filter big_seq1; apply: eq_bigr => x _; rewrite big_seq1. Qed.
Lemma boardsE ds R C (F : word -> nat) :
  \sum_(x <- boards ds R C) F x = \sum_(l <- half_boards s core R C) F (view ds l).
Proof. have -> (G : seq square -> nat) : \sum_(l <- half_boards s core R C) G l =
  \sum_(l <- depth_first (squares_of R C) [::]) G l.
  rewrite /half_boards /squares_of; elim: R G => [|r R IH] G; first by rewrite /= !big_seq1.
  rewrite sum_queen IH rev_cons map_rcons sum_rcons; apply: eq_bigr => p _.
  by rewrite big_map big_filter_cond sum_lines.
by rewrite /boards; have := searchE ds (squares_of R C) [::] [::] F; rewrite big_nil add0n => <-.
Qed.
(** *** The pairs of two lists *)
(** The diagonals that squares of both lie on, those first that many of both do. *)
Definition shared (ts bs : seq (seq square)) : seq diagonals :=
  let on d := count (through d) (flatten ts) * count (through d) (flatten bs) in
  [seq c.2 | c <- sort (fun c c' => c'.1 <= c.1)
    [seq c <- [seq (on d, d) | d <- lines (4 * n)] | 0 < c.1]].
Definition fast_pair_count T C B D : N :=
  let ds := shared (squares_of T C) (squares_of B D) in
  split_by (pair_weight s (marks s core)) (size ds) (boards ds T C) (boards ds B D) N0.
Lemma mem_shared (ts bs : seq (seq square)) d :
  has (through d) (flatten ts) -> has (through d) (flatten bs) -> d \in shared ts bs.
Proof. move=> dt db; apply/mapP.
exists (count (through d) (flatten ts) * count (through d) (flatten bs), d) => //.
by rewrite mem_sort mem_filter /= muln_gt0 -!has_count dt db map_f // mem_lines. Qed.
Lemma on_squares R C l d : l \in half_boards s core R C -> has (through d) l ->
  has (through d) (flatten (squares_of R C)).
Proof. rewrite mem_placements => /and3P [/eqP e /allP o _] /hasP [x xl dx];
  apply/hasP; exists x => //.
apply/flattenP; exists [seq (x.1, j) | j <- lines n & open s core C (x.1, j)].
  by apply: map_f; rewrite mem_rev -e map_f.
by rewrite [x]surjective_pairing map_f // mem_rows -surjective_pairing o. Qed.
Lemma fast_pair_countE T C B D : nat_of_bin (fast_pair_count T C B D) =
  pair_count s core T C B D.
Proof. rewrite /fast_pair_count; set ds := shared _ _.
rewrite split_byE add0n /met boardsE /pair_count sumn_map; apply: eq_big_seq => t tT.
rewrite boardsE sumn_map; apply: eq_big_seq => b bB; rewrite /= disjoint_bitsE.
suff -> : has (fun d => has (through d) t && has (through d) b) ds = share_diagonal t b.
  by case: share_diagonal; rewrite ?muln0 ?muln1.
rewrite share_through; apply/hasP/existsP => [[d _ e] | [d /andP [dt db]]]; first by exists d.
by exists d; rewrite ?dt // mem_shared ?(on_squares tT) ?(on_squares bB). Qed.
End Search.
(** *** What a part counts *)
Definition fast_part_count h k (l : lead h k) core (p : nat * nat * nat) : N :=
  let: (a, d, times) := p in
  N.mul (bin_of_nat (weight l * times))
    (fast_pair_count (eight l) core (top_rows h k) (top_columns core a d) (bottom_rows h k)
      (bottom_columns core a d)).
Theorem fast_part_countE h k (l : lead h k) core p : nat_of_bin (fast_part_count l core p) =
  part_count l core p.
Proof. by case: p => -[a d] times; rewrite nat_of_mul_bin bin_of_natK fast_pair_countE. Qed.
