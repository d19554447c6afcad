// The matrix that a command means, as the screen has it, and what is done to it.
#include "app/cells/grid_commands.h"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "app/cells/cell_marks.h"
#include "app/frame/desk.h"
#include "app/frame/shown_numbers.h"
#include "app/frame/workspace.h"
#include "core/document/edit.h"
#include "core/io/matrix_text.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr std::size_t kReadAtOnce = std::size_t{1} << 15;  // bytes of text: a millisecond or two

constexpr const char* kNothing = "point at a matrix or click one of its numbers first";

// What of a matrix is meant.
enum class Extent {
  selected,  // the selected cells, one too; else the whole
  block,     // several selected cells, else the whole
  whole
};

Shape size_of(const Region& block) {
  return {1, block.end.row - block.begin.row, block.end.column - block.begin.column};
}

// A matrix on screen, and what is selected of it.
struct Target {
  std::string stage, title;
  Tensor values;
  std::size_t head = 0;
  std::optional<Selection> selection = {};
  bool input = false;          // its numbers are the document's
  std::string read_only = {};  // why none of them can be set

  bool one_cell() const { return selection && selection->anchor.cell == selection->cursor; }
  Region part(Extent extent) const {
    if (extent == Extent::selected && selection) return block_of(*selection);
    return block_or_whole(extent == Extent::whole || !selection ? nullptr : &*selection, head,
                          values.shape());
  }
};

// A matrix that shows another head is not meant: nobody sees what would be done to this one.
bool is_shown(const View& view, const Spot& spot) {
  const auto head = view.grid.heads.find(spot.stage);
  return head == view.grid.heads.end() || head->second == spot.cell.head;
}

std::optional<Spot> spot_of(const View& view) {
  const auto& selection = view.grid.selection;
  for (const auto& spot : {selection ? std::optional(selection->anchor) : std::nullopt, view.hovered,
                           view.pinned, view.inspected})
    if (spot && is_shown(view, *spot)) return spot;
  return std::nullopt;
}

std::optional<Target> target_of(const Desk& desk) {
  const View& view = desk.view;
  const auto spot = spot_of(view);
  const std::shared_ptr<const Results> results = desk.engine.results;
  if (!spot || !results || results->plan != &desk.workspace) return std::nullopt;
  const auto index = results->graph.find(spot->stage);
  if (!index) return std::nullopt;
  const Stage& stage = results->graph.stages[*index];
  const Tensor* given = stage.field.empty() ? nullptr : tensor_of(desk.draft, stage.field);
  Target target{.stage = stage.id,
                .title = stage.title,
                .values = shown_numbers(results->graph, *index, desk.draft, results.get()),
                .head = spot->cell.head,
                .input = given != nullptr,
                .read_only = stage.read_only};
  const Shape shape = target.values.shape();
  if (target.head >= shape.stack) return std::nullopt;
  const auto& selection = view.grid.selection;
  if (!selection || !(selection->anchor == *spot)) return target;
  const Region block = block_of(*selection);
  if (block.end.row > shape.rows || block.end.column > shape.columns) return std::nullopt;
  target.selection = selection;
  return target;
}

std::string text_of(const Tensor& values, const Region& b, TextFormat format) {
  std::vector<float> numbers;
  for (std::size_t row = b.begin.row; row < b.end.row; ++row)
    for (std::size_t column = b.begin.column; column < b.end.column; ++column)
      numbers.push_back(values[{b.begin.head, row, column}]);
  return write_matrix(Tensor(size_of(b), std::move(numbers)), 0, format);
}

void copy(Desk& desk, const TextFormatName& format, Extent extent) {
  const auto target = target_of(desk);
  if (!target) throw Error(std::string("nothing is copied: ") + kNothing);
  desk.view.say(copy_block(target->title, target->values, target->part(extent), format));
}

void paste_clipboard(Desk& desk) {
  const auto target = target_of(desk);
  if (desk.workspace.takes == ImportKind::points && !(target && target->selection)) {
    const char* points = ImGui::GetClipboardText();
    desk.asks.emplace_back(ReadPoints{points ? points : ""});
    return;
  }
  if (!target) throw Error(std::string("nothing is pasted: ") + kNothing);
  if (!target->read_only.empty()) throw Error(target->read_only);
  const char* clipboard = ImGui::GetClipboardText();
  const std::string_view text = clipboard ? clipboard : "";
  const Region block = target->part(Extent::selected);
  Pasting pasting{{target->stage, block.begin}, {}};
  pasting.reading = text.size() > kReadAtOnce;
  if (pasting.reading)
    pasting.text = text;
  else
    pasting.block = parse_block(text);
  TextMatrix& m = pasting.block.matrix;
  // One number goes into every selected cell.
  if (target->selection && m.rows == 1 && m.columns == 1) {
    m.rows = block.end.row - block.begin.row, m.columns = block.end.column - block.begin.column;
    m.values.assign(m.rows * m.columns, m.values[0]);
  }
  desk.view.grid.pasting = std::move(pasting);
}

// The matrix to be filled. Throws Error that says why where there is none.
Target to_be_filled(Desk& desk) {
  auto target = target_of(desk);
  if (!target) throw Error(std::string("nothing is filled: ") + kNothing);
  if (!target->read_only.empty()) throw Error(target->read_only);
  if (!target->input && (!target->selection || target->one_cell()))
    throw Error(target->title + " is computed: select the block of it that your numbers should replace");
  return *std::move(target);
}

void fill(Desk& desk, const Target& target, const std::vector<CellValue>& cells) {
  set_numbers(desk.draft, desk.workspace, target.stage, cells);
}

void fill_target_by_formula(Desk& desk) {
  const Target target = to_be_filled(desk);
  const std::string& formula = desk.view.grid.fill.formula;
  const auto cells = formula_cells(formula, target.part(Extent::block));
  if (const TextError* error = std::get_if<TextError>(&cells)) throw Error(formula + ": " + error->message);
  fill(desk, target, std::get<std::vector<CellValue>>(cells));
}

std::string in_small_letters(std::string_view name) {
  std::string word(name);
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word;
}

void copy_commands(std::vector<Command>& table) {
  const TextFormatName& tsv = *std::ranges::find(kTextFormats, TextFormat::tsv, &TextFormatName::format);
  table.push_back({.name = "edit.copy",
                   .title = "Copy",
                   .menu = "Edit",
                   .shortcut = ctrl(GLFW_KEY_C),
                   .run = [tsv](Desk& desk) { copy(desk, tsv, Extent::selected); }});
  table.push_back(
      {.name = "edit.copy_whole", .title = "Copy the whole matrix", .menu = "Edit", .run = [tsv](Desk& desk) {
         copy(desk, tsv, Extent::whole);
       }});
  for (const TextFormatName& f : kTextFormats)
    table.push_back({.name = "edit.copy_as." + in_small_letters(f.name),
                     .title = std::string(f.name),
                     .menu = "Edit/Copy as",
                     .run = [f](Desk& desk) { copy(desk, f, Extent::block); }});
  table.push_back({.name = "edit.paste",
                   .title = "Paste…",
                   .menu = "Edit",
                   .shortcut = ctrl(GLFW_KEY_V),
                   .run = paste_clipboard});
}

}  // namespace

std::string copy_block(const std::string& title, const Tensor& values, const Region& block,
                       const TextFormatName& format) {
  ImGui::SetClipboardText(text_of(values, block, format.format).c_str());
  const std::string head = values.stack() > 1 ? " of head " + std::to_string(block.begin.head) : "";
  return title + head + ", " + to_string(size_of(block)) + ", copied as " + std::string(format.name);
}

std::string title_of(const FillName& fill, const FillChoices& choices) {
  return fill.title + (fill.random ? ", seed " + std::to_string(choices.seed) : std::string());
}

void grid_commands(std::vector<Command>& table, const Desk& now) {
  copy_commands(table);
  const FillChoices& choices = now.view.grid.fill;
  for (const FillName& f : kFillNames)
    table.push_back({.name = std::string("fill.") + f.word,
                     .title = title_of(f, choices),
                     .menu = "Edit/Fill with",
                     .run = [kind = f.kind](Desk& desk) {
                       const Target target = to_be_filled(desk);
                       const auto seed = static_cast<std::uint64_t>(desk.view.grid.fill.seed);
                       fill(desk, target, fill_cells(kind, seed, target.part(Extent::block)));
                     }});
  table.push_back({.name = "fill.formula",
                   .title = choices.formula + " of row i, column j",
                   .menu = "Edit/Fill with",
                   .run = fill_target_by_formula});
}

}  // namespace attn
