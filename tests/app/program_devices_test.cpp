// The program among drivers and folders as bad as they come.
#include <doctest/doctest.h>

#include "tests/app/shell.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Shell lines: a cache of the test's own, that begins with the kernels that other tests have compiled; PoCL's
// driver behind another that can be told to fail; and the program asks itself, not the one in the tests'
// folder.
const std::string kFaultyDriver = R"sh(
unset ATTENTION_LAB_PROBE
mkdir "$folder/vendors" "$folder/cache"
[ ! -d "$XDG_CACHE_HOME/attention-lab" ] || cp -r "$XDG_CACHE_HOME/attention-lab" "$folder/cache/"
export XDG_CACHE_HOME="$folder/cache" OCL_ICD_VENDORS="$folder/vendors"
export FAULTY_DRIVER_REAL="$(cat /etc/OpenCL/vendors/pocl.icd)" FAULTY_DRIVER_LOG="$folder/log"
echo "$built/libfaulty_driver.so" >"$folder/vendors/faulty.icd"
)sh";
const std::string kAndPocl = "cp /etc/OpenCL/vendors/pocl.icd \"$folder/vendors/\"\n";

bool uses_pocl(const Outcome& outcome) {
  return contains(outcome.err, "the best that passed its self-test");
}

}  // namespace

TEST_CASE("a driver that crashes hides only itself and never meets the program that computes") {
  const Outcome outcome =
      run_shell(kFaultyDriver + kAndPocl + "export FAULTY_DRIVER_FAULT=crash; \"$lab\" trace three-tokens");
  CAPTURE(outcome.err);
  CHECK(outcome.status == kDone);
  CHECK(uses_pocl(outcome));
  CHECK(contains(outcome.err, "faulty.icd is left out"));
}

TEST_CASE("a program by another name asks itself and not what lies in its folder") {
  const Outcome outcome = run_shell(kFaultyDriver +
                                    "cp \"$lab\" \"$folder/renamed\"; ln -s renamed \"$folder/linked\"\n"
                                    "printf '#!/bin/sh\\nexit 1\\n' >\"$folder/attention-lab\"\n"
                                    "chmod +x \"$folder/attention-lab\"\n"
                                    "\"$folder/linked\" trace three-tokens");
  CAPTURE(outcome.err);
  CHECK(outcome.status == kDone);
  CHECK(uses_pocl(outcome));
}

TEST_CASE("devices tests only what it has to and everything when asked") {
  const Outcome outcome = run_shell(kFaultyDriver + kDevicesPass +
                                    "met() { wc -l <\"$folder/log\"; }\n"
                                    "\"$lab\" devices >&2; first=$(met)\n"
                                    "\"$lab\" devices >&2; second=$(met)\n"
                                    "\"$lab\" devices --retest >&2; third=$(met)\n"
                                    "\"$lab\" devices >&2\n"
                                    "echo $((second - first)) $((third - second)) $(($(met) - third))");
  CAPTURE(outcome.err);
  CHECK(outcome.status == kDone);
  CHECK(outcome.out == "1 2 1\n");  // one process lists; with a test it is two
}

TEST_CASE("a full or missing cache folder costs the shader cache and nothing else") {
  // A disk of 512 KB needs a namespace, which not every machine grants.
  const std::string small_disk =
      "unshare -rm sh -c 'mount -t tmpfs -o size=512k none \"$0\" && shift 0 && XDG_CACHE_HOME=$0 \"$@\"' ";
  const TemporaryFolder folder;
  if (run_shell("mkdir \"$folder/disk\" && " + small_disk + "\"$folder/disk\" true", folder).status == 0) {
    const Outcome outcome = run_shell(
        small_disk + "\"$folder/disk\" \"$lab\" render three-tokens -o \"$folder/a.png\" --device reference",
        folder);
    CAPTURE(outcome.err);
    CHECK(outcome.status == kDone);
  } else {
    MESSAGE("no small disk can be made here");
  }
  const Outcome missing = run_shell(
      "XDG_CACHE_HOME=/proc/nowhere \"$lab\" render three-tokens -o \"$folder/b.png\" --device reference",
      folder);
  CAPTURE(missing.err);
  CHECK(missing.status == kDone);
}
