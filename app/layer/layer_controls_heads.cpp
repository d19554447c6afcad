// How many heads a layer has, and which of them are switched on.
#include <algorithm>

#include "app/fields/possible_row.h"
#include "app/layer/layer_controls.h"
#include "app/widgets/chips.h"
#include "core/attention/layer_fields.h"
#include "core/edits/edit.h"

namespace attn {
namespace {

// As far as a document may have heads.
NextPossible possible(std::vector<std::size_t> heads) {
  std::erase_if(heads, [](std::size_t n) { return n > layer_field::heads.most; });
  return among(std::move(heads));
}

void use_heads(LayerAt in, std::size_t heads) {
  set_heads(in, heads, kv_heads_for(in.layer(), heads));
}

void head_chip(Frame& frame, ChipRow& row, std::size_t head) {
  const bool on = !std::ranges::binary_search(frame.layer().muted_heads, head);
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
    solo_head(frame.layer(), head);
    frame.view.layer.head = head;
  } else {
    toggle_head(frame.layer(), head);
  }
}

// "7 of 8 on".
std::string heads_state(const LayerSpec& layer) {
  const std::size_t off = layer.muted_heads.size(), all = head_count(layer);
  return (off == 0 ? "" : std::to_string(all - off) + " of ") + std::to_string(all) + " on";
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
  const LayerSpec& layer = frame.layer();
  const auto row = [&](const CountField& field, std::size_t now, std::size_t most, const NextPossible& next,
                       const std::function<void(std::size_t)>& use) {
    possible_row(frame, column, row_of(field.text), {.value = now, .least = field.least, .most = most}, next,
                 use);
  };
  row(layer_field::heads, head_count(layer), layer_field::heads.most, possible(possible_heads(layer)),
      [&](std::size_t heads) { use_heads(frame.edited(), heads); });
  const std::size_t heads = head_count(layer);
  if (heads == 1) return;
  row(layer_field::kv_heads, kv_head_count(layer), heads, possible(possible_kv_heads(layer)),
      [&](std::size_t kv_heads) { set_heads(frame.edited(), heads, kv_heads); });
}

void draw_head_controls(Frame& frame, Column column, bool whole) {
  const LayerSpec& layer = frame.layer();
  if (!layer_section(frame, column, "Heads", heads_state, whole)) return;
  if (whole) draw_head_counts(frame, column);
  const NextPossible next = possible(possible_heads(layer));
  const std::size_t heads = head_count(layer), more = next(heads + 1, 1);
  {
    ChipRow row(frame.theme, column.left, column.right);
    ImGui::PushID("switch");
    for (std::size_t h = 0; h < heads; ++h) head_chip(frame, row, h);
    ImGui::PopID();
    if (more != 0 && row.add({.id = "add head",
                              .text = "+",
                              .tooltip = "split the same width into " + std::to_string(more) + " heads"}))
      use_possible(frame.view, std::string(layer_field::heads.text.key), next, more,
                   [&](std::size_t wanted) { use_heads(frame.edited(), wanted); });
  }
  hint(frame, column, "click: on/off · Alt+click: solo");
}

}  // namespace attn
