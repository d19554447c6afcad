#include <algorithm>

#include "core/attention/words.h"
#include "core/history.h"
#include "core/text.h"

namespace attn {
namespace {

std::string cell_name(const Tensor& tensor, Cell c) {
  std::string text = "[" + std::to_string(c.row) + ", " + std::to_string(c.column) + "]";
  return tensor.stack() > 1 ? "[" + std::to_string(c.head) + "]" + text : text;
}

Cell cell_at(const Shape& shape, std::size_t index) {
  return {index / (shape.rows * shape.columns), index / shape.columns % shape.rows, index % shape.columns};
}

std::string describe_tensor(const char* name, const Tensor& before, const Tensor& after) {
  if (before == after) return {};
  const std::string title = name;
  if (before.empty()) return "add " + title;
  if (after.empty()) return "remove " + title;
  if (before.shape() != after.shape()) return "resize " + title + " to " + to_string(after.shape());
  std::size_t count = 0, where = 0;
  for (std::size_t i = 0; i < after.values().size(); ++i)
    if (std::memcmp(&before.values()[i], &after.values()[i], sizeof(float)) != 0) {
      ++count;
      where = i;
    }
  if (count > 1) return "edit " + std::to_string(count) + " numbers of " + title;
  const Cell cell = cell_at(after.shape(), where);
  return title + cell_name(after, cell) + " = " + shortest(after[cell]);
}

std::string describe_tokens(const Labels& before, const Labels& after) {
  if (before == after) return {};
  if (after.size() > before.size()) return "add token";
  if (after.size() < before.size()) return "remove token";
  Labels a = before, b = after;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b ? "reorder tokens" : "rename token";
}

std::string number(double value) {
  return shortest(static_cast<float>(value));
}

std::string describe_scale(const LayerSpec& b, const LayerSpec& a) {
  if (b.temperature != a.temperature) return "temperature " + number(a.temperature);
  if (b.scale_mode == a.scale_mode && b.scale_number == a.scale_number) return {};
  if (a.scale_mode == ScaleMode::number) return "scale " + number(a.scale_number);
  return a.scale_mode == ScaleMode::sqrt ? "scale 1/√d_k" : "scale off";
}

std::string describe_mask(const LayerSpec& b, const LayerSpec& a) {
  if (b.causal != a.causal)
    return a.causal ? "causal mask, " + std::string(word_of(kAlignWords, *a.causal)) : "causal mask off";
  if (b.padding != a.padding) return a.padding.empty() ? "padding mask off" : "padding mask";
  if (b.fill != a.fill) return "fill " + std::string(word_of(kFillWords, a.fill));
  if (b.empty_row != a.empty_row)
    return "row with no key: " + std::string(word_of(kEmptyRowWords, a.empty_row));
  return describe_tensor("painted mask", b.mask, a.mask);
}

std::string describe_heads(const LayerSpec& b, const LayerSpec& a) {
  if (b.heads != a.heads) return "heads " + std::to_string(a.heads);
  if (b.kv_heads != a.kv_heads) return "key/value heads " + std::to_string(a.kv_heads);
  return b.muted_heads == a.muted_heads ? "" : "switch heads";
}

std::string describe_rest(const LayerSpec& b, const LayerSpec& a) {
  if (b.sinusoidal_base != a.sinusoidal_base)
    return a.sinusoidal_base ? "sinusoidal position, base " + number(*a.sinusoidal_base)
                             : "position encoding off";
  if (b.dropout != a.dropout) return "dropout " + number(a.dropout);
  if (b.dropout_seed != a.dropout_seed) return "dropout seed " + std::to_string(a.dropout_seed);
  if (a.overrides.size() > b.overrides.size()) return "override " + a.overrides.back().stage;
  if (a.overrides.size() < b.overrides.size()) return "remove override";
  if (b.overrides != a.overrides) return "change override";
  return b.direct == a.direct ? "" : a.direct ? "Q, K, V given" : "Q, K, V projected";
}

}  // namespace

std::string describe(const Document& before, const Document& after) {
  const LayerSpec &b = before.layer, &a = after.layer;
  // Whole-layer changes first: they bring changed tensors with them.
  for (std::string text : {describe_tokens(b.tokens, a.tokens), describe_heads(b, a)})
    if (!text.empty()) return text;
  struct Named {
    const char* name;
    Tensor LayerSpec::*tensor;
  };
  for (const auto& [name, tensor] : {Named{"x", &LayerSpec::x},
                                     {"memory", &LayerSpec::memory},
                                     {"w_q", &LayerSpec::w_q},
                                     {"w_k", &LayerSpec::w_k},
                                     {"w_v", &LayerSpec::w_v},
                                     {"w_o", &LayerSpec::w_o},
                                     {"b_q", &LayerSpec::b_q},
                                     {"b_k", &LayerSpec::b_k},
                                     {"b_v", &LayerSpec::b_v},
                                     {"b_o", &LayerSpec::b_o},
                                     {"q", &LayerSpec::q},
                                     {"k", &LayerSpec::k},
                                     {"v", &LayerSpec::v},
                                     {"bias", &LayerSpec::bias}})
    if (std::string text = describe_tensor(name, b.*tensor, a.*tensor); !text.empty()) return text;
  for (std::string text : {describe_scale(b, a), describe_mask(b, a), describe_rest(b, a)})
    if (!text.empty()) return text;
  return "edit";
}

}  // namespace attn
