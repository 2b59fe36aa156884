#!/usr/bin/env bash
# inspect.sh ARGUMENTS… | install
# Runs inspectlog.py with the version of inspect_ai in requirements.txt. If necessary, it first installs inspect_ai into
# conformance/.inspect, which git ignores; this takes a minute or two. Needs Python 3.10 or later; the exit code is 3 if it
# is missing or pip fails.
set -euo pipefail
cd "$(dirname "$0")"
if ! cmp -s requirements.txt .inspect/requirements.txt; then
	python3 -c 'import sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || { echo "Python 3.10 with venv is missing" >&2; exit 3; }
	rm -rf .inspect
	python3 -m venv .inspect
	.inspect/bin/pip install --quiet --disable-pip-version-check -r requirements.txt >&2 || { echo "pip cannot install inspect_ai" >&2; exit 3; }
	cp requirements.txt .inspect/
fi
[ "${1-}" = install ] || exec .inspect/bin/python inspectlog.py "$@"
