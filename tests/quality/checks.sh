# Checks that are commands, for tests/run (sourced behind app/setup.sh, whose `root` they use). Each prints what is wrong
# and fails.

# own_files EXTENSION…: our own sources with these extensions, null-separated.
own_files() {
  local pattern=() extension
  for extension in "$@"; do pattern+=(-o -name "*.$extension"); done
  (cd "$root" && find app core shaders tests assets -type f \( "${pattern[@]:1}" \) -print0)
}

# on_own_files EXTENSION… -- COMMAND…: whether the command, with those files behind it, and the finding of them succeed.
on_own_files() (
  set -o pipefail
  extensions=()
  while [ "$1" != -- ]; do extensions+=("$1"); shift; done
  shift
  own_files "${extensions[@]}" | (cd "$root" && xargs -0 "$@")
)

# finds_nothing GREP…: 1 is grep's word for that; 2 is a failure of its own.
finds_nothing() {
  local status=0
  (cd "$root" || exit 2; "$@") || status=$?
  [ "$status" -eq 1 ]
}

check_format() { on_own_files cpp h -- clang-format --dry-run -Werror 2>&1; }

check_sizes() {
  /usr/bin/python3 "$root/tests/quality/size_limits.py" --check || return 1
  on_own_files cpp h cl frag vert -- /usr/bin/python3 tests/quality/size_limits.py
}

check_stage_names() {
  /usr/bin/python3 -B "$root/tests/quality/stage_names.py" --check || return 1
  /usr/bin/python3 -B "$root/tests/quality/stage_names.py" "$root"
}

check_phrases() {
  /usr/bin/python3 -B "$root/tests/quality/phrases.py" --check || return 1
  /usr/bin/python3 -B "$root/tests/quality/phrases.py" "$root"
}

# What the toolkit draws by itself is put into the window's language in one place.
check_language() {
  finds_nothing grep -rnE 'ImGui::(MenuItem|Button|SmallButton|BeginMenu|Text|TextWrapped|BulletText|SeparatorText|Checkbox|RadioButton)\(' \
    app --include='*.cpp' --include='*.h' --exclude=items.cpp
}

check_operation_types() {
  /usr/bin/python3 -B "$root/tests/quality/operation_types.py" --check || return 1
  /usr/bin/python3 -B "$root/tests/quality/operation_types.py" "$root"
}

check_type_names() {
  /usr/bin/python3 -B "$root/tests/quality/type_names.py" --check || return 1
  /usr/bin/python3 -B "$root/tests/quality/type_names.py" "$root"
}

check_values() {
  /usr/bin/python3 -B "$root/tests/quality/values.py" --check || return 1
  /usr/bin/python3 -B "$root/tests/quality/values.py" "$root"
}

check_rooms() {
  /usr/bin/python3 -B "$root/tests/quality/rooms.py" --check || return 1
  /usr/bin/python3 -B "$root/tests/quality/rooms.py" "$root"
}

check_workspaces() {
  /usr/bin/python3 -B "$root/tests/quality/workspaces.py" --check || return 1
  /usr/bin/python3 -B "$root/tests/quality/workspaces.py" "$root"
}

# The first line says what a file is about.
check_head_comments() {
  on_own_files cpp h cl frag vert -- awk 'FNR == 1 && !/^\/\/ / { print FILENAME; found = 1 } END { exit found }'
}

# Core's headers are for everyone: a GUI, OpenCL or Eigen in them would reach every file.
check_core_headers() {
  finds_nothing grep -rnE '#include *[<"](imgui|GLFW|CL/|Eigen|GL/)' core --include='*.h' \
    --exclude-dir=reference --exclude-dir=opencl
}

# Versions of Dear ImGui differ in one place; what newer ones take away is asked for there.
check_toolkit() {
  local members='KeyMap|KeysDown|FontSize|Ascent|Glyphs|TexID|TextureId'
  finds_nothing grep -rnE "IMGUI_VERSION|FontsTexture|(\.|->)($members)\>" app tests --include='*.cpp' \
    --include='*.h' --exclude='toolkit.*'
}

# The toolkit's own writes one line, however long, and cuts it at the window's edge.
check_tooltips() {
  finds_nothing grep -rnE 'ImGui::Set(Item)?Tooltip' app --include='*.cpp' --include='*.h' --exclude='tooltip.cpp'
}

# These make NaN−NaN and ∞−∞ zero: masks by −∞ stop working. Looked for in the sources and in what was built of them.
check_opencl_options() {
  local forbidden='cl-(fast-relaxed-math|finite-math-only|unsafe-math-optimizations|denorms-are-zero)'
  finds_nothing grep -rnE "$forbidden" app core shaders CMakeLists.txt || return 1
  finds_nothing grep -aoE "$forbidden" build/release/attention-lab
}

# rusticl 22.3 doesn't copy a struct that is passed by value: none is written to, as its compilers see.
check_kernel_structs() {
  local structs
  structs=$(sed -nE 's/^\} (\w+);$/\1/p' "$root"/shaders/*.cl | sort -u | paste -sd '|')
  [ -n "$structs" ] || { echo "shaders/*.cl define no struct: what is looked for has changed"; return 1; }
  finds_nothing grep -rnE "[(,] *($structs) \w+ *[,)]|^ *($structs) \w+ *(\)|,[^;]*$)" shaders --include='*.cl'
}

# A compiler's own functions are in no other compiler, and end the program at rusticl's: only what PoCL defines lets its own
# be seen.
check_kernel_builtins() {
  finds_nothing awk 'FNR == 1 || /^#(else|endif)/ { ours = 0 } /^#ifdef POCL_/ { ours = 1 }
    /__builtin_/ && !ours { print FILENAME ":" FNR ": " $0; found = 1 } END { exit !found }' "$root"/shaders/*.cl
}

# What makes a bug of memory end the program instead of spreading, in the program as built and in our own parts of it
# (packages bring theirs).
check_hardening() {
  local built=$root/build/release headers symbols missing=
  headers=$(readelf -hldW "$built/attention-lab") || return 1
  symbols=$(nm -u "$built/core/libcore.a" "$built/core/opencl/libopencl_backend.a" "$built/app/libapp.a") || return 1
  has() { grep -qE "$2" <<<"$1" || { echo "attention-lab lacks $3"; missing=1; }; }
  has "$headers" 'Type: +DYN' "another place in memory at each start (PIE)"
  has "$headers" 'GNU_RELRO' "RELRO"
  has "$headers" 'BIND_NOW|FLAGS.* NOW' "full RELRO: addresses are not bound at the start"
  has "$headers" 'GNU_STACK.* RW ' "a stack that cannot be executed"
  has "$symbols" '__stack_chk_fail' "the stack protector"
  has "$symbols" '__snprintf_chk' "FORTIFY"
  has "$symbols" '__glibcxx_assert_fail' "_GLIBCXX_ASSERTIONS"
  [ -z "$missing" ]
}

# oclgrind runs the kernels on a checking interpreter; it always exits 0, so its log tells. Kernels, inputs and whoever
# calls them are all in one program: the very same one that passed in this folder would only say the same again.
check_kernels() (
  seen=$(sha256sum <"$root/build/release/operation_cases")$(oclgrind --version)
  [ "$seen" != "$(cat "$root/build/kernels.passed" 2>/dev/null)" ] || exit 0
  folder=$(mktemp -d) || exit 1
  trap 'rm -rf "$folder"' EXIT
  log=$folder/log
  oclgrind --data-races --uninitialized --log "$log" "$root/build/release/operation_cases" &&
    [ -f "$log" ] && ! grep -m 40 . "$log" && echo "$seen" >"$root/build/kernels.passed"
)

check_shell() {
  local script
  for script in app/run app/package app/setup.sh tests/run tests/app/window_test.sh tests/quality/checks.sh \
    tests/package/fresh_debian.sh tests/package/same_bytes.sh tests/package/used.sh assets/package/repack.sh .ci/run; do
    bash -n "$root/$script" || return 1
  done
}
