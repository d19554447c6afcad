// Weights are not an explanation: others with the same output, taken and given back.
#include "app/workspaces/stack/other_weights.h"

#include <algorithm>
#include <cmath>

#include "app/canvas/edits.h"
#include "app/inspector/inspector_numbers.h"
#include "app/theme/contrast.h"
#include "app/theme/toolkit.h"
#include "app/widgets/press.h"
#include "core/checks/comparison.h"
#include "core/document/edit.h"

namespace attn {
namespace {

constexpr const char* kOtherTitle = "weights are not an explanation";
constexpr float kOtherLegend = 20, kOtherLine = 17, kLegendSwatch = 13, kBarsShare = 0.62f;

bool is_dragged(const StackView& view, const OtherPlace& place) {
  const auto& d = view.dragged;
  return d && d->rows == place.rows && d->layer == place.layer && d->head == place.head &&
         d->row == place.row;
}

// As they are typed, of every key.
std::vector<double> shown_weights(const StackScene& scene, const OtherPlace& place) {
  const Tensor& weights = scene.numbers(place.weights);
  std::vector<double> shown;
  for (std::size_t key = 0; key < weights.columns(); ++key)
    shown.push_back(static_cast<double>(weights[{place.head, place.row, key}]));
  return shown;
}

OtherScene others_scene(StackScene& scene, const OtherFound& found, bool stale) {
  OtherScene others{.scene = scene, .found = found, .stale = stale};
  others.others.assign(found.row.weights.begin(), found.row.weights.end());
  if (stale) {
    others.at = found.others.farthest;
  } else if (is_dragged(scene.view(), found.place) && !found.others.only_ones()) {
    const DraggedWeights& dragged = *scene.view().dragged;
    others.at = nearest_other(found.others, {dragged.across, dragged.up});
  } else {
    const std::string& id = scene.stage(found.place.weights).id;
    others.typed = typed_in_row(scene.results.document, id, found.place.head, found.place.row) > 0;
    if (others.typed) {
      others.others = shown_weights(scene, found.place);
      others.at = point_of(found.row, found.others, others.others);
      return others;
    }
    others.at = found.others.farthest;
  }
  if (!found.others.only_ones()) others.others = weights_at(found.row, found.others, others.at);
  return others;
}

std::string row_words(const OtherScene& others) {
  const OtherFound& found = others.found;
  return "“" + found.query + "”, head " + std::to_string(found.place.head) + ", layer " +
         std::to_string(found.place.layer);
}

// Above the bars.
std::string intro_words(const OtherScene& others) {
  const OtherWeights& found = others.found.others;
  const std::string of = row_words(others);
  if (!found.refused.empty()) return "Row " + of + ": " + found.refused + ".";
  if (others.found.row.seen.empty()) return "Row " + of + " sees no key.";
  if (!found.only_ones())
    return "Other weights of row " + of + ", that give the same output" +
           (found.free > 2 ? ", in the plane of the two directions that move most:" : ":");
  const std::string free = found.free == 0 ? "" : ": weights of 0 leave no way to go";
  return "Row " + of + ": these weights are the only ones with this output" + free + ".";
}

// "11 − d_v 8 − 1 = 2 free".
std::string free_words(const OtherFound& found) {
  const std::string seen = std::to_string(found.row.seen.size());
  const bool full = found.others.rank == found.row.width + 1;
  const std::string rank = full ? " − d_v " + std::to_string(found.row.width) + " − 1"
                                : " − rank " + std::to_string(found.others.rank);
  return seen + rank + " = " + std::to_string(found.others.free) + " free";
}

void take_others(const OtherScene& others) {
  const OtherPlace& place = others.found.place;
  std::vector<CellValue> cells;
  for (const std::size_t key : others.found.row.seen)
    cells.push_back({{place.head, place.row, key}, static_cast<float>(others.others[key])});
  const Graph& graph = others.scene.results.graph;
  const std::string& weights = graph.stages[place.weights].id;
  if (attempt(others.scene.frame,
              [&](LayerAt at) { set_numbers(at.document, kStackPlan, graph, weights, cells); }))
    others.scene.view().dragged.reset();  // they are what is typed now
}

void give_back(const OtherScene& others) {
  const OtherPlace& place = others.found.place;
  const std::string& weights = others.scene.stage(place.weights).id;
  attempt(others.scene.frame,
          [&](LayerAt at) { give_row_back(at.document, weights, place.head, place.row); });
}

// At the right of the title; how much of the line they leave.
float draw_other_chips(const OtherScene& others, Rect line) {
  if (others.stale) return line.width();
  const Theme& theme = others.scene.frame.theme;
  const OtherPlace& place = others.found.place;
  const bool typed =
      typed_in_row(others.scene.frame.draft, others.scene.stage(place.weights).id, place.head, place.row) > 0;
  float right = line.max.x;
  const auto chip = [&](const char* id, const char* text, const char* tooltip) {
    right -= chip_size(theme, text).x;
    ImGui::SetCursorScreenPos({right, line.min.y - theme.px(3)});
    right -= theme.px(kChipGap);
    return draw_chip(theme, {.id = id, .text = text, .tooltip = tooltip});
  };
  if (typed && chip("give back", "give back", "The weights of this row are what is computed again."))
    give_back(others);
  if (!others.typed && others.other() &&
      chip("take them", "take them",
           "Types these weights over the row: everything downstream is computed with them, and stays."))
    take_others(others);
  return right - line.min.x;
}

// "here" and what the others are, with their colours, in the middle of the line.
void draw_other_legend(const OtherScene& others, Rect line) {
  const Theme& theme = others.scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  const bool dragged = is_dragged(others.scene.view(), others.found.place);
  const std::array<std::pair<const char*, ImU32>, 2> names{
      {{others.typed ? "computed" : "here", here_colour(theme)},
       {others.typed ? "typed"
        : dragged    ? "dragged"
                     : "farthest",
        others_colour(theme)}}};
  const float swatch = theme.px(kLegendSwatch), gap = theme.px(kSignGap), apart = theme.px(kMapGap);
  float width = apart;
  for (const auto& [name, colour] : names) width += swatch + gap + text_width(font, name);
  float x = std::max(line.min.x, (line.min.x + line.max.x - width) / 2);
  for (const auto& [name, colour] : names) {
    const float y = line.min.y + font_size(font) / 2;
    list.AddRectFilled({x, y - theme.px(1.5f)}, {x + swatch, y + theme.px(1.5f)}, others.ink(colour),
                       theme.px(1.5f));
    x += swatch + gap;
    draw_text(list, font, {x, line.min.y}, others.ink(theme.text), name);
    x += text_width(font, name) + apart;
  }
}

struct OtherLine {
  std::string text;
  ImU32 colour;
};

// What of the output moves: in double, as these weights are; in floats, as they are computed with.
OtherLine moved_line(const OtherScene& others) {
  const Theme& theme = others.scene.frame.theme;
  if (!others.typed) {
    const double moved = output_moved(others.found.row, others.others);
    const bool same = moved <= output_rounding(others.found.row);
    return {"output moved " + inspector::write_distance(moved) + (same ? " ✓" : " ✗"),
            same ? theme.good : theme.bad};
  }
  const Study<KeptOutput> kept = study_kept(others.scene, others.found.place);
  if (!kept.error.empty()) return {kept.error, theme.warning};
  if (!kept.done || kept.stale || !kept.found) return {"comparing with what was computed…", theme.dim};
  const auto same = [&](double moved, StageIndex stage) {
    double most = 0;
    for (const float x : others.scene.numbers(stage).values())
      most = std::max(most, std::abs(static_cast<double>(x)));
    return moved <= accepted_distance(most);
  };
  const bool both = same(kept.found->head, others.found.place.mixed) &&
                    same(kept.found->stack, comes_out(others.scene.results));
  return {"output moved " + inspector::write_distance(kept.found->head) + ", the stack’s " +
              inspector::write_distance(kept.found->stack) + (both ? " ✓" : " ✗"),
          both ? theme.good : theme.bad};
}

// Words at both ends of a line; those at the right where there is room.
void draw_other_line(const OtherScene& others, Rect area, int number, const OtherLine& left,
                     const OtherLine& right) {
  const Theme& theme = others.scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  const float y = area.max.y - theme.px(kOtherLine) * static_cast<float>(2 - number);
  const std::string shown = elided(font, left.text, area.width());
  draw_text(list, font, {area.min.x, y}, others.ink(read_colour(theme, left.colour, theme.canvas)), shown);
  const float x = area.max.x - text_width(font, right.text);
  if (x > area.min.x + text_width(font, shown) + theme.px(kWordGap))
    draw_text(list, font, {x, y}, others.ink(right.colour), right.text);
}

const char* drag_words(const OtherWeights& found) {
  if (found.only_ones()) return "";
  return found.corners.size() > 2 ? "drag the point in it" : "drag the point on it";
}

void draw_others(const OtherScene& others, Rect area) {
  const Theme& theme = others.scene.frame.theme;
  const bool other = others.other(), plane = !others.found.others.only_ones();
  Rect legend = area;
  legend.max.y = area.min.y + theme.px(kOtherLegend);
  if (plane) legend.max.x = area.min.x + kBarsShare * area.width();
  if (other) draw_other_legend(others, legend);
  const Rect shown{{area.min.x, legend.max.y},
                   {area.max.x, area.max.y - theme.px(2 * kOtherLine + kSignGap)}};
  const float split = area.min.x + (plane ? kBarsShare : 1) * area.width();
  draw_other_bars(others, {shown.min, {split - theme.px(kWordGap), shown.max.y}});
  if (plane) draw_other_plane(others, {{split, area.min.y}, shown.max});
  const double moved = weight_moved(others.found.row, others.others);
  draw_other_line(others, area, 0,
                  {other ? "½Σ|a − b| = " + inspector::write(moved, {3, false}) : "", others_colour(theme)},
                  {free_words(others.found), theme.dim});
  if (other)
    draw_other_line(others, area, 1, moved_line(others), {drag_words(others.found.others), theme.faint});
}

}  // namespace

ImU32 here_colour(const Theme& theme) {
  return set_off(theme, series_colour(0), theme.canvas, 2);
}
ImU32 others_colour(const Theme& theme) {
  return set_off(theme, series_colour(1), theme.canvas, 2);
}

void draw_other_weights(StackScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto place = other_place(scene);
  const Study<OtherFound> study = place ? study_others(scene, *place) : Study<OtherFound>();
  const Rect line{area.min, {area.max.x, area.min.y + theme.px(kTitleHeight)}};
  if (!study.found || !study.error.empty()) {
    draw_title(list, theme, area.min, theme.text, kOtherTitle, {}, area.width());
    const std::string off = "attention is off in this layer", kept = "the weights of this layer are not here";
    const std::string why = place ? study.error : scene.attention(scene.layer) ? kept : off;
    draw_text(list, theme.fonts.small, {area.min.x, line.max.y}, theme.dim,
              wrapped(theme.fonts.small, why, area.width()));
    return;
  }
  const OtherScene others = others_scene(scene, *study.found, study.stale);
  ImGui::PushID("other weights");
  const float room = draw_other_chips(others, line);
  draw_title(list, theme, area.min, theme.text, kOtherTitle, {}, room);
  const std::string words = wrapped(theme.fonts.small, intro_words(others), area.width());
  draw_text(list, theme.fonts.small, {area.min.x, line.max.y}, others.ink(theme.dim), words);
  const auto lines = static_cast<float>(std::ranges::count(words, '\n') + 1);
  area.min.y = line.max.y + lines * (font_size(theme.fonts.small) + theme.px(2)) + theme.px(kSignGap);
  if (study.found->others.refused.empty() && !study.found->row.seen.empty()) draw_others(others, area);
  ImGui::PopID();
}

}  // namespace attn
