// The share is that of the operations: those of each pair are alike.
#include "app/cli/bench_share.h"

#include <algorithm>
#include <cstdio>

namespace attn::bench {
namespace {

struct ShareBar {
  std::string_view subject;
  double most;     // times of its share
  double seconds;  // … besides these
  const char* words;
};
constexpr ShareBar kShareBars[]{{"window", 1.5, 1e-4, "bar 1.5, and 0.1 ms"},
                                {"window, causal", 1.5, 1e-4, "bar 1.5, and 0.1 ms"},
                                {"strided", 4, 0, "goal 4"}};

}  // namespace

double ratio(const MeasuredPoint& one, const MeasuredPoint& other) {
  Timings ratios;
  for (std::size_t i = 0; i < std::min(one.seconds.values.size(), other.seconds.values.size()); ++i)
    ratios.values.push_back(one.seconds.values[i] / other.seconds.values[i]);
  return ratios.median();
}

std::optional<double> times_of_share(const Measured& measured, const MeasuredPoint& point) {
  const MeasuredPoint* flash = measured.find("flash", point.n);
  if (!flash || flash->operations == 0 || point.operations == 0) return std::nullopt;
  return ratio(point, *flash) * flash->operations / point.operations;
}

void print_shares(const Measured& measured, std::ostream& out) {
  for (const ShareBar& bar : kShareBars) {
    const char* before = " ";
    for (const MeasuredPoint* point : measured.of(bar.subject)) {
      const auto times = times_of_share(measured, *point);
      if (!times) continue;
      if (before[0] == ' ') out << bar.subject << ", in times of its share of flash (" << bar.words << "):";
      const double median = point->seconds.median(), allowed = bar.most * median / *times + bar.seconds;
      char text[64];
      std::snprintf(text, sizeof text, "%s%.3g at n = %zu%s", before, *times, point->n,
                    median <= allowed ? "" : " (missed)");
      out << text;
      before = ", ";
    }
    if (before[0] == ',') out << "\n";
  }
}

}  // namespace attn::bench
