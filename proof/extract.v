(** The certified recount: Coq writes [counted.ml], and [recount.ml] reads the lines. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlString NArith String DecimalString.
From Queens Require Import recount tie.
Definition of_text (s : string) : option N := option_map N.of_uint (NilZero.uint_of_string s).
Set Warnings "-extraction".
Extraction "counted.ml" board_of number_of_units count_unit count_part listing
  to_text of_text N.add N.succ N.ltb N.eqb.
