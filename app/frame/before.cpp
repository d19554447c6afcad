// Pinning results, and a memo of what has changed between them and those on screen.
#include "app/frame/before.h"

namespace attn {

// What is the same until these results or those change.
struct BeforeMemo {
  std::weak_ptr<const Results> before = {}, now = {};
  Changes since = {};
  std::size_t bytes() const { return bytes_of_all(since.stages); }
};

void pin_before(View& view, std::shared_ptr<const Results> results) {
  view.before = {.results = std::move(results)};
}

const Results* results_before(const Frame& frame) {
  const Results* before = frame.view.before.results.get();
  return before && frame.results && before->plan == frame.results->plan ? before : nullptr;
}

const Changes* changes_since(const Frame& frame) {
  if (!results_before(frame)) return nullptr;
  const auto& now = frame.engine.results;
  const auto& then = frame.view.before.results;
  BeforeMemo& memo = frame.memos.of<BeforeMemo>();
  if (memo.before.lock() != then || memo.now.lock() != now) memo = {then, now, changes(*then, *now)};
  return &memo.since;
}

const StageChange* change_of(const Frame& frame, std::string_view stage) {
  const Changes* found = changes_since(frame);
  const auto index = found ? frame.results->graph.find(stage) : std::nullopt;
  return index ? found->of(*index) : nullptr;
}

StageResult result_before(const Frame& frame, std::string_view stage, const Shape& shape) {
  const Results* before = results_before(frame);
  StageResult result = before ? before->result(stage) : StageResult();
  return result.here() && result.shape() == shape ? result : StageResult();
}

std::optional<float> number_before(const Frame& frame, const Spot& spot) {
  if (!change_of(frame, spot.stage)) return std::nullopt;
  const StageResult now = frame.results->result(spot.stage);
  const StageResult then = result_before(frame, spot.stage, now.shape());
  if (!now.holds(spot.cell) || !then.holds(spot.cell) || !is_changed(then[spot.cell], now[spot.cell]))
    return std::nullopt;
  return then[spot.cell];
}

std::string change_words(const StageChange& change) {
  if (change.fresh) return "not there before";
  if (change.shape) return "before: " + to_string(*change.shape);
  return std::to_string(change.count) + " changed";
}

}  // namespace attn
