// The program itself, started as a user would: streams, environment, statuses, files that others can read.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/app/shell.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("the program ends with the statuses that the help lists") {
  CHECK(run_shell("\"$lab\" --version").status == kDone);
  CHECK(run_shell("\"$lab\" trce").status == kBadWords);
  CHECK(run_shell("\"$lab\" trace three-tokens --device 4096").status == kNoDevice);
  CHECK(run_shell("\"$lab\" trace /nonexistent.npz").status == kBadInput);
  CHECK(run_shell("\"$lab\" trace three-tokens --device reference -o /nonexistent/x.npz").status ==
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
  const Outcome outcome = run_shell("OCL_ICD_VENDORS=/nonexistent \"$lab\" trace three-tokens");
  CHECK(outcome.status == kDone);
  CHECK(contains(outcome.out, "5.7112"));
  CHECK(contains(outcome.err, "reference"));
}

TEST_CASE("a cache folder that cannot be made is no obstacle") {
  const Outcome outcome =
      run_shell("touch \"$folder/file\"; XDG_CACHE_HOME=\"$folder/file\" \"$lab\" trace three-tokens");
  CHECK(outcome.status == kDone);
  CHECK(contains(outcome.out, "5.7112"));
  CHECK_FALSE(outcome.err.empty());
}

TEST_CASE("without HOME it still computes") {
  const Outcome outcome = run_shell("env -u HOME -u XDG_CACHE_HOME \"$lab\" trace three-tokens");
  CHECK(outcome.status == kDone);
  CHECK(contains(outcome.out, "5.7112"));
  CHECK_FALSE(outcome.err.empty());
}

TEST_CASE("a relative HOME is left out of account and nothing is made in it") {
  const Outcome outcome = run_shell(
      "mkdir \"$folder/here\"; cd \"$folder/here\"; "
      "env -u XDG_CACHE_HOME -u XDG_STATE_HOME HOME=home \"$lab\" render three-tokens -o out.png --size "
      "640x400; "
      "test \"$(ls)\" = out.png");
  CHECK(outcome.status == 0);
  CHECK(contains(outcome.err, "HOME is no full path"));
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
  }
}

TEST_CASE("damaged npz files never hurt the program") {
  const Outcome outcome =
      run_shell("/usr/bin/python3 \"$source/tests/app/check_damage.py\" \"$lab\" \"$folder\"");
  CAPTURE(outcome.out);
  CAPTURE(outcome.err);
  CHECK(outcome.status == 0);
}

TEST_CASE("the benchmark of frames measures every row and no frame shows old weights") {
  const Outcome outcome = run_shell("\"$lab\" bench frames --quick --json --device reference");
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == kDone);
  const auto rows = nlohmann::json::parse(outcome.out).at("rows");
  CHECK(rows.size() == 14);
  std::size_t targets = 0;
  for (const auto& row : rows) {
    INFO(row.dump());
    CHECK(row.at("note") == "");
    CHECK(row.at("median").get<double>() >= 0);
    CHECK(row.at("p95").get<double>() >= row.at("median").get<double>());
    targets += !row.at("target").is_null();
  }
  CHECK(targets == 11);
  CHECK(run_shell("\"$lab\" bench fames").status == kBadWords);
}

TEST_CASE("a file that is none of what can be opened is said to be none") {
  const Outcome outcome = run_shell("printf hello >\"$folder/words\"; \"$lab\" trace \"$folder/words\"");
  CHECK(outcome.status == kBadInput);
  CHECK(outcome.err.find("neither a session, nor an .npz, nor a picture") != std::string::npos);
}
