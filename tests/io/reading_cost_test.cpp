// What a file costs before it is known what is in it: time by its length; memory by what it holds, once and
// a half of it at the most, and little where it holds nothing. Sizes are those of tests that take a second.
#include <doctest/doctest.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <map>
#include <memory>
#include <numeric>

#include "core/document/limits.h"
#include "core/io/layer_npz.h"
#include "core/io/npz.h"
#include "core/io/png.h"
#include "core/io/session.h"
#include "tests/io/io_testing.h"
#include "tests/io/zip_builder.h"

namespace attn::tests {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kNumbers = 8 * kMiB;  // of the larger matrices here

// `begin`, then `part` so often, then `end`: made while it is read.
TextSource repeated(std::string begin, const std::string& part, std::size_t count, std::string end) {
  const std::size_t at_once = std::max<std::size_t>(1, (std::size_t{1} << 15) / part.size());
  std::string many;
  for (std::size_t i = 0; i < at_once; ++i) many += part;
  return [=, size = part.size(), piece = std::string()]() mutable -> std::string_view {
    if (!begin.empty()) {
      piece = std::exchange(begin, "");
    } else if (count > 0) {
      const std::size_t now = std::min(count, at_once);
      piece = many.substr(0, now * size);
      count -= now;
    } else {
      piece = std::exchange(end, "");
    }
    return piece;
  };
}

const std::string kLayer = R"({"format": "attention-lab session", "version": 2, "layer": {)";

// A session whose x is a row of so many numbers.
TextSource row_of(const std::string& number, std::size_t count) {
  return repeated(kLayer + "\"x\": [[", number + ",", count - 1, number + "]]}}");
}

// A picture that carries the text.
std::vector<std::byte> picture_with(const TextSource& source) {
  const Picture picture{1, 1, {0, 0, 0}};
  return write_png(picture, all_of(source));
}

void check_peak(std::optional<std::size_t> peak, std::size_t most) {
  if (peak) CHECK(*peak <= most);
}

// CPU seconds of this thread: other programs on the machine do not count.
double seconds_of(const std::function<void()>& action) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  action();
  return now() - start;
}

TEST_CASE("a session of the shortest numbers takes twice its text while it is read" *
          doctest::test_suite("unsanitized")) {
  const std::size_t text = 2 * kNumbers;
  Document document;
  check_peak(peak_of([&] { document = read_session(row_of("0", kNumbers)); }), 2 * text + 16 * kMiB);
  CHECK(document.layer().x.shape() == Shape{1, 1, kNumbers});
}

TEST_CASE("a picture of a few bytes takes twice what its session holds while it is read" *
          doctest::test_suite("unsanitized")) {
  const std::vector<std::byte> file = picture_with(row_of("0", kNumbers));
  CHECK(file.size() < kMiB);
  Document document;
  check_peak(peak_of([&] { document = read_session(session_in_png(file)); }), 4 * kNumbers + 16 * kMiB);
  CHECK(document.layer().x.shape() == Shape{1, 1, kNumbers});
}

TEST_CASE("a picture of a few bytes that unpacks to nothing but brackets is refused for little" *
          doctest::test_suite("long")) {
  const std::string text = "\"" + std::string(100000, 'x') + "\"";
  for (const std::string& part : std::vector<std::string>{"[],", "{},", "[[", "{\"a\":[", "\"\",", text + ",",
                                                          "{" + text + ":0},", "{\"stage\":" + text + "},"}) {
    for (const std::string key :
         {"\"x\": [", "\"tokens\": [", "\"masks\": [", "\"fill\": [", "\"overrides\": ["}) {
      CAPTURE(part);
      CAPTURE(key);
      const std::size_t count = part.size() < 10 ? 8 * kMiB : 64 * kMiB / part.size();
      const std::vector<std::byte> file = picture_with(repeated(kLayer + key, part, count, ""));
      CHECK(file.size() < kMiB);
      std::string why;
      check_peak(peak_of([&] { why = reason([&] { read_session(session_in_png(file)); }); }), 16 * kMiB);
      CHECK(why != "no error");
    }
  }
}

TEST_CASE("texts are kept up to what a session may hold of them and no further" *
          doctest::test_suite("unsanitized")) {
  const std::string text = "\"" + std::string(limits::kMostLabelBytes, 'x') + "\"";
  const std::string override =
      R"({"workspace": "w", "head": 0, "row": 0, "column": 0, "value": 0, "stage": )";
  for (const TextSource& source :
       {repeated(kLayer + "\"tokens\": [", text + ",", limits::kMostLabels - 1, text + "]}}"),
        repeated(R"({"format": "attention-lab session", "version": 2, "overrides": [)",
                 override + text + "},", limits::kMostLabels, "")}) {
    std::string why;
    check_peak(peak_of([&] { why = reason([&] { read_session(source); }); }),
               limits::kMostTextBytes + 32 * kMiB);
    CHECK(mentions(why, {"the labels take more than 64 MiB"}));
  }
}

TEST_CASE("as many mask rules and listed numbers as a document may have are read again" *
          doctest::test_suite("unsanitized")) {
  Document document;
  LayerSpec& layer = document.layer();
  layer.heads = layer.kv_heads = limits::kMostHeads;
  layer.muted_heads.resize(limits::kMostListed);
  std::iota(layer.muted_heads.begin(), layer.muted_heads.end(), 0);
  layer.masks.assign(limits::kMostRules - 1,
                     {.rule = RandomRule{.keys = 12345, .seed = 67890}, .negated = true, .join = Join::all});
  layer.masks.push_back({.rule = PaddingRule{.lengths = std::vector<std::size_t>(
                                                 limits::kMostListed - limits::kMostRules, 3)}});
  REQUIRE_NOTHROW(check_limits(document));
  CHECK(parse_session(write_session(document)).layer() == layer);
  layer.masks.push_back({});
  CHECK(mentions(reason([&] { check_limits(document); }), {"4097 rules", "at most 4096"}));
}

std::string override_text(std::size_t i) {
  return R"({"workspace": "pipeline", "stage": "scores", "head": 0, "row": )" + std::to_string(i / 512) +
         ", \"column\": " + std::to_string(i % 512) + ", \"value\": 0.5}";
}

std::string overrides_text(std::size_t count) {
  std::string text = R"({"format": "attention-lab session", "version": 2, "overrides": [)";
  for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? "," : "") + override_text(i);
  return text + "]}";
}

TEST_CASE("four times as many overrides take four times as long to read" *
          doctest::test_suite("unsanitized")) {
  const std::string few = overrides_text(1 << 13), many = overrides_text(1 << 15);
  double ratio = 1e9;
  for (int i = 0; i < 5; ++i)
    ratio =
        std::min(ratio, seconds_of([&] { parse_session(many); }) / seconds_of([&] { parse_session(few); }));
  CHECK(ratio < 8);  // in quadratic time it is 16
}

TEST_CASE("as many overrides as a document may have are read and one more is refused" *
          doctest::test_suite("unsanitized")) {
  std::string text = overrides_text(limits::kMostOverrides);
  std::vector<StageOverride> overrides;
  check_peak(peak_of([&] { overrides = parse_session(text).overrides; }), 2 * text.size() + 16 * kMiB);
  REQUIRE(overrides.size() == limits::kMostOverrides);
  CHECK(overrides.back().value.cell == Cell{0, 511, 511});
  text.replace(text.size() - 2, 2, "," + override_text(0) + "]}");
  CHECK(mentions(reason([&] { parse_session(text); }), {"more than 262144 computed numbers"}));
}

TEST_CASE("an archive takes its file and its numbers while it is read" * doctest::test_suite("unsanitized")) {
  const std::vector<float> ones(kNumbers, 1);
  const std::array<std::size_t, 2> shape{4, kNumbers / 4};
  std::vector<std::byte> npy = write_npy(shape, ones);
  std::vector<std::byte> fortran = npy;
  const std::string_view order = "'fortran_order': False";
  const std::string_view other = "'fortran_order': True ";
  const std::size_t at = as_text(fortran).find(order);
  std::ranges::copy(std::as_bytes(std::span(other)), fortran.begin() + static_cast<std::ptrdiff_t>(at));
  for (const std::vector<std::byte>& array : {npy, fortran}) {
    const std::vector<std::byte> file = build({.members = {deflated("x.npy", array)}});
    CHECK(file.size() < kMiB);
    std::map<std::string, Array> arrays;
    check_peak(peak_of([&] { arrays = parse_npz<float>(file); }), 4 * kNumbers + 16 * kMiB);
    CHECK(arrays.at("x").values == ones);
  }
}

TEST_CASE("an archive that promises what it does not hold is refused for little" *
          doctest::test_suite("unsanitized")) {
  for (const char* order : {"False", "True"}) {
    const std::string header = std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                               "{'descr': '<f4', 'fortran_order': " + order + ", 'shape': (8192, 8192), }";
    std::vector<std::byte> array = bytes_of(header);
    array.resize(128, std::byte{' '});
    FakeMember member = deflated("x.npy", array);
    member.size = 128 + 4 * 8192 * 8192;
    const std::vector<std::byte> file = build({.members = {member}});
    std::string why;
    check_peak(peak_of([&] { why = reason([&] { parse_npz<float>(file); }); }), 16 * kMiB);
    CHECK(mentions(why, {"damaged"}));
  }
}

}  // namespace
}  // namespace attn::tests
