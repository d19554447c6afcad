// A stack of PyTorch's names.
#include "core/io/stack_npz.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/graph/limits.h"
#include "core/operations/embedding.h"
#include "core/system/error.h"
#include "core/text/code_points.h"
#include "core/text/text.h"

namespace attn {
namespace {

// What nn.TransformerEncoder's own state_dict begins with.
constexpr const char* kBareFirst = "layers.0.self_attn.in_proj_weight";

std::string shape_words(const std::vector<std::size_t>& shape) {
  std::string text;
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : "×") + std::to_string(shape[i]);
  return text.empty() ? "a number" : text;
}

Tensor matrix_of(const std::string& name, const Array& array, const std::string& wanted) {
  std::vector<std::size_t> shape = array.shape;
  if (shape.size() == 3 && shape[0] == 1) shape.erase(shape.begin());
  if (shape.size() != 2) throw Error(name + " is " + shape_words(array.shape) + ": give " + wanted);
  const auto numbers = array.numbers();
  return {{1, shape[0], shape[1]}, std::vector<float>(numbers.begin(), numbers.end())};
}

// Its rows are cut into equal parts, one below the other.
std::vector<Tensor> parts_of(const std::string& name, const Array& array, std::size_t count,
                             ParameterKind kind) {
  if (kind == ParameterKind::rows)
    return {matrix_of(name, array, "a row of features for each symbol or position")};
  const bool weight = kind == ParameterKind::weight;
  const std::size_t axes = weight ? 2 : 1;
  if (array.shape.size() != axes || array.shape[0] % count != 0 || array.shape[0] == 0)
    throw Error(name + " is " + shape_words(array.shape) + ": PyTorch has it " +
                (weight ? "out×in" : "as one number for each feature") +
                (count > 1 ? ", queries, keys and values one below the other" : ""));
  const std::size_t out = array.shape[0] / count, in = weight ? array.shape[1] : 1;
  const auto numbers = array.numbers();
  std::vector<Tensor> parts;
  for (std::size_t part = 0; part < count; ++part) {
    std::vector<float> values(out * in);
    for (std::size_t i = 0; i < out; ++i)
      for (std::size_t j = 0; j < in; ++j) values[j * out + i] = numbers[(part * out + i) * in + j];
    parts.emplace_back(Shape{1, in, out}, std::move(values));
  }
  return parts;
}

// Whether there are arrays whose names begin so.
bool has_any(const NamedArrays& arrays, const std::string& prefix) {
  const auto found = arrays.lower_bound(prefix);
  return found != arrays.end() && found->first.starts_with(prefix);
}

// What goes in: rows of features, or ids where there is an embedding.
void take_input(NamedArrays& arrays, const std::string& name, const StackSpec& stack, StackSide& side) {
  const auto found = arrays.find(name);
  if (found == arrays.end()) return;
  const Array array = std::move(found->second);
  arrays.erase(found);
  if (array.shape.size() != 1 || stack.embedding.empty()) {
    side.x = matrix_of(name, array, "a row of features for each token");
    return;
  }
  const auto ids = array.numbers();
  for (const float id : ids)
    if (!embedded_row(static_cast<double>(id), stack.embedding.rows()))
      throw Error(name + " has the id " + shortest(id) + ": the embedding's rows are 0 to " +
                  std::to_string(stack.embedding.rows() - 1));
  side.ids = Tensor({1, array.shape[0], 1}, std::vector<float>(ids.begin(), ids.end()));
  for (const float id : ids)
    if (!stack.symbols.empty()) side.tokens.push_back(stack.symbols[static_cast<std::size_t>(id)]);
}

// Halves of UTF-16's pairs are none.
bool is_character(float point) {
  return point >= 0 && point <= 0x10FFFF && point == std::floor(point) && (point < 0xD800 || point > 0xDFFF);
}

// What has no picture of its own is named: 2, which starts a text, the ends of lines, others by their number.
std::string symbol_of(char32_t code) {
  if (code == 2) return kStartSymbol;
  if (code == U'\n') return "‹nl›";
  if (code == U'\t') return "‹tab›";
  return code < U' ' || code == 127 ? "‹" + std::to_string(code) + "›" : utf8_text(code);
}

// The characters of an array of code points, as many as the stack has symbols.
Labels symbols_of(const Array& array, const StackSpec& stack) {
  Labels symbols;
  const auto points = array.numbers();
  for (const float point : points) {
    if (!is_character(point))
      throw Error("symbols has " + shortest(point) + ": give the code point of a character for each symbol");
    symbols.push_back(symbol_of(static_cast<char32_t>(point)));
  }
  const std::size_t count = stack.embedding.empty() ? stack.head.columns() : stack.embedding.rows();
  if (count == 0)
    throw Error(
        "symbols is there, and what it names the rows of is missing: give embedding.weight or "
        "head.weight");
  if (symbols.size() != count)
    throw Error("symbols has " + std::to_string(symbols.size()) + " code points, and " +
                (stack.embedding.empty() ? "head" : "embedding") + ".weight " + std::to_string(count) +
                " rows: give one for each");
  return symbols;
}

// Whether a layer of either side has what `has` asks for.
template <class Has>
bool any_block(const StackSpec& stack, const Has& has) {
  return std::ranges::any_of(stack.encoder.blocks, has) || std::ranges::any_of(stack.decoder.blocks, has);
}

// The blocks that there are names of, as empty as they come.
void count_blocks(const NamedArrays& arrays, const std::string& name, StackSide& side) {
  for (std::size_t i = 0;; ++i) {
    const std::string layer = name + ".layers." + std::to_string(i) + ".";
    if (!has_any(arrays, layer)) return;
    if (i == kMostBlocks)
      throw Error("the " + name + " has more than " + std::to_string(kMostBlocks) + " layers");
    StackBlock block;
    if (has_any(arrays, layer + "multihead_attn.")) block.cross.emplace();
    side.blocks.push_back(std::move(block));
  }
}

void check_block(const std::string& layer, const StackBlock& block, const StackWords& words) {
  const auto check_heads = [&](const LayerSpec& attention, const char* what) {
    if (attention.w_q.empty()) throw Error(layer + what + ".in_proj_weight is missing");
    if (attention.w_q.columns() % words.heads != 0)
      throw Error(std::to_string(words.heads) +
                  " heads don't divide d = " + std::to_string(attention.w_q.columns()) + " of " + layer +
                  what + ": " + nearest_heads(attention.w_q.columns(), words.heads));
  };
  check_heads(block.attention, ".self_attn");
  if (block.cross) check_heads(*block.cross, ".multihead_attn");
  if (block.inner.w.empty() != block.outer.w.empty())
    throw Error(layer + " has one of linear1.weight and linear2.weight: give both, or neither");
}

void complete_side(const std::string& name, StackSide& side, const StackWords& words,
                   const std::vector<MaskTerm>& masks) {
  side.normed = !side.norm.gain.empty();
  for (std::size_t i = 0; i < side.blocks.size(); ++i) {
    StackBlock& block = side.blocks[i];
    check_block(name + ".layers." + std::to_string(i), block, words);
    block.attention.heads = block.attention.kv_heads = words.heads;
    block.attention.masks = masks;
    if (!block.cross) continue;
    block.cross->heads = block.cross->kv_heads = words.heads;
    block.cross->masks = words.cross_masks;
  }
}

}  // namespace

bool names_first_layer(std::string_view array) {
  return array.starts_with("encoder.layers.0.") || array.starts_with("decoder.layers.0.") ||
         array == kBareFirst;
}

bool names_part_of_stack(std::string_view array) {
  static const std::set<std::string, std::less<>> kNames = [] {
    StackSpec all;
    all.encoder.blocks.resize(kMostBlocks), all.decoder.blocks.resize(kMostBlocks);
    for (StackBlock& block : all.decoder.blocks) block.cross.emplace();
    std::set<std::string, std::less<>> names{"x", "source", "target", "memory", "symbols"};
    for (const StackParameter& parameter : stack_parameters(all)) names.insert(parameter.name);
    return names;
  }();
  const bool bare = array.starts_with("layers.") || array.starts_with("norm.");
  return kNames.contains(array) || (bare && kNames.contains("decoder." + std::string(array)));
}

void name_side(NamedArrays& arrays) {
  if (!arrays.contains(kBareFirst) || has_any(arrays, "encoder.layers.0.") ||
      has_any(arrays, "decoder.layers.0."))
    return;
  const std::string side = has_any(arrays, "layers.0.multihead_attn.") ? "decoder." : "encoder.";
  NamedArrays named;
  for (auto& [name, array] : arrays) {
    const bool bare = name.starts_with("layers.") || name.starts_with("norm.");
    named[bare ? side + name : name] = std::move(array);
  }
  arrays = std::move(named);
}

StackSpec stack_of(NamedArrays arrays, const StackWords& words, NamedArrays* left_out) {
  name_side(arrays);
  StackSpec stack;
  stack.norm_at = words.norm_at, stack.norm_kind = words.norm_kind;
  stack.residual = words.residual, stack.activation = words.activation;
  count_blocks(arrays, "encoder", stack.encoder);
  count_blocks(arrays, "decoder", stack.decoder);
  const bool encodes = !stack.encoder.blocks.empty(), decodes = !stack.decoder.blocks.empty();
  if (!encodes && !decodes)
    throw Error("no parameter of a stack is there: names begin with encoder.layers.0. or decoder.layers.0.");
  stack.sides = encodes && decodes ? StackSides::both : encodes ? StackSides::encoder : StackSides::decoder;
  for (const StackParameter& parameter : stack_parameters(stack)) {
    const auto found = arrays.find(parameter.name);
    if (found == arrays.end()) continue;
    const std::vector<Tensor> parts =
        parts_of(parameter.name, found->second, parameter.parts.size(), parameter.kind);
    for (std::size_t i = 0; i < parts.size(); ++i) *parameter.parts[i] = parts[i];
    arrays.erase(found);
  }
  if (const auto points = arrays.find("symbols"); points != arrays.end())
    stack.symbols = symbols_of(points->second, stack), arrays.erase(points);
  stack.tied = !stack.embedding.empty() && stack.head.empty();
  if (encodes) take_input(arrays, decodes ? "source" : "x", stack, stack.encoder);
  if (decodes) take_input(arrays, encodes ? "target" : "x", stack, stack.decoder);
  if (const auto memory = arrays.find("memory"); memory != arrays.end() && !encodes)
    stack.memory = matrix_of("memory", memory->second, "a row of features for each key"),
    arrays.erase(memory);
  stack.swiglu = any_block(stack, [](const StackBlock& block) { return !block.gate.w.empty(); });
  if (!any_block(stack, [](const StackBlock& block) { return !block.norms.front().gain.empty(); }))
    stack.norm_at = NormAt::none;
  std::vector<MaskTerm> causal = encodes ? std::vector<MaskTerm>() : words.masks;
  causal.push_back({.rule = CausalRule{}});
  complete_side("encoder", stack.encoder, words, words.masks);
  complete_side("decoder", stack.decoder, words, causal);
  if (left_out)
    *left_out = std::move(arrays);
  else if (!arrays.empty())
    throw Error("a stack has no use for " + arrays.begin()->first);
  return stack;
}

}  // namespace attn
