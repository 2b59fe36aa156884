"""Builds our programs, and installs the other tools below bench/.tools with pip and npm.

The versions are those of requirements.txt and package.json. A tool with the right version is not installed again.
"""

import hashlib
import os
import shutil
import subprocess
import sys

from harness.tools import HERE, INSTALLED

ROOT = os.path.dirname(HERE)


def build():
    os.makedirs(INSTALLED, exist_ok=True)
    subprocess.run(["go", "build", "-trimpath", "-o", os.path.join(INSTALLED, "verbatim"), "./cmd/verbatim"], cwd=ROOT, check=True)
    subprocess.run(["go", "build", "-trimpath", "-o", INSTALLED + "/", "./server", "./bare", "./took", "./watched"], cwd=HERE, check=True)


def install(needs):
    """Installs what the tools need: "venv", "npm" or both."""
    if "venv" in needs:
        once("venv", "requirements.txt", python)
    if "npm" in needs:
        once("npm", "package.json", node)


def once(folder, pins, make):
    """Calls make, unless the folder was made from these pins before."""
    folder, pins = os.path.join(INSTALLED, folder), os.path.join(HERE, pins)
    with open(pins, "rb") as f:
        digest = hashlib.sha256(f.read()).hexdigest()
    stamp = os.path.join(folder, "installed-from")
    if os.path.exists(stamp) and open(stamp).read() == digest:
        return
    print(f"installing {os.path.basename(pins)} into {os.path.relpath(folder)}, once; this takes minutes", file=sys.stderr)
    shutil.rmtree(folder, ignore_errors=True)
    make(folder, pins)
    with open(stamp, "w") as f:
        f.write(digest)


def python(folder, pins):
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([os.path.join(folder, "bin", "pip"), "install", "--quiet", "--disable-pip-version-check", "--requirement", pins], check=True)


def node(folder, pins):
    os.makedirs(folder)
    shutil.copy(pins, folder)
    subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=folder, check=True)
