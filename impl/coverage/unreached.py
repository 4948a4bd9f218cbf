#!/usr/bin/python3
"""Prints how many lines of each source gcov saw reached, and each line that was not, with the reason from unreached.toml.

    gcov --json-format --stdout ... | impl/coverage/unreached.py

Exit status: 0 if every line that was not reached has a reason and every reason a line, 1 if not.
"""

import collections
import json
import pathlib
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE.parent / "src"


def counts(stream):
    """{file: {line: count}} of the library's sources. A line of a header counts as reached where any source reaches it."""
    lines = collections.defaultdict(collections.Counter)
    for report in stream:
        for file in json.loads(report)["files"]:
            path = pathlib.Path(file["file"])
            if path.parent == SOURCES:
                for line in file["lines"]:
                    lines[path.name][line["line_number"]] += line["count"]
    return lines


class Reasons:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.entries = tomllib.load(file)["unreached"]
        for entry in self.entries:
            if set(entry) != {"file", "lines", "reason"} or not entry["reason"].strip():
                raise SystemExit(f"{path}: expected file, lines and reason, found {entry}")
        self.used = set()

    def of(self, file, text):
        for entry in self.entries:
            for part in entry["lines"]:
                if entry["file"] == file and part in text:
                    self.used.add((file, part))
                    return entry["reason"]
        return None

    def unused(self):
        known = {(entry["file"], part) for entry in self.entries for part in entry["lines"]}
        return sorted(known - self.used)


def main():
    reasons = Reasons(HERE / "unreached.toml")
    by_file = counts(sys.stdin)
    reached = {file: sum(count > 0 for count in lines.values()) for file, lines in by_file.items()}
    for file, lines in sorted(by_file.items()):
        print(f"{file:24} {reached[file]:5} of {len(lines):5} lines")
    print(f"{'all':24} {sum(reached.values()):5} of {sum(map(len, by_file.values())):5} lines")
    good = True
    for file, lines in sorted(by_file.items()):
        source = (SOURCES / file).read_text().splitlines()
        for number in sorted(number for number, count in lines.items() if count == 0):
            text = source[number - 1].strip()
            reason = reasons.of(file, text)
            good = good and reason is not None
            print(f"{file}:{number}: {text}\n    {reason or 'NO REASON'}")
    for file, part in reasons.unused():
        good = False
        print(f"unreached.toml: {file}: {part!r} was reached, or is not there")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
