// How many heads a layer has, and which of them are switched on.
#include <algorithm>

#include "app/widgets/chips.h"
#include "app/workspaces/layer_controls.h"
#include "core/attention/edit.h"
#include "core/attention/layer_fields.h"
#include "core/error.h"

namespace attn {
namespace {

// The nearest possible number in a direction, `from` itself included; 0 when there is none.
std::size_t next_of(const std::vector<std::size_t>& possible, std::size_t from, int direction) {
  std::size_t found = 0;
  for (const std::size_t n : possible) {
    if (n > layer_field::heads.most) break;
    if (direction < 0 && n <= from) found = n;
    if (direction > 0 && n >= from && found == 0) found = n;
  }
  return found;
}

std::vector<std::size_t> fixes_near(const std::vector<std::size_t>& possible, std::size_t wanted) {
  std::vector<std::size_t> fixes;
  if (const std::size_t below = next_of(possible, wanted, -1)) fixes.push_back(below);
  if (const std::size_t above = next_of(possible, wanted + 1, 1)) fixes.push_back(above);
  return fixes;
}

void use_heads(Frame& frame, std::size_t heads) {
  const LayerSpec& layer = frame.draft.layer;
  try {
    set_heads(frame.draft, heads, kv_heads_for(layer, heads));
    frame.view.field.reset();
  } catch (const Error& error) {
    refuse(frame.view, std::string(layer_field::heads.text.key), error.what(),
           fixes_near(possible_heads(layer), heads));
  }
}

void use_kv_heads(Frame& frame, std::size_t kv_heads) {
  const LayerSpec& layer = frame.draft.layer;
  try {
    set_heads(frame.draft, head_count(layer), kv_heads);
    frame.view.field.reset();
  } catch (const Error& error) {
    refuse(frame.view, std::string(layer_field::kv_heads.text.key), error.what(),
           fixes_near(possible_kv_heads(layer), kv_heads));
  }
}

// A number of heads as a row: a step goes to the next possible number, a typed one is taken or refused.
template <class Use>
void heads_row(Frame& frame, Column column, const CountField& field, std::size_t now, std::size_t most,
               const std::vector<std::size_t>& possible, Use use) {
  const CountBox box{.value = now, .least = field.least, .most = most};
  if (const auto wanted = count_row(frame, column, row_of(field.text), box)) {
    const std::size_t next = wanted->direction == 0 ? 0 : next_of(possible, wanted->value, wanted->direction);
    use(frame, next == 0 ? wanted->value : next);
  }
  if (const auto fix = refusal(frame, column, std::string(field.text.key))) use(frame, *fix);
}

void head_chip(Frame& frame, ChipRow& row, std::size_t head) {
  const bool on = !std::ranges::binary_search(frame.draft.layer.muted_heads, head);
  const std::string n = std::to_string(head);
  if (!row.add({.id = "head " + n,
                .text = n,
                .tooltip =
                    "head " + n +
                    (on ? " is on: click switches it off" : " is off and adds zeros: click switches it on") +
                    "\nAlt+click: this head alone",
                .on = on}))
    return;
  if (ImGui::GetIO().KeyAlt) {
    solo_head(frame.draft.layer, head);
    frame.view.layer.head = head;
  } else {
    toggle_head(frame.draft.layer, head);
  }
}

}  // namespace

void toggle_head(LayerSpec& layer, std::size_t head) {
  std::vector<std::size_t>& muted = layer.muted_heads;
  if (const auto it = std::ranges::find(muted, head); it != muted.end())
    muted.erase(it);
  else
    muted.insert(std::ranges::upper_bound(muted, head), head);
}

void solo_head(LayerSpec& layer, std::size_t head) {
  std::vector<std::size_t> others;
  for (std::size_t h = 0; h < head_count(layer); ++h)
    if (h != head) others.push_back(h);
  layer.muted_heads = layer.muted_heads == others ? std::vector<std::size_t>() : others;
}

void draw_head_counts(Frame& frame, Column column) {
  const LayerSpec& layer = frame.draft.layer;
  const std::size_t heads = head_count(layer);
  heads_row(frame, column, layer_field::heads, heads, layer_field::heads.most, possible_heads(layer),
            use_heads);
  if (heads == 1) return;
  heads_row(frame, column, layer_field::kv_heads, kv_head_count(layer), heads, possible_kv_heads(layer),
            use_kv_heads);
}

void draw_head_controls(Frame& frame, Column column) {
  section(frame, column, "Heads");
  const LayerSpec& layer = frame.draft.layer;
  const std::size_t heads = head_count(layer), more = next_of(possible_heads(layer), heads + 1, 1);
  {
    ChipRow row(frame.theme, column.left, column.right);
    ImGui::PushID("switch");
    for (std::size_t h = 0; h < heads; ++h) head_chip(frame, row, h);
    ImGui::PopID();
    if (more != 0 && row.add({.id = "add head",
                              .text = "+",
                              .tooltip = "split the same width into " + std::to_string(more) + " heads"}))
      use_heads(frame, more);
  }
  hint(frame, column, "click: on/off · Alt+click: solo");
}

}  // namespace attn
