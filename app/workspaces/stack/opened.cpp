// A box opened: its stages with their numbers, as the Pipeline shows a layer, what it reads in front.
#include <algorithm>

#include "app/canvas/blocks.h"
#include "app/canvas/edits.h"
#include "app/layer/layer_blocks.h"
#include "app/layer/layer_controls.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/workspaces/stack/scene.h"
#include "core/document/stack_edit.h"

#include <GLFW/glfw3.h>

namespace attn {
namespace {

constexpr float kCrumbs = 34;

struct Lit {
  bool decoder = false;
  std::size_t layer = 0;
  const BoxStages* box = nullptr;
};

Lit lit_in(const StackStages& places, const View& view) {
  const bool decoder = shown_rows(places, view) != StackRows::encoder;
  const std::vector<BlockStages>& blocks = places.side(decoder)->blocks;
  const StackView& own = view.of<StackView>();
  const std::size_t layer = std::min(own.layer, blocks.size() - 1);
  const BoxStages* box = blocks[layer].find(own.box);
  return {decoder, layer, box && box->added ? box : nullptr};
}

const char* words_of(StackBox box) {
  return box == StackBox::attention ? "self-attention"
         : box == StackBox::cross   ? "cross-attention"
                                    : "feed-forward";
}

// "‹ stack", and where one is.
float draw_crumbs(Frame& frame, Rect canvas, const Lit& lit) {
  const Theme& theme = frame.theme;
  const float left = canvas.min.x + theme.px(12);
  ImGui::SetCursorScreenPos({left, canvas.min.y + theme.px(6)});
  {
    ChipRow row(theme, left, canvas.max.x);
    if (row.add({.id = "stack.close", .text = "‹ stack", .tooltip = "Back to the whole stack (Esc)"}))
      frame.commands.emplace_back("stack.close");
    const std::string side = lit.decoder ? "decoder" : "encoder";
    row.add({.id = "stack.opened",
             .text = side + ", layer " + std::to_string(lit.layer) + " · " + words_of(lit.box->box),
             .tooltip = "Every number is the stack's own: what is changed here, all later layers follow",
             .on = true});
  }
  return theme.px(kCrumbs);
}

}  // namespace

const BoxStages* lit_box(const StackStages& places, const View& view) {
  return lit_in(places, view).box;
}

bool draw_opened_box(Frame& frame, Rect canvas) {
  if (!frame.view.of<StackView>().opened || !has_numbers(frame.engine.results)) return false;
  const StackStages& places = *frame.results->places.as<StackStages>();
  const Lit lit = lit_in(places, frame.view);
  if (!lit.box) return false;
  canvas.min.y += draw_crumbs(frame, canvas, lit);
  std::vector<StageIndex> read{lit.box->before};
  if (lit.box->box == StackBox::cross && places.encoder) read.push_back(places.encoder->output);
  ShownParts parts{.first = lit.box->first_part, .end = lit.box->end_part, .read = std::move(read)};
  parts.of_stack = true;
  const Address address = address_of(lit.decoder, lit.layer, lit.box->box);
  if (lit.box->box != StackBox::feed_forward && frame.draft.has(address)) parts.attention = address;
  draw_blocks(frame, canvas, layer_blocks(frame, parts));
  return true;
}

bool draw_opened_controls(Frame& frame, Column column) {
  if (!frame.view.of<StackView>().opened || !has_numbers(frame.engine.results)) return false;
  const Lit lit = lit_in(*frame.results->places.as<StackStages>(), frame.view);
  if (!lit.box) return false;
  section(frame, column, words_of(lit.box->box), "box");
  hint(frame, column, "Esc goes back to the stack. What is changed here, all later layers follow.");
  if (frame.draft.transformer.empty()) {  // undone, or opened by a session's look
    ChipRow row(frame.theme, column.left, column.right);
    if (row.add(
            {.id = "stack.own",
             .text = "edit it",
             .tooltip = "The stack over the layer's tokens becomes the document's own, with its weights"}))
      own_stack(frame.draft);
  }
  const Address address = address_of(lit.decoder, lit.layer, lit.box->box);
  if (lit.box->box != StackBox::feed_forward && frame.draft.has(address)) {
    frame.address = address;
    draw_score_controls(frame, column);
    draw_mask_controls(frame, column);
    draw_weighting_controls(frame, column);
    draw_chance_controls(frame, column);
    draw_precision_controls(frame, column);
    draw_mistake_controls(frame, column);
    if (head_count(frame.layer()) > 1) draw_head_controls(frame, column, false);
    frame.address = kLayerA;
  }
  draw_show_controls(frame, column);
  return true;
}

bool let_go_of_box(View& view) {
  return std::exchange(view.of<StackView>().opened, false);
}

void opened_box_commands(std::vector<Command>& table, const Desk& desk) {
  const bool opened = desk.view.of<StackView>().opened;
  const bool numbers = has_numbers(desk.engine.results);
  const StackStages* places = numbers ? desk.engine.results->places.as<StackStages>() : nullptr;
  const bool can = places && !opened && lit_box(*places, desk.view);
  table.push_back(
      {.name = "stack.open",
       .title = "Open the lit box as the Pipeline shows a layer",
       .menu = "Stage",
       .shortcut = plain(GLFW_KEY_ENTER),
       .run =
           [](Desk& at) {
             own_stack(at.draft);
             at.view.of<StackView>().opened = true;
           },
       .enabled = can,
       .says = "its real inputs and weights, its norm in front; what is edited there is the stack's"});
  table.push_back({.name = "stack.close",
                   .title = "Back to the whole stack",
                   .menu = "Stage",
                   .run = [](Desk& at) { at.view.of<StackView>().opened = false; },
                   .enabled = opened});
}

}  // namespace attn
