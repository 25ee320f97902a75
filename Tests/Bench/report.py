#!/usr/bin/env python3
"""What becomes of the figures of bench.

    report.py compare OLD NEW    how much faster or slower, by the files that bench wrote
    report.py plot FILE SVG      draws the scaling curves
    report.py table FILE         prints the figures beside the goals
"""

import json
import math
import sys


def distribution(samples: list) -> dict:
    """What is kept of samples in nanoseconds."""
    ordered = sorted(samples)
    # Of fewer rounds the worst one or two would be the 99th percentile: chance, told as a figure.
    p99 = ordered[int(len(ordered) * 0.99)] / 1000 if len(ordered) >= 500 else None
    return {"median_us": ordered[len(ordered) // 2] / 1000, "p99_us": p99, "samples": len(ordered)}


def own(entry: dict) -> str:
    """The side that is ours comes first."""
    return next(iter(entry["sides"]))


# Of our median, how many times what stands beside it it may be; for all, unless one of them is named.
GOALS = {
    ("fan-out", "dbus-daemon"): {"": 1.0},
    ("fan-out on one processor", "dbus-daemon"): {"": 1.0},
    ("fan-out on one processor", "bare C"): {"10": 1.5},
    ("fan-out", "bare C"): {"10": 1.5, "100": 1.25, "1000": 1.2, "3000": 1.2, "10000": 1.2},
    ("hop", "dbus-daemon"): {"1": 1.5, "100": 0.5},
    ("hop on one processor", "dbus-daemon"): {"1": 1.5, "100": 0.5},
    ("calls on one processor", "dbus-daemon"): {"": 1.0},
    ("start", "least Swift"): {"": 1.3},
    ("command", "dbus-send"): {"": 1.1},
    ("command", "themectl get"): {"": 1.2},
}
# Of the memory, in KiB.
MEMORY_GOALS = {"idle": {"pss_kib": 6144, "private_dirty_kib": 1229}}


def goal(entry: dict, side: str) -> str:
    """What our median is to stay below, where that is said, and whether it does."""
    median = entry["sides"][own(entry)]["median_us"]
    if side == own(entry):
        most, text = entry.get("goal_us"), f"{entry.get('goal_us', 0) / 1000:g} ms"
    else:
        goals = GOALS.get((entry["part"], side), {})
        ratio = goals.get(entry["what"], goals.get(""))
        most, text = (None, "") if ratio is None else (ratio * entry["sides"][side]["median_us"], f"{ratio:g}")
    return "" if most is None else f"   goal {text}: {'kept' if median <= most else 'MISSED'}"


def memory_goals(name: str, figure: dict) -> str:
    return "".join(f"   goal {most}: {'kept' if figure[key] <= most else 'MISSED'}"
                   for key, most in MEMORY_GOALS.get(name, {}).items())


def print_table(result: dict) -> None:
    print(f"{'':34}{'median':>12}{'99th perc.':>12}   ours to it")
    part = None
    for entry in result["entries"]:
        if entry["part"] != part:
            part = entry["part"]
            print(f"\n{part}")
        ours = entry["sides"][own(entry)]["median_us"]
        for side, figures in entry["sides"].items():
            ratio = "" if side == own(entry) else f"{ours / figures['median_us']:12.2f}"
            name = f"{entry['what']}: {side}" if entry["what"] != side else side
            p99 = "-" if figures["p99_us"] is None else f"{figures['p99_us']:.1f}µs"
            print(f"  {name:32}{figures['median_us']:10.1f}µs{p99:>12}{ratio}{goal(entry, side)}")
    for name, reason in result.get("not_there", {}).items():
        print(f"  {name:32}not there: {reason}")
    print("\nmemory and sleep")
    for name, figure in result["memory_and_sleep"].items():
        words = ", ".join(f"{key} {value}" for key, value in figure.items()) if isinstance(figure, dict) else figure
        print(f"  {name.replace('_', ' '):32}{words}{memory_goals(name, figure) if isinstance(figure, dict) else ''}")


def compare(old: dict, new: dict) -> None:
    """Machines differ from day to day: beside our time, its ratio to each yardstick of the same run is compared."""
    before = {(entry["part"], entry["what"]): entry["sides"] for entry in old["entries"]}
    print(f"{'':40}{'old':>12}{'new':>12}{'new/old':>10}   of its ratio to each yardstick")
    for entry in new["entries"]:
        sides, earlier, ours = entry["sides"], before.get((entry["part"], entry["what"])), own(entry)
        if not earlier or ours not in earlier:
            continue
        was, now = earlier[ours]["median_us"], sides[ours]["median_us"]
        ratios = [f"{side} {now / sides[side]['median_us'] / (was / earlier[side]['median_us']):.2f}"
                  for side in sides if side != ours and side in earlier]
        name = f"{entry['part']}, {entry['what']}"
        print(f"{name:40}{was:10.1f}µs{now:10.1f}µs{now / was:10.2f}   {', '.join(ratios)}")
    for name, figure in new["memory_and_sleep"].items():
        earlier = old["memory_and_sleep"].get(name)
        if isinstance(figure, dict) and isinstance(earlier, dict):
            for key, value in figure.items():
                print(f"{name.replace('_', ' ') + ', ' + key:40}{earlier.get(key, '-'):>12}{value:>12}")


COLORS = {"themed": "#3584e4", "bare C": "#5e5c64", "dbus-daemon": "#c64600"}
LEFT, TOP, WIDTH, HEIGHT = 80, 40, 520, 300


def plot(result: dict) -> str:
    """The fan-out, both axes logarithmic."""
    curves = {}
    for entry in result["entries"]:
        if entry["part"] == "fan-out":
            for side, figures in entry["sides"].items():
                curves.setdefault(side, []).append((int(entry["what"]), figures["median_us"]))
    counts = [count for curve in curves.values() for count, _ in curve]
    times = [time for curve in curves.values() for _, time in curve]
    right = max(1, math.ceil(math.log10(max(counts))))
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))

    def x(count):
        return LEFT + WIDTH * math.log10(count) / right

    def y(time):
        return TOP + HEIGHT * (1 - (math.log10(time) - low) / (high - low))

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 120} {TOP + HEIGHT + 60}" '
             'font-family="sans-serif" font-size="13" fill="#77767b">',
             f'<text x="{LEFT}" y="20">Time from a change until the last subscriber has it (median)</text>']
    for decade in range(low, high + 1):
        label = f"{10 ** decade:g} µs" if decade < 3 else f"{10 ** (decade - 3):g} ms"
        at = y(10 ** decade)
        lines.append(f'<path d="M{LEFT} {at:.1f}h{WIDTH}" stroke="#c0bfbc" stroke-opacity="0.5"/>'
                     f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{label}</text>')
    for decade in range(right + 1):
        at = x(10 ** decade)
        lines.append(f'<path d="M{at:.1f} {TOP}v{HEIGHT}" stroke="#c0bfbc" stroke-opacity="0.5"/>'
                     f'<text x="{at:.1f}" y="{TOP + HEIGHT + 20}" text-anchor="middle">{10 ** decade:,}</text>')
    lines.append(f'<text x="{LEFT + WIDTH / 2}" y="{TOP + HEIGHT + 45}" text-anchor="middle">subscribers</text>')
    # The names stand at the curves' ends, apart from each other.
    below = float("-inf")
    for side, curve in sorted(curves.items(), key=lambda item: y(item[1][-1][1])):
        points = " ".join(f"{x(count):.1f},{y(time):.1f}" for count, time in curve)
        below = max(below + 16, y(curve[-1][1]) + 4)
        lines.append(f'<polyline points="{points}" fill="none" stroke="{COLORS[side]}" stroke-width="2.5"/>')
        lines.append(f'<text x="{LEFT + WIDTH + 8}" y="{below:.1f}" fill="{COLORS[side]}">{side}</text>')
    return "\n".join(lines + ["</svg>"]) + "\n"


def load(path: str) -> dict:
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main(words: list) -> None:
    if len(words) == 3 and words[0] == "compare":
        compare(load(words[1]), load(words[2]))
    elif len(words) == 2 and words[0] == "table":
        result = load(words[1])
        print(f"commit {result['commit']}, {result['machine']['processors']} processors "
              f"({', '.join(result['machine']['processor'])}), {result['machine']['system']}\n")
        print_table(result)
    elif len(words) == 3 and words[0] == "plot":
        result = load(words[1])
        if not result["meaningful"]:
            sys.exit(f"{words[1]} means nothing: it was a quick run, or the machine was busy; 'make bench' makes it anew")
        with open(words[2], "w", encoding="utf-8") as file:
            file.write(plot(result))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
