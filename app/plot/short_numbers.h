// Counts, bytes and times with three digits, as tables have them.
#pragma once

#include <string>

namespace attn {

// "51.5 G"; whole below a bound.
std::string short_count(double count, double whole_below = 10'000);
// "25.2 MB".
std::string short_bytes(double bytes, double whole_below = 100'000);
// "1.24 ms".
std::string time_text(double seconds);

}  // namespace attn
