// A row of attention as a dictionary: a card for each of the strongest keys, the weighted sum of their
// values, and the temperature between a soft and a hard lookup.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "app/fields/slider.h"
#include "app/inspector/inspector_numbers.h"
#include "app/widgets/bars.h"
#include "app/workspaces/pipeline/inspect.h"
#include "core/attention/layer_fields.h"
#include "core/checks/dictionary.h"
#include "core/text/text.h"

namespace attn {
namespace {

using namespace inspector;

constexpr std::array kAsking{Role::query, Role::score, Role::weights, Role::output};  // rows of a query
constexpr std::size_t kMostCards = 6, kMostCells = 12;
constexpr double kHottest = 8;      // where the track of the temperature ends
constexpr float kBarShade = 0.75f;  // where viridis and cividis stand out from every panel

struct Cards {
  Flow& flow;
  const Results& results;
  const Dictionary& dictionary;
  double largest = 0;  // of the numbers in cells
  std::size_t cells = 0;

  const Stage& stage(StageIndex index) const { return results.graph.stages[index]; }
  Spot value(std::size_t key, std::size_t column) const {
    return {stage(dictionary.values).id, {dictionary.value_head, key, column}};
  }
};

// Small cells in the colours of the matrices, with their numbers where there is room.
void draw_numbers(Cards& cards, const std::string& before, const std::function<double(std::size_t)>& number,
                  const std::function<std::optional<Spot>(std::size_t)>& spot) {
  Flow& flow = cards.flow;
  const Theme& theme = flow.theme();
  const Rect line = add_line(flow);
  put(flow, line, before, theme.dim);
  const float left = line.min.x + flow.px(34), right = line.max.x;
  const float gap = flow.px(2);
  const float width = std::min((right - left) / static_cast<float>(cards.cells), flow.px(60)) - gap;
  ImGui::PushFont(theme.fonts.small);
  for (std::size_t column = 0; column < cards.cells; ++column) {
    const float x = left + static_cast<float>(column) * (width + gap);
    const Rect cell{{x, line.min.y + flow.px(1)}, {x + width, line.max.y - flow.px(1)}};
    const double value = number(column);
    ImU32 ink = theme.text;
    if (std::isfinite(value)) {
      const ColourMap map{MapKind::diverging, static_cast<float>(cards.largest)};
      const ImU32 colour = map_colour(theme, map, static_cast<float>(value));
      flow.list.AddRectFilled(cell.min, cell.max, colour, flow.px(2));
      ink = ink_on(colour);
    }
    const std::string text = write(value, digits_for({value, 0}, 2));
    if (text_width(text) + flow.px(4) <= width) put(flow, cell, text, ink, 0.5f);
    press_to_open(flow, before + "." + std::to_string(column), cell, spot(column));
  }
  ImGui::PopFont();
}

void draw_card(Cards& cards, const DictionaryCard& card) {
  Flow& flow = cards.flow;
  const Theme& theme = flow.theme();
  const Stage& scores = cards.stage(cards.dictionary.scores);
  const Stage& weights = cards.stage(cards.dictionary.weights);
  const Cell cell{cards.dictionary.head, cards.dictionary.query, card.key};
  const std::string key = std::to_string(card.key);
  const std::string number = write(card.weight, digits_for({card.weight, 1}, 4));
  const Rect line = add_line(flow);
  const float third = line.width() / 4, end = line.max.x - text_width("0.0000") - flow.px(8);
  const Rect name{line.min, {line.min.x + third, line.max.y}};
  const Rect match{{name.max.x, line.min.y}, {name.max.x + third, line.max.y}};
  const Rect bar{{match.max.x + flow.px(8), line.min.y + flow.px(5)}, {end, line.max.y - flow.px(5)}};
  put_elided(flow, name, label(scores.columns, card.key), role_colour(theme, Role::key));
  put(flow, match, card.masked ? "masked" : write(card.match, digits_for({card.match, 0}, 2)), theme.dim, 1);
  press_to_open(flow, "match" + key, match, Spot{scores.id, cell});
  draw_bar(flow.list, bar, card.weight, 0, map_colour(theme, {theme.weights, 1}, kBarShade), theme);
  put(flow, line, number, theme.text, 1);
  press_to_open(flow, "weight" + key, {{bar.min.x, line.min.y}, line.max}, Spot{weights.id, cell});
  ImGui::PushID(static_cast<int>(card.key));
  draw_numbers(
      cards, "V", [&](std::size_t column) { return static_cast<double>(card.value[column]); },
      [&](std::size_t column) { return std::optional(cards.value(card.key, column)); });
  ImGui::PopID();
}

std::string words_of_lookup(const Dictionary& d, const LayerSpec& layer, const Axis& keys) {
  if (d.takers == 0) return "no key is left to answer: the result is 0";
  if (weighting_of(layer) != Weighting::hard) return "each key contributes in proportion to its match";
  if (d.takers == 1) return "hard lookup: " + quoted(keys, d.cards[0].key) + " has all";
  return "hard lookup: " + std::to_string(d.takers) + " keys match equally and share";
}

// One step of the history a drag.
void draw_temperature(Flow& flow) {
  double& temperature = flow.frame.layer().temperature;
  FieldRow row = row_of(layer_field::temperature.text);
  row.id = "dictionary temperature";
  ImGui::SetCursorScreenPos({flow.left, flow.y});
  const SliderBox box{.value = temperature,
                      .least = 0,
                      .most = kHottest,
                      .whole = false,
                      .shown = temperature == 0 ? "0, hard" : brief(temperature)};
  if (const auto wanted = slider_row(flow.frame, {flow.left, flow.right}, row, box))
    temperature = three_digits(*wanted);
  flow.y = ImGui::GetCursorScreenPos().y;
}

void draw_result(Cards& cards) {
  const Dictionary& d = cards.dictionary;
  const auto wide = d.result.size() - cards.cells;
  if (d.left_out > 0)
    add_text(cards.flow,
             std::to_string(d.left_out) + " more, together " +
                 write(d.left_out_weight, digits_for({d.left_out_weight, 1}, 4)),
             cards.flow.theme().dim);
  draw_numbers(
      cards, "Σ aV", [&](std::size_t column) { return d.result[column]; },
      [](std::size_t) { return std::optional<Spot>(); });
  if (wide > 0)
    add_text(cards.flow, std::to_string(wide) + " more features of each value", cards.flow.theme().dim,
             cards.flow.theme().fonts.small);
}

}  // namespace

void draw_dictionary(Flow& flow, const Results& results, const Spot& spot) {
  const Role role = results.graph.stages[*results.graph.find(spot.stage)].role;
  if (std::ranges::count(kAsking, role) == 0) return;
  const auto attention = attention_of(results, spot, flow.frame.view.layer.head);
  if (!attention || !attention->query) return;
  const auto found =
      dictionary_of(results, attention->weights, attention->head, *attention->query, kMostCards);
  if (!found) return;
  const Stage& scores = results.graph.stages[found->scores];
  add_heading(flow, ("Dictionary · " + quoted(scores.rows, found->query) + " asks").c_str());
  add_text(flow, words_of_lookup(*found, results.document.layer(), scores.columns), flow.theme().dim,
           flow.theme().fonts.small);
  draw_temperature(flow);
  Cards cards{flow, results, *found};
  cards.cells = std::min(found->result.size(), kMostCells);
  for (const DictionaryCard& card : found->cards)
    for (const float value : card.value)
      if (std::isfinite(value)) cards.largest = std::max(cards.largest, std::abs(static_cast<double>(value)));
  if (cards.largest == 0) cards.largest = 1;
  ImGui::PushID("dictionary");
  for (const DictionaryCard& card : found->cards) draw_card(cards, card);
  draw_result(cards);
  ImGui::PopID();
}

}  // namespace attn
