// Random documents come back bit by bit; and the text is one that a person would write. Session files of our
// own past are in session_versions_test.cpp.
#include "core/io/session.h"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <limits>

#include "tests/io/any_document.h"
#include "tests/io/io_testing.h"
#include "tests/layers.h"
#include "tests/sanitized.h"
#include "tests/seed.h"
#include "tests/special.h"

namespace attn::tests {
namespace {

using Bits = std::mt19937_64;

TEST_CASE("any document round-trips bit by bit") {
  Bits random(seed(1));
  for (int i = 0; i < (kSanitized ? 500 : 2000); ++i) {
    const Document document = any_document(random);
    const std::string text = write_session(document);
    INFO(text);
    const Document again = parse_session(text);
    REQUIRE(again == document);
    REQUIRE(write_session(again) == text);
  }
}

Document with_x(std::vector<float> values) {
  Document document;
  const std::size_t columns = values.size();
  document.layer().x = Tensor({1, 1, columns}, std::move(values));
  return document;
}

TEST_CASE("floats of every exponent and sign round-trip through their decimals") {
  std::vector<float> values;
  Bits random(seed(2));
  for (std::uint32_t exponent = 0; exponent < 255; ++exponent)
    for (int i = 0; i < 200; ++i)
      values.push_back(
          std::bit_cast<float>(static_cast<std::uint32_t>(random() & 0x807fffffu) | exponent << 23));
  const Document document = with_x(values);
  CHECK(parse_session(write_session(document)) == document);
}

TEST_CASE("numbers are written as a person would") {
  const std::string text =
      write_session(with_x({0.1f, -0.0f, 0, 3, -2.5f, 1e-45f, kFloatInfinity, -kFloatInfinity}));
  CHECK(mentions(text, {"[0.1, -0.0, 0, 3, -2.5, 1e-45, \"inf\", \"-inf\"]"}));
}

TEST_CASE("every NaN comes back as the quiet one") {
  const Document document = parse_session(write_session(with_x({std::bit_cast<float>(0xffc12345u)})));
  CHECK(std::bit_cast<std::uint32_t>(document.layer().x.values()[0]) == 0x7fc00000u);
}

TEST_CASE("a new document is written without a single setting") {
  CHECK(write_session({}) == "{\n  \"format\": \"attention-lab session\",\n  \"version\": 2\n}\n");
  CHECK(parse_session(write_session({})) == Document{});
}

TEST_CASE("a tensor without numbers is written as absent") {
  Document document;
  document.layer().x = Tensor({1, 0, 4}, {});
  CHECK(parse_session(write_session(document)) == Document{});
}

TEST_CASE("bytes of a label that are no UTF-8 are replaced") {
  Document document;
  document.layer().tokens = {"a\xff"};
  CHECK(parse_session(write_session(document)).layer().tokens == Labels{"a\uFFFD"});
}

TEST_CASE("the examples in the schema are sessions") {
  const std::string schema = text_of(fixture("../../../core/io/session.md"));
  std::size_t end = 0;
  const auto example = [&] {
    const std::size_t start = schema.find("```json\n", end) + 8;
    end = schema.find("```", start);
    return parse_session(schema.substr(start, end - start));
  };
  const Document document = example();
  CHECK(document.layer().x[{0, 1, 1}] == kFloatInfinity);
  CHECK(causal_of(document.layer()) == CausalAlign::lower_right);
  const StackSpec stack = example().transformer;
  REQUIRE(stack.encoder.blocks.size() == 3);
  CHECK(stack.encoder.blocks[1].inner.w.shape() == Shape{1, 4, 16});
  CHECK(stack.encoder.blocks[2].off == std::vector<std::size_t>{2});
}

}  // namespace
}  // namespace attn::tests
