// The row of the table: one softmax.
#include "app/workspaces/softmax/row.h"

#include "app/canvas/steps.h"
#include "app/workspaces/softmax/view.h"
#include "core/measure/measured_layer.h"
#include "core/softmax/graph.h"

namespace attn {
namespace {

// As a hand drags it: on and on.
std::vector<TimedEdit> timed_softmax() {
  Document document = measured_layer(5, 4, 1);
  document.softmax.pairs = 100'000;
  const auto drag = [](Document& d, View&, int i) { d.softmax.width = 65 + 2 * static_cast<std::size_t>(i); };
  return {{"softmax, d_k dragged over 100000 random products", 1000.0 / 60, document, drag, 480}};
}

void open_layer_row(Document& document, std::size_t head, std::size_t query) {
  SoftmaxSpec& spec = document.softmax;
  spec.source = RowSource::layer, spec.head = head, spec.query = query;
}

void open_scores_of_others(Document& document, std::span<const float> scores, Labels keys) {
  own_row(document.softmax, scores, std::move(keys));
}

}  // namespace

Workspace softmax_workspace() {
  Workspace row{kSoftmaxPlan};
  row.title = "Softmax";
  row.steps = graph_steps;
  row.controls = draw_softmax_controls;
  row.draw = draw_softmax;
  row.inspect = inspect_softmax;
  row.commands = softmax_commands;
  row.play = play_softmax;
  row.plays = "sweep the temperature";
  row.fields = {named_part<&Document::softmax>(), named_view<SoftmaxView>()};
  row.keys = "drag a bar   wheel: temperature   R row of the layer   V variance";
  row.take_row = open_layer_row;
  row.take_scores = open_scores_of_others;
  row.place = {"HEAD,QUERY of the layer, counted from 0, as in 0,1", 2, look_at_layer_row};
  row.timed = timed_softmax;
  return row;
}

}  // namespace attn
