#include "app/panels/controls_heads.h"

#include <algorithm>

#include "app/panels/controls_sections.h"
#include "app/widgets/chips.h"
#include "core/attention/edit.h"
#include "core/error.h"

namespace attn {
namespace {

constexpr std::size_t kMostHeads = 256;

bool fits(const Document& document, std::size_t heads, std::size_t kv_heads) {
  Document copy = document;
  try {
    set_heads(copy, heads, kv_heads);
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::size_t kv_count(const LayerSpec& layer) {
  return layer.direct ? layer.k.stack() : layer.kv_heads;
}

// Key/value heads for another number of heads: as many as heads where that was so.
std::size_t kv_for(const LayerSpec& layer, std::size_t heads) {
  return kv_count(layer) == head_count(layer) ? heads : kv_count(layer);
}

// The next count in that direction that the layer can have; 0 when there is none.
std::size_t next_count(const Document& document, std::size_t from, int direction, bool kv) {
  const LayerSpec& layer = document.layer;
  for (std::size_t n = from; n >= 1 && n <= kMostHeads; n += static_cast<std::size_t>(direction))
    if (kv ? fits(document, head_count(layer), n) : fits(document, n, kv_for(layer, n))) return n;
  return 0;
}

void use_kv_heads(Frame& frame, const Wanted& wanted) {
  const std::size_t heads = head_count(frame.draft.layer);
  const std::size_t next = wanted.direction == 0
                               ? wanted.whole()
                               : next_count(frame.draft, wanted.whole(), wanted.direction, true);
  try {
    set_heads(frame.draft, heads, next == 0 ? wanted.whole() : next);
    frame.view.field.reset();
  } catch (const Error& error) {
    std::vector<std::size_t> fixes;
    for (const int direction : {-1, 1})
      if (const std::size_t n = next_count(frame.draft, wanted.whole(), direction, true)) fixes.push_back(n);
    refuse(frame.view, "kv_heads", error.what(), fixes);
  }
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
    frame.view.head = head;
  } else {
    toggle_head(frame.draft.layer, head);
  }
}

}  // namespace

std::vector<std::size_t> head_fixes(const Document& document, std::size_t wanted) {
  std::vector<std::size_t> fixes;
  for (const int direction : {-1, 1})
    if (const std::size_t n = next_count(document, wanted + (direction > 0 ? 1 : 0), direction, false))
      fixes.push_back(n);
  return fixes;
}

void use_heads(Frame& frame, std::size_t heads, std::size_t kv_heads) {
  try {
    set_heads(frame.draft, heads, kv_heads);
    frame.view.field.reset();
  } catch (const Error& error) {
    refuse(frame.view, "heads", error.what(), head_fixes(frame.draft, heads));
  }
}

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
  const Row row{"heads", "heads", "attentions side by side, each on its own part of the width"};
  const NumberField field{.value = static_cast<double>(heads), .least = 1, .most = kMostHeads, .whole = true};
  std::optional<std::size_t> count;
  if (const auto wanted = number_row(frame, column, row, field)) {
    count = wanted->whole();
    if (const std::size_t next =
            wanted->direction == 0 ? 0 : next_count(frame.draft, wanted->whole(), wanted->direction, false))
      count = next;
  }
  if (const auto fix = refusal(frame, column, row.id)) count = fix;
  if (count) use_heads(frame, *count, kv_for(layer, *count));

  const Row kv{"kv_heads", "key/value heads", "heads of K and V: fewer are shared by groups of query heads"};
  if (heads == 1) return;
  if (const auto wanted = number_row(frame, column, kv,
                                     {.value = static_cast<double>(kv_count(layer)),
                                      .least = 1,
                                      .most = static_cast<double>(heads),
                                      .whole = true}))
    use_kv_heads(frame, *wanted);
  if (const auto fix = refusal(frame, column, kv.id)) use_kv_heads(frame, {static_cast<double>(*fix)});
}

void draw_head_controls(Frame& frame, Column column) {
  section(frame, column, "Heads");
  const std::size_t heads = head_count(frame.draft.layer);
  const std::size_t more = next_count(frame.draft, heads + 1, 1, false);
  {
    ChipRow row(frame.theme, column.left, column.right);
    ImGui::PushID("switch");
    for (std::size_t h = 0; h < heads; ++h) head_chip(frame, row, h);
    ImGui::PopID();
    if (more != 0 && row.add({.id = "add head",
                              .text = "+",
                              .tooltip = "split the same width into " + std::to_string(more) + " heads"}))
      use_heads(frame, more, kv_for(frame.draft.layer, more));
  }
  hint(frame, column, "click: on/off · Alt+click: solo");
}

}  // namespace attn
