// The tiles that the kernels of flash attention can go by on a device.
#pragma once

#include "core/opencl/context.h"

namespace attn::opencl {

// Of flash.cl the most rows and keys, and what divides them; of flash_group.cl the only ones.
inline FlashTileChoice flash_choice(Variant variant) {
  if (variant.groups) return {{16}, {64}};
  return {{6, 12, 24, 48}, {64, 128, 192, 256, 384}};
}

// Those of the variant, where the kernels have them.
inline FlashTiles flash_tiles(Variant variant) {
  if (flash_choice(variant).has(variant.flash_tiles)) return variant.flash_tiles;
  return variant.groups ? FlashTiles{16, 64} : FlashTiles{24, 384};
}

}  // namespace attn::opencl
