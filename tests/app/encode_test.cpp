// encode: the numbers of each encoding as an array of the shape that it has, and what it refuses.
#include <doctest/doctest.h>

#include <cmath>

#include "core/io/npy.h"
#include "core/operations/offset.h"
#include "core/system/file.h"
#include "tests/app/words.h"
#include "tests/limited_memory.h"
#include "tests/sanitized.h"

using namespace attn;
using namespace attn::tests;

namespace {

Array encoded(std::vector<std::string> words) {
  const TemporaryFolder folder;
  const std::string out = folder / "out.npy";
  words.insert(words.begin(), "encode");
  words.insert(words.end(), {"-o", out});
  const Outcome outcome = run_words(words);
  INFO(outcome.err);
  REQUIRE(outcome.status == kDone);
  CHECK(outcome.out.empty());
  return parse_npy<float>(read_file(out));
}

// Before any device is chosen: there is none of that number.
std::string encode_refusal(std::vector<std::string> words) {
  const TemporaryFolder folder;
  words.insert(words.begin(), "encode");
  words.insert(words.end(), {"-o", folder / "out.npy", "--device", "4096"});
  const Outcome outcome = run_words(words);
  CHECK(outcome.status == kBadWords);
  CHECK(folder.holds_only({}));
  return outcome.err;
}

using Shape2 = std::vector<std::size_t>;

}  // namespace

TEST_CASE("the sinusoidal encoding is written with its base and shift on every device") {
  for (const char* device : {"reference", "auto"})
    for (const std::size_t shift : {0u, 99990u}) {
      const Array array = encoded({"sinusoidal", "--length", "9", "--width", "5", "--base", "100", "--shift",
                                   std::to_string(shift), "--device", device});
      REQUIRE(array.shape == Shape2{9, 5});
      for (std::size_t p = 0; p < 9; ++p)
        for (std::size_t c = 0; c < 5; ++c) {
          const double angle =
              static_cast<double>(shift + p) * std::pow(100.0, -2.0 * static_cast<double>(c / 2) / 5);
          CHECK(std::abs(array.values[p * 5 + c] - (c % 2 == 0 ? std::sin(angle) : std::cos(angle))) <= 1e-6);
        }
    }
}

TEST_CASE("a base is said before the kind or behind it") {
  const std::vector<std::string> sizes{"--length", "4", "--width", "6"};
  auto with_kind = sizes, with_sizes = sizes;
  with_kind.insert(with_kind.begin(), "sinusoidal:50");
  with_sizes.insert(with_sizes.begin(), {"sinusoidal", "--base", "50"});
  CHECK(encoded(with_kind).values == encoded(with_sizes).values);
}

TEST_CASE("rope is written as the cosine and sine of each pair where its features stand") {
  const auto rope = [](const char* kind) { return encoded({kind, "--length", "3", "--width", "4"}).values; };
  const std::vector<float> neighbours = rope("rope"), halves = rope("rope:half");
  for (std::size_t p = 0; p < 3; ++p)
    for (std::size_t i = 0; i < 2; ++i) {
      const double angle = static_cast<double>(p) * (i == 0 ? 1 : 0.01);
      CHECK(std::abs(neighbours[p * 4 + 2 * i] - std::cos(angle)) <= 1e-7);
      CHECK(std::abs(neighbours[p * 4 + 2 * i + 1] - std::sin(angle)) <= 1e-7);
      CHECK(std::abs(halves[p * 4 + i] - std::cos(angle)) <= 1e-7);
      CHECK(std::abs(halves[p * 4 + i + 2] - std::sin(angle)) <= 1e-7);
    }
}

TEST_CASE("biases have a matrix for each head and relative vectors a row for each offset") {
  const Array alibi = encoded({"alibi", "--length", "5", "--width", "6"});
  REQUIRE(alibi.shape == Shape2{6, 5, 5});
  CHECK(alibi.values[(4 * 5 + 1) * 5 + 4] == -0.5 * 3);
  const Array t5 = encoded({"t5:8:20:1", "--length", "7", "--width", "2"});
  REQUIRE(t5.shape == Shape2{2, 7, 7});
  CHECK(t5.values[0] == t5.values[6 * 7 + 6]);
  CHECK(t5.values[1] == t5.values[5 * 7 + 6]);
  CHECK(t5.values[1] != t5.values[7]);
  const Array relative = encoded({"relative:1:3", "--length", "4", "--width", "2"});
  REQUIRE(relative.shape == Shape2{7, 2});
  CHECK(relative.values[0] == relative.values[4]);  // offsets −3 and −1
  CHECK(relative.values[4] != relative.values[6]);
}

TEST_CASE("learned rows are the same wherever the table ends and are not invented behind it") {
  const Array all = encoded({"learned:5:8", "--length", "8", "--width", "3"});
  const Array last = encoded({"learned:5:80", "--length", "2", "--width", "3", "--shift", "6"});
  for (std::size_t i = 0; i < 6; ++i) CHECK(last.values[i] == all.values[18 + i]);
  CHECK(contains(encode_refusal({"learned:5:8", "--length", "9", "--width", "3"}), "no row for position 8"));
}

TEST_CASE("odd sizes and bases are written") {
  CHECK(encoded({"sinusoidal", "--length", "1", "--width", "2"}).values == std::vector<float>{0, 1});
  CHECK(encoded({"sinusoidal", "--length", "1", "--width", "512"}).shape == Shape2{1, 512});
  const Array one = encoded({"sinusoidal", "--length", "3", "--width", "4", "--base", "1"});
  CHECK(one.values[4] == one.values[6]);
  const Array slow = encoded({"sinusoidal", "--length", "3", "--width", "4", "--base", "1e9"});
  CHECK(slow.values[10] == doctest::Approx(2 * std::pow(1e9, -0.5)).epsilon(1e-6));
}

TEST_CASE("what cannot be encoded is refused with what can") {
  const std::vector<std::string> sizes{"--length", "4", "--width", "4"};
  const auto refused = [&](std::vector<std::string> words) {
    words.insert(words.end(), sizes.begin(), sizes.end());
    return encode_refusal(words);
  };
  CHECK(contains(refused({"sinusoid"}), "did you mean \"sinusoidal\"?"));
  CHECK(refused({"none"}) == "attention-lab: encode none: it has no numbers; use another encoding\n");
  CHECK(contains(refused({"t5:5:20:1"}), "encode t5:5:20:1: 5 buckets cannot be shared out"));
  CHECK(contains(refused({"alibi", "--base", "2"}), "alibi has no base"));
  CHECK(contains(refused({"sinusoidal", "--base", "0"}), "--base"));
  CHECK(contains(refused({"sinusoidal", "--shift", "-1"}), "--shift"));
  CHECK(contains(refused({}), "encode"));
  CHECK(contains(encode_refusal({"rope", "--length", "4", "--width", "5"}), "use 4 or 6"));
  CHECK(contains(encode_refusal({"sinusoidal", "--width", "4"}), "--length"));
  CHECK(contains(encode_refusal({"sinusoidal", "--width", "4", "--length", "100000000"}),
                 "a whole number from 1 to 16777216"));
  CHECK(contains(run_words({"encode", "sinusoidal", "--length", "4", "--width", "4"}).err, "-o OUT.npy"));
}

TEST_CASE("an encoding that does not fit is refused with numbers and the length that would fit does") {
  if (kSanitized) return;  // no limit is left over the address space that it takes
  for (const std::string kind : {"alibi", "t5:8:20:1", "rope", "sinusoidal", "relative:4:1"}) {
    CAPTURE(kind);
    const TemporaryFolder folder;
    const LimitedMemory limited(std::uint64_t{100} << 20);
    const auto encode = [&](const std::string& length) {
      return run_words({"encode", kind, "--length", length, "--width", "8", "-o", folder / "out.npy",
                        "--device", "reference"});
    };
    const bool squared = kind == "alibi" || kind == "t5:8:20:1";
    const Outcome refused = encode(squared ? "4000" : "15000000");
    CAPTURE(refused.err);
    CHECK(refused.status == kOutOfOrder);
    CHECK(contains(refused.err, "not enough memory: this takes "));
    CHECK(contains(refused.err, " MiB are free under this process's limit (ulimit -v)"));
    CHECK(folder.holds_only({}));
    const std::size_t end = refused.err.find(" tokens would fit");
    REQUIRE(end != std::string::npos);
    const std::size_t number = refused.err.rfind(' ', end - 1) + 1;
    CHECK(encode(refused.err.substr(number, end - number)).status == kDone);
  }
}

TEST_CASE("an encoding of more numbers than can be counted is refused before anything is computed") {
  const std::string most = std::to_string(1 << 24);
  for (const char* kind : {"alibi", "t5:8:20:1", "rope", "sinusoidal", "relative:4:1"}) {
    const TemporaryFolder folder;
    const Outcome refused =
        run_words({"encode", kind, "--length", most, "--width", most, "-o", folder / "out.npy"});
    CHECK(refused.status == kNotWritten);
    CHECK(folder.holds_only({}));
  }
}
