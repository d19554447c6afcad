// The engine's own jobs by name and urgency. Private to core/engine.
#pragma once

namespace attn {

// The engine's own jobs, the most urgent first; others come after them.
enum Priority { kDevice, kEvaluate, kSurvey, kCheck, kPieces, kCompare, kOthers };

inline constexpr const char* kRestJob = "rest";

}  // namespace attn
