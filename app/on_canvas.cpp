#include "app/on_canvas.h"

#include <algorithm>

namespace attn {

bool is_softmax_step(std::string_view stage) {
  return std::ranges::count(kSoftmaxSteps, stage) > 0;
}

void show_stage(View& view, const std::string& stage) {
  view.open_softmax |= is_softmax_step(stage);
  view.show_parameters |= std::ranges::count(kParameters, stage) > 0;
  view.reveal = stage;
}

}  // namespace attn
