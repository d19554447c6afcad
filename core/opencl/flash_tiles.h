// The tiles that the kernels of flash attention can go by on a device.
#pragma once

#include "core/opencl/context.h"

namespace attn::opencl {

// Of flash.cl the most rows and keys, and what divides them; of flash_group.cl the only ones.
inline FlashTileChoice flash_choice(Variant variant) {
  if (variant.groups) return {{16}, {64}};
  return {{6, 12, 24, 48}, {64, 128, 192, 256, 384}};
}

// Those of the variant, where the kernels have them; an item of few rows, where long loops are left early.
inline FlashTiles flash_tiles(Variant variant) {
  if (flash_choice(variant).has(variant.flash_tiles)) return variant.flash_tiles;
  if (variant.groups) return {16, 64};
  return {variant.most_steps == kEndless ? std::size_t{24} : std::size_t{6}, 384};
}

}  // namespace attn::opencl
