// The recurrent network in the controls, among the checks and by name.
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>

#include "app/canvas/edits.h"
#include "app/fields/field_rows.h"
#include "app/fields/field_states.h"
#include "app/fields/slider.h"
#include "app/inspector/checks_panel.h"
#include "app/inspector/inspector_numbers.h"
#include "app/workspaces/efficient/linear.h"
#include "core/checks/comparison.h"
#include "core/efficient/fields.h"

namespace attn {
namespace {

constexpr const char* kLinearPart = "efficient";

void token_row(Frame& frame, Column column) {
  const auto scene = efficient_scene(frame);
  if (!scene || scene->keys() < 2) return;
  const std::size_t token = played_token(*scene);
  const auto wanted = slider_row(frame, column, row_in(kLinearPart, efficient_view_field::token.text),
                                 {.value = static_cast<double>(token),
                                  .most = static_cast<double>(scene->keys() - 1),
                                  .shown = std::to_string(token) + " of " + std::to_string(scene->keys())});
  if (wanted) scene->view().token = static_cast<std::size_t>(*wanted);
}

// Of the results on screen: how many tokens there are to play.
std::function<void(Desk&)> step_token(bool forward) {
  return [forward](Desk& desk) {
    if (!has_numbers(desk.engine.results)) return;
    const auto& places = *desk.engine.results->places.as<EfficientPlaces>();
    const std::size_t last = desk.engine.results->graph.stages[places.layer.scores].shape.columns - 1;
    std::size_t& token = desk.view.of<EfficientView>().token;
    token = std::min(token, last);
    if (forward)
      token = std::min(token + 1, last);
    else if (token > 0)
      --token;
  };
}

// How far the device's output is from the readings in double: the largest distance, and the largest as a
// share of the accepted one. Of the results on screen. `gaps`: numbers without a value on the device alone,
// where float32 is too small for all features of a query, or of its keys.
struct LinearOnDevice {
  std::shared_ptr<const LinearReadings> readings = {};
  double largest = 0, excess = 0;
  std::size_t gaps = 0;
  std::size_t bytes() const { return 0; }
};

const LinearOnDevice& held_against_device(const LinearScene& linear, const Tensor& output) {
  const EfficientScene& scene = linear.scene;
  LinearOnDevice& memo = scene.frame.memos.of<LinearOnDevice>(
      scene.frame.engine.results, [](LinearOnDevice& made, const Results&) { made = {}; });
  const auto& readings = linear.found.readings;
  if (memo.readings == readings) return memo;
  memo = {.readings = readings};
  const std::size_t columns = linear.task().columns();
  for (std::size_t i = 0; i < readings->outputs.size(); ++i) {
    const double read = readings->outputs[i];
    const float computed = output[{scene.head, i / columns, i % columns}];
    if (std::isnan(computed)) {
      memo.gaps += !std::isnan(read);
      continue;
    }
    const double off = distance(computed, read);
    memo.largest = std::max(memo.largest, off);
    if (off > 0) memo.excess = std::max(memo.excess, off / accepted_distance(read));
  }
  return memo;
}

// Where the road that is played is laid: the device computes it too.
void add_device_check(const LinearScene& linear, std::vector<inspector::CheckLine>& lines) {
  using inspector::CheckLine;
  const EfficientScene& scene = linear.scene;
  const Tensor* output = device_output(scene.results, road_played(scene.spec));
  if (!output || linear.stale || !linear.found.readings) return;
  const LinearOnDevice& held = held_against_device(linear, *output);
  std::string value = inspector::write_distance(held.largest);
  std::string explanation = "The largest distance of linear attention's output on " + scene.results.device +
                            " from the recurrence in double.";
  if (held.gaps > 0) {
    const std::size_t rows = held.gaps / linear.task().columns();
    value = std::to_string(rows) + (rows == 1 ? " gap" : " gaps");
    explanation += " Left out: " + std::to_string(rows) + (rows == 1 ? " query" : " queries") +
                   " without an output in float32, which rounds all their features, or all of the keys "
                   "that they see, to 0.";
  }
  lines.push_back({.name = "linear in float32, on the device",
                   .value = value,
                   .verdict = has_faults(scene.frame.engine) ? CheckLine::plain
                              : held.excess > 1              ? CheckLine::bad
                              : held.gaps > 0                ? CheckLine::plain
                                                             : CheckLine::good,
                   .explanation = explanation});
}

}  // namespace

void draw_linear_controls(Frame& frame, Column column) {
  namespace f = efficient_field;
  EfficientSpec& spec = frame.draft.efficient;
  if (!foldable_section(frame, column,
                        {.title = "Linear", .state = "φ " + feature_words(spec), .open = true}))
    return;
  field_row(frame, column, kLinearPart, f::features, spec.features);
  field_row(frame, column, kLinearPart, f::feature_count, spec.feature_count);
  token_row(frame, column);
}

void linear_checks(EfficientScene& scene, std::vector<inspector::CheckLine>& lines) {
  using inspector::CheckLine;
  const auto linear = linear_scene(scene);
  if (!linear || !linear->found.check) return;
  const PrefixCheck& check = *linear->found.check;
  const bool holds = check.distance <= check.accepted;
  lines.push_back(
      {.name = "recurrence − prefix sums",
       .value = inspector::write_distance(check.distance),
       .verdict = linear->stale ? CheckLine::plain
                  : holds       ? CheckLine::good
                                : CheckLine::bad,
       .explanation = "Outputs of linear attention token by token, and by sums over all tokens "
                      "that know of no recurrence, both in double. Rounding alone may part them, by " +
                      inspector::write_distance(check.accepted) + " at most."});
  add_device_check(*linear, lines);
}

void linear_commands(std::vector<Command>& table, const Desk& desk) {
  const std::string menu = kEfficientMenu;
  table.push_back({.name = "efficient.next_token",
                   .title = "Linear: the next token",
                   .menu = menu,
                   .shortcut = typed(']'),
                   .run = step_token(true)});
  table.push_back({.name = "efficient.previous_token",
                   .title = "Linear: the token before",
                   .menu = menu,
                   .shortcut = typed('['),
                   .run = step_token(false)});
  add_choices(table, kLinearPart, menu + "/φ played", efficient_field::features, &Document::efficient,
              &EfficientSpec::features, desk.draft);
}

}  // namespace attn
