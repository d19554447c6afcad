// What is looked at, as far as the stack has it, and the measures of its layers.
#include "app/workspaces/stack/scene.h"

#include <algorithm>
#include <cmath>

#include "app/theme/toolkit.h"
#include "core/document/stack_plan.h"

namespace attn {
namespace {

constexpr const char* kRanksStudy = "stack.ranks";
constexpr double kRankedAtOnce = 4e6;  // multiply-adds of a product with itself: a millisecond or two

bool is_ranked_at_once(const Tensor& stream) {
  const auto rows = static_cast<double>(stream.rows()), columns = static_cast<double>(stream.columns());
  return rows * columns * std::min(rows, columns) <= kRankedAtOnce;
}

// Mean over rows of −Σ a·ln a; NaN where a weight is. Logarithms are of floats, which are several times as
// fast: what is off by that is a 10⁻⁷th of it.
double entropy_of(const Tensor& weights, std::size_t head) {
  double sum = 0;
  const std::size_t cells = weights.rows() * weights.columns();
  const auto values = weights.values().subspan(head * cells, cells);
  for (const float value : values)
    if (!(value <= 0)) sum -= static_cast<double>(value) * static_cast<double>(std::log(value));
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
    found.most_weight = static_cast<double>(results.summaries[attention.weights].all.most);
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
    found.norm = mean_norm(stream), found.alike = alike(stream);
    found.ranked = is_ranked_at_once(stream);
    if (found.ranked) found.rank_residual = rank_residual(stream);
    if (attention) weights_of(*attention, found);
    std::vector<std::optional<double>>& shares = memo.added.emplace_back();
    for (const BoxStages& box : block.boxes)
      shares.push_back(box.added ? share_added(numbers(*box.added), numbers(box.before)) : std::nullopt);
  }
  void of_side(const SideStages& side, StackBox which) {
    const Tensor& input = numbers(side.input);
    memo.norm_in = mean_norm(input), memo.alike_in = alike(input);
    memo.ranked_in = is_ranked_at_once(input);
    if (memo.ranked_in) memo.rank_residual_in = rank_residual(input);
    for (const BlockStages& block : side.blocks) {
      of_layer(block, which);
      memo.most_weight = std::max(memo.most_weight, memo.layers.back().most_weight);
    }
  }
};

// Of a box on the side that is not shown: of that, the rows' measures hold them.
struct ShareMemo {
  TensorId added = 0, before = 0;
  std::optional<double> share = {};
  std::size_t bytes() const { return 0; }
};

// What goes in is place 0, then comes what is behind each layer.
struct UnrankedStream {
  std::size_t place;
  Tensor stream;
};

struct RanksFound {
  std::vector<std::pair<std::size_t, std::optional<double>>> ranks = {};  // by place
};

struct RanksKey {
  std::shared_ptr<const Results> results;
  StackRows rows;
  bool operator==(const RanksKey&) const = default;
};

std::vector<UnrankedStream> unranked_streams(const StackScene& scene) {
  std::vector<UnrankedStream> found;
  if (!scene.memo.ranked_in) found.push_back({0, scene.numbers(scene.side().input)});
  for (std::size_t i = 0; i < scene.memo.layers.size(); ++i)
    if (!scene.memo.layers[i].ranked) found.push_back({i + 1, scene.numbers(scene.side().blocks[i].stream)});
  return found;
}

// Of 1024×1024 numbers it takes a third of a second: a study takes them one by one.
void rank_large_streams(StackScene& scene) {
  const std::vector<UnrankedStream> unranked = unranked_streams(scene);
  Frame& frame = scene.frame;
  if (unranked.empty() || !frame.engine.checks) return;
  const auto begin = [&]() -> StudyStep<RanksFound> {
    return [unranked](RanksFound& found, Backend&) {
      const UnrankedStream& next = unranked[found.ranks.size()];
      found.ranks.emplace_back(next.place, rank_residual(next.stream));
      return found.ranks.size() == unranked.size();
    };
  };
  const auto study =
      frame.studies.of<RanksFound>(kRanksStudy, RanksKey{frame.engine.results, scene.rows}, begin);
  if (!study.found || study.stale) return;
  StackMemo& memo = scene.memo;
  for (const auto& [place, rank] : study.found->ranks) {
    (place == 0 ? memo.rank_residual_in : memo.layers[place - 1].rank_residual) = rank;
    (place == 0 ? memo.ranked_in : memo.layers[place - 1].ranked) = true;
  }
  if (study.done && !unranked_streams(scene).empty()) frame.studies.forget(kRanksStudy);  // of a lost memo
}

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
  rank_large_streams(scene);
  follow_pinned(frame, results);
  const StackView& view = scene.view();
  scene.layer = std::min(view.layer, scene.layers() - 1);
  const LayerStages* attention = scene.attention(scene.layer);
  const std::size_t heads = attention ? scene.stage(attention->weights).shape.stack : 1;
  scene.head = std::min(frame.view.layer.head, heads - 1);
  scene.row = std::min(view.row, scene.stage(scene.side().input).shape.rows - 1);
  return scene;
}

std::optional<double> share_of(const StackScene& scene, bool decoder, const BoxStages& box) {
  if (!box.added) return std::nullopt;
  if (decoder == scene.decoder())
    for (std::size_t layer = 0; layer < scene.memo.added.size(); ++layer) {
      const std::vector<BoxStages>& boxes = scene.side().blocks[layer].boxes;
      for (std::size_t i = 0; i < boxes.size(); ++i)
        if (boxes[i].added == box.added) return scene.memo.added[layer][i];
    }
  const Tensor &added = scene.numbers(*box.added), &before = scene.numbers(box.before);
  ShareMemo& memo = scene.frame.memos.of<ShareMemo>(std::to_string(static_cast<int>(decoder)) +
                                                    std::to_string(static_cast<int>(box.box)));
  if (memo.added != added.id() || memo.before != before.id())
    memo = {added.id(), before.id(), share_added(added, before)};
  return memo.share;
}

void look_at_layer(const StackScene& scene, std::size_t layer) {
  scene.view().layer = std::min(layer, scene.layers() - 1);
}

void look_at_row(const StackScene& scene, std::size_t row) {
  scene.view().row = row;
}

void turn_layers(const StackScene& scene, Rect area) {
  ImGuiIO& io = ImGui::GetIO();
  const bool here =
      area.contains(io.MousePos) && ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  if (!here || io.KeyCtrl || io.KeyShift || io.MouseWheel == 0) return;
  const bool down = io.MouseWheel < 0;
  if (down ? scene.layer + 1 == scene.layers() : scene.layer == 0) return;
  io.MouseWheel = 0;
  look_at_layer(scene, down ? scene.layer + 1 : scene.layer - 1);
}

}  // namespace attn
