// Fresh stacks forth and back, on the device in use.
#include "core/stack/depth_gradients.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/evaluate/run.h"
#include "core/gradient/gradients.h"
#include "core/gradient/loss.h"
#include "core/system/error.h"
#include "core/tensor/random.h"
#include "core/transformer/graph.h"
#include "core/transformer/measures.h"

namespace attn {
namespace {

constexpr std::uint64_t kLossSeed = 2020;

Tensor first_of(const Tensor& rows, std::size_t count) {
  if (rows.empty() || rows.rows() <= count) return rows;
  const auto values = rows.values().first(count * rows.columns());
  return {{1, count, rows.columns()}, std::vector<float>(values.begin(), values.end())};
}

// What decides the shapes and the way of a block, without what is drawn anew.
StackBlock pattern_of(const StackBlock& block) {
  StackBlock pattern;
  pattern.attention = block.attention;
  LayerSpec& layer = pattern.attention;
  for (Tensor* drawn : {&layer.w_q, &layer.w_k, &layer.w_v, &layer.w_o, &layer.b_q, &layer.b_k, &layer.b_v,
                        &layer.b_o, &layer.mask, &layer.bias, &layer.dropout_mask})
    *drawn = {};
  layer.muted_heads.clear();
  layer.tokens.clear();
  return pattern;
}

Tensor drawn_upstream(const Shape& shape) {
  std::vector<float> values(shape.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = random_normal(kLossSeed, i);
  return {shape, std::move(values)};
}

}  // namespace

std::vector<bool> with_all_read(const Graph& graph, std::vector<bool> needed) {
  for (StageIndex i = graph.stages.size(); i-- > 0;)
    if (needed[i])
      for (const StageIndex input : graph.stages[i].inputs) needed[input] = true;
  return needed;
}

DepthTask depth_task(const StackSpec& stack) {
  const StackSide& side = stack.has_encoder() ? stack.encoder : stack.decoder;
  DepthTask task;
  task.sizes = {kDepthLayers, side.blocks.front().attention.heads, side.blocks.front().inner.w.columns()};
  StackSpec& pattern = task.pattern;
  pattern.weights = StackWeights::drawn, pattern.seed = stack.seed;
  pattern.norm_kind = stack.norm_kind, pattern.epsilon = stack.epsilon, pattern.residual = stack.residual;
  pattern.swiglu = stack.swiglu, pattern.activation = stack.activation;
  pattern.position = stack.position, pattern.position_table = stack.position_table;
  if (!side.ids.empty()) pattern.embedding = stack.embedding;
  pattern.encoder.x = first_of(side.x, kMostDepthTokens);
  pattern.encoder.ids = first_of(side.ids, kMostDepthTokens);
  pattern.encoder.first_position = side.first_position;
  pattern.encoder.blocks = {pattern_of(side.blocks.front())};
  return task;
}

StackBlock fresh_block(const DepthTask& task, std::size_t layer) {
  StackSizes one = task.sizes;
  one.layers = 1;
  return made_stack(task.pattern, one, task.pattern.seed + layer).encoder.blocks.front();
}

StackSpec fresh_stack(const DepthTask& task, std::vector<StackBlock> blocks, NormAt at) {
  StackSpec stack = task.pattern;
  stack.norm_at = at;
  if (at == NormAt::none)
    for (StackBlock& block : blocks) block.norms = {};
  stack.encoder.blocks = std::move(blocks);
  stack.encoder.normed = at == NormAt::before;
  return stack;
}

struct DepthRun::Curve {
  Graph graph = {};
  DepthCurve found = {};
  std::vector<StageIndex> entries = {};  // gradients, by layer
  std::optional<StagesRun> run = {};

  explicit Curve(const StackSpec& stack) : found{.at = stack.norm_at} {
    const StackStages stages = append_stack(graph, stack);
    const SideStages& side = *stages.encoder;
    std::vector<StageIndex> of{side.input};
    for (std::size_t i = 0; i + 1 < side.blocks.size(); ++i) of.push_back(side.blocks[i].stream);
    const Shape shape = graph.stages[side.output].shape;
    const StageIndex loss =
        append_loss(graph, side.output, {.kind = LossKind::typed, .given = drawn_upstream(shape)});
    const Gradients gradients = append_gradients(graph, loss, of);
    found.norms.assign(of.size(), 0);  // where nothing flows, nothing is left
    std::vector<bool> needed(graph.stages.size(), false);
    entries.assign(of.size(), graph.stages.size());
    for (std::size_t i = 0; i < of.size(); ++i)
      if (const auto gradient = gradients.find(of[i])) needed[*gradient] = true, entries[i] = *gradient;
    run.emplace(graph,
                Run{.needed = with_all_read(graph, std::move(needed)),
                    .done = [this](StageIndex stage, const Tensor& numbers) { measure(stage, numbers); }});
  }
  Curve(const Curve&) = delete;
  Curve& operator=(const Curve&) = delete;

  void measure(StageIndex stage, const Tensor& numbers) {
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (entries[i] == stage) found.norms[i] = length_of(numbers.values());
  }
};

DepthRun::DepthRun(DepthTask task) : task_(std::move(task)) {
  const std::size_t numbers = parameter_count(task_.pattern, task_.sizes);
  if (numbers > kMostDepthNumbers)
    throw Error("12 fresh layers as wide as these have " + std::to_string(numbers / 1'000'000) +
                " million numbers: shown up to " + std::to_string(kMostDepthNumbers / 1'000'000));
}

DepthRun::~DepthRun() = default;

bool DepthRun::step(DepthGradients& found, Backend& backend) {
  if (blocks_.size() < task_.sizes.layers) {
    blocks_.push_back(fresh_block(task_, blocks_.size()));
    return false;
  }
  if (!curve_) {
    curve_ = std::make_unique<Curve>(fresh_stack(task_, blocks_, kDepthNorms[found.curves.size()]));
    return false;
  }
  curve_->run->step(backend);
  if (!curve_->run->done()) return false;
  found.curves.push_back(std::move(curve_->found));
  curve_.reset();
  return found.curves.size() == kDepthNorms.size();
}

}  // namespace attn
