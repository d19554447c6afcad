// Steps out of what is open and looked at.
#include "app/program/lesson_recorder.h"

#include <algorithm>
#include <filesystem>

#include "app/frame/look.h"
#include "app/program/input.h"
#include "app/program/lesson_state.h"
#include "core/io/session.h"
#include "core/lesson/document_sets.h"
#include "core/lesson/write_lesson.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSaySomething = "Say what is seen here.";
constexpr const char* kBesideEnding = ".attention.json";
constexpr std::size_t kMostNamed = 64;  // cells that are named one by one; of more their rows are

// As a player has it before the first step.
View fresh_view(std::span<const Workspace> workspaces) {
  View view;
  view.workspace = &workspaces.front();
  for (const Workspace& workspace : workspaces) view.canvases[&workspace];
  return view;
}

// From where the step gets its document: sets, an example, or a session.
void take_document(RecordedStep& step, const RecordedStep* before, const std::string& made_from,
                   const Workspace& workspace) {
  const auto from = [&](const Document& start, const std::string& opened) {
    auto sets = sets_between(start, step.document, workspace);
    if (!sets) return false;
    step.keys.open = opened, step.keys.sets = std::move(*sets);
    return true;
  };
  if (before && before->document == step.document) return;
  const std::string is = example_of(step.document);
  if (!is.empty()) return void(step.keys.open = is);
  if (before && from(before->document, {})) return;
  const std::vector<std::string> known = examples();
  if (std::ranges::count(known, made_from) > 0 && from(read_document(made_from), made_from)) return;
  step.beside = true;
}

// Without the number that is pinned elsewhere: the workspace on screen does not have it.
View without_strangers(View view, const Document& document) {
  if (!view.pinned) return view;
  const Graph graph = graph_of(*view.workspace, document);
  const auto stage = graph.find(view.pinned->stage);
  if (!stage || !holds(graph.stages[*stage].shape, view.pinned->cell)) view.pinned.reset();
  return view;
}

// Looks add up, and no word takes one back: where the step's own words do not lead there from the look of the
// step before, they are said afresh.
void take_look(RecordedStep& step, const View& before, const View& now,
               std::span<const Workspace> workspaces) {
  const std::string words = looked_at(now, step.document, workspaces);
  if (before.workspace == now.workspace && looked_at(before, step.document, workspaces) == words) return;
  View played = before;
  Document same = step.document;
  look(words, same, played, workspaces);
  const bool adds = looked_at(played, step.document, workspaces) == words;
  step.keys.look = (adds ? "" : std::string(kAfresh) + " ") + words;
}

// Of one head; where few cells are between other ones each, else whole rows.
std::vector<LessonCells> cells_of(const Selection& selection, const Shape& shape) {
  const Cell a = selection.anchor.cell, b = selection.cursor;
  const auto [top, bottom] = std::minmax({a.row, std::min(b.row, shape.rows - 1)});
  const auto [left, right] = std::minmax({a.column, std::min(b.column, shape.columns - 1)});
  const bool all_rows = top == 0 && bottom + 1 == shape.rows;
  const bool all_columns = left == 0 && right + 1 == shape.columns;
  const LessonCells matrix{.stage = selection.anchor.stage, .head = a.head};
  if (all_rows && all_columns) return {shape.stack == 1 ? LessonCells{.stage = matrix.stage} : matrix};
  const bool by_row = all_columns || (!all_rows && (bottom - top + 1) * (right - left + 1) > kMostNamed);
  std::vector<LessonCells> cells;
  if (by_row) {
    for (std::size_t row = top; row <= bottom; ++row) cells.push_back(matrix), cells.back().row = row;
  } else if (all_rows) {
    for (std::size_t column = left; column <= right; ++column)
      cells.push_back(matrix), cells.back().column = column;
  } else {
    for (std::size_t row = top; row <= bottom; ++row)
      for (std::size_t column = left; column <= right; ++column)
        cells.push_back({.stage = matrix.stage, .head = a.head, .row = row, .column = column});
  }
  return cells;
}

// What is selected, else the number that is pinned, where the workspace on screen has it.
std::vector<LessonCells> lit_of(const View& view, const Graph& graph) {
  const auto& selection = view.grid.selection;
  if (!selection && !view.pinned) return {};
  const Selection chosen = selection ? *selection : Selection{*view.pinned, view.pinned->cell};
  const auto stage = graph.find(chosen.anchor.stage);
  if (!stage || !holds(graph.stages[*stage].shape, chosen.anchor.cell)) return {};
  return cells_of(chosen, graph.stages[*stage].shape);
}

// "mine" of mine.lesson.md and mine.md.
std::string lesson_stem(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.ends_with(kLessonFileEnding)
             ? name.substr(0, name.size() - std::string(kLessonFileEnding).size())
             : file.stem().string();
}

// Free, or of a session that holds the same.
std::string session_name(const fs::path& folder, const std::string& stem, std::size_t step,
                         const std::string& session) {
  for (int i = 1;; ++i) {
    const std::string name =
        stem + "-" + std::to_string(step + 1) + (i == 1 ? "" : "-" + std::to_string(i)) + kBesideEnding;
    std::error_code unknown;
    if (!fs::exists(folder / name, unknown)) return name;
    if (mark_of_file(folder / name) == mark_of(session)) return name;
  }
}

LessonStep with_words(const RecordedStep& step, std::size_t index) {
  try {
    LessonStep whole = read_step_words(step.title, step.words);
    whole.open = step.beside ? kBesideEnding : step.keys.open;  // whose name comes with the file
    whole.sets = step.keys.sets;
    whole.look = step.keys.look, whole.lit = step.keys.lit;
    return whole;
  } catch (const Error& error) {
    throw Error("step " + std::to_string(index + 1) + ": " + error.what());
  }
}

}  // namespace

std::string looked_at(const View& view, const Document& document, std::span<const Workspace> workspaces) {
  const std::string words = look_of(without_strangers(view, document), workspaces);
  return words.substr(0, words.find(';'));
}

RecordingView begun_recording() {
  return {.on = true, .title = "A lesson", .goal = "You can say what is seen here."};
}

void record_step(RecordingView& recording, const Document& document, const View& view,
                 const std::string& made_from, std::span<const Workspace> workspaces) {
  const RecordedStep* before = recording.steps.empty() ? nullptr : &recording.steps.back();
  RecordedStep step{.title = "Step " + std::to_string(recording.steps.size() + 1),
                    .words = kSaySomething,
                    .document = document};
  take_document(step, before, made_from, *view.workspace);
  View played = before ? *before->view : fresh_view(workspaces);
  take_look(step, played, view, workspaces);
  step.keys.lit = lit_of(view, graph_of(*view.workspace, document));
  Document replayed = step.beside ? document : before ? before->document : Document();
  enter_step(step.keys, replayed, played, workspaces);
  if (!(replayed == document)) throw Error("this step cannot be recorded: it would be played otherwise");
  step.view = std::make_shared<const View>(std::move(played));
  recording.steps.push_back(std::move(step));
  recording.chosen = recording.steps.size() - 1;
}

std::string lesson_path(const std::string& path) {
  return path.ends_with(".md") ? path : path + kLessonFileEnding;
}

std::string save_recording(const RecordingView& recording, const std::string& path) {
  if (recording.title.empty()) throw Error("the lesson has no title yet");
  if (recording.goal.empty()) throw Error("the lesson has no goal yet: what one can say or do afterwards");
  const std::string file = full_path(lesson_path(path));
  const fs::path folder = fs::path(file).parent_path();
  Lesson lesson{.name = lesson_stem(file),
                .title = recording.title,
                .goal = recording.goal,
                .chapter = {},
                .steps = {}};
  for (std::size_t i = 0; i < recording.steps.size(); ++i)
    lesson.steps.push_back(with_words(recording.steps[i], i));
  parse_lesson(lesson.name, write_lesson(lesson));  // what is refused is said before anything is written
  for (std::size_t i = 0; i < recording.steps.size(); ++i) {
    if (!recording.steps[i].beside) continue;
    std::string& open = lesson.steps[i].open;
    const std::string session =
        write_session(recording.steps[i].document, {}, session_files(file, FileUse::copied));
    open = session_name(folder, lesson.name, i, session);
    write_file(folder / open, session);
  }
  write_file(file, write_lesson(lesson));
  return file;
}

}  // namespace attn
