"""A message of nothing but line ends takes no more of the log than it says."""

from pbem.cli.turnfiles import paragraphs


def test_empty_lines_are_never_two_together():
    assert paragraphs("") == []
    assert paragraphs("a\n\n\n \n\nb\nc\n\n") == ["a", "", "b", "c"]
    assert len(paragraphs("\n" * 10_000)) <= 1
    assert len(paragraphs("a\n" * 5_000)) == 101
    assert "4900 more lines" in paragraphs("a\n" * 5_000)[-1]
