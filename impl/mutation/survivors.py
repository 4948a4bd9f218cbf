"""What is known of mutants that the suite does not catch: survivors.toml, a reason for each or for each kind."""

import re
import tomllib


class Survivors:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.entries = tomllib.load(file).get("survivor", [])
        for entry in self.entries:
            if set(entry) != {"mutant", "reason"} or not entry["reason"].strip():
                raise SystemExit(f"{path}: expected mutant and reason, found {entry}")
        self.used = set()

    @staticmethod
    def matches(pattern, name):
        """`...` in a pattern stands for any text."""
        return re.fullmatch(".*".join(re.escape(part) for part in pattern.split("...")), name) is not None

    def knows(self, name):
        known = [entry["mutant"] for entry in self.entries if self.matches(entry["mutant"], name)]
        self.used.update(known)
        return bool(known)

    def stale(self, caught):
        """Entries for one mutant that was caught after all."""
        return [e["mutant"] for e in self.entries if "..." not in e["mutant"] and e["mutant"] in caught]

    def unused(self, survived):
        """Entries that no survivor of a full run matches."""
        for name in survived:
            self.knows(name)
        return [e["mutant"] for e in self.entries if e["mutant"] not in self.used]
