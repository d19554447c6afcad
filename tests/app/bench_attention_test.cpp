// bench attention, started as a user would: its table, its JSON, and the words that it refuses.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/app/shell.h"

using namespace attn;
using namespace attn::tests;

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
  // Full, flash, causal, one head, with weights, back, decoding, of 16, 32 and 64 tokens; products of
  // matrices as large; norms of as many rows.
  REQUIRE(report.at("rows").size() == 27);
  std::size_t count = 0;
  const char* const mechanisms[] = {"full",           "flash",  "flash",  "flash",     "flash-weights",
                                    "flash-backward", "decode", "matmul", "layer_norm"};
  for (const auto& row : report.at("rows")) {
    const std::size_t n = std::size_t{16} << count % 3, subject = count / 3;
    const bool back = subject == 5, product = subject == 7, norm = subject == 8;
    const std::size_t heads = subject == 3 || product || norm ? 1 : 2;
    CHECK(row.at("mechanism") == mechanisms[subject]);
    CHECK(row.at("causal") == (subject == 2));
    CHECK(row.at("heads") == heads);
    CHECK(row.at("d_k") == (product ? n : norm ? 32 : 16));
    CHECK(row.at("n") == n);
    CHECK(row.at("runs") == 2);
    CHECK(row.at("median_ms") > 0);
    CHECK(row.at("low_ms") <= row.at("high_ms"));
    // Products 2·16 each, two and on the way back seven, and scaling and softmax 6, for each pair and head.
    const double pairs = static_cast<double>(subject == 2 ? n * (n + 1) / 2 : subject == 6 ? n : n * n);
    // Of a norm mean, difference, square and its sum, division, gain and bias, 7 a number.
    const double operations = product ? 2 * static_cast<double>(n * n * n)
                              : norm
                                  ? 7 * 32 * static_cast<double>(n)
                                  : (back ? 14 * 16 + 12 : 4 * 16 + 6) * pairs * static_cast<double>(heads);
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
    CHECK(row.contains("ratio_to_flash") == back);
    if (back) CHECK(row.at("ratio_to_flash") > 0);
    ++count;
  }
  CHECK(contains(report.at("flash_tiles").get<std::string>(), ","));
  CHECK(report.at("exponent").contains("value"));
  CHECK(report.at("exponent").contains("error"));
  CHECK(report.at("stages_n") == 64);
  CHECK(report.at("stages").size() == 9);
  CHECK(report.at("not_measured").size() == 4);
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
  CHECK(contains(outcome.out, "window: not measured: no kernel yet"));
}

TEST_CASE("the benchmark of attention refuses what cannot be measured") {
  CHECK(run_shell("\"$lab\" bench attention --n 0").status == kBadWords);
  CHECK(run_shell("\"$lab\" bench attention --n 16,x").status == kBadWords);
  CHECK(run_shell("\"$lab\" bench attention --d 1e3").status == kBadWords);
  const Outcome outcome = run_shell("\"$lab\" bench attention --heads 3");
  CHECK(outcome.status == kBadWords);
  CHECK(contains(outcome.err, "cannot be divided among 3 heads"));
  CHECK(run_shell("\"$lab\" bench frames --n 16").status == kBadWords);
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
