# Shared by app/run and tests/run (sourced): installs missing packages, configures and builds.
# Sets `root`, the top of the source tree. All chatter goes to stderr: stdout belongs to the program.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P) || exit 1

say() { printf '%s\n' "$*" >&2; }
fail() { say "error: $*"; exit 1; }

# packages SECTION…: the names listed in these sections of app/packages.
packages() {
  local sections=" $* " line section=
  while read -r line || [ -n "$line" ]; do
    line=${line%%#*}
    line=${line%%[[:space:]]*}
    case $line in
      '') ;;
      '['*) section=${line//[\[\]]/} ;;
      *) [[ $sections == *" $section "* ]] && printf '%s\n' "$line" ;;
    esac
  done <"$root/app/packages"
}

# missing_packages SECTION…: those of them that are not installed.
missing_packages() {
  local wanted installed name
  mapfile -t wanted < <(packages "$@")
  # dpkg-query fails for names it has never heard of; they are missing like the others.
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${wanted[@]%\?}" 2>/dev/null)
  for name in "${wanted[@]}"; do
    grep -qxF "installed ${name%\?}" <<<"$installed" || printf '%s\n' "$name"
  done
}

# wanted_packages SECTION…: of the missing ones what is to be installed. Without "?", and those that had one only if
# this release has them.
wanted_packages() {
  local name
  while read -r name; do
    [[ $name == *\? ]] && [ -z "$(apt-cache show "${name%\?}" 2>/dev/null)" ] || printf '%s\n' "${name%\?}"
  done < <(missing_packages "$@")
}

# as_root COMMAND…
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

# install_packages SECTION…: through apt, only what is missing; nothing and at once when all is there.
install_packages() {
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
    fail "this script installs packages with apt, which this system lacks; install what app/packages lists and build with cmake --preset release"
  local missing
  mapfile -t missing < <(wanted_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
    fail "these packages are missing and installing them needs root or sudo: ${missing[*]}"
  say "Installing: ${missing[*]}"
  local log
  log=$(mktemp) || fail "no temporary file can be made"
  # Asked again after the update: on a fresh system apt knows no package before it.
  if ! { as_root apt-get -q update && mapfile -t missing < <(wanted_packages "$@") &&
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 \
      --no-install-recommends install "${missing[@]}"; } >"$log" 2>&1 </dev/null 9>&-; then
    tail -n 30 "$log" >&2
    rm -f "$log"
    fail "apt could not install them (its last words are above)"
  fi
  rm -f "$log"
  mapfile -t missing < <(wanted_packages "$@")
  [ ${#missing[@]} -eq 0 ] || fail "still missing after apt: ${missing[*]}"
}

# configure PRESET [CMAKE OPTION…]: into build/PRESET.
configure() {
  local preset=$1 folder=$root/build/$1
  shift
  # A tree that was moved or copied carries the old place in its cache; CMake refuses to go on from that.
  if [ -f "$folder/CMakeCache.txt" ] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
    rm -rf "$folder"
  fi
  local log=$folder.configure.log
  (cd -- "$root" && cmake --preset "$preset" "$@") >"$log" 2>&1 </dev/null || {
    cat "$log" >&2
    fail "configuring failed"
  }
  rm -f "$log"
}

# configured PRESET NAME:TYPE=VALUE…: whether build/PRESET is configured, for this tree, with these settings.
configured() {
  local folder=$root/build/$1 setting
  shift
  [ -f "$folder/build.ninja" ] || return 1
  for setting in "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$@"; do
    grep -qxF "$setting" "$folder/CMakeCache.txt" || return 1
  done
}

# build PRESET TARGET…: quiet when there is nothing to do; otherwise a progress line, and the compiler's words only
# when it fails.
build() {
  local folder=$root/build/$1 quiet=--quiet
  shift
  [[ $(ninja -C "$folder" -n "$@" 2>&1) == *"no work to do"* ]] && return 0
  say "Building $* (the first time takes minutes) …"
  [ -t 2 ] && quiet=
  ninja -C "$folder" -j "$(nproc)" $quiet "$@" >&2 </dev/null || fail "the build failed"
}

# lock_build: one build at a time in this tree; held until unlock_build or the end of the script.
lock_build() {
  mkdir -p "$root/build" || fail "the folder $root/build cannot be made"
  exec 9>"$root/build/lock" || fail "the folder $root/build cannot be written"
  flock -n 9 || { say "Waiting for another build in this folder …"; flock 9; }
}
unlock_build() { exec 9>&-; }

# build_with_tests PRESET TARGET…: … of a build that has the tests.
build_with_tests() {
  lock_build
  configured "$1" ATTENTION_LAB_TESTS:BOOL=ON || configure "$1" -DATTENTION_LAB_TESTS=ON
  build "$@"
  unlock_build
}
