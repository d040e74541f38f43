(** The certified recount: Coq writes [counted.ml], and [recount.ml] reads the lines. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlString NArith.
From Queens Require Import recount tie.
Set Warnings "-extraction".
Extraction "counted.ml" board_of number_of_units count_unit count_part listing
  N.add N.succ N.ltb N.eqb N.to_uint N.of_uint.
