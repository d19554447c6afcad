// What the scale does to gradients: |dQ| of random tokens with ÷ √d_k and without it.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/theme/contrast.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/items.h"
#include "app/widgets/press.h"
#include "app/workspaces/gradients/scene.h"
#include "core/gradients/fields.h"

namespace attn {
namespace {

using inspector::write_distance;

constexpr std::size_t kNoiseBins = 64;
constexpr double kFarBelow = 100;                  // the line: the median by so much
constexpr float kNoiseHead = 20, kNoiseFoot = 20;  // points
constexpr float kNoiseNumbers = 18;                // of the lower one's axis, which is both's
constexpr float kNoiseWithNumbers = 103;           // from which the lower one has room for them
constexpr float kNoiseNote = 250;                  // a height that has room for a note
constexpr const char* kNoiseMenu = "random tokens";

struct NoiseSide {
  NoiseFigures figures;
  Samples shares = {};
};

// Of the four tensors that it was made of.
struct NoiseMemo {
  std::array<TensorId, 4> of = {};
  double line = 0;
  LogBins bins = {};
  Samples middles = {};
  std::array<NoiseSide, 2> sides = {};  // with the scale, without it
  std::size_t bytes() const {
    std::size_t bytes = bytes_of(middles);
    for (const NoiseSide& side : sides) bytes += bytes_of_all(side.shares, side.figures.bins);
    return bytes;
  }
};

Samples shares_of(const NoiseFigures& figures, std::size_t numbers) {
  std::vector<float> shares;
  for (const std::size_t in : figures.bins)
    shares.push_back(static_cast<float>(static_cast<double>(in) / static_cast<double>(numbers)));
  return Samples::of(std::move(shares));
}

void measure(NoiseMemo& memo, const GradientsScene& scene) {
  const auto& [scaled, off] = scene.places().noise;
  const Tensor &scaled_dq = scene.numbers(scaled.d_q), &off_dq = scene.numbers(off.d_q);
  const Tensor &scaled_weights = scene.numbers(scaled.weights), &off_weights = scene.numbers(off.weights);
  const std::array of{scaled_dq.id(), off_dq.id(), scaled_weights.id(), off_weights.id()};
  if (memo.of == of) return;
  memo.of = of;
  memo.line = median_size(scaled_dq) / kFarBelow;
  memo.bins = {.low = std::min(power_below(scaled_dq), power_below(off_dq)), .high = 1, .count = kNoiseBins};
  for (const Tensor* d_q : {&scaled_dq, &off_dq})
    for (const float x : d_q->values())
      memo.bins.high = std::max(memo.bins.high, std::abs(static_cast<double>(x)));
  if (memo.bins.low >= memo.bins.high) memo.bins.low = memo.bins.high / 10;
  const double ratio = memo.bins.ratio();
  std::vector<float> middles;
  for (std::size_t bin = 0; bin < kNoiseBins; ++bin)
    middles.push_back(static_cast<float>(memo.bins.low * std::pow(ratio, static_cast<double>(bin) + 0.5)));
  memo.middles = Samples::of(std::move(middles));
  memo.sides[0].figures = noise_figures(scaled_dq, scaled_weights, memo.line, memo.bins);
  memo.sides[1].figures = noise_figures(off_dq, off_weights, memo.line, memo.bins);
  for (NoiseSide& side : memo.sides) side.shares = shares_of(side.figures, scaled_dq.values().size());
}

void count_entry(const Theme& theme, const CountField& field, const char* name, std::uint64_t now,
                 const std::function<void(std::uint64_t)>& take) {
  constexpr std::uint64_t kMostTyped = 1'000'000'000;
  int value = static_cast<int>(std::min(now, kMostTyped));
  ImGui::SetNextItemWidth(theme.px(110));
  const bool typed =
      ImGui::InputInt(spoken_label(name).c_str(), &value, 1, 10, ImGuiInputTextFlags_EnterReturnsTrue);
  if (ImGui::IsItemHovered()) show_tooltip(std::string(field.text.sentence));
  if (!typed) return;
  take(std::clamp(static_cast<std::uint64_t>(std::max(value, 0)), std::uint64_t{field.least},
                  std::min(std::uint64_t{field.most}, kMostTyped)));
}

void noise_entries(GradientsScene& scene) {
  namespace f = gradients_field;
  GradientsSpec& spec = scene.draft();
  const Theme& theme = scene.frame.theme;
  count_entry(theme, f::noise_width, "d_k", spec.noise_width,
              [&](std::uint64_t to) { spec.noise_width = static_cast<std::size_t>(to); });
  count_entry(theme, f::noise_tokens, "tokens", spec.noise_tokens,
              [&](std::uint64_t to) { spec.noise_tokens = static_cast<std::size_t>(to); });
  count_entry(theme, f::noise_seed, "seed", spec.noise_seed, [&](std::uint64_t to) { spec.noise_seed = to; });
}

std::string share_words(double share) {
  const double percent = 100 * share;
  if (percent > 0 && percent < 0.05) return "under 0.1 %";
  return inspector::write(percent, {percent == std::round(percent) ? 0 : 1, false}) + " %";
}

// Its name at the left, what is said of it at the right, the histogram below.
void draw_side(GradientsScene& scene, const NoiseMemo& memo, std::size_t which, Rect area) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const NoiseSide& side = memo.sides[which];
  const ImU32 colour = series_colour(which);
  const std::string name = which == 0 ? "÷ √" + std::to_string(scene.spec.noise_width) : "off";
  draw_text(list, theme.fonts.bold, area.min, read_colour(theme, colour, theme.canvas), name);
  const NoiseFigures& figures = side.figures;
  std::string words = share_words(figures.below) + " below the line · " + share_words(figures.saturated) +
                      " of rows saturated";
  if (figures.zeros > 0)
    words += " · " + std::to_string(figures.zeros) + (figures.zeros == 1 ? " is 0" : " are 0");
  const float room = area.width() - text_width(theme.fonts.bold, name) - theme.px(kWordGap);
  words = elided(theme.fonts.small, words, room);
  const bool worse = which == 1 && figures.saturated > memo.sides[0].figures.saturated;
  draw_text(list, theme.fonts.small,
            {area.max.x - text_width(theme.fonts.small, words), area.min.y + theme.px(1)},
            worse ? theme.bad : theme.dim, words);
  Plot plot{.id = which == 0 ? "noise scaled" : "noise off",
            .x = {.log = true, .low = memo.bins.low, .high = memo.bins.high},
            .y = {.low = 0, .names = std::make_shared<const Labels>()},
            .legend = PlotLegend::none,
            .menu = [&scene] { noise_entries(scene); }};
  plot.series.push_back({.name = "share of |dQ|",
                         .kind = SeriesKind::bars,
                         .x = memo.middles,
                         .y = side.shares,
                         .ratio = memo.bins.ratio(),
                         .colour = colour});
  if (memo.line > 0) plot.markers.push_back({.id = "line", .at = memo.line});
  draw_plot(scene.frame, plot, {{area.min.x, area.min.y + theme.px(kNoiseHead)}, area.max});
}

std::string least_words(const NoiseMemo& memo) {
  return "least heard token, norm of dQ: " + write_distance(memo.sides[0].figures.least) + " → " +
         write_distance(memo.sides[1].figures.least);
}

std::string whole_words(const NoiseMemo& memo) {
  return "dQ as a whole: " + write_distance(memo.sides[0].figures.norm) + " → " +
         write_distance(memo.sides[1].figures.norm) +
         ". It need not fall, since its factor 1/√d_k is gone too; single tokens do";
}

// Under the histograms; a press opens what the random tokens are made of.
void draw_foot(GradientsScene& scene, const NoiseMemo& memo, Rect area, bool note) {
  const Theme& theme = scene.frame.theme;
  const ImFont* font = theme.fonts.small;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Rect line{area.min, {area.max.x, area.min.y + theme.px(kNoiseFoot)}};
  draw_text(list, font, line.min, theme.warning, elided(font, least_words(memo), area.width()));
  if (note)
    draw_text(list, font, {area.min.x, line.max.y}, theme.faint,
              elided(font, whole_words(memo), area.width()));
  const std::string tooltip =
      "the line is the median of |dQ| with the scale, ÷ 100; the smallest norm of a row of dQ: token " +
      std::to_string(memo.sides[0].figures.least_row) + " with the scale, " +
      std::to_string(memo.sides[1].figures.least_row) + " without it\n" + whole_words(memo) +
      "\nclick: their number, d_k and seed";
  ImGui::PushID(kNoiseMenu);
  if (press_area(theme, "least heard", line, tooltip)) ImGui::OpenPopup("menu");
  if (ImGui::BeginPopup("menu")) {
    close_by_escape();
    noise_entries(scene);
    ImGui::EndPopup();
  }
  ImGui::PopID();
}

}  // namespace

void draw_noise(GradientsScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, "scale off",
             {{"|dQ| of " + std::to_string(scene.spec.noise_tokens) + " random tokens", true},
              {"d_k " + std::to_string(scene.spec.noise_width), true},
              {"seed " + std::to_string(scene.spec.noise_seed)}},
             area.width());
  NoiseMemo& memo = scene.frame.memos.of<NoiseMemo>();
  measure(memo, scene);
  const bool note = area.height() >= theme.px(kNoiseNote);
  const float top = area.min.y + theme.px(kTitleHeight);
  const float foot = area.max.y - theme.px(note ? 2 * kNoiseFoot : kNoiseFoot);
  const float room = foot - top - theme.px(kTableGap);
  const float numbers = std::max(theme.px(kNoiseNumbers), 2 * theme.px(kNoiseWithNumbers) - room);
  const float each = (room - numbers) / 2;
  draw_side(scene, memo, 0, {{area.min.x, top}, {area.max.x, top + each}});
  draw_side(scene, memo, 1, {{area.min.x, foot - each - numbers}, {area.max.x, foot}});
  draw_foot(scene, memo, {{area.min.x, foot + theme.px(3)}, area.max}, note);
}

}  // namespace attn
