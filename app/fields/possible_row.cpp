// Stepping over what is not possible, and refusing it where it is typed.
#include "app/fields/possible_row.h"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

std::vector<std::size_t> fixes_near(const NextPossible& next, std::size_t wanted) {
  std::vector<std::size_t> fixes;
  if (const std::size_t below = next(wanted, -1)) fixes.push_back(below);
  if (const std::size_t above = next(wanted + 1, 1)) fixes.push_back(above);
  return fixes;
}

}  // namespace

NextPossible among(std::vector<std::size_t> ascending) {
  return [possible = std::move(ascending)](std::size_t from, int direction) -> std::size_t {
    if (direction > 0) {
      const auto found = std::ranges::lower_bound(possible, from);
      return found == possible.end() ? 0 : *found;
    }
    const auto found = std::ranges::upper_bound(possible, from);
    return found == possible.begin() ? 0 : *std::prev(found);
  };
}

NextPossible multiples_of(std::size_t step, std::size_t most) {
  return [step, most](std::size_t from, int direction) -> std::size_t {
    const std::size_t found = (direction > 0 ? (from + step - 1) / step : from / step) * step;
    return found <= most ? found : 0;
  };
}

void use_possible(View& view, const std::string& id, const NextPossible& next, std::size_t wanted,
                  const std::function<void(std::size_t)>& use) {
  attempt_in_row(view, {.row = id, .fixes = [&] { return fixes_near(next, wanted); }}, [&] { use(wanted); });
}

void possible_row(Frame& frame, Column column, const FieldRow& row, const CountBox& box,
                  const NextPossible& next, const std::function<void(std::size_t)>& use) {
  if (const auto wanted = count_row(frame, column, row, box)) {
    const std::size_t stepped = wanted->direction == 0 ? 0 : next(wanted->value, wanted->direction);
    use_possible(frame.view, row.id, next, stepped == 0 ? wanted->value : stepped, use);
  }
  if (const auto fix = refusal(frame, column, row.id)) use_possible(frame.view, row.id, next, *fix, use);
}

}  // namespace attn
