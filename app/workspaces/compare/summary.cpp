// Two layers in numbers: a sentence, the stage where they part, figures of their weights, the rows.
#include "app/workspaces/compare/summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/cells/cell_layout.h"
#include "app/inspector/inspector_numbers.h"
#include "app/theme/toolkit.h"
#include "app/widgets/bars.h"
#include "core/checks/stage_pairs.h"

namespace attn {
namespace {

using namespace inspector;

constexpr std::size_t kMostRows = 12;
constexpr double kMost = 999;  // of a share in percent; more is told as a multiple

std::string digits_of(double value, int decimals) {
  return write(value, {decimals, false});
}

// "Causal mask", "No difference".
std::string title_of(const Document& document) {
  const auto differences = differences_from_a(document, compared_address(document));
  if (differences.empty()) return "No difference";
  std::string title = differences[0].b;
  if (title[0] >= 'a' && title[0] <= 'z') title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return differences.size() == 1 ? title : title + " + " + std::to_string(differences.size() - 1);
}

// How many query–key pairs one layer hides and the other does not, of all heads.
CellCounts hidden_pairs(const Graph& graph, const CompareFigures& figures) {
  for (std::size_t i = 0; i < figures.stages.size(); ++i)
    if (const CellCounts& counts = figures.counts[i];
        graph.stages[figures.stages[i].either()].role == Role::score && counts.hidden + counts.freed > 0)
      return counts;
  return {};
}

class Sentence {
 public:
  // Numbers stand out between words.
  Sentence& say(const std::string& words) { return add(words, Role::plain); }
  Sentence& number(const std::string& words) { return add(words, Role::key); }
  bool empty() const { return pieces_.empty(); }
  const std::vector<ColouredText>& pieces() const { return pieces_; }

 private:
  Sentence& add(const std::string& words, Role role) {
    pieces_.push_back({words, role});
    return *this;
  }
  std::vector<ColouredText> pieces_ = {};
};

std::string part_of_all(std::size_t some, std::size_t all) {
  return std::to_string(some) + " of " + std::to_string(all);
}

void say_what_hides(Sentence& sentence, const Document& document, const Graph& graph,
                    const CompareFigures& figures) {
  const CellCounts pairs = hidden_pairs(graph, figures);
  const std::string name = compared_name(document);
  if (pairs.hidden > 0)
    sentence.say(name + " hides ").number(part_of_all(pairs.hidden, pairs.cells)).say(" query–key pairs. ");
  if (pairs.freed > 0)
    sentence.say(name + " shows ")
        .number(part_of_all(pairs.freed, pairs.cells))
        .say(" query–key pairs that A hides. ");
}

void say_what_moves(Sentence& sentence, const CompareFigures& figures) {
  if (figures.weights && figures.rows > 0) {
    const std::size_t others = figures.rows - figures.same_strongest;
    const std::string thing = figures.head_largest.size() > 1 ? " rows, over all heads," : " tokens";
    sentence.number(part_of_all(others, figures.rows))
        .say(thing +
             (others == 1 ? " now attends most to another word" : " now attend most to another word"));
  }
  if (!figures.output) return sentence.empty() ? void() : void(sentence.say("."));
  const double moved = 100 * figures.output_distance;
  sentence.say(sentence.empty() ? "The output" : "; the output");
  if (moved == 0)
    sentence.say(" stays as it is.");
  else if (std::isfinite(moved) && moved <= kMost)
    sentence.say(" moves by ")
        .number((moved < 0.1 ? write(moved) : digits_of(moved, moved < 10 ? 1 : 0)) + " %")
        .say(" of A’s size.");
  else
    sentence.say(std::isfinite(moved) ? " moves by many times A’s size." : " is not finite in one of them.");
}

void draw_where_they_part(Flow& flow, const Results& results, const CompareFigures& figures) {
  const Theme& theme = flow.theme();
  add_heading(flow, "Where they part");
  const auto place = first_on_screen(flow.frame, figures);
  if (!place) return add_text(flow, "equal at every stage", theme.good);
  const ComparedStage& row = figures.stages[*place];
  const Stage& stage = results.graph.stages[row.either()];
  const Rect line = add_pair(flow, "first stage", stage.title, theme.text, theme.bad);
  const std::size_t at = row.difference ? figures.differences[*place]->first : 0;
  press_to_open(flow, "part " + stage.id, line, Spot{stage.id, cell_at(stage.shape, at)});
  add_text(flow, first_words(results, figures, *place), theme.dim, theme.fonts.small);
  for (const LayerDifference& one :
       differences_from_a(results.document, compared_address(results.document))) {
    add_fact(flow, "why", one.b, theme.text);
    break;
  }
}

void draw_in_all(Flow& flow, const Results& results, const CompareFigures& figures) {
  if (!figures.weights && !figures.output) return;
  const Theme& theme = flow.theme();
  add_heading(flow, "In all");
  if (figures.weights) {
    const ArrayDifference& weights = *figures.differences[*figures.weights];
    const ComparedStage& row = figures.stages[*figures.weights];
    const Rect line = add_pair(flow, "largest |B − A|, weights", digits_of(weights.largest, 4), theme.text,
                               std::isfinite(weights.largest) ? theme.text : theme.bad);
    const Stage& stage = results.graph.stages[*row.a];
    press_to_open(flow, "largest", line, Spot{stage.id, cell_at(stage.shape, weights.at)});
    add_fact(flow, "mean |B − A|, weights", digits_of(weights.mean, 4), theme.text);
    add_fact(flow, "entropy, nats", digits_of(figures.entropy_a, 3) + " → " + digits_of(figures.entropy_b, 3),
             theme.text);
    add_fact(flow, "same strongest key", part_of_all(figures.same_strongest, figures.rows) + " rows",
             theme.text);
  }
  if (figures.output)
    add_fact(flow, "output, relative", digits_of(figures.output_distance, 3),
             std::isfinite(figures.output_distance) ? theme.text : theme.bad);
}

// A row's weight that is on other keys in B, as a bar that leads to the row.
void draw_moved_row(Flow& flow, const Stage& stage, std::span<const double> moved, std::size_t row,
                    std::size_t head) {
  const Theme& theme = flow.theme();
  const Rect line = add_line(flow);
  const float name = line.min.x + line.width() * 0.2f, end = line.max.x - flow.px(62);
  const float middle = (line.min.y + line.max.y) / 2, half = flow.px(6);
  put_elided(flow, {line.min, {name - flow.px(6), line.max.y}}, axis_label(stage.rows, row), theme.text, 1);
  if (moved[row] > 0)
    draw_bar(flow.list, {{name, middle - half}, {end, middle + half}}, std::clamp(moved[row], 0.0, 1.0), 0,
             theme.warning, theme);
  const double value = moved[row];
  put(flow, line, value == 0 ? "0" : digits_of(value, 3), theme.dim, 1);
  press_to_open(flow, "moved " + std::to_string(row), line, Spot{stage.id, {head, row, 0}});
}

// Of the head on screen; of many rows those where most moves first.
void draw_moved(Flow& flow, const Results& results, const CompareFigures& figures) {
  if (!figures.weights || figures.moved.empty()) return;
  const Stage& stage = results.graph.stages[*figures.stages[*figures.weights].a];
  const std::size_t rows = stage.shape.rows;
  const std::size_t head = std::min(flow.frame.view.layer.head, stage.shape.stack - 1);
  const auto moved = std::span(figures.moved).subspan(head * rows, rows);
  std::vector<std::size_t> shown(rows);
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  if (rows > kMostRows)
    std::ranges::stable_sort(shown, [&](std::size_t a, std::size_t b) { return moved[a] > moved[b]; });
  shown.resize(shown_of("more rows", rows, kMostRows));
  const std::string of = stage.shape.stack > 1 ? ", head " + std::to_string(head) : "";
  add_heading(flow, ("Weight moved, by row" + of).c_str());
  for (const std::size_t row : shown)
    if (!passes_line(flow)) draw_moved_row(flow, stage, moved, row, head);
  add_more(flow, "more rows", rows, kMostRows);
}

}  // namespace

void draw_summary(Flow& flow, const Results& results, const CompareFigures& figures) {
  add_text(flow, title_of(results.document), flow.theme().text, flow.theme().fonts.large);
  Sentence sentence;
  say_what_hides(sentence, results.document, results.graph, figures);
  say_what_moves(sentence, figures);
  if (!sentence.empty()) add_pieces(flow, sentence.pieces());
}

void draw_wholes(Flow& flow, const Results& results, const CompareFigures& figures) {
  draw_where_they_part(flow, results, figures);
  draw_in_all(flow, results, figures);
  draw_moved(flow, results, figures);
}

}  // namespace attn
