// What the device badge says, and in which colours, before it is drawn.
#pragma once

#include <string>

#include "app/theme/theme.h"
#include "core/engine/engine.h"

namespace attn {

struct Badge {
  enum Health {
    starting,  // nothing is known yet: no device, or no comparison
    good,      // every check holds, and the reference has the same numbers
    doubtful,  // a check fails, or the distance can be seen
    reference,
    fault,
  } health = starting;
  std::string text;     // "PoCL EPYC · 0.31 ms · ≤ 3e−8 from reference"
  std::string brief;    // "PoCL ✓", where there is no room for more
  std::string reason;   // what is wrong where the device fails, or is too far from the reference; else empty
  std::string tooltip;  // the notes about the device, and what the distance means
};

// `timeless` leaves the compute time out. `peak`: measured, in operations a second; 0: nothing is said of it.
Badge badge_of(const EngineState& engine, bool timeless, double peak = 0);

// What its pill is drawn with.
struct BadgeInk {
  ImU32 fill, border, text;
};
BadgeInk badge_ink(const Theme& theme, Badge::Health health, bool hovered);
// " ✓", " !", " ✗", or nothing; and its colour.
std::string health_mark(Badge::Health health);
ImU32 health_colour(const Theme& theme, Badge::Health health);

// "0.31 ms", "42 µs", "1.3 s": two digits.
std::string write_seconds(double seconds);

// One digit, rounded up, so that "≤" is true: 2.1e-8 is "3e−8".
std::string write_bound(double distance);

}  // namespace attn
