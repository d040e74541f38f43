(** Sums, and the least of some images. *)
From mathcomp Require Export zify.
From Queens Require Export sections.
(** [lia] also decides about squares: it learns what they mean, and that they are on the board. *)
Lemma ord_eqE n (i j : 'I_n) : (i == j) = (nat_of_ord i == nat_of_ord j). Proof. by []. Qed.
Ltac bound x := let bounded := type of (ltn_ord x) in
  match goal with _ : bounded |- _ => fail 1 | _ => pose proof (ltn_ord x) end.
Ltac squares :=
  unfold attack, diagonal, on_main, is_middle, distance in *; do ?rewrite -> ord_eqE in *; simpl in *;
  repeat match goal with
  | |- context [nat_of_ord ?x] => bound x
  | _ : context [nat_of_ord ?x] |- _ => bound x
  end;
  unfold is_true in *; do ?rewrite -> unfold_in in *.
Ltac Zify.zify_pre_hook ::= squares.
Lemma sumn_map T (f : T -> nat) (s : seq T) : sumn [seq f x | x <- s] = \sum_(x <- s) f x.
Proof. by rewrite sumnE big_map. Qed.
(** *** The least of some images, by a number that is in the order of lists *)
Fixpoint code M (p : seq nat) := if p is x :: p' then x * M ^ size p' + code M p' else 0.
Lemma lex_code M p q : size p = size q -> all (gtn M) p -> all (gtn M) q ->
  [/\ code M p < M ^ size p, code M q < M ^ size q, lex p q = (code M p <= code M q) &
  (p == q) = (code M p == code M q)].
Proof. elim: p q => [|x p IH] [|y q] //= [sz] /andP [xM pM] /andP [yM qM];
  have [lp lq -> e] := IH q sz pM qM.
have mono a b : a < b -> a * M ^ size p + M ^ size p <= b * M ^ size p.
  by move=> ab; rewrite addnC -mulSn leq_mul2r ab orbT.
rewrite eqseq_cons e -sz !expnS in lq *; have := mono _ _ xM; have := mono _ _ yM => ly lx; split;
  try lia; by case: (ltngtP x y) => [/mono | /mono | ->] /=; lia. Qed.
Lemma least_sum m M p0 p1 p2 p3 : all (fun p => (size p == m) && all (gtn M) p) [:: p0; p1; p2;
  p3] ->
  (p0 == p1) = (p2 == p3) -> (p0 == p2) = (p1 == p3) -> (p0 == p3) = (p1 == p2) ->
  least [:: p0; p1; p2; p3] + least [:: p1; p0; p3; p2] + least [:: p2; p3; p0; p1] + least [:: p3;
    p2; p1; p0] = 4.
Proof. move=> /allP ok; have E : {in [:: p0; p1; p2; p3] &, forall p q,
  (lex p q = (code M p <= code M q)) * ((p == q) = (code M p == code M q))}.
  by move=> p q /ok /andP [/eqP sp pM] /ok /andP [/eqP sq qM];
    have [] := lex_code (etrans sp (esym sq)) pM qM.
rewrite /least /= !inE !E ?inE ?eqxx ?orbT //.
move: (code M p0) (code M p1) (code M p2) (code M p3) => k0 k1 k2 k3 {ok E}; rewrite !leqnn /=.
case: (ltngtP k0 k1) => c1; case: (ltngtP k2 k3) => c2 //; case: (ltngtP k0 k2) => c3;
  case: (ltngtP k1 k3) => c4 //; case: (ltngtP k0 k3) => c5; case: (ltngtP k1 k2) => c6 //= *; lia.
Qed.
Lemma least_pos p s : (0 < least (p :: s)) = all (lex p) (p :: s).
Proof. rewrite /least [head _ _]/=; case: all => //; have := mem_head p s; rewrite -mem_undup.
by case: undup. Qed.
(** *** Binary numbers *)
Lemma div_euclE (m : N) d : 0 < d ->
  N.div_eucl m (bin_of_nat d) = (bin_of_nat (nat_of_bin m %/ d), bin_of_nat (nat_of_bin m %% d)).
Proof. move=> d0; have := N.div_eucl_spec m (bin_of_nat d); have := N.mod_lt m (bin_of_nat d).
rewrite /N.modulo; case: N.div_eucl => q r /= lr ->.
have {}lr : nat_of_bin r < d by have := bin_of_natK d; lia.
rewrite nat_of_add_bin nat_of_mul_bin bin_of_natK mulnC divnMDl // modnMDl.
by rewrite divn_small // modn_small // addn0 !nat_of_binK. Qed.
(** *** Sums over the numbers less than another *)
Lemma eq_iota m F G : (forall i, i < m -> F i = G i :> nat) -> \sum_(i <- iota 0 m) F i =
  \sum_(i <- iota 0 m) G i.
Proof. by move=> e; apply: eq_big_seq => i; rewrite mem_iota => /e. Qed.
Lemma sum_iota m (P : pred nat) (F : nat -> nat) : \sum_(i <- iota 0 m | P i) F i =
  \sum_(i < m | P i) F i.
Proof. by rewrite -big_mkord /index_iota subn0. Qed.
Lemma iotaE m n : iota m n = [seq m + i | i <- iota 0 n]. Proof. by rewrite -iotaDl addn0. Qed.
Lemma rev_iota m : rev [seq m - 1 - i | i <- iota 0 m] = iota 0 m.
Proof. apply: (@eq_from_nth _ 0) => [|i]; rewrite ?size_rev ?size_map ?size_iota // => lt.
by rewrite nth_rev ?(nth_map 0) ?size_map ?size_iota ?nth_iota //; lia. Qed.
Lemma sum_iotaD m M (P : pred nat) (F : nat -> nat) : \sum_(i <- iota 0 (m + M) | P i) F i =
  \sum_(i <- iota 0 m | P i) F i + \sum_(i <- iota 0 M | P (m + i)) F (m + i).
Proof. by rewrite iotaD big_cat [iota (0 + m) M]iotaE big_map. Qed.
Lemma sum_rows f m (P : pred nat) (F : nat -> nat) : \sum_(o <- iota 0 (m * f) | P o) F o =
  \sum_(q <- iota 0 m) \sum_(r <- iota 0 f | P (q * f + r)) F (q * f + r).
Proof. by elim: m => [|m IH];
  rewrite ?big_nil // mulSn addnC sum_iotaD IH -addn1 sum_iotaD big_seq1 addn0. Qed.
(** Numbers by their remainders and quotients. *)
Lemma sum_digits f m (F : nat -> nat -> nat) :
  \sum_(o <- iota 0 (f * m)) F (o %% f) (o %/ f) = \sum_(i <- iota 0 f) \sum_(o <- iota 0 m) F i o.
Proof. rewrite exchange_big mulnC sum_rows; apply: eq_bigr => q _; apply: eq_iota => r lt.
by rewrite modnMDl modn_small // divnMDl ?divn_small ?addn0 //; lia. Qed.
Lemma sum_below m M (F : nat -> nat) : m <= M -> \sum_(i <- iota 0 M | i < m) F i =
  \sum_(i <- iota 0 m) F i.
Proof. by move=> le; rewrite -big_filter (filter_iota_ltn 0). Qed.
