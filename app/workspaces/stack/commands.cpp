// The commands of the workspace of stacks, its stage bar, and the place that a picture looks at.
#include "app/workspaces/stack/commands.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>

#include "app/frame/visible_stages.h"
#include "app/workspaces/stack/inspect_parts.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

using Commands = std::vector<Command>;

std::size_t stack_stepped(std::size_t now, std::size_t count, int by) {
  if (by < 0) return now == 0 ? 0 : now - 1;
  return std::min(now + 1, count - 1);
}

std::function<void(Desk&)> stack_by_layer(int by) {
  return [by](Desk& desk) {
    if (auto at = stack_at(desk)) at->view.layer = stack_stepped(at->layer, at->side().blocks.size(), by);
  };
}

std::function<void(Desk&)> stack_by_row(int by) {
  return [by](Desk& desk) {
    const auto at = stack_at(desk);
    if (!at) return;
    at->view.row = stack_stepped(at->row, at->stage(at->side().input).shape.rows, by);
    // A number of the norm or the stream that is open goes along.
    auto& pinned = desk.view.pinned;
    const auto stage = pinned ? at->results.graph.find(pinned->stage) : std::nullopt;
    const auto place = stage ? stack_place(at->results, *stage) : std::nullopt;
    if (place && place->decoder == at->decoder()) pinned->cell.row = at->view.row;
  };
}

std::function<void(Desk&)> stack_by_head(int by) {
  return [by](Desk& desk) {
    const auto at = stack_at(desk);
    const LayerStages* attention = at ? at->attention() : nullptr;
    if (!attention) return;
    const std::size_t heads = at->stage(attention->weights).shape.stack;
    std::size_t& head = desk.view.layer.head;
    head = stack_stepped(std::min(head, heads - 1), heads, by);
  };
}

void open_stack_stage(Desk& desk, const StackAt& at, StageIndex stage) {
  const std::size_t width = at.stage(stage).shape.columns;
  at.view.feature = std::min(at.view.feature, width - 1);
  pin_number(desk.view, at.results.graph, {at.stage(stage).id, {0, at.row, at.view.feature}});
}

void open_lit_number(Desk& desk) {
  if (const auto at = stack_at(desk)) open_stack_stage(desk, *at, lit_stage(at->block(), at->view.box));
}

// The opened number's neighbour in its row; where none is open, of the lit box.
std::function<void(Desk&)> stack_by_feature(int by) {
  return [by](Desk& desk) {
    const auto at = stack_at(desk);
    if (!at) return;
    const auto& pinned = desk.view.pinned;
    const auto stage = pinned ? at->results.graph.find(pinned->stage) : std::nullopt;
    if (!stage || !stack_place(at->results, *stage)) return open_lit_number(desk);
    Spot next = *pinned;
    next.cell.column = stack_stepped(next.cell.column, at->stage(*stage).shape.columns, by);
    at->view.feature = next.cell.column;
    pin_number(desk.view, at->results.graph, next);
  };
}

// The row's own share of the rollout, and again its weight in the last layer.
void open_rollout(Desk& desk) {
  const auto at = stack_at(desk);
  if (!at) return;
  const auto rollout =
      at->decoder() && at->places().encoder ? at->places().decoder_rollout : at->places().rollout;
  if (!rollout)
    throw Error("there is no rollout: " + why_no_rollout(at->rows, at->stage(at->side().input).shape.rows));
  const Spot all{at->stage(*rollout).id, {0, at->row, at->row}};
  const BoxStages* last = at->side().blocks.back().find(StackBox::attention);
  const bool shown = desk.view.pinned == all && last && last->layer;
  if (!shown) return pin_number(desk.view, at->results.graph, all);
  const Stage& weights = at->stage(last->layer->weights);
  const std::size_t head = std::min(desk.view.layer.head, weights.shape.stack - 1);
  pin_number(desk.view, at->results.graph, {weights.id, {head, at->row, at->row}});
}

// Encoder, decoder, cross, as far as there are.
void show_next_rows(Desk& desk) {
  const auto at = stack_at(desk);
  if (!at) return;
  constexpr std::size_t kCount = stack_view_field::rows.words.size();
  for (std::size_t i = 1; i < kCount; ++i) {
    const auto next = static_cast<StackRows>((static_cast<std::size_t>(at->rows) + i) % kCount);
    at->view.rows = next;
    if (shown_rows(at->places(), desk.view) == next) return;
  }
  at->view.rows = at->rows;
}

void light_next_box(Desk& desk) {
  const auto at = stack_at(desk);
  if (!at) return;
  const auto& boxes = at->block().boxes;
  const auto now = std::ranges::find(boxes, at->view.box, &BoxStages::box);
  at->view.box = now == boxes.end() || now + 1 == boxes.end() ? boxes.front().box : (now + 1)->box;
}

}  // namespace

const LayerStages* StackAt::attention() const {
  const BoxStages* box = block().find(rows == StackRows::cross ? StackBox::cross : StackBox::attention);
  return box && box->layer ? &*box->layer : nullptr;
}

std::optional<StackAt> stack_at(Desk& desk) {
  if (!has_numbers(desk.engine.results)) return std::nullopt;
  const auto* places = desk.engine.results->places.as<StackStages>();
  if (!places) return std::nullopt;
  StackAt at{.results = *desk.engine.results, .view = desk.view.of<StackView>()};
  at.rows = shown_rows(*places, desk.view);
  at.layer = std::min(at.view.layer, at.side().blocks.size() - 1);
  at.row = std::min(at.view.row, at.stage(at.side().input).shape.rows - 1);
  return at;
}

std::optional<Spot> look_at_stack(Document&, View& view, const Results& results,
                                  const std::vector<double>& at) {
  const StackStages& places = *results.places.as<StackStages>();
  const StackRows rows = shown_rows(places, view);
  const auto& blocks = places.side(rows != StackRows::encoder)->blocks;
  const auto place = [&](double number, std::size_t count, const char* what, const char* whose) {
    if (number < 0 || number != std::floor(number) || number >= static_cast<double>(count))
      throw Error(std::string("there is no ") + what + " " + brief(number) + ": " + whose + " has " +
                      std::to_string(count) + ", counted from 0",
                  Fault::option);
    return static_cast<std::size_t>(number);
  };
  const std::size_t layer = place(at[0], blocks.size(), "layer", "the side");
  const BoxStages* box = blocks[layer].find(rows == StackRows::cross ? StackBox::cross : StackBox::attention);
  if (!box || !box->layer) throw Error("attention is off in layer " + std::to_string(layer), Fault::option);
  const Shape& shape = results.graph.stages[box->layer->weights].shape;
  view.layer.head = place(at[1], shape.stack, "head", "the layer");
  StackView& own = view.of<StackView>();
  own.layer = layer, own.row = place(at[2], shape.rows, "row", "the map");
  return std::nullopt;
}

void stack_commands(Commands& table, const Desk& now) {
  opened_box_commands(table, now);
  const auto add = [&](const char* name, const char* title, Shortcut key, std::function<void(Desk&)> run,
                       const char* says = "") {
    table.push_back({.name = std::string("stack.") + name,
                     .title = title,
                     .menu = kStackEditMenu,
                     .shortcut = key,
                     .run = std::move(run),
                     .says = says});
  };
  add("next_layer", "The next layer", plain(GLFW_KEY_DOWN), stack_by_layer(1));
  add("layer_before", "The layer before", plain(GLFW_KEY_UP), stack_by_layer(-1));
  add("next_row", "The next row", {.key = GLFW_KEY_DOWN, .shift = true}, stack_by_row(1),
      "the query whose row is outlined in every map");
  add("row_before", "The row before", {.key = GLFW_KEY_UP, .shift = true}, stack_by_row(-1));
  add("next_head", "The next head", plain(GLFW_KEY_H), stack_by_head(1));
  add("head_before", "The head before", {.key = GLFW_KEY_H, .shift = true}, stack_by_head(-1));
  add("rows", "Rows of the encoder, the decoder, or across", plain(GLFW_KEY_R), show_next_rows,
      "whose attention the rows show, one after the other");
  add("light_box", "Light the next box", plain(GLFW_KEY_L), light_next_box,
      "what is said of it stands below the diagram");
  add("open_number", "Open a number of the lit box", plain(GLFW_KEY_P), open_lit_number,
      "what its norm makes of the shown row, and the stream as the sum of its writes");
  add("next_feature", "Open the next feature", typed(']'), stack_by_feature(1));
  add("feature_before", "Open the feature before", typed('['), stack_by_feature(-1));
  add("rollout", "Open the row's rollout, or its weight in the last layer", plain(GLFW_KEY_U), open_rollout,
      "how much of a token is left of itself behind all layers");
  stack_edit_commands(table, now);
  decoding_commands(table, now);
}

}  // namespace attn
