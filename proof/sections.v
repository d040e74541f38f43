(** Definitions and statements of single sections, which [Sum_of_units] does not need. *)
From Queens Require Export statements.
Notation set_of l := [set x in l].
Section Board. Variable n : nat. Notation square := (square n).
Implicit Types (x : square) (q : {set square}) (R F : {set 'I_n}).
(** Mirror, flip and transposition of squares, and what they make of queens. *)
Definition mirror x : square := (x.1, rev_ord x.2).
Definition flip x : square := (rev_ord x.1, x.2).
Definition transpose x : square := (x.2, x.1).
Definition image (g : square -> square) q := [set g x | x in q].
(** The columns of queens, those that they leave, and the queens of some rows. *)
Definition cols q := [set x.2 | x in q].
Definition free q := ~: cols q.
Definition part R q := q :&: [set x : square | x.1 \in R].
(** The column of the queen in a row. *)
Definition column q (r : 'I_n) : 'I_n := odflt r [pick j | (r, j) \in q].
(** Section 5: R and S, doubled. *)
Definition across q := \max_(x in q | is_middle x.1) distance x.2.
Definition along q := \max_(x in q | is_middle x.2) distance x.1.
Definition weight8 q : nat := if along q < across q then 2 else along q == across q.
(** Section 6: what the marks of the top rows and of the bottom rows weigh. *)
Definition marks_set s q := #|[set x in q | marked s x]|.
Definition main_marks R q := marks_set MainDiagonals (part R q).
Definition weight6 top bot q := main_weight (main_marks top q) (main_marks bot q).
End Board.
(** Section 8: all sets of a size in the order of their masks; the mask and the number of a set. *)
Definition popcount (places m : nat) := count id (mask_of places m).
Definition sets_of (places size : nat) :=
  [seq m <- iota 0 (2 ^ places) | popcount places m == size].
Definition Subsets := forall places size,
  [seq set_of_number i size places | i <- iota 0 'C(places, size)] = sets_of places size.
Fixpoint of_mask (bs : seq bool) := if bs is b :: bs' then b + (of_mask bs').*2 else 0.
Definition number_of h m := index m (sets_of h (popcount h m)).
(** Column sets C of a list s of 2h columns, as a and d. *)
Section Columns. Variables (T : finType) (h : nat) (s : seq T). Implicit Types C : {set T}.
Definition coord (s : seq T) C := of_mask [seq x \in C | x <- s].
Definition on_top a d := pick (take h s) a ++ pick (rev (drop h s)) (2 ^ h - 1 - d).
Definition a_of C := coord (take h s) C.
Definition d_of C := 2 ^ h - 1 - coord (rev (drop h s)) C.
End Columns.

Section Units. Variables h k : nat. Notation n := (h + k + h).
Implicit Types (q : {set square n}) (F C : {set 'I_n}).
(** The images of a column set by numbers: itself, and under F, MF and M. *)
Definition column_set_images (kd : images) (tier a d : nat) : seq (seq nat) :=
  let last := 'C(h, tier) - 1 in
  let: (itself, flipped) := ([:: tier; a; d], [:: h - tier; last - a; last - d]) in
  match kd with
  | Itself => [:: itself]
  | Flip => [:: itself; flipped]
  | All => [:: itself; flipped; [:: tier; d; a]; [:: h - tier; last - d; last - a]]
  end.
Definition counted kd tier a d := if tier \in tiers h kd then counted_for h kd tier a d else 0.
(** The columns that the core of a solution leaves, and those of its top. *)
Definition left_over q := free (part (set_of (middle_rows h k)) q).
Definition top_cols q := cols (part (set_of (top_rows h k)) q).
(** For how many images the column set C of F is counted; and what a solution weighs. *)
Definition list_of F := [seq j <- lines n | j \in F].
Definition image_weight kd F C :=
  let: (a, d) := (a_of h (list_of F) C, d_of h (list_of F) C) in
  counted kd (popcount h a) (number_of h a) (number_of h d).
Definition lead_queens q : seq (square n) := [seq (r, column q r) | r <- lead_rows h k].
Definition weight4 q :=
  let l := lead_of (lead_queens q) in weight l * image_weight (kind l) (left_over q) (top_cols q).
Definition eight_weight s q :=
  if [exists x in q, closed s x] then 0 else
  let marks rows := marks_set s (part (set_of rows) q) in
  pair_weight s (marks (middle_rows h k)) (marks (top_rows h k)) (marks (bottom_rows h k)).
Definition valid_lead (l : lead h k) := [&& peaceful_list (queens l), uniq (queens l),
  all (mem (middle_rows h k)) (map fst (queens l))
  & if eight l is MainDiagonals then k == 0 else true].
End Units.
Definition Complements := forall h tier number, number < 'C(h, tier) ->
  set_of_number ('C(h, tier) - 1 - number) (h - tier) h = 2 ^ h - 1 - set_of_number number tier h.
Definition Least_of_images := forall h kd tier a d,
  0 < h -> tier <= h -> a < 'C(h, tier) -> d < 'C(h, tier) ->
  counted h kd tier a d = least (column_set_images h kd tier a d).
