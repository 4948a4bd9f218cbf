"""Mutants of the reference: one small change of one line each, in the ways that programmers go wrong.

A mutant's name is its file, its function, the line as it is and the line as it becomes; it outlives changes elsewhere.
"""

import pathlib
import re
from dataclasses import dataclass

CODES = ["RPMA_E_INVAL", "RPMA_E_PROVIDER", "RPMA_E_NOMEM", "RPMA_E_NOSUPP"]
SWAPS = {"==": "!=", "!=": "==", "<": "<=", ">": ">=", "<=": "<", ">=": ">", "&&": "||", "||": "&&"}


@dataclass(frozen=True)
class Mutant:
    file: str
    function: str  # in which it is, or the last before it
    line: int  # from 1
    before: str
    after: str

    @property
    def name(self):
        return f"{self.file}, {self.function}: {self.before.strip()} => {self.after.strip() or ';'}"


def conditions(line):
    """A comparison or a connective changed; a condition without any negated."""
    for match in re.finditer(r" (==|!=|<|>|<=|>=|&&|\|\|) ", line):
        yield line[: match.start(1)] + SWAPS[match.group(1)] + line[match.end(1) :]
    for match in re.finditer(r"\bif \((?!.* (==|!=|<|>|<=|>=|&&|\|\|) )", line):
        start, depth = match.end(), 1
        for end in range(start, len(line)):
            depth += {"(": 1, ")": -1}.get(line[end], 0)
            if depth == 0:
                yield f"{line[:start]}!({line[start:end]}){line[end:]}"
                break


def constants(line):
    """A number one too large; a truth turned round."""
    for match in re.finditer(r"(?<![\w.\"\[])\d+(?![\w.\"\]])(?<!return 0)", line):
        yield line[: match.start()] + str(int(match.group()) + 1) + line[match.end() :]
    for match in re.finditer(r"\b(true|false)\b", line):
        other = "false" if match.group() == "true" else "true"
        yield line[: match.start()] + other + line[match.end() :]


def results(line):
    """Another code, or success and failure swapped."""
    for match in re.finditer(r"\bRPMA_E_\w+", line):
        other = CODES[(CODES.index(match.group()) + 1) % len(CODES)] if match.group() in CODES else CODES[0]
        yield line[: match.start()] + other + line[match.end() :]
    if re.search(r"\breturn 0;", line):
        yield line.replace("return 0;", "return RPMA_E_PROVIDER;")
    if match := re.search(r"\breturn RPMA_E_\w+;", line):
        yield line[: match.start()] + "return 0;" + line[match.end() :]


def statements(line):
    """A statement dropped: one that stands whole on its line, and declares nothing that is needed."""
    keyword = r"(?:if|for|while|return|using|const|static|throw|break|case|friend|struct|class|int|auto|bool)\b"
    declaration = r"[\w:<>]+[*&]? \w+ ="
    if re.fullmatch(rf"\s+(?!{keyword}|{declaration})[\w*(:\[+].*[(=+].*;", line):
        yield re.match(r"\s*", line).group() + ";"


def code_of(line):
    """The line without comment and with its texts and preprocessor lines emptied, in the same columns."""
    if line.lstrip().startswith("#") or line.lstrip().startswith("static_assert"):
        return " " * len(line)
    blank = lambda match: " " * len(match.group())
    return re.sub(r"//.*|/\*.*?\*/|\"(\\.|[^\"\\])*\"", blank, line)


def mutants_of(path, root):
    """All mutants of a file, those that do not compile among them."""
    found = {}
    function = ""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        code = code_of(line)
        head = re.match(r"\S", code) or (re.match(r"  \S", code) and code.rstrip().endswith("{"))
        name = re.search(r"([A-Za-z_][\w:~]*)\(", code)
        if head and name and not re.match(r"\s*(if|for|while|switch|static_assert)\b", code):
            function = name.group(1)
        for change in (conditions, constants, results, statements):
            for after in change(line):
                # A change inside a comment or a text is none.
                if code_of(after).split() == code.split():
                    continue
                mutant = Mutant(str(path.relative_to(root)), function, number, line, after)
                found.setdefault(mutant.name, mutant)
    return list(found.values())


def all_mutants(root):
    root = pathlib.Path(root)
    files = sorted([*root.glob("*.cc"), *root.glob("*.h")])
    return [mutant for path in files for mutant in mutants_of(path, root)]
