// What the parts of the softmax's graph share. Private to core/softmax.
#pragma once

#include "core/softmax/graph.h"

namespace attn {

struct SoftmaxBuilder {
  Graph& graph;
  const SoftmaxSpec& spec;
  SoftmaxPlaces places = {};
  Axis row = {}, keys = {}, one = {};
  Axis row_of_products{"row"}, key_of_products{"key"};
};

// Each a part of its own, from the tempered scores on or, for curves, from the scores as the softmax reads
// them.
void append_format(SoftmaxBuilder& b);
void append_curves(SoftmaxBuilder& b);
void append_products(SoftmaxBuilder& b);

}  // namespace attn
