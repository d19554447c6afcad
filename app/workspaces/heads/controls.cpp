// The controls of the workspace of heads: how many there are, which are on, and how they are shown.
#include <algorithm>
#include <cmath>

#include "app/canvas/edits.h"
#include "app/fields/field_rows.h"
#include "app/fields/field_states.h"
#include "app/fields/slider.h"
#include "app/layer/layer_controls.h"
#include "app/widgets/chips.h"
#include "app/workspaces/heads/row.h"
#include "app/workspaces/heads/scene.h"
#include "core/heads/fields.h"

namespace attn {
namespace {

// Whether it is open.
template <class Choice, std::size_t N>
bool choice_section(Frame& frame, Column column, Foldable fold, const ChoiceField<Choice, N>& about,
                    Choice& value) {
  fold.state = state_of(about, value);
  if (!foldable_section(frame, column, fold)) return false;
  ChipRow row(frame.theme, column.left, column.right);
  choice_chips(row, about, value);
  return true;
}

// The difference is from the head that is shown large, until another is chosen.
void map_controls(Frame& frame, Column column) {
  HeadsSpec& spec = frame.draft.heads;
  const HeadMap before = spec.map;
  if (!choice_section(frame, column, {.title = "Map", .open = true}, heads_field::map, spec.map)) return;
  draw_weight_range(frame, column);
  if (spec.map != HeadMap::difference) return;
  const std::size_t last = std::max<std::size_t>(1, head_count(frame.layer())) - 1;
  if (before != spec.map) spec.against = std::min(frame.view.layer.head, last);
  spec.against = std::min(spec.against, last);
  const FieldRow row = row_in("heads", heads_field::against.text);
  if (const auto wanted = count_row(frame, column, row, {.value = spec.against, .least = 0, .most = last}))
    spec.against = wanted->value;
}

// Along the numbers of key/value heads that the layer's own can be brought to; then one takes it.
void group_controls(Frame& frame, Column column) {
  LayerSpec& layer = frame.layer();
  HeadsSpec& spec = frame.draft.heads;
  const std::vector<std::size_t> counts = group_counts(layer);
  if (counts.size() < 2) return;
  const std::size_t now = looked_at_groups(spec, layer);
  const std::string state = std::to_string(now) + " of " + std::to_string(counts.front());
  if (!foldable_section(frame, column, {.title = "Shared keys and values", .state = state, .open = true}))
    return;
  const auto last = static_cast<double>(counts.size() - 1);
  const auto place = static_cast<double>(std::ranges::find(counts, now) - counts.begin());
  const auto wanted = slider_row(frame, column,
                                 {"heads.kv_heads slider", std::string(heads_field::kv_heads.text.title),
                                  std::string(heads_field::kv_heads.text.sentence)},
                                 {.value = last - place, .least = 0, .most = last, .shown = state});
  if (wanted) {
    const auto at = static_cast<std::size_t>(std::clamp(last - std::round(*wanted), 0.0, last));
    spec.kv_heads = at == 0 ? 0 : counts[at];
  }
  if (now == counts.front()) {
    hint(frame, column, "multi-query 1 · grouped between · full " + std::to_string(counts.front()));
    return;
  }
  ChipRow row(frame.theme, column.left, column.right);
  if (row.add({.id = "use groups",
               .text = "use " + std::to_string(now),
               .tooltip = "give the layer these key/value heads, each the mean of those it replaces"}))
    frame.commands.emplace_back("heads.use_groups");
  if (row.add({.id = "as it is", .text = "as it is", .tooltip = "look at the layer's own"}))
    spec.kv_heads = 0;
}

// One head has nothing to be compared with.
void offer_heads(Frame& frame, Column column) {
  if (head_count(frame.layer()) > 1) return;
  hint(frame, column, "This layer has one head: split its width below, or look at eight.");
  ChipRow row(frame.theme, column.left, column.right);
  if (row.add({.id = "open eight heads",
               .text = "open eight heads",
               .tooltip = "the example of 12 tokens and 8 heads; Ctrl+Z goes back"}))
    frame.commands.emplace_back("example.eight-heads");
}

}  // namespace

void draw_heads_controls(Frame& frame, Column column) {
  HeadsSpec& spec = frame.draft.heads;
  offer_heads(frame, column);
  draw_head_controls(frame, column, true);
  choice_section(frame, column, {.title = "Order", .open = true}, heads_field::order, spec.order);
  map_controls(frame, column);
  choice_section(frame, column, {.title = "Alike"}, heads_field::measure, spec.measure);
  if (foldable_section(frame, column,
                       {.title = "Names", .state = state_of(heads_field::nearby, spec.nearby)}))
    field_row(frame, column, "heads", heads_field::nearby, spec.nearby);
  group_controls(frame, column);
  draw_mask_controls(frame, column);
}

}  // namespace attn
