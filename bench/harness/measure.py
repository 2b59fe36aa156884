"""Starts programs and the server, and measures the programs."""

import json
import os
import subprocess
import time
import urllib.request
from dataclasses import dataclass


@dataclass
class Took:
    """The resource usage of one process, with the children that it waited for."""

    seconds: float
    cpu: float  # seconds, user and system
    rss: int  # bytes: the peak of the largest single process
    code: int  # exit code; negative: ended by that signal
    out: str  # the end of its output, of both streams


def run(program, argv, *, env=None, cwd=None, limit=900, until=None):
    """Runs argv with the program took, and returns a Took.

    It is killed after limit seconds or, if until is given, as soon as until returns true, which is checked every 5 ms. The code is then -9.
    """
    log, usage = os.path.join(cwd, "out.txt"), os.path.join(cwd, "took.json")
    with open(log, "w") as f:
        p = subprocess.Popen([program, usage, *argv], env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=f, stderr=subprocess.STDOUT)
    while until and p.poll() is None and not until():
        time.sleep(0.005)
    try:
        p.wait(0 if until else limit)
    except subprocess.TimeoutExpired:
        p.terminate()
        p.wait()
    with open(log, errors="replace") as f:
        out = f.read()[-20000:]
    if p.returncode != 0:
        raise SystemExit(f"{argv[0]} could not be run: {out}")
    with open(usage) as f:
        return Took(**json.load(f), out=out)


class Server:
    """The server of bench/server, as a context."""

    def __init__(self, program, *options):
        self.argv = [program, *options]

    def __enter__(self):
        self.process = subprocess.Popen(self.argv, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        self.url = f"http://127.0.0.1:{self.port}/v1"
        return self

    def counts(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/counts") as answer:
            return json.load(answer)

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def items(program, n, path):
    """Writes n items of the task copy, 200 characters each: a line {"prompt", "want"} each."""
    with subprocess.Popen([program, "items", "--task", "copy", "--length", "200", "--items", str(n)], stdout=subprocess.PIPE, text=True) as p, open(path, "w") as f:
        for line in p.stdout:
            item = json.loads(line)
            f.write(json.dumps({"prompt": item["messages"][0]["content"], "want": item["want"]}) + "\n")
    if p.returncode != 0:
        raise SystemExit(f"{program} items: exit {p.returncode}")
