// Where the parts of the workspace of positions lie, and what they read.
#include "app/workspaces/positions/scene.h"

#include <algorithm>

#include "app/canvas/shelf.h"
#include "app/canvas/steps.h"
#include "app/inspector/inspector_numbers.h"

namespace attn {
namespace {

constexpr float kPositionsGapX = 30, kPositionsGapY = 14;
constexpr float kMatrixHeight = 205;

// What was known of another document stays as far as it is true of this one.
const PositionsMemo& kept(PositionsMemo& memo, const PositionsSpec& spec, std::size_t head) {
  constexpr std::size_t kMostOffset = 256;  // to each side
  const bool known = memo.reach > 0 && memo.head == head;
  if (known && memo.spec == spec) return memo;
  PositionsMemo now{
      .spec = spec, .head = head, .reach = std::clamp<std::size_t>(spec.length / 2, 1, kMostOffset)};
  now.facts = facts_of(spec, known ? std::optional(KnownFacts{memo.spec, memo.facts}) : std::nullopt);
  for (const Position& position : spec.encodings) {
    const auto same = known ? same_encoding(spec, position, memo.spec) : std::nullopt;
    now.by_offset.push_back(same ? memo.by_offset[*same]
                            : is_added(position)
                                ? std::vector<float>()
                                : score_by_offset(spec, fitted(position, spec), head, now.reach));
  }
  return memo = std::move(now);
}

}  // namespace

PositionsAreas positions_areas(const PositionsScene& scene, ImVec2 canvas) {
  PositionsAreas a;
  const Theme& theme = scene.frame.theme;
  // Matrices that stand side by side in the scores and in the two orders.
  const std::size_t maps = scene.places.scores.size() + (scene.places.mixed ? 1 : 0),
                    orders = scene.places.order.size();
  const float margin = theme.px(kSceneMargin), gap = theme.px(kPositionsGapX),
              below = theme.px(kPositionsGapY);
  Shelf shelf{margin, canvas.x - margin, margin};
  const float width = shelf.right - shelf.left, chips = choices_height(theme, width);
  const auto high = [&](float share, float least, float most) {
    return std::clamp(canvas.y * share, theme.px(least), theme.px(most));
  };
  if (width >= theme.px(kRoomyScene)) {
    const Rect first = shelf.take(high(0.42f, 300, 620), below);
    a.map = part_of(first, 0, 0.55f, gap);
    const Rect right = part_of(first, 0.55f, 1, gap);
    const float middle = right.min.y + right.height() * 0.56f;
    a.dimensions = {right.min, {right.max.x, middle - below / 2}};
    a.waves = {{right.min.x, middle + below / 2}, right.max};
    const Rect second = shelf.take(high(0.25f, 200, 300), below);
    a.similarity = part_of(second, 0, 0.43f, gap);
    a.alike = part_of(second, 0.43f, 0.66f, gap);
    a.turns = part_of(second, 0.66f, 1, gap);
    a.scores = shelf.take(chips + shared_height(theme, width, maps, kMatrixHeight), below);
    const Rect fourth = shelf.take(high(0.27f, 215, 300), below);
    a.distance = part_of(fourth, 0, 0.37f, gap);
    a.far_weights = part_of(fourth, 0.37f, 0.69f, gap);
    a.stretches = part_of(fourth, 0.69f, 1, gap);
  } else {
    const auto row = [&](float height) { return shelf.take(theme.px(height), below); };
    a.map = row(300), a.dimensions = row(190), a.waves = row(160);
    a.similarity = row(200), a.alike = row(240), a.turns = row(150);
    a.scores = shelf.take(chips + shared_height(theme, width, maps, kMatrixHeight), below);
    a.distance = row(210), a.far_weights = row(190), a.stretches = row(190);
  }
  a.orders = shelf.take(theme.px(24) + shared_height(theme, width, orders, kMatrixHeight), margin);
  a.content = {canvas.x, shelf.y};
  return a;
}

std::optional<PositionsScene> positions_scene(Frame& frame) {
  if (!has_numbers(frame.engine.results)) return std::nullopt;
  const PositionsSpec& spec = frame.results->document.positions;
  const std::size_t head = std::min(frame.view.layer.head, spec.heads - 1);
  return PositionsScene{frame,
                        *frame.results,
                        spec,
                        *frame.results->places.as<PositionsPlaces>(),
                        kept(frame.memos.of<PositionsMemo>(), spec, head),
                        head};
}

std::optional<StageIndex> shown_stage(const Graph& graph, std::size_t part, std::size_t n) {
  for (StageIndex i = 0; i < graph.stages.size(); ++i) {
    const Stage& stage = graph.stages[i];
    if (stage.part == part && stage.drawn == Drawn::always && n-- == 0) return i;
  }
  return std::nullopt;
}

std::optional<StageIndex> PositionsScene::weights(const PositionsPart& part) const {
  return part.part ? results.graph.find(Role::weights, part.part) : std::nullopt;
}

std::optional<StageIndex> PositionsScene::read_by_softmax(const PositionsPart& part) const {
  const auto found = weights(part);
  return found ? results.graph.stages[*found].scores : std::nullopt;
}

float PositionsScene::opacity(StageIndex stage) const {
  return stage_opacity(frame, stage);
}

std::string amount(double value) {
  return value < 0.01 ? inspector::write_distance(value) : inspector::write(value, {2, false});
}

TwoPositions two_positions(const PositionsView& view, std::size_t rows) {
  const auto last = static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, rows) - 1);
  const std::ptrdiff_t p = std::min(static_cast<std::ptrdiff_t>(view.p), last);
  return {static_cast<std::size_t>(p),
          static_cast<std::size_t>(std::clamp(p + view.delta, std::ptrdiff_t{0}, last))};
}

std::vector<std::size_t> chosen_pairs(const PositionsSpec& spec, const Position& position) {
  std::vector<std::size_t> pairs;
  for (const std::size_t dimension : spec.dimensions)
    if (dimension < spec.width)
      if (const auto pair = pair_of(position, spec.width, dimension))
        if (std::ranges::count(pairs, *pair) == 0) pairs.push_back(*pair);
  return pairs;
}

std::optional<Position> turning(const PositionsSpec& spec) {
  for (const Position& position : spec.encodings) {
    const Position fits = fitted(position, spec);
    if (!pair_frequencies(fits, spec.width).empty()) return fits;
  }
  return std::nullopt;
}

}  // namespace attn
