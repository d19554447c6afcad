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
