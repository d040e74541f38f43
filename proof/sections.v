(** Definitions and statements of single sections, which [Sum_of_units] does not need. *)
From Queens Require Export statements.

Section Board.
Variable n : nat.
Notation square := (square n).
Implicit Types (x : square) (q : {set square}).

(** Mirror, flip and transposition of squares, and what they make of queens. *)
Definition mirror x : square := (x.1, rev_ord x.2).
Definition flip x : square := (rev_ord x.1, x.2).
Definition transpose x : square := (x.2, x.1).
Definition image (g : square -> square) q := [set g x | x in q].

(** Section 5: R and S, doubled. *)
Definition across q := \max_(x in q | is_middle x.1) distance x.2.
Definition along q := \max_(x in q | is_middle x.2) distance x.1.
End Board.

(** Section 8: all sets of a size in the order of their masks. *)
Definition popcount (places m : nat) := count id (mask_of places m).
Definition sets_of (places size : nat) := [seq m <- iota 0 (2 ^ places) | popcount places m == size].
Definition Subsets := forall places size,
  [seq set_of_number i size places | i <- iota 0 'C(places, size)] = sets_of places size.

Section Units.
Variable h : nat.
(** The images of a column set by numbers: itself, and under F, MF and M. Complements reverse the numbers. *)
Definition column_set_images (kd : images) (tier a d : nat) : seq (seq nat) :=
  let last := 'C(h, tier) - 1 in
  let: (itself, flipped) := ([:: tier; a; d], [:: h - tier; last - a; last - d]) in
  match kd with
  | Itself => [:: itself]
  | Flip => [:: itself; flipped]
  | All => [:: itself; flipped; [:: tier; d; a]; [:: h - tier; last - d; last - a]]
  end.
End Units.
Definition Complements := forall h tier number, number < 'C(h, tier) ->
  set_of_number ('C(h, tier) - 1 - number) (h - tier) h = 2 ^ h - 1 - set_of_number number tier h.
Definition Least_of_images := forall h kd tier a d, 0 < h -> tier <= h -> a < 'C(h, tier) -> d < 'C(h, tier) ->
  (if tier \in tiers h kd then counted_for h kd tier a d else 0) = least (column_set_images h kd tier a d).
