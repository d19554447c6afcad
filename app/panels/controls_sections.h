// The sections of the controls, top to bottom. Each draws at the cursor and changes the draft.
#pragma once

#include "app/panels/controls_fields.h"

namespace attn {

void draw_layer_controls(Frame& frame, Column column);
void draw_head_counts(Frame& frame, Column column);  // inside the layer section
void draw_mask_controls(Frame& frame, Column column);
void draw_position_controls(Frame& frame, Column column);
void draw_dropout_controls(Frame& frame, Column column);
void draw_head_controls(Frame& frame, Column column);
void draw_example_controls(Frame& frame, Column column);

}  // namespace attn
