// What a session says of a stack before its parts, and what each part is told by: the model that comes with
// the program, weights that are drawn, or nothing. For session*.cpp only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/transformer/made.h"

namespace attn::session {

inline constexpr std::string_view kStackPart = "stack";
// Keys of its object besides its fields.
inline constexpr std::string_view kWhole = "whole", kEncoderLayers = "encoder_layers",
                                  kDecoderLayers = "decoder_layers", kDrawnHeads = "heads",
                                  kDrawnInner = "inner";

// How many layers there are. `whole`: nothing is drawn or taken from a model, whatever its weights are.
struct StackHead {
  bool whole = false;
  std::size_t encoder_layers = 0, decoder_layers = 0;
  std::size_t heads = StackSizes().heads, inner = StackSizes().inner;  // of weights that are drawn
};

// In an override: the key of the attention whose stage is meant, without its prefix; left out elsewhere.
inline constexpr std::string_view kLayerOfStack = "layer";
std::optional<Address> layer_of_stack(std::string_view key);

// Which layer a part's key is of, and the key of the same part of the first one: "stack.encoder.0.inner" for
// "stack.encoder.17.inner". None where it is of no layer.
struct LayerOfPart {
  bool decoder = false;
  std::size_t layer = 0;
  std::string like;
};
std::optional<LayerOfPart> layer_of_part(const std::string& key);
// Of one layer of everything.
StackSpec one_layer_of_all();

// What its fields and sides are told by.
StackSpec usual_fields(StackWeights weights, bool whole);
// Before its head is read.
StackHead usual_head(const StackSpec& fields, bool whole);
// Its blocks, and the norms behind them, as they are before their parts are read. Throws Error, naming the
// key, where there cannot be such blocks, before any number is drawn.
void begin_blocks(StackSpec& stack, const StackHead& head);

// How a stack is told best: what its head says besides the usual, and what its parts are told by then.
struct ToldStack {
  std::vector<std::pair<std::string_view, std::string>> head;  // keys and JSON
  StackSpec usual;
};
ToldStack told(const StackSpec& stack);

}  // namespace attn::session
