// What an edit in the middle of a stack makes again: what is behind it, counted, and nothing else.
#include <doctest/doctest.h>

#include "core/checks/comparison.h"
#include "core/checks/edit_reach.h"
#include "core/document/stack_plan.h"
#include "core/evaluate/evaluator.h"
#include "core/measure/measured_layer.h"
#include "core/reference/backend.h"
#include "core/system/budget.h"
#include "core/transformer/made.h"

using namespace attn;

namespace {

Document reach_document() {
  Document document = measured_layer(8, 12, 3);
  document.transformer = made_over(document.layer());
  return document;
}

}  // namespace

TEST_CASE("an edit of one number in a layer runs the operations that it reaches, once") {
  const auto backend = make_reference_backend();
  Budget budget;
  Evaluator evaluator(*backend, budget);
  Document document = reach_document();
  const Results first = evaluator.evaluate(document, build_stack(document));
  const EditOperations all = edit_operations({.document = {}, .graph = {}}, first);
  CHECK(all.done == operation_count(first));
  CHECK(all.reached == all.done);

  Tensor& weights = document.transformer.encoder.blocks[2].attention.w_q;
  weights = with_value(weights, {0, 0, 0}, 3);
  const Results edited = evaluator.evaluate(document, build_stack(document));
  const EditOperations edit = edit_operations(first, edited);
  CHECK(edit.done <= 1.2 * edit.reached);
  CHECK(edit.done >= edit.reached);
  CHECK(edit.reached > 0);
  CHECK(edit.reached < 0.6 * all.reached);  // layers 2 and 3 of four, but for K and V of layer 2

  // With nothing remembered everything runs, and that is more than the edit reaches.
  const Results anew = Evaluator(*backend, budget).evaluate(document, build_stack(document));
  CHECK(edit_operations(first, anew).done > 1.2 * edit.reached);
}
