// bench attention, started as a user would: its table, its JSON, and the words that it refuses; bench stack,
// bench training and bench large.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/app/shell.h"

using namespace attn;
using namespace attn::tests;

namespace {

// What a row of two heads of 16 counts, by its place among the subjects.
double operations_of(std::size_t subject, std::size_t tokens) {
  const double n = static_cast<double>(tokens);
  // φ of queries and keys, φ(K)ᵀV and Σφ(K), their products with φ(Q), and division.
  if (subject == 6) return (2 * 16 + 16 * (2 * 16 + 1) + 2 * 16 * (16 + 1) + 16) * n * 2;
  if (subject == 8) return 2 * n * n * n;
  // Mean, difference, square and its sum, division, gain and bias, 7 a number.
  if (subject == 9) return 7 * 32 * n;
  // Products 2·16 each, two and on the way back seven, and scaling and softmax 6, for each pair and head.
  // Of 16, 32 and 64 tokens each 4th, 6th and 8th key, and those at most as many before the query.
  const double by_stride = tokens == 16 ? 106 : tokens == 32 ? 317 : 932;
  const bool causal = subject == 2 || subject == 11;
  const double pairs = causal ? n * (n + 1) / 2 : subject == 7 ? n : subject == 12 ? by_stride : n * n;
  return (subject == 5 ? 14 * 16 + 12 : 4 * 16 + 6) * pairs * (subject == 3 ? 1 : 2);
}

}  // namespace

TEST_CASE("the benchmark of attention as JSON has its table and what the device can do at best") {
  const Outcome outcome = run_shell("\"$lab\" bench attention --quick --json --heads 2 --d 32");
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == kDone);
  const auto report = nlohmann::json::parse(outcome.out);
  CHECK(report.at("peak_gflops") > 0);
  CHECK(report.at("bandwidth_gbps") > 0);
  CHECK(report.at("steadiness") <= 1);
  CHECK(report.at("d") == 32);
  CHECK(report.at("heads") == 2);
  // Full, flash, causal, one head, with weights, back, linear, decoding, of 16, 32 and 64 tokens; products of
  // matrices as large; norms of as many rows; windows, which are as wide here as all tokens, and strides.
  CAPTURE(report.at("not_measured").dump());
  REQUIRE(report.at("rows").size() == 39);
  std::size_t count = 0;
  const char* const mechanisms[] = {"full",           "flash",  "flash",  "flash",  "flash-weights",
                                    "flash-backward", "linear", "decode", "matmul", "layer_norm",
                                    "window",         "window", "strided"};
  for (const auto& row : report.at("rows")) {
    const std::size_t n = std::size_t{16} << count % 3, subject = count / 3;
    const bool back = subject == 5, linear = subject == 6, product = subject == 8, norm = subject == 9;
    const std::size_t heads = subject == 3 || product || norm ? 1 : 2;
    CHECK(row.at("mechanism") == mechanisms[subject]);
    const bool sparse = subject > 9;
    CHECK(row.at("causal") == (subject == 2 || subject == 11));
    CHECK(row.at("heads") == heads);
    CHECK(row.at("d_k") == (product ? n : norm ? 32 : 16));
    CHECK(row.at("n") == n);
    CHECK(row.at("runs") == 2);
    CHECK(row.at("median_ms") > 0);
    CHECK(row.at("low_ms") <= row.at("high_ms"));
    const double operations = operations_of(subject, n);
    if (norm)
      CHECK(row.at("share_of_bandwidth").get<double>() ==
            doctest::Approx(1e-6 * 4 * 32 * (2 * static_cast<double>(n) + 2) /
                            row.at("median_ms").get<double>() / report.at("bandwidth_gbps").get<double>()));
    CHECK(row.at("gflops").get<double>() ==
          doctest::Approx(1e-6 * operations / row.at("median_ms").get<double>()));
    CHECK(row.at("share_of_peak").get<double>() ==
          doctest::Approx(row.at("gflops").get<double>() / report.at("peak_gflops").get<double>()));
    CHECK(row.at("share_of_bandwidth") > 0);
    CHECK(row.at("eigen_ms").is_null() == (subject > 1 && !product));
    if (!row.at("eigen_ms").is_null()) CHECK(row.at("ratio_to_eigen") > 0);
    CHECK(row.contains("ratio_to_flash") == (back || linear));
    if (back || linear) CHECK(row.at("ratio_to_flash") > 0);
    CHECK(row.contains("times_of_share") == sparse);
    if (sparse) CHECK(row.at("times_of_share") > 0);
    ++count;
  }
  CHECK(contains(report.at("flash_tiles").get<std::string>(), ","));
  CHECK(report.at("exponent").contains("value"));
  CHECK(report.at("exponent").contains("error"));
  CHECK(report.at("stages_n") == 64);
  CHECK(report.at("stages").size() == 9);
  CHECK(report.at("linear_exponent").contains("value"));
  CHECK(report.at("not_measured").size() == 1);
}

TEST_CASE("the benchmark of attention prints a table of the lengths that were asked for") {
  const Outcome outcome =
      run_shell("\"$lab\" bench attention --quick --device reference --d 16 --heads 2 --n 8,24");
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == kDone);
  CAPTURE(outcome.out);
  CHECK(contains(outcome.out, "Attention of 2 heads of 8 on reference, Eigen"));
  CHECK(contains(outcome.out, "\n  full              8  "));
  CHECK(contains(outcome.out, "\n  flash, causal    24  "));
  CHECK(contains(outcome.out, "\n  flash, backward   8  "));
  CHECK(contains(outcome.out, "\n  matmul           24  "));
  CHECK(contains(outcome.out, "\n  LayerNorm        24  "));
  CHECK(contains(outcome.out, "of bandwidth"));
  CHECK(contains(outcome.out, "\nthe way back, in times of flash: "));
  CHECK(contains(outcome.out, "GB/s, copying"));
  CHECK(contains(outcome.out, "\n  window, causal   24  "));
  CHECK(contains(outcome.out, "\nstrided, in times of its share of flash (goal 4): "));
  CHECK(contains(outcome.out, "recurrent: not measured: no kernel yet"));
}

TEST_CASE("the benchmark of attention measures the mechanisms alone that were asked for") {
  const Outcome outcome = run_shell(
      "\"$lab\" bench attention --quick --json --d 16 --heads 2 --n 24 --mechanism linear,flash-weights");
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == kDone);
  const auto report = nlohmann::json::parse(outcome.out);
  REQUIRE(report.at("rows").size() == 2);
  CHECK(report.at("rows")[0].at("mechanism") == "flash-weights");
  CHECK(report.at("rows")[1].at("mechanism") == "linear");
  CHECK(report.at("rows")[1].at("eigen_ms").is_null());
  CHECK(report.at("rows")[1].at("ratio_to_flash").is_null());
  CHECK(report.at("stages").empty());
  CHECK(report.at("not_measured").empty());
  const Outcome both = run_shell(
      "\"$lab\" bench attention --quick --device reference --d 16 --heads 2 --n 24 --mechanism linear,flash");
  CHECK(contains(both.out, "\nlinear, times as fast as flash: "));
  CHECK(!contains(both.out, "\n  full "));
}

TEST_CASE("the benchmark of attention refuses what cannot be measured") {
  CHECK(run_shell("\"$lab\" bench attention --n 0").status == kBadWords);
  CHECK(run_shell("\"$lab\" bench attention --n 16,x").status == kBadWords);
  CHECK(run_shell("\"$lab\" bench attention --d 1e3").status == kBadWords);
  const Outcome outcome = run_shell("\"$lab\" bench attention --heads 3");
  CHECK(outcome.status == kBadWords);
  CHECK(contains(outcome.err, "cannot be divided among 3 heads"));
  const Outcome other = run_shell("\"$lab\" bench attention --mechanism linear,liner");
  CHECK(other.status == kBadWords);
  CHECK(contains(other.err, "liner"));
  CHECK(run_shell("\"$lab\" bench frames --n 16").status == kBadWords);
  CHECK(run_shell("\"$lab\" bench frames --mechanism linear").status == kBadWords);
  CHECK(run_shell("\"$lab\" bench attention --device 4096").status == kNoDevice);
}

TEST_CASE("the benchmark of attention says that the device was lost and ends with its status") {
  const Outcome outcome =
      run_shell("FAULTY_OPENCL=fails " + kFaultyAtWork + "\"$lab\" bench attention --quick --n 16 --json");
  CAPTURE(outcome.out);
  CHECK(outcome.status == kNoDevice);
  CHECK(contains(outcome.err, "the device was lost: "));
  CHECK(contains(outcome.err, "out of resources"));
  CHECK(contains(nlohmann::json::parse(outcome.out).at("why").get<std::string>(), "the device was lost: "));
}

TEST_CASE("the benchmark of attention measures nothing with a device that gets a known result wrong") {
  const Outcome outcome =
      run_shell("FAULTY_OPENCL=wrong " + kFaultyAtWork + "\"$lab\" bench attention --quick --n 16 --json");
  CAPTURE(outcome.err);
  CHECK(outcome.status == kNoDevice);
  CHECK(contains(outcome.err, "computes wrong numbers: multiplying and adding left "));
  CHECK(nlohmann::json::parse(outcome.out).at("rows").empty());
}

TEST_CASE("the benchmark of stacks says that an edit runs what it reaches and no more") {
  const Outcome outcome = run_shell("\"$lab\" bench stack --quick --json --device reference");
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == kDone);
  const auto rows = nlohmann::json::parse(outcome.out).at("rows");
  REQUIRE(rows.size() == 8);
  for (const auto& row : rows) CHECK(row.at("note") == "");
  for (const std::size_t i : {1, 3}) {
    CHECK(rows[i].at("unit") == "×");
    CHECK(rows[i].at("target") == 1.2);
    CHECK(rows[i].at("median").get<double>() > 0.99);
    CHECK(rows[i].at("met") == true);
  }
}

TEST_CASE("the benchmark of training trains while its frames are timed" * doctest::test_suite("long")) {
  const Outcome outcome = run_shell("\"$lab\" bench training --quick --json");
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == kDone);
  const auto frames = nlohmann::json::parse(outcome.out).at("rows")[0];
  CHECK(frames.at("target") == 25);
  CHECK(frames.at("note") == "");
}

TEST_CASE(
    "the benchmark of large layers opens one of which not everything is kept, looks at it and edits it") {
  const Outcome outcome = run_shell("\"$lab\" bench large --quick --json");
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == kDone);
  const auto rows = nlohmann::json::parse(outcome.out).at("rows");
  REQUIRE(rows.size() == 7);
  const auto median = [&](std::size_t row) { return rows[row].at("median").get<double>(); };
  for (std::size_t row = 0; row < 6; ++row) CHECK(median(row) > 0);
  CHECK(median(0) <= median(1));  // some rows, then all of them
  for (const std::size_t row : {4, 5}) CHECK(rows[row].at("unit") == "MiB");
}
