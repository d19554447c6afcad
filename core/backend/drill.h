// Drill: work of a known amount whose result is known too, for measuring what a device can do at best.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "core/operations/flash_tiles.h"

namespace attn {

enum class DrillKind {
  multiply_add,  // numbers multiplied and added in registers, each from the one before
  copy,          // a buffer copied to another, both larger than any cache
};

// It refers to the backend that made it, and goes before that.
struct Drill {
  double unit = 0;              // of one pass: operations (a multiply-add is two), or bytes read and written
  std::size_t most_passes = 1;  // of one run
  std::function<void(std::size_t passes)> run = {};  // returns when it is done; empty: there is none
  // Throws Error(Fault::device) unless the last run left what it has to leave, which no other run leaves:
  // nothing that a compiler could have left out was measured.
  std::function<void()> check = {};
};

// What is said of a device.
struct DeviceFacts {
  std::string version = {};     // of its driver, with what else tells it from another of its name
  std::uint64_t memory = 0;     // of its own, in bytes; 0: it works in this machine's
  std::uint64_t largest = 0;    // of one matrix, in bytes; 0: as much as there is memory
  FlashTiles flash_tiles = {};  // that flash attention goes by; none on what has no tiles
  FlashTileChoice flash_choice = {};
  bool operator==(const DeviceFacts&) const = default;
};

}  // namespace attn
