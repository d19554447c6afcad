// What a layer is made of: its sizes, its equality, and whether its parts belong together.
#include "core/attention/layer.h"

#include <cmath>

#include "core/attention/layer_fields.h"
#include "core/graph/limits.h"
#include "core/system/error.h"

namespace attn {

bool LayerSpec::operator==(const LayerSpec& other) const {
  return equal_fields(*this, other);
}

std::size_t head_count(const LayerSpec& layer) {
  return layer.direct ? layer.q.stack() : layer.heads;
}

std::size_t kv_head_count(const LayerSpec& layer) {
  return layer.direct ? layer.k.stack() : layer.kv_heads;
}

std::size_t query_count(const LayerSpec& layer) {
  return layer.direct ? layer.q.rows() : layer.x.rows();
}

std::size_t key_count(const LayerSpec& layer) {
  if (layer.direct) return layer.k.rows();
  return layer.memory.empty() ? layer.x.rows() : layer.memory.rows();
}

// Ascending: those up to the square root, then their partners on the way back.
std::vector<std::size_t> divisors(std::size_t width) {
  std::vector<std::size_t> low, high;
  for (std::size_t d = 1; d * d <= width; ++d) {
    if (width % d != 0) continue;
    low.push_back(d);
    if (d * d != width) high.push_back(width / d);
  }
  low.insert(low.end(), high.rbegin(), high.rend());
  return low;
}

std::string nearest_heads(std::size_t width, std::size_t heads) {
  std::size_t below = 0, above = 0;
  for (const std::size_t d : divisors(width)) {
    if (d <= heads) below = d;
    if (d > heads && d <= limits::kMostHeads && above == 0) above = d;
  }
  std::string text = "use " + std::to_string(below);
  if (above != 0) text += " or " + std::to_string(above);
  return text;
}

namespace {

void check_present(const Tensor& tensor, const char* name, const char* instead) {
  if (tensor.empty() || tensor.shape().size() == 0)
    throw Error(std::string(name) + " is missing or has no numbers: give " + instead);
}

void check_heads_divide(std::size_t heads, const char* what, const Tensor& w, const char* name) {
  if (heads == 0)
    throw Error(std::string("a layer has no ") + what + ": use from 1 to " +
                std::to_string(limits::kMostHeads));
  if (w.columns() % heads != 0)
    throw Error(std::to_string(heads) + " " + what + " don't divide the " + std::to_string(w.columns()) +
                " columns of " + name + ": " + nearest_heads(w.columns(), heads));
}

void check_projected(const LayerSpec& layer) {
  check_present(layer.w_q, "w_q", "a projection with as many rows as x has columns");
  check_present(layer.w_k, "w_k", "a projection with as many rows as x (or memory) has columns");
  check_present(layer.w_v, "w_v", "a projection with as many rows as x (or memory) has columns");
  check_heads_divide(layer.heads, "heads", layer.w_q, "w_q");
  check_heads_divide(layer.kv_heads, "key/value heads", layer.w_k, "w_k");
  check_heads_divide(layer.kv_heads, "key/value heads", layer.w_v, "w_v");
  const std::size_t q_width = layer.w_q.columns() / layer.heads;
  const std::size_t k_width = layer.w_k.columns() / layer.kv_heads;
  if (q_width != k_width && !scoring_text(layer.scoring).free_widths)
    throw Error(
        "queries are " + std::to_string(q_width) + " wide and keys " + std::to_string(k_width) +
        ": w_q has " + std::to_string(layer.w_q.columns()) + " columns for " + std::to_string(layer.heads) +
        " heads, w_k " + std::to_string(layer.w_k.columns()) + " for " + std::to_string(layer.kv_heads) +
        " key/value heads; the widths per head must be equal, except for scores by " + free_width_scorings());
}

void check_direct(const LayerSpec& layer) {
  check_present(layer.q, "q", "one row for each query");
  check_present(layer.k, "k", "one row for each key");
  check_present(layer.v, "v", "one row for each key");
  const Shape q = layer.q.shape(), k = layer.k.shape(), v = layer.v.shape();
  if (q.columns != k.columns && !scoring_text(layer.scoring).free_widths)
    throw Error("q is " + to_string(q) + " and k is " + to_string(k) +
                ": give both the same width, or score by " + free_width_scorings() +
                (q.stack == 1 || k.stack == 1
                     ? ", or split what holds several heads side by side (--heads, --kv-heads)"
                     : ""));
  if (k.rows != v.rows)
    throw Error("k is " + to_string(k) + " and v is " + to_string(v) + ": give both one row for each key");
  if (k.stack != v.stack)
    throw Error("k has " + std::to_string(k.stack) + " heads and v " + std::to_string(v.stack) +
                ": give both the same number");
}

void check_labels(const Labels& labels, std::size_t count, const char* what) {
  if (!labels.empty() && labels.size() != count)
    throw Error(std::to_string(labels.size()) + " " + what + " labels for " + std::to_string(count) + " " +
                what + " rows: give one label for each row, or none");
}

constexpr double kLeastCap = 1e-3;  // far from where a float of it would be 0

void check_numbers(const LayerSpec& layer) {
  if (!(layer.temperature >= 0) || !std::isfinite(layer.temperature))
    throw Error("the temperature must be 0 or more; 1 changes nothing");
  if (layer.scale.mode == ScaleMode::number && !std::isfinite(layer.scale.number))
    throw Error("the scale must be a finite number");
  if (layer.soft_cap != 0 && !(layer.soft_cap >= kLeastCap && layer.soft_cap <= layer_field::soft_cap.most))
    throw Error("the soft cap must be " + std::string(layer_field::soft_cap.takes));
  if (!(layer.sigma >= layer_field::sigma.least && layer.sigma <= layer_field::sigma.most))
    throw Error("σ must be " + std::string(layer_field::sigma.takes));
  if (!std::isfinite(layer.qk_gain)) throw Error("the gain must be a finite number");
  constexpr const CountField& reach = layer_field::local_reach;
  if (layer.local_reach < reach.least || layer.local_reach > reach.most)
    throw Error("D of local attention must be from " + std::to_string(reach.least) + " to " +
                std::to_string(reach.most));
}

}  // namespace

void check_layer(const LayerSpec& layer, std::optional<Shape> input) {
  if (layer.direct && input) throw Error("a layer whose Q, K and V are given has no input: use projections");
  if (!layer.direct && !input) check_present(layer.x, "x", "one row of features for each token");
  layer.direct ? check_direct(layer) : check_projected(layer);
  const std::size_t heads = head_count(layer), kv_heads = kv_head_count(layer);
  if (heads % kv_heads != 0)
    throw Error(std::to_string(kv_heads) + " key/value heads don't divide " + std::to_string(heads) +
                " heads: " + nearest_heads(heads, kv_heads));
  check_numbers(layer);
  check_labels(layer.tokens, input ? input->rows : query_count(layer), "token");
  const bool own_keys = layer.direct || !layer.memory.empty();
  if (own_keys) check_labels(layer.memory_tokens, key_count(layer), "memory token");
  for (const std::size_t head : layer.muted_heads)
    if (head >= heads)
      throw Error("head " + std::to_string(head) + " is switched off, but there are only " +
                  std::to_string(heads) + ": heads count from 0");
}

}  // namespace attn
