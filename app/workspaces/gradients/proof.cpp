// A number nudged both ways: the quotient of losses beside the gradient, and how far they are apart at every
// h.
#include <algorithm>
#include <cmath>

#include "app/theme/toolkit.h"
#include "app/widgets/press.h"
#include "app/workspaces/gradients/proof_study.h"
#include "core/checks/comparison.h"

namespace attn {
namespace {

constexpr float kProofLine = 17, kLeastProofPlot = 70;  // points
constexpr int kProofDigits = 9, kLeastProofDigits = 5;

struct ProofRow {
  const char* name;
  std::array<std::string, 2> texts = {};
  std::array<ImU32, 2> colours = {};
};

ImU32 place_colour(const Theme& theme, std::size_t which) {
  return which == 0 ? theme.text : role_colour(theme, Role::weights);
}

// So many digits behind the point, fewer where there are several before it; what is small as a power of ten.
std::string proof_text(double value, int digits) {
  const double size = std::abs(value);
  if (!std::isfinite(value) || value == 0) return inspector::write(value, {1, true});
  if (size < 1e-3 || size >= 1e9) return inspector::write(value, {digits - 3, true});
  const int before = size < 10 ? 0 : static_cast<int>(std::floor(std::log10(size)));
  return inspector::write(value, {std::max(0, digits - before), false});
}

void fill_column(const GradientsScene& scene, std::vector<ProofRow>& rows, std::size_t which,
                 const Study<ProofPair>& study, int digits) {
  const Theme& theme = scene.frame.theme;
  const bool asked = proof_places(scene)[which].has_value();
  for (ProofRow& row : rows) row.texts[which] = asked ? "…" : "–", row.colours[which] = theme.faint;
  const auto found = found_of(scene, study, which);
  if (!found) return;
  const auto shown = shown_difference(scene, *found);
  const auto put = [&](std::size_t row, std::string text, ImU32 colour) {
    rows[row].texts[which] = std::move(text);
    rows[row].colours[which] = study.stale ? with_alpha(colour, kLagging) : colour;
  };
  put(0, proof_text(found->number, std::min(digits, 6)), theme.text);
  put(1, proof_text(found->above, digits), theme.text);
  put(2, proof_text(found->below, digits), theme.text);
  put(3, proof_text(found->quotient, digits), theme.text);
  put(4, shown ? proof_text(shown->gradient, digits) : "not here", shown ? theme.text : theme.faint);
  if (found->crosses)
    put(5, "at a bend", theme.warning);
  else if (shown)
    put(5, inspector::write_distance(shown->error) + (shown->share <= 1 ? " ✓" : " ✗"),
        shown->share <= 1 ? theme.good : theme.bad);
  else
    put(5, "–", theme.faint);
}

void draw_row(const Theme& theme, Rect line, float names, const ProofRow& row) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  draw_text(list, font, line.min, theme.dim, elided(font, row.name, names));
  const float each = (line.width() - names) / 2;
  for (std::size_t which = 0; which < 2; ++which) {
    const std::string text = elided(font, row.texts[which], each - theme.px(kTableGap));
    const float right = line.min.x + names + each * static_cast<float>(which + 1);
    draw_text(list, font, {right - text_width(font, text), line.min.y}, row.colours[which], text);
  }
}

float names_width(const Theme& theme) {
  return text_width(theme.fonts.small, "difference ÷ 2h") + theme.px(kTableGap);
}

// The two numbers by their names, which are pressed to be pinned.
void draw_heads(GradientsScene& scene, Rect line) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ProofPlaces places = proof_places(scene);
  const float names = names_width(theme), each = (line.width() - names) / 2;
  for (std::size_t which = 0; which < 2; ++which) {
    const auto& place = places[which];
    const ImFont* font = place ? theme.fonts.bold : theme.fonts.small;
    const std::string name = place ? proof_name(scene, place->stage, place->cell) : "pin a number";
    const float right = line.min.x + names + each * static_cast<float>(which + 1);
    // Left of the first there is nothing in this line.
    const std::string text = elided(font, name, which == 0 ? right - line.min.x : each - theme.px(kTableGap));
    const Rect words{{right - text_width(font, text), line.min.y}, {right, line.max.y}};
    draw_text(list, font, words.min, place ? place_colour(theme, which) : theme.faint, text);
    if (place && press_area(theme, which == 0 ? "looked at" : "input", words,
                            name + ": pin it\n" +
                                (which == 0 ? "the number that is pinned, or pointed at"
                                            : "the input that was clicked last")))
      pin_matrix_cell(scene, place->stage, place->cell);
  }
}

// What keeps the proof from being, and the number that is pressed to be pinned.
void draw_refusal(GradientsScene& scene, const ProofFault& fault, Rect area) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  const std::string loss = "the loss is " + inspector::write(fault.loss) + ": there is nothing to compare";
  draw_text(list, font, area.min, theme.bad, elided(font, loss, area.width()));
  if (!fault.first) return;
  const auto& [stage, nan, infinite, cell] = *fault.first;
  const float y = area.min.y + theme.px(kProofLine);
  const std::string first =
      std::string("first ") + (nan > 0 ? "NaN" : "∞") + ": " + proof_name(scene, stage, cell);
  draw_text(list, font, {area.min.x, y}, theme.warning, elided(font, first, area.width()));
  if (press_area(theme, "first fault", {{area.min.x, y}, {area.max.x, y + theme.px(kProofLine)}}, "pin it"))
    pin_matrix_cell(scene, stage, cell);
}

std::vector<ProofRow> rows_of(const GradientsScene& scene, const Study<ProofPair>& study, int digits) {
  std::vector<ProofRow> rows{{"number"},          {"L(+h)"},    {"L(−h)"},
                             {"difference ÷ 2h"}, {"gradient"}, {"relative error"}};
  for (std::size_t which = 0; which < 2; ++which) fill_column(scene, rows, which, study, digits);
  return rows;
}

float widest(const Theme& theme, const std::vector<ProofRow>& rows) {
  float width = 0;
  for (const ProofRow& row : rows)
    for (const std::string& text : row.texts) width = std::max(width, text_width(theme.fonts.small, text));
  return width;
}

// Returns where it ends; none: there is no proof, and it says why.
std::optional<float> draw_table(GradientsScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  const float line = theme.px(kProofLine);
  draw_heads(scene, {area.min, {area.max.x, area.min.y + line}});
  const Study<ProofPair> study = study_pair(scene);
  const bool known = study.found && !study.stale;
  const auto fault = proof_fault(scene, known ? study.found->loss : std::nullopt);
  Rect row{{area.min.x, area.min.y + line}, {area.max.x, area.min.y + 2 * line}};
  if (fault) {
    draw_refusal(scene, *fault, row);
    return std::nullopt;
  }
  if (!study.error.empty()) {
    const std::string words = wrapped(theme.fonts.small, study.error, area.width());
    draw_text(*ImGui::GetWindowDrawList(), theme.fonts.small, row.min, theme.warning, words);
    return std::nullopt;
  }
  const float each_column = (row.width() - names_width(theme)) / 2 - theme.px(kTableGap);
  std::vector<ProofRow> rows = rows_of(scene, study, kProofDigits);
  for (int digits = kProofDigits; digits > kLeastProofDigits && widest(theme, rows) > each_column;)
    rows = rows_of(scene, study, --digits);
  for (const ProofRow& each : rows) {
    draw_row(theme, row, names_width(theme), each);
    row.min.y += line, row.max.y += line;
  }
  return row.min.y;
}

// A bend leaves a gap; exactly 0 lies on the lower edge.
void add_curve(const GradientsScene& scene, Plot& plot, const Study<ProofCurves>& study, std::size_t which) {
  const auto place = proof_places(scene)[which];
  if (!place || !study.found) return;
  const std::vector<Difference>& points = study.found->points[which];
  if (!points.empty() && (points[0].stage != place->stage || points[0].cell != place->cell)) return;
  const std::vector<double> nudges = curve_nudges();
  std::vector<float> x, y;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto shown = shown_difference(scene, points[i]);
    x.push_back(static_cast<float>(nudges[i]));
    y.push_back(points[i].crosses || !shown ? std::nanf("")
                                            : static_cast<float>(std::max(shown->error, *plot.y.low)));
  }
  plot.series.push_back({.name = proof_name(scene, place->stage, place->cell),
                         .x = Samples::of(std::move(x)),
                         .y = Samples::of(std::move(y)),
                         .colour = place_colour(scene.frame.theme, which),
                         .emphasised = !study.stale});
}

Subtitle proof_subtitle(const GradientsScene& scene) {
  if (!scene.view().on_device) return {{"central differences, in double", true}};
  const double least = accepted_distance(0), relative = accepted_distance(1) - least;
  return {
      {"the device's float32", true},
      {inspector::write(least, {0, true}) + " + " + inspector::write(relative, {0, true}) + "·|d| accepted"}};
}

// To two digits: one that is dragged is a number that can be read.
double tidy_nudge(double h) {
  const double unit = std::pow(10, std::floor(std::log10(h)) - 1);
  const auto& field = gradients_view_field::nudge;
  return std::clamp(std::round(h / unit) * unit, field.least, field.most);
}

bool at_a_bend(const Study<ProofPair>& study) {
  return study.found && !study.stale &&
         std::ranges::any_of(study.found->numbers,
                             [](const std::optional<Difference>& found) { return found && found->crosses; });
}

void draw_curves(GradientsScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  const auto& field = gradients_view_field::nudge;
  double& h = scene.view().nudge;
  const bool bend = at_a_bend(study_pair(scene));
  const std::string caption =
      bend ? "a bend or a step within ± h: nothing to compare" : "relative error against h";
  draw_text(*ImGui::GetWindowDrawList(), theme.fonts.small, area.min, bend ? theme.warning : theme.dim,
            elided(theme.fonts.small, caption, area.width()));
  Plot plot{.id = "proof",
            .x = {.log = true, .low = field.least, .high = field.most},
            .y = {.log = true, .low = 1e-13, .high = 2},
            .legend = PlotLegend::none};
  const Study<ProofCurves> study = study_curves(scene);
  for (std::size_t which = 0; which < 2; ++which) add_curve(scene, plot, study, which);
  plot.markers.push_back(
      {.id = "h", .at = h, .label = "h " + nudge_text(h), .colour = theme.accent, .draggable = true});
  plot.notes.push_back({3e-12, 3e-13, "rounding", theme.faint, PlotNote::none});
  plot.notes.push_back({3e-1, 3e-13, "curvature", theme.faint, PlotNote::none});
  const PlotEvents events =
      draw_plot(scene.frame, plot, {{area.min.x, area.min.y + theme.px(kProofLine)}, area.max});
  if (events.marker) h = tidy_nudge(events.marker->to);
}

}  // namespace

void draw_proof(GradientsScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, "proof", proof_subtitle(scene),
             area.width());
  ImGui::PushID("proof");
  const float line = theme.px(kProofLine);
  if (const auto end = draw_table(scene, {{area.min.x, area.min.y + theme.px(kTitleHeight)}, area.max})) {
    const Rect plot{{area.min.x, *end}, {area.max.x, area.max.y - line}};
    if (plot.height() >= theme.px(kLeastProofPlot)) draw_curves(scene, plot);
    draw_proof_of_all(scene, {{area.min.x, area.max.y - line}, area.max});
  }
  ImGui::PopID();
}

}  // namespace attn
