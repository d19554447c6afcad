// The part of the workspace of gradients: its session, the names of its undo steps, what of it a descent is
// about.
#include <doctest/doctest.h>

#include "core/document/edit.h"
#include "core/document/history.h"
#include "core/gradients/descent.h"
#include "core/gradients/graph.h"
#include "core/io/session.h"

using namespace attn;

namespace {

LayerSpec small_causal_layer() {
  LayerSpec layer;
  layer.x = Tensor({1, 3, 2}, {1, 2, 3, 4, 5, 0});
  layer.w_q = layer.w_k = layer.w_v = Tensor({1, 2, 2}, {1, 0, 0, 1});
  set_rule(layer, std::optional(CausalRule{}));
  return layer;
}

Document causal_with(LossKind loss) {
  Document document{.layers = {small_causal_layer()}};
  document.gradients.loss = loss;
  return document;
}

}  // namespace

TEST_CASE("the part goes through a session and its steps of undo have names") {
  Document document = causal_with(LossKind::cross_entropy);
  set_number(document, kGradientsPlan, "labels", {0, 2, 0}, 1);
  document.gradients.target = LossTarget::zero, document.gradients.row = 2;
  document.gradients.scale_off = document.gradients.times_number = true;
  document.gradients.wanted = Tensor({1, 3, 3}, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  document.gradients.rate = 0.125;
  CHECK(parse_session(write_session(document)) == document);

  const Document before = causal_with(LossKind::ones);
  const auto name = [&](auto edit) {
    Document after = before;
    edit(after);
    return describe(before, after);
  };
  CHECK(name([](Document& d) { d.gradients.loss = LossKind::mean_square; }) == "loss: mean-square");
  CHECK(name([](Document& d) { d.gradients.target = LossTarget::same; }) == "target: same");
  CHECK(name([](Document& d) { d.gradients.row = 2; }) == "loss of row 2");
  CHECK(name([](Document& d) { d.gradients.cold = true; }) == "what if: T = 0.1");
  CHECK(name([](Document& d) { d.gradients.times_number = true; }) == "gradients times their numbers");
  const Document asked = causal_with(LossKind::mean_square);
  Document typed = asked;
  set_number(typed, kGradientsPlan, "target", {}, 1);
  CHECK(describe(asked, typed) == "override target");
}

TEST_CASE("numbers typed over the layer are the descent's, those over the loss are not") {
  Document document = causal_with(LossKind::mean_square);
  const DescentTask task = descent_task(document, 0);
  const Built built = build_gradients(document);
  const StageIndex target = built.places.as<GradientsPlaces>()->asked;
  set_number(document, kGradientsPlan, built.graph.stages[target].id, {0, 0, 0}, 2);
  REQUIRE(document.overrides.size() == 1);
  CHECK(descent_task(document, 0) == task);
  set_number(document, kGradientsPlan, "scores", {0, 1, 0}, 2);
  CHECK(descent_task(document, 0).typed.size() == 1);
}
