(** Conditions 1 and 2 of [valid], for the blocks that the program fills: [visited] transcribes
    [Cursor::new] and [Cursor::copy] (src/engine/rows/join/block.rs), which take the bins of the
    shorter list one after the other. Tests compare both for every group, by [tie.v]. *)
From mathcomp Require Import zify.
From Queens Require Import statements.

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
Definition cut (s : seq T) := reshape (nseq ((size s + room.-1) %/ room) room) s.
Lemma cutE s : flatten (cut s) = s.
Proof. rewrite reshapeKr // sumn_nseq mulnC.
by have := divn_eq (size s + room.-1) room; have := ltn_pmod (size s + room.-1) room0; lia. Qed.
Lemma cut_room s : {in cut s, forall b, size b <= room}.
Proof. rewrite /cut; move: (_ %/ _) => m; elim: m s => //= m IH s b;
  rewrite inE => /orP [/eqP -> | /IH //].
by rewrite size_take; case: ltnP => // /ltnW. Qed.
End Cut.

(** The shorter list is sorted into bins, by other diagonals and by those of the group. *)
Section Blocks. Variables (T : eqType) (A G : nat) (alike_of group_of : T -> nat) (room : nat).
Hypotheses (G4 : G <= 4) (room0 : 0 < room).
Hypotheses (lA : forall b, alike_of b < 2 ^ A) (lG : forall b, group_of b < 2 ^ G).
Variable bottoms : seq T.
Definition bin a x := [seq b <- bottoms | (alike_of b == a) && (group_of b == x)].
Definition taken g :=
  flatten [seq bin p.1 p.2 | p <- [seq (a, x) | a <- iota 0 (2 ^ A), x <- visited G g]].
Definition cursor_blocks g := cut room (taken g).
Lemma perm_bins (t : seq (nat * nat)) : uniq t ->
  perm_eq (flatten [seq bin p.1 p.2 | p <- t]) [seq b <- bottoms | (alike_of b, group_of b) \in t].
Proof. elim: t => [|[x y] t IH] /=; first by rewrite filter_pred0.
case/andP => new /IH {}IH; rewrite (permPl (perm_cat (perm_refl _) IH)); apply/seq.permP => a.
rewrite count_cat !count_filter -count_predUI -[RHS]addn0 -[X in _ = _ + X](count_pred0 bottoms).
congr (_ + _); apply: eq_count => b; rewrite /= ?inE ?xpair_eqE -?andb_orr //.
by case: (a b) => //=; case: eqP => // ->; case: eqP => // ->; rewrite (negPf new). Qed.
(** Each bottom that occupies none of the group's diagonals is in one block. *)
Theorem cursor_blocks_valid g : g < 2 ^ G ->
  perm_eq (flatten (cursor_blocks g)) [seq b <- bottoms | ~~ meets (group_of b) g] /\
  {in cursor_blocks g, forall block, size block <= room}.
Proof. move=> lg; split; last exact: cut_room. have pv := visitedE G4 lg; rewrite cutE //.
rewrite (permPl (perm_bins _)) => [|].
  rewrite (@eq_filter _ _ (fun b => ~~ meets (group_of b) g)) // => b.
  apply/allpairsP/idP => [[[a x] [_ /= xv [_ ->]]] | free].
    by move: xv; rewrite (perm_mem pv) mem_filter => /andP [].
  exists (alike_of b, group_of b); rewrite mem_iota lA.
  by rewrite (perm_mem pv) mem_filter free mem_iota lG.
rewrite allpairs_uniq ?iota_uniq ?(perm_uniq pv) ?filter_uniq ?iota_uniq //.
by case=> [a x] [a' x']. Qed.
End Blocks.
