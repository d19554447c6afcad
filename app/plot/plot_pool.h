// Many points as one picture: how many of them lie at each pixel.
#pragma once

#include <memory>

#include "app/plot/plot_axis.h"
#include "app/render/textures.h"

namespace attn {

// From here on a series of points is pooled: as discs they would take longer, and hide each other.
inline constexpr std::size_t kMostDiscs = 2'000;

struct PoolOptions {
  std::size_t width = 0, height = 0;  // of the picture, which lies over the inside of the plot
  std::size_t texel = 1;              // pixels a side
  ImU32 colour = 0;                   // of points without a shade; its opacity is that of all
  std::uint64_t content = 0;          // what the picture is known by
};

// Each point covers three texels a side. The more points cover a texel the more opaque it is, by the
// logarithm of their number; with a shade, a texel has the colour of the greatest shade among them.
std::shared_ptr<const Textures::Pixels> pool_points(const Series& series, const AxisScale& across,
                                                    const AxisScale& up, const Theme& theme,
                                                    const PoolOptions& options);

}  // namespace attn
