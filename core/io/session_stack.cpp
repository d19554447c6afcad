// A stack that is drawn is told by its seed, and one that comes with the program by its name: what was
// changed since stands behind it.
#include "core/io/session_stack.h"

#include <algorithm>

#include "core/graph/limits.h"
#include "core/io/session_values.h"
#include "core/io/stack_models.h"
#include "core/system/error.h"

namespace attn::session {
namespace {

constexpr std::string_view kEncoder = "stack.encoder.", kDecoder = "stack.decoder.";

std::string path_of(std::string_view key) {
  return std::string(kStackPart) + "." + std::string(key);
}

void check_layers(std::string_view key, std::size_t layers) {
  if (layers > kMostBlocks)
    fail(path_of(key),
         "is " + std::to_string(layers) + ", but must be from 0 to " + std::to_string(kMostBlocks));
}

void check_drawn(std::string_view key, bool has_side, std::size_t layers, std::size_t expected) {
  if (layers == (has_side ? expected : 0)) return;
  fail(path_of(key), "is " + std::to_string(layers) + ", but must be " +
                         std::to_string(has_side ? expected : 0) + (has_side ? ", as the encoder has" : "") +
                         ": weights are drawn for equal sides");
}

// Counts that may be anything, held against what can be drawn: products of them stay within 64 bits then.
StackSizes drawn_sizes(const StackSpec& stack, const StackHead& head) {
  const std::size_t layers = stack.has_encoder() ? head.encoder_layers : head.decoder_layers;
  check_drawn(kEncoderLayers, stack.has_encoder(), head.encoder_layers, layers);
  check_drawn(kDecoderLayers, stack.has_decoder(), head.decoder_layers, layers);
  if (head.heads > limits::kMostHeads)
    fail(path_of(kDrawnHeads), "is " + std::to_string(head.heads) + ", but must be from 1 to " +
                                   std::to_string(limits::kMostHeads));
  if (head.inner > limits::kMostNumbers)
    fail(path_of(kDrawnInner), "is " + std::to_string(head.inner) + ", but must be at most " +
                                   std::to_string(limits::kMostNumbers));
  const std::size_t width = width_of(stack);
  if (width == 0)
    fail(std::string(kStackPart),
         "has no tokens to draw weights for: give its side an x, or ids and an embedding");
  const StackSizes sizes{layers, head.heads, head.inner};
  // A decoder alone attends to the memory, too.
  const bool crosses = !stack.has_encoder() && !stack.memory.empty();
  check_number_count(parameter_count(stack, sizes) + (crosses ? 4 * width * width * layers : 0));
  return sizes;
}

}  // namespace

std::optional<LayerOfPart> layer_of_part(const std::string& key) {
  for (const std::string_view begin : {kEncoder, kDecoder}) {
    if (!key.starts_with(begin)) continue;
    const std::size_t dot = key.find('.', begin.size());
    if (dot == key.npos) continue;
    const std::string number = key.substr(begin.size(), dot - begin.size());
    for (std::size_t i = 0; i < kMostBlocks; ++i)
      if (number == std::to_string(i))
        return LayerOfPart{begin == kDecoder, i, std::string(begin) + "0" + key.substr(dot)};
  }
  return std::nullopt;
}

std::optional<Address> layer_of_stack(std::string_view key) {
  for (const LayerHome home : {LayerHome::encoder, LayerHome::decoder, LayerHome::cross})
    for (Address at{0, home}; at.layer < kMostBlocks; ++at.layer)
      if (text_of(at).key == key) return at;
  return std::nullopt;
}

StackSpec one_layer_of_all() {
  StackSpec stack;
  for (StackSide* side : {&stack.encoder, &stack.decoder}) side->blocks.emplace_back().cross.emplace();
  return stack;
}

StackSpec usual_fields(StackWeights weights, bool whole) {
  return weights == StackWeights::trained && !whole ? dates_stack() : StackSpec();
}

StackHead usual_head(const StackSpec& fields, bool whole) {
  StackHead head{whole, fields.encoder.blocks.size(), fields.decoder.blocks.size()};
  if (whole || fields.weights != StackWeights::drawn) return head;
  if (fields.has_encoder()) head.encoder_layers = StackSizes().layers;
  if (fields.has_decoder()) head.decoder_layers = StackSizes().layers;
  return head;
}

void begin_blocks(StackSpec& stack, const StackHead& head) {
  check_layers(kEncoderLayers, head.encoder_layers);
  check_layers(kDecoderLayers, head.decoder_layers);
  const StackWeights weights = head.whole ? StackWeights::given : stack.weights;
  if (weights == StackWeights::given) {
    stack.encoder.blocks.resize(head.encoder_layers);
    stack.decoder.blocks.resize(head.decoder_layers);
  } else if (weights == StackWeights::drawn) {
    const StackSizes sizes = drawn_sizes(stack, head);
    try {
      stack = made_stack(stack, sizes, stack.seed);
    } catch (const Error& error) {
      throw Error(std::string(kStackPart) + ": " + error.what());
    }
  } else if (head.encoder_layers != stack.encoder.blocks.size() ||
             head.decoder_layers != stack.decoder.blocks.size()) {
    fail(std::string(kStackPart),
         "has other layers than the trained model, of " + std::to_string(stack.encoder.blocks.size()) +
             " and " + std::to_string(stack.decoder.blocks.size()) + ": leave " +
             std::string(kEncoderLayers) + " and " + std::string(kDecoderLayers) + " out");
  }
}

namespace {

// Weights that somebody keeps elsewhere (app/program/block_folder.h) are not drawn to be compared with.
bool is_whole(const StackSpec& stack) {
  if (stack.weights == StackWeights::trained) return !same_blocks(stack, dates_stack());
  const StackSide& side = stack.has_encoder() ? stack.encoder : stack.decoder;
  return stack.weights == StackWeights::drawn &&
         (side.blocks.empty() || side.blocks.front().attention.w_q.empty());
}

// Throws Error where weights cannot be drawn like that.
StackSpec usual_stack(const StackSpec& stack, const StackHead& head) {
  StackSpec usual = usual_fields(stack.weights, head.whole);
  if (head.whole || stack.weights != StackWeights::drawn) {
    begin_blocks(usual, head);
  } else {
    StackSpec drawn = stack;
    for (StackSide* side : {&drawn.encoder, &drawn.decoder}) side->blocks.clear(), side->norm = {};
    begin_blocks(drawn, head);
    for (const auto side : {&StackSpec::encoder, &StackSpec::decoder}) {
      (usual.*side).blocks = std::move((drawn.*side).blocks);
      (usual.*side).norm = (drawn.*side).norm;
    }
  }
  usual.weights = StackWeights::given;
  return usual;
}

}  // namespace

ToldStack told(const StackSpec& stack) {
  const StackSizes sizes = sizes_of(stack);
  StackHead head{is_whole(stack), stack.encoder.blocks.size(), stack.decoder.blocks.size(), sizes.heads,
                 sizes.inner};
  ToldStack told;
  try {
    told.usual = usual_stack(stack, head);
  } catch (const Error&) {  // of no drawn stack's shapes
    head.whole = true;
    told.usual = usual_stack(stack, head);
  }
  StackSpec fields = usual_fields(stack.weights, head.whole);
  fields.sides = stack.sides, fields.weights = stack.weights;
  const StackHead usual = usual_head(fields, head.whole);
  const auto say = [&](std::string_view key, std::size_t value, std::size_t left_out) {
    if (value != left_out) told.head.emplace_back(key, std::to_string(value));
  };
  if (head.whole) told.head.emplace_back(kWhole, "true");
  say(kEncoderLayers, head.encoder_layers, usual.encoder_layers);
  say(kDecoderLayers, head.decoder_layers, usual.decoder_layers);
  if (head.whole || stack.weights != StackWeights::drawn) return told;
  say(kDrawnHeads, head.heads, usual.heads);
  say(kDrawnInner, head.inner, usual.inner);
  return told;
}

}  // namespace attn::session
