# SPDX-License-Identifier: Apache-2.0
"""Lists that print as pages: devices() as a table, doctor() as a report of what happened to each backend file."""

from __future__ import annotations

import html
from typing import Any

from . import _core
from .standard import __array_namespace_info__

__all__ = ["Devices", "Report", "devices", "doctor"]


def _table(rows: list[Any]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows)


def html_table(rows: list[Any]) -> str:
    """Returns a table for a notebook; the first row is its head."""
    head, *rest = ["".join(f"<{'td' if i else 'th'}>{html.escape(str(text))}</{'td' if i else 'th'}>" for text in row)
                   for i, row in enumerate(rows)]  # fmt: skip
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(f'<tr>{row}</tr>' for row in rest)}</tbody></table>"


class Devices(list[Any]):
    """Devices, which print as a table of their names and memory."""

    def __repr__(self) -> str:
        return _table(self._rows())

    def _repr_html_(self) -> str:
        return html_table(self._rows())

    def _rows(self) -> list[Any]:
        rows = [("device", "name", "memory", "driver")]
        for d in self:
            info = _core.device_info(d)
            total = info["total_memory"]
            rows.append((str(d), info["name"], f"{total / 2**30:.1f} GiB" if total else "not known", info["driver"]))
        return rows


class Report(list[Any]):
    """A dictionary for each backend file. They print as a page that says why a file is not used, and what to do."""

    def __repr__(self) -> str:
        lines = []
        for entry in self:
            good = entry["status"] == "BP_OK"
            mark = "ok" if good and entry["n_devices"] else "--" if good else "!!"
            lines.append(f"[{mark}] {entry['kind'] or '?'}  {entry['path']}")
            lines += [f"     {title} {entry[key]}" for title, key in (("why:   ", "cause"), ("remedy:", "remedy")) if entry[key]]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = [(e["kind"] or "?", e["n_devices"], e["path"], e["cause"] or "", e["remedy"] or "") for e in self]
        return html_table([("kind", "devices", "file", "why", "remedy"), *rows])


def devices() -> Devices:
    """Returns every device that can be used.

    >>> str(bp.devices()[0])
    'cpu'
    """
    return Devices(__array_namespace_info__().devices())


def doctor() -> Report:
    """Returns for every backend file that was seen how far it came, why it stopped, and what to do.

    >>> "cpu" in [entry["kind"] for entry in bp.doctor()]
    True
    """
    return Report(_core.load_report())
