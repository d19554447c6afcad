// Whether a lesson says the same in another language.
#pragma once

#include <string>
#include <vector>

#include "core/lesson/lesson.h"

namespace attn {

// Texts that nobody translated, and those whose numbers, or the marks ① beside them, are others than
// the English text's; they may come in another order.
std::vector<std::string> check_translation(const Lesson& english, const Lesson& translated);

}  // namespace attn
