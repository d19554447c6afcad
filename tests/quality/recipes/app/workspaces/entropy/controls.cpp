// The controls of the workspace of entropy: its temperatures.
#include "app/fields/field_rows.h"
#include "app/workspaces/entropy/row.h"
#include "core/entropy/fields.h"

namespace attn {

void draw_entropy_controls(Frame& frame, Column column) {
  section(frame, column, "Temperatures");
  field_rows(frame, column, "entropy", frame.draft.entropy);
}

}  // namespace attn
