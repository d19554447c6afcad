// Sets of mistakes and their errors in words.
#include <algorithm>
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "app/workspaces/compare/check_shown.h"

namespace attn {

const Tried* find_tried(const Diagnosis& found, std::span<const std::string> words) {
  if (words.empty()) return nullptr;
  for (const auto* sets : {&found.singles, &found.together})
    for (const Tried& tried : *sets)
      if (std::ranges::equal(tried.words, words)) return &tried;
  return nullptr;
}

bool has_mistake(const Tried& tried, std::string_view word) {
  return std::ranges::find(tried.words, word) != tried.words.end();
}

std::string error_text(double value) {
  if (!std::isfinite(value)) return inspector::write(value);
  if (value == 0) return "0";
  if (value < 1e-3 || value >= 1e4) return inspector::write(value, {0, true});
  return inspector::write(value, {value < 0.01  ? 4
                                  : value < 1   ? 3
                                  : value < 10  ? 2
                                  : value < 100 ? 1
                                                : 0,
                                  false});
}

}  // namespace attn
