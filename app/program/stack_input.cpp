// A stack's arrays, each held against what the others are.
#include "app/program/stack_input.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <string_view>
#include <utility>

#include "app/program/array_input.h"
#include "core/document/limits.h"
#include "core/document/stack_plan.h"
#include "core/io/stack_npz.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr std::array kSides{"encoder", "decoder"};

std::string layer_of(const char* side, std::size_t block) {
  return std::string(side) + ".layers." + std::to_string(block) + ".";
}

std::string text_of(std::size_t rows, std::size_t columns) {
  return std::to_string(rows) + "×" + std::to_string(columns);
}

// An array of the file, in PyTorch's shape out×in; of several parts, one below the other.
struct Parameter {
  std::string name;
  const Tensor& part;
  std::size_t parts = 1;
};

void check_weight(const Parameter& array, std::size_t in, std::size_t out, const std::string& because) {
  const Tensor& w = array.part;
  if (w.empty()) throw Error(array.name + " is missing: give it " + text_of(array.parts * out, in));
  if (w.rows() != in || w.columns() != out)
    throw Error(array.name + " is " + text_of(array.parts * w.columns(), w.rows()) + ": " + because +
                ", so it has to be " + text_of(array.parts * out, in));
}

void check_row(const Parameter& array, std::size_t out, const std::string& because) {
  if (!array.part.empty() && array.part.columns() != out)
    throw Error(array.name + " has " + std::to_string(array.parts * array.part.columns()) +
                " numbers: " + because + ", so it has to have " + std::to_string(array.parts * out));
}

// What may be absent is absent in every layer, or in none.
void check_alike(const std::string& name, const std::string& first, const Tensor& part, const Tensor& like) {
  if (part.empty() != like.empty())
    throw Error((part.empty() ? name : first) + " is missing, and " + (part.empty() ? first : name) +
                " is there: give both or neither");
}

// A bias is added to what its weight makes.
void check_bias(const std::string& called, const Tensor& weight, const Tensor& bias) {
  if (weight.empty() && !bias.empty())
    throw Error(called + ".weight is missing, and " + called + ".bias is there: give both or neither");
}

// What the layers of both sides have or lack together, by the name of the first that has it; none: none has.
struct TogetherParts {
  std::string norm, gate;
};

TogetherParts parts_together(const StackSpec& stack) {
  TogetherParts found;
  const auto see = [](std::string& name, const std::string& at, const Tensor& part) {
    if (name.empty() && !part.empty()) name = at + ".weight";
  };
  for (const bool decoder : {false, true}) {
    const auto& blocks = (decoder ? stack.decoder : stack.encoder).blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const std::string layer = layer_of(kSides[decoder ? 1 : 0], i);
      for (std::size_t norm = 0; norm < kBoxes; ++norm)
        see(found.norm, layer + "norm" + std::to_string(norm + 1), blocks[i].norms[norm].gain);
      see(found.gate, layer + "gate", blocks[i].gate.w);
    }
  }
  return found;
}

struct BlockCheck {
  const char* side;
  std::size_t number, width;
  const StackBlock& block;
  const StackBlock& first;
  const TogetherParts& together;

  std::string because() const { return "d is " + std::to_string(width); }
  std::string name(const std::string& rest) const { return layer_of(side, number) + rest; }
  void alike(const std::string& rest, const Tensor& part, const Tensor& like) const {
    check_alike(name(rest), layer_of(side, 0) + rest, part, like);
  }

  void of_attention(const std::string& called, const LayerSpec& attention, const LayerSpec& like) const {
    check_weight({name(called + ".in_proj_weight"), attention.w_q, 3}, width, width, because());
    check_weight({name(called + ".out_proj.weight"), attention.w_o}, width, width, because());
    check_row({name(called + ".in_proj_bias"), attention.b_q, 3}, width, because());
    check_row({name(called + ".out_proj.bias"), attention.b_o}, width, because());
    alike(called + ".in_proj_bias", attention.b_q, like.b_q);
    alike(called + ".out_proj.bias", attention.b_o, like.b_o);
  }
  void of_matrix(const std::string& called, const Affine& affine, const Affine& like, std::size_t in,
                 std::size_t out, const std::string& why) const {
    check_bias(name(called), affine.w, affine.b);
    alike(called + ".weight", affine.w, like.w);
    alike(called + ".bias", affine.b, like.b);
    if (affine.w.empty()) return;
    check_weight({name(called + ".weight"), affine.w}, in, out, why);
    check_row({name(called + ".bias"), affine.b}, out, why);
  }
  // One for each box, in every layer or in none: nobody invents a gain, and none lies idle.
  void of_norms() const {
    const std::size_t boxes =
        1 + std::size_t{block.cross.has_value()} + std::size_t{block.has(StackBox::feed_forward)};
    for (std::size_t i = 0; i < block.norms.size(); ++i) {
      const std::string called = "norm" + std::to_string(i + 1);
      check_bias(name(called), block.norms[i].gain, block.norms[i].bias);
      const bool there = !block.norms[i].gain.empty();
      if (there && i >= boxes)
        throw Error(name(called) + ".weight has nothing to norm: the layer has " + std::to_string(boxes) +
                    (boxes == 1 ? " box" : " boxes") + ", so take it out");
      if (!there && i < boxes && !together.norm.empty())
        throw Error(name(called) + ".weight is missing, and " + together.norm +
                    " is there: give a norm to every box of every layer, or to none");
      alike(called + ".weight", block.norms[i].gain, first.norms[i].gain);
      alike(called + ".bias", block.norms[i].bias, first.norms[i].bias);
      check_row({name(called + ".weight"), block.norms[i].gain}, width, because());
      check_row({name(called + ".bias"), block.norms[i].bias}, width, because());
    }
  }
  void of_gate() const {
    const bool feeds = block.has(StackBox::feed_forward);
    if (!block.gate.w.empty() && !feeds)
      throw Error(name("gate.weight") +
                  " has no feed-forward to go with: give linear1.weight and "
                  "linear2.weight, or take it out");
    if (block.gate.w.empty() && feeds && !together.gate.empty())
      throw Error(name("gate.weight") + " is missing, and " + together.gate +
                  " is there: give a gate to every feed-forward, or to none");
  }
  void all() const {
    of_attention("self_attn", block.attention, first.attention);
    if (block.cross.has_value() != first.cross.has_value())
      throw Error(name("multihead_attn.in_proj_weight") + (block.cross ? " is there" : " is missing") +
                  ": give it to every layer of the " + side + " or to none");
    if (block.cross) of_attention("multihead_attn", *block.cross, *first.cross);
    const std::size_t inner = block.inner.w.columns();
    const std::string why = because() + " and linear1 has " + std::to_string(inner) + " rows";
    of_gate();
    of_matrix("linear1", block.inner, first.inner, width, inner, why);
    of_matrix("gate", block.gate, first.gate, width, inner, why);
    of_matrix("linear2", block.outer, first.outer, inner, width, why);
    of_norms();
  }
};

// What goes into a side, by its name in the file; refused where it is not there.
void check_input(const char* side, const StackSide& input, const std::string& name, bool embeds) {
  if (input.x.empty() && input.ids.empty())
    throw Error(name + " is missing: give " +
                (embeds ? "n numbers of rows of embedding.weight" : "n×d rows of features") +
                ", which go into the " + side);
  if (token_count(input) == 0) throw Error(name + " has no rows: give one for each token");
  if (input.ids.empty() && input.x.columns() == 0) throw Error(name + " has no columns: give d features");
}

// Where it chooses among the symbols that are written on.
void check_head(const StackSpec& stack) {
  if (!stack.has_decoder() || stack.decoder.ids.empty() || stack.head.empty()) return;
  const std::size_t symbols = stack.embedding.rows();
  if (stack.head.columns() != symbols)
    throw Error("head.weight is " + text_of(stack.head.columns(), stack.head.rows()) +
                ": the embedding has " + std::to_string(symbols) +
                " symbols, and the decoder reads those that it writes, so it has "
                "to be " +
                text_of(symbols, stack.head.rows()));
}

void check_stack(const StackSpec& stack) {
  const TogetherParts together = parts_together(stack);
  check_head(stack);
  const bool both = stack.sides == StackSides::both;
  for (const bool decoder : {false, true}) {
    if (decoder ? !stack.has_decoder() : !stack.has_encoder()) continue;
    const StackSide& side = decoder ? stack.decoder : stack.encoder;
    const char* called = kSides[decoder ? 1 : 0];
    check_input(called, side, !both ? "x" : decoder ? "target" : "source", !stack.embedding.empty());
    const std::size_t width = side.ids.empty() ? side.x.columns() : stack.embedding.columns();
    for (std::size_t i = 0; i < side.blocks.size(); ++i)
      BlockCheck{called, i, width, side.blocks[i], side.blocks.front(), together}.all();
    const std::string norm = std::string(called) + ".norm", because = "d is " + std::to_string(width);
    check_bias(norm, side.norm.gain, side.norm.bias);
    check_row({norm + ".weight", side.norm.gain}, width, because);
    check_row({norm + ".bias", side.norm.bias}, width, because);
    if (side.blocks.front().cross && !stack.has_encoder() && stack.memory.empty())
      throw Error("memory is missing: " + layer_of(called, 0) +
                  "multihead_attn attends to it; give it m×d, or an encoder and its source");
    if (!stack.memory.empty() && stack.memory.rows() == 0)
      throw Error("memory has no rows: give one for each key");
  }
}

// Layers are counted without a gap: what is left of the names is none of a layer.
void check_left(const NamedArrays& left_out, const StackSpec& stack) {
  for (const auto& [name, array] : left_out)
    for (const bool decoder : {false, true}) {
      const std::string layers = std::string(kSides[decoder ? 1 : 0]) + ".layers.";
      const std::size_t count = (decoder ? stack.decoder : stack.encoder).blocks.size();
      if (name.starts_with(layers) && !name.starts_with(layers + "0") && count < kMostBlocks &&
          std::ranges::none_of(std::views::iota(std::size_t{0}, count), [&](std::size_t i) {
            return name.starts_with(layers + std::to_string(i) + ".");
          }))
        throw Error(layers + std::to_string(count) + " is missing, and " + name + " is there");
    }
}

// Of the first layer, where rows go into it.
LayerSpec first_attention(const StackSpec& stack) {
  const StackSide& side = stack.has_encoder() ? stack.encoder : stack.decoder;
  if (side.x.empty()) return new_document().layer();
  LayerSpec layer = side.blocks.front().attention;
  layer.x = side.x;
  layer.tokens = side.tokens;
  return layer;
}

template <class Arrays, class Name>
bool name_stack(const Arrays& arrays, const Name& name) {
  const auto any = [&](const auto& right) {
    return std::ranges::any_of(arrays, [&](const auto& array) { return right(name(array)); });
  };
  const auto has = [&](std::string_view wanted) {
    return any([&](const std::string& is) { return is == wanted; });
  };
  const bool parameters = any([](const std::string& is) { return names_first_layer(is); });
  return parameters && !has("w_q") && (has("x") || has("source") || has("target") || !has("q"));
}

}  // namespace

bool hold_stack(const NamedArrays& arrays) {
  return name_stack(arrays, [](const auto& array) -> const std::string& { return array.first; });
}

bool hold_stack(const std::vector<ListedArray>& arrays) {
  return name_stack(arrays, [](const ListedArray& array) -> const std::string& { return array.name; });
}

std::optional<NamedArrays> stack_in_safetensors(const std::string& path, std::string* unread) {
  bool stack = false;
  auto file = read_array_file(path, [&](const std::vector<ListedArray>& arrays) {
    std::vector<std::string> names;
    stack = hold_stack(arrays);
    for (const ListedArray& array : arrays) {
      if (!stack) break;
      if (array.refusal.empty())
        names.push_back(array.name);
      else if (names_part_of_stack(array.name))
        throw Error(array.name + ": " + array.refusal);
      else if (unread)
        *unread += (unread->empty() ? "ignored " : ", ") + array.name;
    }
    return names;
  });
  return stack && file ? std::optional(std::move(file->numbers)) : std::nullopt;
}

Document stack_of_arrays(NamedArrays arrays, FileNotes* notes) {
  NamedArrays left_out;
  StackSpec stack = stack_of(std::move(arrays), {.norm_at = NormAt::after}, &left_out);
  Document document;
  document.transformer = std::move(stack);
  check_left(left_out, document.transformer);
  check_stack(document.transformer);
  document.layers = {first_attention(document.transformer)};
  if (notes) notes->left_out = note_of(left_out), notes->look = kStackPlan.name;
  check_limits(document);
  return document;
}

}  // namespace attn
