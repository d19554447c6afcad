// Sessions with a stack: a few lines where its weights are drawn or trained, every number where they are not;
// and what is refused, with its place, before anything large is made.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/document/edit.h"
#include "core/document/limits.h"
#include "core/document/stack_edit.h"
#include "core/document/stack_plan.h"
#include "core/io/session.h"
#include "core/io/stack_models.h"
#include "core/transformer/made.h"
#include "tests/io/io_testing.h"
#include "tests/seed.h"

namespace attn::tests {
namespace {

// A session of version 4 with these parts.
std::string stack_session(const std::string& parts) {
  return R"({"format": "attention-lab session", "version": 4, )" + parts + "}";
}

std::string stack_refusal(const std::string& parts) {
  return reason([&] { parse_session(stack_session(parts)); });
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

// With the model that comes with the program.
Document trained_document() {
  Document document;
  document.transformer = dates_stack();
  return document;
}

void check_round_trip(const Document& document) {
  const std::string text = write_session(document);
  const Document again = parse_session(text);
  CHECK(again == document);
  CHECK(write_session(again) == text);
}

constexpr const char* kTwoTokens = R"("stack.encoder": {"x": [[1, 0, 0, 0], [0, 1, 0, 0]]})";

TEST_CASE("the trained stack is one line, and what was changed of it stands behind") {
  Document document = trained_document();
  CHECK(write_session(document) == R"({
  "format": "attention-lab session",
  "version": 4,
  "stack": {
    "weights": "trained"
  }
}
)");
  check_round_trip(document);
  Tensor& w_q = document.transformer.encoder.blocks[2].attention.w_q;
  w_q = with_value(w_q, {0, 3, 4}, 0.5f);
  document.transformer.residual = false;
  switch_stack_box(document, true, 1, StackBox::cross);
  const std::string text = write_session(document);
  CHECK(mentions(text, {"\"residual\": false", "\"stack.encoder.2.attention\": {", "\"w_q\": [",
                        "\"stack.decoder.1.boxes\": {\n    \"off\": [1]"}));
  CHECK(text.find("w_k") == text.npos);
  check_round_trip(document);
}

TEST_CASE("other input of the trained stack is a few lines") {
  Document document = trained_document();
  set_input_text(document, false, "3·jan·2001");
  CHECK(lines_of(write_session(document)) < 25);
  check_round_trip(document);
}

TEST_CASE("a drawn stack is told by its seed and its sizes") {
  const Document document = parse_session(stack_session(
      R"("stack": {"weights": "drawn", "seed": 8, "encoder_layers": 3, "heads": 2, "inner": 6}, )" +
      std::string(kTwoTokens)));
  const StackSpec& stack = document.transformer;
  REQUIRE(stack.encoder.blocks.size() == 3);
  CHECK(stack.decoder.blocks.empty());
  CHECK(stack.encoder.blocks[1].attention.heads == 2);
  CHECK(stack.encoder.blocks[1].inner.w.shape() == Shape{1, 4, 6});
  StackSpec bare;
  bare.encoder.x = Tensor({1, 2, 4}, {1, 0, 0, 0, 0, 1, 0, 0});
  CHECK(stack == made_stack(bare, {3, 2, 6}, 8));
  CHECK_NOTHROW(build_stack(document));
  CHECK(lines_of(write_session(document)) == 17);
  check_round_trip(document);
}

TEST_CASE("a drawn stack without a word on its sizes has the usual ones, on each of its sides") {
  const Document document = parse_session(stack_session(
      R"("stack": {"weights": "drawn", "sides": "both"}, "stack.decoder": {"x": [[1, 2, 3, 4]]}, )" +
      std::string(kTwoTokens)));
  CHECK(document.transformer.encoder.blocks.size() == StackSizes().layers);
  CHECK(document.transformer.decoder.blocks.size() == StackSizes().layers);
  CHECK(document.transformer.decoder.blocks[0].cross);
  CHECK(find_rule<CausalRule>(document.transformer.decoder.blocks[3].attention));
  CHECK_NOTHROW(build_stack(document));
  check_round_trip(document);
}

TEST_CASE("what is made of A by every edit comes back") {
  Document document;
  document.layer().x = Tensor({1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  own_stack(document);
  check_round_trip(document);
  set_stack_sides(document, StackSides::both);
  check_round_trip(document);
  set_stack_layers(document, 2);
  set_feed_forward(document, FeedForward::swiglu);
  set_norm_at(document, NormAt::after);
  set_norm_kind(document, NormKind::rms);
  set_stack_heads(document, 2);
  switch_stack_box(document, false, 1, StackBox::feed_forward);
  check_round_trip(document);
  set_norm_at(document, NormAt::none);
  set_stack_sides(document, StackSides::decoder);
  check_round_trip(document);
}

TEST_CASE("a stack of given numbers is told in full, with cross-attention where it is") {
  Document document;
  document.transformer = dates_stack();
  document.transformer.weights = StackWeights::given;
  document.transformer.decoder.blocks[3].cross.reset();
  document.transformer.decoder.blocks[2].cross = LayerSpec();
  const std::string text = write_session(document);
  CHECK(mentions(text, {"\"encoder_layers\": 4", "\"decoder_layers\": 4", "\"stack.decoder.2.cross\": {}"}));
  check_round_trip(document);
}

TEST_CASE("as many layers as a stack may have come back with all of their parts") {
  Document document;
  StackSpec& stack = document.transformer;
  stack.sides = StackSides::both, stack.swiglu = true;
  stack.encoder.x = stack.decoder.x = Tensor({1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  stack = made_stack(stack, {kMostBlocks, 2, 3}, 8);
  CHECK(lines_of(write_session(document)) < 40);
  stack.weights = StackWeights::given;
  for (StackBlock& block : stack.decoder.blocks)
    block.off = {1}, block.cross->masks = {{.rule = CausalRule{}}, {.rule = WindowRule{}, .join = Join::all}};
  check_round_trip(document);
}

TEST_CASE("weights that cannot be drawn so are told in full") {
  Document document = parse_session(
      stack_session(R"("stack": {"weights": "drawn"}, "stack.encoder.1.attention": {"heads": 3}, )" +
                    std::string(kTwoTokens)));
  document.transformer.encoder.blocks[0].attention.heads = 3;  // not of 4 features
  CHECK(mentions(write_session(document), {"\"whole\": true"}));
  check_round_trip(document);
  document.transformer.encoder.blocks.resize(2);
  document.transformer.decoder.blocks.resize(1);  // of a side that it has not
  check_round_trip(document);
  Document lacking = trained_document();
  lacking.transformer.decoder.blocks.pop_back();
  CHECK(mentions(write_session(lacking), {"\"weights\": \"trained\"", "\"whole\": true"}));
  check_round_trip(lacking);
}

TEST_CASE("what is typed over a stage of the stack comes back, with its layer where the Pipeline showed it") {
  Document document = trained_document();
  set_number(document, kStackPlan, "encoder.2.weights", {1, 2, 3}, 0.5f);
  set_number(document, kStackPlan, "decoder.3.stream", {0, 1, 2}, 4);
  document.overrides.push_back({"pipeline", "weights", {{0, 1, 2}, 0.25f}, {0, LayerHome::cross}});
  document.overrides.push_back({"pipeline", "scores", {{0, 1, 2}, 7}, {3, LayerHome::encoder}});
  REQUIRE(document.overrides.size() == 4);
  CHECK(mentions(write_session(document), {R"("layer": "stack.decoder.0.cross", "stage": "weights")"}));
  check_round_trip(document);
  CHECK(mentions(reason([] {
                   parse_session(stack_session(
                       R"("overrides": [{"workspace": "stack", "layer": "stack.encoder.48.attention",
                       "stage": "weights", "head": 0, "row": 0, "column": 0, "value": 1}])"));
                 }),
                 {"overrides entry 0.layer must name an attention of the stack"}));
}

TEST_CASE("unknown keys and words of a stack are refused with their place") {
  CHECK(mentions(stack_refusal(R"("stack": {"wieghts": "drawn"})"),
                 {"stack has an unknown key", "did you mean weights?"}));
  CHECK(mentions(stack_refusal(R"("stack": {"weights": "learned"})"),
                 {"stack.weights is \"learned\"", "given, drawn, trained"}));
  CHECK(mentions(stack_refusal(R"("stack": {"encoder_layers": "4"})"),
                 {"stack.encoder_layers must be a whole number"}));
  CHECK(mentions(stack_refusal(R"("stack": {"whole": 1})"), {"stack.whole must be true or false"}));
  CHECK(mentions(stack_refusal(R"("stack": {"heads": 2})"), {"stack has an unknown key \"heads\""}));
  CHECK(mentions(stack_refusal(R"("stack": null)"), {"stack must be an object"}));
  CHECK(mentions(stack_refusal(R"("stack": {"epsilon": -1})"), {"stack.epsilon must be from 0 to 1"}));
  CHECK(mentions(stack_refusal(R"("stack.encoder": {"normed": 1}, "stack": {})"), {"stack.encoder.normed"}));
  CHECK(mentions(stack_refusal(R"("stack.encoder.0.inner": {"v": [[1]]})"),
                 {"stack.encoder.0.inner has an unknown key"}));
  CHECK(
      mentions(stack_refusal(R"("stack.encoder.00.inner": {})"), {"unknown key \"stack.encoder.00.inner\""}));
  CHECK(
      mentions(stack_refusal(R"("stack.encoder.48.inner": {})"), {"unknown key \"stack.encoder.48.inner\""}));
  CHECK(mentions(
      stack_refusal(R"("stack": {"weights": "trained"}, "stack.encoder.2.inner": {"w": [[1], [2, 3]]})"),
      {"stack.encoder.2.inner.w row 1 has 2 numbers, expected 1"}));
  CHECK(
      mentions(stack_refusal(R"("stack": {"weights": "trained"}, "stack.decoder.3.boxes": {"off": [2, 1]})"),
               {"stack.decoder.3.boxes.off must be in ascending order"}));
  CHECK(mentions(stack_refusal(R"("stack": {"weights": "trained"}, "stack.decoder.3.boxes": {"off": [3]})"),
                 {"stack.decoder.3.boxes.off", "box 3"}));
  CHECK(mentions(
      stack_refusal(R"("stack": {"weights": "trained"}, "stack.decoder.3.cross": {"muted_heads": [4]})"),
      {"stack.decoder.3.cross.muted_heads names head 4"}));
}

TEST_CASE("layers that do not belong to each other are refused with their place") {
  CHECK(mentions(stack_refusal(R"("stack": {"encoder_layers": 49})"),
                 {"stack.encoder_layers is 49", "from 0 to 48"}));
  CHECK(mentions(
      stack_refusal(R"("stack": {"weights": "drawn", "encoder_layers": 0}, )" + std::string(kTwoTokens)),
      {"from 1 to 48 layers"}));
  CHECK(mentions(stack_refusal(R"("stack": {"weights": "trained", "encoder_layers": 3})"),
                 {"other layers than the trained model", "4"}));
  CHECK(mentions(
      stack_refusal(R"("stack": {"weights": "drawn", "decoder_layers": 1}, )" + std::string(kTwoTokens)),
      {"stack.decoder_layers is 1, but must be 0"}));
  CHECK(mentions(
      stack_refusal(
          R"("stack": {"weights": "drawn", "sides": "both", "decoder_layers": 1}, "stack.decoder": {"x": [[1, 2, 3, 4]]}, )" +
          std::string(kTwoTokens)),
      {"stack.decoder_layers is 1, but must be 4, as the encoder has"}));
  CHECK(mentions(stack_refusal(R"("stack": {"weights": "drawn", "heads": 3}, )" + std::string(kTwoTokens)),
                 {"stack", "3 heads don't divide d = 4"}));
  CHECK(mentions(stack_refusal(R"("stack": {"weights": "drawn"})"),
                 {"stack has no tokens to draw weights for"}));
  CHECK(mentions(
      stack_refusal(R"("stack": {"encoder_layers": 2}, "stack.encoder.2.inner": {"w": [[1]]})"),
      {"stack.encoder.2.inner is of a layer that the stack does not have", "2 encoder and 0 decoder"}));
  CHECK(mentions(stack_refusal(R"("stack.decoder.0.attention": {"heads": 2})"),
                 {"stack.decoder.0.attention is a part of a stack, and the session has no \"stack\""}));
}

TEST_CASE("weights that no document may hold are refused before they are drawn") {
  const std::string wide = R"("stack.encoder": {"x": [[1)" + [] {
    std::string row;
    for (int i = 1; i < 4096; ++i) row += ",1";
    return row;
  }() + "]]}";
  for (const std::string head : {R"("weights": "drawn", "encoder_layers": 48)",
                                 R"("weights": "drawn", "encoder_layers": 1, "inner": 99999999)",
                                 R"("weights": "drawn", "inner": 18446744073709551615)",
                                 R"("weights": "drawn", "heads": 18446744073709551615)"}) {
    std::string why;
    const std::optional<std::size_t> peak =
        peak_of([&] { why = stack_refusal("\"stack\": {" + head + "}, " + wide); });
    CHECK(mentions(why, {head.find("inner\": 1") != head.npos ? "stack.inner is 18446744073709551615"
                         : head.find("heads") != head.npos    ? "stack.heads is 18446744073709551615"
                                                              : "numbers"}));
    if (peak) CHECK(*peak < (std::size_t{16} << 20));
  }
  // A decoder of its own memory has cross-attention as well: 2 · 4 · 4096² · 1 numbers are as many as there
  // may be, without those of the tokens.
  std::string decoder = wide;
  decoder.replace(decoder.find("encoder"), 7, "decoder");
  std::string memory = wide.substr(wide.find("[["));
  memory.pop_back();
  CHECK(mentions(
      stack_refusal(R"("stack": {"weights": "drawn", "sides": "decoder", "decoder_layers": 1, "memory": )" +
                    memory + "}, " + decoder),
      {"numbers"}));
}

TEST_CASE("parts that say all kinds of things of a drawn stack come back") {
  const Document document = parse_session(text_of(fixture("../../fuzz/corpus/session/stack.json")));
  const StackSpec& stack = document.transformer;
  CHECK(stack.encoder.blocks[1].attention.w_q.empty());
  CHECK(stack.encoder.blocks[1].attention.kv_heads == 2);
  CHECK_FALSE(stack.decoder.blocks[0].cross);
  CHECK(stack.decoder.blocks[1].cross);
  CHECK(stack.decoder.blocks[1].off == std::vector<std::size_t>{0, 2});
  CHECK(stack.encoder.blocks[0].gate.w.shape() == Shape{1, 4, 3});
  REQUIRE(document.overrides.size() == 2);
  CHECK(document.overrides[0].layer == Address{0, LayerHome::encoder});
  check_round_trip(document);
}

TEST_CASE("older versions are read as before, and a session without a stack is written as before") {
  CHECK(parse_session(R"({"format": "attention-lab session", "version": 3})") == Document());
  CHECK(mentions(write_session({}), {"\"version\": 2"}));
}

}  // namespace
}  // namespace attn::tests
