// Which tile is computed now, and going from one to the next.
#include "app/workspaces/efficient/flash.h"

#include <algorithm>
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "app/workspaces/efficient/row.h"
#include "core/attention/layer_flash.h"

namespace attn {
namespace {

constexpr double kTilePause = 0.5;                  // seconds from tile to tile
constexpr double kLeastPowers = 1e7;                // written as powers of ten from here on
constexpr std::size_t kMostPlayedAtOnce = 1 << 18;  // pairs and features that are gone through in a frame
constexpr std::size_t kRowsAtOnce = 8;              // of a study's step

struct FlashMemo {
  FlashHead head = {};
  FlashTiling tiling = {};
  std::optional<std::size_t> of_head = {}, of_row = {};
  FlashRowPlay play = {};
  double largest = 0;
  std::optional<FlashRows> rows = {};
  std::size_t bytes() const { return tiling.bytes() + play.bytes(); }
};

FlashTiling tiling_of(const FlashHead& head, const EfficientSpec& spec) {
  return {head, spec.tile_rows, spec.tile_columns};
}

double largest_seen(const FlashHead& head) {
  double most = 0;
  for (std::size_t query = 0; query < head.queries(); ++query)
    for (std::size_t key = 0; key < head.keys(); ++key)
      if (const double size = std::abs(head.score(query, key)); size > most && std::isfinite(size))
        if (!head.hides(query, key)) most = size;
  return most;
}

// Over what is made of Q, K and V: the tiles read it, the device's kernel does not.
bool are_scores_typed(const Results& results, const LayerStages& layer) {
  const auto typed = [&](StageIndex stage) { return results.graph.stages[stage].computed_from.has_value(); };
  for (StageIndex stage = std::max({layer.q, layer.k, layer.v}) + 1; stage <= layer.weighed; ++stage)
    if (typed(stage)) return true;
  return layer.mask && typed(*layer.mask);
}

FlashMemo& flash_memo(Memos& memos, const std::shared_ptr<const Results>& results, std::size_t head) {
  FlashMemo& memo = memos.of<FlashMemo>(results, [](FlashMemo& made, const Results&) { made = {}; });
  if (memo.of_head == head) return memo;
  const LayerStages& layer = results->places.as<EfficientPlaces>()->layer;
  memo = {.head = flash_head(*results, layer, results->document.layer(), head), .of_head = head};
  const Tensor* output = device_output(*results, Road::flash);
  if (output && !are_scores_typed(*results, layer)) memo.head.on_device = *output;
  memo.tiling = tiling_of(memo.head, results->document.efficient);
  memo.largest = largest_seen(memo.head);
  return memo;
}

struct FlashRowsKey {
  std::shared_ptr<const Results> results;
  std::size_t head = 0;
  bool operator==(const FlashRowsKey&) const = default;
};

StudyStep<FlashRows> play_rows(FlashHead head, FlashTiling tiling) {
  return [head = std::move(head), tiling = std::move(tiling)](FlashRows& found, Backend&) {
    for (std::size_t i = 0; i < kRowsAtOnce && found.rows < head.queries(); ++i) found.add(head, tiling);
    return found.rows == head.queries();
  };
}

}  // namespace

std::string flash_hindrance(const Results& results) {
  if (std::string obstacle = flash_obstacle(results.document.layer()); !obstacle.empty()) return obstacle;
  const LayerStages& layer = results.places.as<EfficientPlaces>()->layer;
  const auto here = [&](StageIndex stage) { return results.outputs[stage].here(); };
  const bool all = here(layer.weighed) && here(layer.v) && (!layer.mask || here(*layer.mask));
  return all ? std::string() : "the scores of all heads together are too many to be kept";
}

std::optional<std::size_t> FlashShown::line() const {
  for (std::size_t i = 0; i < play.lines.size(); ++i)
    if (play.lines[i].tile == tile) return i;
  return std::nullopt;
}

std::optional<FlashShown> flash_shown(Memos& memos, const std::shared_ptr<const Results>& results,
                                      const View& view) {
  if (!has_numbers(results) || !flash_hindrance(*results).empty()) return std::nullopt;
  FlashMemo& memo = flash_memo(memos, results, shown_head(*results, view));
  const std::size_t row = followed_row(*results, view);
  if (memo.of_row != row) memo.of_row = row, memo.play = play_row<double>(memo.head, memo.tiling, row);
  FlashShown shown{
      .head = memo.head, .tiling = memo.tiling, .play = memo.play, .largest = memo.largest, .row = row};
  const std::size_t column = std::min(view.of<EfficientView>().tile_column, memo.tiling.across() - 1);
  shown.tile = memo.tiling.nearest({memo.tiling.tile_row_of(row), column});
  return shown;
}

std::optional<FlashShown> flash_shown(const EfficientScene& scene) {
  return flash_shown(scene.frame.memos, scene.frame.engine.results, scene.frame.view);
}

void go_to_tile(const Results& results, View& view, const FlashTiling& tiling, FlashTile tile) {
  const std::size_t row = followed_row(results, view);
  const std::size_t within = row - tiling.queries_of(tiling.tile_row_of(row)).first;
  view.of<EfficientView>().tile_column = tiling.nearest(tile).value_or(tile).column;
  if (tile.row == tiling.tile_row_of(row)) return;
  const FlashTiling::Span rows = tiling.queries_of(tile.row);
  follow_row(results, view, std::min(rows.first + within, rows.end - 1));
}

void step_tile(const Results& results, View& view, const FlashShown& shown, int direction, bool round) {
  const std::size_t count = shown.tiling.computed();
  if (count == 0) return;
  const auto now = shown.tile ? shown.tiling.place(*shown.tile) : std::nullopt;
  std::size_t next = 0;
  if (!now) {  // of a row that is skipped: the first behind it, or the last before it
    const std::size_t row = shown.tiling.tile_row_of(shown.row);
    while (next < count && shown.tiling.at(next).row < row) ++next;
    if (direction < 0) next = next == 0 ? count - 1 : next - 1;
    next %= count;
  } else if (direction > 0) {
    next = *now + 1 < count ? *now + 1 : round ? 0 : *now;
  } else {
    next = *now > 0 ? *now - 1 : 0;
  }
  go_to_tile(results, view, shown.tiling, shown.tiling.at(next));
}

void advance_tiles(EfficientScene& scene) {
  double& played = scene.view().played;
  if (!scene.frame.canvas().playing) played = 0;
  if (played < kTilePause) return;
  played = 0;
  if (const auto shown = flash_shown(scene)) step_tile(scene.results, scene.frame.view, *shown, 1, true);
}

void play_tiles(View& view, const Document&, double seconds) {
  view.of<EfficientView>().played += seconds;
}

FlashAllRows flash_all_rows(const EfficientScene& scene, const FlashShown& shown) {
  FlashAllRows all{.bound = rounding_of_tiles(shown.head, shown.tiling, 0x1p-52),
                   .float_bound = rounding_of_tiles(shown.head, shown.tiling, 0x1p-23)};
  const std::size_t queries = shown.head.queries();
  if (queries * shown.head.keys() * shown.head.width() <= kMostPlayedAtOnce) {
    FlashMemo& memo = flash_memo(scene.frame.memos, scene.frame.engine.results, scene.head);
    if (!memo.rows) {
      memo.rows.emplace();
      while (memo.rows->rows < queries) memo.rows->add(memo.head, memo.tiling);
    }
    all.rows = *memo.rows, all.done = true;
    return all;
  }
  const auto study = scene.frame.studies.of<FlashRows>("flash by tiles",
                                                       FlashRowsKey{scene.frame.engine.results, scene.head},
                                                       [&] { return play_rows(shown.head, shown.tiling); });
  if (study.found) all.rows = *study.found;
  all.done = study.done && !study.stale, all.stale = study.stale;
  return all;
}

std::string flash_number(double value, int decimals) {
  const double size = std::abs(value);
  if (size >= kLeastPowers && std::isfinite(value)) return inspector::write(value);
  for (double large = 100; large <= size && decimals > 0 && std::isfinite(value); large *= 10) --decimals;
  return inspector::write(value, {decimals, false});
}

std::string flash_factor(double factor, int decimals) {
  return factor == 0 ? "0" : flash_number(factor, decimals);
}

std::string flash_distance(double distance, double bound) {
  if (distance <= bound) return inspector::write_distance(distance) + " ✓";
  return flash_number(distance, 3);
}

std::string keys_text(FlashTiling::Span span) {
  const std::string first = std::to_string(span.first);
  return span.first + 1 == span.end ? first : first + "…" + std::to_string(span.end - 1);
}

}  // namespace attn
