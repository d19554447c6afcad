// Three digits and a prefix.
#include "app/plot/short_numbers.h"

#include <array>

#include "app/plot/plot_numbers.h"

namespace attn {

std::string short_count(double count, double whole_below) {
  constexpr std::array<const char*, 9> kPrefixes{"", " k", " M", " G", " T", " P", " E", " Z", " Y"};
  if (count < whole_below) return decimal_text(count, 0);
  std::size_t prefix = 0;
  while (prefix + 1 < kPrefixes.size() && count >= 999.5) count /= 1000, ++prefix;
  const int decimals = count < 9.995 ? 2 : count < 99.95 ? 1 : 0;
  return decimal_text(count, decimals) + kPrefixes[prefix];
}

std::string short_bytes(double bytes, double whole_below) {
  return bytes < whole_below ? decimal_text(bytes, 0) + " B" : short_count(bytes, whole_below) + "B";
}

std::string time_text(double seconds) {
  return readout_text(PlotAxis::seconds, seconds, seconds * 1e-2);
}

}  // namespace attn
