// A row of one's own book: typed or pasted, beside what is computed, with where the two part and which known
// mistake makes it.
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/cells/cell_layout.h"
#include "app/inspector/inspector_numbers.h"
#include "app/language/speech.h"
#include "app/lesson/exercises.h"
#include "app/lesson/row_words.h"
#include "app/theme/toolkit.h"
#include "core/lesson/row_origin.h"

namespace attn {
namespace {

using inspector::Flow;

// Of one row against one computation.
struct OwnRowMemo {
  std::weak_ptr<const Results> results = {};
  std::string text = {};
  PrintedRow held_against = {};  // the cells, and what is computed there
  OwnRow row = {};
  RowOrigin origin = {};
  std::size_t bytes() const { return text.capacity() + bytes_of_all(held_against.numbers, row.numbers); }
};

bool same_cells(const LessonCells& a, const LessonCells& b) {
  return a.stage == b.stage && a.head == b.head && a.row == b.row && a.column == b.column;
}

// The row of the cell that a person has pinned, else the first that the text prints.
LessonCells held_against(const ExercisePart& part) {
  const View& view = part.flow.frame.view;
  const LessonCells printed = part.exercise.printed.front().of;
  if (!view.pinned || view.pinned == view.of<LessonView>().pinned) return printed;
  const auto stage = part.live.now->graph.find(view.pinned->stage);
  if (!stage) return printed;
  const Cell cell = view.pinned->cell;
  if (part.live.now->graph.stages[*stage].shape.columns > 1)
    return {.stage = view.pinned->stage, .head = cell.head, .row = cell.row};
  return {.stage = view.pinned->stage, .head = cell.head, .column = cell.column};
}

std::string key_words(const Results& results, const LessonCells& of, std::size_t column) {
  return "“" + axis_label(results.graph.stages[*results.graph.find(of.stage)].columns, column) + "”";
}

std::string three_digits(double value) {
  return inspector::write(value, {3, false});
}

std::string apart_words(const Results& results, const LessonCells& of, const RowOrigin& origin) {
  std::string words = "They part at " + origin.stage;
  if (origin.sum) {
    words += ": a row of weights adds up to 1, yours to " + three_digits(*origin.sum) + ".";
  } else if (origin.gap) {
    const RowGap& gap = *origin.gap;
    words += ". Yours has " + key_words(results, of, gap.larger) + " to " +
             key_words(results, of, gap.smaller) + " as " + three_digits(gap.ratio) +
             " to 1, which needs a gap of " + three_digits(gap.needed) + " between their scores: it is " +
             three_digits(gap.there) + ".";
  } else {
    words += ": what it is made from is as computed here, as far as yours can tell.";
  }
  return words + (origin.mistakes_were_tried ? " No known mistake alone makes it." : "");
}

std::string mistake_words(const RowOrigin& origin) {
  const Mistake& first = *origin.mistakes.front();
  std::string words = "They part at " + origin.stage + ": " + std::string(first.title) +
                      " makes just this row. " + std::string(first.sentence);
  for (std::size_t i = 1; i < origin.mistakes.size(); ++i)
    words += (i == 1 ? " So does: " : ", ") + std::string(origin.mistakes[i]->title);
  return words;
}

std::string origin_words(const Results& results, const LessonCells& of, const RowOrigin& origin) {
  switch (origin.kind) {
    case RowOrigin::same:
      return "✓ what is computed, as far as it is rounded";
    case RowOrigin::mistake:
      return mistake_words(origin);
    case RowOrigin::follows:
      return "They part at " + origin.stage + " already: from the row that the text prints for " +
             row_words(results.graph, origin.cells) + " this one follows.";
    case RowOrigin::elsewhere:
      return "These are the numbers of " + row_words(results.graph, origin.cells) + ".";
    default:
      return apart_words(results, of, origin);
  }
}

// A field, and beside it what takes the clipboard as it is: rows, columns, code.
void draw_field(ExercisePart& part) {
  Flow& flow = part.flow;
  std::string& text = part.answer.own_row;
  flow.y += flow.px(4);
  ImGui::SetCursorScreenPos({flow.left, flow.y});
  ImGui::SetNextItemWidth(flow.width());
  // A spreadsheet's cells have tabs between them; else Tab leads on.
  const bool pastes = ImGui::GetIO().KeyCtrl;
  ImGui::InputTextWithHint("##own row", spoken("a row of your own book").c_str(), &text,
                           pastes ? ImGuiInputTextFlags_AllowTabInput : 0);
  flow.y += ImGui::GetItemRectSize().y + flow.px(6);
  std::vector<std::string> chips{"paste"};
  if (!text.empty()) chips.push_back("clear");
  const auto pressed =
      inspector::add_chips(flow, "own", chips, "numbers of one row, as any program prints them");
  if (pressed == std::size_t{0})
    if (const char* pasted = ImGui::GetClipboardText()) text = pasted;
  if (pressed == std::size_t{1}) text.clear();
}

const OwnRowMemo& own_row_memo(ExercisePart& part, const LessonCells& of) {
  const std::shared_ptr<const Results>& results = part.results;
  OwnRowMemo& memo = part.flow.frame.memos.of<OwnRowMemo>(std::to_string(part.index));
  const bool known = memo.results.lock() == results && memo.text == part.answer.own_row &&
                     same_cells(memo.held_against.of, of);
  if (known) return memo;
  memo = {.results = results,
          .text = part.answer.own_row,
          .held_against = {.of = of, .numbers = {}},
          .row = read_own_row(part.answer.own_row),
          .origin = {}};
  memo.held_against.numbers = computed_row(results.get(), memo.held_against);
  if (memo.row.error.empty() && memo.row.numbers.size() == memo.held_against.numbers.size())
    memo.origin = origin_of(memo.row, of, part.exercise.printed, *results);
  return memo;
}

void draw_rows(ExercisePart& part, const OwnRowMemo& memo) {
  Flow& flow = part.flow;
  const Theme& theme = part.theme();
  const std::vector<double>&yours = memo.row.numbers, &computed = memo.held_against.numbers;
  if (!memo.row.error.empty()) return inspector::add_text(flow, memo.row.error, theme.warning);
  if (yours.size() != computed.size() || yours.empty())
    return inspector::add_text(flow,
                               std::to_string(yours.size()) + (yours.size() == 1 ? " number" : " numbers") +
                                   ", but the row has " + std::to_string(computed.size()),
                               theme.warning);
  double off = 0;
  for (std::size_t i = 0; i < yours.size(); ++i) off = std::max(off, std::abs(yours[i] - computed[i]));
  const bool same = memo.origin.kind == RowOrigin::same;
  put_row(flow, "yours", yours, same ? theme.text : theme.bad);
  put_row(flow, "computed", computed, theme.good);
  inspector::add_text(flow, "off by " + inspector::write(off, {4, false}), theme.dim);
  inspector::add_text(flow, origin_words(*part.live.now, memo.held_against.of, memo.origin),
                      same ? theme.good : theme.text);
}

}  // namespace

void draw_own_row(ExercisePart& part) {
  Flow& flow = part.flow;
  // Nobody types on a projector.
  if (!part.results || std::as_const(flow.frame.view).of<LessonView>().slide.on) return;
  draw_field(part);
  const LessonCells of = held_against(part);
  ImGui::PushFont(part.theme().fonts.small);
  inspector::add_text(
      flow, "against " + row_words(part.live.now->graph, of) + "; click a cell on the canvas for its row",
      part.theme().dim);
  if (!part.answer.own_row.empty()) draw_rows(part, own_row_memo(part, of));
  ImGui::PopFont();
}

}  // namespace attn
