// One step of a tile for the row that is followed, in the inspector; and what must hold of all rows.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/inspector/checks_panel.h"
#include "app/inspector/inspector_flow.h"
#include "app/inspector/inspector_numbers.h"
#include "app/workspaces/efficient/flash.h"

namespace attn {
namespace {

using namespace inspector;

constexpr std::size_t kMostKeys = 16;  // lines, until a person opens the rest
constexpr float kRoomyKeys = 250;      // points; below, numbers have a digit less
constexpr double kWideShift = -10;     // likewise from here down
constexpr std::array<float, 5> kKeyEdges{0.09f, 0.33f, 0.54f, 0.8f, 1};

struct TileStep {
  Flow& flow;
  const EfficientScene& scene;
  const FlashShown& shown;
  std::size_t now = 0;  // of the play's lines
  const FlashLine& line = shown.play.lines[now];

  bool last() const { return now + 1 == shown.play.lines.size(); }
  // What was collected before this tile.
  double before(std::size_t f) const { return now == 0 ? 0 : shown.play.lines[now - 1].o[f]; }

  std::size_t feature() const { return std::min(scene.view().feature, shown.head.width() - 1); }
  // Of the key that set the maximum; none: none did.
  std::optional<std::size_t> setter(const std::vector<FlashKey>& keys) const {
    for (const FlashKey& key : keys)
      if (!key.hidden && key.score == line.largest && line.largest > line.before) return key.key;
    return std::nullopt;
  }
};

void tile_heading(const TileStep& step, const std::string& text, std::initializer_list<TilePart> of) {
  step.flow.y += step.flow.px(14);
  add_text(step.flow, text, tile_part_ink(step.scene.frame, of, step.flow.theme().dim),
           step.flow.theme().fonts.bold);
}

void draw_tile_title(const TileStep& step) {
  Flow& flow = step.flow;
  const Theme& theme = flow.theme();
  ImGui::PushFont(theme.fonts.bold);
  const Rect line = add_line(flow);
  const FlashTile tile = step.line.tile;
  put_elided(flow, line,
             "tile " + std::to_string(tile.row) + ", " + std::to_string(tile.column) + " · row " +
                 std::to_string(step.shown.row),
             theme.text);
  ImGui::PopFont();
  put(flow, line,
      "tile " + std::to_string(*step.shown.tiling.place(tile) + 1) + " of " +
          std::to_string(step.shown.tiling.computed()),
      theme.dim, 1);
}

void draw_key_cells(Flow& flow, const std::array<std::string, 5>& words, const std::array<ImU32, 5>& inks) {
  const Rect line = add_line(flow);
  for (std::size_t i = 0; i < words.size(); ++i)
    put(flow, {line.min, {line.min.x + kKeyEdges[i] * line.width(), line.max.y}}, words[i], inks[i], 1);
}

void draw_tile_keys(const TileStep& step, const std::vector<FlashKey>& keys) {
  Flow& flow = step.flow;
  const Theme& theme = flow.theme();
  const auto ink = [&](std::initializer_list<TilePart> of) {
    return tile_part_ink(step.scene.frame, of, theme.faint);
  };
  const CompactScope compact(flow, flow.px(270));
  const bool narrow = flow.width() < flow.px(kRoomyKeys);
  const std::string v = "v[" + std::to_string(step.feature()) + "]", exp = narrow ? "exp" : "e^(S−m′)";
  draw_key_cells(flow, {"key", "S", "S − m′", exp, v},
                 {theme.faint, ink({TilePart::scores}), ink({TilePart::maximum}), ink({TilePart::add}),
                  ink({TilePart::add})});
  const bool wide =
      std::ranges::any_of(keys, [](const FlashKey& key) { return !key.hidden && key.shifted <= kWideShift; });
  const int digits = narrow || wide ? 2 : 3;
  const auto setter = step.setter(keys);
  const std::size_t most = shown_of("keys of the tile", keys.size(), kMostKeys);
  for (std::size_t i = 0; i < most; ++i) {
    const FlashKey& key = keys[i];
    const double value = step.shown.head.value(key.key, step.feature());
    const std::string name = std::to_string(key.key);
    if (key.hidden) {
      draw_key_cells(flow, {name, "masked", "", "0", flash_number(value, digits)},
                     {theme.faint, theme.faint, theme.faint, theme.faint, theme.faint});
      continue;
    }
    const bool sets = setter == key.key;
    const ImU32 score = sets ? role_colour(theme, Role::weights) : theme.text;
    draw_key_cells(flow,
                   {name, flash_number(key.score, digits + 1), flash_number(key.shifted, digits),
                    flash_number(key.exponential, digits + 1), flash_number(value, digits)},
                   {sets ? score : theme.key, score, theme.text, theme.text, theme.text});
  }
  add_more(flow, "keys of the tile", keys.size(), kMostKeys);
}

// A formula, and below it its numbers with what they come to.
void add_made(Flow& flow, const std::string& formula, const std::string& numbers, double result, ImU32 ink) {
  add_text(flow, formula, flow.theme().text);
  add_pair(flow, numbers, flash_number(result, 5), flow.theme().dim, ink);
}

void draw_maximum(const TileStep& step) {
  Flow& flow = step.flow;
  const Theme& theme = flow.theme();
  const FlashLine& line = step.line;
  const std::string before = flash_number(line.before, 4), after = flash_number(line.maximum, 4);
  tile_heading(step, "Maximum", {TilePart::maximum, TilePart::rescale});
  add_pair(flow, "m′ = max(" + before + ", " + flash_number(line.largest, 4) + ")", after, theme.text,
           role_colour(theme, Role::weights));
  const bool none = std::isinf(line.before) && line.before < 0;
  const bool rescales = line.factor < 1;
  const std::string factor = "factor = e^(" + before + " − " + after + ")";
  add_pair(flow, none ? std::string("factor: nothing was before") : factor, flash_factor(line.factor, 5),
           theme.text, rescales ? theme.warning : theme.text);
}

void draw_sums(const TileStep& step) {
  Flow& flow = step.flow;
  const Theme& theme = flow.theme();
  const FlashLine& line = step.line;
  const std::size_t f = step.feature();
  const std::string factor = flash_factor(line.factor, 5) + " · ";
  tile_heading(step, "Sum", {TilePart::add});
  add_made(flow, "l′ = factor · l + Σ e^(S−m′)",
           factor + flash_number(line.l, 4) + " + " + flash_number(line.sum, 4), line.l_after, theme.text);
  tile_heading(step, "Output, feature " + std::to_string(f), {TilePart::add, TilePart::divide});
  add_made(flow, "o′ = factor · o + Σ e^(S−m′) · v",
           factor + flash_number(step.before(f), 4) + " + " + flash_number(line.added[f], 4), line.o[f],
           theme.output);
  const std::string so_far = step.last() ? "o′ ÷ l′" : "o′ ÷ l′ so far";
  add_fact(flow, so_far, flash_number(line.output(f), 5), theme.text);
  add_fact(flow, "exact, after the last tile", flash_number(step.shown.play.exact[f], 5), theme.text);
  const auto pressed = add_chips(flow, "feature", {"feature before", "next feature"},
                                 "another feature of the output; a click on a cell of o chooses it");
  if (pressed) step_feature(step.scene.frame.view, step.shown.head.width(), *pressed == 0 ? -1 : 1);
}

std::string tile_words(const TileStep& step, const std::vector<FlashKey>& keys) {
  const FlashLine& line = step.line;
  if (std::ranges::all_of(keys, &FlashKey::hidden))
    return "The mask leaves this row no key of the tile: nothing changes.";
  const bool nothing_before = line.l == 0;
  if (nothing_before)
    return "The first keys of the row: nothing came before, so there is nothing to put to another scale.";
  const auto setter = step.setter(keys);
  if (!setter) return "No key of the tile scores higher than those before it: the sums keep their scale.";
  const std::string which = "Key " + std::to_string(*setter) + " scores higher than all before it, so ";
  if (line.factor == 0) return which + "what came before counts nothing any more.";
  return which + "what came before counts " + flash_number(line.factor, 2) + " of what it did.";
}

void draw_end(const TileStep& step, const std::vector<FlashKey>& keys) {
  Flow& flow = step.flow;
  const Theme& theme = flow.theme();
  const FlashRowPlay& play = step.shown.play;
  tile_heading(step, "In words", {TilePart::next});
  add_text(flow, tile_words(step, keys), theme.text, theme.fonts.small);
  tile_heading(step, "Without the factor", {TilePart::rescale});
  const double end = play.without_factor[step.feature()], wrong = end - play.exact[step.feature()];
  const ImU32 ink = std::abs(wrong) <= rounding_of_tiles(step.shown.head, step.shown.tiling, 0x1p-52)
                        ? theme.text
                        : theme.bad;
  add_fact(flow, "the row would end at", flash_number(end, 5), ink);
  add_fact(flow, "wrong by", flash_number(wrong, 5), ink);
}

CheckLine distance_line(const EfficientScene& scene, const FlashAllRows& all, const char* name,
                        double distance, bool holds, const std::string& explanation) {
  const bool known = all.done && !all.stale && !has_faults(scene.frame.engine);
  return {.name = name,
          .value = all.done ? write_distance(distance) : "…",
          .verdict = !known  ? CheckLine::plain
                     : holds ? CheckLine::good
                             : CheckLine::bad,
          .explanation = explanation};
}

}  // namespace

void inspect_tile(EfficientScene& scene, Flow& flow) {
  const auto shown = flash_shown(scene);
  if (!shown) return;
  const Theme& theme = flow.theme();
  const auto now = shown->line();
  if (!now) {
    ImGui::PushFont(theme.fonts.bold);
    put(flow, add_line(flow), "row " + std::to_string(shown->row), theme.text);
    ImGui::PopFont();
    return add_text(flow, kNoKeyLeft, theme.warning);
  }
  ImGui::PushID("tile step");
  const TileStep step{flow, scene, *shown, *now};
  const std::vector<FlashKey> keys = keys_of_line(shown->head, step.line, shown->row);
  const auto met = std::ranges::count(keys, false, &FlashKey::hidden);
  draw_tile_title(step);
  const std::string words =
      std::to_string(met) + (met == 1 ? " score" : " scores") + " met, " +
      (step.line.factor < 1 && step.line.l > 0 ? "the sums put to their scale" : "the sums keep their scale");
  add_text(flow, shown->play.empty() ? std::string(kNoKeyLeft) : words,
           shown->play.empty() ? theme.warning : theme.dim, theme.fonts.small);
  draw_tile_keys(step, keys);
  draw_maximum(step);
  draw_sums(step);
  draw_end(step, keys);
  ImGui::PopID();
}

void tile_checks(EfficientScene& scene, std::vector<CheckLine>& lines) {
  const auto shown = flash_shown(scene);
  if (!shown) return;
  const FlashAllRows all = flash_all_rows(scene, *shown);
  lines.push_back(distance_line(scene, all, "flash − full, in double", all.rows.in_double, all.holds(),
                                "The largest distance of an output by tiles from the softmax of the whole "
                                "row, both in double, of all rows of this head."));
  if (!shown->head.on_device.empty())
    lines.push_back(distance_line(scene, all, "flash in float32, on the device", all.rows.on_device,
                                  all.rows.excess <= 1,
                                  "The largest distance of flash attention's output on " +
                                      scene.results.device + " from the tiles in double."));
  else
    lines.push_back(distance_line(scene, all, "flash in float32", all.rows.in_float,
                                  all.rows.in_float <= all.float_bound,
                                  "The largest distance of an output by tiles from the softmax of the whole "
                                  "row, with the scores, sums and outputs of the tiles in float32. No "
                                  "device computes them: flash is not among the roads, or numbers are typed "
                                  "over those behind Q, K and V."));
}

}  // namespace attn
