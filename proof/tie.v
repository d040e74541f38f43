(** Small boards as text: what [sum_of_units] is about, evaluated. [src/engine/rows/tie.rs] holds the engine and the
    recount against it, line by line. Only how it is written is defined here: [units], [parts], [core_of], [open] and
    [part_count] are those of the theorem, and so is [is_relevant].

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
Definition row_of (p : pred 'I_n) : string := String.concat "" [seq if p j then "o" else "." | j <- lines n]%string.
Definition rows_of (p : pred square) := [seq row_of (fun j => p (r, j)) | r <- top_rows h k ++ bottom_rows h k].

Definition core_lines (l : lead h k) (core : seq square) : seq string :=
  let s := eight l in
  let is_open := open s core (free_columns core) in
  [:: numbers "core" [seq val q.2 | r <- middle_rows h k, q <- [seq q <- core | q.1 == r]];
      line "open" (rows_of is_open);
      line "marked" (rows_of (fun x => is_open x && marked s x));
      numbers "relevant" [seq val d | d <- filter (is_relevant s core) (lines (4 * n))];
      numbers "weights" [seq weight l * pair_weight s (marks s core) i j | i <- iota 0 3, j <- iota 0 3]].
Definition part_line (l : lead h k) (core : seq square) (p : nat * nat * nat) : string :=
  let: (a, d, times) := p in
  line "part" ([:: number a; number d; row_of (fun j => j \in top_columns core a d); number times] ++
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
(** h, k, side and every. *)
Definition small_boards : seq (nat * nat * nat * nat) :=
  [:: (2, 0, 1, 1); (1, 2, 2, 1); (2, 1, 2, 1); (1, 3, 1, 1); (3, 0, 2, 1); (2, 2, 3, 1); (1, 4, 1, 1);
      (3, 1, 3, 1); (2, 3, 2, 1); (1, 5, 1, 5); (4, 0, 5, 1); (3, 2, 2, 1); (2, 4, 3, 1); (4, 1, 4, 1);
      (3, 3, 3, 1); (2, 5, 3, 41); (5, 0, 4, 3); (4, 2, 3, 4); (5, 1, 3, 9); (4, 3, 5, 11); (5, 2, 5, 101);
      (8, 0, 16, 7); (9, 0, 4, 200)].
Set Printing Width 2.
Set Printing Depth 1000000.
Eval vm_compute in flatten [seq let: (h, k, side, every) := b in board h k side every | b <- small_boards].
