(** The certified recount: Coq writes [counted.ml], and [recount.ml] reads the lines. *)
From Coq Require Import Extraction ExtrOcamlBasic.
From Queens Require Import recount.
Set Warnings "-extraction".
Extraction "counted.ml" board_of number_of_units count_unit count_part.
