// By which tiles flash attention goes: what a device takes by itself, and what it can be asked for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// Of which sums a number is made, and so its last bits, depends on them.
struct FlashTiles {
  std::size_t rows = 0;  // of an item, or of a work-group
  std::size_t keys = 0;  // between one look at the largest score and the next
  bool operator==(const FlashTiles&) const = default;
};

// "24,192", as --mechanism has it.
inline std::string to_text(const FlashTiles& tiles) {
  return std::to_string(tiles.rows) + "," + std::to_string(tiles.keys);
}

// Each number of rows goes with each of keys.
struct FlashTileChoice {
  std::vector<std::size_t> rows = {}, keys = {};

  bool has(const FlashTiles& tiles) const {
    return std::ranges::find(rows, tiles.rows) != rows.end() &&
           std::ranges::find(keys, tiles.keys) != keys.end();
  }
  bool operator==(const FlashTileChoice&) const = default;
};

}  // namespace attn
