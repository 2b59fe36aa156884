#!/usr/bin/env bash
# aimock.sh ARGUMENTS…
# Runs aimock, a mock server of another project for all five protocols, like its command llmock. If necessary, it first installs the
# version of package-lock.json into conformance/node_modules, which git ignores. Needs Node 20.15 or later with npm.
set -euo pipefail
cd "$(dirname "$0")"
program=node_modules/@copilotkit/aimock/dist/cli.js
version=$(sed -n 's/.*"@copilotkit\/aimock": "\(.*\)".*/\1/p' package.json)
if ! grep -qs "\"version\": \"$version\"" node_modules/@copilotkit/aimock/package.json; then
	npm ci --silent --ignore-scripts --no-audit --no-fund >&2
fi
exec node "$program" "$@"
