// Options of a stack read from words, and options of a layer laid over all of its attentions.
#include "app/cli/stack_options.h"

#include <algorithm>
#include <optional>

#include "app/frame/look.h"
#include "app/words/command_parser.h"
#include "app/words/refuse.h"
#include "app/workspaces/workspaces.h"
#include "core/document/stack_edit.h"
#include "core/document/stack_plan.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr const char *kNorm = "--norm", *kNormKind = "--norm-kind", *kActivation = "--activation",
                     *kNoResidual = "--no-residual", *kTargetMask = "--target-mask",
                     *kMemoryMask = "--memory-mask";
const std::vector<std::string>& norm_words() {
  static const std::vector<std::string> kWords{"pre", "post", "none"};  // of NormAt
  return kWords;
}
const std::vector<std::string>& activation_words() {
  static const std::vector<std::string> kWords{"relu", "gelu", "gelu-tanh", "silu",
                                               "swiglu"};  // of FeedForward
  return kWords;
}

// The place of a word among those that an option takes; none: it was not given.
std::optional<std::size_t> place_of(const char* option, const std::string& word,
                                    const std::vector<std::string>& words) {
  if (word.empty()) return std::nullopt;
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) refuse(option, word, listed(words), words);
  return static_cast<std::size_t>(found - words.begin());
}

struct StackChoices {
  std::optional<NormAt> norm_at = {};
  std::optional<NormKind> norm_kind = {};
  std::optional<FeedForward> feed_forward = {};
  std::optional<std::vector<MaskTerm>> target_masks = {}, memory_masks = {};
  bool no_residual = false;
};

// As of --mask; of no word none.
std::optional<std::vector<MaskTerm>> read_masks(const std::string& option, const std::string& word) {
  if (word.empty()) return std::nullopt;
  const std::string mask(layer_field::masks.text.option);
  LayerSpec layer;
  try {
    if (word != "none") read_layer_options({{mask, {word}}})(layer);
  } catch (const Error& error) {
    std::string says = error.what();
    if (says.starts_with(mask)) says.replace(0, mask.size(), option);
    throw Error(says, Fault::option);
  }
  return layer.masks;
}

StackChoices read_stack_words(const StackOptionWords& words) {
  StackChoices choices{.no_residual = words.no_residual};
  if (const auto place = place_of(kNorm, words.norm, norm_words()))
    choices.norm_at = static_cast<NormAt>(*place);
  if (const auto place = place_of(kActivation, words.activation, activation_words()))
    choices.feed_forward = static_cast<FeedForward>(*place);
  const auto& kinds = stack_field::norm_kind;
  if (place_of(kNormKind, words.norm_kind, kinds.all_words()))
    choices.norm_kind = kinds.choice_of(words.norm_kind);
  choices.target_masks = read_masks(kTargetMask, words.target_mask);
  choices.memory_masks = read_masks(kMemoryMask, words.memory_mask);
  return choices;
}

bool is_given(const LayerWords& words, std::string_view option) {
  const auto found = words.find(std::string(option));
  return found != words.end() && !found->second.empty();
}

// Of masks that hide whatever one of them hides, those that hide padding: from whoever looks.
std::vector<MaskTerm> padding_of(const std::vector<MaskTerm>& masks) {
  std::vector<MaskTerm> padding;
  for (const MaskTerm& term : masks) {
    if (term.negated || term.join != Join::any) return {};
    if (std::holds_alternative<PaddingRule>(term.rule)) padding.push_back(term);
  }
  return padding;
}

// Options of a layer over the attentions of a stack. Masks are of the side that comes first; a decoder stays
// causal, and what is padding there no other side sees.
struct AttentionOptions {
  LayerChange change;
  bool masked = false, positioned = false, shifted = false;

  void lay_over(StackSpec& stack) const {
    for (const bool decoder : {false, true}) {
      if (decoder ? !stack.has_decoder() : !stack.has_encoder()) continue;
      StackSide& side = decoder ? stack.decoder : stack.encoder;
      for (StackBlock& block : side.blocks) {
        lay_over(stack, side, block.attention, decoder);
        if (block.cross) lay_over_cross(*block.cross, stack.has_encoder());
      }
    }
    if (positioned) stack.position_table = {};
  }

 private:
  // Positions and the first of them are the stack's and the side's.
  void lay_over(StackSpec& stack, StackSide& side, LayerSpec& attention, bool decoder) const {
    LayerSpec changed = attention;
    changed.position = stack.position, changed.first_position = side.first_position;
    change(changed);
    if (positioned) stack.position = changed.position;
    if (shifted) side.first_position = changed.first_position;
    changed.position = attention.position, changed.first_position = attention.first_position;
    if (decoder && masked) {
      if (stack.has_encoder()) changed.masks = attention.masks;
      const MaskTerm causal{.rule = CausalRule{}};
      if (std::ranges::count(changed.masks, causal) == 0) changed.masks.push_back(causal);
    }
    attention = std::move(changed);
  }
  void lay_over_cross(LayerSpec& cross, bool encoded) const {
    LayerSpec changed = cross;
    change(changed);
    if (masked) changed.masks = encoded ? padding_of(changed.masks) : cross.masks;
    changed.position = cross.position, changed.first_position = cross.first_position;
    cross = std::move(changed);
  }
};

// The first block with a feed-forward network but no gate, by PyTorch's name of the gate; empty: none.
std::string missing_gate(const StackSpec& stack) {
  for (const StackSide* side : {&stack.encoder, &stack.decoder})
    for (std::size_t i = 0; i < side->blocks.size(); ++i)
      if (side->blocks[i].has(StackBox::feed_forward) && side->blocks[i].gate.w.empty())
        return std::string(side == &stack.encoder ? "encoder" : "decoder") + ".layers." + std::to_string(i) +
               ".gate.weight";
  return {};
}

// Weights that were drawn are drawn anew where others are needed; those that were given are kept.
void change_feed_forward(Document& document, FeedForward kind) {
  StackSpec& stack = own_stack(document);
  if (stack.weights == StackWeights::drawn) return set_feed_forward(document, kind);
  if (feed_forward_of(stack) == FeedForward::none)
    throw Error(std::string(kActivation) +
                    ": the stack has no feed-forward network: give it linear1.weight and linear2.weight",
                Fault::option);
  stack.swiglu = kind == FeedForward::swiglu;
  if (stack.swiglu) {
    if (const std::string missing = missing_gate(stack); !missing.empty())
      throw Error(
          std::string(kActivation) + " swiglu needs the weights of its gate, and " + missing + " is missing",
          Fault::option);
    return;
  }
  for (StackSide* side : {&stack.encoder, &stack.decoder})
    for (StackBlock& block : side->blocks) block.gate = {};
  stack.activation = kind == FeedForward::relu   ? ActivationKind::relu
                     : kind == FeedForward::gelu ? ActivationKind::gelu
                     : kind == FeedForward::silu ? ActivationKind::silu
                                                 : ActivationKind::gelu_tanh;
}

// Of the decoder's own tokens, which stays causal; and of what it sees of the other side.
void change_masks(StackSpec& stack, const StackChoices& choices) {
  if (choices.target_masks && stack.sides != StackSides::both)
    throw Error(std::string(kTargetMask) + " is of stacks with an encoder and a decoder: of one side use " +
                    std::string(layer_field::masks.text.option),
                Fault::option);
  if (choices.memory_masks && !(stack.has_decoder() && stack.decoder.blocks.front().cross))
    throw Error(std::string(kMemoryMask) + " is of cross-attention, and the stack has none", Fault::option);
  for (StackBlock& block : stack.decoder.blocks) {
    if (choices.memory_masks && block.cross) block.cross->masks = *choices.memory_masks;
    if (!choices.target_masks) continue;
    block.attention.masks = *choices.target_masks;
    block.attention.masks.push_back({.rule = CausalRule{}});
  }
}

void change_stack(Document& document, const StackChoices& choices) {
  if (choices.feed_forward) change_feed_forward(document, *choices.feed_forward);
  StackSpec& stack = own_stack(document);
  if (choices.norm_at) stack.norm_at = *choices.norm_at;
  if (choices.norm_kind) stack.norm_kind = *choices.norm_kind;
  if (choices.no_residual) stack.residual = false;
  change_masks(stack, choices);
}

std::string side_words(const char* name, const StackSide& side) {
  if (side.blocks.empty()) return {};
  const std::size_t layers = side.blocks.size(), heads = side.blocks.front().attention.heads;
  return std::string(name) + " of " + std::to_string(layers) + (layers == 1 ? " layer" : " layers") + " × " +
         std::to_string(heads) + (heads == 1 ? " head" : " heads") +
         (side.normed ? " with a final norm" : "") + ", ";
}

}  // namespace

void add_stack_options(Options& options, StackOptionWords& words) {
  options
      .add(kNorm, words.norm, "pre|post|none",
           "of a stack: norms before its boxes, x + f(norm x), after them, norm(x + f(x)), or nowhere; post "
           "when absent, as PyTorch has it, and none where the file has no norms")
      .add(kNormKind, words.norm_kind, "layer|rms",
           "of a stack: LayerNorm, which it is when absent, or RMSNorm")
      .add(kActivation, words.activation, "relu|gelu|gelu-tanh|silu|swiglu",
           "of a stack's feed-forward networks: relu when absent, as PyTorch has it, and swiglu where the "
           "file has gate.weight")
      .add(kNoResidual, words.no_residual, "of a stack: what a box makes takes the stream's place")
      .add(kTargetMask, words.target_mask, "RULE",
           "of an encoder with a decoder: masks the decoder's own tokens too, which stay causal, as in "
           "padding:7; --mask is the encoder's")
      .add(kMemoryMask, words.memory_mask, "RULE|none",
           "of cross-attention: what the decoder does not see of the other side; the padding of --mask when "
           "absent");
}

DocumentChange read_options(const Workspace& workspace, const LayerWords& layer,
                            const StackOptionWords& stack) {
  const LayerChange change = read_layer_options(layer);
  const StackChoices choices = read_stack_words(stack);
  if (workspace.build != build_stack) {
    if (stack.any())
      throw Error(std::string(kNorm) + ", " + kNormKind + ", " + kActivation + ", " + kNoResidual + ", " +
                      kTargetMask + " and " + kMemoryMask + " are of stacks: add --workspace " +
                      std::string(kStackPlan.name),
                  Fault::option);
    return [change](Document& document) { change(document.layer()); };
  }
  const AttentionOptions attentions{.change = change,
                                    .masked = is_given(layer, layer_field::masks.text.option),
                                    .positioned = is_given(layer, layer_field::position.text.option),
                                    .shifted = is_given(layer, layer_field::first_position.text.option)};
  return [attentions, choices, laid = any_given(layer), chosen = stack.any()](Document& document) {
    if (laid) attentions.lay_over(own_stack(document));
    if (chosen) change_stack(document, choices);
  };
}

StartChange read_start_options(const LayerWords& layer) {
  const LayerChange change = read_layer_options(layer);
  const DocumentChange of_stack = read_options(read_workspace(kStackPlan.name), layer, {});
  return [change, of_stack](Document& document, const std::string& look) {
    if (looks_at(look) != kStackPlan.name) return change(document.layer());
    const StackSpec& stack = document.transformer;
    const StackSide& side = stack.has_encoder() ? stack.encoder : stack.decoder;
    const bool first = !side.blocks.empty() && side.blocks.front().attention.w_q == document.layer().w_q;
    of_stack(document);
    if (first) change(document.layer());
  };
}

std::string stack_words(const StackSpec& stack) {
  std::string words = "stack: ";
  if (stack.has_encoder()) words += side_words("encoder", stack.encoder);
  if (stack.has_decoder()) words += side_words("decoder", stack.decoder);
  words += "d " + std::to_string(width_of(stack));
  const FeedForward kind = feed_forward_of(stack);
  words += kind == FeedForward::none ? ", no feed-forward"
                                     : ", feed-forward " + activation_words()[static_cast<std::size_t>(kind)];
  words += ", norm " + norm_words()[static_cast<std::size_t>(stack.norm_at)];
  if (stack.norm_at != NormAt::none)
    words +=
        " (" + std::string(stack_field::norm_kind.titles()[static_cast<std::size_t>(stack.norm_kind)]) + ")";
  words += stack.residual ? ", residual" : ", no residual";
  if (stack.weights == StackWeights::drawn) words += ", weights drawn by seed " + std::to_string(stack.seed);
  return words;
}

}  // namespace attn
