// The same as attention: the weights of the Gaussian next to those of a layer over the same points, and how
// far they are apart.
#include <algorithm>
#include <cmath>

#include "app/fields/slider.h"
#include "app/inspector/inspector_numbers.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/workspaces/kernels/scene.h"
#include "core/kernels/fields.h"
#include "core/kernels/layer.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr float kUnder = 22, kControlsWidth = 290;

struct Remark {
  const char* text;
  bool quiet;
};
constexpr Remark kExplanation[] = {
    {"exp(−(q−x)²/2σ²) ÷ Σ = softmax(−(q−x)²/2σ²): Gaussian weights are a softmax.", false},
    {"−(q−x)²/2 = q·x − x²/2 − q²/2: what depends on q alone cancels in a row, what depends on x alone once "
     "all keys are equally long. Then scaled dot products are the kernel.",
     false},
    {"Fixed kernel: near in x counts, and σ is all there is to choose.", true},
    {"Learnt projections: q·W_Q and k·W_K say in how many directions what is near, and training chooses "
     "them.",
     true},
};

float draw_words(const Theme& theme, ImVec2 at, float width) {
  const ImFont* font = theme.fonts.small;
  for (const Remark& words : kExplanation) {
    const std::string lines = wrapped(font, words.text, width);
    draw_text(*ImGui::GetWindowDrawList(), font, at, words.quiet ? theme.dim : theme.text, lines);
    at.y += font->CalcTextSizeA(font_size(font), 1e6f, 0, lines.c_str()).y + theme.px(6);
  }
  return at.y;
}

void draw_same_layer_controls(KernelsScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  const float y = draw_words(theme, area.min, area.width());
  ImGui::SetCursorScreenPos({area.min.x, y + theme.px(4)});
  const Column column{area.min.x, area.max.x};
  KernelsSpec& spec = scene.frame.draft.kernels;
  if (const auto wanted = slider_row(
          scene.frame, column,
          {"kernels.norms slider", "norms of the keys", std::string(kernels_field::norms.text.sentence)},
          {.value = spec.norms,
           .least = 0,
           .most = 1,
           .whole = false,
           .shown = spec.norms == 0 ? "equal" : "1 ± " + brief(spec.norms)}))
    spec.norms = std::round(*wanted * 100) / 100;
  ChipRow row(theme, column.left, column.right);
  if (row.add(
          {.id = "equal norms", .text = "equal", .tooltip = "all keys equally long", .on = spec.norms == 0}))
    spec.norms = 0;
  if (row.add({.id = "open in Pipeline",
               .text = "open it in the Pipeline",
               .tooltip = "these queries, keys and values as a layer of their own"}))
    scene.frame.commands.emplace_back("kernels.open_in_pipeline");
}

void draw_matrix(KernelsScene& scene, Rect area, StageIndex stage, const std::string& title, ImU32 ink,
                 const std::string& caption, ImU32 colour, float heaviest) {
  const Theme& theme = scene.frame.theme;
  Grid grid = fitted_grid(scene.frame, stage, 0, {area.min, {area.max.x, area.max.y - theme.px(kUnder)}});
  grid.title = "", grid.subtitle = {};
  if (grid.map.kind != MapKind::diverging) grid.map.range = heaviest;
  draw_grid(scene.frame, grid);
  follow_rows(scene, grid.stage);
  outline_row(theme, row_rect(scene.frame, grid, scene.query), theme.outline, "");
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, ink, title, {}, area.width());
  const ImFont* font = theme.fonts.small;
  draw_text(*ImGui::GetWindowDrawList(), font, {area.min.x, area.max.y - theme.px(kUnder - 4)}, colour,
            elided(font, caption, area.width()));
}

// Why there is no such layer.
std::string reason(const KernelsScene& scene) {
  if (scene.spec.width_rule != WidthRule::fixed)
    return "choose one width for all: with k nearest each query has its own";
  if (!scene.spec.key_widths.empty()) return "it takes one width for all points: set every factor to 1";
  if (layer_curve(scene.spec) >= scene.curves.size())
    return "choose the Gaussian: its exponent is a distance that dot products can make";
  return "not drawn of so many points: take fewer, or fewer queries";
}

void draw_maps(KernelsScene& scene, Rect area, const KernelsLayer& layer) {
  const Theme& theme = scene.frame.theme;
  const auto weights = scene.stages(layer.curve).weights;
  if (!weights) return;
  const std::vector<Rect> places = shared_out(theme, area, 3);
  const float apart = scene.results.summaries[layer.difference].largest();
  const bool same = apart <= 1e-6f;
  const float heaviest = scene.results.summaries[*weights].all.most;
  const std::string size = "largest " + inspector::write_distance(static_cast<double>(apart));
  draw_matrix(scene, places[0], *weights, "Gaussian", scene.colour(layer.curve), "κ ÷ Σ κ", theme.dim,
              heaviest);
  draw_matrix(scene, places[1], layer.weights, "attention", theme.text, "softmax(QKᵀ/√d)", theme.dim,
              heaviest);
  draw_matrix(scene, places[2], layer.difference, "difference", theme.text,
              size + (same                   ? " ✓"
                      : scene.spec.norms > 0 ? ": unequal norms"
                                             : ": rounding"),
              same ? theme.good : theme.warning, heaviest);
}

}  // namespace

void open_in_pipeline(Document& document) {
  document.layer() = same_layer(document.kernels, sorted_points(document.kernels));
}

void draw_same_layer(KernelsScene& scene, Rect area) {
  if (scene.curves.empty()) return;
  const Theme& theme = scene.frame.theme;
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, "the same as attention",
             {{"points as keys and values of a layer"}}, area.width());
  const float top = area.min.y + theme.px(kMapTitleHeight);
  const float controls = std::min(theme.px(kControlsWidth), area.width() * 0.42f);
  draw_same_layer_controls(scene, {{area.min.x, top}, {area.min.x + controls, area.max.y}});
  const Rect maps{{area.min.x + controls + theme.px(20), top}, area.max};
  if (const auto& layer = scene.places().layer) return draw_maps(scene, maps, *layer);
  const ImFont* font = theme.fonts.small;
  draw_text(*ImGui::GetWindowDrawList(), font, maps.min, theme.warning,
            wrapped(font, reason(scene), maps.width()));
}

}  // namespace attn
