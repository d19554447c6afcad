// The play of flash attention as the window shows it: the tile that is computed now, the row that is followed
// through it, and what all rows come to. Private to app/workspaces/efficient.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/frame/studies.h"
#include "app/workspaces/efficient/scene.h"
#include "core/efficient/flash_play.h"

namespace attn {

// Why it is not played; empty: it is.
std::string flash_hindrance(const Results& results);

// References into a memo: for this frame, or this command.
struct FlashShown {
  const FlashHead& head;
  const FlashTiling& tiling;
  const FlashRowPlay& play;
  double largest = 0;  // of the scores that are seen, in magnitude
  std::size_t row = 0;
  // Computed now, of the row's tiles; none: every one is skipped.
  std::optional<FlashTile> tile = {};

  // Of the play, that which is computed now; none likewise.
  std::optional<std::size_t> line() const;
  bool is_first() const { return line() == std::size_t{0}; }
};
// None where there is a hindrance.
std::optional<FlashShown> flash_shown(Memos& memos, const std::shared_ptr<const Results>& results,
                                      const View& view);
std::optional<FlashShown> flash_shown(const EfficientScene& scene);

// The tile is computed now; the row that is followed is the one at the same place of it. A tile that is
// skipped stands for the nearest of its row that is not.
void go_to_tile(const Results& results, View& view, const FlashTiling& tiling, FlashTile tile);
// By one in the kernel's order; it ends at the last, or goes round.
void step_tile(const Results& results, View& view, const FlashShown& shown, int direction, bool round);
// Another feature of the output, of so many; it goes round.
void step_feature(View& view, std::size_t width, int direction);
// Time has passed.
void advance_tiles(EfficientScene& scene);

// What of a tile's step the stage bar has come to; none: everything is at full strength.
std::optional<TilePart> shown_tile_part(const Frame& frame);
// The colour of what belongs to one of these parts.
ImU32 tile_part_ink(const Frame& frame, std::initializer_list<TilePart> of, ImU32 usual);

// All rows, as far as they were played. Large layers are played behind the results.
struct FlashAllRows {
  FlashRows rows = {};
  bool done = false, stale = false;
  double bound = 0, float_bound = 0;  // what rounding explains
  bool holds() const { return done && rows.in_double <= bound; }
};
FlashAllRows flash_all_rows(const EfficientScene& scene, const FlashShown& shown);

// "1.9964", with fewer decimals from 100 on: "115.953", "80000".
std::string flash_number(double value, int decimals);
std::string flash_factor(double factor, int decimals);  // 0 is written as "0": nothing is left
// "7e−16 ✓" within the bound, "0.603" beyond it.
std::string flash_distance(double distance, double bound);
std::string keys_text(FlashTiling::Span span);  // "32…39"

inline constexpr const char* kNoKeyLeft = "no key left: l = 0, o = 0";

}  // namespace attn
