// EfficientSpec: the roads around n² that are laid beside exact attention, and their settings. A plain value.
#pragma once

#include <cstdint>
#include <vector>

#include "core/operations/features.h"

namespace attn {

// A way to compute attention, or something near it. The layer's own mask holds on all of them.
enum class Road {
  full,        // every pair, its scores and weights written
  flash,       // every pair, tile by tile
  window,      // keys near the query
  strided,     // keys just before it, and others at a stride
  longformer,  // a window and global tokens (Beltagy, Peters, Cohan 2020)
  bigbird,     // a window, global tokens and random keys (Zaheer et al. 2020)
  elu,         // linear attention, by its features
  relu,
  random,
};

// Its fields, and all that is said about them, are listed in fields.h.
struct EfficientSpec {
  std::vector<Road> roads{Road::full,    Road::flash, Road::window, Road::strided, Road::longformer,
                          Road::bigbird, Road::elu,   Road::relu,   Road::random};
  std::size_t tile_rows = 8, tile_columns = 8;  // of flash attention, as it is played
  std::size_t window = 8, stride = 8;
  std::vector<std::size_t> global_tokens{0, 32};     // those behind the last token are none
  std::size_t random_keys = 3;                       // of each query
  std::uint64_t seed = 7;                            // of the random keys and of the random features
  FeatureKind features = FeatureKind::elu_plus_one;  // of the linear attention that is played
  std::size_t feature_count = 64;                    // of random features
  std::size_t measured_tokens = 4096;                // at which roads are measured

  bool operator==(const EfficientSpec& other) const;
};

}  // namespace attn
