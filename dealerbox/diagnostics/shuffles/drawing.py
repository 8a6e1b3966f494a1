"""An audit in pictures: SVG, PNG, and a page that needs nothing else."""

from html import escape
from io import BytesIO
from math import log10
from typing import Final

import msgspec

from dealerbox.diagnostics.shuffles.judging import LEVEL
from dealerbox.diagnostics.shuffles.report import PARTS, Audit
from dealerbox.ports import NotInstalled


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """A box, or words."""

    x: float
    y: float
    width: float = 0
    height: float = 0
    colour: str = "#222222"
    words: str = ""
    size: int = 15
    middle: bool = False


WIDTH: Final = 900
_PLAIN, _TOLD, _SHADE, _LINE = "#4c78a8", "#d62728", "#eeeeee", "#999999"
_LEFT, _RIGHT, _ROW = 190, 640, 34
_DECADES: Final = 8
"""Powers of ten shown; beyond, a bar ends at the edge and its number says how far it goes."""


def drawn(found: Audit) -> tuple[list[Shape], int]:
    """Return the picture and its height: how rare each outcome is by chance, and for a bench run where cards went."""
    answer = "It does not." if found.tells else "Nothing tells it from chance."
    shapes = [
        Shape(x=20, y=34, words=f"Does this machine shuffle? {answer}", size=19),
        Shape(x=20, y=60, words=f"{found.source}: {found.amount}", colour="#555555"),
    ]
    shapes += _bars(found)
    y = 150 + _ROW * len(found.outcomes)
    if found.counts:
        shapes += _grid(found, y)
        return shapes, y + 40 + 24 * PARTS + 60
    return shapes, y + 20


def _bars(found: Audit) -> list[Shape]:
    y, step = 100.0, (_RIGHT - _LEFT) / _DECADES
    shapes = [Shape(x=_LEFT, y=y - 12, words="how rare by chance alone: one in ...", colour="#555555", size=13)]
    bottom = y + _ROW * len(found.outcomes)
    for decade in range(_DECADES + 1):
        x = _LEFT + step * decade
        shapes.append(Shape(x=x, y=y, width=1, height=bottom - y, colour=_SHADE))
        words = "1" if not decade else f"10^{decade}"
        shapes.append(Shape(x=x, y=bottom + 18, words=words, size=12, colour="#555555", middle=True))
    for outcome in found.outcomes:
        rare = min(_DECADES, -log10(max(outcome.p, 1e-300)))
        needed = -log10(outcome.needed)
        colour, tells = (_TOLD, "  TELLS") if outcome.tells else (_PLAIN, "")
        shapes += [
            Shape(x=20, y=y + 20, words=outcome.name),
            Shape(x=_LEFT, y=y + 6, width=max(1.0, step * rare), height=_ROW - 12, colour=colour),
            Shape(x=_LEFT + step * needed, y=y + 2, width=2, height=_ROW - 4, colour="#000000"),
            Shape(x=_RIGHT + 16, y=y + 20, words=f"{_p(outcome.p, found)}{tells}", colour=colour),
        ]
        y += _ROW
    note = f"black mark: beyond it an outcome tells ({1 - LEVEL:.0%} level, Holm)"
    return [*shapes, Shape(x=_RIGHT, y=88, words=note, size=11, colour="#555555", middle=True)]


def _p(p: float, found: Audit) -> str:
    if found.of_play:
        return f"p under {p:g}" if p < 1 else "nothing"
    return f"p {p:.3f}" if p >= 0.001 else f"p {p:.1e}" if p else "p under 1e-300"


def _grid(found: Audit, y: float) -> list[Shape]:
    side, left = 24, _LEFT
    mean = sum(map(sum, found.counts)) / PARTS**2
    shapes = [Shape(x=20, y=y, words="Where cards went: each row four places going in, each column four coming out")]
    for row, counts in enumerate(found.counts):
        for column, count in enumerate(counts):
            shapes.append(
                Shape(
                    x=left + side * column,
                    y=y + 16 + side * row,
                    width=side - 1,
                    height=side - 1,
                    colour=_heat((count - mean) / max(1.0, mean**0.5)),
                )
            )
    below = y + 16 + side * PARTS + 20
    words = f"white: {mean:.1f} cards, as by chance; red: more, blue: fewer; full colour at 4 standard deviations"
    return [
        *shapes,
        Shape(x=20, y=y + 30, words="first in", size=13),
        Shape(x=20, y=y + 10 + side * PARTS, words="last in", size=13),
        Shape(x=left, y=below, words="first out", size=13),
        Shape(x=left + side * PARTS - 52, y=below, words="last out", size=13),
        Shape(x=20, y=below + 22, words=words, size=12, colour="#555555"),
    ]


def _heat(z: float) -> str:
    share = min(1.0, abs(z) / 4)
    full = (214, 39, 40) if z > 0 else (31, 119, 180)
    return "#" + "".join(f"{round(255 + (one - 255) * share):02x}" for one in full)


def svg(found: Audit) -> str:
    """Return the picture as SVG."""
    shapes, height = drawn(found)
    parts = []
    for one in shapes:
        if one.words:
            anchor = ' text-anchor="middle"' if one.middle else ""
            place = f'x="{one.x:.1f}" y="{one.y:.1f}" font-size="{one.size}" fill="{one.colour}"{anchor}'
            parts.append(f"<text {place}>{escape(one.words)}</text>")
        else:
            box = f'x="{one.x:.1f}" y="{one.y:.1f}" width="{one.width:.1f}" height="{one.height:.1f}"'
            parts.append(f'<rect {box} fill="{one.colour}"/>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif"'
    return f'{head} role="img"><rect width="{WIDTH}" height="{height}" fill="#ffffff"/>{"".join(parts)}</svg>'


def png(found: Audit) -> bytes:
    """Return the picture as PNG. NotInstalled where there is no pillow."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError as error:
        raise NotInstalled("a PNG needs pillow: pip install 'dealerbox[display]', or ask for --html") from error
    shapes, height = drawn(found)
    scale = 2
    image = Image.new("RGB", (WIDTH * scale, height * scale), "#ffffff")
    draw = ImageDraw.Draw(image)
    for one in shapes:
        x, y = one.x * scale, one.y * scale
        if one.words:
            font = ImageFont.load_default(one.size * scale)
            draw.text((x, y), one.words, fill=one.colour, font=font, anchor="ms" if one.middle else "ls")
        else:
            draw.rectangle((x, y, x + one.width * scale - 1, y + one.height * scale - 1), fill=one.colour)
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


_STYLE: Final = (
    "body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}"
    "table{border-collapse:collapse}"
    "td,th{padding:.3em .8em;border-bottom:1px solid #ddd;text-align:left}tr.tells{color:#d62728}"
)


def page(found: Audit) -> str:
    """Return a page that needs nothing else: verdict, picture, table."""
    numbers = () if found.of_play else ("found", "by chance")
    rows = ""
    for one in found.outcomes:
        exact = () if found.of_play else (f"{one.statistic:.2f}", f"{one.expected:.2f}")
        cells = (one.name, one.asks, *exact, _p(one.p, found), f"{one.needed:.2g}", "tells" if one.tells else "")
        rows += f'<tr class="{"tells" if one.tells else ""}">{_cells("td", cells)}</tr>'
    verdict = found.verdict[:1].upper() + found.verdict[1:]
    head = f"<tr>{_cells('th', ('test', 'asks', *numbers, 'p', 'tells below', ''))}</tr>"
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Audit of the shuffle</title>'
        f"<style>{_STYLE}</style><h1>Audit of the shuffle</h1><p><strong>{escape(verdict)}.</strong></p>"
        f"<p>{escape(found.source)}: {escape(found.amount)}.</p>{svg(found)}<table>{head}{rows}</table>"
        f"<p>All tests together accuse a fair machine once in {1 / LEVEL:.0f} audits.</p></html>\n"
    )


def _cells(kind: str, words: tuple[str, ...]) -> str:
    return "".join(f"<{kind}>{escape(each)}</{kind}>" for each in words)
