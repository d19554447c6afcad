// Larger changes first: they bring the smaller ones with them.
#include "core/document/describe_stack.h"

#include <array>

#include "core/document/stack_edit.h"
#include "core/system/error.h"
#include "core/transformer/made.h"

namespace attn {
namespace {

constexpr std::array<const char*, kBoxes> kBoxNames{"attention", "cross-attention", "feed-forward"};

template <class Choice, std::size_t N>
std::string title_of(const ChoiceField<Choice, N>& field, Choice choice) {
  return std::string(field.text.change) + std::string(field.words[field.index_of(choice)].title);
}

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string feed_forward_words(const StackSpec& stack) {
  switch (feed_forward_of(stack)) {
    case FeedForward::relu:
      return "feed-forward: ReLU";
    case FeedForward::gelu:
      return "feed-forward: GELU";
    case FeedForward::gelu_tanh:
      return "feed-forward: GELU tanh";
    case FeedForward::silu:
      return "feed-forward: SiLU";
    case FeedForward::swiglu:
      return "feed-forward: SwiGLU";
    case FeedForward::none:
      break;
  }
  return "no feed-forward";
}

// Of what decides the shapes of its weights.
std::string size_change(const StackSpec& before, const StackSpec& after) {
  if (before.sides != after.sides) return title_of(stack_field::sides, after.sides);
  const StackSizes a = sizes_of(before), b = sizes_of(after);
  if (a.layers != b.layers) return counted(b.layers, "layer");
  if (const std::size_t width = width_of(after); width != width_of(before))
    return "width " + std::to_string(width);
  if (a.heads != b.heads) return "heads " + std::to_string(b.heads);
  if (feed_forward_of(before) != feed_forward_of(after)) return feed_forward_words(after);
  return a.inner == b.inner ? "" : "inner width " + std::to_string(b.inner);
}

std::string box_change(const StackSpec& before, const StackSpec& after) {
  for (const bool decoder : {false, true}) {
    const auto& a = (decoder ? before.decoder : before.encoder).blocks;
    const auto& b = (decoder ? after.decoder : after.encoder).blocks;
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t box = 0; box < kBoxes; ++box) {
        const auto which = static_cast<StackBox>(box);
        if (a[i].is_off(which) == b[i].is_off(which)) continue;
        return beginning_of_part(part_key(decoder, i, "")) + kBoxNames[box] +
               (b[i].is_off(which) ? " off" : " on");
      }
  }
  return {};
}

std::string input_change(const StackSpec& before, const StackSpec& after) {
  const auto differs = [](const StackSide& a, const StackSide& b) {
    return !(a.ids == b.ids) && !b.ids.empty();
  };
  if (differs(before.encoder, after.encoder)) return "input " + input_text(after.encoder);
  if (!differs(before.decoder, after.decoder)) return {};
  const std::string text = input_text(after.decoder);
  return text.empty() ? "nothing written" : "written " + text;
}

}  // namespace

std::string stack_change(const StackSpec& before, const StackSpec& after) {
  if (before.weights != after.weights && after.weights != StackWeights::drawn)
    return title_of(stack_field::weights, after.weights);
  if (std::string text = size_change(before, after); !text.empty() || !same_blocks(before, after))
    return text.empty() ? "boxes of the stack" : text;
  if (before.norm_at != after.norm_at) return title_of(stack_field::norm_at, after.norm_at);
  if (before.norm_kind != after.norm_kind) return title_of(stack_field::norm_kind, after.norm_kind);
  const bool drawn = after.weights == StackWeights::drawn;
  if (drawn && (before.seed != after.seed || before.weights != after.weights))
    return std::string(stack_field::seed.text.change) + std::to_string(after.seed);
  if (std::string text = box_change(before, after); !text.empty()) return text;
  return input_change(before, after);
}

std::optional<Document> with_own_stack(const Document& before, const Document& after) {
  if (!before.transformer.empty() || after.transformer.empty()) return std::nullopt;
  Document own = before;
  try {
    own_stack(own);
  } catch (const Error&) {  // there is none over this layer
    return std::nullopt;
  }
  return own.transformer.empty() || own == after ? std::nullopt : std::optional(std::move(own));
}

std::string beginning_of_part(std::string_view key) {
  std::string text;
  bool of_layer = false;
  key.remove_prefix(std::min(key.size(), std::string_view("stack.").size()));
  while (!key.empty()) {
    const std::string_view word = key.substr(0, key.find('.'));
    key.remove_prefix(std::min(key.size(), word.size() + 1));
    const bool is_number = !of_layer && word[0] >= '0' && word[0] <= '9';
    text += (text.empty() ? "" : ", ") + std::string(is_number ? "layer " : "") + std::string(word);
    of_layer = of_layer || is_number;
  }
  return text.empty() ? text : text + ": ";
}

}  // namespace attn
