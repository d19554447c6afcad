// From one document to another as a lesson says it: by keys of the session and by cells.
#pragma once

#include <optional>
#include <vector>

#include "core/document/plan.h"
#include "core/lesson/lesson.h"

namespace attn {

// The sets that make `after` of `before`, bit for bit, in the workspace of that plan: proved by applying
// them. Cells where few numbers differ, else keys. None: sets cannot say it, or only at such length that
// nobody reads them; a session says it then.
std::optional<std::vector<LessonSet>> sets_between(const Document& before, const Document& after,
                                                   const Plan& plan);

}  // namespace attn
