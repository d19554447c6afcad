// Documents for the tests of edits.
#pragma once

#include <string>

#include "core/edits/edit.h"
#include "core/system/error.h"
#include "tests/random_layer.h"

namespace attn::tests {

inline Tensor counting(Shape shape) {
  std::vector<float> values(shape.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  return {shape, std::move(values)};
}

inline Document direct_document(std::size_t n, std::size_t m) {
  Document document;
  document.layer().direct = true;
  document.layer().q = counting({2, n, 2});
  document.layer().k = counting({1, m, 2});
  document.layer().v = counting({1, m, 3});
  return document;
}

inline Document projected_document() {
  Document document;
  LayerSpec& layer = document.layer();
  layer.x = counting({1, 3, 4});
  layer.w_q = layer.w_k = layer.w_v = layer.w_o = counting({1, 4, 4});
  layer.heads = layer.kv_heads = 2;
  layer.tokens = {"a", "b", "c"};
  return document;
}

inline std::string message_of(auto&& edit) {
  try {
    edit();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

inline Document random_document(Random& random) {
  Document document;
  for (;;) {
    document.layer() = random_layer(random);
    LayerSpec& layer = document.layer();
    if (coin(random) && layer.tokens.empty())
      for (std::size_t i = 0; i < query_count(layer); ++i) layer.tokens.push_back("t" + std::to_string(i));
    const Graph graph = build_graph(layer);
    for (int i = 0; i < 4; ++i) {
      const Stage& stage = graph.stages[pick(random, 0, graph.stages.size() - 1)];
      if (input_tensor(document, stage.id)) continue;
      const Shape s = stage.shape;
      set_number(document, stage.id,
                 {pick(random, 0, s.stack - 1), pick(random, 0, s.rows - 1), pick(random, 0, s.columns - 1)},
                 1);
    }
    return document;
  }
}

}  // namespace attn::tests
