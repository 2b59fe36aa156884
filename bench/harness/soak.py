"""Samples of a process, and whether they grow."""

import os
import statistics

# A series is flat if its median grows from the second third to the last by at most this share, or this amount if it is more.
SLACK = {"goroutines": (0.05, 25), "descriptors": (0.05, 25), "threads": (0.1, 5), "RSS MB": (0.05, 5), "live heap MB": (0.1, 5), "held by Go MB": (0.05, 5)}


def sample(pid):
    """Descriptors, threads and resident memory of a process, from /proc; None if it has ended."""
    try:
        with open(f"/proc/{pid}/status") as f:
            status = dict(line.split(":", 1) for line in f)
        return {"descriptors": len(os.listdir(f"/proc/{pid}/fd")), "threads": int(status["Threads"]), "RSS MB": int(status["VmRSS"].split()[0]) / 1024}
    except (FileNotFoundError, ProcessLookupError, KeyError):
        return None


def judge(name, points):
    """A row about a series of (seconds, value): its medians by thirds, its maximum, its slope after the first third, and whether it is flat."""
    span = points[-1][0]
    thirds = [statistics.median([v for s, v in points if i * span / 3 <= s <= (i + 1) * span / 3]) for i in range(3)]
    rest = [(s, v) for s, v in points if s >= span / 3]
    share, amount = SLACK[name]
    grown = thirds[2] - thirds[1]
    return {
        "series": name, "first third": thirds[0], "second third": thirds[1], "last third": thirds[2],
        "most": float(max(v for _, v in points)), "slope per hour": slope(rest) * 3600, "verdict": "flat" if grown <= max(share * thirds[1], amount) else "GROWS",
    }


def slope(points):
    """The slope of the least squares line."""
    x, y = statistics.fmean(s for s, _ in points), statistics.fmean(v for _, v in points)
    across = sum((s - x) ** 2 for s, _ in points)
    return sum((s - x) * (v - y) for s, v in points) / across if across else 0.0
