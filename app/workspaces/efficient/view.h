// What of the roads around n² is looked at. A part of the View.
#pragma once

#include <cstddef>
#include <optional>

#include "core/efficient/fields.h"
#include "core/efficient/road_measure.h"
#include "core/graph/field_words.h"

namespace attn {

// What of one step of flash attention's tile the stage bar has come to.
enum class TilePart { scores, maximum, rescale, add, next, divide };
// What the table of roads is sorted by.
enum class RoadColumn { order, density, error, operations, bytes, time, reach };
enum class RoadMap { error, pattern };

struct EfficientView {
  std::size_t row = 43;         // that is followed, of the last there is at most; its tiles are played
  std::size_t tile_column = 4;  // of the tile that is computed now, likewise
  std::size_t feature = 0;      // of the output, in the inspector
  std::size_t token = 43;       // of the linear attention that is played
  Road road = Road::bigbird;
  RoadMap map = RoadMap::error;
  RoadColumn sorted_by = RoadColumn::order;
  bool descending = false;
  double played = 0;                            // seconds of the tile, while playing
  std::optional<RoadsMeasured> measuring = {};  // what is measured until it is done
  bool operator==(const EfficientView&) const = default;
};

namespace efficient_view_field {

inline constexpr CountField row{
    .text = {.key = "followed", .title = "row followed", .sentence = "the query whose row is followed"}};
inline constexpr CountField tile_column{
    .text = {.key = "tile_column", .title = "tile column", .sentence = "of the tile that is computed now"}};
// Chips of the stage bar.
inline constexpr ChoiceField<TilePart, 6> tile_part{
    {.key = "tile_part", .title = "part", .sentence = "what of a tile's step is shown"},
    {{{"scores", "scores of the tile", TilePart::scores},
      {"maximum", "max", TilePart::maximum},
      {"rescale", "rescale", TilePart::rescale},
      {"add", "add", TilePart::add},
      {"next", "next tile", TilePart::next},
      {"divide", "÷ l", TilePart::divide}}}};
inline constexpr CountField feature{
    .text = {.key = "feature", .title = "feature", .sentence = "of the output, that is opened"}};
inline constexpr CountField token{.text = {.key = "token",
                                           .title = "token",
                                           .sentence = "the token that the recurrent network has come to"}};
inline constexpr ChoiceField<Road, 9> shown_road = [] {
  ChoiceField<Road, 9> field = efficient_field::road;
  field.text = {.key = "shown_road", .title = "road", .sentence = "whose map is shown"};
  return field;
}();
inline constexpr ChoiceField<RoadMap, 2> map{
    {.key = "map", .title = "map", .sentence = "the road's error, or which pairs it keeps"},
    {{{"error", "error", RoadMap::error}, {"pattern", "pattern", RoadMap::pattern}}}};
inline constexpr ChoiceField<RoadColumn, 7> sorted_by{
    {.key = "sorted_by", .title = "sorted by", .sentence = "the column that the roads are sorted by"},
    {{{"order", "road", RoadColumn::order},
      {"density", "density", RoadColumn::density},
      {"error", "max error", RoadColumn::error},
      {"operations", "operations", RoadColumn::operations},
      {"bytes", "bytes held", RoadColumn::bytes},
      {"time", "measured", RoadColumn::time},
      {"reach", "reach", RoadColumn::reach}}}};
inline constexpr SwitchField descending{
    {.key = "descending", .title = "descending", .sentence = "the largest first"}, "", ""};

}  // namespace efficient_view_field

template <class Visit>
void visit_fields(std::type_identity<EfficientView>, Visit&& visit) {
  namespace f = efficient_view_field;
  visit(f::row, &EfficientView::row);
  visit(f::tile_column, &EfficientView::tile_column);
  visit(f::feature, &EfficientView::feature);
  visit(f::token, &EfficientView::token);
  visit(f::shown_road, &EfficientView::road);
  visit(f::map, &EfficientView::map);
  visit(f::sorted_by, &EfficientView::sorted_by);
  visit(f::descending, &EfficientView::descending);
}

}  // namespace attn
