#!/usr/bin/env bash
# The part of fresh_debian.sh that runs on the new system: installs, uses, removes.
set -euo pipefail
package=$1
die() { echo "fresh_debian: $*" >&2; exit 1; }
quietly() { "$@" >/tmp/words 2>&1 || { tail -n 30 /tmp/words >&2; die "$* failed"; }; }
as_user() { runuser -l person --session-command "$1"; }
all_files() { find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /home -o -path /tmp -o -path /var/cache -o -path /var/log -o -path /var/lib/apt \) -prune -o -type f -print | sort; }

# What a desktop has anyway, and a display without a screen.
quietly apt-get -q update
quietly apt-get -q -y install --no-install-recommends desktop-file-utils shared-mime-info man-db bash-completion \
  libglib2.0-bin hicolor-icon-theme xvfb xdotool
useradd -m -s /bin/bash person
. /etc/os-release
echo "== $PRETTY_NAME: apt install $package"
all_files >/tmp/files-before
dpkg-query -W -f '${Package}\n' | sort >/tmp/packages-before
quietly apt-get -q -y install "$package"
dpkg-query -W -f '${Package} ${Version} ${Installed-Size} KiB: ${Depends}\n' attention-lab
[ -z "$(find / -xdev -name '*.cpp' -path '*attention*')" ] || die "there are sources"
dpkg -V attention-lab || die "files are not as they were packed"

echo "== used"
as_user 'attention-lab --version'
as_user 'attention-lab devices' >/tmp/devices
sed -n 1,3p /tmp/devices
quietly as_user 'attention-lab trace three-tokens -o mine.npz && attention-lab check mine.npz'
quietly as_user 'attention-lab render eight-heads --workspace heads -o heads.png'
[ "$(as_user 'head -c 4 heads.png | tail -c 3')" = PNG ] || die "render wrote no PNG"
quietly as_user 'attention-lab bench attention --quick --n 16'
quietly as_user 'man -w attention-lab && man attention-lab'
quietly as_user 'bash -c "source /usr/share/bash-completion/bash_completion; _comp_load attention-lab 2>/dev/null ||
  _completion_loader attention-lab; complete -p attention-lab"'

echo "== on the desktop"
type_of() { as_user "gio info -a standard::content-type $1" </dev/null | sed -n 's/.*content-type: //p'; }
as_user 'cp mine.npz mine.safetensors; cp mine.npz mine.npy; echo "{}" >mine.attention.json; echo "# Mine" >mine.lesson.md; echo "{}" >plain.json'
while read -r file type; do [ "$(type_of "$file")" = "$type" ] || die "$file is $(type_of "$file"), not $type"; done <<'END'
mine.npz application/x-npz
mine.npy application/x-npy
mine.safetensors application/x-safetensors
mine.attention.json application/x-attention-lab-session+json
mine.lesson.md text/x-attention-lab-lesson
plain.json application/json
END
[[ $(gio mime application/x-attention-lab-session+json) == *attention-lab.desktop* ]] || die "sessions do not open"
[[ $(gio mime application/x-npz) == *attention-lab.desktop* ]] || die ".npz does not open"

as_user 'Xvfb -displayfd 3 -screen 0 1920x1200x24 -nolisten tcp 3>display >xvfb.log 2>&1 & echo $! >server; sleep 3
export DISPLAY=:$(cat display); attention-lab mine.npz >lab.log 2>&1 & lab=$!
for i in $(seq 60); do xdotool search --onlyvisible --class "^attention-lab$" >window 2>/dev/null && break; sleep 1; done
echo "window: $(xdotool getwindowname "$(head -n 1 window)")"
for i in $(seq 30); do  # a window that is there may not listen yet
  sleep 1; kill -0 $lab 2>/dev/null || break
  xdotool windowfocus "$(head -n 1 window)" key ctrl+q 2>/dev/null || true
done
if kill -0 $lab 2>/dev/null; then kill $lab; else echo "left by Ctrl+Q"; fi; kill $(cat server)' >/tmp/window 2>/tmp/words ||
  true
grep -q "^window: .*Attention Lab" /tmp/window || { cat /tmp/words >&2; die "no window came"; }
grep -q "^left by Ctrl+Q" /tmp/window || die "Ctrl+Q does not end the window"
cat /tmp/window

echo "== removed"
dpkg -L attention-lab >/tmp/files-of-it
quietly apt-get -q -y purge attention-lab
while read -r file; do [ ! -f "$file" ] || die "$file is left"; done </tmp/files-of-it
quietly apt-get -q -y autoremove --purge
dpkg-query -W -f '${Package}\n' | sort | comm -13 /tmp/packages-before - | sed 's/^/still installed: /'
all_files | comm -13 /tmp/files-before - | sed 's/^/left: /'
[[ $(gio mime application/x-npz) != *attention-lab* ]] || die ".npz still opens"
echo "== done"
