// Measurements as text: how they are kept, and what a damaged file is taken for.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/measure/measured.h"

namespace attn {

// JSON: {"form": 1, "measured": […]}, of each `device` {name, version, program}, `shape` {d, heads, kv_heads,
// feed_forward}, `operations_per_second`, `bytes_per_second`, `points` [{subject, n, operations, bytes,
// seconds}], `stages_n`, `stages` [{name, title, operations, bytes, seconds}], `not_measured` [{subject, n,
// why}], `state`, `why`. What was measured is a list of all its samples.
std::string write_measured(std::span<const Measured> all);

// All or nothing: a file that is damaged, or was made to do harm, is none. Throws Error(Fault::input) with
// the reason.
std::vector<Measured> read_measured(std::string_view text);

inline constexpr std::size_t kMostMeasured = 16;            // of one file
inline constexpr std::size_t kMostMeasuredBytes = 1 << 20;  // of its text

}  // namespace attn
