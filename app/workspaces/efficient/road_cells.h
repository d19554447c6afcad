// What the table says of each road, in words. Private to app/workspaces/efficient.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/workspaces/efficient/roads.h"

namespace attn {

struct RoadCellKind {
  RoadColumn column;
  float width;  // points
};
inline constexpr std::array<RoadCellKind, 6> kRoadCells{{{RoadColumn::density, 56},
                                                         {RoadColumn::error, 78},
                                                         {RoadColumn::operations, 74},
                                                         {RoadColumn::bytes, 70},
                                                         {RoadColumn::time, 70},
                                                         {RoadColumn::reach, 42}}};

struct RoadCell {
  std::string text;
  ImU32 colour = 0;
};
struct RoadRow {
  Road road = Road::full;
  std::string name = {}, settings = {}, obstacle = {};
  std::string shorter = {};  // of the settings, where there is no room; empty: they are elided
  bool undefined = false;    // some tokens have no output
  bool found = false;        // its numbers are there
  std::array<RoadCell, kRoadCells.size()> cells = {};
};

// Sorted as the view says; roads without that number come last.
std::vector<RoadRow> road_rows(EfficientScene& scene, const RoadsStudy& study);
// What is to be said of one of its numbers: the arithmetic behind it.
std::string about_cell(EfficientScene& scene, const RoadRow& row, RoadColumn column);

// What it keeps, blue; of a linear one the weights that it stands for.
struct PatternPicture {
  Tensor values;
  ColourMap map;
};
PatternPicture pattern_picture(const Theme& theme, Road road, const RoadFound& found);

// A share in words: "26 %".
std::string share_text(double share);

}  // namespace attn
