(** Small boards as text: what [sum_of_units] is about, evaluated. [src/engine/rows/tie.rs] holds the engine and the
    recount against it, line by line. Only how it is written is defined here: [units], [parts], [core_of], [open] and
    [part_count] are those of the theorem, and [relevant] is proved to be what is written.

<<
    board N k side every m            of its units, numbered from 0, each m-th follows, unless it has no parts
    units M                           there are so many
    unit number
    core 2 5                          the columns of the queens of the middle rows
    open .o..o. .o...o ...            the open columns of the rows above the core and below
    marked .o.... ...... ...          those where a queen marks her half-board
    relevant 3 4 17 ...               the diagonals that words have bits for, by number
    weights w00 w01 w02 w10 ... w22   what a pair counts, by the marks of the top and of the bottom
    part a d o..o.. images count      a column set: its numbers, the columns of the top, for how many images it is
                                      counted, and its count, unless the board is too large for that
>> *)
From Coq Require Import String Ascii DecimalString.
From mathcomp Require Import all_ssreflect.
From Queens Require Import statements lists join_statements.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Definition number (m : nat) : string := NilEmpty.string_of_uint (Nat.to_uint m).
Definition line (name : string) (words : seq string) : string := String.concat " " (name :: words).
Definition numbers (name : string) (ms : seq nat) : string := line name (map number ms).

Section Board.
Variables h k side every : nat.
Notation n := (h + k + h).
Notation square := (square n).

(** The columns of a row, each as o or as a dot. *)
Definition row_of (p : pred 'I_n) : string := String.concat "" [seq if p j then "o"%string else "."%string | j <- lines n].
Definition rows_of (p : pred square) := [seq row_of (fun j => p (r, j)) | r <- top_rows h k ++ bottom_rows h k].

(** The diagonals with open squares of two quarters, as a list that can be computed. *)
Definition listed s (core : seq square) : seq (diagonals h k) :=
  let squares := [seq x <- [seq (r, j) | r <- lines n, j <- lines n] | available s core x] in
  let quarters d := [seq quarter core x | x <- squares & through d x] in
  [seq d <- lines (4 * n) | ~~ (if s is MainDiagonals then is_main d else false)
                            & let seen := quarters d in has (fun q => has (predC1 q) seen) seen].
Lemma listedE s core d : (d \in listed s core) = (d \in relevant s core).
Proof.
rewrite inE mem_filter mem_lines andbT; congr (_ && _); set quarters := map _ _.
have mem x : available s core x -> through d x -> quarter core x \in quarters.
  by move=> ax tx; apply: map_f; rewrite !mem_filter ax tx; case: x {ax tx} => r j; apply: allpairs_f; exact: mem_lines.
apply/hasP/existsP => [[_ /mapP [x + ->] /hasP [_ /mapP [y + ->] ne]] | [x /existsP [y /and5P [ax ay ne tx ty]]]].
  rewrite !mem_filter => /and3P [ty ay _] /and3P [tx ax _]; exists x; apply/existsP; exists y.
  by move: ne; rewrite /= ax ay tx ty eq_sym => ->.
exists (quarter core x); first exact: mem.
by apply/hasP; exists (quarter core y); rewrite /= ?mem // eq_sym.
Qed.

Definition core_lines (l : lead h k) (core : seq square) : seq string :=
  let s := eight l in
  let is_open := open s core (free_columns core) in
  [:: numbers "core" [seq val q.2 | r <- middle_rows h k, q <- [seq q <- core | q.1 == r]];
      line "open" (rows_of is_open);
      line "marked" (rows_of (fun x => is_open x && marked s x));
      numbers "relevant" [seq val d | d <- listed s core];
      numbers "weights" [seq weight l * pair_weight s (marks s core) i j | i <- iota 0 3, j <- iota 0 3]].
Definition part_line (l : lead h k) (core : seq square) (p : nat * nat * nat) : string :=
  let: (a, d, images) := p in
  line "part" ([:: number a; number d; row_of (fun j => j \in top_columns core a d); number images] ++
               (if n < 16 then [:: number (part_count l core p)] else [::])).
Definition unit_lines (m : nat) (u : unit_of h k) : seq string :=
  let: (l, order, _) := u in
  if parts side u is p :: ps then
    numbers "unit" [:: m] :: core_lines l (core_of l order) ++ [seq part_line l (core_of l order) p | p <- p :: ps]
  else [::].
Definition board : seq string :=
  let us := units h k side in
  let printed := [seq u <- zip (iota 0 (size us)) us | u.1 %% every == 0] in
  [:: line "board" [:: number n; number k; number side; "every"%string; number every]; numbers "units" [:: size us]] ++
  flatten [seq unit_lines u.1 u.2 | u <- printed].
End Board.
Set Printing Width 2.
Set Printing Depth 1000000.
Eval vm_compute in board 2 0 1 1.
Eval vm_compute in board 1 2 2 1.
Eval vm_compute in board 2 1 2 1.
Eval vm_compute in board 1 3 1 1.
Eval vm_compute in board 3 0 2 1.
Eval vm_compute in board 2 2 3 1.
Eval vm_compute in board 1 4 1 1.
Eval vm_compute in board 3 1 3 1.
Eval vm_compute in board 2 3 2 1.
Eval vm_compute in board 1 5 1 5.
Eval vm_compute in board 4 0 5 1.
Eval vm_compute in board 3 2 2 1.
Eval vm_compute in board 2 4 3 1.
Eval vm_compute in board 4 1 4 1.
Eval vm_compute in board 3 3 3 1.
Eval vm_compute in board 2 5 3 41.
Eval vm_compute in board 5 0 4 3.
Eval vm_compute in board 4 2 3 4.
Eval vm_compute in board 5 1 3 9.
Eval vm_compute in board 4 3 5 11.
Eval vm_compute in board 5 2 5 101.
Eval vm_compute in board 8 0 16 7.
Eval vm_compute in board 9 0 4 200.
