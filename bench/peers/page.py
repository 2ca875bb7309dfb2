"""The table of `make bench-peers` as text for a terminal and as part of docs/measurements/peers.md."""
import os
import platform
import re
import time

BEGIN, END = "<!-- table: written by make bench-peers -->", "<!-- end of the table -->"


def machine():
    cpu = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo").read())
    return {"cpu": cpu.group(1) if cpu else platform.machine(), "processors": os.cpu_count(),
            "system": platform.freedesktop_os_release().get("PRETTY_NAME", platform.system()),
            "load": os.getloadavg()[0], "date": time.strftime("%Y-%m-%d", time.gmtime())}


def number(x):
    if x is None:
        return ""
    if isinstance(x, str):
        return x
    return f"{x:.4g}"


def cells(row):
    name = f"{row['peer']} {row['version']}" if row["version"] else row["peer"]
    if row["remark"]:
        return [name, row["settings"], row["remark"], "", ""]
    measured = ", ".join(f"{key} {number(value)}" for key, value in row["accuracy"].items())
    taken = f"{number(row['value'])} {row['unit']}" if row["value"] is not None else "not reached"
    return [name, row["settings"], taken, measured, number(row["ratio"])]


def case_text(rows):
    """A case for the terminal."""
    lines = [f"{rows[0]['work']}: {rows[0]['what']}"]
    table = [["program", "settings", "time", "accuracy", "time / first"]] + [cells(row) for row in rows]
    widths = [max(len(line[k]) for line in table) for k in range(5)]
    lines += ["  " + "  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in table]
    return "\n".join(lines) + "\n"


def tables(result):
    m = result["machine"]
    lines = [f"{m['cpu']}, {m['processors']} processors, {m['system']}, {m['date']}, load at the end {m['load']:.1f}; the whole "
             f"run took {result['seconds'] / 60:.1f} minutes.", ""]
    what = None
    for row in result["rows"]:
        if row["what"] != what:
            what = row["what"]
            lines += ["", f"**{row['work']}**: {what}", "",
                      "| program | settings | time | accuracy | time / first row |", "|---|---|---|---|---|"]
        lines.append("| " + " | ".join(cells(row)) + " |")
    return "\n".join(line for k, line in enumerate(lines) if line or (k and lines[k - 1]))


def update(path, result):
    """Puts the tables between the markers of a page."""
    text = open(path).read()
    head, rest = text.split(BEGIN)
    _, tail = rest.split(END)
    open(path, "w").write(f"{head}{BEGIN}\n\n{tables(result)}\n\n{END}{tail}")
