(** Conditions 1 and 2 of [valid], for the blocks that the program fills: [visited] transcribes
    [Cursor::new] and [Cursor::copy] (src/engine/rows/join/block.rs), which take the bins of the
    shorter list one after the other. Tests compare both for every group, by [tie.v]. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect zify.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

(** usize::trailing_zeros *)
Fixpoint trailing (fuel : nat) (g : N) : nat :=
  if fuel is f.+1 then if N.odd g then 0 else (trailing f (N.div2 g)).+1 else 0.
Definition wrapping_sub (x y : N) : N := N.modulo (x + (2 ^ 64 - y))%num (2 ^ 64).
(** Bins by number, of which the group's diagonals are the lowest G bits: a run has this many. *)
Definition run_length (G : nat) (g : N) : nat := 2 ^ minn (trailing 64 g) G.
Definition free (G : nat) (g : N) : N :=
  N.ldiff (N.sub (2 ^ N.of_nat G) (N.of_nat (run_length G g))) g.
Fixpoint runs (fuel G : nat) (g x : N) : seq nat :=
  if fuel is f.+1 then
    iota (N.to_nat x) (run_length G g) ++
    let x' := N.land (wrapping_sub x (free G g)) (free G g) in
    if N.eqb x' 0 then [::] else runs f G g x'
  else [::].
Definition visited (G g : nat) := runs (2 ^ G) G (N.of_nat g) 0.
Definition meets (b g : nat) := ~~ N.eqb (N.land (N.of_nat b) (N.of_nat g)) 0.
(** A group has at most four diagonals (GROUP in ranking.rs). *)
Lemma visited_all : all (fun G => all (fun g =>
  perm_eq (visited G g) [seq b <- iota 0 (2 ^ G) | ~~ meets b g]) (iota 0 (2 ^ G))) (iota 0 5).
Proof. by vm_compute. Qed.
Lemma visitedE G g : G <= 4 -> g < 2 ^ G ->
  perm_eq (visited G g) [seq b <- iota 0 (2 ^ G) | ~~ meets b g].
Proof. move=> le lt; have /allP/(_ G) := visited_all; rewrite mem_iota /= ltnS => /(_ le)/allP.
by apply; rewrite mem_iota. Qed.

(** Blocks of at most [room]. *)
Section Cut. Variables (T : eqType) (room : nat). Hypothesis room0 : 0 < room.
Fixpoint cut (fuel : nat) (s : seq T) : seq (seq T) :=
  if fuel is f.+1 then if s is [::] then [::] else take room s :: cut f (drop room s) else [::].
Lemma cutE fuel s : size s <= fuel -> flatten (cut fuel s) = s.
Proof. elim: fuel s => [|f IH] [|x s] //= le; rewrite -[RHS](cat_take_drop room) IH //.
by rewrite size_drop /=; move: le room0; rewrite /=; lia. Qed.
Lemma cut_room fuel s : {in cut fuel s, forall b, size b <= room}.
Proof. elim: fuel s => [|f IH] [|x s] //= b; rewrite inE => /orP [/eqP -> | /IH //].
by rewrite size_take; case: ltnP => // /ltnW. Qed.
End Cut.

(** The shorter list is sorted into bins, by other diagonals and by those of the group. *)
Section Blocks. Variables (T : eqType) (A G : nat) (alike_of group_of : T -> nat) (room : nat).
Hypotheses (G4 : G <= 4) (room0 : 0 < room).
Hypotheses (lA : forall b, alike_of b < 2 ^ A) (lG : forall b, group_of b < 2 ^ G).
Variable bottoms : seq T.
Definition bin a x := [seq b <- bottoms | (alike_of b == a) && (group_of b == x)].
Definition taken g := flatten [seq bin a x | a <- iota 0 (2 ^ A), x <- visited G g].
Definition cursor_blocks g := cut room (size (taken g)) (taken g).
Lemma count_bins (p : pred T) (s t : seq nat) : uniq s -> uniq t ->
  count p (flatten [seq bin a x | a <- s, x <- t]) =
  count (fun b => [&& p b, alike_of b \in s & group_of b \in t]) bottoms.
Proof. move=> us ut; rewrite count_flatten sumnE big_map big_allpairs_dep.
transitivity (\sum_(a <- s) \sum_(x <- t) \sum_(b <- bottoms)
  [&& p b, alike_of b == a & group_of b == x]).
  apply: eq_bigr => a _; apply: eq_bigr => x _; rewrite -sum1_count big_filter_cond big_mkcond.
  by apply: eq_bigr => b _; rewrite andbC; case: (p b); case: (_ == a); case: (_ == x).
transitivity (\sum_(b <- bottoms) \sum_(a <- s) \sum_(x <- t)
  [&& p b, alike_of b == a & group_of b == x]).
  by rewrite [RHS]exchange_big; apply: eq_bigr => a _; exact: exchange_big.
rewrite -[RHS]sum1_count [RHS]big_mkcond; apply: eq_bigr => b _ /=.
have one (r : seq nat) c : uniq r -> \sum_(a <- r) (c == a : nat) = (c \in r).
  by move=> ur; rewrite -(count_uniq_mem c ur) -sum1_count [RHS]big_mkcond;
    apply: eq_bigr => a _; rewrite /= eq_sym; case: eqP.
transitivity (\sum_(a <- s) p b * (alike_of b == a) * (group_of b \in t)).
  apply: eq_bigr => a _; rewrite -(one t (group_of b) ut) big_distrr; apply: eq_bigr => x _.
  by case: (p b); case: (_ == a); case: (_ == x).
rewrite -big_distrl -big_distrr /= one // !mulnb andbA; by case: (_ && _). Qed.
(** Each bottom that occupies none of the group's diagonals is in one block. *)
Theorem cursor_blocks_valid g : g < 2 ^ G ->
  perm_eq (flatten (cursor_blocks g)) [seq b <- bottoms | ~~ meets (group_of b) g] /\
  {in cursor_blocks g, forall block, size block <= room}.
Proof. move=> lg; split; last exact: cut_room. rewrite cutE //; apply/permP => p.
have pv := visitedE G4 lg; have uv : uniq (visited G g).
  by rewrite (perm_uniq pv) filter_uniq ?iota_uniq.
rewrite count_bins ?iota_uniq // count_filter; apply: eq_count => b /=.
by rewrite (perm_mem pv) mem_filter !mem_iota !add0n lA lG !andbT. Qed.
End Blocks.
