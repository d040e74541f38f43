(** Sums that know nothing of queens. *)
From mathcomp Require Import all_ssreflect zify.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Lemma sumn_map T (f : T -> nat) (s : seq T) : sumn [seq f x | x <- s] = \sum_(x <- s) f x.
Proof. by rewrite sumnE big_map. Qed.

Lemma set_of_nil (T : finType) : [set x in ([::] : seq T)] = set0.
Proof. by apply/setP => x; rewrite !inE. Qed.
Lemma set_of_cons (T : finType) (x : T) (l : seq T) : [set y in x :: l] = x |: [set y in l].
Proof. by apply/setP => y; rewrite !inE. Qed.

(** A subset of a disjoint union is a subset of each. *)
Lemma sum_union (T : finType) (X Y : {set T}) (f : {set T} -> nat) : [disjoint X & Y] ->
  \sum_(q : {set T} | q \subset X :|: Y) f q =
  \sum_(a : {set T} | a \subset X) \sum_(b : {set T} | b \subset Y) f (a :|: b).
Proof.
move=> dXY; rewrite pair_big_dep /=.
rewrite (reindex_onto (fun p : {set T} * {set T} => p.1 :|: p.2) (fun q => (q :&: X, q :&: Y))) /=; last first.
  by move=> q /setIidPl; rewrite setIUr.
apply: eq_bigl => -[a b] /=; apply/andP/andP => [[_ /eqP [<- <-]] | [aX bY]]; first by rewrite !subsetIr.
split; first exact: setUSS.
have disj (A B : {set T}) : A \subset X -> B \subset Y -> A :&: B = set0.
  by move=> AX BY; apply/eqP; rewrite setI_eq0; apply: disjointWl AX _; apply: disjointWr BY _.
by rewrite !setIUl (setIidPl aX) (setIidPl bY) (setIC b X) !disj // setU0 set0U.
Qed.

(** Symmetry without orbits. If the weights of all images of an element sum to their number, and what is weighed is the
    same for all images, the weighted sum is the sum. *)
Lemma sum_images (B I : finType) (P : pred B) (g : I -> B -> B) (w u : B -> nat) :
  0 < #|I| -> (forall i, injective (g i)) -> (forall i q, P (g i q) = P q) ->
  (forall i q, P q -> u (g i q) = u q) -> (forall q, P q -> \sum_i w (g i q) = #|I|) ->
  \sum_(q | P q) w q * u q = \sum_(q | P q) u q.
Proof.
move=> I0 gI gP gu w1; apply/eqP; rewrite -(eqn_pmul2l I0) -sum_nat_const; apply/eqP.
transitivity (\sum_(i : I) \sum_(q | P q) w (g i q) * u (g i q)).
  apply: eq_bigr => i _; rewrite (reindex_inj (gI i)) /=; by apply: eq_bigl => q; rewrite gP.
rewrite exchange_big big_distrr /=; apply: eq_bigr => q Pq.
by rewrite -(w1 q Pq) big_distrl /=; apply: eq_bigr => i _; rewrite gu.
Qed.

(** The least of four images is counted, for as many as differ. *)
Definition least4 (k0 k1 k2 k3 : nat) :=
  if all (leq k0) [:: k1; k2; k3] then size (undup [:: k0; k1; k2; k3]) else 0.
Lemma least4_sum k0 k1 k2 k3 :
  (k0 == k1) = (k2 == k3) -> (k0 == k2) = (k1 == k3) -> (k0 == k3) = (k1 == k2) ->
  least4 k0 k1 k2 k3 + least4 k1 k0 k3 k2 + least4 k2 k3 k0 k1 + least4 k3 k2 k1 k0 = 4.
Proof.
move=> e1 e2 e3; rewrite /least4 /= !inE.
case: (ltngtP k0 k1) e1 => c1; case: (ltngtP k2 k3) => c2 // _;
case: (ltngtP k0 k2) e2 => c3; case: (ltngtP k1 k3) => c4 // _;
case: (ltngtP k0 k3) e3 => c5; case: (ltngtP k1 k2) => c6 // _ /=; lia.
Qed.

(** Numbers by their remainders and quotients. *)
Lemma sum_digits f m (F : nat -> nat -> nat) :
  \sum_(o <- iota 0 (f * m)) F (o %% f) (o %/ f) = \sum_(i <- iota 0 f) \sum_(o <- iota 0 m) F i o.
Proof.
case: (posnP f) => [->|f0]; first by rewrite mul0n !big_nil.
rewrite exchange_big /=; elim: m => [|m IH]; first by rewrite muln0 !big_nil.
rewrite mulnS addnC iotaD big_cat IH -[m.+1]addn1 iotaD big_cat /= !add0n big_seq1; congr (_ + _).
rewrite -{1}[f * m]addn0 iotaDl big_map big_seq [RHS]big_seq; apply: eq_bigr => i; rewrite mem_iota => /andP [_ lt].
by rewrite mulnC modnMDl divnMDl // modn_small // divn_small // addn0.
Qed.

Lemma sum_below m M (F : nat -> nat) : m <= M ->
  \sum_(i <- iota 0 M) (if i < m then F i else 0) = \sum_(i <- iota 0 m) F i.
Proof.
move=> le; rewrite -(subnKC le) iotaD big_cat /= add0n [X in _ + X]big_seq [X in _ + X]big1 ?addn0; last first.
  by move=> i; rewrite mem_iota => /andP [ge _]; rewrite ltnNge ge.
by rewrite big_seq [RHS]big_seq; apply: eq_bigr => i; rewrite mem_iota add0n => /andP [_ ->].
Qed.
