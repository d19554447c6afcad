// Which operation takes columns.
#include "core/operations/taken_columns.h"

namespace attn {

std::optional<std::size_t> first_taken(const Operation& operation) {
  const auto* taken = std::get_if<TakeColumns>(&operation);
  return taken ? std::optional(taken->first) : std::nullopt;
}

}  // namespace attn
