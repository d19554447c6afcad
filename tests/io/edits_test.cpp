// What edits can make, files can hold: after random edits, of random documents and of hostile words, the
// session and the picture of the document are read back as what was written.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "core/document/document_fields.h"
#include "core/document/limits.h"
#include "core/edits/edit_fill.h"
#include "core/io/png.h"
#include "core/io/session.h"
#include "tests/core/edit_documents.h"
#include "tests/seed.h"

namespace attn::tests {
namespace {

float any_finite_or_nan(Random& random) {
  constexpr float kSpecial[] = {0.0f, -0.0f, 1e-45f, 3.4028235e38f, -1.17549421e-38f};
  if (coin(random)) return kSpecial[pick(random, 0, std::size(kSpecial) - 1)];
  return std::bit_cast<float>(static_cast<std::uint32_t>(random()));  // any NaN too
}

std::string any_bytes_label(Random& random) {
  const std::string kLabels[] = {"the",
                                 "",
                                 "键",
                                 "\"\\\n\t",
                                 std::string("\0", 1),
                                 "\xff\xc0\x80",
                                 "\xed\xa0\x80",
                                 std::string(limits::kMostLabelBytes, 'x'),
                                 std::string(5000, 'x'),
                                 std::string(2000, '\xff')};
  return kLabels[pick(random, 0, std::size(kLabels) - 1)];
}

// Some cells of a random stage of its graph.
void edit_numbers(Random& random, Document& document) {
  const Graph graph = build_layer(document).graph;
  const Stage& stage = graph.stages[pick(random, 0, graph.stages.size() - 1)];
  const Shape s = stage.shape;
  const Cell cell{pick(random, 0, s.stack - 1), pick(random, 0, s.rows - 1), pick(random, 0, s.columns - 1)};
  const Region block{cell, {cell.head + 1, cell.row + 1, s.columns}};
  if (coin(random)) return set_number(document, stage.id, cell, any_finite_or_nan(random));
  if (coin(random)) return set_numbers(document, stage.id, fill_cells(FillKind::normal, random(), block));
  const auto cells = formula_cells(coin(random) ? "i/(j-1)" : "-0/0", block);
  if (const auto* numbers = std::get_if<std::vector<CellValue>>(&cells))
    set_numbers(document, stage.id, *numbers);
}

void edit_tokens(Random& random, Document& document) {
  const TokenSide side = coin(random) ? TokenSide::query : TokenSide::key;
  const std::size_t n = token_count(document.layer(), side);
  switch (pick(random, 0, 4)) {
    case 0:
      return insert_token(document, pick(random, 0, n), any_bytes_label(random), side);
    case 1:
      return remove_token(document, pick(random, 0, n - 1), side);
    case 2:
      return move_token(document, pick(random, 0, n - 1), pick(random, 0, n - 1), side);
    case 3:
      return set_token_count(document, pick(random, 1, 8), any_bytes_label(random), side);
    default:
      return rename_token(document, pick(random, 0, n - 1), any_bytes_label(random), side);
  }
}

void edit_layer(Random& random, Document& document) {
  switch (pick(random, 0, 5)) {
    case 0:
      return set_width(document, pick(random, 1, 8));
    case 4:
      return set_width_of_keys(document, pick(random, 1, 8));
    case 5:
      return set_width_of_values(document, pick(random, 1, 8));
    case 1:
      return set_heads(document, pick(random, 1, 6), pick(random, 1, 6));
    case 2:
      return use_projected(document);
    default:
      const Results results = evaluated(document);
      return use_direct(document, results.output(Role::query), results.output(Role::key),
                        results.output(Role::value));
  }
}

// A setting at the ends of its range, or beyond; as the program takes up what a control makes.
void edit_setting(Random& random, Document& document) {
  Document changed = document;
  const double wild[] = {0, 1, -1, 0.5, 1e300, 5e-324, NAN, INFINITY, -INFINITY};
  const auto any = [&] { return wild[pick(random, 0, std::size(wild) - 1)]; };
  switch (pick(random, 0, 4)) {
    case 0:
      changed.layer().temperature = any();
      break;
    case 1:
      changed.layer().scale = {static_cast<ScaleMode>(pick(random, 0, 2)), any()};
      break;
    case 2:
      changed.layer().dropout = any();
      changed.layer().dropout_seed = random();
      break;
    case 3:
      changed.layer().position = Sinusoidal{any()};
      break;
    default:
      set_padding(changed.layer(), std::vector<std::size_t>(pick(random, 0, 1), random()));
  }
  check_limits(changed);
  document = changed;
}

// Whether an edit was made; one that is refused leaves the document as it was.
bool edit(Random& random, Document& document) {
  const Document before = document;
  try {
    switch (pick(random, 0, 3)) {
      case 0:
        edit_numbers(random, document);
        break;
      case 1:
        edit_tokens(random, document);
        break;
      case 2:
        edit_layer(random, document);
        break;
      default:
        edit_setting(random, document);
    }
    return true;
  } catch (const Error&) {
    CHECK(document == before);
    return false;
  }
}

TEST_CASE("what random edits make is read back from its session and from its picture") {
  const Picture picture{1, 1, {0, 0, 0}};
  int made = 0;
  for (std::uint32_t i = 0; i < 60; ++i) {
    Random random(seed(i));
    Document document = random_document(random);
    for (int step = 0; step < 20; ++step) {
      made += edit(random, document);
      INFO("seed ", seed(i), ", edit ", step);
      const std::string text = write_session(document);
      REQUIRE(parse_session(text) == document);
      if (step % 10 == 9) REQUIRE(read_session(session_in_png(write_png(picture, text))) == document);
    }
  }
  CHECK(made > 600);
}

TEST_CASE("a computed NaN of any bits becomes the one that sessions keep") {
  Document document = projected_document();
  const Results results = evaluated(document);
  const Tensor v = with_value(results.output(Role::value), {0, 1, 0}, std::bit_cast<float>(0xffc00001u));
  use_direct(document, results.output(Role::query), results.output(Role::key), v);
  CHECK(parse_session(write_session(document)) == document);
}

TEST_CASE("a label that no session holds is refused where it is typed") {
  Document document = projected_document();
  const Document before = document;
  const std::string longest(limits::kMostLabelBytes, 'x');
  CHECK(message_of([&] { rename_token(document, 1, longest + "x"); }) ==
        "layer.tokens entry 1 is longer than 4096 bytes");
  CHECK(message_of([&] { insert_token(document, 0, std::string(5000, 'x')); }) ==
        "layer.tokens entry 0 is longer than 4096 bytes");
  CHECK(document == before);
  rename_token(document, 1, longest);
  CHECK(parse_session(write_session(document)) == document);
}

TEST_CASE("a label of bytes that are no text is kept as what a session reads") {
  Document document = projected_document();
  rename_token(document, 0, "a\xff\xe9z");
  CHECK(document.layer().tokens[0] == "a\uFFFD\uFFFDz");
  CHECK(parse_session(write_session(document)) == document);
}

TEST_CASE("more overrides than a session holds are refused where they are typed") {
  Document document = projected_document();
  document.overrides.assign(limits::kMostOverrides, typed("scores", {0, 0, 0}, 1));
  const Document before = document;
  CHECK(message_of([&] {
          set_number(document, "scores", {0, 1, 1}, 2);
        }) == "more than 262144 computed numbers are typed over: remove some overrides first");
  CHECK(document == before);
  set_number(document, "scores", {0, 0, 0}, 2);  // no new one
  CHECK(document.overrides.size() == limits::kMostOverrides);
}

TEST_CASE("more numbers than a session holds are refused before they are made") {
  Document document = projected_document();
  document.layer().bias = counting({1, 3, 3});
  const Document before = document;
  CHECK(message_of([&] { set_token_count(document, 12000); }).find("134217728 numbers") != std::string::npos);
  CHECK(document == before);
}

TEST_CASE("what a session could not be read with is not written") {
  Document document = projected_document();
  document.layer().tokens[2] = std::string(5000, 'x');
  CHECK(message_of([&] { write_session(document); }) == "layer.tokens entry 2 is longer than 4096 bytes");
  document = projected_document();
  document.layer().temperature = -1;
  CHECK(message_of([&] { write_session(document); }) ==
        "layer.temperature must be 0 or more; 1 changes nothing");
}

// The text of every number, digit by digit the longest there is.
TEST_CASE("no number takes more of a session than the limits count with") {
  Random random(3);
  Document document;
  std::vector<float> values(200000);
  for (float& value : values) value = any_finite_or_nan(random);
  for (float& value : values)
    if (std::isnan(value)) value = -1.17549421e-38f;
  const std::size_t count = values.size();
  document.layer().x = Tensor({1, 1, count}, std::move(values));
  const std::size_t all = write_session(document).size(), none = write_session({}).size();
  CHECK(all - none < 26 * count);
}

}  // namespace
}  // namespace attn::tests
