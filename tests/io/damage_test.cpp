// Damaged files either parse or are refused with an Error: nothing crashes, hangs or allocates without bound.
#include <doctest/doctest.h>

#include "core/io/npz.h"
#include "core/io/session.h"
#include "core/system/error.h"
#include "tests/io/io_testing.h"
#include "tests/io/zip_builder.h"

namespace attn::tests {
namespace {

struct Outcome {
  std::size_t parsed = 0, refused = 0;
};

// Any exception but an Error passes on and fails the test.
template <class Parse>
void count(Outcome& outcome, Parse parse) {
  try {
    parse();
    ++outcome.parsed;
  } catch (const Error&) {
    ++outcome.refused;
  }
}

std::vector<std::vector<std::byte>> archives() {
  const std::vector<std::byte> npy = fixture("one_d.npy");
  FakeMember a = stored("a.npy", npy), b = deflated("b.npy", npy);
  const std::vector<std::byte> plain = build({.members = {a, b}});
  a.zip64 = b.zip64 = true;
  return {plain, build({.members = {a, b}, .zip64_end = true}), fixture("compressed.npz")};
}

TEST_CASE("every truncation of an archive is refused") {
  for (const std::vector<std::byte>& archive : archives()) {
    Outcome outcome;
    for (std::size_t length = 0; length < archive.size(); ++length)
      count(outcome, [&] { parse_npz<float>(std::span(archive).first(length)); });
    CHECK(outcome.parsed == 0);
    CHECK(outcome.refused == archive.size());
  }
}

TEST_CASE("every changed byte of an archive is refused or leaves the numbers alone") {
  for (const std::vector<std::byte>& archive : archives()) {
    const auto whole = parse_npz<float>(archive);
    Outcome outcome;
    std::size_t changed = 0;
    each_flip(archive, [&](const std::vector<std::byte>& damaged) {
      count(outcome, [&] {
        const auto arrays = parse_npz<float>(damaged);
        for (const auto& [name, array] : arrays) {
          const auto same = whole.find(name);
          if (same == whole.end() || same->second.values != array.values) ++changed;
        }
      });
    });
    CHECK(changed == 0);  // the checksums see to it
    CHECK(outcome.parsed > 0);
    CHECK(outcome.refused > outcome.parsed);
  }
}

TEST_CASE("every changed byte of an array is refused or parsed") {
  for (const char* name : {"fortran_3d_big_endian.npy", "version_2.npy", "structured.npy", "f2.npy"}) {
    Outcome outcome;
    const std::vector<std::byte> array = fixture(name);
    const std::size_t flips = each_flip(array, [&](const std::vector<std::byte>& damaged) {
      count(outcome, [&] { parse_npy<float>(damaged); });
    });
    for (std::size_t length = 0; length < array.size(); ++length)
      count(outcome, [&] { parse_npy<float>(std::span(array).first(length)); });
    CHECK(outcome.refused > 0);
    CHECK(outcome.parsed + outcome.refused == flips + array.size());
  }
}

const char* const kSession = R"({"format": "attention-lab session", "version": 1, "layer": {
  "tokens": ["the", "größe\u0041"], "x": [[0.1, -0.0, "nan"], [1e-45, "inf", 3]], "heads": 2, "scale": 0.5,
  "muted_heads": [1], "fill": "-1e9", "overrides": [
    {"stage": "scores", "head": 0, "row": 1, "column": 2, "value": 3.5}], "causal": "top-left"}}
)";

TEST_CASE("every truncation of a session is refused") {
  const std::string session = kSession;
  Outcome outcome;
  const std::size_t last_brace = session.rfind('}');
  for (std::size_t length = 0; length <= last_brace; ++length)
    count(outcome, [&] { parse_session(std::string_view(session).substr(0, length)); });
  CHECK(outcome.parsed == 0);
  CHECK(outcome.refused == last_brace + 1);
}

// Of every second byte from the first or the second on, so that neither case is a long one.
void check_changed_bytes(std::size_t first) {
  Outcome outcome;
  std::size_t differing = 0;
  each_flip(
      bytes_of(kSession),
      [&](const std::vector<std::byte>& damaged) {
        count(outcome, [&] {
          const Document document = parse_session(text_of(damaged));
          if (!(parse_session(write_session(document)) == document)) ++differing;
        });
      },
      first, 2);
  CHECK(differing == 0);
  CHECK(outcome.parsed > 0);
  CHECK(outcome.refused > outcome.parsed);
}

TEST_CASE("every changed byte of a session is refused or gives a session that round-trips") {
  check_changed_bytes(0);
}

TEST_CASE("every other changed byte of a session is refused or gives a session that round-trips") {
  check_changed_bytes(1);
}

}  // namespace
}  // namespace attn::tests
