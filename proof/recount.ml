(* Reads lines, and prints the counts of units and parts as theorem.v has them:

     N UNIT PART    a part of a unit, in the engine's plan of the board
     N UNIT         a unit
     {...}          a record, or what `queencount publish` prints: the units of its entries

   and exits with 3 if an entry has another count, with 2 if a line is none of these or names
   nothing that the theorem is about. Coq has written what computes (counted.ml); here numbers are
   read and written. *)
open Counted

let refuse reason = prerr_endline ("recount: " ^ reason); exit 2
let nat number = let rec more m i = if i = 0 then m else more (S m) (i - 1) in more O number
let rec positive i =
  if i = 1 then XH else if i land 1 = 1 then XI (positive (i / 2)) else XO (positive (i / 2))
let binary i = if i = 0 then N0 else Npos (positive i)
let twice i = if i > max_int / 4 then refuse "a count is too large" else 2 * i
let rec of_positive = function
  XH -> 1 | XO p -> twice (of_positive p) | XI p -> twice (of_positive p) + 1
let number = function N0 -> 0 | Npos p -> of_positive p
let read text =
  let digit c = '0' <= c && c <= '9' in
  let all = text <> "" && String.for_all digit text in
  match int_of_string_opt text with
  | Some i when all -> i
  | _ -> refuse ("expected a number, found " ^ text)

(* A plan: the theorem's h, k and side, and what is made once for the board. *)
let plan n k side =
  if n > 64 || k > n || side > 1024 || (n - k) mod 2 = 1 || n - k < 2 || side < 1 then
    refuse "the theorem has no such plan";
  let h, k, side = nat ((n - k) / 2), nat k, nat side in
  n, h, k, side, board_of h k side
let plans = Hashtbl.create 32
let engine_plan n =
  let k =
    if n < 24 then n mod 2 else match n with 24 | 26 -> 2 | 25 | 27 -> 3 | 28 -> 4 | _ -> n - 24 in
  let side =
    if n - k < 22 then 16 else if k = 0 then 4 else if k >= 3 && n - k >= 24 then 32 else 16 in
  if not (Hashtbl.mem plans n) then Hashtbl.add plans n (plan n k side);
  Hashtbl.find plans n

let found = function Some count -> number count | None -> refuse "there is no such unit or part"
let unit (n, h, k, side, board) number =
  let count = found (count_unit h k side board (binary number)) in
  Printf.printf "%d %d %d\n%!" n number count;
  count
let part (n, h, k, side, board) number index =
  let count = found (count_part h k side board (binary number) (nat index)) in
  Printf.printf "%d %d %d %d\n%!" n number index count

(* A member of a JSON object in a line. *)
let member name line =
  let name = "\"" ^ name ^ "\":" in
  let rec behind at =
    let until = at + String.length name in
    if until > String.length line then refuse ("expected " ^ name ^ " in " ^ line);
    if String.sub line at (String.length name) = name then until else behind (at + 1) in
  let start = behind 0 in
  let quoted = line.[start] = '"' in
  let start = if quoted then start + 1 else start in
  let rec stop at =
    if at = String.length line then refuse ("expected the end of " ^ name ^ " in " ^ line);
    if String.contains (if quoted then "\"" else ",}") line.[at] then at else stop (at + 1) in
  String.sub line start (stop start - start)

let wrong = ref false
let entry current line =
  let last = read (member "last" line) in
  let rec sum total number =
    if number > last then total else sum (total + unit current number) (number + 1) in
  if sum 0 (read (member "first" line)) <> read (member "count" line) then
    (wrong := true; prerr_endline ("recount: another count than in " ^ line))
let plan_line line =
  let n, parameters = read (member "n" line), String.split_on_char ',' (member "parameters" line) in
  let words text = String.split_on_char ' ' (String.trim text) in
  let current = match List.map words parameters with
    | ["middle"; "rows"; k] :: ["tiles"; "of"; side] :: alike
      when (alike <> []) = (read k = 0 && n <= 16) -> plan n (read k) (read side)
    | _ -> refuse ("the theorem has no such plan: " ^ line) in
  let _, h, k, _, board = current in
  if number (number_of_units h k board) <> read (member "units" line) then
    refuse ("expected other units: " ^ line);
  current

let rec lines current =
  match input_line stdin, current with
  | exception End_of_file -> exit (if !wrong then 3 else 0)
  | line, Some plan when String.starts_with ~prefix:"{\"first\"" line ->
    entry plan line;
    lines current
  | line, _ when String.starts_with ~prefix:"{" line -> lines (Some (plan_line line))
  | line, _ ->
    (match List.map read (String.split_on_char ' ' line) with
     | [n; number; index] -> part (engine_plan n) number index
     | [n; number] -> ignore (unit (engine_plan n) number)
     | _ -> refuse ("expected N UNIT PART, found " ^ line));
    lines current
let () = Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 22; space_overhead = 400 }; lines None
