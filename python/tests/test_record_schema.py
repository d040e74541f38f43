"""The published schema describes the lines of records, and nothing else."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import queencount

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = json.loads((DOCS / "record.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def lines(n: int, folder: Path) -> list[dict[str, Any]]:
    queencount.run(n, folder / "record.jsonl")
    return [json.loads(line) for line in (folder / "record.jsonl").read_text("utf-8").splitlines()]


OPTIONAL = {"time", "site", "host"}


def changed(line: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for member in line:
        if member not in OPTIONAL:
            yield {name: value for name, value in line.items() if name != member}
        yield line | {member: []}
    yield line | {"more": None}


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("n", [1, 2, 3, 8, 13])
def test_every_line_of_a_record_is_valid(n: int, tmp_path: Path) -> None:
    for line in lines(n, tmp_path):
        VALIDATOR.validate(line)


def test_the_lines_of_the_document_are_valid() -> None:
    document = (DOCS / "record.md").read_text("utf-8")
    shown = [json.loads(line) for line in document.splitlines() if line.startswith('{"')]
    assert len(shown) == 3
    for line in shown:
        VALIDATOR.validate(line)


def test_a_line_without_a_member_or_with_another_or_of_another_type_is_not_valid(tmp_path: Path) -> None:
    for line in lines(8, tmp_path)[:2]:
        for other in changed(line):
            assert not VALIDATOR.is_valid(other), other
