// Wrapping groups of blocks into rows, and the factors of their cells.
#include "app/canvas/block_layout.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace attn {
namespace {

constexpr int kTries = 24;  // ways to wrap: by the least width of cells, between the most and the least
constexpr float kTallest = 1.15f;    // cells are hardly taller than they would be for their width
constexpr float kLeastPart = 0.05f;  // of a cell, however small the canvas is
constexpr int kHalvings = 14;        // of the interval that a factor is sought in
constexpr float kRowPrice = 0.05f;   // part of its size that a cell is worth losing to save a row
constexpr float kWholePixels = 8;    // cells from this size on are whole pixels large

float width_of(std::span<const Extent> blocks, const LayoutRules& rules, float factor) {
  float sum = rules.gap_x * static_cast<float>(blocks.size() - 1);
  for (const Extent& extent : blocks) sum += extent.lead + extent.width(extent.factor(factor));
  return sum;
}

// The largest factor up to `most` for which `size` stays within `room`; 0 when there is none.
template <class Size>
float largest(float most, float room, const Size& size) {
  if (size(most) <= room) return most;
  float low = 0, high = most;
  for (int i = 0; i < kHalvings; ++i) {
    const float middle = (low + high) / 2;
    (size(middle) <= room ? low : high) = middle;
  }
  return low;
}

float room_x(const LayoutRules& rules) {
  return rules.canvas.x - 2 * rules.margin;
}

// The widest cells with which the blocks stand side by side.
float fitting_x(std::span<const Extent> blocks, const LayoutRules& rules) {
  return largest(rules.most.x, room_x(rules), [&](float factor) { return width_of(blocks, rules, factor); });
}

// Whether they do with cells this wide: fitting_x() would be asked by each of many ways to wrap.
bool fit_x(std::span<const Extent> blocks, const LayoutRules& rules, float factor) {
  return width_of(blocks, rules, factor) <= room_x(rules);
}

// One line of a group, or of several that join.
struct LineOfGroups {
  std::size_t group, begin, end;  // blocks of that group
  std::size_t row;
};

// Splits a group into lines whose cells are at least `least` wide, of about equal numbers of blocks.
std::vector<std::size_t> split(std::span<const Extent> blocks, const LayoutRules& rules, float least) {
  const auto with_most = [&](std::size_t most) {
    std::vector<std::size_t> counts;
    std::size_t begin = 0;
    for (std::size_t end = 1; end <= blocks.size(); ++end) {
      const bool full = end == blocks.size() || end - begin == most ||
                        !fit_x(blocks.subspan(begin, end + 1 - begin), rules, least);
      if (!full) continue;
      counts.push_back(end - begin);
      begin = end;
    }
    return counts;
  };
  const std::vector<std::size_t> greedy = with_most(blocks.size());
  if (greedy.size() < 2) return greedy;
  const std::vector<std::size_t> even = with_most((blocks.size() + greedy.size() - 1) / greedy.size());
  return even.size() == greedy.size() ? even : greedy;
}

std::vector<LineOfGroups> wrap(const std::vector<LayoutGroup>& groups, const LayoutRules& rules,
                               float least) {
  std::vector<LineOfGroups> lines;
  std::vector<Extent> row_blocks;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::vector<Extent> joined = row_blocks;
    joined.insert(joined.end(), groups[g].blocks.begin(), groups[g].blocks.end());
    const std::size_t count = groups[g].blocks.size();
    if (groups[g].joins && !lines.empty() && fit_x(joined, rules, least)) {
      lines.push_back({g, 0, count, lines.back().row});
      row_blocks = joined;
      continue;
    }
    std::size_t begin = 0;
    for (const std::size_t n : split(groups[g].blocks, rules, least)) {
      lines.push_back({g, begin, begin + n, lines.empty() ? 0 : lines.back().row + 1});
      row_blocks.assign(groups[g].blocks.begin() + static_cast<std::ptrdiff_t>(begin),
                        groups[g].blocks.begin() + static_cast<std::ptrdiff_t>(begin + n));
      begin += n;
    }
  }
  return lines;
}

// Factors of the rows' widths, in order.
std::vector<float> widths_of(const std::vector<LineOfGroups>& lines, const std::vector<LayoutGroup>& groups,
                             const LayoutRules& rules) {
  std::vector<float> factors;
  for (std::size_t i = 0; i < lines.size();) {
    std::vector<Extent> blocks;
    const std::size_t row = lines[i].row;
    for (; i < lines.size() && lines[i].row == row; ++i)
      for (std::size_t b = lines[i].begin; b < lines[i].end; ++b)
        blocks.push_back(groups[lines[i].group].blocks[b]);
    factors.push_back(fitting_x(blocks, rules));
  }
  return factors;
}

// The tallest cells with which all rows stand above each other.
float fitting_y(const std::vector<LineOfGroups>& lines, const std::vector<LayoutGroup>& groups,
                const LayoutRules& rules) {
  return largest(rules.most.y, rules.canvas.y, [&](float factor) {
    float total = 2 * rules.margin - rules.gap_y, row_height = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i == 0 || lines[i].row != lines[i - 1].row) total += std::exchange(row_height, 0.0f) + rules.gap_y;
      for (std::size_t b = lines[i].begin; b < lines[i].end; ++b)
        row_height = std::max(row_height, groups[lines[i].group].blocks[b].height(factor));
    }
    return total + row_height;
  });
}

float whole(float factor, float cell) {
  return factor * cell >= kWholePixels ? std::floor(factor * cell) / cell : factor;
}

// How much smaller than the others a large matrix is drawn, so that it leaves room for them; and how much
// larger one that is meant to be.
ImVec2 shrink_of(const Extent& extent, const LayoutRules& rules) {
  const auto shrink = [](float cells, float room) { return cells > room && cells > 0 ? room / cells : 1; };
  return {extent.grow.x * shrink(extent.cells.x, rules.canvas.x * rules.largest.x * extent.part),
          extent.grow.y * shrink(extent.cells.y, rules.canvas.y * rules.largest.y * extent.part)};
}

std::vector<LayoutGroup> shrunk(std::vector<LayoutGroup> groups, const LayoutRules& rules) {
  for (LayoutGroup& group : groups)
    for (Extent& extent : group.blocks) {
      const ImVec2 shrink = shrink_of(extent, rules);
      extent.cells = {extent.cells.x * shrink.x, extent.cells.y * shrink.y};
    }
  return groups;
}

// The widest cells of each row: where a matrix needs wider ones than the others have, they may be as tall.
std::vector<float> widest_of(const std::vector<LineOfGroups>& lines, const std::vector<LayoutGroup>& groups,
                             const LayoutRules& rules, std::vector<float> widths) {
  for (const LineOfGroups& line : lines)
    for (std::size_t b = line.begin; b < line.end; ++b) {
      const Extent& extent = groups[line.group].blocks[b];
      const float shrink = shrink_of(extent, rules).x;
      widths[line.row] = std::max(widths[line.row], extent.factor(widths[line.row] * shrink) / shrink);
    }
  return widths;
}

// Cells of a row are equally tall; in pixels they are whole.
std::vector<Place> places_of(const std::vector<LineOfGroups>& lines, const std::vector<LayoutGroup>& groups,
                             const LayoutRules& rules, const std::vector<float>& widths, float height) {
  std::vector<Place> places;
  const std::vector<float> widest = widest_of(lines, groups, rules, widths);
  for (const LineOfGroups& line : lines)
    for (std::size_t b = line.begin; b < line.end; ++b) {
      const Extent& extent = groups[line.group].blocks[b];
      const ImVec2 shrink = shrink_of(extent, rules);
      const float wide = std::max(widths[line.row], kLeastPart);
      const float y = std::clamp(height, kLeastPart, std::max(wide, widest[line.row]) * kTallest);
      const float x = std::min(wide, y * rules.widest);
      places.push_back(
          {line.group,
           b,
           line.row,
           {},
           {},
           {extent.factor(whole(x * shrink.x, rules.cell.x)), whole(y * shrink.y, rules.cell.y)}});
    }
  return places;
}

CanvasLayout set_positions(std::vector<Place> places, const std::vector<LayoutGroup>& groups,
                           const LayoutRules& rules, float zoom) {
  CanvasLayout layout{std::move(places), {}};
  float x = rules.margin, y = rules.margin, height = 0;
  std::size_t row = 0;
  for (Place& place : layout.places) {
    const Extent& extent = groups[place.group].blocks[place.block];
    if (place.row != row) {
      x = rules.margin, y += height + rules.gap_y, height = 0;
      row = place.row;
    } else {
      x += extent.lead;
    }
    place.position = {std::round(x), std::round(y)};
    place.size = {extent.width(place.factor.x * zoom), extent.height(place.factor.y * zoom)};
    x += place.size.x + rules.gap_x;
    height = std::max(height, place.size.y);
    layout.size.x = std::max(layout.size.x, place.position.x + place.size.x + rules.margin);
  }
  layout.size.y = y + height + rules.margin;
  return layout;
}

std::vector<LayoutGroup> without_numbers(std::vector<LayoutGroup> groups) {
  for (LayoutGroup& group : groups)
    for (Extent& extent : group.blocks) extent.least = 0;
  return groups;
}

LayoutRules scrolling(LayoutRules rules) {
  rules.overview = false;
  return rules;
}

}  // namespace

CanvasLayout lay_out(const std::vector<LayoutGroup>& groups, const LayoutRules& rules) {
  if (groups.empty()) return {{}, {2 * rules.margin, 2 * rules.margin}};
  const std::vector<LayoutGroup> blocks = shrunk(groups, rules);
  std::vector<LineOfGroups> best;
  float best_score = 0, best_value = -1, best_height = 0;
  for (int i = 0; i <= kTries; ++i) {
    const float part = static_cast<float>(i) / static_cast<float>(kTries);
    std::vector<LineOfGroups> lines = wrap(blocks, rules, rules.most.x + (rules.least - rules.most.x) * part);
    const float height = fitting_y(lines, blocks, rules);
    const float score = std::min(height, std::ranges::min(widths_of(lines, blocks, rules)));
    const float value = score * (1 - kRowPrice * static_cast<float>(lines.back().row));
    if (value <= best_value || (best_score >= rules.least && score < rules.least)) continue;
    best = std::move(lines), best_score = score, best_value = value, best_height = height;
  }
  std::vector<float> widths;
  if (best_score < rules.least && rules.overview) return lay_out(without_numbers(groups), scrolling(rules));
  if (best_score >= rules.least) {
    widths = widths_of(best, blocks, rules);
  } else {
    best = wrap(blocks, rules, rules.readable), best_height = rules.readable;
    for (const float width : widths_of(best, blocks, rules))
      widths.push_back(std::min(width, rules.readable * kTallest));
  }
  return set_positions(places_of(best, groups, rules, widths, best_height), groups, rules, 1);
}

CanvasLayout zoomed(const CanvasLayout& layout, const std::vector<LayoutGroup>& groups,
                    const LayoutRules& rules, float zoom) {
  return set_positions(layout.places, groups, rules, zoom);
}

}  // namespace attn
