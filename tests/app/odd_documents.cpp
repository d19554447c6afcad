// Made from the examples, or filled by a formula of the index: the same numbers on every machine.
#include "tests/app/odd_documents.h"

#include <limits>

#include "app/program/input.h"
#include "tests/layers.h"

namespace attn::tests {
namespace {

Tensor filled(Shape shape) {
  std::vector<float> values(shape.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>((i * 31) % 17) / 8 - 1;
  return {shape, std::move(values)};
}

}  // namespace

Document projected(std::size_t tokens, std::size_t width, std::size_t heads) {
  Document document;
  LayerSpec& layer = document.layer();
  layer.x = filled({1, tokens, width});
  layer.w_q = filled({1, width, width}), layer.w_k = filled({1, width, width});
  layer.w_v = filled({1, width, width}), layer.w_o = filled({1, width, width});
  layer.heads = layer.kv_heads = heads;
  return document;
}

Document with_nan() {
  Document document = read_document("the-cat-sat-on-mat");
  document.layer().x = with_value(document.layer().x, {0, 1, 1}, std::numeric_limits<float>::quiet_NaN());
  document.layer().x = with_value(document.layer().x, {0, 3, 2}, std::numeric_limits<float>::infinity());
  return document;
}

Document all_masked() {
  Document document = read_document("the-cat-sat-on-mat");
  set_padding(document.layer(), {0});
  return document;
}

Document cross() {
  Document document = projected(3, 4, 2);
  document.layer().memory = filled({1, 6, 4});
  document.layer().kv_heads = 1;
  document.layer().w_k = filled({1, 4, 2}), document.layer().w_v = filled({1, 4, 2});
  set_causal(document.layer(), CausalAlign::lower_right);
  document.layer().bias = filled({1, 3, 6});
  return document;
}

Document direct() {
  Document document;
  LayerSpec& layer = document.layer();
  layer.direct = true;
  layer.q = filled({2, 4, 3}), layer.k = filled({2, 5, 3}), layer.v = filled({2, 5, 2});
  layer.dropout = 0.3;
  return document;
}

Document long_names() {
  Document document = read_document("the-cat-sat-on-mat");
  for (std::string& label : document.layer().tokens) label = "an exceedingly long name of a token: " + label;
  return document;
}

std::vector<NamedDocument> all_documents() {
  std::vector<NamedDocument> all{{"one token", projected(1, 1, 1)},
                                 {"64 heads", projected(6, 64, 64)},
                                 {"300 tokens", projected(300, 16, 2)},
                                 {"NaN inside", with_nan()},
                                 {"all masked", all_masked()},
                                 {"cross-attention", cross()},
                                 {"direct", direct()},
                                 {"long names", long_names()}};
  for (const std::string& example : examples()) all.push_back({example, read_document(example)});
  return all;
}

}  // namespace attn::tests
