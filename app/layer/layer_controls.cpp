// The layer's sizes and chance, and the order of all its controls.
#include "app/layer/layer_controls.h"

#include <algorithm>
#include <array>
#include <functional>

#include "app/canvas/edits.h"
#include "app/fields/slider.h"
#include "core/attention/layer_fields.h"
#include "core/edits/edit_sides.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr std::size_t kMostTokens = 4096, kMostWidth = 4096;
constexpr std::size_t kWideHead = 256;  // that its controls widen a head to
constexpr std::size_t kStepTries = 8;   // how far a step goes to find a number that fits

using Edit = std::function<void(LayerAt, std::size_t)>;

bool works(const Frame& frame, const Edit& edit, std::size_t value) {
  Document copy = frame.draft;
  try {
    edit({copy, frame.address}, value);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Makes the edit; a step that does not fit goes on to the next number that does, a typed number is refused.
void apply(Frame& frame, const std::string& id, const WantedCount& wanted, const Edit& edit) {
  std::size_t value = wanted.value;
  for (std::size_t i = 0; wanted.direction != 0 && i < kStepTries && value > 1; ++i) {
    if (works(frame, edit, value)) break;
    value += static_cast<std::size_t>(wanted.direction);
  }
  const auto fixes = [&] {
    std::vector<std::size_t> near_by;
    for (const std::size_t near : {wanted.value - 1, wanted.value + 1})
      if (near > 0 && works(frame, edit, near)) near_by.push_back(near);
    return near_by;
  };
  attempt(frame, {.row = id, .fixes = fixes}, [&](LayerAt in) { edit(in, value); });
}

void token_row(Frame& frame, Column column, const FieldRow& row, TokenSide side) {
  const Edit edit = [side](LayerAt in, std::size_t n) { set_token_count(in, n, {}, side); };
  const CountBox box{.value = token_count(frame.layer(), side), .least = 1, .most = kMostTokens};
  if (const auto wanted = count_row(frame, column, row, box)) apply(frame, row.id, *wanted, edit);
  if (const auto fix = refusal(frame, column, row.id)) apply(frame, row.id, {.value = *fix}, edit);
}

// Where keys and values come from; those that are given belong to the queries' tokens or to others.
void memory_row(Frame& frame, Column column) {
  const std::string own = frame.layer().direct ? "Q" : "X";
  const std::array<std::string, 2> names{own, "memory"};
  const FieldRow row{"keys from", "keys from",
                     "the tokens of " + own +
                         " themselves, or a memory: tokens of its own, of any number (cross-attention)"};
  const std::size_t now = has_own_keys(frame.layer()) ? 1 : 0;
  const auto choice = choice_row(frame, column, row, names, now);
  if (!choice || *choice == now) return;
  *choice == 1 ? add_memory(frame.edited()) : remove_memory(frame.edited());
}

void width_row(Frame& frame, Column column) {
  if (frame.layer().direct) return;
  const FieldRow row{"width", "width d", "features of a token: the columns of X"};
  const CountBox box{.value = frame.layer().x.columns(), .least = 1, .most = kMostWidth};
  const Edit edit = [](LayerAt in, std::size_t width) { set_width(in, width); };
  if (const auto wanted = count_row(frame, column, row, box)) apply(frame, row.id, *wanted, edit);
  if (const auto fix = refusal(frame, column, row.id)) apply(frame, row.id, {.value = *fix}, edit);
}

// A width of each head, as a number and along a track, whose steps go to the next that fits.
void head_width_row(Frame& frame, Column column, const FieldRow& row, std::size_t now, const Edit& edit) {
  const CountBox box{.value = now, .least = 1, .most = std::max(now, kWideHead)};
  if (const auto wanted = count_row(frame, column, row, box)) apply(frame, row.id, *wanted, edit);
  const auto most = static_cast<double>(std::max(now, kWideHead));
  const auto dragged = slider_row(frame, column, {row.id + " slider", "", row.tooltip},
                                  {.value = static_cast<double>(now), .least = 1, .most = most, .log = true});
  if (dragged) {
    const auto value = static_cast<std::size_t>(*dragged);
    apply(frame, row.id, {.value = value, .direction = value > now ? 1 : -1}, edit);
  }
  if (const auto fix = refusal(frame, column, row.id)) apply(frame, row.id, {.value = *fix}, edit);
}

// Of queries and keys in one row where the score needs them equal.
void head_width_rows(Frame& frame, Column column) {
  const LayerSpec& layer = frame.layer();
  const bool direct = layer.direct, apart = scoring_text(layer.scoring).free_widths;
  if (apart)
    head_width_row(frame, column,
                   {"d_q", "width d_q",
                    direct ? "features of queries: the columns of Q"
                           : "features of each head's queries: columns of W_Q"},
                   query_width(layer), set_width_of_queries);
  const std::string whose = apart ? "keys" : "queries and keys";
  head_width_row(
      frame, column,
      {"d_k", "width d_k",
       direct ? "features of " + whose + ": the columns of " + (apart ? "K" : "Q and K")
              : "features of each head's " + whose + ": columns of " + (apart ? "W_K" : "W_Q and W_K")},
      key_width(layer), set_width_of_keys);
  head_width_row(frame, column,
                 {"d_v", "width d_v",
                  direct ? "features of values: the columns of V"
                         : "features of each head's values: columns of W_V, rows of W_O"},
                 value_width(layer), set_width_of_values);
}

void source_row(Frame& frame, Column column) {
  const LayerSpec& layer = frame.layer();
  const FieldRow row{"source", std::string(layer_field::direct.text.title),
                     std::string(layer_field::direct.text.sentence)};
  const bool current = frame.results && frame.results->document == frame.history.current();
  const bool both = layer.direct ? !layer.x.empty() && !layer.w_q.empty() : current;
  const std::array<std::string, 2> names{"projected", "direct"};
  if (!both) return value_row(frame, column, row, names[layer.direct ? 1 : 0]);
  const auto choice = choice_row(frame, column, row, names, layer.direct ? 1 : 0);
  if (!choice) return;
  attempt(frame, {.row = row.id, .before = "not projected any more: "}, [&](LayerAt in) {
    if (*choice == 0) return use_projected(in);
    const auto output = [&](Role role) { return frame.results->output(role, in.address); };
    use_direct(in, output(Role::query), output(Role::key), output(Role::value));
  });
}

// "5 tokens · d 4 · 1 head".
std::string size_words(const LayerSpec& layer) {
  const auto counted = [](std::size_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  const std::string width =
      layer.direct ? "d_k " + std::to_string(key_width(layer)) : "d " + std::to_string(layer.x.columns());
  return counted(query_count(layer), "token") + " · " + width + " · " + counted(head_count(layer), "head");
}

}  // namespace

bool layer_section(Frame& frame, Column column, std::string_view title,
                   const std::function<std::string(const LayerSpec&)>& state, bool open) {
  const std::string says = state(frame.layer());
  return foldable_section(frame, column,
                          {.title = title,
                           .state = says,
                           .open = open,
                           .differs = frame.address != kLayerA && says != state(frame.draft.layer())});
}

void draw_size_controls(Frame& frame, Column column) {
  const LayerSpec& layer = frame.layer();
  if (!layer_section(frame, column, "Layer", size_words)) return;
  const bool own_keys = has_own_keys(layer);
  token_row(frame, column, {"tokens", own_keys ? "queries" : "tokens", "rows of X: one for each token"},
            TokenSide::query);
  if (own_keys) token_row(frame, column, {"keys", "keys", "rows that the queries look at"}, TokenSide::key);
  memory_row(frame, column);
  width_row(frame, column);
  draw_head_counts(frame, column);
  head_width_rows(frame, column);
  source_row(frame, column);
  refusal(frame, column, "source");
}

void draw_chance_controls(Frame& frame, Column column) {
  LayerSpec& layer = frame.layer();
  visit_chances([&](const auto& field, double LayerSpec::*number) {
    const auto state = [number](const LayerSpec& of) { return of.*number > 0 ? brief(of.*number) : "off"; };
    if (!layer_section(frame, column, field.title, state)) return;
    field_row(frame, column, "", field.number, layer.*number);
    if (layer.*number > 0) field_row(frame, column, "", field.seed_field, layer.*field.seed);
  });
}

void draw_attention_controls(Frame& frame, Column column) {
  draw_score_controls(frame, column);
  draw_mask_controls(frame, column);
  draw_weighting_controls(frame, column);
  draw_position_controls(frame, column);
  draw_chance_controls(frame, column);
  draw_precision_controls(frame, column);
  draw_mistake_controls(frame, column);
  if (head_count(frame.layer()) > 1) draw_head_controls(frame, column, false);
}

void draw_layer_controls(Frame& frame, Column column) {
  draw_size_controls(frame, column);
  draw_attention_controls(frame, column);
  draw_show_controls(frame, column);
}

}  // namespace attn
