// Yours against ours with its slope, and which features are turned together by RoPE.
#include <algorithm>
#include <cmath>

#include "app/inspector/inspector_model.h"
#include "app/inspector/inspector_numbers.h"
#include "app/plot/plot.h"
#include "app/theme/toolkit.h"
#include "app/widgets/words.h"
#include "app/workspaces/compare/check_picture.h"

namespace attn {
namespace {

constexpr std::size_t kMostFeatures = 32;
constexpr float kPairCell = 24;
constexpr double kStraight = 0.9999;  // correlation from which the numbers are said to be a multiple

// Numbers of one stage where both are finite, and the line through 0 that fits them best.
struct Scatter {
  TensorId of_yours = 0, of_ours = 0;
  Samples yours = {}, ours = {};
  double slope = 0, correlation = 0, least = 0, most = 0;
  std::size_t bytes() const { return bytes_of_all(yours, ours); }
};

void make_scatter(Scatter& scatter, const Tensor& yours, const Tensor& ours) {
  scatter = {.of_yours = yours.id(), .of_ours = ours.id()};
  std::vector<float> x, y;
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < ours.values().size(); ++i) {
    const float a = ours.values()[i], b = yours.values()[i];
    if (!std::isfinite(a) || !std::isfinite(b)) continue;
    x.push_back(a), y.push_back(b);
    const double p = static_cast<double>(a), q = static_cast<double>(b);
    xy += p * q, xx += p * p, yy += q * q;
    scatter.least = std::min(scatter.least, p), scatter.most = std::max(scatter.most, p);
  }
  scatter.slope = xx > 0 ? xy / xx : 0;
  scatter.correlation = xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
  scatter.ours = Samples::of(std::move(x)), scatter.yours = Samples::of(std::move(y));
}

Series line_of_slope(const Scatter& scatter, double slope, const char* name, ImU32 colour, bool dashed) {
  const auto at = [&](double x) { return static_cast<float>(slope * x); };
  return {.name = name,
          .x = Samples::range(scatter.least, scatter.most - scatter.least, 2),
          .y = Samples::of({at(scatter.least), at(scatter.most)}),
          .colour = colour,
          .dashed = dashed};
}

// What turns a pair of features; none: nothing does.
using Turned = std::optional<Rotary>;

Turned turned_by(const LayerSpec& layer) {
  const auto* rotary = std::get_if<Rotary>(&layer.position);
  return rotary ? Turned(*rotary) : std::nullopt;
}

void draw_pair_cells(const PictureScene& scene, Rect row, const Turned& rotary, std::size_t width) {
  const Theme& theme = scene.theme();
  const ImFont* font = theme.fonts.small;
  const std::size_t shown = std::min(width, kMostFeatures);
  const float pitch = std::min(theme.px(2 * kPairCell), row.width() / static_cast<float>(shown));
  const float height = std::min(theme.px(kPairCell), row.height() / 2);
  for (std::size_t f = 0; f < shown; ++f) {
    const Rect box{{row.min.x + pitch * static_cast<float>(f), row.min.y},
                   {row.min.x + pitch * static_cast<float>(f + 1) - theme.px(1), row.min.y + height}};
    const bool turns = rotary && f < rotary->turned(width);
    const RotaryPair pair = turns ? rotary_pair(rotary->pairing, rotary->turned(width), f) : RotaryPair{};
    const ImU32 colour = turns ? mix(series_colour(pair.pair), theme.canvas, 0.25f) : theme.chip;
    scene.list().AddRectFilled(box.min, box.max, colour, theme.px(2));
    const auto put = [&](const std::string& text, float top, ImU32 ink) {
      if (const float wide = text_width(font, text); wide <= pitch)
        draw_text(scene.list(), font, {(box.min.x + box.max.x - wide) / 2, top}, ink, text);
    };
    put(std::to_string(f), box.min.y + (height - font_size(font)) / 2, ink_on(colour));
    if (!turns) continue;
    const double angle = rotary_frequency(*rotary, rotary->turned(width), pair.pair);
    put(inspector::write(angle, {angle < 0.01 ? 0 : 2, angle < 0.01}), box.max.y + theme.px(2), theme.dim);
  }
}

std::string pair_words(const Turned& rotary, std::size_t width) {
  if (!rotary) return "nothing";
  const RotaryPair pair = rotary_pair(rotary->pairing, rotary->turned(width), 0);
  return "feature " + std::to_string(pair.y);
}

std::string pairing_words(const PictureScene& scene, std::size_t width) {
  const Turned yours = turned_by(scene.tried.layer), ours = turned_by(scene.ours());
  if (scene.tried.layer.rope_on_values != scene.ours().rope_on_values)
    return scene.tried.layer.rope_on_values ? "yours turns the values too, ours queries and keys alone"
                                            : "ours turns the values too, yours does not";
  if (yours && ours && yours->pairing == ours->pairing && width > 2) {
    const auto slowest = [&](const Rotary& rotary) {
      const std::size_t turned = rotary.turned(width);
      return inspector::write(rotary_frequency(rotary, turned, turned / 2 - 1));
    };
    return "the slowest pair turns by " + slowest(*yours) + " a token in yours, by " + slowest(*ours) +
           " in ours";
  }
  return "feature 0 turns with " + pair_words(yours, width) + " in yours, with " + pair_words(ours, width) +
         " in ours";
}

std::string turn_caption(const char* whose, const Turned& rotary) {
  std::string text = std::string(whose) + "  ";
  if (!rotary) return text + "not turned";
  text += rotary->pairing == Pairing::half ? "i with i + d_k ÷ 2" : "2i with 2i + 1";
  return text + ", base " + inspector::write(rotary->base, {0, false});
}

}  // namespace

void draw_scatter_picture(PictureScene& scene, Rect area) {
  const auto index = scene.first ? scene.results.graph.find(scene.first->id) : std::nullopt;
  if (!index || !scene.first->same_shape || !scene.results.outputs[*index].here()) return;
  Tensor yours;
  for (const GivenStage& given : given_stages(scene.results.document.check))
    if (given.id == scene.first->id) yours = given.numbers;
  const Tensor& ours = scene.results.outputs[*index].whole();
  if (yours.shape() != ours.shape()) return;
  Scatter& scatter = scene.frame.memos.of<Scatter>();
  if (scatter.of_yours != yours.id() || scatter.of_ours != ours.id()) make_scatter(scatter, yours, ours);
  if (scatter.ours.empty()) return;
  const Theme& theme = scene.theme();
  const std::string slope = inspector::four_digits(scatter.slope);
  const bool straight = std::abs(scatter.correlation) >= kStraight;
  Plot plot{.id = "check.scatter",
            .title = scene.stage(*index).title + ": yours against ours",
            .subtitle = {{straight ? "yours is " + slope + " of ours: a scale"
                                   : "slope " + slope + ", correlation " +
                                         inspector::four_digits(scatter.correlation),
                          true}},
            .x = {.title = "ours"},
            .y = {.title = "yours"},
            .wheel_zooms = false};
  plot.series = {line_of_slope(scatter, 1, "equal", theme.faint, true),
                 line_of_slope(scatter, scatter.slope, "slope", theme.key, false)};
  plot.series.push_back({.name = "numbers",
                         .kind = SeriesKind::points,
                         .x = scatter.ours,
                         .y = scatter.yours,
                         .colour = theme.query,
                         .radius = 2.5f});
  draw_plot(scene.frame, plot, area);
}

void draw_pairing_picture(PictureScene& scene, Rect area) {
  const std::size_t width = scene.stage(scene.places().q).shape.columns;
  const Turned yours = turned_by(scene.tried.layer), ours = turned_by(scene.ours());
  const PictureHalves halves = picture_halves(
      scene, area, "which features turn together, and by how much a token", turn_caption("yours", yours),
      turn_caption("ours", ours), scene.theme().px(2 * kPairCell));
  draw_pair_cells(scene, halves.yours, yours, width);
  draw_pair_cells(scene, halves.ours, ours, width);
  draw_picture_words(
      scene, halves.words,
      pairing_words(scene, width) + (width > kMostFeatures ? "; the first " + std::to_string(kMostFeatures) +
                                                                 " of " + std::to_string(width) + " features"
                                                           : ""));
}

}  // namespace attn
