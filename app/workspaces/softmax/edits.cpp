// What is done to the row and its temperature, wherever in the workspace it is done.
#include <algorithm>
#include <cmath>

#include "app/fields/field_typing.h"
#include "app/fields/slider.h"
#include "app/workspaces/softmax/scene.h"
#include "core/softmax/fields.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr double kTemperatureNotch = 1.1;  // hotter a notch of the wheel

}  // namespace

void take_row(Document& document, const Results& shown) {
  if (document.softmax.source == RowSource::own) return;
  const SoftmaxPlaces& places = *shown.places.as<SoftmaxPlaces>();
  const auto scores = shown.outputs[places.scores].whole().values();
  own_row(document.softmax, scores, filled_labels(places.keys, scores.size()));
}

void add_shown_key(Document& document, const Results& shown) {
  take_row(document, shown);
  SoftmaxSpec& spec = document.softmax;
  add_key(spec, std::to_string(spec.scores.columns()), 0);
}

void remove_shown_key(Document& document, const Results& shown, std::size_t key) {
  take_row(document, shown);
  if (document.softmax.scores.columns() == 1)
    throw Error("the last key stays: a row without one has no softmax");
  remove_key(document.softmax, key);
}

void type_score(View& view, const std::string& score) {
  view.show_controls();
  start_typing(view, {.id = kScoreField, .label = {}, .tooltip = {}}, score);
}

std::optional<std::size_t> swept_row(const SoftmaxScene& scene) {
  if (!scene.frame.canvas().playing) return std::nullopt;
  const double part = std::clamp(scene.view().swept, 0.0, 1.0);
  return static_cast<std::size_t>(std::round(part * static_cast<double>(kTemperatures - 1)));
}

double shown_temperature(const SoftmaxScene& scene) {
  const auto row = swept_row(scene);
  return row ? curve_temperature(*row) : scene.draft().temperature;
}

void set_temperature(SoftmaxSpec& spec, double temperature) {
  spec.temperature = std::clamp(three_digits(temperature), 0.0, softmax_field::kMostTemperature);
}

// From 0 on the first notch up leads to the least that is drawn, and one down from there to 0.
void turn_temperature(SoftmaxSpec& spec, double notches) {
  const double to =
      std::max(spec.temperature, kLeastCurve / kTemperatureNotch) * std::pow(kTemperatureNotch, notches);
  set_temperature(spec, to < kLeastCurve * 0.99 ? 0 : to);
}

PlotMarker temperature_marker(const SoftmaxScene& scene) {
  const double t = shown_temperature(scene);
  return {.id = "T",
          .at = std::clamp(t, kLeastCurve, kMostCurve),
          .label = t == 0 ? "T → 0, hard" : "T " + brief(three_digits(t)),
          .colour = scene.frame.theme.outline,
          .dashed = false,
          .draggable = true,
          .dots = true};
}

}  // namespace attn
