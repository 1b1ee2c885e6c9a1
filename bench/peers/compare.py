#!/usr/bin/env python3
"""Closes the same spaces with Spin and with holdfast in turns on one core, and prints what each needs.

Usage: compare.py HOLDFAST [--agree]

With --agree it compares what the two find, instead: verdicts, and lengths of the shortest counterexamples.
Needs Debian's spin, and gcc; exits with 77 where they are missing.
"""
import json
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

if not shutil.which("spin") or not shutil.which("gcc"):
    print("skipped: spin or gcc is not installed")
    sys.exit(77)

MODEL = pathlib.Path(__file__).with_name("getset.pml")
HOLDFAST = os.path.abspath(sys.argv[1])
SIZES = ("CLIENTS", "ROUNDS", "ATTEMPTS", "PAUSES", "DELAY")
REPETITIONS = 3
MEASURED = ["3-2-5-1-0", "4-2-3-1-0", "3-2-2-0-1"]
TOO_LARGE = ["exclusion/3-2-2-0-1/getset"]  # without reductions: more than 133 million states
PANS = {"pan": [], "pan -DNOREDUCE": ["-DNOREDUCE"], "pan -DCOLLAPSE": ["-DCOLLAPSE"], "pan -DHC4": ["-DHC4"]}
BENCHMARKS = {"holdfast, without reductions": "", "holdfast, without symmetry": "+reduced-symmetry",
              "holdfast": "+reduced"}

# What is not said is as usual; times are ticks of 10 ms. A pause of 70 ms is just enough, and so is a lease
# of 20 ms, which ends before the work.
USUAL = {"CLIENTS": 3, "ROUNDS": 2, "ATTEMPTS": 5, "PAUSES": 1, "DELAY": 0, "LEASE": 10, "PAUSE": 20}
JUDGED = [
    ("violated", {}),
    ("holds", {"PAUSES": 0}),
    ("holds", {"PAUSE": 6}),
    ("violated", {"PAUSE": 7}),
    ("violated", {"PAUSE": 8}),
    ("holds", {"PAUSES": 0, "LEASE": 3}),
    ("violated", {"PAUSES": 0, "LEASE": 2}),
    ("violated", {"LEASE": 5, "ATTEMPTS": 2}),
    ("violated", {"CLIENTS": 2, "PAUSES": 2}),
    ("violated", {"CLIENTS": 2, "ROUNDS": 1, "DELAY": 1}),
    ("holds", {"CLIENTS": 3, "ROUNDS": 1, "ATTEMPTS": 2, "PAUSES": 0, "DELAY": 1}),
]
# With a bug that is planted in the model alone, the two must differ here.
PLANTED = {"PAUSES": 0, "LEASE": 3}


def output_of(*words, cwd, may_fail=False):
    done = subprocess.run(words, cwd=cwd, stdout=subprocess.PIPE, text=True)
    if done.returncode and not may_fail:
        sys.exit(f"{' '.join(map(str, words))} failed: {done.stdout}")
    return done.stdout


def build_pan(sizes, flags, directory):
    shutil.copy(MODEL, directory)
    defines = [f"-D{name}={value}" for name, value in sizes.items()]
    output_of("spin", *defines, "-a", MODEL.name, cwd=directory)
    output_of("gcc", "-O2", "-w", "-DSAFETY", *flags, "-o", "pan", "pan.c", cwd=directory)
    return defines


def number_in(text, pattern):
    found = re.search(pattern, text)
    if not found:
        sys.exit(f"no {pattern!r} in what pan says: {text}")
    return float(found[1])


# --- what they find ---

def found_by_spin(sizes, directory):
    """The verdict and, if it is violated, the steps of the shortest run: holdfast has one before them."""
    defines = build_pan(sizes, ["-DBFS"], directory)
    errors = number_in(output_of("./pan", "-m100000", cwd=directory, may_fail=True), r"errors: (\d+)")
    if errors == 0:
        return "holds", None
    trail = output_of("spin", *defines, "-t", "-p", MODEL.name, cwd=directory, may_fail=True)
    steps = set(re.findall(r"^ *(\d+):\tproc +\d+ \((?:Client|Time):", trail, re.MULTILINE))
    return "violated", 1 + len(steps)


def found_by_holdfast(sizes, directory):
    ticks = lambda count: f"{10 * count}ms"
    program = [{"op": "acquire", "attempts": sizes["ATTEMPTS"]}, {"op": "work", "for": "40ms"},
               {"op": "write"}, {"op": "release"}]
    names = "ABCD"[:sizes["CLIENTS"]]
    scenario = {
        "version": 1,
        "algorithm": {"name": "getset", "params": {"ttl": ticks(sizes["LEASE"])}},
        "clients": [{"id": name, "repeat": sizes["ROUNDS"], "do": program} for name in names],
        "timing": {"tick": "10ms", "delay": {"min": "0ms", "max": ticks(sizes["DELAY"])},
                   "timeout": "10s", "retry": "30ms", "retryLate": "30ms"},
        "check": ["mutual-exclusion"],
    }
    if sizes["PAUSES"]:
        scenario["faults"] = [
            {"kind": "pause", "budget": sizes["PAUSES"], "magnitude": ticks(sizes["PAUSE"])}]
    pathlib.Path(directory, "getset.json").write_text(json.dumps(scenario))
    # It exits with 1 where the lock does not hold.
    said = output_of(HOLDFAST, "run", "getset.json", "--format", "json", cwd=directory, may_fail=True)
    result = json.loads(said)["runs"][0]["results"][0]
    return result["verdict"], result["trace_length"]


def agree(directory):
    failed = 0
    for expected, changes in JUDGED:
        sizes = {**USUAL, **changes}
        spin, holdfast = found_by_spin(sizes, directory), found_by_holdfast(sizes, directory)
        is_right = spin == holdfast and spin[0] == expected
        failed += not is_right
        what = ", ".join(f"{name}={value}" for name, value in changes.items()) or "as it is"
        sign = "ok" if is_right else "NOT OK"
        print(f"{sign}: {what}: spin {spin}, holdfast {holdfast}, expected {expected}", flush=True)
    sizes = {**USUAL, **PLANTED}
    spin, holdfast = found_by_spin({**sizes, "PLANTED": 1}, directory), found_by_holdfast(sizes, directory)
    failed += spin == holdfast
    print(f"{'NOT OK' if spin == holdfast else 'ok'}: planted in the model: spin {spin}, holdfast {holdfast}")
    print(f"{len(JUDGED) + 1 - failed} passed, {failed} failed")
    return 1 if failed else 0


# --- what they need ---

def closed_by_pan(slots, directory):
    """States, processor seconds of the process, and bytes of all that it keeps of states."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # -c0: it goes on after an error, as holdfast does.
    said = output_of("./pan", "-c0", f"-w{slots}", "-m100000", cwd=directory, may_fail=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if "Search not completed" in said:
        sys.exit(f"pan did not close the space: {said}")
    stack = number_in(said, r"([\d.]+)\tmemory used for DFS stack")
    megabytes = number_in(said, r"([\d.]+)\ttotal actual memory") - stack
    return {
        "states": number_in(said, r"([\d.e+]+) states, stored"),
        "seconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "bytes": megabytes * 2**20,
        "verdict": "violated" if number_in(said, r"errors: (\d+)") else "holds",
    }


def benchmark(name, form, directory):
    said = output_of(HOLDFAST, "bench", "engine", "--only", name, "--format", form, cwd=directory)
    return json.loads(said)["benchmarks"][0]


def measure(case, directory):
    sizes = {**USUAL, **dict(zip(SIZES, map(int, case.split("-"))))}
    programs = {}
    for title, flags in PANS.items():
        place = pathlib.Path(directory, re.sub(r"\W+", "-", title))
        place.mkdir(exist_ok=True)
        build_pan(sizes, flags, place)
        # A hash table of as many slots as there are states, at least.
        states = int(closed_by_pan(24, place)["states"])
        programs[title] = lambda place=place, slots=states.bit_length(): closed_by_pan(slots, place)
    for title, suffix in BENCHMARKS.items():
        name = f"exclusion/{case}/getset{suffix}"
        if name in TOO_LARGE:
            continue
        sizes = benchmark(name, "json", directory)
        known = {"states": sizes["states"], "bytes": sizes["bytes_per_state"] * sizes["states"]}
        programs[title] = lambda name=name, known=known: {
            **known, "seconds": benchmark(name, "google", directory)["cpu_time"] / 1e9}
    rows = {title: [] for title in programs}
    for _ in range(REPETITIONS):
        for title, execute in programs.items():
            rows[title].append(execute())
    first = next(iter(PANS))
    base = statistics.median(row["seconds"] for row in rows[first])
    print(f"\n`exclusion/{case}/getset`: {rows[first][0]['verdict']}\n")
    print("| program | states | processor seconds | times as fast as pan | states/s | bytes/state |")
    print("|---|---|---|---|---|---|")
    for title, taken in rows.items():
        states = taken[0]["states"]
        seconds = statistics.median(row["seconds"] for row in taken)
        print(f"| {title} | {states:,.0f} | {seconds:.3f} | {base / seconds:.2f} | {states / seconds:,.0f} "
              f"| {taken[0]['bytes'] / states:.1f} |", flush=True)


with tempfile.TemporaryDirectory(prefix="holdfast-peers-") as temporary:
    if "--agree" in sys.argv[2:]:
        sys.exit(agree(temporary))
    for each in MEASURED:
        measure(each, temporary)
