"""The page: whole by itself, readable by a program that reads it aloud, and with nothing of a bot's name that acts."""

from __future__ import annotations

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from lanplay.arena import MatchSpec, Result, Sprt, run_match
from lanplay.arena.page import html
from lanplay.arena.report import text
from lanplay.bot.load import house_bots

VOID = {"meta"}


class Reader(HTMLParser):
    """What is in a page; every tag must be closed by its own."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """Of a match with a bot whose name is a danger, and which crashes with one."""
    evil = tmp_path_factory.mktemp("bots") / "<img src=x onerror=alert(1)>&\"'.py"
    shutil.copy(house_bots()["memory"], evil)
    source = evil.read_text(encoding="utf-8")
    evil.write_text(source.replace("def act(self, view", "def act_(self, view") + CRASH, encoding="utf-8")
    return run_match(MatchSpec("cambio", (str(evil), "memory", "random"), 30, seed=2))


CRASH = """
    def act(self, view: View) -> str:
        if self.rng.random() < 0.05:
            raise ValueError("<script>alert(2)</script>")
        return self.act_(view)
"""


def test_it_is_whole_and_loads_nothing(result: Result) -> None:
    page = html(result)
    reader = Reader(page)
    assert reader.open == []
    names = {tag for tag, _ in reader.tags}
    assert not names & {"script", "link", "img", "iframe", "object", "image", "use"}
    assert not re.search(r"https?:|url\(|@import", page)
    for tag, attributes in reader.tags:
        assert not [name for name in attributes if name.startswith("on") or name in ("src", "href")], tag
    assert "default-src 'none'" in page
    assert "prefers-color-scheme: dark" in page


def test_each_chart_is_told_in_words_and_numbers(result: Result) -> None:
    page = html(result)
    figures = re.findall(r"<figure.*?</figure>", page, re.DOTALL)
    assert len(figures) == 5
    for figure in figures:
        tree = ET.fromstring(figure)
        svg = tree.find("svg")
        assert svg is not None
        assert svg.get("role") == "img"
        assert len(svg.get("aria-label") or "") > 20
        assert tree.findall("details/div/table/tbody/tr")
        assert all(float(rect.get("height") or -1) >= 0 for rect in svg.iter("rect"))


def test_it_has_all_that_the_text_has(result: Result) -> None:
    words = " ".join(" ".join(Reader(html(result)).words).split())
    told = text(result)
    for line in told.splitlines():
        for word in line.replace("\\", "").split():
            assert word in words, line
    assert "ValueError: <script>alert(2)" in " ".join(told.split())


@pytest.mark.parametrize("seats", [2, 8])
@pytest.mark.parametrize("games", [1, 16])
def test_matches_of_any_size_have_a_page(seats: int, games: int) -> None:
    spec = MatchSpec("cambio", ("memory", "random") * (seats // 2), games, sprt=Sprt(0, 400))
    page = html(run_match(spec))
    assert "nan" not in page
    assert "SPRT: " in page


def test_one_bot_alone_has_a_page(tmp_path: Path) -> None:
    page = html(run_match(MatchSpec("not-at-home", ("random",) * 3, 3)), tmp_path)
    assert "plays against itself" in page
    assert f"{tmp_path}/00001-" in page
