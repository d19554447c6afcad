// Keys of what is kept: everything that it is made from. 0 is no key.
#include "app/plot/plot_memo.h"

#include <bit>

#include "app/theme/hash.h"

namespace attn {
namespace {

std::uint64_t bits(double number) {
  return std::bit_cast<std::uint64_t>(number);
}

std::uint64_t key_of(const AxisScale& scale) {
  const std::uint64_t range = mixed(bits(scale.range().low), bits(scale.range().high));
  const std::uint64_t places =
      mixed(bits(scale.place(scale.range().low)), bits(scale.place(scale.range().high)));
  return mixed(mixed(range, places), scale.log());
}

std::uint64_t key_of(const Series& series, const AxisScale& across, const AxisScale& up) {
  return mixed(mixed(key_of(series), key_of(across)), key_of(up));
}

std::uint64_t key_of(const PathOptions& options) {
  const Rect& box = options.box;
  const auto corner = [](ImVec2 p) { return std::bit_cast<std::uint64_t>(p); };
  const std::uint64_t detail = corner({options.column, options.tolerance});
  return mixed(mixed(corner(box.min), corner(box.max)), detail);
}

template <class Entry, class Make>
auto& kept(Entry& kept, std::uint64_t key, const Make& make) {
  key |= 1;
  if (kept.key != key) kept = {key, make()};
  return kept.value;
}

}  // namespace

const SeriesFacts& PlotMemo::facts(std::size_t index, const Series& series, bool log_x, bool log_y) {
  const std::uint64_t axes = (log_x ? 1 : 0) + (log_y ? 2 : 0);
  return kept(entry(index).facts, mixed(attn::key_of(series), axes),
              [&] { return facts_of(series, log_x, log_y); });
}

const PlotPath& PlotMemo::path(std::size_t index, const Series& series, const AxisScale& across,
                               const AxisScale& up, const PathOptions& options) {
  return kept(entry(index).path, mixed(key_of(series, across, up), key_of(options)),
              [&] { return plot_path(series, series.y, across, up, options); });
}

const PlotPath& PlotMemo::second_path(std::size_t index, const Series& series, const AxisScale& across,
                                      const AxisScale& up, const PathOptions& options) {
  return kept(entry(index).second, mixed(key_of(series, across, up), key_of(options)),
              [&] { return plot_path(series, series.y2, across, up, options); });
}

std::shared_ptr<const Textures::Pixels> PlotMemo::pool(std::size_t index, const Series& series,
                                                       const AxisScale& across, const AxisScale& up,
                                                       const Theme& theme, PoolOptions options) {
  std::uint64_t key = mixed(key_of(series, across, up), attn::key_of(series.shade));
  key = mixed(mixed(key, options.width), options.height);
  key = mixed(mixed(key, options.texel), options.colour);
  // The colours of shades are the theme's.
  key = mixed(key, static_cast<std::uint64_t>(theme.name) * 8 + static_cast<std::uint64_t>(series.shades));
  options.content = key | 1;
  return kept(entry(index).pool, key, [&] { return pool_points(series, across, up, theme, options); });
}

}  // namespace attn
