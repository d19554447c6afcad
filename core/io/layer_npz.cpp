// Arrays of a file as the tensors of a layer; every array that does not fit is named.
#include "core/io/layer_npz.h"

#include <algorithm>
#include <array>

#include "core/attention/layer_fields.h"
#include "core/io/batch.h"
#include "core/io/npz.h"
#include "core/system/error.h"
#include "core/text/bytes.h"
#include "core/text/text.h"

namespace attn {
namespace {

using Arrays = NamedArrays;

constexpr const char *kBias = "bias", *kOwnBias = "user_bias", *kBiased = "biased",
                     *kDropped = "dropout_mask";

// The tensors of a layer are named as a session names them.
std::vector<std::string> names_of_tensors() {
  std::vector<std::string> names;
  visit_fields(of<LayerSpec>, [&](const auto& field, auto) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, TensorField>)
      names.emplace_back(field.text.key);
  });
  return names;
}

const std::vector<std::string> kParameters{"score_w", "score_w_q", "score_w_k", "score_v",
                                           "local_w", "local_v",   kOwnBias,    kDropped};

constexpr const char* kMask = kTruthArray.data();

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error("the array " + name + " " + why);
}

// Of computed stages the bias is the position's and the layer's own together: what its options make is taken
// out of it.
void leave_position_out(Arrays& arrays, Arrays& left_out) {
  if (!arrays.contains(kBiased)) return;
  if (auto bias = arrays.extract(kBias)) left_out.insert(std::move(bias));
  if (auto own = arrays.extract(kOwnBias)) {
    own.key() = kBias;
    arrays.insert(std::move(own));
  }
}

// What is not known is taken out and named; without `left_out` it is refused.
void check_names(Arrays& arrays, Arrays* left_out) {
  const std::vector<std::string> names = names_of_tensors();
  for (auto it = arrays.begin(); it != arrays.end();) {
    const std::string& name = it->first;
    if (std::ranges::find(names, name) != names.end()) {
      ++it;
      continue;
    }
    if (left_out) {
      left_out->insert(arrays.extract(it++));
      continue;
    }
    const std::string near = nearest_word(name, names);
    refuse(in_quotes(name), near.empty()
                                ? "is not known: a layer has q, k, v, or x, memory, w_q, w_k, w_v, w_o, b_q, "
                                  "b_k, b_v, b_o, and mask, bias and dropout_mask, and score_w, score_w_q, "
                                  "score_w_k, score_v, local_w, local_v"
                                : "is not known: did you mean " + near + "?");
  }
}

// The array as 1×c, r×c or h×r×c, where `ranks` says which are welcome ("23"), in a batch of one or in none;
// empty when there is none.
Tensor tensor(Arrays& arrays, const std::string& name, std::string_view ranks, const char* wanted) {
  const auto found = arrays.find(name);
  if (found == arrays.end()) return {};
  take_batch_away(found->second, static_cast<std::size_t>(ranks.back() - '0'), "the array " + name);
  Array& array = found->second;
  const auto& sizes = array.shape;
  // More dimensions than a digit says are 9, which nobody welcomes.
  if (ranks.find(static_cast<char>('0' + std::min<std::size_t>(sizes.size(), 9))) == std::string_view::npos)
    refuse(name, "has the shape " + shape_text(sizes) + ": expected " + wanted);
  if (array.numbers().empty())
    refuse(name, "is empty (" + shape_text(sizes) + "): leave it out or give it numbers");
  Shape shape{1, 1, sizes.back()};
  if (sizes.size() > 1) shape.rows = sizes[sizes.size() - 2];
  if (sizes.size() > 2) shape.stack = sizes[0];
  if (array.keeper) return {shape, array.mapped, std::move(array.keeper), std::move(array.origin)};
  return {shape, std::move(array.values), std::move(array.origin)};
}

Tensor matrix(Arrays& arrays, const std::string& name) {
  return tensor(arrays, name, "2", "two dimensions, rows×columns");
}

Tensor heads(Arrays& arrays, const std::string& name) {
  return tensor(arrays, name, "23", "rows×columns or heads×rows×columns");
}

Tensor boolean(Arrays& arrays, const std::string& name) {
  if (const auto found = arrays.find(name); found != arrays.end())
    for (float& value : found->second.values) value = value != 0 ? 1.0f : 0.0f;
  return heads(arrays, name);
}

void need(const Arrays& arrays, std::initializer_list<const char*> names, const char* because_of) {
  for (const char* name : names)
    if (!arrays.contains(name))
      throw Error(std::string("the array ") + name + " is missing: with " + because_of + " it is needed");
}

void refuse_with(const Arrays& arrays, std::initializer_list<const char*> names, const char* other) {
  for (const char* name : names)
    if (arrays.contains(name))
      refuse(name, std::string("does not go with ") + other +
                       ": a layer has either q, k, v, or x with its projections");
}

// `a` has `a_size` of something that `b` needs as many of.
void same(const std::string& a, std::size_t a_size, const char* a_what, const std::string& b,
          std::size_t b_size, const char* b_what) {
  if (a_size != b_size)
    refuse(a, "has " + std::to_string(a_size) + " " + a_what + ", but " + b + " has " +
                  std::to_string(b_size) + " " + b_what + ": give both the same number");
}

void read_direct(Arrays& arrays, LayerSpec& layer) {
  need(arrays, {"q", "k", "v"}, "q, k or v");
  layer.direct = true;
  layer.q = heads(arrays, "q");
  layer.k = heads(arrays, "k");
  layer.v = heads(arrays, "v");
  same("k", layer.k.rows(), "rows", "v", layer.v.rows(), "rows");
  // One matrix may hold heads side by side, which options tell apart, as they tell whether queries and keys
  // may differ in width: build_graph checks those.
  const bool q_flat = layer.q.stack() == 1, k_flat = layer.k.stack() == 1, v_flat = layer.v.stack() == 1;
  if (!k_flat && !v_flat) same("k", layer.k.stack(), "heads", "v", layer.v.stack(), "heads");
  if (q_flat || k_flat) return;
  if (layer.q.stack() % layer.k.stack() != 0)
    refuse("k", "has " + std::to_string(layer.k.stack()) + " heads, which don't divide the " +
                    std::to_string(layer.q.stack()) + " heads of q");
}

void check_bias(const std::string& name, const Tensor& b, const std::string& w_name, const Tensor& w) {
  if (b.empty()) return;
  if (b.rows() != 1)
    refuse(name,
           "has " + std::to_string(b.rows()) + " rows: expected one number for each column of " + w_name);
  same(name, b.columns(), "numbers", w_name, w.columns(), "columns");
}

void read_projected(Arrays& arrays, LayerSpec& layer) {
  need(arrays, {"x", "w_q", "w_k", "w_v"}, "x");
  if (arrays.contains("b_o")) need(arrays, {"w_o"}, "b_o");
  layer.x = matrix(arrays, "x");
  layer.memory = matrix(arrays, "memory");
  const char* bias_shape = "one number for each column of its projection";
  struct Projection {
    char letter;
    Tensor &w, &b;
  };
  for (auto& [letter, w, b] :
       {Projection{'q', layer.w_q, layer.b_q}, Projection{'k', layer.w_k, layer.b_k},
        Projection{'v', layer.w_v, layer.b_v}, Projection{'o', layer.w_o, layer.b_o}}) {
    const std::string w_name = std::string("w_") + letter, b_name = std::string("b_") + letter;
    w = matrix(arrays, w_name);
    b = tensor(arrays, b_name, "12", bias_shape);
    check_bias(b_name, b, w_name, w);
  }
  const bool cross = !layer.memory.empty();
  const Tensor& source = cross ? layer.memory : layer.x;
  const char* source_name = cross ? "memory" : "x";
  same("w_q", layer.w_q.rows(), "rows", "x", layer.x.columns(), "columns");
  same("w_k", layer.w_k.rows(), "rows", source_name, source.columns(), "columns");
  same("w_v", layer.w_v.rows(), "rows", source_name, source.columns(), "columns");
}

// Masks and bias are n×m, one for all heads or one for each.
void check_pairs(const LayerSpec& layer, const Tensor& pairs, const char* name) {
  if (pairs.empty()) return;
  const std::size_t n = query_count(layer), m = key_count(layer), h = head_count(layer);
  if (pairs.rows() != n || pairs.columns() != m)
    refuse(name, "is " + to_string(pairs.shape()) + ": expected " + std::to_string(n) +
                     " rows (queries) and " + std::to_string(m) + " columns (keys)");
  // Heads of a projected layer, or side by side in one q, are not known before the options: build_graph
  // checks those.
  if (layer.direct && h > 1 && pairs.stack() != 1 && pairs.stack() != h)
    refuse(name, "has " + std::to_string(pairs.stack()) + " matrices: expected 1, or " + std::to_string(h) +
                     " (one for each head)");
}

bool hold(const Arrays& arrays, std::initializer_list<const char*> names) {
  return std::ranges::all_of(names, [&](const char* name) { return arrays.contains(name); });
}

// Stages of a projected layer have the x that q, k and v were made from, and no projection; a projected layer
// with its results has the q, k and v that it came to.
void leave_stages_out(Arrays& arrays, Arrays& left_out) {
  const auto leave = [&](std::initializer_list<const char*> names) {
    for (const char* name : names)
      if (const auto found = arrays.find(name); found != arrays.end()) left_out.insert(arrays.extract(found));
  };
  if (hold(arrays, {"x", "w_q", "w_k", "w_v"})) return leave({"q", "k", "v"});
  if (!hold(arrays, {"q", "k", "v"})) return;
  if (!arrays.contains("w_q") && !arrays.contains("w_k") && !arrays.contains("w_v")) leave({"x", "memory"});
}

}  // namespace

bool hold_layer(const Arrays& arrays) {
  return hold(arrays, {"x", "w_q", "w_k", "w_v"}) || hold(arrays, {"q", "k", "v"});
}

bool hold_results(const Arrays& arrays) {
  constexpr std::array kComputed{"scores", "scaled", "masked", "weights", "head_output", "concat", "output"};
  const auto first_gradient = arrays.lower_bound("d_");
  if (first_gradient != arrays.end() && first_gradient->first.starts_with("d_")) return true;
  return std::ranges::any_of(kComputed, [&](const char* id) { return arrays.contains(id); });
}

bool is_read_with_qkv(std::string_view name) {
  return std::ranges::find(kParameters, name) != kParameters.end();
}

LayerSpec layer_from_arrays(Arrays arrays, Arrays* left_out) {
  if (left_out) leave_position_out(arrays, *left_out);
  check_names(arrays, left_out);
  LayerSpec layer;
  if (left_out) leave_stages_out(arrays, *left_out);
  if (arrays.contains("q") || arrays.contains("k") || arrays.contains("v")) {
    refuse_with(arrays, {"x", "memory", "w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o"}, "q, k, v");
    read_direct(arrays, layer);
  } else if (arrays.contains("x")) {
    read_projected(arrays, layer);
  } else {
    throw Error("there is neither x nor q, k and v: a layer needs x with w_q, w_k, w_v, or q, k and v");
  }
  layer.mask = boolean(arrays, kMask);
  layer.bias = heads(arrays, kBias);
  check_pairs(layer, layer.mask, kMask);
  layer.dropout_mask = heads(arrays, kDropped);
  check_pairs(layer, layer.bias, kBias);
  check_pairs(layer, layer.dropout_mask, kDropped);
  layer.score_w = matrix(arrays, "score_w");
  layer.score_w_q = matrix(arrays, "score_w_q");
  layer.score_w_k = matrix(arrays, "score_w_k");
  layer.score_v = tensor(arrays, "score_v", "12", "one number for each hidden feature");
  layer.local_w = matrix(arrays, "local_w");
  layer.local_v = tensor(arrays, "local_v", "12", "one number for each hidden feature");
  return layer;
}

LayerSpec parse_layer_npz(Bytes bytes, Arrays* left_out, const ArraySource& source) {
  return layer_from_arrays(parse_npz<float>(bytes, kTruthArray, source), left_out);
}

}  // namespace attn
