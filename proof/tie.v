(** Boards as text: what [sum_of_units] is about, evaluated. [src/engine/rows/tests/tie.rs] compares the
    engine and the recount with it, line by line. Only the format is defined here: [parts],
    [core_of] and [open] are those of the theorem, and so is [is_relevant]; [unit_at] and
    [fast_part_count] are proved to be [units] and [part_count].

<<
    bins G g b ...     the order in which the blocks for group g of G diagonals take bins
    board N k side from f every m parts p
                       of its units, numbered from 0, f, f + m, f + 2m ... follow, unless they
                       have no parts, and of the parts of each 0, p, 2p ...
    units M            the number of all units
    unit number
    core 2 5           the columns of the queens of the middle rows
    open .o..o. ...    the open columns of the rows above the core and below
    marked .o.... ...  those where a queen marks her half-board
    weights w00 w01 w02 w10 ... w22
                       what a pair counts, by the marks of the top and of the bottom
    relevant 3 4 ...   the diagonals that words have bits for, by number; up to N = 12
    part a d o..o.. images count
                       a column set: its numbers, the columns of the top, for how many images it
                       is counted, and its count
>> *)
From Coq Require Import String Ascii DecimalString.
From Queens Require Import recount.
From Queens Require cursor.
Definition to_text (m : N) : string := NilEmpty.string_of_uint (N.to_uint m).
Definition number (m : nat) : string := to_text (bin_of_nat m).
Definition line (name : string) (words : seq string) : string := String.concat " " (name :: words).
Definition numbers (name : string) (ms : seq nat) : string := line name (map number ms).
(** Each m-th member of a list. *)
Definition each {T} (m : nat) (s : seq T) :=
  [seq x.2 | x <- zip (iota 0 (size s)) s & x.1 %% m == 0].

Section Board. Variables h k side : nat. Notation n := (h + k + h). Notation square := (square n).
(** The columns of a row, each as o or as a dot. *)
Definition row_of (p : pred 'I_n) : string :=
  String.concat "" [seq if p j then "o" else "." | j <- lines n]%string.
Definition rows_of (p : pred square) :=
  [seq row_of (fun j => p (r, j)) | r <- top_rows h k ++ bottom_rows h k].
Definition core_lines (l : lead h k) (core : seq square) : seq string :=
  let s := eight l in
  let is_open := open s core (free_columns core) in
  [:: numbers "core" [seq val q.2 | r <- middle_rows h k, q <- [seq q <- core | q.1 == r]];
      line "open" (rows_of is_open);
      line "marked" (rows_of (fun x => is_open x && marked s x));
      numbers "weights" [seq weight l * pair_weight s (marks s core) i j | i <- iota 0 3,
        j <- iota 0 3]] ++
  if n < 13 then [:: numbers "relevant"
    [seq val d | d <- filter (is_relevant s core) (lines (4 * n))]] else [::].
Definition part_line (l : lead h k) (core : seq square) (p : nat * nat * nat) : string :=
  let: (a, d, times) := p in
  line "part" [:: number a; number d; row_of (fun j => j \in top_columns core a d); number times;
                  to_text (fast_part_count l core p)].
Definition unit_lines (every : nat) (m : N) (u : unit_of h k) : seq string :=
  let: (l, order, _) := u in
  let core := core_of l order in
  if parts side u is p :: ps then
    line "unit" [:: to_text m] :: core_lines l core ++
    [seq part_line l core p | p <- each every (p :: ps)]
  else [::].
Definition board (from every : N) (every_part : nat) : seq string :=
  let b := board_of h k side in
  let total := number_of_units b in
  let shown := [seq (from + bin_of_nat i * every)%num | i
    <- iota 0 (nat_of_bin ((total - from + every - 1) / every))] in
  [:: line "board" [:: number n; number k; number side; "from"%string; to_text from; "every"%string;
    to_text every;
                       "parts"%string; number every_part]; line "units" [:: to_text total]] ++
  flatten [seq if unit_at b m is Some u then unit_lines every_part m u else [::] | m <- shown].
End Board.
(** h, k, side, and which units and parts. *)
Definition chosen : seq (N * N * N * N * N * N) :=
  [:: (2, 0, 1, 0, 1, 1); (1, 2, 2, 0, 1, 1); (2, 1, 2, 0, 1, 1); (1, 3, 1, 0, 1, 1);
      (3, 0, 2, 0, 1, 1); (2, 2, 3, 0, 1, 1); (1, 4, 1, 0, 1, 1); (3, 1, 3, 0, 1, 1);
      (2, 3, 2, 0, 1, 1); (1, 5, 1, 0, 5, 1); (4, 0, 5, 0, 1, 1); (3, 2, 2, 0, 1, 1);
      (2, 4, 3, 0, 1, 1); (1, 6, 1, 0, 1, 1); (4, 1, 4, 0, 1, 1); (3, 3, 3, 0, 3, 1);
      (2, 5, 3, 0, 41, 1); (5, 0, 4, 0, 3, 1); (4, 2, 3, 0, 4, 1); (2, 6, 2, 0, 501, 1);
      (5, 1, 3, 0, 9, 1); (4, 3, 5, 0, 37, 1); (5, 2, 5, 0, 101, 1); (1, 7, 1, 0, 5, 1);
      (1, 8, 1, 0, 31, 1); (2, 7, 1, 0, 2003, 1); (6, 1, 16, 0, 7, 60); (7, 0, 16, 3, 4, 60);
      (7, 1, 16, 0, 26, 100); (8, 0, 16, 5, 6, 100); (8, 1, 16, 0, 128, 100);
      (9, 0, 16, 40, 100, 200); (9, 1, 16, 283, 300, 200); (10, 0, 16, 40, 500, 300);
      (9, 3, 16, 117234, 81761, 100); (9, 4, 16, 3501689, 10000000, 300);
      (9, 5, 16, 84187080, 25136896, 300); (11, 2, 16, 71070, 10000000, 300);
      (11, 3, 16, 6910580, 10000000, 300); (10, 6, 16, 35634185, 100000000000, 300);
      (11, 5, 16, 2448583013, 10000000000, 300); (12, 4, 32, 25218518, 1000000000, 1024);
      (10, 1, 16, 1582, 10000, 300); (11, 0, 4, 3759, 20000, 300); (11, 1, 16, 3092, 20000, 300);
      (12, 2, 16, 601092, 10000000, 300); (12, 3, 32, 1375430, 10000000, 1024);
      (12, 5, 32, 4787847267, 10000000000, 1024); (12, 6, 32, 234012925535, 1000000000000, 1024);
      (12, 7, 32, 1774736077317, 10000000000000, 1024);
      (12, 8, 32, 64507129628690, 1000000000000000, 1024)]%num.
Definition listing (_ : unit) : seq string :=
  [seq numbers "bins" (G :: g :: cursor.visited G g) | G <- iota 0 5, g <- iota 0 (2 ^ G)] ++
  flatten [seq let: (h, k, side, from, every, p) := b in
               board (nat_of_bin h) (nat_of_bin k) (nat_of_bin side) from every (nat_of_bin p)
          | b <- chosen].
