// The controls of the workspace of stacks: what the stack is made of, what goes in, whose rows are shown.
#include <algorithm>

#include "app/canvas/edits.h"
#include "app/fields/field_rows.h"
#include "app/fields/field_states.h"
#include "app/layer/layer_controls.h"
#include "app/widgets/chips.h"
#include "app/workspaces/stack/row.h"
#include "app/workspaces/stack/scene.h"
#include "core/document/stack_edit.h"
#include "core/document/stack_plan.h"
#include "core/io/stack_models.h"
#include "core/system/error.h"
#include "core/text/quantity.h"
#include "core/transformer/fields.h"
#include "core/transformer/made.h"

namespace attn {
namespace {

constexpr std::size_t kMostStackWidth = 1024, kMostInner = 4096;

// Edits the draft's stack, or says under the row why it cannot be so.
void change(Frame& frame, const std::string& row, const std::function<void(Document&)>& edit) {
  attempt(frame, {.row = row}, [&](LayerAt in) {
    edit(in.document);
    frame.workspace.build(in.document, kLayerA);
  });
}

void count_of(Frame& frame, Column column, const FieldRow& row, const CountBox& box,
              void (*set)(Document&, std::size_t), std::size_t step = 1) {
  const auto wanted = count_row(frame, column, row, box);
  if (wanted) {
    const std::uint64_t value = wanted->direction == 0 || step == 1 ? wanted->value
                                : wanted->direction > 0
                                    ? box.value + step
                                    : box.value - std::min<std::uint64_t>(step, box.value - box.least);
    change(frame, row.id, [&](Document& document) { set(document, static_cast<std::size_t>(value)); });
  }
  if (const auto fixed = refusal(frame, column, row.id))
    change(frame, row.id, [&](Document& document) { set(document, *fixed); });
}

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

void model_chips(Frame& frame, Column column, const StackSpec& stack) {
  ChipRow row(frame.theme, column.left, column.right);
  const auto add = [&](const char* id, const char* text, const char* tooltip, bool on, auto edit) {
    if (row.add({.id = id, .text = text, .tooltip = tooltip, .on = on}) && !on)
      change(frame, "stack.model", edit);
  };
  add("stack.dates", "dates", "A trained model that writes dates as ISO has them, character by character",
      stack.weights == StackWeights::trained, [](Document& d) { d.transformer = dates_stack(); });
  add("stack.over", "over the Pipeline's tokens", "An encoder of random layers over the Pipeline's X",
      frame.draft.transformer.empty(), [](Document& d) { d.transformer = {}; });
}

void side_chips(Frame& frame, Column column, const StackSpec& stack) {
  ChipRow row(frame.theme, column.left, column.right);
  for (const auto& word : stack_field::sides.words) {
    const bool on = stack.sides == word.choice;
    if (row.add({.id = "stack.sides " + std::string(word.word),
                 .text = std::string(word.title),
                 .tooltip = std::string(stack_field::sides.text.sentence) +
                            "\nanother side draws its weights by the seed",
                 .on = on}) &&
        !on)
      change(frame, "stack.sides", [&](Document& document) { set_stack_sides(document, word.choice); });
  }
}

void model_controls(Frame& frame, Column column, const StackSpec& stack) {
  const StackSizes sizes = sizes_of(stack);
  const std::string layers = stack.sides == StackSides::both
                                 ? std::to_string(sizes.layers) + " + " + std::to_string(sizes.layers)
                                 : std::to_string(sizes.layers);
  const std::string state = counted(sizes.layers, "layer") + " · d " + std::to_string(width_of(stack));
  if (!foldable_section(frame, column, {.title = "Model", .state = state, .open = true})) return;
  model_chips(frame, column, stack);
  side_chips(frame, column, stack);
  count_of(frame, column, {"stack.layers", "layers", "Of each side: " + layers},
           {.value = sizes.layers, .least = 1, .most = kMostBlocks}, set_stack_layers);
  count_of(frame, column, {"stack.heads", "heads", "Of every attention; they divide the width"},
           {.value = sizes.heads, .least = 1, .most = width_of(stack)}, set_stack_heads);
  count_of(frame, column,
           {"stack.width", "width d", "Features of the stream; another width draws weights and tokens anew"},
           {.value = width_of(stack), .least = 1, .most = kMostStackWidth}, set_stack_width, sizes.heads);
  count_of(frame, column,
           {"stack.inner", "inner width", "Of the feed-forward network, between its two matrices; 0: none"},
           {.value = sizes.inner, .least = 0, .most = kMostInner}, set_stack_inner);
}

void feed_forward_controls(Frame& frame, Column column, const StackSpec& stack) {
  static constexpr std::array<std::pair<FeedForward, const char*>, 6> kKinds{
      {{FeedForward::relu, "ReLU"},
       {FeedForward::gelu, "GELU"},
       {FeedForward::gelu_tanh, "GELU tanh"},
       {FeedForward::silu, "SiLU"},
       {FeedForward::swiglu, "SwiGLU"},
       {FeedForward::none, "off"}}};
  const FeedForward now = feed_forward_of(stack);
  const auto named = std::ranges::find(kKinds, now, &std::pair<FeedForward, const char*>::first);
  if (!foldable_section(frame, column, {.title = "Feed-forward", .state = named->second, .open = true}))
    return;
  ChipRow row(frame.theme, column.left, column.right);
  for (const auto& [kind, title] : kKinds)
    if (row.add(
            {.id = std::string("stack.feed ") + title,
             .text = title,
             .tooltip = std::string(kind == FeedForward::none     ? "No feed-forward network"
                                    : kind == FeedForward::swiglu ? stack_field::swiglu.text.sentence
                                                                  : stack_field::activation.text.sentence),
             .on = kind == now}) &&
        kind != now)
      change(frame, "stack.feed", [&](Document& document) { set_feed_forward(document, kind); });
}

void norm_controls(Frame& frame, Column column, const StackSpec& stack) {
  const std::string state =
      std::string(stack_field::norm_kind.words[stack_field::norm_kind.index_of(stack.norm_kind)].title) +
      " " + std::string(stack_field::norm_at.word_of(stack.norm_at));
  if (!foldable_section(frame, column, {.title = "Norm", .state = state, .open = true})) return;
  ChipRow row(frame.theme, column.left, column.right);
  NormKind kind = stack.norm_kind;
  choice_chips(row, stack_field::norm_kind, kind);
  NormAt at = stack.norm_at;
  choice_chips(row, stack_field::norm_at, at);
  if (kind != stack.norm_kind)
    change(frame, "stack.norm", [&](Document& document) { set_norm_kind(document, kind); });
  if (at != stack.norm_at)
    change(frame, "stack.norm", [&](Document& document) { set_norm_at(document, at); });
}

void wiring_chips(Frame& frame, Column column, const StackSpec& stack) {
  ChipRow row(frame.theme, column.left, column.right);
  if (row.add({.id = "stack.residual",
               .text = std::string(stack_field::residual.text.title),
               .tooltip = std::string(stack_field::residual.text.sentence) + " (N)",
               .on = stack.residual}))
    change(frame, "stack.residual", [](Document& document) {
      StackSpec& own = own_stack(document);
      own.residual = !own.residual;
    });
  const bool can_tie = !stack.embedding.empty();
  if (row.add({.id = "stack.tied",
               .text = std::string(stack_field::tied.text.title),
               .tooltip = can_tie ? std::string(stack_field::tied.text.sentence)
                                  : "Not here: the tokens are rows of features, there is no embedding",
               .on = stack.tied && can_tie,
               .faint = !can_tie}) &&
      can_tie)
    change(frame, "stack.tied", [tied = !stack.tied](Document& document) { set_tied(document, tied); });
}

void weight_rows(Frame& frame, Column column, const StackSpec& stack) {
  const std::string from(stack_field::weights.words[stack_field::weights.index_of(stack.weights)].title);
  value_row(frame, column, row_in("stack", stack_field::weights.text), from);
  if (stack.weights != StackWeights::drawn) return;
  const auto wanted =
      count_row(frame, column, row_in("stack", stack_field::seed.text), {.value = stack.seed});
  if (wanted)
    change(frame, "stack.seed", [&](Document& document) { set_stack_seed(document, wanted->value); });
}

void position_row(Frame& frame, Column column, const StackSpec& stack) {
  const FieldRow row = row_in("stack", layer_field::position.text);
  if (!stack.position_table.empty()) return value_row(frame, column, row, "learned");
  std::vector<std::string> names, says;
  for (const PositionText& text : kPositions)
    names.emplace_back(text.title), says.emplace_back(text.sentence);
  const auto chosen = choice_row(frame, column, row, names, stack.position.index(), says);
  if (chosen)
    change(frame, row.id, [&](Document& document) {
      StackSpec& own = own_stack(document);
      const Position wanted = position_at(*chosen);
      own.position =
          repaired(wanted, width_of(own) / std::max<std::size_t>(1, sizes_of(own).heads)).value_or(wanted);
    });
  refusal(frame, column, row.id);
}

void wiring_controls(Frame& frame, Column column, const StackSpec& stack) {
  const std::string state = stack.residual ? "residual" : "no residual";
  if (!foldable_section(frame, column, {.title = "Wiring", .state = state, .open = true})) return;
  wiring_chips(frame, column, stack);
  position_row(frame, column, stack);
  weight_rows(frame, column, stack);
}

void input_controls(Frame& frame, Column column, const StackSpec& stack) {
  const StackSide& side = stack.has_encoder() ? stack.encoder : stack.decoder;
  const std::string state = counted(token_count(side), "token");
  if (side.ids.empty()) {
    section(frame, column, "Input · " + state, "Input");
    hint(frame, column,
         "Rows of features, one for each token. Open the box of a layer to see and edit them.");
    return;
  }
  if (!foldable_section(frame, column, {.title = "Input", .state = state, .open = true})) return;
  const FieldRow row{"stack.input", "text", "Characters that the stack knows; each is a token"};
  if (const auto text = text_row(frame, column, row, input_text(side)))
    change(frame, row.id, [&](Document& document) { set_input_text(document, !stack.has_encoder(), *text); });
  refusal(frame, column, row.id);
}

void parameter_rows(Frame& frame, Column column, const StackSpec& stack) {
  const std::size_t all = parameter_count(stack);
  section(frame, column, "Parameters", "");
  const auto fact = [&](const char* id, const std::string& name, std::size_t count) {
    if (count > 0)
      value_row(frame, column, {id, name, "Numbers that are learned"}, grouped(static_cast<Count>(count)));
  };
  StackSpec encoder = stack, decoder = stack;
  encoder.decoder = {}, decoder.encoder = {};
  const std::size_t head = stack.tied ? 0 : stack.head.values().size();
  const std::size_t tables = stack.embedding.values().size() + stack.position_table.values().size() + head;
  fact("stack.embedding", stack.tied ? "embedding, tied" : "embedding", stack.embedding.values().size());
  fact("stack.positions", "positions", stack.position_table.values().size());
  fact("stack.head", "head", head);
  if (stack.has_encoder())
    fact("stack.encoder", "encoder, " + counted(stack.encoder.blocks.size(), "layer"),
         parameter_count(encoder) - tables);
  if (stack.has_decoder())
    fact("stack.decoder", "decoder, " + counted(stack.decoder.blocks.size(), "layer"),
         parameter_count(decoder) - tables);
  fact("stack.all", "all", all);
}

void row_controls(Frame& frame, Column column, const StackSpec& stack) {
  StackRows& rows = frame.view.of<StackView>().rows;
  section(frame, column, "Rows show", "Rows");
  ChipRow row(frame.theme, column.left, column.right);
  for (const auto& word : stack_view_field::rows.words) {
    const bool cross = word.choice == StackRows::cross;
    const bool can = word.choice == StackRows::encoder ? stack.has_encoder()
                     : cross ? stack.has_decoder() && stack.decoder.blocks.front().cross.has_value()
                             : stack.has_decoder();
    if (row.add({.id = "stack.rows " + std::string(word.word),
                 .text = std::string(word.title),
                 .tooltip = can ? std::string(stack_view_field::rows.text.sentence)
                                : "Not here: the stack has no " +
                                      std::string(cross ? "cross-attention" : word.title),
                 .on = can && rows == word.choice,
                 .faint = !can}) &&
        can)
      rows = word.choice;
  }
}

// What is made over a layer, until that is another: of a wide one drawing it takes as long as a frame.
struct MadeOverMemo {
  LayerSpec layer = {};
  StackSpec stack = {};
  std::size_t bytes() const { return sizeof(float) * parameter_count(stack); }
};

StackSpec shown_draft(Frame& frame) {
  if (!frame.draft.transformer.empty()) return frame.draft.transformer;
  MadeOverMemo& memo = frame.memos.of<MadeOverMemo>();
  if (memo.stack.empty() || memo.layer != frame.draft.layer())
    memo = {frame.draft.layer(), shown_stack(frame.draft)};
  return memo.stack;
}

}  // namespace

void draw_stack_controls(Frame& frame, Column column) {
  if (draw_opened_controls(frame, column)) return;
  const StackSpec stack = shown_draft(frame);
  model_controls(frame, column, stack);
  feed_forward_controls(frame, column, stack);
  norm_controls(frame, column, stack);
  wiring_controls(frame, column, stack);
  input_controls(frame, column, stack);
  parameter_rows(frame, column, stack);
  row_controls(frame, column, stack);
}

}  // namespace attn
