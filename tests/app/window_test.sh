#!/usr/bin/env bash
# The program in a real window: the tour of a first start, then start, scrub a number with the mouse, see the weights
# change, F12, undo, quit; and quit though driver and file dialog hang.
#   window_test.sh PROGRAM    (libfaulty_driver.so of the tests beside it)
set -euo pipefail
program=$1 here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

scratch=$(mktemp -d)
pid= server=
end() {
  # Waited for: a display that is still closing may take the socket of the next one along.
  for process in $pid $server; do kill "$process" 2>/dev/null && wait "$process" 2>/dev/null || true; done
  rm -rf "$scratch"
}
trap end EXIT

# A display of its own; the server says its number once it takes connections. It does not reset when the last client goes:
# a client that comes along meanwhile would be refused.
mkfifo "$scratch/number"
Xvfb -noreset -displayfd 3 -screen 0 1920x1200x24 -nolisten tcp 3>"$scratch/number" 2>"$scratch/xvfb.log" &
server=$!
read -r -t 60 display <"$scratch/number" || { cat "$scratch/xvfb.log" >&2; exit 1; }
export DISPLAY=:$display LC_ALL=C.UTF-8  # in English
export XDG_CONFIG_HOME=$scratch/config XDG_STATE_HOME=$scratch/state XDG_PICTURES_DIR=$scratch HOME=$scratch
recovery=$XDG_STATE_HOME/attention-lab/recovery.json
cd "$scratch"

die() { echo "window_test: $*" >&2; [ ! -f "$scratch/log" ] || cat "$scratch/log" >&2; exit 1; }

# until SECONDS COMMAND…: polls until the command succeeds.
until_true() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$deadline" ] || return 1
    kill -0 "$pid" 2>/dev/null || die "the program ended early"
    sleep 0.1
  done
}

find_window() { window=$(xdotool search --onlyvisible --name "Attention Lab" 2>/dev/null | head -n 1) && [ -n "$window" ]; }

# The first number of x in the work that the program remembers.
number() {
  /usr/bin/python3 - "$recovery" <<'PY' 2>/dev/null
import json, sys
print(json.loads(json.load(open(sys.argv[1]))["session"])["layer"]["x"][0][0])
PY
}
# … once it stays: while the mouse moves, the work is written down about twice a second.
settled_number() {
  local before=
  until [ -n "$before" ] && [ "$(number)" = "$before" ]; do
    before=$(number) || true
    sleep 1.5
  done
  echo "$before"
}
number_differs() { local now; now=$(number) && [ "$now" != "$1" ]; }
number_is() { [ "$(number)" = "$1" ]; }
has_line() { grep -qx "$2" "$1" 2>/dev/null; }
has_ended() { ! kill -0 "$pid" 2>/dev/null; }
pictures() { find "$scratch" -maxdepth 1 -name '*.png' -size +0 -printf '%T@ %p\n' | sort -n | cut -d' ' -f2-; }
has_pictures() { [ "$(pictures | wc -l)" -ge "$1" ]; }
newest_picture() { pictures | tail -n 1; }

start() {
  "$program" "$@" >"$scratch/log" 2>&1 &
  pid=$!
  until_true 60 find_window || die "no window appeared"
  xdotool windowsize --sync "$window" 1600 1000 || true
  xdotool windowfocus --sync "$window" || true
  sleep 0.5
}

# ended WHY: waits until the program and its window are gone; another one is found by the same name.
ended() {
  local i
  for ((i = 0; i < 600; ++i)); do
    ! has_ended || break
    sleep 0.1
  done
  has_ended || die "$1"
  wait "$pid" || die "the program ended with status $?"
  pid=
  while find_window; do sleep 0.1; done
}

quit() {
  # The window goes at the press; xdotool finds none to release the keys in, and leaves the display with them down.
  xdotool key --window "$window" --delay 80 ctrl+q 2>/dev/null || true
  ended "Ctrl+Q does not end the program"
  xdotool keyup q keyup ctrl
}

# The device's test and its kernels, so that the window has its numbers before a picture of it is taken.
"$program" trace three-tokens >/dev/null 2>&1

# The very first start begins the tour, which does not come again once it was skipped.
lessons=$XDG_STATE_HOME/attention-lab/lessons.json
plays_tour() { grep -q '"tour"' "$lessons" 2>/dev/null; }
start
until_true 60 test -s "$lessons" || die "the first start is not noted"
sleep 1
xdotool key --window "$window" --delay 80 Right
xdotool key --window "$window" --delay 80 Escape
until_true 60 plays_tour || die "the first start begins no tour"
quit
toured=$(stat -c '%i %y' "$lessons")
start
sleep 1
xdotool key --window "$window" --delay 80 Right
xdotool key --window "$window" --delay 80 Escape
quit
[ "$(stat -c '%i %y' "$lessons")" = "$toured" ] || die "the tour comes again"

# A lesson is played by mouse: the button for the next step, then Esc, which keeps the place.
step_is() {
  /usr/bin/python3 - "$lessons" "$1" <<'PY' 2>/dev/null
import json, sys
sys.exit(json.load(open(sys.argv[1]))["lessons"]["softmax"]["step"] != int(sys.argv[2]))
PY
}
start --lesson softmax
sleep 2
for step in 1 2 3; do
  xdotool mousemove --window "$window" 1487 891
  sleep 0.2
  xdotool click 1
  sleep 1
done
xdotool key --window "$window" --delay 80 Escape
until_true 60 step_is 3 || die "the mouse does not lead through a lesson"
quit

start the-cat-sat-on-mat-causal
before=1.43 # x[0][0] of the example

# X[0, 0] in a window of 1600×1000.
xdotool mousemove --window "$window" 356 175
sleep 0.2
xdotool mousedown 1
for x in 366 376 386 396; do xdotool mousemove --window "$window" "$x" 175; sleep 0.06; done
xdotool mouseup 1
until_true 60 number_differs "$before" || die "the scrubbed number did not change"
scrubbed=$(settled_number)

xdotool key --window "$window" --delay 80 F12
until_true 60 has_pictures 1 || die "F12 wrote no picture"
picture=$(newest_picture)
"$program" trace "$picture" --device reference -o after.npz
"$program" trace the-cat-sat-on-mat-causal --device reference -o before.npz
/usr/bin/python3 - "$scrubbed" <<'PY' || die "the picture's session does not hold the scrubbed weights"
import sys
import numpy as np
before, after = np.load("before.npz"), np.load("after.npz")
assert np.float32(sys.argv[1]) == after["x"][0, 0] != before["x"][0, 0]
assert np.abs(after["weights"] - before["weights"]).max() > 1e-4
PY

xdotool key --window "$window" --delay 80 ctrl+z
until_true 60 number_is "$before" || die "undo did not bring the number back"
xdotool key --window "$window" --delay 80 ctrl+shift+z
until_true 60 number_is "$scrubbed" || die "redo did not bring the scrubbed number back"

# The window at every scale, and back at the first: whatever the fonts, all is drawn. A busy machine may be late with what
# a rest of the hand brings, or with a key: only what stays missing is missing.
snap() { # KEY…: a picture after these keys; $shot is its path
  local count
  count=$(pictures | wc -l)
  for key in "$@"; do xdotool key --window "$window" --delay 80 "$key"; done
  sleep 1 # a second frame, which draws only what differs from the first
  xdotool key --window "$window" --delay 80 F12
  until_true 60 has_pictures $((count + 1)) || die "F12 wrote no picture after $*"
  shot=$(newest_picture)
}
shows_the_same() { /usr/bin/python3 -B "$here/pictures.py" "$@" 2>"$scratch/differs"; }
snap
for ((i = 0; i < 20; ++i)); do
  whole=$shot
  snap
  ! shows_the_same "$whole" "$shot" || break
done
zoomed=("$whole")
for key in plus plus plus plus minus minus minus minus minus; do
  snap "ctrl+$key"
  zoomed+=("$shot")
done
for ((i = 0; i < 20; ++i)); do
  snap ctrl+0
  ! shows_the_same "${zoomed[@]}" "$shot" || break
done
[ "$i" -lt 20 ] || { cat "$scratch/differs" >&2; die "the window is not drawn whole after a change of its scale"; }
quit

start # without words: the work that was open
quit
number_is "$scrubbed" || die "the second start lost the work"
# A desktop's dialog that never closes, and a driver that passes its test and then never answers.
mkdir "$scratch/bin" "$scratch/vendors"
printf '#!/bin/sh\ntrap "" TERM INT HUP\necho $$ >"%s"\nwhile :; do sleep 1; done\n' "$scratch/dialog" >"$scratch/bin/zenity"
chmod +x "$scratch/bin/zenity"
(cd "$(dirname "$program")" && pwd) | sed 's,$,/libfaulty_driver.so,' >"$scratch/vendors/faulty.icd"
export OCL_ICD_VENDORS=$scratch/vendors FAULTY_DRIVER_FAULT=hang-outside-tests FAULTY_DRIVER_LOG=$scratch/driver
export FAULTY_DRIVER_REAL=$(cat /etc/OpenCL/vendors/pocl.icd) PATH=$scratch/bin:$PATH
start
until_true 60 has_line "$scratch/driver" used || die "the driver was not used"
xdotool key --window "$window" --delay 80 ctrl+o
until_true 60 has_line "$scratch/dialog" '[0-9]\+' || die "no dialog was opened"
xdotool key --window "$window" --delay 80 ctrl+q 2>/dev/null || true
ended "a hanging driver or dialog keeps the program"
! kill -0 "$(cat "$scratch/dialog")" 2>/dev/null || { kill -KILL "$(cat "$scratch/dialog")"; die "the dialog outlives the program"; }

echo "window_test: scrubbed $before to $scrubbed, picture $(basename "$picture"), undone, redone, restored"
