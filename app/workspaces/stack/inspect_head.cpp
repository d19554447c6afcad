// Of a number that is read: what it adds to the shown head's Q, K and V. Of the shown row: where it looks.
#include <algorithm>
#include <cmath>

#include "app/inspector/inspector_model.h"
#include "app/inspector/inspector_numbers.h"
#include "app/widgets/bars.h"
#include "app/workspaces/stack/inspect_parts.h"
#include "core/checks/checks.h"

namespace attn {
namespace {

using namespace inspector;

constexpr std::size_t kMostHeadLegs = 6, kMostKeysShown = 4;  // lines, until a person opens the rest
constexpr float kKeyShade = 0.75f;  // where the maps' colours stand out from every panel

// What one projection makes of the number.
struct HeadLeg {
  StageIndex stage = 0;
  std::size_t head = 0, column = 0;
  bool of_heads = false;
  double adds = 0;
};

// The column of the head that the number times its weight adds most to.
HeadLeg head_leg_of(const Tensor& weights, std::size_t heads, std::size_t head, Cell cell, double number) {
  HeadLeg leg{.head = head, .of_heads = heads > 1};
  const std::size_t width = weights.columns() / heads;
  for (std::size_t j = 0; j < width; ++j) {
    const double adds = number * static_cast<double>(weights[{0, cell.column, head * width + j}]);
    if (j == 0 || std::abs(adds) > std::abs(leg.adds)) leg.column = j, leg.adds = adds;
  }
  return leg;
}

std::vector<HeadLeg> head_legs_of(const Results& results, StageIndex from, Cell cell,
                                  std::size_t shown_head) {
  const Graph& graph = results.graph;
  std::vector<HeadLeg> legs;
  for (StageIndex later = from + 1; later < graph.stages.size(); ++later) {
    const Stage& stage = graph.stages[later];
    const std::size_t heads = stage.traits.column_heads;
    if (heads == 0 || stage.inputs.front() != from || !results.outputs[stage.inputs[1]].here()) continue;
    // Query heads that share a key/value head follow each other.
    const std::size_t shared = std::max<std::size_t>(1, heads_of(graph, stage.part) / heads);
    const std::size_t head = std::min(shown_head / shared, heads - 1);
    HeadLeg leg = head_leg_of(results.outputs[stage.inputs[1]].whole(), heads, head, cell,
                              static_cast<double>(results.outputs[from][cell]));
    leg.stage = later;
    legs.push_back(leg);
  }
  return legs;
}

void draw_head_leg(Flow& flow, const Results& results, const HeadLeg& leg, std::size_t row,
                   std::size_t place) {
  const Theme& theme = flow.theme();
  const Stage& stage = results.graph.stages[leg.stage];
  const std::string value = write(leg.adds, {3, false});
  const std::string title = "→ " + stage.title;
  const std::string what = (leg.of_heads ? "head " + std::to_string(leg.head) + ": " : std::string()) +
                           "most into column " + std::to_string(leg.column);
  const float gap = flow.px(8);
  const CompactScope compact(flow, text_width(title) + text_width(what) + text_width(value) + 2 * gap);
  const Rect line = add_line(flow);
  put(flow, line, title, role_colour(theme, stage.role));
  put_elided(flow,
             {{line.min.x + text_width(title) + gap, line.min.y},
              {line.max.x - text_width(value) - gap, line.max.y}},
             what, theme.dim);
  put(flow, line, value, theme.text, 1);
  press_to_open(flow, "leg" + std::to_string(place), line, Spot{stage.id, {leg.head, row, leg.column}});
}

struct KeyWeight {
  std::size_t key = 0;
  double weight = 0;
};

std::vector<KeyWeight> keys_of_row(const Results& results, StageIndex weights, Cell row) {
  const StageResult& numbers = results.outputs[weights];
  std::vector<KeyWeight> keys;
  for (std::size_t key = 0; key < numbers.columns(); ++key) {
    const Cell cell{row.head, row.row, key};
    if (!is_masked(results, weights, cell)) keys.push_back({key, static_cast<double>(numbers[cell])});
  }
  std::ranges::stable_sort(keys, std::ranges::greater(), &KeyWeight::weight);
  return keys;
}

// "10 “7”", also where the token is a number itself.
std::string row_place_words(const Axis& axis, std::size_t index) {
  const std::string number = std::to_string(index);
  const bool named = axis.labels && index < axis.labels->size() && !(*axis.labels)[index].empty();
  return named ? number + " “" + (*axis.labels)[index] + "”" : number;
}

// A bar as long as its weight is of the row's largest.
void draw_row_key(Flow& flow, const std::string& words, const KeyWeight& key, double most, float label_width,
                  const Spot& spot) {
  const Theme& theme = flow.theme();
  const float gap = flow.px(8), inset = flow.px(5);
  const Rect line = add_line(flow);
  put_elided(flow, {line.min, {line.min.x + label_width, line.max.y}}, words, theme.text);
  const Rect room{{line.min.x + label_width + gap, line.min.y + inset},
                  {line.max.x - text_width("0.0000") - gap, line.max.y - inset}};
  const double share = most > 0 ? key.weight / most : 0;
  draw_bar(flow.list, room, share, 0, map_colour(theme, {theme.weights, 1}, kKeyShade), theme);
  const float end = room.min.x + static_cast<float>(share) * room.width() + gap;
  put(flow, {{end, line.min.y}, line.max}, write(key.weight, {4, false}), theme.text);
  press_to_open(flow, "key" + std::to_string(key.key), line, spot);
}

}  // namespace

void draw_head_legs(Flow& flow, const Results& results, StageIndex stage, Cell cell, std::size_t head) {
  const std::vector<HeadLeg> legs = head_legs_of(results, stage, cell, head);
  if (legs.empty()) return;
  add_heading(flow, "What it adds most to");
  const std::size_t shown = shown_of("legs", legs.size(), kMostHeadLegs);
  for (std::size_t i = 0; i < shown; ++i) draw_head_leg(flow, results, legs[i], cell.row, i);
  add_more(flow, "legs", legs.size(), kMostHeadLegs);
}

void draw_row_keys(Flow& flow, const Results& results, StageIndex weights, std::size_t head,
                   std::size_t row) {
  if (!results.outputs[weights].holds({head, row, 0})) return;
  const Stage& stage = results.graph.stages[weights];
  std::string heading = "Row " + row_place_words(stage.rows, row);
  heading += ", head " + std::to_string(head) + ", attends to";
  add_heading(flow, heading.c_str());
  const std::vector<KeyWeight> keys = keys_of_row(results, weights, {head, row, 0});
  if (keys.empty()) return add_text(flow, "no key: the mask hides all of them", flow.theme().dim);
  const std::size_t shown = shown_of("row keys", keys.size(), kMostKeysShown);
  float label_width = 0;
  double rest = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i < shown)
      label_width = std::max(label_width, text_width(row_place_words(stage.columns, keys[i].key)));
    if (i >= kMostKeysShown) rest += keys[i].weight;
  }
  label_width = std::min(label_width, flow.width() * 0.4f);
  for (std::size_t i = 0; i < shown; ++i)
    if (!passes_line(flow))
      draw_row_key(flow, row_place_words(stage.columns, keys[i].key), keys[i], keys.front().weight,
                   label_width, {stage.id, {head, row, keys[i].key}});
  add_more(flow, "row keys", keys.size(), kMostKeysShown, "together " + write(rest, {4, false}));
}

}  // namespace attn
