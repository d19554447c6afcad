// The number at every stage on its way, the products behind it, and the mistakes in words with its values.
#include "app/workspaces/compare/check_number.h"

#include <algorithm>
#include <array>

#include "app/inspector/inspector_numbers.h"
#include "app/theme/toolkit.h"
#include "app/widgets/bars.h"
#include "app/workspaces/compare/check_rows.h"

namespace attn {
namespace {

using namespace inspector;

constexpr int kDecimals = 4;
constexpr float kNarrowestColumn = 0.21f;         // of the width, of the table's three
constexpr float kTableRoom = 270, kTermBar = 34;  // points
constexpr std::size_t kMostTerms = 6;             // until a person opens the rest

std::string table_text(const std::optional<double>& value, int decimals) {
  return value ? write(*value, {decimals, false}) : "–";
}

void put_table_line(Flow& flow, const std::string& name, ImU32 ink, const std::array<std::string, 3>& words,
                    const std::array<ImU32, 3>& inks) {
  const Rect line = add_line(flow);
  const auto until = [&](float share) {
    return Rect{line.min, {line.min.x + line.width() * share, line.max.y}};
  };
  put_elided(flow, until(0.3f), name, ink);
  put(flow, until(0.55f), words[0], inks[0], 1);
  put(flow, until(0.77f), words[1], inks[1], 1);
  put(flow, line, words[2], inks[2], 1);
}

struct NumberLine {
  std::string name;
  std::optional<double> yours, ours;
  bool pinned = false;
};

// Stages with a number for each query and key that a person sees on the way; else the stage alone.
std::vector<NumberLine> number_lines(const CheckNumber& number) {
  const Graph& graph = number.results.graph;
  const Cell cell = number.spot.cell;
  std::vector<NumberLine> lines;
  const auto add = [&](StageIndex i) {
    const Stage& stage = graph.stages[i];
    const bool product = i == number.places().scores && number.places().factors;
    lines.push_back({product ? std::string("q · k") : stage.title, number.yours(stage, cell),
                     number.ours(stage, cell), i == number.stage});
    if (i != number.places().scores) return;
    const auto yours = number.mistaken ? scale_of(*number.mistaken, cell) : std::nullopt;
    if (const auto ours = scale_of(number.results, cell); ours || yours)
      lines.push_back({"× scale", yours, ours});
  };
  if (!number.of_pair()) return add(number.stage), lines;
  for (StageIndex i = 0; i < graph.stages.size(); ++i) {
    const Stage& stage = graph.stages[i];
    const bool seen = stage.part == 0 && stage.traced && stage.drawn == Drawn::always &&
                      (stage.role == Role::score || stage.role == Role::weights) &&
                      stage.shape == number.own().shape;
    if (seen) add(i);
  }
  return lines;
}

std::optional<double> apart_of(const NumberLine& line) {
  if (!line.yours || !line.ours) return std::nullopt;
  return compared_value(Compared::difference, *line.ours, *line.yours);
}

float widest(const std::vector<NumberLine>& lines, int decimals) {
  float widest = 0;
  for (const NumberLine& line : lines)
    for (const auto& value : {line.yours, line.ours, apart_of(line)})
      widest = std::max(widest, text_width(table_text(value, decimals)));
  return widest;
}

// A product's terms, with what they come to and a bar each.
void draw_products(Flow& flow, const Opened& opened, ImU32 left, ImU32 right) {
  const std::size_t shown = shown_of("terms", opened.lines.size(), kMostTerms);
  double least = 0, most = 0;
  std::vector<double> values;
  for (const Line& line : opened.lines) {
    least = std::min(least, line.value), most = std::max(most, line.value);
    for (const Figure& figure : line.operands) values.push_back(figure.value);
    values.push_back(line.value);
  }
  const Digits digits = digits_for(values);
  for (std::size_t i = 0; i < shown; ++i) {
    const Line& term = opened.lines[i];
    const Rect line = add_line(flow);
    const auto until = [&](float share) {
      return Rect{line.min, {line.min.x + line.width() * share, line.max.y}};
    };
    const auto figure = [&](std::size_t at) {
      if (at >= term.operands.size()) return std::string();
      const Figure& f = term.operands[at];
      return f.words.empty() ? write(f.value, digits) : f.words;
    };
    const bool product = term.operands.size() > 1;
    put(flow, until(0.22f), figure(0), left, 1);
    if (!product)
      put_elided(flow, {{line.min.x + line.width() * 0.3f, line.min.y}, until(0.81f).max}, term.label,
                 flow.theme().dim);
    if (product) {
      put(flow, until(0.27f), "×", flow.theme().dim, 1);
      put(flow, until(0.47f), figure(1), right, 1);
      put(flow, until(0.52f), "=", flow.theme().dim, 1);
      put(flow, until(0.81f), write(term.value, digits, true), flow.theme().text, 1);
    }
    const float inset = flow.px(6);
    draw_signed_bar(flow.list,
                    {{line.max.x - flow.px(kTermBar), line.min.y + inset}, {line.max.x, line.max.y - inset}},
                    term.value, least, most, flow.theme());
  }
  add_more(flow, "terms", opened.lines.size(), kMostTerms);
  if (opened.left_out > 0 && shown == opened.lines.size())
    add_text(flow,
             "… " + std::to_string(opened.left_out) + " more, together " +
                 write(opened.left_out_sum, digits, true),
             flow.theme().dim, flow.theme().fonts.small);
}

// "“the” features 4…7, turned by RoPE": which numbers of Q a row of a head is made of.
std::string read_words(const CheckNumber& number, const LayerSpec& layer) {
  const Stage& q = number.results.graph.stages[number.places().q];
  const HeadShape shape{q.shape.stack, q.shape.rows, q.shape.columns};
  const HeadPlace place =
      place_of_head_row(layer.head_split, shape, number.spot.cell.head, number.spot.cell.row);
  std::string words = quoted(q.rows, place.row) + " features " + std::to_string(place.column) + "…" +
                      std::to_string(place.column + shape.width - 1);
  if (std::holds_alternative<Rotary>(layer.position)) words += ", turned by RoPE";
  return words;
}

// The stage whose terms are shown: the product behind a number of a query and a key, else its own.
void draw_terms_of(const CheckNumber& number, const Results& of, const LayerSpec& layer, const char* whose,
                   ImU32 ink) {
  Flow& flow = number.flow;
  const StageIndex index = number.of_pair() ? number.places().scores : number.stage;
  const Spot spot{number.results.graph.stages[index].id, number.spot.cell};
  if (!exists(of, spot)) return;
  const Opened opened = open(of, spot);
  if (opened.lines.empty()) return;
  const bool product = number.of_pair() && number.places().factors;
  add_text(flow, std::string(whose) + (product ? ": " + read_words(number, layer) : ""), ink,
           flow.theme().fonts.small);
  const CompactScope compact(flow, flow.px(kTableRoom));
  draw_products(flow, opened, product ? flow.theme().query : flow.theme().text,
                product ? flow.theme().key : flow.theme().text);
}

// Whether its terms are those of yours: not of what was written before heads were cut.
bool has_terms_of_yours(const CheckNumber& number) {
  const auto* stages = number.mistaken ? mistaken_stages(number.flow.frame) : nullptr;
  if (!stages) return number.mistaken != nullptr;
  const auto shown = std::ranges::find(*stages, number.spot.stage, [](const CheckedStage& stage) {
    return std::string_view(stage.verdict.id);
  });
  if (shown == stages->end() || shown->ours.empty()) return true;
  const StageResult made = number.mistaken->result(number.spot.stage);
  return !made.here() || made.whole().id() == shown->ours.id();
}

}  // namespace

std::optional<double> scale_of(const Results& results, Cell cell) {
  const auto& places = results.graph.parts.front().stages;
  for (StageIndex i = 0; places && i < results.graph.stages.size(); ++i) {
    const Stage& stage = results.graph.stages[i];
    const bool scaled = stage.role == Role::score && stage.inputs == std::vector<StageIndex>{places->scores};
    if (!scaled || !is_known(results, i, cell)) continue;
    const Explanation made = explain(results, i, cell);
    for (const Term& term : made.terms)
      for (const Operand& operand : term.operands)
        if (operand.input < 0) return operand.value;
  }
  return std::nullopt;
}

void draw_number_table(const CheckNumber& number) {
  Flow& flow = number.flow;
  const Theme& theme = flow.theme();
  const std::vector<NumberLine> lines = number_lines(number);
  const CompactScope compact(flow, flow.px(kTableRoom));
  int decimals = compact ? kDecimals - 1 : kDecimals;
  while (decimals > 1 && widest(lines, decimals) > flow.width() * kNarrowestColumn) --decimals;
  ImGui::PushFont(theme.fonts.small);
  const bool wide = text_width("difference") < flow.width() * 0.2f;
  put_table_line(flow, "", theme.text, {"yours", "ours", wide ? "difference" : "diff"},
                 {theme.key, theme.query, theme.dim});
  ImGui::PopFont();
  for (const NumberLine& line : lines) {
    const auto apart = apart_of(line);
    put_table_line(
        flow, line.name, line.pinned ? theme.text : theme.dim,
        {table_text(line.yours, decimals), table_text(line.ours, decimals), table_text(apart, decimals)},
        {theme.text, theme.text, line.pinned ? theme.warning : theme.dim});
  }
}

void draw_number_terms(const CheckNumber& number) {
  const bool product = number.of_pair() && number.places().factors;
  if (number.of_pair() && !product) return;
  add_heading(number.flow, product ? "q · k, term by term" : "Term by term");
  ImGui::PushID("yours");
  if (has_terms_of_yours(number))
    draw_terms_of(number, *number.mistaken, number.mistaken->document.layer(), "yours",
                  number.flow.theme().key);
  ImGui::PopID();
  ImGui::PushID("ours");
  draw_terms_of(number, number.results, number.results.document.layer(), "ours", number.flow.theme().query);
  ImGui::PopID();
}

void draw_number_words(const CheckNumber& number) {
  Flow& flow = number.flow;
  if (!number.tried) return;
  add_heading(flow, "In words");
  std::string words;
  for (const std::string& word : number.tried->words)
    if (const Mistake* mistake = find_mistake(word))
      words += (words.empty() ? "" : " ") + std::string(mistake->sentence);
  const auto yours = number.yours(number.own(), number.spot.cell),
             ours = number.ours(number.own(), number.spot.cell);
  if (yours && ours && write(*yours, {kDecimals, false}) != write(*ours, {kDecimals, false}))
    words += " Here " + write(*yours, {kDecimals, false}) + " stands where " +
             write(*ours, {kDecimals, false}) + " should.";
  add_text(flow, words, flow.theme().text, flow.theme().fonts.small);
}

}  // namespace attn
