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
constexpr std::size_t kBlock = 16;  // texels a side: those without a point are not drawn

// Texels from `begin` to before `end`.
struct Span {
  std::size_t begin = std::numeric_limits<std::size_t>::max(), end = 0;
};

// With a border of one texel, in which points at the edge have their neighbours too.
struct PointCounts {
  std::size_t width, height, stride = width + 2;
  std::vector<std::uint16_t> counts = std::vector<std::uint16_t>(stride * (height + 2));
  std::vector<std::uint8_t> shades = {};  // 0: none; empty when the series has no shades
  std::vector<Span> rows = std::vector<Span>(height + 2);

  // A point and its neighbours.
  void add(std::size_t x, std::size_t y, std::uint8_t shade) {
    Span& span = rows[y + 1];
    span = {std::min(span.begin, x), std::max(span.end, x + 1)};
    for (std::size_t at = y * stride + x, row = 0; row < 3; ++row, at += stride) {
      std::uint16_t* count = counts.data() + at;
      for (std::size_t k = 0; k < 3; ++k)
        count[k] = static_cast<std::uint16_t>(count[k] + (count[k] < kMostCounted));
      if (shade == 0) continue;
      std::uint8_t* darkest = shades.data() + at;
      for (std::size_t k = 0; k < 3; ++k) darkest[k] = std::max(darkest[k], shade);
    }
  }

  // Of the picture's row, by the points in it and next to it.
  Span covered(std::size_t row) const {
    Span all;
    for (std::size_t near = row; near < row + 3; ++near)
      all = {std::min(all.begin, rows[near].begin), std::max(all.end, rows[near].end)};
    if (all.end > 0) all = {all.begin - (all.begin > 0), std::min(all.end + 1, width)};
    return all;
  }
  std::size_t place(std::size_t row) const { return (row + 1) * stride + 1; }
  std::uint16_t most() const {
    std::uint16_t most = 0;
    for (std::size_t row = 0; row < height; ++row) {
      const std::uint16_t* count = counts.data() + place(row);
      for (auto [at, end] = covered(row); at < end; ++at) most = std::max(most, count[at]);
    }
    return most;
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

// The blocks of a band of rows that are not transparent, those in a row as one.
void add_strips(std::vector<Textures::Pixels::Strip>& strips, const std::vector<std::uint8_t>& blocks,
                std::size_t top, const PointCounts& points) {
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    if (blocks[block] == 0) continue;
    const std::size_t first = block;
    while (block < blocks.size() && blocks[block] != 0) ++block;
    strips.push_back({.left = first * kBlock,
                      .right = std::min(block * kBlock, points.width),
                      .top = top,
                      .bottom = std::min(top + kBlock, points.height)});
  }
}

}  // namespace

std::shared_ptr<const Textures::Pixels> pool_points(const Series& series, const AxisScale& across,
                                                    const AxisScale& up, const Theme& theme,
                                                    const PoolOptions& options) {
  const PointCounts points = counted(series, across, up, options);
  const std::vector<ImU32> alphas =
      opacities(points.most(), static_cast<float>(options.colour >> IM_COL32_A_SHIFT) / 255);
  // The first is for texels without a shade.
  std::vector<ImU32> colours{options.colour & ~IM_COL32_A_MASK};
  if (!points.shades.empty())
    for (const ImU32 colour : shade_colours(theme, series.shades, kShades - 1))
      colours.push_back(colour & ~IM_COL32_A_MASK);
  auto pixels = std::make_shared<Textures::Pixels>();
  pixels->content = options.content, pixels->width = options.width, pixels->height = options.height;
  pixels->colours.resize(points.width * points.height);
  std::vector<std::uint8_t> blocks(points.width / kBlock + 1);  // whether something is there
  for (std::size_t row = 0; row < points.height; ++row) {
    const std::uint16_t* count = points.counts.data() + points.place(row);
    const std::uint8_t* shade = points.shades.empty() ? nullptr : points.shades.data() + points.place(row);
    ImU32* colour = pixels->colours.data() + row * points.width;
    std::uint8_t* seen = blocks.data();
    for (auto [at, end] = points.covered(row); at < end; ++at)
      if (const ImU32 alpha = alphas[count[at]]; alpha != 0) {
        colour[at] = colours[shade ? shade[at] : 0] | alpha;
        seen[at / kBlock] = 1;
      }
    if (row % kBlock != kBlock - 1 && row + 1 != points.height) continue;
    add_strips(pixels->strips, blocks, row / kBlock * kBlock, points);
    std::ranges::fill(blocks, std::uint8_t{0});
  }
  return pixels;
}

}  // namespace attn
