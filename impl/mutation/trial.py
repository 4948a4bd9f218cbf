"""One mutant on trial: built, linked into a librpma, and judged by the suite until the first rule breaks."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading

SECONDS_FOR_ONE = 120
BROKEN = re.compile(r"^(FAIL|CRASH|TIMEOUT|EXIT|MISSING|MEMORY|OUTPUT)\b *(\S*)")


class Trial:
    """Where things are: `source` and `include` of the library, its `objects`, the version `script`, the suite, the fake."""

    def __init__(self, compiler, source, objects, suite, fake):
        self.compiler, self.suite, self.fake = compiler, suite, fake
        self.source = pathlib.Path(source)
        self.impl = self.source.parent
        self.objects = {pathlib.Path(o).name.split(".")[0]: o for o in objects}

    def users_of(self, name):
        """The sources that the file is part of: itself, or all that include it, directly or not."""
        texts = {path.name: path.read_text() for path in self.source.iterdir() if path.suffix in (".cc", ".h")}
        part_of, grown = {name}, True
        while grown:
            more = {n for n, text in texts.items() if any(f'#include "{p}"' in text for p in part_of)}
            grown = not more <= part_of
            part_of |= more
        return sorted(n for n in part_of if n.endswith(".cc"))

    def build(self, mutant, folder):
        """The library with the mutant in it; None if it does not compile."""
        copy = folder / "src"
        shutil.copytree(self.source, copy)
        lines = (copy / mutant.file).read_text().splitlines()
        lines[mutant.line - 1] = mutant.after
        (copy / mutant.file).write_text("\n".join(lines) + "\n")
        users = self.users_of(mutant.file)
        kept = [path for stem, path in self.objects.items() if f"{stem}.cc" not in users]
        # A header is part of many sources: they are compiled as one translation unit, which reads the common headers once.
        unit = folder / "users.cc"
        unit.write_text("".join(f'#include "{copy / name}"\n' for name in users))
        compiled = str(folder / "users.o")
        command = [self.compiler, "-std=c++20", "-O1", "-w", "-fPIC", "-fvisibility=hidden", "-fvisibility-inlines-hidden",
                   f"-I{self.impl}/include", "-c", str(unit), "-o", compiled]
        if subprocess.run(command, stderr=subprocess.DEVNULL).returncode != 0:
            return None
        library = folder / "librpma.so.0"
        subprocess.run([self.compiler, "-shared", "-Wl,-soname,librpma.so.0", f"-Wl,--version-script={self.impl}/librpma.map",
                        compiled, *kept, "-libverbs", "-lrdmacm", "-o", str(library)], check=True)
        return library

    def judge(self, library):
        """What broke first, or "" if the whole suite holds, with native atomic write and without."""
        return self.run(library, [], {}) or self.run(library, ["rpma_atomic_write.*"], {"FAKENIC_WITHOUT": "atomic_write"})

    def run(self, library, rules, environment):
        command = [self.suite, "--sut", str(library), "--fake-dir", self.fake, "--seed", "1", "--cases", "20", "--jobs", "1", *rules]
        run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               env={**os.environ, **environment})
        clock = threading.Timer(SECONDS_FOR_ONE, run.kill)
        clock.start()
        try:
            for line in run.stdout:
                if match := BROKEN.match(line):
                    return f"{match.group(1)} {match.group(2)}"
            status = run.wait()
            return "" if status == 0 else f"exit status {status}"
        finally:
            clock.cancel()
            run.terminate()
            run.stdout.close()
            run.wait()

    def verdict(self, mutant):
        """"invalid", "caught: by what", or "survived"."""
        with tempfile.TemporaryDirectory() as folder:
            library = self.build(mutant, pathlib.Path(folder))
            if library is None:
                return "invalid"
            broke = self.judge(library)
            return f"caught: {broke}" if broke else "survived"
