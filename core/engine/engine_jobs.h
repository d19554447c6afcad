// The engine's own jobs by name and urgency. Private to core/engine.
#pragma once

namespace attn {

// The engine's own jobs, the most urgent first; others come after them.
enum Priority { kDevice, kEvaluate, kLook, kSurvey, kBands, kCheck, kPieces, kCompare, kOthers };

inline constexpr const char* kTooLarge =
    "not enough memory for a layer of this size: use fewer tokens or heads";

inline constexpr const char* kRestJob = "rest";
inline constexpr const char* kBandsJob = "rows";
inline constexpr const char* kLookJob = "look";
inline constexpr const char* kCheckJob = "check";

}  // namespace attn
