// "Copy as": the matrix of the inspected number on the clipboard, as other programs write it.
#pragma once

#include <string>

#include "app/frame/view.h"
#include "core/evaluate/results.h"

namespace attn::inspector {

struct Flow;
void draw_copy_as(Flow& flow, const Results& results, const Spot& spot);

}  // namespace attn::inspector
