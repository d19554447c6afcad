// What is looked at, as far as the stack has it, and the measures of its layers.
#include "app/workspaces/stack/scene.h"

#include <algorithm>
#include <cmath>

#include "core/document/stack_plan.h"

namespace attn {
namespace {

// Mean over rows of −Σ a·ln a.
double entropy_of(const Tensor& weights, std::size_t head) {
  double sum = 0;
  const std::size_t cells = weights.rows() * weights.columns();
  const auto values = weights.values().subspan(head * cells, cells);
  for (const float value : values)
    if (value > 0) sum -= static_cast<double>(value) * std::log(static_cast<double>(value));
  return sum / static_cast<double>(weights.rows());
}

const LayerStages* attention_of(const BlockStages& block, StackBox which) {
  const BoxStages* box = block.find(which);
  return box && box->layer ? &*box->layer : nullptr;
}

// Of the results; of layers that are as they were, what was measured before.
struct Measure {
  const Results& results;
  const StackMemo& before;
  StackMemo& memo;

  const Tensor& numbers(StageIndex stage) const { return results.outputs[stage].whole(); }
  void weights_of(const LayerStages& attention, LayerMeasures& found) const {
    const Tensor& weights = numbers(attention.weights);
    for (std::size_t head = 0; head < weights.stack(); ++head) {
      found.entropy.push_back(entropy_of(weights, head));
      found.sinks.push_back(sink_of(weights, head));
    }
    for (const float weight : weights.values())
      found.most_weight = std::max(found.most_weight, static_cast<double>(weight));
  }
  void of_layer(const BlockStages& block, StackBox which) {
    const LayerStages* attention = attention_of(block, which);
    const Tensor& stream = numbers(block.stream);
    const TensorId weights = attention ? numbers(attention->weights).id() : 0;
    const std::size_t layer = memo.layers.size();
    if (layer < before.layers.size() && before.layers[layer].stream == stream.id() &&
        before.layers[layer].weights == weights) {
      memo.layers.push_back(before.layers[layer]), memo.added.push_back(before.added[layer]);
      return;
    }
    LayerMeasures& found = memo.layers.emplace_back();
    found.stream = stream.id(), found.weights = weights;
    found.norm = mean_norm(stream), found.alike = alike(stream), found.rank_residual = rank_residual(stream);
    if (attention) weights_of(*attention, found);
    std::vector<std::optional<double>>& shares = memo.added.emplace_back();
    for (const BoxStages& box : block.boxes)
      shares.push_back(box.added ? share_added(numbers(*box.added), numbers(box.before)) : std::nullopt);
  }
  void of_side(const SideStages& side, StackBox which) {
    const Tensor& input = numbers(side.input);
    memo.norm_in = mean_norm(input), memo.alike_in = alike(input);
    memo.rank_residual_in = rank_residual(input);
    for (const BlockStages& block : side.blocks) {
      of_layer(block, which);
      memo.most_weight = std::max(memo.most_weight, memo.layers.back().most_weight);
    }
  }
};

// The row of a number that is pinned, of whichever stage, stays the row when that is let go.
void follow_pinned(const Frame& frame, const Results& results) {
  const auto& pinned = frame.view.pinned;
  const auto stage = pinned ? results.graph.find(pinned->stage) : std::nullopt;
  if (stage && results.graph.stages[*stage].rows.along == Axis::queries)
    frame.view.of<StackView>().row = pinned->cell.row;
}

}  // namespace

StackRows shown_rows(const StackStages& places, const View& view) {
  const StackRows wanted = view.of<StackView>().rows;
  if (wanted == StackRows::encoder) return places.encoder ? wanted : StackRows::decoder;
  if (!places.decoder) return StackRows::encoder;
  const bool crosses = places.decoder->blocks.front().find(StackBox::cross) != nullptr;
  return wanted == StackRows::cross && !crosses ? StackRows::decoder : wanted;
}

const LayerStages* StackScene::attention(std::size_t of_layer) const {
  return attention_of(side().blocks[of_layer], box());
}

std::optional<StackScene> stack_scene(Frame& frame) {
  if (!has_numbers(frame.engine.results)) return std::nullopt;
  const Results& results = *frame.results;
  const StackStages& places = *results.places.as<StackStages>();
  StackMemo& memo = frame.memos.of<StackMemo>(frame.engine.results, [](StackMemo& m, const Results& of) {
    m.made = false;
    m.stack = std::make_shared<const StackSpec>(shown_stack(of.document));
  });
  StackScene scene{.frame = frame, .results = results, .memo = memo, .stack = {}};
  scene.rows = shown_rows(places, frame.view);
  if (!memo.made || memo.rows != scene.rows) {
    const StackMemo before = memo;
    memo = {.rows = scene.rows, .made = true, .stack = before.stack};
    Measure{results, before, memo}.of_side(scene.side(), scene.box());
  }
  scene.stack = memo.stack;
  follow_pinned(frame, results);
  const StackView& view = scene.view();
  scene.layer = std::min(view.layer, scene.layers() - 1);
  const LayerStages* attention = scene.attention(scene.layer);
  const std::size_t heads = attention ? scene.stage(attention->weights).shape.stack : 1;
  scene.head = std::min(frame.view.layer.head, heads - 1);
  scene.row = std::min(view.row, scene.stage(scene.side().input).shape.rows - 1);
  return scene;
}

void look_at_layer(const StackScene& scene, std::size_t layer) {
  scene.view().layer = std::min(layer, scene.layers() - 1);
}

void look_at_row(const StackScene& scene, std::size_t row) {
  scene.view().row = row;
}

}  // namespace attn
