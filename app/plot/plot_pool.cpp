// Points counted by pixel. What covers nothing is neither coloured nor drawn.
#include "app/plot/plot_pool.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "app/plot/plot_layout.h"

namespace attn {
namespace {

constexpr std::uint16_t kMostCounted = 60'000;
constexpr float kFaintestColumn = 0.35f;  // opacity of a single point
constexpr std::size_t kShades = 256;
constexpr std::size_t kStrip = 16;  // rows

// Texels from `begin` to before `end`, of a row or of all rows of a strip.
struct Span {
  std::size_t begin = std::numeric_limits<std::size_t>::max(), end = 0;
  void include(std::size_t from, std::size_t to) { begin = std::min(begin, from), end = std::max(end, to); }
};

struct PointCounts {
  std::size_t width, height;
  std::vector<std::uint16_t> counts = std::vector<std::uint16_t>(width * height);
  std::vector<std::uint8_t> shades = {};  // 0: none; empty when the series has no shades
  std::vector<Span> rows = std::vector<Span>(height);
  std::uint16_t most = 0;  // of all counts

  // A point and its neighbours.
  void add(std::size_t x, std::size_t y, std::uint8_t shade) {
    const std::size_t left = x > 0 ? x - 1 : 0, right = std::min(x + 2, width);
    for (std::size_t row = y > 0 ? y - 1 : 0; row < std::min(y + 2, height); ++row) {
      rows[row].include(left, right);
      std::uint16_t* count = counts.data() + row * width;
      for (std::size_t at = left; at < right; ++at) {
        count[at] = static_cast<std::uint16_t>(count[at] + (count[at] < kMostCounted));
        most = std::max(most, count[at]);
      }
      if (shade == 0) continue;
      std::uint8_t* darkest = shades.data() + row * width;
      for (std::size_t at = left; at < right; ++at) darkest[at] = std::max(darkest[at], shade);
    }
  }
};

std::uint8_t shade_of(const Series& series, std::size_t i) {
  if (i >= series.shade.count || std::isnan(series.shade[i])) return 0;
  const double shade = std::clamp(series.shade[i], 0.0, 1.0);
  return static_cast<std::uint8_t>(1 + std::lround(shade * (kShades - 2)));
}

PointCounts counted(const Series& series, const AxisScale& across, const AxisScale& up,
                    const PoolOptions& options) {
  PointCounts counted{options.width, options.height};
  const bool shaded = !series.shade.empty();
  if (shaded) counted.shades.resize(counted.counts.size());
  const auto width = static_cast<double>(options.width), height = static_cast<double>(options.height);
  const double left = across.place(across.range().low), top = up.place(up.range().high);
  const double scale = 1.0 / static_cast<double>(options.texel);
  for (std::size_t i = 0, points = series.count(); i < points; ++i) {
    const double x = (across.place(series.x_at(i)) - left) * scale, y = (up.place(series.y[i]) - top) * scale;
    if (!(x >= 0 && x < width && y >= 0 && y < height)) continue;  // NaN as well
    counted.add(static_cast<std::size_t>(x), static_cast<std::size_t>(y),
                shaded ? shade_of(series, i) : std::uint8_t{0});
  }
  return counted;
}

// How opaque a texel with so many points is.
std::vector<ImU32> opacities(std::size_t most, float most_opaque) {
  std::vector<ImU32> alphas(most + 1);
  const float scale = most > 1 ? (1 - kFaintestColumn) / std::log(static_cast<float>(most)) : 0;
  for (std::size_t n = 1; n <= most; ++n) {
    const float opacity = kFaintestColumn + scale * std::log(static_cast<float>(n));
    alphas[n] = static_cast<ImU32>(std::lround(255 * most_opaque * opacity)) << IM_COL32_A_SHIFT;
  }
  return alphas;
}

// What is not transparent, in strips of rows.
std::vector<Textures::Pixels::Strip> strips_of(const PointCounts& counted) {
  std::vector<Textures::Pixels::Strip> strips;
  for (std::size_t top = 0; top < counted.height; top += kStrip) {
    const std::size_t bottom = std::min(top + kStrip, counted.height);
    Span all;
    for (std::size_t row = top; row < bottom; ++row)
      all.include(counted.rows[row].begin, counted.rows[row].end);
    if (all.begin < all.end)
      strips.push_back({.left = all.begin, .right = all.end, .top = top, .bottom = bottom});
  }
  return strips;
}

}  // namespace

std::shared_ptr<const Textures::Pixels> pool_points(const Series& series, const AxisScale& across,
                                                    const AxisScale& up, const Theme& theme,
                                                    const PoolOptions& options) {
  const PointCounts points = counted(series, across, up, options);
  const std::vector<ImU32> alphas =
      opacities(points.most, static_cast<float>(options.colour >> IM_COL32_A_SHIFT) / 255);
  // The first is for texels without a shade.
  std::vector<ImU32> colours{options.colour & ~IM_COL32_A_MASK};
  if (!points.shades.empty())
    for (const ImU32 colour : shade_colours(theme, series.shades, kShades - 1))
      colours.push_back(colour & ~IM_COL32_A_MASK);
  auto pixels = std::make_shared<Textures::Pixels>();
  pixels->content = options.content, pixels->width = options.width, pixels->height = options.height;
  pixels->colours.resize(points.counts.size());
  pixels->strips = strips_of(points);
  for (std::size_t row = 0; row < points.height; ++row) {
    const Span& covered = points.rows[row];
    const std::uint16_t* count = points.counts.data() + row * points.width;
    const std::uint8_t* shade = points.shades.empty() ? nullptr : points.shades.data() + row * points.width;
    ImU32* colour = pixels->colours.data() + row * points.width;
    for (std::size_t at = covered.begin; at < covered.end; ++at)
      if (const ImU32 alpha = alphas[count[at]]; alpha != 0)
        colour[at] = colours[shade ? shade[at] : 0] | alpha;
  }
  return pixels;
}

}  // namespace attn
