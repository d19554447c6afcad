// The words of the present step: larger than anything below them.
#include "app/inspector/step_panel.h"

#include <algorithm>
#include <cmath>

#include "app/frame/workspace.h"
#include "app/inspector/inspector_numbers.h"
#include "app/language/speech.h"
#include "app/theme/toolkit.h"
#include "app/widgets/bars.h"
#include "app/widgets/glossary.h"
#include "app/widgets/words.h"
#include "core/checks/checks.h"

namespace attn::inspector {
namespace {

constexpr std::size_t kMostCells = 12;  // of a row that is shown
constexpr float kCell = 23, kLabel = 62;

// Of a sentence: what no line breaks within, with the space before it; in several colours where a fact stands
// right behind a bracket.
struct WordPart {
  std::string text;
  ImU32 colour;
  const ImFont* font;
};
using SentenceWord = std::vector<WordPart>;

std::vector<SentenceWord> words_of(const Theme& theme, const std::string& lead,
                                   const std::vector<ColouredText>& pieces, const ImFont* font) {
  std::vector<SentenceWord> words;
  const auto add = [&](const std::string& text, ImU32 colour, const ImFont* with) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(' ', begin + 1), text.size());
      if (words.empty() || text[begin] == ' ' || words.back().back().text.ends_with(' '))
        words.emplace_back();
      words.back().push_back({text.substr(begin, end - begin), colour, with});
      begin = end;
    }
  };
  if (!lead.empty()) add(spoken(lead) + " ", theme.text, theme.fonts.bold);
  for (const ColouredText& piece : pieces)
    add(spoken(piece.text), piece.role == Role::plain ? theme.text : role_colour(theme, piece.role), font);
  return words;
}

std::string count_of(const Frame& frame, const StepChip& chip) {
  const auto place = &chip - frame.steps.data();
  return "step " + std::to_string(place + 1) + " of " + std::to_string(frame.steps.size());
}

void draw_step_title(Flow& flow, const StepChip& chip) {
  const Theme& theme = flow.theme();
  const ImFont* font = theme.fonts.title;
  const std::string count = count_of(flow.frame, chip);
  const float counted = attn::text_width(theme.fonts.body, count);
  const bool one_line = attn::text_width(font, chip.words->title) + flow.px(10) + counted <= flow.width();
  const std::string title = wrapped(font, chip.words->title, flow.width());
  draw_text(flow.list, font, {flow.left, flow.y}, theme.text, title);
  flow.y += font_size(font) * static_cast<float>(1 + std::ranges::count(title, '\n'));
  const float line = font_size(theme.fonts.body);
  if (!one_line) flow.y += line + flow.px(3);
  draw_text(flow.list, theme.fonts.body, {one_line ? flow.right - counted : flow.left, flow.y - line},
            theme.dim, count);
  flow.y += flow.px(8);
}

// Why, with a bar in the accent's colour at its left.
void draw_why(Flow& flow, const StepLook& look, const StepWords& words) {
  const auto why = filled(words.why, look.facts);
  if (why.empty()) return;
  const float top = flow.y;
  add_sentence(flow, "Why", why, flow.theme().fonts.lead, flow.px(12));
  flow.list.AddRectFilled({flow.left, top}, {flow.left + flow.px(2), flow.y - flow.px(5)},
                          flow.theme().accent);
  flow.y += flow.px(4);
}

// The row of a stage in small cells.
void draw_row_cells(Flow& flow, const Results& results, StageIndex stage, Cell cell, float label) {
  const Theme& theme = flow.theme();
  const StageResult& numbers = results.outputs[stage];
  const std::size_t shown = std::min(numbers.columns(), kMostCells);
  const float left = flow.left + label, width = (flow.right - left) / static_cast<float>(shown);
  const Rect line{{flow.left, flow.y}, {flow.right, flow.y + flow.px(kCell)}};
  draw_text(flow.list, theme.fonts.small,
            {flow.left, flow.y + (flow.px(kCell) - font_size(theme.fonts.small)) / 2}, theme.dim,
            elided(theme.fonts.small, results.graph.stages[stage].title, label - flow.px(6)));
  float range = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    const float number = numbers[{cell.head, cell.row, i}];
    if (std::isfinite(number)) range = std::max(range, std::abs(number));
  }
  const bool shares = results.graph.stages[stage].range == Range::unit;
  const ColourMap map{shares ? theme.weights : MapKind::diverging, shares ? 1 : std::max(range, 1e-9f)};
  for (std::size_t i = 0; i < shown; ++i) {
    const float number = numbers[{cell.head, cell.row, i}], x = left + static_cast<float>(i) * width;
    const ImVec2 min{x + flow.px(1), line.min.y + flow.px(1)}, max{x + width, line.max.y - flow.px(1)};
    const ImU32 colour = std::isfinite(number) ? map_colour(theme, map, number) : theme.masked;
    flow.list.AddRectFilled(min, max, colour, flow.px(2));
    const std::string text = write(static_cast<double>(number), {2, false});
    const float wide = attn::text_width(theme.fonts.small, text);
    if (wide < max.x - min.x)
      draw_text(flow.list, theme.fonts.small,
                {(min.x + max.x - wide) / 2, (min.y + max.y - font_size(theme.fonts.small)) / 2},
                std::isfinite(number) ? ink_on(colour) : theme.dim, text);
    if (i == cell.column) flow.list.AddRect(min, max, theme.outline, flow.px(2), 0, flow.px(1.5f));
  }
  flow.y = line.max.y;
}

// The row before and after, where a step changes it cell by cell.
void draw_rows(Flow& flow, const Results& results, const StepLook& look) {
  if (!look.before || !results.outputs[*look.before].here()) return;
  const float label = flow.px(kLabel);
  draw_row_cells(flow, results, *look.before, look.spot.cell, label);
  draw_row_cells(flow, results, look.stage, look.spot.cell, label);
  flow.y += flow.px(8);
}

// Where there is NaN there is nothing else to look at.
void draw_nan(Flow& flow, const Results& results, const StageFaults& nan) {
  const Stage& stage = results.graph.stages[nan.stage];
  const std::string count = std::to_string(nan.nan) + (nan.nan == 1 ? " number" : " numbers");
  const float top = flow.y;
  add_sentence(flow, "NaN", {{"comes first in "}, {stage.title, stage.role}, {": " + count + "."}},
               flow.theme().fonts.lead);
  press_to_open(flow, "first NaN", {{flow.left, top}, {flow.right, flow.y}}, Spot{stage.id, nan.first});
}

// The row's weights now, and as the step's mistake would leave them.
void draw_mistake_bars(Flow& flow, const Results& results, const StepLook& look, const LayerChange& change) {
  const Theme& theme = flow.theme();
  if (!look.mistake) return;
  const Tensor& weights = results.outputs[*look.weights].whole();
  const Stage& stage = results.graph.stages[*look.weights];
  const auto [head, row, moved] = *look.mistake;
  const std::string whose =
      row == look.spot.cell.row ? "its weights" : "weights of row " + quoted(stage.rows, row);
  add_text(flow, whose + " now, and with " + std::string(change.title), theme.dim, theme.fonts.small);
  std::size_t shown = 0;
  for (std::size_t key = 0; key < weights.columns() && shown < kMostCells; ++key) {
    const double now = static_cast<double>(weights[{head, row, key}]);
    const double then = static_cast<double>((*look.then)[{head, row, key}]);
    if (now == 0 && then == 0) continue;
    ++shown;
    const Rect line = add_line(flow);
    const float label = flow.px(50), numbers = flow.px(84), half = line.height() / 2;
    put_elided(flow, {line.min, {line.min.x + label, line.max.y}}, attn::inspector::label(stage.columns, key),
               theme.text);
    const float left = line.min.x + label + flow.px(6), right = line.max.x - numbers;
    draw_bar(flow.list, {{left, line.min.y + flow.px(3)}, {right, line.min.y + half - flow.px(1)}}, now, 0,
             role_colour(theme, Role::weights), theme);
    draw_bar(flow.list, {{left, line.min.y + half + flow.px(1)}, {right, line.max.y - flow.px(3)}}, then, 0,
             mix(theme.panel, role_colour(theme, Role::key), 0.6f), theme);
    put(flow, line, write(now, {2, false}) + " → " + write(then, {2, false}), theme.dim, 1);
  }
  flow.y += flow.px(6);
}

// Where to read on, and the mistake to try.
void draw_ways_on(Flow& flow, const StepWords& words) {
  Frame& frame = flow.frame;
  const auto to = std::ranges::find(frame.workspaces, words.workspace, &Workspace::name);
  const std::string breaks = "layer.break." + words.mistake;
  const auto command = std::ranges::find(frame.table, breaks, &Command::name);
  std::vector<std::string> labels;
  if (to != frame.workspaces.end() && &*to != &frame.workspace) labels.push_back(words.lead);
  const std::size_t leads = labels.size();
  if (command != frame.table.end() && command->enabled)
    labels.push_back((command->checked ? "mend it: " : "break it: ") +
                     std::string(find_change(mistakes(), words.mistake)->title));
  if (labels.empty()) return;
  const auto pressed = add_chips(flow, "step", labels, "");
  if (!pressed) return;
  if (*pressed < leads)
    frame.asks.emplace_back(ShowWorkspace{&*to});
  else
    frame.commands.push_back(breaks);
}

}  // namespace

void add_sentence(Flow& flow, const std::string& lead, const std::vector<ColouredText>& pieces, ImFont* font,
                  float inset) {
  const Theme& theme = flow.theme();
  const float left = flow.left + inset, line = font_size(font) + flow.px(4);
  float x = left;
  for (const SentenceWord& word : words_of(theme, lead, pieces, font)) {
    float width = 0;
    for (const WordPart& part : word) width += drawn_width(part.font, part.text);
    const bool breaks = x + width > flow.right && x > left;
    if (breaks) x = left, flow.y += line;
    for (const WordPart& part : word) {
      const std::string text =
          breaks && &part == &word.front() && part.text.front() == ' ' ? part.text.substr(1) : part.text;
      draw_as_is(flow.list, part.font, {x, flow.y}, part.colour, text);
      explain_words(flow.frame, flow.list, part.font, {x, flow.y}, text);
      x += drawn_width(part.font, text);
    }
  }
  flow.y += line + flow.px(5);
}

void add_what_to_look_at(Flow& flow, const Results& results, const StepWords& words, const StepLook& look) {
  if (look.nan) return draw_nan(flow, results, *look.nan);
  const auto sentence = filled(words.look, look.facts);
  if (!sentence.empty()) add_sentence(flow, "Look at", sentence, flow.theme().fonts.lead);
}

void draw_step_words(Flow& flow, const StepChip& chip, const StepLook& look) {
  const StepWords& words = *chip.words;
  const Results& results = *flow.frame.results;
  draw_step_title(flow, chip);
  add_sentence(flow, "", filled(words.what, look.facts), flow.theme().fonts.lead);
  flow.y += flow.px(2);
  draw_why(flow, look, words);
  add_what_to_look_at(flow, results, words, look);
  draw_rows(flow, results, look);
  if (const LayerChange* change = find_change(mistakes(), words.mistake))
    draw_mistake_bars(flow, results, look, *change);
  draw_ways_on(flow, words);
  flow.y += flow.px(8);
  flow.list.AddLine({flow.left, flow.y}, {flow.right, flow.y}, flow.theme().border);
  flow.y += flow.px(12);
}

}  // namespace attn::inspector
