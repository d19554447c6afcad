// From the product of weights and values back to queries and keys, and on to the heads' outputs: what a call
// can say is taken down as such, every other stage on the way as a line of its own.
#include "core/attention/attention_call.h"

#include <algorithm>

#include "core/rounding.h"

namespace attn {
namespace {

template <class Op>
const Op* operation_at(const Graph& graph, StageIndex stage) {
  return std::get_if<Op>(&graph.stages[stage].operation);
}

class Walk {
 public:
  Walk(const Graph& graph, StageIndex product) : graph_(graph) {
    weights(graph.stages[product].inputs[0]);
    call_.v = graph.stages[product].inputs[1];
    output(product);
  }
  AttentionCall call() && { return std::move(call_); }

 private:
  void note(std::string line) {
    if (std::ranges::find(call_.besides, line) == call_.besides.end())
      call_.besides.push_back(std::move(line));
  }
  void note_stage(StageIndex stage) {
    note(graph_.stages[stage].title + ": " + graph_.stages[stage].formula);
  }

  // What computes the stage, behind numbers that are typed over it and rounding.
  StageIndex through(StageIndex stage) {
    if (graph_.stages[stage].computed_from) note("numbers typed over " + graph_.stages[stage].title);
    if (const auto format = rounding_of(graph_, stage))
      note(std::string("the numbers of every stage rounded to ") + name(*format));
    return computing(graph_, stage);
  }

  void weights(StageIndex stage) {
    StageIndex at = through(stage);
    while (operation_at<Dropout>(graph_, at) || operation_at<LocalDecay>(graph_, at)) {
      note_stage(at);
      at = through(graph_.stages[at].inputs[0]);
    }
    softmax(at);
    call_.scores = graph_.stages[at].scores.value_or(graph_.stages[stage].scores.value_or(at));
    masked(call_.scores);
  }

  void softmax(StageIndex weights) {
    const std::vector<StageIndex>& inputs = graph_.stages[weights].inputs;
    if (!operation_at<Normalize>(graph_, weights)) return note_stage(weights);
    const StageIndex shares = through(inputs[0]), sum = through(inputs[1]);
    const auto* exponential = operation_at<Exponential>(graph_, shares);
    if (!exponential || !operation_at<RowSum>(graph_, sum)) return note_stage(weights);
    through(graph_.stages[shares].inputs[1]);
    call_.empty_row = exponential->empty_row;
    if (exponential->hard) note("temperature 0: all weight on the largest score");
  }

  void masked(StageIndex scores) {
    StageIndex at = through(scores);
    if (const auto* fill = operation_at<MaskFill>(graph_, at)) {
      call_.mask = graph_.stages[at].inputs[1], call_.fill = fill->fill;
      at = through(graph_.stages[at].inputs[0]);
    }
    if (operation_at<Add>(graph_, at)) {
      call_.bias = graph_.stages[at].inputs[1];
      at = through(graph_.stages[at].inputs[0]);
    }
    if (operation_at<Tanh>(graph_, at)) {
      note_stage(at);
      at = through(graph_.stages[at].inputs[0]);
    }
    if (const auto* scale = operation_at<Scale>(graph_, at)) {
      call_.scale = scale->factor;
      at = through(graph_.stages[at].inputs[0]);
    }
    const auto* product = operation_at<MatMul>(graph_, at);
    call_.of_products = product && product->transpose_right;
    if (!call_.of_products) return note_stage(at);
    call_.q = graph_.stages[at].inputs[0], call_.k = graph_.stages[at].inputs[1];
  }

  // Of what is added to the product, and of typed numbers.
  void output(StageIndex product) {
    call_.output = product;
    for (StageIndex i = product + 1; i < graph_.stages.size(); ++i) {
      const Stage& stage = graph_.stages[i];
      if (stage.stack != Stack::heads || stage.role != Role::output ||
          std::ranges::find(stage.inputs, call_.output) == stage.inputs.end())
        continue;
      if (computing(graph_, i) == i) note_stage(i);
      through(i);
      call_.output = i;
    }
  }

  const Graph& graph_;
  AttentionCall call_;
};

}  // namespace

std::optional<AttentionCall> attention_call(const Graph& graph, std::size_t part) {
  for (StageIndex i = 0; i < graph.stages.size(); ++i) {
    const Stage& stage = graph.stages[i];
    const auto* product = operation_at<MatMul>(graph, i);
    if (stage.part != part || !product || product->transpose_right) continue;
    if (graph.stages[stage.inputs[0]].role == Role::weights) return Walk(graph, i).call();
  }
  return std::nullopt;
}

}  // namespace attn
