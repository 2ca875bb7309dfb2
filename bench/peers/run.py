#!/usr/bin/env python3
"""Runs Trundle and other programs on the same work, one after the other in turn, and writes one table, JSON and a page.

usage: run.py --bin FOLDER [--works W2,W3] [--json FILE] [--page FILE] [--quick]

FOLDER has the drivers (make bench-peers builds them). Every run is pinned to one core; times are CPU times of the thread,
the best of several rounds. --quick is the self-test: every driver does the first hundred steps of W3 and must agree with
the closed form, and frozen problems of a few contacts are judged; exit code 77 where no peer is there.
"""
import argparse
import json
import math
import os
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import accuracy
import frozen
import page
from state import read_state
from works import TRUNDLE, Bench, Missing, all_cases, slope_case

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PER = {"ns/step": 1e9, "us/step": 1e6, "ms": 1e3}


def row_of(case, entry):
    return {"work": case.work, "what": case.what, "peer": entry.peer, "settings": entry.settings, "version": None,
            "seconds": None, "steps": None, "value": None, "unit": case.unit, "accuracy": {}, "ratio": None, "remark": None}


def try_entry(bench, case, entry, row):
    try:
        answer, end = entry.run(bench, case, case.steps, case.windows, case.warmup)
    except Missing as reason:
        row["remark"] = str(reason)
        return
    except RuntimeError as reason:
        row["remark"] = "failed: " + str(reason).strip().splitlines()[-1]
        return
    best = min(answer["seconds"])
    if row["seconds"] is None or best < row["seconds"]:
        row["seconds"] = best
    row["version"], row["steps"] = answer["version"], answer["steps"]
    counted = answer["steps"] if case.windows == 1 and case.warmup == 0 else case.steps  # fewer where it stopped
    row["value"] = row["seconds"] * PER[case.unit] / (1 if case.unit == "ms" else counted)
    if not row["accuracy"]:
        start = read_state(case.start)
        row["accuracy"] = case.measure(start, end, answer)
        if entry.longer:
            _, later = entry.run(bench, case, case.steps * entry.longer, 1, 0)
            row["accuracy"]["in %d times as long again" % (entry.longer - 1)] = accuracy.drift(start, end, later)


def run_case(bench, case):
    if isinstance(case, frozen.FrozenCase):
        return case.run(bench)
    case.prepare(bench)
    rows = [row_of(case, entry) for entry in case.entries]
    for _ in range(case.rounds):
        for entry, row in zip(case.entries, rows):
            if row["remark"] is None:
                try_entry(bench, case, entry, row)
    for row in rows:
        row["ratio"] = row["value"] / rows[0]["value"] if row["value"] and rows[0]["value"] else None
    return rows


def quick(bench):
    """Every driver's first 10 ms of W3 against the closed form; tolerances from what a step can do wrong."""
    case = slope_case(100)
    case.prepare(bench)
    peers, failed = 0, 0
    start = read_state(case.start)
    press = -start["gravity"][2]
    for entry in case.entries:
        try:
            _, end = entry.run(bench, case, case.steps, 1, 0)
        except Missing as reason:
            print(f"{entry.peer}: skipped: {reason}")
            continue
        peers += entry.peer != TRUNDLE
        error = accuracy.slope(start, end, 0.01)["error m/s"]
        # A rigid contact is wrong by a step's worth of friction, a soft one also by the time its spring takes to carry.
        soft = entry.stiffness or (2.0e6 if entry.stepper == "track" else None)
        delay = case.step + (math.sqrt(start["bodies"][0]["mass"] / soft) if soft else 0.0)
        good = error <= (1.0 + start["slide"]) * press * delay and end["bodies"][0]["velocity"][0] < 0.49
        failed += not good
        print(f"{'good' if good else 'BAD '} {entry.peer} ({entry.settings}): error {error:.3g} m/s")
    failed += frozen.quick(bench)
    if failed:
        return 1
    return 0 if peers else 77


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True)
    parser.add_argument("--works", default="")
    parser.add_argument("--json")
    parser.add_argument("--page")
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="peers-") as scratch:
        bench = Bench(arguments.bin, SOURCE, scratch, max(os.sched_getaffinity(0)))
        if not bench.has(TRUNDLE):
            print("peers: the drivers are not built; `make bench-peers` builds them (cmake -DTRUNDLE_PEERS=ON)")
            return 77
        if arguments.quick:
            return quick(bench)
        wanted = [w for w in arguments.works.split(",") if w]
        begun, rows = time.time(), []
        for case in all_cases():
            if not wanted or case.work in wanted:
                try:
                    done = run_case(bench, case)
                except RuntimeError as reason:
                    print(f"peers: {case.work}: {reason}", file=sys.stderr)
                    continue
                rows += done
                print(page.case_text(done), flush=True)
        result = {"machine": page.machine(), "seconds": time.time() - begun, "rows": rows}
    if arguments.json:
        os.makedirs(os.path.dirname(os.path.abspath(arguments.json)), exist_ok=True)
        json.dump(result, open(arguments.json, "w"), indent=1)
    if arguments.page:
        page.update(arguments.page, result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
