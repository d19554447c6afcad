// Commands on a driver that passed its self-test and hangs, crashes or refuses at work, at each of its calls.
#include <doctest/doctest.h>

#include <sstream>

#include "tests/app/shell.h"

using namespace attn;
using namespace attn::tests;

namespace {

const std::string kOpening =
    "clGetPlatformIDs clGetDeviceIDs clGetDeviceInfo clCreateContext clCreateCommandQueue ";
const std::string kComputing =
    "clCreateProgramWithSource clBuildProgram clCreateKernel clCreateBuffer clSetKernelArg "
    "clEnqueueNDRangeKernel clEnqueueMapBuffer clWaitForEvents clFlush clEnqueueUnmapMemObject ";
const std::string kReleasing =
    "clReleaseMemObject clReleaseKernel clReleaseProgram clReleaseCommandQueue clReleaseContext ";
const std::string kSome = "clGetPlatformIDs clBuildProgram clEnqueueMapBuffer clReleaseContext ";

const std::string kTrace = "\"$lab\" trace three-tokens --patience 0.2 \"$@\"";
const std::string kHangs = "computing on the reference instead: .* hangs: no answer in 0.2 s (--patience)";
const std::string kCompare = "\"$lab\" compare three-tokens --mask causal -o \"$made\" ";
const std::string kRender = "\"$lab\" render three-tokens --size 320x200 -o \"$made\" --patience 0.2 \"$@\"";

// A command on a driver with a fault, how it ends, and a pattern of what it says.
struct Expected {
  std::string how, calls, command;  // of the command: $made is the name of its output
  int status = kDone;
  std::string says = "computing on the reference instead: ";
};

// Runs the command on a driver with the fault at each of the calls, eight at a time, and once on the
// reference: what is printed, and what is written, has to be the same.
void check_at_each_call(const Expected& expected) {
  const Outcome outcome = run_shell(
      "ulimit -c 0; cd \"$folder\"\n"
      "command() { made=\"$folder/$at.made\"; " +
      expected.command +
      "; }\n"
      "at=reference; command --device reference >reference.out 2>/dev/null\n"
      "one() {\n"
      "  ( export " +
      kFaultyAtWork + "FAULTY_OPENCL='" + expected.how +
      "' FAULTY_OPENCL_AT=$at\n"
      "    command ) >$at.out 2>$at.err\n"
      "  echo \"$at: status $?\" >$at.is\n"
      "  cmp $at.out reference.out >>$at.is 2>&1\n"
      "  [ ! -e reference.made ] || cmp $at.made reference.made >>$at.is 2>&1\n"
      "  grep -q '" +
      expected.says +
      "' $at.err || cat $at.err >>$at.is\n"
      "}\n"
      "for at in " +
      expected.calls +
      "; do one & n=$((n + 1)); [ $((n % 8)) != 0 ] || wait; done; wait\n"
      "for at in " +
      expected.calls +
      "; do cat $at.is; done\n"
      "ls -A | grep tmp");
  std::string all;
  std::istringstream calls(expected.calls);
  for (std::string call; calls >> call;) all += call + ": status " + std::to_string(expected.status) + "\n";
  CHECK(outcome.out == all);
  CHECK(outcome.err == "");
}

}  // namespace

TEST_CASE("trace comes to the reference's numbers on a driver that hangs while it is opened or let go") {
  check_at_each_call({.how = "hangs", .calls = kOpening + kReleasing, .command = kTrace, .says = kHangs});
}

TEST_CASE("trace comes to the reference's numbers on a driver that hangs while it computes") {
  check_at_each_call({.how = "hangs", .calls = kComputing, .command = kTrace, .says = kHangs});
}

TEST_CASE("trace comes to the reference's numbers on a driver that crashes at any of its calls") {
  check_at_each_call({.how = "crashes",
                      .calls = kOpening + kComputing + kReleasing,
                      .command = "\"$lab\" trace three-tokens \"$@\"",
                      .says = "instead: .* crashed: its process was stopped by signal 6 (Aborted)"});
}

TEST_CASE("a driver that ends the process it is in at any of its calls ends no command") {
  check_at_each_call({.how = "exits",
                      .calls = kOpening + kComputing + kReleasing,
                      .command = "\"$lab\" trace three-tokens \"$@\"",
                      .says = "instead: .* crashed: its process exited with status 0"});
}

TEST_CASE("trace comes to the reference's numbers on a driver that refuses any of its calls") {
  const std::string command = "\"$lab\" trace three-tokens \"$@\"";
  check_at_each_call(
      {.how = "refuses", .calls = kOpening, .command = command, .says = "device: the reference"});
  check_at_each_call({.how = "refuses", .calls = kComputing, .command = command});
  check_at_each_call(
      {.how = "refuses", .calls = kReleasing, .command = command, .says = "the best that passed"});
}

TEST_CASE("compare and its differences are the reference's on a driver that hangs at any of its calls") {
  check_at_each_call({.how = "hangs",
                      .calls = kOpening + kComputing + kReleasing,
                      .command = kCompare + "--patience 0.2 \"$@\"",
                      .status = kDifferent});
}

TEST_CASE("compare and its differences are the reference's on a driver that crashes at any of its calls") {
  check_at_each_call({.how = "crashes",
                      .calls = kOpening + kComputing + kReleasing,
                      .command = kCompare + "\"$@\"",
                      .status = kDifferent});
}

TEST_CASE("render draws the reference's numbers on a driver that hangs or crashes") {
  for (const char* how : {"hangs", "crashes"})
    check_at_each_call({.how = how, .calls = kSome, .command = kRender});
}

TEST_CASE("render draws the reference's numbers on a driver that hangs or crashes at any of its calls" *
          doctest::test_suite("long")) {
  for (const char* how : {"hangs", "crashes"})
    check_at_each_call({.how = how, .calls = kOpening + kComputing + kReleasing, .command = kRender});
}

TEST_CASE("encode and regress write the reference's numbers on a driver that hangs or crashes") {
  const std::string encode =
      "\"$lab\" encode sinusoidal --length 4 --width 8 -o \"$made\" --patience 0.2 \"$@\"";
  const std::string regress =
      "printf '0,1\\n1,2\\n2,0\\n' >$at.csv; \"$lab\" regress $at.csv --kernel gaussian --width auto -o "
      "\"$made\" "
      "--patience 0.2 \"$@\"";
  for (const char* how : {"hangs", "crashes"})
    for (const std::string& command : {encode, regress})
      check_at_each_call({.how = how, .calls = "clGetPlatformIDs clEnqueueMapBuffer", .command = command});
}

TEST_CASE("a device asked for by number that hangs or crashes ends with its status and nothing is left") {
  for (const std::string at : {"clGetPlatformIDs", "clEnqueueMapBuffer", "clReleaseContext"})
    for (const std::string how : {"hangs", "crashes"}) {
      const Outcome outcome =
          run_shell("ulimit -c 0; mkdir \"$folder/out\"; FAULTY_OPENCL=" + how + " FAULTY_OPENCL_AT=" + at +
                    " " + kFaultyAtWork + "\"$lab\" trace three-tokens --device 0 " +
                    (how == "hangs" ? "--patience 0.2" : "") +
                    " -o \"$folder/out/a.npz\"; status=$?\n"
                    "ls -A \"$folder/out\"; exit $status");
      INFO(how, " at ", at, ": ", outcome.err);
      CHECK(outcome.status == kNoDevice);
      CHECK(outcome.out == "");
      CHECK(contains(outcome.err,
                     how == "hangs" ? " hangs: no answer in 0.2 s" : " crashed: its process was "));
      CHECK(contains(outcome.err, "Compute on another device, or with --device reference"));
    }
}

TEST_CASE("a device that computes wrong numbers ends compare with status 3 and no differences are written") {
  const Outcome outcome =
      run_shell("FAULTY_OPENCL=wrong " + kFaultyAtWork +
                "\"$lab\" compare three-tokens --mask causal -o \"$folder/diff.npz\"; status=$?\n"
                "ls -A \"$folder\" | grep -e npz -e tmp; exit $status");
  CHECK(outcome.status == kNoDevice);
  CHECK(outcome.out == "");
  CHECK(contains(outcome.err, "computes wrong numbers: "));
}

TEST_CASE("a device that computes wrong numbers ends encode with status 3 and nothing is written") {
  for (const std::string kind : {"sinusoidal", "rope", "alibi", "t5:8:20:1"}) {
    CAPTURE(kind);
    const Outcome outcome =
        run_shell("FAULTY_OPENCL=wrong FAULTY_OPENCL_FROM=1 " + kFaultyAtWork + "\"$lab\" encode " + kind +
                  " --length 3 --width 4 -o \"$folder/out.npy\"; status=$?\n"
                  "ls -A \"$folder\" | grep -e npy -e tmp; exit $status");
    CHECK(outcome.status == kNoDevice);
    CHECK(outcome.out == "");
    CHECK(contains(outcome.err, "computes wrong numbers: "));
  }
}

TEST_CASE("what was read from a pipe is there for the reference when the driver crashes") {
  const Outcome outcome = run_shell(
      "ulimit -c 0; cd \"$folder\"; \"$lab\" trace three-tokens --device reference -o a.npz\n"
      "\"$lab\" trace a.npz --device reference >a 2>/dev/null\n"
      "{ cat a.npz | FAULTY_OPENCL=crashes FAULTY_OPENCL_AT=clBuildProgram " +
      kFaultyAtWork + "\"$lab\" trace /dev/stdin; } >b && cmp a b");
  CHECK(outcome.status == kDone);
  CHECK(contains(outcome.err, "computing on the reference instead: "));
}

TEST_CASE("what a driver prints comes on the error stream and never among results") {
  const Outcome outcome = run_shell("FAULTY_OPENCL=chatters FAULTY_OPENCL_AT=clCreateContext " +
                                    kFaultyAtWork + "\"$lab\" trace three-tokens");
  CHECK(outcome.status == kDone);
  CHECK(contains(outcome.err, "chatter\n"));
  CHECK_FALSE(contains(outcome.out, "chatter"));
}

TEST_CASE("a driver that crashes when the program ends changes nothing") {
  const Outcome outcome = run_shell("ulimit -c 0; FAULTY_OPENCL='crashes at exit' " + kFaultyAtWork +
                                    "\"$lab\" trace three-tokens");
  CHECK(outcome.status == kDone);
  CHECK(outcome.out == run_words({"trace", "three-tokens", "--device", "reference"}).out);
  CHECK_FALSE(contains(outcome.err, "reference instead"));
}

TEST_CASE("a signal ends the program and its child and leaves no file") {
  const Outcome outcome =
      run_shell("ulimit -c 0; " + kFaultyAtWork +
                "/usr/bin/python3 \"$source/tests/app/check_signals.py\" \"$lab\" \"$folder\"");
  CAPTURE(outcome.err);
  CHECK(outcome.status == 0);
}

TEST_CASE("patience is a number of seconds above 0") {
  for (const char* word : {"0", "-1", "nan", "1e9", "long"}) {
    const Outcome outcome = run_words({"trace", "three-tokens", "--patience", word});
    CHECK(outcome.status == kBadWords);
    CHECK(contains(outcome.err, "--patience: cannot use "));
  }
  CHECK(run_words({"trace", "three-tokens", "--device", "reference", "--patience", "0.5"}).status == kDone);
}
