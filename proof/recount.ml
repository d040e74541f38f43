(* Reads lines, and prints the counts of units and parts as theorem.v has them:

     N              the number of units in the engine's plan of the board
     N UNIT PART    a part of a unit; 0, if the unit has no core, and so no parts
     N UNIT         a unit
     {...}          a record, or what `queencount publish` prints: the units of its entries

   and exits with 3 if an entry has another count, with 2 if a line is none of these or names
   nothing that the theorem is about. Coq has written what computes (counted.ml); here numbers are
   read and written. Given the word `units`, it prints the file with which tests compare the engine
   (tie.v). *)
open Counted

let refuse reason = prerr_endline ("recount: " ^ reason); exit 2

(* Numbers of any size, as decimals; and smaller ones. *)
let decimal word = match of_text (List.of_seq (String.to_seq word)) with
  | Some number -> number
  | None -> refuse ("expected a number, found " ^ if word = "" then "nothing" else word)
let text number = String.of_seq (List.to_seq (to_text number))
let small word = match int_of_string_opt (text (decimal word)) with
  | Some i when i < 1 lsl 16 -> i | _ -> refuse ("expected a smaller number than " ^ word)
let nat number = let rec more m i = if i = 0 then m else more (S m) (i - 1) in more O number

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

let unit (n, h, k, side, board) number =
  match count_unit h k side board number with
  | None -> refuse ("there is no unit " ^ text number)
  | Some count -> Printf.printf "%d %s %s\n%!" n (text number) (text count); count
let part (n, h, k, side, board) number index =
  let count = match count_part h k side board number (nat index) with
    | Some count -> count
    | None when N.ltb number (number_of_units h k board)
        && count_part h k side board number O = None -> N0
    | None -> refuse (Printf.sprintf "there is no part %d of unit %s" index (text number)) in
  Printf.printf "%d %s %d %s\n%!" n (text number) index (text count)

(* A member of a JSON object in a line. *)
let member name line =
  let name = "\"" ^ name ^ "\":" in
  let rec behind at =
    let until = at + String.length name in
    if until > String.length line then refuse ("expected " ^ name ^ " in " ^ line);
    if String.sub line at (String.length name) = name then until else behind (at + 1) in
  let start = behind 0 in
  let quoted = start < String.length line && line.[start] = '"' in
  let start = if quoted then start + 1 else start in
  let rec stop at =
    if at >= String.length line then refuse ("expected the end of " ^ name ^ " in " ^ line);
    if String.contains (if quoted then "\"" else ",}") line.[at] then at else stop (at + 1) in
  String.sub line start (stop start - start)

let wrong = ref false
let entry current line =
  let last = decimal (member "last" line) and count = decimal (member "count" line) in
  let rec sum total number =
    let total = N.add total (unit current number) in
    if N.ltb number last then sum total (N.succ number) else total in
  let first = decimal (member "first" line) in
  if N.ltb last first then refuse ("expected a first unit before the last in " ^ line);
  if not (N.eqb (sum N0 first) count) then
    (wrong := true; prerr_endline ("recount: another count than in " ^ line))
let plan_line line =
  let n = small (member "n" line) in
  let parameters = String.split_on_char ',' (member "parameters" line) in
  let words text = String.split_on_char ' ' (String.trim text) in
  let current = match List.map words parameters with
    | ["middle"; "rows"; k] :: ["tiles"; "of"; side] :: alike
      when (alike <> []) = (small k = 0 && n <= 16) -> plan n (small k) (small side)
    | _ -> refuse ("the theorem has no such plan: " ^ line) in
  let _, h, k, _, board = current in
  if not (N.eqb (number_of_units h k board) (decimal (member "units" line))) then
    refuse ("expected other units: " ^ line);
  current

let rec lines current =
  match input_line stdin, current with
  | exception End_of_file -> exit (if !wrong then 3 else 0)
  | line, _ when String.starts_with ~prefix:"{" line && not (String.ends_with ~suffix:"}" line) ->
    refuse ("expected a whole line, found " ^ line)
  | line, Some plan when String.starts_with ~prefix:"{\"first\"" line ->
    entry plan line;
    lines current
  | line, _ when String.starts_with ~prefix:"{\"format\"" line -> lines (Some (plan_line line))
  | line, _ ->
    (match String.split_on_char ' ' line with
     | [n; number; index] -> part (engine_plan (small n)) (decimal number) (small index)
     | [n; number] -> ignore (unit (engine_plan (small n)) (decimal number))
     | [n] ->
       let n, h, k, _, board = engine_plan (small n) in
       Printf.printf "%d %s\n%!" n (text (number_of_units h k board))
     | _ -> refuse ("expected N UNIT PART, found " ^ line));
    lines current
let () =
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 22; space_overhead = 400 };
  match Sys.argv with
  | [| _; "units" |] ->
    List.iter (fun line -> List.iter print_char line; print_newline ()) (listing ())
  | _ -> lines None
