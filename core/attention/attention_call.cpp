// From the mixture of values back to queries and keys, as the layer's builder says where they are, and on to
// the heads' outputs: what a call can say is taken down as such, every other stage on the way as a line of
// its own.
#include "core/attention/attention_call.h"

#include <algorithm>

#include "core/attention/layer.h"
#include "core/graph/rounding.h"

namespace attn {
namespace {

class Walk {
 public:
  // `layer`: what the stages belong to; null where another model mixes values.
  Walk(const Graph& graph, StageIndex product, const LayerStages* layer) : graph_(graph), layer_(layer) {
    weights(graph.stages[product].inputs[0]);
    call_.v = graph.stages[product].inputs[1];
    output(product);
  }
  AttentionCall call() && { return std::move(call_); }

 private:
  void note(std::string line) {
    if (std::ranges::find(call_.omitted, line) == call_.omitted.end())
      call_.omitted.push_back(std::move(line));
  }
  void note_stage(StageIndex stage) {
    note(graph_.stages[stage].title + ": " + graph_.stages[stage].formula);
  }

  // What computes the stage, behind numbers that are typed over it and rounding, and over what is rounded.
  StageIndex through(StageIndex stage) {
    if (graph_.stages[stage].computed_from) note("numbers typed over " + graph_.stages[stage].title);
    if (const auto format = rounding_of(graph_, stage))
      note(std::string("the numbers of every stage rounded to ") + name(*format));
    const StageIndex computed = computing(graph_, stage);
    return computed == stage ? stage : through(computed);
  }

  // What computes its first input.
  StageIndex before(StageIndex stage) { return through(graph_.stages[stage].inputs[0]); }

  // Dropped, or fading with their distance.
  bool made_of_weights(StageIndex stage) const {
    const std::vector<StageIndex>& inputs = graph_.stages[stage].inputs;
    return !inputs.empty() && graph_.stages[inputs[0]].role == Role::weights;
  }

  void weights(StageIndex stage) {
    StageIndex at = through(stage);
    while (made_of_weights(at)) {
      note_stage(at);
      at = before(at);
    }
    softmax(at);
    call_.scores = graph_.stages[at].scores.value_or(graph_.stages[stage].scores.value_or(at));
    masked(call_.scores);
  }

  void softmax(StageIndex weights) {
    if (graph_.stages[weights].traits.step != SoftmaxStep::division) return note_stage(weights);
    const StageIndex shares = before(weights), sum = through(graph_.stages[weights].inputs[1]);
    const Traits& exponential = graph_.stages[shares].traits;
    if (exponential.step != SoftmaxStep::exponential || graph_.stages[sum].traits.step != SoftmaxStep::sum)
      return note_stage(weights);
    through(graph_.stages[shares].inputs[1]);
    call_.empty_row = exponential.empty_row;
    if (exponential.hard) note("temperature 0: all weight on the largest score");
  }

  void masked(StageIndex scores) {
    StageIndex at = through(scores);
    call_.of_products = layer_ && layer_->factors;
    if (!layer_) return note_stage(at);
    if (layer_->masked) {
      call_.mask = layer_->mask, call_.fill = *graph_.stages[at].traits.fill;
      at = before(at);
    }
    if (layer_->biased) {
      call_.bias = layer_->bias;
      at = before(at);
    }
    if (layer_->capped) {
      note_stage(at);
      at = before(at);
    }
    call_.scale = *graph_.stages[at].traits.factor;
    at = before(at);
    if (!call_.of_products) return note_stage(at);
    call_.q = (*layer_->factors)[0], call_.k = (*layer_->factors)[1];
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
  const LayerStages* layer_;
  AttentionCall call_;
};

}  // namespace

std::optional<AttentionCall> attention_call(const Graph& graph, std::size_t part) {
  const LayerStages* layer = part < graph.parts.size() ? graph.parts[part].stages.get() : nullptr;
  auto mixed = layer ? std::optional(layer->mixed) : mixture_in(graph, part);
  if (!mixed) return std::nullopt;
  while (computing(graph, *mixed) != *mixed) mixed = computing(graph, *mixed);
  return Walk(graph, *mixed, layer).call();
}

}  // namespace attn
