// The pinned results remember what was found to have changed since.
#include "app/before.h"

namespace attn {
namespace {

// What a BeforeView points at: only pin_before makes one. What has changed is remembered for one newer
// results, for the thread that draws alone.
struct Pinned : Results {
  explicit Pinned(const Results& results) : Results(results) {}
  mutable std::weak_ptr<const Results> now = {};
  mutable Changes since = {};
};

}  // namespace

void pin_before(View& view, const Results& results) {
  view.before = {std::make_shared<const Pinned>(results), false};
}

const Results* results_before(const Frame& frame) {
  const Results* before = frame.view.before.results.get();
  return before && frame.results && before->plan == frame.results->plan ? before : nullptr;
}

const Changes* changes_since(const Frame& frame) {
  const auto* before = static_cast<const Pinned*>(results_before(frame));
  if (!before) return nullptr;
  const auto& now = frame.engine.results;
  if (before->now.lock() != now) {
    before->since = changes(*before, *now);
    before->now = now;
  }
  return &before->since;
}

const StageChange* change_of(const Frame& frame, std::string_view stage) {
  const Changes* found = changes_since(frame);
  const auto index = found ? frame.results->graph.find(stage) : std::nullopt;
  return index ? found->of(*index) : nullptr;
}

Tensor values_before(const Frame& frame, std::string_view stage, const Shape& shape) {
  const Results* before = results_before(frame);
  Tensor values = before ? before->output(stage) : Tensor();
  return values.shape() == shape && !values.values().empty() ? values : Tensor();
}

std::string change_words(const StageChange& change) {
  if (change.fresh) return "not there before";
  if (change.shape) return "before: " + to_string(*change.shape);
  return std::to_string(change.count) + " changed";
}

}  // namespace attn
