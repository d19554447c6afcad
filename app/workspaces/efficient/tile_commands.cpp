// The tiles by name, for keys, menus and the palette; their controls, the chips of the stage bar, and the
// place that a picture looks at.
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>

#include "app/fields/field_rows.h"
#include "app/fields/field_states.h"
#include "app/fields/slider.h"
#include "app/frame/desk.h"
#include "app/workspaces/efficient/flash.h"
#include "app/workspaces/efficient/row.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

std::string tile_step_id(TilePart part) {
  const std::string prefix = "tile.";
  return prefix + std::string(efficient_view_field::tile_part.word_of(part));
}

const char* says_of(TilePart part) {
  switch (part) {
    case TilePart::scores:
      return "S = scale · q·k for the keys of the tile alone, with bias and mask";
    case TilePart::maximum:
      return "m′ = max(m, largest S of the tile)";
    case TilePart::rescale:
      return "factor = e^(m − m′): what was summed so far is put to the new scale";
    case TilePart::add:
      return "l ← factor · l + Σ e^(S − m′), o ← factor · o + Σ e^(S − m′) · v";
    case TilePart::next:
      return "m, l and o are all that is kept: the next block of K and V takes the place of this one";
    case TilePart::divide:
      return "behind the last tile of the row o ÷ l is its output";
  }
  return "";
}

std::function<void(Desk&)> by_tile(int direction) {
  return [direction](Desk& desk) {
    const auto& results = desk.engine.results;
    if (const auto shown = flash_shown(desk.memos, results, desk.view))
      step_tile(*results, desk.view, *shown, direction, false);
  };
}

std::function<void(Desk&)> by_row(int direction) {
  return [direction](Desk& desk) {
    if (!has_numbers(desk.engine.results)) return;
    const std::size_t row = followed_row(*desk.engine.results, desk.view);
    if (direction < 0 && row == 0) return;
    follow_row(*desk.engine.results, desk.view, direction < 0 ? row - 1 : row + 1);
  };
}

std::function<void(Desk&)> by_feature(int direction) {
  return [direction](Desk& desk) {
    const auto shown = flash_shown(desk.memos, desk.engine.results, desk.view);
    if (shown) step_feature(desk.view, shown->head.width(), direction);
  };
}

std::size_t whole_tile(double number) {
  if (number < 0 || number != std::floor(number) || number > 1e9)
    throw Error("tiles are counted in whole numbers from 0 on, not " + brief(number), Fault::option);
  return static_cast<std::size_t>(number);
}

}  // namespace

void tile_commands(std::vector<Command>& table, const Desk&) {
  const auto add = [&](const char* name, const char* title, Shortcut key, std::function<void(Desk&)> run) {
    const std::string prefix = "efficient.";
    table.push_back({.name = prefix + name,
                     .title = title,
                     .menu = kEfficientMenu,
                     .shortcut = key,
                     .run = std::move(run)});
  };
  add("next_tile", "Next tile", plain(GLFW_KEY_RIGHT), by_tile(1));
  add("previous_tile", "Tile before", plain(GLFW_KEY_LEFT), by_tile(-1));
  add("next_row", "Follow the next row", plain(GLFW_KEY_DOWN), by_row(1));
  add("previous_row", "Follow the row before", plain(GLFW_KEY_UP), by_row(-1));
  add("next_feature", "Next feature of the output", {.key = GLFW_KEY_RIGHT, .shift = true}, by_feature(1));
  add("previous_feature", "Feature of the output before", {.key = GLFW_KEY_LEFT, .shift = true},
      by_feature(-1));
}

void draw_tile_controls(Frame& frame, Column column) {
  namespace f = efficient_field;
  EfficientSpec& spec = frame.draft.efficient;
  const auto scene = efficient_scene(frame);
  const std::size_t row = scene ? scene->row() : frame.view.of<EfficientView>().row;
  const std::string size = std::to_string(spec.tile_rows) + "×" + std::to_string(spec.tile_columns);
  const std::string followed = "row " + std::to_string(row);
  if (!foldable_section(frame, column, {.title = "Flash", .state = states({size, followed}), .open = true}))
    return;
  field_row(frame, column, "efficient", f::tile_rows, spec.tile_rows);
  field_row(frame, column, "efficient", f::tile_columns, spec.tile_columns);
  if (!scene) return;
  const FieldRow about = row_in("efficient", efficient_view_field::row.text);
  if (const auto wanted = slider_row(frame, column, about,
                                     {.value = static_cast<double>(row),
                                      .most = static_cast<double>(scene->queries() - 1),
                                      .shown = std::to_string(row)}))
    follow_row(*scene, static_cast<std::size_t>(*wanted));
}

std::vector<StepChip> efficient_steps(const Graph&, const View&) {
  std::vector<StepChip> chips;
  for (const auto& word : efficient_view_field::tile_part.words)
    chips.push_back({.id = tile_step_id(word.choice),
                     .title = std::string(word.title),
                     .says = says_of(word.choice),
                     .stages = {}});
  return chips;
}

std::optional<TilePart> shown_tile_part(const Frame& frame) {
  for (const auto& word : efficient_view_field::tile_part.words)
    if (frame.canvas().step == tile_step_id(word.choice)) return word.choice;
  return std::nullopt;
}

ImU32 tile_part_ink(const Frame& frame, std::initializer_list<TilePart> of, ImU32 usual) {
  const auto part = shown_tile_part(frame);
  return part && std::ranges::find(of, *part) != of.end() ? frame.theme.accent : usual;
}

void step_feature(View& view, std::size_t width, int direction) {
  std::size_t& feature = view.of<EfficientView>().feature;
  feature = (std::min(feature, width - 1) + (direction < 0 ? width - 1 : 1)) % width;
}

std::optional<Spot> look_at_tile(Document& document, View& view, const Results& results,
                                 const std::vector<double>& at) {
  if (const std::string why = flash_hindrance(results); !why.empty())
    throw Error("flash attention cannot compute this layer: " + why, Fault::option);
  const LayerStages& layer = results.places.as<EfficientPlaces>()->layer;
  const FlashHead head = flash_head(results, layer, results.document.layer(), shown_head(results, view));
  const FlashTiling tiling(head, document.efficient.tile_rows, document.efficient.tile_columns);
  const FlashTile tile{whole_tile(at[0]), whole_tile(at[1])};
  const std::string name = std::to_string(tile.row) + "," + std::to_string(tile.column);
  if (tile.row >= tiling.down() || tile.column >= tiling.across())
    throw Error("there is no tile " + name + ": there are " + std::to_string(tiling.down()) + " × " +
                    std::to_string(tiling.across()) + ", counted from 0",
                Fault::option);
  if (tiling.skips(tile))
    throw Error("tile " + name + " is skipped: every key of it is masked", Fault::option);
  go_to_tile(results, view, tiling, tile);
  return std::nullopt;
}

}  // namespace attn
