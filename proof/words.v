(** Words (section 3): diagonals as bits, and the lists of words that half-boards make. *)
From mathcomp Require Import all_ssreflect zify.
From Queens Require Import sums statements board lists numbers quarters join_statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

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
Hypothesis main0 : s = MainDiagonals -> k = 0.
Hypothesis size_free : size (free_columns core) = 2 * h.
Notation relevant := (relevant s core).
Notation left := (take h (free_columns core)).
Notation right := (drop h (free_columns core)).

Lemma mem_top (r : 'I_n) : (r \in top_rows h k) = (r < h). Proof. by rewrite mem_filter mem_lines andbT. Qed.
Lemma mem_bottom (r : 'I_n) : (r \in bottom_rows h k) = (n - h <= r).
Proof. by rewrite mem_filter mem_lines andbT addnK. Qed.

Lemma reachableP (rows columns : seq 'I_n) d :
  reflect (exists x, [/\ x.1 \in rows, open s core columns x & through d x]) (d \in reachable s core rows columns).
Proof. by rewrite inE; apply: (iffP existsP) => -[x] => [/and3P [] | []] *; exists x => //; apply/and3P. Qed.

(** *** At most 2N - 2 diagonals are relevant: a column between left and right is crossed by so many *)
Lemma relevant_near m d : h <= m <= n - h -> (forall j, j \in left -> j < m) -> (forall j, j \in right -> m <= j) ->
  d \in relevant -> (d : nat) \in iota m n.-1 ++ iota (2 * n - 1 + m) n.-1.
Proof.
clear main0; move=> hm lt_m ge_m; have {}lt_m x : open s core left x -> x.2 < m by case/and3P => /lt_m.
have {}ge_m x : open s core right x -> m <= x.2 by case/and3P => /ge_m.
suff near : d \in (reachable s core (top_rows h k) left :|: reachable s core (top_rows h k) right) :&:
    (reachable s core (bottom_rows h k) left :|: reachable s core (bottom_rows h k) right)
    :|: reachable s core (top_rows h k) left :&: reachable s core (top_rows h k) right
    :|: reachable s core (bottom_rows h k) left :&: reachable s core (bottom_rows h k) right ->
    (d : nat) \in iota m n.-1 ++ iota (2 * n - 1 + m) n.-1.
  by rewrite /join_statements.relevant; case: (s) near => [| |r] near //; rewrite inE => /andP [_].
rewrite !in_setU !in_setI !in_setU mem_cat !mem_iota.
have bounds x : x.1 < n /\ x.2 < n by [].
case/orP => [/orP [/andP [/orP [] /reachableP [x [xr xo dx]] /orP [] /reachableP [y [yr yo dy]]] |
  /andP [/reachableP [x [xr xo dx]] /reachableP [y [yr yo dy]]]] |
  /andP [/reachableP [x [xr xo dx]] /reachableP [y [yr yo dy]]]];
  move: xr yr dx dy; rewrite ?mem_top ?mem_bottom /through; have [] := bounds x; have [] := bounds y.
- by have := lt_m x xo; have := lt_m y yo; lia.
- by have := lt_m x xo; have := ge_m y yo; lia.
- by have := ge_m x xo; have := lt_m y yo; lia.
- by have := ge_m x xo; have := ge_m y yo; lia.
- by have := lt_m x xo; have := ge_m y yo; lia.
- by have := lt_m x xo; have := ge_m y yo; lia.
Qed.

Lemma card_relevant : #|relevant| <= 2 * n - 2.
Proof.
clear main0; have [m [hm lt_m ge_m]] := columns_apart size_free.
have := @uniq_leq_size _ (map val (enum relevant)) (iota m n.-1 ++ iota (2 * n - 1 + m) n.-1).
rewrite map_inj_uniq ?enum_uniq; last exact: val_inj.
rewrite size_map -cardE size_cat !size_iota => /(_ isT) le; apply: (leq_trans (le _)); last lia.
by move=> i /mapP [d]; rewrite mem_enum => dr ->; exact: relevant_near hm lt_m ge_m dr.
Qed.
End Core.
End Words.

Theorem places : Places.
Proof. by move=> h k s core; exact: card_relevant. Qed.
