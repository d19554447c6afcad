// Sessions of older versions, as the programs of their time wrote them: opened forever, with the same
// results.
#include <doctest/doctest.h>

#include "core/io/npy.h"
#include "core/io/session.h"
#include "tests/io/io_testing.h"
#include "tests/layers.h"

namespace attn::tests {
namespace {

constexpr const char* kVersion1[] = {
    "three-tokens",       "the-cat-sat-on-mat", "the-cat-sat-on-mat-causal", "the-cat-sat-on-mat-two-heads",
    "cross-masked-typed", "direct-padded"};

Document opened(const std::string& name) {
  return parse_session(text_of(fixture("version-1/" + name + ".json")));
}

TEST_CASE("a session of version 1 has the output that the program of its time computed") {
  for (const char* name : kVersion1) {
    CAPTURE(name);
    const Array64 expected = parse_npy<double>(fixture("version-1/" + std::string(name) + ".npy"));
    const Tensor output = evaluated(opened(name)).output("output");
    REQUIRE(output.values().size() == expected.values.size());
    for (std::size_t i = 0; i < output.values().size(); ++i)
      CHECK(output.values()[i] == doctest::Approx(expected.values[i]).epsilon(1e-6));
  }
}

TEST_CASE("a session of version 1 is written in the current one and is the same document") {
  for (const char* name : kVersion1) {
    const std::string now = write_session(opened(name));
    CHECK(now.find("\"version\": 2") != std::string::npos);
    CHECK(parse_session(now) == opened(name));
  }
}

TEST_CASE("the sinusoidal encoding of older sessions is the one there was") {
  const Document document = parse_session(text_of(fixture("version-2/the-cat-sat-on-mat-causal.json")));
  CHECK(document.layer().position == Position(Sinusoidal{10000}));
  CHECK(opened("cross-masked-typed").layer().position == Position(Sinusoidal{100}));
  CHECK(parse_session(write_session(document)) == document);
}

TEST_CASE("the masks and overrides of version 1 are rules and overrides of the Pipeline") {
  const Document document = opened("cross-masked-typed");
  CHECK(causal_of(document.layer()) == CausalAlign::top_left);
  CHECK(padding_of(document.layer()) == std::vector<std::size_t>{4});
  REQUIRE(document.overrides.size() == 2);
  CHECK(document.overrides[0] == typed("scores", {1, 1, 1}, 0.5f));
  CHECK(document.overrides[1] == typed("weights", {0, 0, 0}, 0.9f));
}

TEST_CASE("what was typed over a compared layer is read and written as before layers had addresses") {
  const std::string text = R"({
  "format": "attention-lab session",
  "version": 2,
  "layer": {
    "direct": true,
    "q": [
      [1]
    ],
    "k": [
      [2]
    ],
    "v": [
      [3]
    ]
  },
  "compare": {
    "variants": 2
  },
  "c": {
    "temperature": 3
  },
  "overrides": [
    {"workspace": "pipeline", "stage": "scores", "head": 0, "row": 0, "column": 0, "value": 1},
    {"workspace": "compare", "stage": "c.scores", "head": 0, "row": 0, "column": 0, "value": 2}
  ]
}
)";
  constexpr Address kLayerC{2};
  const Document document = parse_session(text);
  REQUIRE(document.layers.size() == 3);
  CHECK(document.layer(kLayerB) == document.layer());
  CHECK(document.layer(kLayerC).temperature == 3);
  CHECK(document.overrides == std::vector<StageOverride>{{"pipeline", "scores", {{0, 0, 0}, 1}},
                                                         {"pipeline", "scores", {{0, 0, 0}, 2}, kLayerC}});
  CHECK(parse_session(write_session(document)) == document);
  CHECK(write_session(document) == text);
}

TEST_CASE("rules of before there were others are joined by or and read as they were") {
  const Document document =
      parse_session(R"({"format": "attention-lab session", "version": 2, "layer": {"masks":
      [{"rule": "causal", "align": "top-left"}, {"rule": "padding", "lengths": [2, 3]}]}})");
  CHECK(document.layer().masks ==
        std::vector<MaskTerm>{{CausalRule{CausalAlign::top_left}}, {PaddingRule{{2, 3}}}});
  CHECK(write_session(document).find(
            R"([{"rule": "causal", "align": "top-left"}, {"rule": "padding", "lengths": [2, 3]}])") !=
        std::string::npos);
}

}  // namespace
}  // namespace attn::tests
