// The controls of the stack as a person uses them: each edit is one step, and what cannot be is refused in
// words.
#include "app/workspaces/stack/view.h"
#include "core/document/stack_edit.h"
#include "core/document/stack_plan.h"
#include "core/transformer/made.h"
#include "tests/app/controls_lab.h"
#include "tests/app/workspace_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

class StackControlsLab : public WorkspaceLab {
 public:
  explicit StackControlsLab(const char* example = "dates")
      : WorkspaceLab(kStackPlan.name, {.document = read_document(example), .settings = Settings{}}) {}
  void press(const std::string& id) {
    click_item(id);
    settle();
    frames(2);
  }
  const StackSpec& stack() { return document().transformer; }
};

}  // namespace

TEST_CASE("chips of the stack's controls edit it in one step each, and undo gives it back") {
  StackControlsLab lab("the-cat-sat-on-mat-causal");
  const Document before = lab.document();
  std::size_t steps = 0;
  for (const char* id : {"stack.residual", "stack.feed GELU", "norm_at after", "norm_kind rms",
                         "stack.feed SwiGLU", "stack.sides decoder"}) {
    CAPTURE(id);
    lab.press(id);
    CHECK(lab.steps() == ++steps);
    CHECK(lab.results()->document == lab.document());
  }
  CHECK_FALSE(lab.stack().residual);
  CHECK(lab.stack().norm_at == NormAt::after);
  CHECK(lab.stack().norm_kind == NormKind::rms);
  CHECK(feed_forward_of(lab.stack()) == FeedForward::swiglu);
  CHECK(lab.stack().sides == StackSides::decoder);
  for (; steps > 0; --steps) lab.undo();
  CHECK(lab.document() == before);
}

TEST_CASE("another input is written character by character, and an unknown one is refused beside the field") {
  StackControlsLab lab;
  const Document before = lab.document();
  lab.click_item("##stack.input");
  lab.enter("03·feb·2001");
  CHECK(input_text(lab.stack().encoder) == "03·feb·2001");
  CHECK(lab.steps() == 1);
  lab.click_item("##stack.input");
  lab.enter("03·xxx·2001");
  CHECK(input_text(lab.stack().encoder) == "03·feb·2001");
  CHECK(lab.shows("is no symbol"));
  lab.undo();
  CHECK(lab.document() == before);
}

TEST_CASE("parameters are counted from shapes") {
  StackControlsLab lab;
  for (const char* count : {"1024", "672", "33728", "50368", "85792"}) {
    CAPTURE(count);
    CHECK(shows_count(lab, count));
  }
}

TEST_CASE("what cannot be is pale and does nothing") {
  StackControlsLab lab("the-cat-sat-on-mat-causal");
  const Document before = lab.document();
  lab.press("stack.tied");
  lab.press("stack.rows cross");
  CHECK(lab.document() == before);
  CHECK(lab.view().of<StackView>().rows == StackRows::encoder);
}

TEST_CASE("the trained model and the stack over the Pipeline's tokens are a click away") {
  StackControlsLab lab("the-cat-sat-on-mat-causal");
  lab.press("stack.dates");
  CHECK(parameter_count(lab.stack()) == 85792);
  CHECK(lab.shows("12·mar·1987"));
  lab.press("stack.over");
  CHECK(lab.stack().empty());
}

TEST_CASE(
    "untied, the logits have a matrix of their own that begins as the embedding, and none of them moves") {
  StackControlsLab lab;
  const Document before = lab.document();
  const auto logits = [&] {
    return lab.results()->outputs[*lab.results()->places.as<StackStages>()->logits].whole();
  };
  const Tensor tied = logits();
  lab.press("stack.tied");
  CHECK_FALSE(lab.stack().tied);
  CHECK(lab.stack().head.rows() == 32);
  CHECK(shows_count(lab, "86816"));  // 85792 and 32·32 more
  const Tensor own = logits();
  REQUIRE(own.shape() == tied.shape());
  // Two orders of the same 32 products of numbers below 8.
  for (std::size_t i = 0; i < own.values().size(); ++i)
    CHECK(own.values()[i] == doctest::Approx(tied.values()[i]).epsilon(1e-5).scale(1));
  CHECK(lab.steps() == 1);
  lab.undo();
  CHECK(lab.document() == before);
  lab.press("stack.tied");
  lab.press("stack.tied");
  CHECK(lab.document() == before);
}

TEST_CASE("chips choose whose rows are shown") {
  StackControlsLab lab;
  const Document before = lab.document();
  for (const auto& [id, rows, title] :
       {std::tuple{"stack.rows decoder", StackRows::decoder, "decoder, layer by layer"},
        {"stack.rows cross", StackRows::cross, "decoder to encoder, layer by layer"},
        {"stack.rows encoder", StackRows::encoder, "encoder, layer by layer"}}) {
    lab.press(id);
    CHECK(lab.view().of<StackView>().rows == rows);
    CHECK(lab.find_text(title));
  }
  CHECK(lab.document() == before);
}

TEST_CASE("an input longer than the learned positions is refused beside its field, with how many fit") {
  StackControlsLab lab;
  const Document before = lab.document();
  lab.click_item("##stack.input");
  lab.enter("12·mar·198712·mar·1987");
  CHECK(lab.document() == before);
  CHECK(lab.shows("has learned"));
  CHECK(lab.shows("positions"));
}
