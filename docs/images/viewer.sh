#!/usr/bin/env bash
# Makes viewer.png, the picture of the viewer in README.md, from two recorded sessions. Needs Chromium.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
sessions=replay-engine/src/test/resources/sessions
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

code=0
./replay diff --sessions "$sessions" task-18_trial-0 task-18_trial-2 --html "$tmp/diff.html" >"$tmp/out" || code=$?
if [ "$code" -ne 1 ]; then
  cat "$tmp/out"
  exit "$code"
fi
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 \
  --window-size=1200,820 --virtual-time-budget=3000 --screenshot="$PWD/docs/images/viewer.png" \
  "file://$tmp/diff.html#d2" 2>"$tmp/chromium" || {
  cat "$tmp/chromium"
  exit 1
}
ls -l docs/images/viewer.png
