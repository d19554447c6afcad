// What the row of the Pipeline is made of.
#pragma once

#include <vector>

#include "app/fields/fields.h"

namespace attn {

void draw_pipeline_controls(Frame& frame, Column column);
void pipeline_commands(std::vector<Command>& table, const Desk& now);

}  // namespace attn
