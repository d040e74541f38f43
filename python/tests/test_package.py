"""The package: its version, its types, and examples that do what they say."""

import doctest
import re
from importlib import import_module
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import pytest
import queencount

ROOT = Path(__file__).parents[2]


def test_version_matches_package() -> None:
    assert queencount.__version__ == version("queencount")


def test_package_is_marked_as_typed() -> None:
    assert files(queencount).joinpath("py.typed").is_file()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples write their records here."""
    monkeypatch.chdir(tmp_path)


# Only functions have examples.
@pytest.mark.parametrize("name", [name for name in queencount.__all__ if name.islower() and name != "__version__"])
def test_docstring_examples_run(name: str) -> None:
    check(getattr(queencount, name).__doc__)


@pytest.mark.parametrize("name", [name for name in queencount.__all__ if name != "__version__"])
def test_everything_is_documented_in_its_module(name: str) -> None:
    item = getattr(queencount, name)
    assert len(item.__doc__) > 30
    assert getattr(import_module(item.__module__), item.__name__) is item


def test_package_docstring_examples_run() -> None:
    check(queencount.__doc__ or "")


def test_readme_examples_run() -> None:
    readme = (ROOT / "python/README.md").read_text()
    blocks = re.findall(r"^```pycon\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)
    check("\n".join(blocks))


def check(text: str) -> None:
    """Runs the examples in a text, of which there has to be one."""
    test = doctest.DocTestParser().get_doctest(text, {"queencount": queencount}, "examples", None, 0)
    assert test.examples
    failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert not failed
