// The matrix that a command means, as the screen has it, and what is done to it.
#include "app/grid_commands.h"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "app/application.h"
#include "app/widgets/cell_marks.h"
#include "core/edit.h"
#include "core/error.h"
#include "core/io/matrix_text.h"

namespace attn {
namespace {

constexpr std::size_t kReadAtOnce = std::size_t{1} << 15;  // bytes of text: a millisecond or two

constexpr const char* kNothing = "point at a matrix or click one of its numbers first";

// A matrix on screen, or a block of it.
struct Target {
  std::string stage, title;
  Tensor values;
  Region block = {};
  bool input = false;   // its numbers are the document's
  bool chosen = false;  // several cells are selected
};

std::optional<Spot> spot_of(const View& view) {
  if (view.grid.selection) return view.grid.selection->anchor;
  for (const auto& spot : {view.hovered, view.pinned, view.inspected})
    if (spot) return spot;
  return std::nullopt;
}

std::optional<Target> target_of(const Application& app) {
  const View& view = app.view();
  const auto spot = spot_of(view);
  const std::shared_ptr<const Results> results = app.engine_state().results;
  if (!spot || !results || results->plan != &app.workspace()) return std::nullopt;
  const auto index = results->graph.find(spot->stage);
  if (!index) return std::nullopt;
  const Stage& stage = results->graph.stages[*index];
  const Tensor* given = stage.field.empty() ? nullptr : tensor_of(app.document(), stage.field);
  Target target{.stage = stage.id,
                .title = stage.title,
                .values = given ? *given : results->outputs[*index],
                .input = given != nullptr};
  const Shape shape = target.values.shape();
  if (spot->cell.head >= shape.stack) return std::nullopt;
  if (shape.stack > 1) target.title += " of head " + std::to_string(spot->cell.head);
  target.block = {{spot->cell.head, 0, 0}, {spot->cell.head + 1, shape.rows, shape.columns}};
  const auto& selection = view.grid.selection;
  if (!selection) return target;
  const Region block = block_of(*selection);
  if (block.end.row > shape.rows || block.end.column > shape.columns) return std::nullopt;
  target.block = block;
  target.chosen = !(selection->anchor.cell == selection->cursor);
  return target;
}

// The selected block; where just one cell is selected, the whole matrix.
void widen(Target& target) {
  if (target.chosen) return;
  target.block.begin.row = target.block.begin.column = 0;
  target.block.end.row = target.values.rows(), target.block.end.column = target.values.columns();
}

std::string text_of(const Target& target, TextFormat format) {
  const Region& b = target.block;
  std::vector<float> values;
  for (std::size_t row = b.begin.row; row < b.end.row; ++row)
    for (std::size_t column = b.begin.column; column < b.end.column; ++column)
      values.push_back(target.values[{b.begin.head, row, column}]);
  const Shape shape{1, b.end.row - b.begin.row, b.end.column - b.begin.column};
  return write_matrix(Tensor(shape, std::move(values)), 0, format);
}

void copy(Application& app, TextFormat format, std::string_view name, bool whole) {
  auto target = target_of(app);
  if (!target) return app.say(std::string("nothing is copied: ") + kNothing, true);
  if (whole) widen(*target);
  ImGui::SetClipboardText(text_of(*target, format).c_str());
  const Region& b = target->block;
  const Shape size{1, b.end.row - b.begin.row, b.end.column - b.begin.column};
  app.say(target->title + ", " + to_string(size) + ", copied as " + std::string(name));
}

void paste(Application& app) {
  const auto target = target_of(app);
  if (!target) return app.say(std::string("nothing is pasted: ") + kNothing, true);
  const char* clipboard = ImGui::GetClipboardText();
  const std::string_view text = clipboard ? clipboard : "";
  Region block = target->block;
  Pasting pasting{{target->stage, block.begin}, {}};
  pasting.reading = text.size() > kReadAtOnce;
  if (pasting.reading)
    pasting.text = text;
  else
    pasting.block = parse_block(text);
  TextMatrix& m = pasting.block.matrix;
  // One number goes into every selected cell.
  if (app.view().grid.selection && m.rows == 1 && m.columns == 1) {
    m.rows = block.end.row - block.begin.row, m.columns = block.end.column - block.begin.column;
    m.values.assign(m.rows * m.columns, m.values[0]);
  }
  app.view().grid.pasting = std::move(pasting);
}

// The block to be filled; nothing, and a word why, where there is none.
std::optional<Target> to_be_filled(Application& app) {
  auto target = target_of(app);
  if (!target) {
    app.say(std::string("nothing is filled: ") + kNothing, true);
  } else if (!target->input && !target->chosen) {
    app.say(target->title + " is computed: select the block of it that your numbers should replace", true);
    target.reset();
  } else {
    widen(*target);
  }
  return target;
}

void fill(Application& app, const Target& target, const std::vector<CellValue>& cells) {
  Document document = app.document();
  try {
    set_numbers(document, app.workspace(), target.stage, cells);
    app.change(document);
  } catch (const Error& error) {
    app.say(error.what(), true);
  }
}

void fill_by_formula(Application& app) {
  const auto target = to_be_filled(app);
  if (!target) return;
  const std::string& formula = app.view().grid.fill.formula;
  const auto cells = formula_cells(formula, target->block);
  if (const TextError* error = std::get_if<TextError>(&cells))
    return app.say(formula + ": " + error->message, true);
  fill(app, *target, std::get<std::vector<CellValue>>(cells));
}

std::string in_small_letters(std::string_view name) {
  std::string word(name);
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word;
}

constexpr Shortcut ctrl(int key) {
  return {.key = key, .control = true};
}

void copy_commands(std::vector<Command>& table) {
  const auto tsv = std::ranges::find(kTextFormats, TextFormat::tsv, &TextFormatName::format)->name;
  table.push_back({"edit.copy", "Copy", "Edit", ctrl(GLFW_KEY_C),
                   [tsv](Application& a) { copy(a, TextFormat::tsv, tsv, !a.view().grid.selection); }});
  table.push_back({"edit.copy_whole", "Copy the whole matrix", "Edit", {}, [tsv](Application& a) {
                     copy(a, TextFormat::tsv, tsv, true);
                   }});
  for (const TextFormatName& f : kTextFormats)
    table.push_back({"edit.copy_as." + in_small_letters(f.name),
                     std::string(f.name),
                     "Edit/Copy as",
                     {},
                     [f](Application& a) { copy(a, f.format, f.name, true); }});
  table.push_back({"edit.paste", "Paste…", "Edit", ctrl(GLFW_KEY_V), paste});
}

}  // namespace

std::string title_of(const FillName& fill, const FillChoices& choices) {
  return fill.title + (fill.random ? ", seed " + std::to_string(choices.seed) : std::string());
}

void grid_commands(std::vector<Command>& table, const Application& app) {
  copy_commands(table);
  const FillChoices& choices = app.view().grid.fill;
  for (const FillName& f : kFills)
    table.push_back({std::string("fill.") + f.word,
                     title_of(f, choices),
                     "Edit/Fill with",
                     {},
                     [kind = f.kind](Application& a) {
                       const auto target = to_be_filled(a);
                       const auto seed = static_cast<std::uint64_t>(a.view().grid.fill.seed);
                       if (target) fill(a, *target, fill_cells(kind, seed, target->block));
                     }});
  table.push_back(
      {"fill.formula", choices.formula + " of row i, column j", "Edit/Fill with", {}, fill_by_formula});
}

}  // namespace attn
