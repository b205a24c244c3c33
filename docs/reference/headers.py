#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""headers.py <header>: prints a header as Doxygen wants to read it; Doxygen calls it for each header.

The comments in our headers are plain. This is what becomes of them:
  /* name.h: text */            at the top, below the licence's line: the text of the header's page.
  /* ---- title: text ---- */   A section, which goes on to the next one. A comment right below, with an empty line or
                                another comment behind it, is the section's text too.
  /* text */ or // text         before a declaration: its text, and that of each BP_API function that follows it
                                without an empty line or another comment between them.
  int rank; /* text */          behind a declaration: its text.
Lines that are indented by three spaces after an empty one are code. Names of the C API become links, so that Doxygen
reports a name that does not exist.
"""
import os
import re
import sys

PIECE = re.compile(
    r"""(?P<comment> [ ]* /[*] .*? [*]/ \n | (?: [ ]* // [^\n]* \n )+ )
      | (?P<empty> \n )
      | (?P<directive> \# (?: \\\n | [^\n] )* \n )
      | (?P<member> (?: template [^\n]* \n )? \w [^\n(]* [ ] \w+ :: [^\s(]+ \( (?: [^\n]* | .*? \n ) \} \n )
      | (?P<code> [^\n]*? [ ] /[*][ ] .*? [*]/ \n | [^\n]* \n )""",
    re.DOTALL | re.VERBOSE,
)
LICENCE = re.compile(r"\A(?:/[*]|//) SPDX-License-Identifier: [^\n]*\n")
SECTION = re.compile(r"/[*] ---- (.*?) -+ [*]/\n")
BEHIND = re.compile(r"(.*[^\s{}]) +((?:/[*]|//) .*)\n", re.DOTALL)
NAME_OR_MARK = re.compile(r"(?<![\w.])(?:bp|BP)_\w+\b(?![*<])|[\\@<>&*%$|#]|(?<![^\W_])_|_(?![^\W_])")


def prose(line):
    """Makes links of names and escapes Doxygen's and Markdown's marks, except in `code` and "quotes"."""
    parts = re.split(r'(`[^`]*`|"[^"]*")', line)
    parts[::2] = [NAME_OR_MARK.sub(lambda m: ("#" if len(m[0]) > 1 else "\\") + m[0], part) for part in parts[::2]]
    return "".join(parts)


def documentation(comment, mark="///"):
    """A plain comment as one for Doxygen."""
    lines = comment.strip().removesuffix("*/").rstrip().splitlines()
    out, code, empty = [], False, False
    for line in [re.sub(r"^\s*(?:(?:/[*]|//|[*]) ?)?", "", line).rstrip() for line in lines]:
        if not code and empty and line.startswith("  "):
            code = True
            out.append("@code")
        elif code and line and not line.startswith("  "):
            code = False
            out.append("@endcode")
        out.append(line if code else prose(line))
        empty = not line
    return "".join(f"{mark} {line}\n" for line in out + ["@endcode"] * code)


def group(label, title, text):
    """A group begins. Lists of groups show the first paragraph of its text, which is therefore its first sentence."""
    text = re.sub(r"(?<=\.)(?: |\n/// )(?=\S)", "\n///\n/// ", text, count=1)
    return f"/// @defgroup {re.sub(r'[^0-9A-Za-z]+', '_', label)} {upper(title)}\n{text}/// @{{\n\n"


def upper(text):
    return text[:1].upper() + text[1:]


class Header:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.source = LICENCE.sub("", file.read())
        self.name = os.path.basename(path)
        self.end = 0  # of the part that has been printed
        self.in_section = False
        self.shared = ""  # the documentation of functions without a comment of their own
        self.documented = True  # the next declaration stands right below its documentation

    def pieces(self):
        while piece := self.next():
            self.end = piece.end()
            yield getattr(self, piece.lastgroup)(piece.group())
        yield self.close() + "/// @}\n"

    def next(self):
        return PIECE.match(self.source, self.end)

    def empty(self, text):
        self.shared = ""
        return text

    def directive(self, text):
        self.documented = False
        # c_api.h and its further pages include each other. Doxygen would find each page's guard defined.
        return "\n" if text.startswith("#include") else text

    def member(self, _):
        return ""  # the definition of a member: its declaration is in the class

    def comment(self, text):
        if self.end == len(text):
            return self.head(documentation(text))
        if section := SECTION.fullmatch(text):
            return self.close() + self.section(*section.group(1).partition(": ")[::2])
        if self.next().lastgroup == "empty":
            return text
        self.shared, self.documented = documentation(text), True
        return self.shared

    def head(self, text):
        """A header is a file and a group of its sections. Both have the text at its top."""
        text = "/// " + upper(text.removeprefix(f"/// {self.name}: ").removeprefix("/// "))
        return f"/// @file {self.name}\n{text}\n" + group(self.name, self.name, text)

    def section(self, title, text):
        self.in_section = True
        text = text and documentation(upper(text) + ".")
        below = self.next()
        if below.lastgroup == "comment" and PIECE.match(self.source, below.end()).lastgroup in ("comment", "empty"):
            self.end = below.end()
            text += documentation(below.group())
        return group(f"{self.name} {title}", title, text)

    def close(self):
        return "/// @}\n" if self.in_section else ""

    def code(self, line):
        if line == "namespace backplane {\n":  # its members are not in a group that was opened outside of it
            return f"{line}/// @addtogroup {self.name.replace('.', '_')}\n/// @{{\n\n"
        if line == "}  // namespace backplane\n":
            return f"/// @}}\n{line}"
        own = ""
        if behind := BEHIND.fullmatch(line):
            line, own = behind.groups()
        if line.startswith("BP_API"):
            line = ("" if self.documented else self.shared) + (own and documentation(own)) + line.rstrip() + "\n"
        elif own:
            line = f"{line} {documentation(own, '///<')}\n"
        if line.startswith("}"):  # the latest comment belongs to a field inside
            self.shared = ""
        self.documented = False
        return line


sys.stdout.write("".join(Header(sys.argv[1]).pieces()))
