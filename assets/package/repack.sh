#!/bin/sh
# Packs packages anew, so that their bytes tell nothing of the disk they were made on: repack.sh FILE.deb|FILE.tar.gz …
# With SOURCE_DATE_EPOCH in the environment.
set -eu
for package in "$@"; do
  folder=$package.unpacked
  rm -rf "$folder"
  case $package in
    *.deb)
      dpkg-deb -R "$package" "$folder"
      # As dpkg-gencontrol counts: files in whole kibibytes, one for each folder.
      size=$(find "$folder" -mindepth 1 -path "$folder/DEBIAN" -prune -o -printf '%y %s\n' |
        awk '{ total += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print total }')
      sed -i "s/^Installed-Size: .*/Installed-Size: $size/" "$folder/DEBIAN/control"
      dpkg-deb --root-owner-group -Zgzip -z9 --build "$folder" "$package" >/dev/null ;;
    *.tar.gz)
      mkdir "$folder"
      tar -xzf "$package" -C "$folder"
      (cd "$folder" && tar --sort=name --owner=root:0 --group=root:0 --mode=go-w --mtime="@$SOURCE_DATE_EPOCH" -cf - *) |
        gzip -9n >"$folder.tar.gz"
      mv "$folder.tar.gz" "$package" ;;
  esac
  rm -rf "$folder"
done
