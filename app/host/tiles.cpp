// Runs of tiles in a row, joined until few are left.
#include "app/host/tiles.h"

#include <limits>
#include <numeric>

namespace attn {
namespace {

constexpr std::size_t kMostRegions = 24;  // more cost more than they save
constexpr std::size_t kMostJoined = 100;  // every two of them are looked at

// A run of tiles in neighbouring rows.
struct TileRun {
  int column, column_end, row, row_end;
};

// Neighbours in a row are joined first, then runs of one extent in rows above each other: not the fewest
// rectangles there could be, but few, and disjoint.
std::vector<TileRun> runs_of(const std::vector<bool>& changed, const Tiles& tiles) {
  std::vector<TileRun> runs;
  for (int row = 0; row < tiles.rows; ++row)
    for (int column = 0; column < tiles.columns; ++column) {
      if (!changed[tiles.index(column, row)]) continue;
      int end = column + 1;
      while (end < tiles.columns && changed[tiles.index(end, row)]) ++end;
      const auto above = std::ranges::find_if(runs, [&](const TileRun& run) {
        return run.row_end == row && run.column == column && run.column_end == end;
      });
      above == runs.end() ? runs.push_back({column, end, row, row + 1}) : void(++above->row_end);
      column = end;
    }
  return runs;
}

// Every changed tile takes its neighbours in a square of four with it.
std::vector<bool> by_fours(const std::vector<bool>& changed, const Tiles& tiles) {
  std::vector<bool> squares(changed.size());
  for (int row = 0; row < tiles.rows; ++row)
    for (int column = 0; column < tiles.columns; ++column) {
      if (!changed[tiles.index(column, row)]) continue;
      const int left = column / 2 * 2, top = row / 2 * 2;
      for (int r = top; r < std::min(top + 2, tiles.rows); ++r)
        for (int c = left; c < std::min(left + 2, tiles.columns); ++c) squares[tiles.index(c, r)] = true;
    }
  return squares;
}

TileRun hull(const TileRun& a, const TileRun& b) {
  return {std::min(a.column, b.column), std::max(a.column_end, b.column_end), std::min(a.row, b.row),
          std::max(a.row_end, b.row_end)};
}

int tiles_of(const TileRun& run) {
  return (run.column_end - run.column) * (run.row_end - run.row);
}

bool meet(const TileRun& a, const TileRun& b) {
  return a.column < b.column_end && b.column < a.column_end && a.row < b.row_end && b.row < a.row_end;
}

// The two whose common rectangle adds the fewest tiles become that rectangle, with all that it meets: what is
// drawn twice would be blended twice.
void join_two(std::vector<TileRun>& runs) {
  std::size_t first = 0, second = 1;
  int least = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (std::size_t j = i + 1; j < runs.size(); ++j) {
      const int added = tiles_of(hull(runs[i], runs[j])) - tiles_of(runs[i]) - tiles_of(runs[j]);
      if (added < least) least = added, first = i, second = j;
    }
  TileRun joined = hull(runs[first], runs[second]);
  for (auto met = runs.begin(); met != runs.end();) {
    if (!meet(*met, joined)) {
      ++met;
      continue;
    }
    joined = hull(joined, *met);
    runs.erase(met);
    met = runs.begin();  // those that it did not meet before
  }
  runs.push_back(joined);
}

}  // namespace

std::vector<Rect> regions_of(const std::vector<bool>& changed, const Tiles& tiles) {
  std::vector<TileRun> runs = runs_of(changed, tiles);
  if (runs.size() > kMostJoined) runs = runs_of(by_fours(changed, tiles), tiles);
  if (runs.size() > kMostJoined) runs = {std::accumulate(runs.begin(), runs.end(), runs.front(), hull)};
  while (runs.size() > kMostRegions) join_two(runs);
  std::vector<Rect> regions;
  for (const TileRun& run : runs)
    regions.push_back(tiles.region(run.column, run.column_end, run.row, run.row_end));
  return regions;
}

}  // namespace attn
