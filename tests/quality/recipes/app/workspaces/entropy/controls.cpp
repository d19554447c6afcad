// The controls of the workspace of entropy: its temperatures.
#include "app/fields/field_rows.h"
#include "app/fields/field_states.h"
#include "app/workspaces/entropy/row.h"
#include "core/entropy/fields.h"

namespace attn {

void draw_entropy_controls(Frame& frame, Column column) {
  const EntropySpec& spec = frame.draft.entropy;
  const std::string state =
      states({state_of(entropy_field::from, spec.from), state_of(entropy_field::to, spec.to)});
  if (foldable_section(frame, column, {.title = "Temperatures", .state = state, .open = true}))
    field_rows(frame, column, "entropy", frame.draft.entropy);
}

}  // namespace attn
