// The program itself, started as a user would: streams, environment, statuses, files that others can read.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/app/shell.h"
#include "tests/sanitized.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("the program ends with the statuses that the help lists") {
  CHECK(run_shell("\"$lab\" --version").status == kDone);
  CHECK(run_shell("\"$lab\" trce").status == kBadWords);
  CHECK(run_shell("\"$lab\" trace three-tokens --device 4096").status == kNoDevice);
  CHECK(run_shell("\"$lab\" trace /dev/null/none.npz").status == kBadInput);
  CHECK(run_shell("\"$lab\" trace three-tokens --device reference -o /dev/null/none/x.npz").status ==
        kNotWritten);
}

TEST_CASE("numpy reads every written stage with its name shape and type") {
  const Outcome outcome = run_shell(
      "\"$lab\" trace the-cat-sat-on-mat --mask causal -o \"$folder/out.npz\" && "
      "/usr/bin/python3 \"$source/tests/app/check_output.py\" \"$folder/out.npz\"");
  CAPTURE(outcome.out);
  CAPTURE(outcome.err);
  CHECK(outcome.status == 0);
}

TEST_CASE("what numpy writes is read: dtypes, orders and compression") {
  const Outcome outcome =
      run_shell("/usr/bin/python3 \"$source/tests/app/check_input.py\" \"$lab\" \"$folder\"");
  CAPTURE(outcome.out);
  CAPTURE(outcome.err);
  CHECK(outcome.status == 0);
}

TEST_CASE("a full disk behind the standard output is reported") {
  const Outcome outcome = run_shell("\"$lab\" trace three-tokens --device reference >/dev/full");
  CHECK(outcome.status == kNotWritten);
  CHECK(contains(outcome.err, "standard output"));
}

TEST_CASE("closed standard streams hurt nobody") {
  CHECK(run_shell("\"$lab\" trace three-tokens <&-").status == kDone);
  CHECK(run_shell("\"$lab\" trace three-tokens 2>&-").status == kDone);
  CHECK(run_shell("\"$lab\" trace three-tokens --device reference >&-").status == kNotWritten);
  CHECK(run_shell("\"$lab\" trace three-tokens -o \"$folder/out.npz\" <&- >&- 2>&-").status == kDone);
}

TEST_CASE("a reader that has seen enough ends the printing quietly") {
  const Outcome outcome =
      run_shell("trap '' PIPE; { \"$lab\" trace three-tokens --device reference; echo $? >&2; } | true");
  CHECK(outcome.status == 0);
  CHECK_FALSE(contains(outcome.err, "standard output"));
  CHECK_FALSE(contains(outcome.err, "bug"));
}

TEST_CASE("without any OpenCL it computes on the reference and says so") {
  const Outcome outcome = run_shell("OCL_ICD_VENDORS=/dev/null/none \"$lab\" trace three-tokens");
  CHECK(outcome.status == kDone);
  CHECK(contains(outcome.out, "5.7112"));
  CHECK(contains(outcome.err, "reference"));
}

TEST_CASE("auto goes on with the reference when a device fails at work and says so") {
  const Outcome outcome =
      run_shell("FAULTY_OPENCL=fails " + kFaultyAtWork +
                "\"$lab\" trace the-cat-sat-on-mat-causal -o \"$folder/a.npz\" && "
                "\"$lab\" trace the-cat-sat-on-mat-causal --device reference -o \"$folder/b.npz\" 2>&- && "
                "cd \"$folder\" && /usr/bin/python3 -c 'import numpy as np; a = np.load(\"a.npz\"); b = "
                "np.load(\"b.npz\"); "
                "[np.testing.assert_allclose(a[n], b[n], 2e-5, 2e-6) for n in b.files]'");
  CAPTURE(outcome.err);
  CHECK(outcome.status == kDone);
  CHECK(contains(outcome.err, "computing on the reference instead: "));
  CHECK(contains(outcome.err, "out of resources"));
}

TEST_CASE("a device asked for by number that fails at work ends with its status and nothing is printed") {
  const Outcome outcome =
      run_shell("FAULTY_OPENCL=fails " + kFaultyAtWork + "\"$lab\" trace three-tokens --device 0");
  CAPTURE(outcome.err);
  CHECK(outcome.status == kNoDevice);
  CHECK(outcome.out.empty());
}

TEST_CASE("a device that computes wrong numbers at work ends with status 3 and nothing is written") {
  const Outcome outcome = run_shell("FAULTY_OPENCL=wrong " + kFaultyAtWork +
                                    "\"$lab\" trace three-tokens -o \"$folder/out.npz\"; status=$?; "
                                    "ls \"$folder\"; exit $status");
  CAPTURE(outcome.err);
  CHECK(outcome.status == kNoDevice);
  CHECK(contains(outcome.err, "computes wrong numbers: "));
  CHECK_FALSE(contains(outcome.out, "npz"));
}

TEST_CASE("render of a device that computes wrong numbers at work ends with status 3 and draws nothing") {
  for (const char* device : {"auto", "0"}) {
    const Outcome outcome = run_shell(std::string("FAULTY_OPENCL=wrong ") + kFaultyAtWork +
                                      "\"$lab\" render the-cat-sat-on-mat --device " + device +
                                      " -o \"$folder/out.png\"; status=$?; ls \"$folder\"; exit $status");
    CAPTURE(outcome.err);
    CHECK(outcome.status == kNoDevice);
    CHECK(contains(outcome.err, "computes wrong numbers: "));
    CHECK_FALSE(contains(outcome.out, "png"));
  }
}

TEST_CASE("render of a device that is wrong only behind the results ends with status 3 and draws nothing") {
  for (const std::string workspace : {"pipeline", "cost"}) {  // its own results, and those before it
    const std::string render = "FAULTY_OPENCL=wrong " + kFaultyAtWork +
                               "\"$lab\" render the-cat-sat-on-mat --device 0 -o \"$folder/out.png\" "
                               "--workspace " +
                               workspace;
    const Outcome outcome =
        run_shell("FAULTY_OPENCL_FROM=1000000 FAULTY_OPENCL_READS=\"$folder/reads\" " + render +
                  " && rm \"$folder/out.png\" && FAULTY_OPENCL_FROM=$(cat \"$folder/reads\") " + render +
                  "; status=$?; ls \"$folder\"; exit $status");
    CAPTURE(workspace);
    CAPTURE(outcome.err);
    CHECK(outcome.status == kNoDevice);
    CHECK(contains(outcome.err, "computes wrong numbers: "));
    CHECK_FALSE(contains(outcome.out, "png"));
  }
}

// The sanitizer opens pipes to look at memory, and complains where it cannot.
TEST_CASE("what is printed is there however few files the program may open" *
          doctest::test_suite("unsanitized")) {
  for (const char* files : {"4", "5", "6", "7"}) {
    const Outcome outcome =
        run_shell(std::string("ulimit -n ") + files + "; \"$lab\" trace three-tokens --device reference");
    CAPTURE(files);
    CAPTURE(outcome.err);
    CHECK(outcome.status == kDone);
    CHECK(outcome.out == run_words({"trace", "three-tokens", "--device", "reference"}).out);
  }
}

TEST_CASE(
    "a layer too large for the memory is refused with numbers and the tokens that would fit are computed") {
  if (kSanitized) return;  // it reserves more addresses than any limit leaves: nothing would start
  const Outcome outcome =
      run_shell("/usr/bin/python3 \"$source/tests/app/check_memory.py\" \"$lab\" \"$folder\"");
  CAPTURE(outcome.out);
  CAPTURE(outcome.err);
  CHECK(outcome.status == 0);
}

TEST_CASE("an output that the disk or a limit has no room for is refused before it is computed") {
  const Outcome outcome = run_shell(
      "ulimit -f 4; \"$lab\" trace the-cat-sat-on-mat-two-heads --device reference -o \"$folder/out.npz\"; "
      "status=$?; "
      "ls \"$folder\"; exit $status");
  CAPTURE(outcome.err);
  CHECK(outcome.status == kNotWritten);
  CHECK(contains(outcome.err, "it takes "));
  CHECK(contains(outcome.err, "(ulimit -f)"));
  CHECK_FALSE(contains(outcome.out, "npz"));
}

TEST_CASE("names of files and arrays cannot command the terminal") {
  const Outcome outcome = run_shell(
      "name=$(printf 'a\\033[2J\\nb\\302\\233.npz'); printf 'PK' >\"$folder/$name\"; "
      "\"$lab\" trace \"$folder/$name\"; \"$lab\" trace three-tokens --device \"$name\"; \"$lab\" render "
      "\"$name\" -o x.png");
  CHECK(contains(outcome.err, "a\\x1b[2J\\x0ab\\u009b.npz"));
  CHECK(outcome.err.find('\x1b') == std::string::npos);
  CHECK(outcome.err.find("\u009b") == std::string::npos);
  CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 3);
}

TEST_CASE("a cache folder that cannot be made is no obstacle") {
  const Outcome outcome = run_shell(
      kDevicesPass + "touch \"$folder/file\"; XDG_CACHE_HOME=\"$folder/file\" \"$lab\" trace three-tokens");
  CHECK(outcome.status == kDone);
  CHECK(contains(outcome.out, "5.7112"));
  CHECK_FALSE(outcome.err.empty());
}

TEST_CASE("that a driver found no memory to compile in is said and not kept") {
  const Outcome outcome =
      run_shell("export XDG_CACHE_HOME=\"$folder/cache\"; FAULTY_OPENCL=short " + kFaultyAtWork +
                "\"$lab\" devices; cat \"$folder/cache/attention-lab/devices.json\"");
  CAPTURE(outcome.out);
  CHECK(contains(outcome.out, ".cl: the driver ran out of memory"));
  const std::size_t kept = outcome.out.find("\"verdicts\"");
  REQUIRE(kept != std::string::npos);
  CHECK(outcome.out.find("cannot compile", kept) == std::string::npos);
}

TEST_CASE("devices are asked also where whoever started the program ignores how its children end") {
  const Outcome outcome = run_shell(
      "/usr/bin/python3 -c 'import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); "
      "os.execv(sys.argv[1], sys.argv[1:])' \"$lab\" devices");
  CAPTURE(outcome.out);
  CHECK(contains(outcome.out, "passed"));
  CHECK_FALSE(contains(outcome.err, "longer than its limit"));
}

TEST_CASE("without HOME it still computes") {
  const Outcome outcome =
      run_shell(kDevicesPass + "env -u HOME -u XDG_CACHE_HOME \"$lab\" trace three-tokens");
  CHECK(outcome.status == kDone);
  CHECK(contains(outcome.out, "5.7112"));
  CHECK_FALSE(outcome.err.empty());
}

TEST_CASE("a relative HOME is left out of account and nothing is made in it") {
  const Outcome outcome = run_shell(
      kDevicesPass +
      "mkdir \"$folder/here\"; cd \"$folder/here\"; "
      "env -u XDG_CACHE_HOME -u XDG_STATE_HOME HOME=home \"$lab\" render three-tokens -o out.png --size "
      "640x400; "
      "test \"$(ls)\" = out.png");
  CHECK(outcome.status == 0);
  CHECK(contains(outcome.err, "HOME is not an absolute path"));
}

TEST_CASE("devices as JSON has every documented field") {
  const Outcome outcome = run_shell("\"$lab\" devices --json");
  REQUIRE(outcome.status == kDone);
  const auto report = nlohmann::json::parse(outcome.out);
  CHECK(report.at("notes").is_array());
  const auto& devices = report.at("devices");
  REQUIRE_FALSE(devices.empty());
  CHECK(devices.back().at("device") == "reference");
  for (const auto& device : devices) {
    for (const char* field : {"device", "name", "platform", "driver", "type", "verdict"})
      CHECK(device.at(field).is_string());
    CHECK(device.at("passed").is_boolean());
    CHECK(device.at("largest_error").is_null() != device.at("passed").get<bool>());
    CHECK(device.at("milliseconds").is_null() != device.at("passed").get<bool>());
    const bool tiled = device.at("passed").get<bool>() && device.at("type") != "reference";
    CHECK(device.at("flash_tiles").is_string() == tiled);
  }
}

TEST_CASE("damaged npz files never hurt the program") {
  const Outcome outcome =
      run_shell("/usr/bin/python3 \"$source/tests/app/check_damage.py\" \"$lab\" \"$folder\"");
  CAPTURE(outcome.out);
  CAPTURE(outcome.err);
  CHECK(outcome.status == 0);
}

TEST_CASE("where fontconfig knows no font the program has the same letters, bold ones too") {
  const Outcome outcome = run_shell(
      "echo '<fontconfig/>' >\"$folder/none.conf\"\n"
      "\"$lab\" render three-tokens --device reference -o \"$folder/known.png\" &&\n"
      "FONTCONFIG_FILE=\"$folder/none.conf\" \"$lab\" render three-tokens --device reference -o "
      "\"$folder/found.png\" &&\n"
      "cmp \"$folder/known.png\" \"$folder/found.png\"");
  CAPTURE(outcome.err);
  CHECK(outcome.status == kDone);
}

TEST_CASE("the benchmark of frames measures every row and no frame shows old weights" *
          doctest::test_suite("long")) {
  const Outcome outcome = run_shell("\"$lab\" bench frames --quick --json --device reference");
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == kDone);
  const auto rows = nlohmann::json::parse(outcome.out).at("rows");
  CHECK(rows.size() == 27);
  std::size_t targets = 0;
  for (const auto& row : rows) {
    INFO(row.dump());
    CHECK(row.at("note") == "");
    CHECK(row.at("median").get<double>() >= 0);
    CHECK(row.at("p95").get<double>() >= row.at("median").get<double>());
    targets += !row.at("target").is_null();
  }
  CHECK(targets == 24);
  CHECK(run_shell("\"$lab\" bench fames").status == kBadWords);
  const Outcome part = run_shell("\"$lab\" bench kernels --quick --json --device reference");
  REQUIRE(part.status == kDone);
  CHECK(nlohmann::json::parse(part.out)["rows"].size() == 2);  // its own, and the calibration
}

TEST_CASE("the benchmark of files measures computing and packing and how they compare") {
  const Outcome outcome = run_shell(
      "TMPDIR=\"$folder\" \"$lab\" bench trace --quick --json --device reference; ls \"$folder\" >&2");
  REQUIRE(outcome.status == kDone);
  const auto rows = nlohmann::json::parse(outcome.out).at("rows");
  REQUIRE(rows.size() == 5);
  for (std::size_t i = 0; i < 4; ++i) CHECK(rows[i].at("median").get<double>() > 0);
  CHECK(rows[3].at("unit") == "×");
  CHECK(rows[3].at("target") == 1);
  CHECK_FALSE(contains(outcome.err, "npz"));
}

TEST_CASE("a file that is none of what can be opened is said to be none") {
  const Outcome outcome = run_shell("printf hello >\"$folder/words\"; \"$lab\" trace \"$folder/words\"");
  CHECK(outcome.status == kBadInput);
  CHECK(outcome.err.find("neither a session, nor a file of arrays") != std::string::npos);
}
