"""The scenarios that are measured. A scenario takes a Bench and returns a Table."""

import os
import shutil
import tempfile
import time
from statistics import median

from harness import measure
from harness.table import Table
from harness.tools import INSTALLED, AUTO, VERBATIM, Job, environment


# For more requests than this no file of items is written: only verbatim sends so many, and it draws its own items.
MOST_WRITTEN = 50_000


class Bench:
    """The data that scenarios share: the chosen tools, the number of rounds, the scale, a scratch folder, a function that logs a line, and the items."""

    def __init__(self, tools, rounds, scale, scratch, log):
        self.tools, self.rounds, self.scale, self.scratch, self.log = tools, rounds, scale, scratch, log
        self.drawn = {}

    def items(self, n):
        """The path of a file with n items."""
        if n not in self.drawn:
            self.drawn[n] = os.path.join(self.scratch, f"items-{n}.jsonl")
            measure.items(VERBATIM, n, self.drawn[n])
        return self.drawn[n]

    def job(self, server, n, jobs, stream):
        folder = tempfile.mkdtemp(dir=self.scratch)
        items = "" if n > MOST_WRITTEN else self.items(n)
        return Job(server.url, n, jobs, stream, items, folder)

    def run(self, argv, **more):
        return measure.run(os.path.join(INSTALLED, "took"), argv, **more)

    def server(self, *options):
        return measure.Server(os.path.join(INSTALLED, "server"), *options)

    def once(self, tool, n, jobs, stream, *options, check=True):
        """One run of a tool with a server of its own. It fails unless all requests were answered and all answers are right."""
        with self.server(*options) as server:
            job = self.job(server, n, jobs, stream)
            took = self.run(tool.start(job), env=environment(job), cwd=job.folder)
            counts = server.counts()
        right = tool.right(job, took.out)
        if check and (took.code < 0 or right != n or counts["answered"] < n or counts.get("prompts", n) != n):
            raise SystemExit(f"{tool.name}: exit {took.code}, {right} of {n} right by its own count; the server: {counts}\n{took.out[-3000:]}")
        shutil.rmtree(job.folder)
        self.log(f"{tool.name}: {n} requests, {took.seconds:.2f} s, CPU {took.cpu:.2f} s, {took.rss / 1e6:.0f} MB")
        return took


def rate(stream):
    """Requests a second without latency, 64 in flight."""

    def scenario(bench):
        tools = [t for t in bench.tools if t.streams or not stream]
        starts, whole = {t.name: [] for t in tools}, {t.name: [] for t in tools}
        for turn in range(bench.rounds):
            for t in tools[turn % len(tools):] + tools[:turn % len(tools)]:
                starts[t.name].append(bench.once(t, 1, 64, stream))
                whole[t.name].append(bench.once(t, max(64, int(t.n * bench.scale)), 64, stream))
        rows = []
        for t in tools:
            n = max(64, int(t.n * bench.scale))
            start, start_cpu = median(x.seconds for x in starts[t.name]), median(x.cpu for x in starts[t.name])
            rows.append({
                "tool": t.name,
                "requests": n,
                "requests/s": n / median(x.seconds for x in whole[t.name]),
                "after start-up": (n - 1) / max(median(x.seconds for x in whole[t.name]) - start, 1e-3),
                "start-up s": start,
                "CPU ms/request": 1000 * (median(x.cpu for x in whole[t.name]) - start_cpu) / (n - 1),
                "start-up CPU s": start_cpu,
                "peak RSS MB": median(x.rss for x in whole[t.name]) / 1e6,
            })
        against(rows, "after start-up", "speed ÷ bare")
        against(rows, "CPU ms/request", "CPU ÷ bare")
        return Table(f"No latency, 64 in flight, {'streamed, an event for every 16 bytes' if stream else 'in one piece'}; medians of {bench.rounds}", rows)

    return scenario


def against(rows, column, name):
    """Adds a column with the ratio to the bare loop; None without it."""
    bare = [r[column] for r in rows if r["tool"].startswith("bare")]
    for r in rows:
        r[name] = r[column] / bare[0] if bare else None


def latency(jobs, n):
    """1,000 ms latency: the time as a multiple of the ideal, which is N / in flight × latency."""

    def scenario(bench):
        count = max(jobs, int(n * bench.scale))
        rows = []
        tools = bench.tools + [AUTO for t in bench.tools if t.name == "verbatim" and jobs <= 256]
        took = {t.name: [] for t in tools}
        for _ in range(max(1, bench.rounds // 3)):
            for t in tools:
                took[t.name].append(bench.once(t, count, jobs, t.streams, "-latency", "1s"))
        ideal = -(-count // jobs) * 1.0
        for t in tools:
            seconds = median(x.seconds for x in took[t.name])
            rows.append({
                "tool": t.name, "requests": count, "seconds": seconds, "× ideal": seconds / ideal,
                "CPU ms/request": 1000 * median(x.cpu for x in took[t.name]) / count, "peak RSS MB": median(x.rss for x in took[t.name]) / 1e6,
            })
        return Table(f"1,000 ms latency, {jobs:,} in flight, start-up included; the ideal is {ideal:.0f} s", rows)

    return scenario


def memory(bench):
    """Peak memory of verbatim by the number of requests."""
    rows = []
    for n in (10_000, 100_000, 1_000_000):
        for t in [t for t in bench.tools if t.name == "verbatim"]:
            count = max(64, int(n * bench.scale))
            x = bench.once(t, count, 64, False, "-remember=false")
            rows.append({"tool": t.name, "requests": count, "seconds": x.seconds, "requests/s": count / x.seconds, "CPU ms/request": 1000 * x.cpu / count, "peak RSS MB": x.rss / 1e6})
    return Table("Memory by the number of requests, in one piece, 64 in flight, one run each", rows)


def crash(bench):
    """SIGKILL after 500 of 1,000 answers; then the tool continues in its own way."""
    rows = []
    for t in bench.tools:
        again, right = [], None
        for _ in range(bench.rounds):
            with bench.server("-latency", "50ms") as server:
                job = bench.job(server, 1000, 64, t.streams)
                env = environment(job)
                bench.run(t.start(job), env=env, cwd=job.folder, until=lambda: server.counts()["answered"] >= 500)
                time.sleep(0.5)  # the server ends what is in flight
                before = server.counts()
                for argv in t.resume(job) if t.resume else [t.start(job)]:
                    took = bench.run(argv, env=env, cwd=job.folder)
                after = server.counts()
            right = t.right(job, took.out)
            again.append(after["again"])
            bench.log(f"{t.name}: {before['answered']} answered when killed, {after['again']} asked again, {right} right at the end")
        rows.append({"tool": t.name, "answered when killed": before["answered"], "paid twice": median(again), "paid twice, range": f"{min(again)}–{max(again)}", "right at the end": right})
    return Table(f"SIGKILL after 500 of 1,000 answers, 64 in flight, then again; medians of {bench.rounds}", rows)


def outage(bench):
    """30 % of the prompts get status 500 whenever they are asked."""
    rows = []
    for t in bench.tools:
        with bench.server("-failing", "0.3") as server:
            job = bench.job(server, 200, 16, t.streams)
            took = bench.run(t.start(job), env=environment(job), cwd=job.folder, limit=180)
            counts = server.counts()
        result = t.result(job, took) if took.code != -9 else "had not ended after 180 s"
        bench.log(f"{t.name}: {result}")
        rows.append({"tool": t.name, "answered": counts["answered"], "status 500": counts["failed"], "seconds": took.seconds, "final result": result})
    return Table("200 prompts, of which 30 % get status 500 however often they are asked", rows)


SCENARIOS = {
    "plain": rate(False),
    "stream": rate(True),
    "latency-256": latency(256, 2560),
    "latency-2000": latency(2000, 6000),
    "memory": memory,
    "crash": crash,
    "outage": outage,
}
