// Where the pairs of matrices lie: measured without cells, then the cells as large as there is room for.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "app/workspaces/gradients/matrix_pairs.h"

namespace attn {
namespace {

constexpr float kBelowBar = 4;
const ImVec2 kMostPairCell{64, 40};  // points
constexpr float kLeastPairCell = 17, kLeastPairs = 250, kLeastReadWidth = 34;
constexpr std::size_t kMostReadRows = 12;  // more of them are an overview

// What a grid takes besides its cells.
ImVec2 around_cells(const Frame& frame, Grid grid) {
  grid.cell_width = grid.cell_height = 0;
  return grid_size(grid, frame);
}

float gap_before(const Theme& theme, const MatrixPair& pair) {
  return theme.px(pair.arrow ? kArrowGap : kPairGap);
}

// Of the room for cells, as many columns count: no matrix of a few is lost beside one of many.
std::vector<float> shares_of(const MatrixPairs& pairs) {
  float all = 0;
  std::vector<float> shares;
  for (const MatrixPair& pair : pairs) {
    shares.push_back(static_cast<float>(std::max<std::size_t>(1, pair.above.shape.columns)));
    all += shares.back();
  }
  const float mean = all / static_cast<float>(pairs.size());
  for (float& share : shares) share = std::clamp(share, mean / 2, 2 * mean);
  all = std::accumulate(shares.begin(), shares.end(), 0.0f);
  for (float& share : shares) share /= all;
  return shares;
}

std::size_t most_rows(const MatrixPairs& pairs) {
  std::size_t rows = 1;
  for (const MatrixPair& pair : pairs) rows = std::max(rows, pair.above.shape.rows);
  return rows;
}

float pitch_of(const Theme& theme, float room, float count, float most) {
  const float cell = std::clamp(room / count, 0.05f, most);
  return (cell >= 8 ? std::floor(cell) : cell) / theme.px(1);
}

}  // namespace

std::vector<MatrixPairs> in_lines(const GradientsScene& scene, MatrixPairs pairs, float width) {
  std::vector<MatrixPairs> lines(1, std::move(pairs));
  MatrixPairs& all = lines[0];
  const Theme& theme = scene.frame.theme;
  std::size_t columns = 0, most = 0;
  for (const MatrixPair& pair : all) {
    width -= around_cells(scene.frame, pair.above).x + (&pair == all.data() ? 0 : gap_before(theme, pair));
    columns += pair.above.shape.columns, most = std::max(most, pair.above.shape.columns);
  }
  const bool read = width >= theme.px(kLeastReadWidth) * static_cast<float>(columns);
  if (read || std::max(most, most_rows(all)) > kMostReadRows || all.size() < 3) return lines;
  auto second = all.begin() + static_cast<std::ptrdiff_t>((all.size() + 1) / 2);
  if (std::ranges::count(all, true, &MatrixPair::arrow) == 1)
    second = std::ranges::find(all, true, &MatrixPair::arrow);
  MatrixPairs rest(std::make_move_iterator(second), std::make_move_iterator(all.end()));
  all.erase(second, all.end());
  rest.front().arrow = false;
  rest.front().above.row_labels = rest.front().beneath.row_labels = true;
  lines.push_back(std::move(rest));
  return lines;
}

float least_height(const GradientsScene& scene, MatrixPairs pairs, float width) {
  const Theme& theme = scene.frame.theme;
  if (pairs.empty()) return 0;
  const float around =
      around_cells(scene.frame, pairs[0].above).y + around_cells(scene.frame, pairs[0].beneath).y;
  const auto rows = static_cast<float>(std::min(most_rows(pairs), kMostReadRows));
  const auto lines = static_cast<float>(in_lines(scene, std::move(pairs), width).size());
  const float one = std::max(theme.px(kLeastPairs), around + 2 * rows * theme.px(kLeastPairCell));
  return lines * one + (lines - 1) * theme.px(kBetweenLines);
}

void place_pairs(const GradientsScene& scene, Rect area, MatrixPairs& pairs) {
  const Frame& frame = scene.frame;
  const Theme& theme = frame.theme;
  const float zoom = frame.canvas().zoom;
  float labels = 0, header = 0, beneath = 0;
  for (const MatrixPair& pair : pairs) {
    const ImVec2 above = around_cells(frame, pair.above);
    labels += above.x + (&pair == pairs.data() ? 0 : gap_before(theme, pair));
    header = std::max(header, above.y + theme.px(kBelowBar));
    beneath = around_cells(frame, pair.beneath).y;
  }
  const float room = area.width() - labels, rows = static_cast<float>(most_rows(pairs));
  const float height =
      pitch_of(theme, (area.height() - header - beneath) / 2, rows, theme.px(kMostPairCell.y) * zoom);
  const std::vector<float> shares = shares_of(pairs);
  float x = area.min.x;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    MatrixPair& pair = pairs[i];
    if (i > 0) x += gap_before(theme, pair);
    const float columns = static_cast<float>(std::max<std::size_t>(1, pair.above.shape.columns));
    const float wide = room * shares[i] + around_cells(frame, pair.above).x;
    for (Grid* grid : {&pair.above, &pair.beneath}) {
      grid->cell_width = pitch_of(theme, room * shares[i], columns, theme.px(kMostPairCell.x) * zoom);
      grid->cell_height = height;
      grid->title_until = x + wide + (i + 1 < pairs.size() ? gap_before(theme, pairs[i + 1]) / 2 : 0);
    }
    pair.above.position = {x, area.min.y};
    const float below = grid_size(pair.above, frame).y + theme.px(kBelowBar) +
                        theme.px(height) * (rows - static_cast<float>(pair.above.shape.rows));
    // X has handles of its tokens before its cells.
    const float more = around_cells(frame, pair.above).x - around_cells(frame, pair.beneath).x;
    pair.beneath.position = {x + more, std::round(area.min.y + below)};
    x += wide;
  }
}

}  // namespace attn
