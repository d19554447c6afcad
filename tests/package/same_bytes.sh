#!/usr/bin/env bash
# Compiles and packs the last commit twice, in folders of other names and depths, and holds the packages against each
# other, byte for byte. By hand: it takes as long as two builds.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
scratch=$(mktemp -d /var/tmp/same-bytes-XXXXXX)
trap 'rm -rf "$scratch"' EXIT
for tree in first second/that/lies/deeper; do
  mkdir -p "$scratch/$tree"
  git clone -q "$root" "$scratch/$tree"
  "$scratch/$tree/app/package"
done
first=$scratch/first/build/package/packages
second=$scratch/second/that/lies/deeper/build/package/packages
[ "$(ls "$first")" = "$(ls "$second")" ] || { ls "$first" "$second" >&2; exit 1; }
for package in "$first"/*; do
  cmp "$package" "$second/${package##*/}"
  sha256sum "$package" "$second/${package##*/}" | sed "s|$scratch/||"
done
