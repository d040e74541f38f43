(** Definitions and statements of single sections, which [Sum_of_units] does not need. *)
From Queens Require Export statements.
From mathcomp Require Export fingroup.
Notation set_of l := [set x in l].
Section Board. Variable n : nat. Notation square := (square n).
Implicit Types (q : {perm 'I_n}) (R : seq 'I_n).
(** The mirror image and the flip of a solution; [q^-1] is its transposition. *)
Definition rev_perm : {perm 'I_n} := perm (@rev_ord_inj n).
Definition mirror q := (q * rev_perm)%g.
Definition flip q := (rev_perm * q)%g.
(** The queens of rows; and that a solution has the queens of a list. *)
Definition queens_of q R : seq square := [seq (r, q r) | r <- R].
Definition has_queens q (l : seq square) := all (fun x => q x.1 == x.2) l.
(** Weighed solutions that have some queens. *)
Definition having (f : {perm 'I_n} -> nat) l := \sum_(q | solution q && has_queens q l) f q.
(** Section 5: R, doubled; S is R of the transposition. *)
Definition across q := \max_(r | is_middle r) distance (q r).
Definition weight8 q : nat := if across q^-1 < across q then 2 else across q^-1 == across q.
(** Section 6: what the marks of the top rows and of the bottom rows weigh. *)
Definition weight6 (top bot : seq 'I_n) q :=
  main_weight (marks MainDiagonals (queens_of q top)) (marks MainDiagonals (queens_of q bot)).
End Board.
(** Section 8: all sets of a size in the order of their masks; the mask and the number of a set. *)
Definition popcount (places m : nat) := count id (mask_of places m).
Definition sets_of (places size : nat) :=
  [seq m <- iota 0 (2 ^ places) | popcount places m == size].
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
Implicit Types (q : {perm 'I_n}) (F C : {set 'I_n}).
(** The columns that the core of a solution leaves, and those of its top. *)
Definition left_over q := ~: (q @: set_of (middle_rows h k)).
Definition top_cols q := q @: set_of (top_rows h k).
(** For how many images the column set C of F is counted; and what a solution weighs. *)
Definition list_of F := [seq j <- lines n | j \in F].
Definition image_weight kd F C :=
  let: (a, d) := (a_of h (list_of F) C, d_of h (list_of F) C) in
  counted_for h kd (popcount h a) (number_of h a) (number_of h d).
Definition weight4 q :=
  let l := lead_of (queens_of q (lead_rows h k)) in
  weight l * image_weight (kind l) (left_over q) (top_cols q).
Definition eight_weight s q :=
  if [exists r, closed s (r, q r)] then 0 else
  let marks rows := marks s (queens_of q rows) in
  pair_weight s (marks (middle_rows h k)) (marks (top_rows h k)) (marks (bottom_rows h k)).
Definition valid_lead (l : lead h k) := [&& peaceful (queens l),
  all (mem (middle_rows h k)) (map fst (queens l))
  & if eight l is MainDiagonals then k == 0 else true].
End Units.
