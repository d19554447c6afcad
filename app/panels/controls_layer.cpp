#include <algorithm>
#include <array>
#include <functional>

#include "app/panels/controls_heads.h"
#include "app/panels/controls_sections.h"
#include "app/widgets/chips.h"
#include "core/attention/edit.h"
#include "core/attention/words.h"
#include "core/error.h"

namespace attn {
namespace {

constexpr double kMostTokens = 4096, kMostWidth = 4096;
constexpr std::size_t kTries = 8;  // how far a step goes to find a number that fits

using Edit = std::function<void(Document&, std::size_t)>;

bool works(const Document& document, const Edit& edit, std::size_t value) {
  Document copy = document;
  try {
    edit(copy, value);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Makes the edit; a step that does not fit goes on to the next number that does, a typed number is refused.
void apply(Frame& frame, const std::string& id, const Wanted& wanted, const Edit& edit) {
  std::size_t value = wanted.whole();
  for (std::size_t i = 0; wanted.direction != 0 && i < kTries && value > 1; ++i) {
    if (works(frame.draft, edit, value)) break;
    value += static_cast<std::size_t>(wanted.direction);
  }
  try {
    edit(frame.draft, value);
    frame.view.field.reset();
  } catch (const Error& error) {
    std::vector<std::size_t> fixes;
    for (const std::size_t near : {wanted.whole() - 1, wanted.whole() + 1})
      if (near > 0 && works(frame.draft, edit, near)) fixes.push_back(near);
    refuse(frame.view, id, error.what(), fixes);
  }
}

void set_tokens(Document& document, std::size_t count, TokenSide side) {
  const bool labelled = !token_labels(document.layer, side).empty();
  while (token_count(document.layer, side) > count)
    remove_token(document, token_count(document.layer, side) - 1, side);
  for (std::size_t n = token_count(document.layer, side); n < count; ++n)
    insert_token(document, n, labelled ? std::to_string(n) : "", side);
}

void token_row(Frame& frame, Column column, const Row& row, TokenSide side) {
  const Edit edit = [side](Document& d, std::size_t n) { set_tokens(d, n, side); };
  const NumberField field{.value = static_cast<double>(token_count(frame.draft.layer, side)),
                          .least = 1,
                          .most = kMostTokens,
                          .whole = true};
  if (const auto wanted = number_row(frame, column, row, field)) apply(frame, row.id, *wanted, edit);
  if (const auto fix = refusal(frame, column, row.id))
    apply(frame, row.id, {static_cast<double>(*fix)}, edit);
}

void width_row(Frame& frame, Column column) {
  const LayerSpec& layer = frame.draft.layer;
  const Row row{"width", "width d", "features of a token: the columns of X"};
  if (layer.direct)
    return value_row(frame, column, {"width", "width d_k", "the columns of Q and K: they are given"},
                     std::to_string(layer.q.columns()));
  const NumberField field{
      .value = static_cast<double>(layer.x.columns()), .least = 1, .most = kMostWidth, .whole = true};
  if (const auto wanted = number_row(frame, column, row, field)) apply(frame, row.id, *wanted, set_width);
  if (const auto fix = refusal(frame, column, row.id))
    apply(frame, row.id, {static_cast<double>(*fix)}, set_width);
}

void scale_rows(Frame& frame, Column column) {
  LayerSpec& layer = frame.draft.layer;
  constexpr std::array kModes{ScaleMode::sqrt, ScaleMode::none, ScaleMode::number};
  const std::array<std::string, 3> names{"1/√d_k", "off", "number"};
  const auto now = static_cast<std::size_t>(std::ranges::find(kModes, layer.scale_mode) - kModes.begin());
  const Row row{"scale", "scale", "what the scores are multiplied by before the softmax"};
  if (const auto choice = choice_row(frame, column, row, names, now)) layer.scale_mode = kModes[*choice];
  if (layer.scale_mode != ScaleMode::number) return;
  const Row number{"scale_number", "× number", "the scores are multiplied by this"};
  if (const auto wanted =
          number_row(frame, column, number,
                     {.value = layer.scale_number, .least = -1e6, .most = 1e6, .per_pixel = 0.01}))
    layer.scale_number = wanted->value;
  refusal(frame, column, number.id);
}

void temperature_row(Frame& frame, Column column) {
  LayerSpec& layer = frame.draft.layer;
  const Row row{"temperature", "temperature",
                "divides the scaled scores: below 1 sharper, above 1 flatter; 0 takes the largest alone"};
  if (const auto wanted = number_row(
          frame, column, row, {.value = layer.temperature, .least = 0, .most = 1e6, .per_pixel = 0.02}))
    layer.temperature = wanted->value;
  refusal(frame, column, row.id);
}

// Q, K and V as they are now become the document's own numbers; x and the projections wait for the way back.
void use_direct(Frame& frame) {
  LayerSpec& layer = frame.draft.layer;
  const Results& results = *frame.results;
  layer.q = results.output("q"), layer.k = results.output("k"), layer.v = results.output("v");
  if (layer.memory.empty()) layer.memory_tokens.clear();
  layer.direct = true;
}

void source_row(Frame& frame, Column column) {
  LayerSpec& layer = frame.draft.layer;
  const Row row{"source", "Q, K, V", "projected from X by W_Q, W_K, W_V, or given and edited as they are"};
  const bool current = frame.results && frame.results->document == frame.draft;
  const bool both = layer.direct ? !layer.x.empty() && !layer.w_q.empty() : current;
  const std::array<std::string, 2> names{"projected", "direct"};
  if (!both) return value_row(frame, column, row, names[layer.direct ? 1 : 0]);
  const auto choice = choice_row(frame, column, row, names, layer.direct ? 1 : 0);
  if (!choice) return;
  if (*choice == 1) return use_direct(frame);
  Document projected = frame.draft;
  projected.layer.direct = false;
  try {
    check_layer(projected.layer);
    frame.draft = projected;
  } catch (const Error& error) {
    refuse(frame.view, row.id, std::string("not projected any more: ") + error.what());
  }
}

}  // namespace

void draw_layer_controls(Frame& frame, Column column) {
  const LayerSpec& layer = frame.draft.layer;
  section(frame, column, "Layer");
  const bool own_keys = has_own_keys(layer);
  token_row(frame, column, {"tokens", own_keys ? "queries" : "tokens", "rows of X: one for each token"},
            TokenSide::query);
  if (own_keys) token_row(frame, column, {"keys", "keys", "rows that the queries look at"}, TokenSide::key);
  width_row(frame, column);
  draw_head_counts(frame, column);
  const auto scorings = words_of(kScoringWords);
  value_row(frame, column, {"score", "score", "how a query and a key become one number: their dot product"},
            std::string(word_of(kScoringWords, layer.scoring)));
  scale_rows(frame, column);
  temperature_row(frame, column);
  source_row(frame, column);
  refusal(frame, column, "source");
}

}  // namespace attn
