#!/usr/bin/env bash
# Installs a package on a new Debian of its own, uses the program there as a user would, and removes it again.
#   fresh_debian.sh SUITE FILE.deb    (bookworm, trixie; as root, with debootstrap and a network)
set -euo pipefail
suite=$1 package=$(realpath -- "$2")
[ "$(id -u)" = 0 ] || { echo "fresh_debian: needs root" >&2; exit 2; }
system=$(mktemp -d /var/tmp/fresh-debian-XXXXXX)
chmod 755 "$system"  # the root of a system, for all to see
leave() {
  for place in proc sys dev; do umount -l "$system/$place" 2>/dev/null || true; done
  rm -rf --one-file-system "$system"
}
trap leave EXIT

echo "== a new $suite"
debootstrap --variant=minbase "$suite" "$system" http://deb.debian.org/debian >"$system.log" 2>&1 ||
  { tail -n 5 "$system.log" >&2; exit 1; }
rm -f "$system.log"
for place in proc sys dev; do
  mount --rbind "/$place" "$system/$place"
  mount --make-rslave "$system/$place"
done
# How this machine reaches the mirror.
cp /etc/resolv.conf "$system/etc/"
cp /etc/apt/apt.conf.d/99* "$system/etc/apt/apt.conf.d/" 2>/dev/null || true
cp -r /usr/local/share/ca-certificates "$system/usr/local/share/" 2>/dev/null || true
mkdir "$system/package"
cp "$package" "$system/package/"
cp -r "$(dirname -- "${BASH_SOURCE[0]}")/used.sh" "$system/package/"
mapfile -t proxies < <(env | grep -iE '^(https?|no)_proxy=' || true)
chroot "$system" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
  DEBIAN_FRONTEND=noninteractive ${proxies[@]+"${proxies[@]}"} bash /package/used.sh "/package/$(basename -- "$package")"
