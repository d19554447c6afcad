// The loss: which it is, what it is made of besides the output, and its number.
#include <algorithm>
#include <cmath>

#include "app/canvas/edits.h"
#include "app/canvas/fitted_grid.h"
#include "app/cells/cell_text.h"
#include "app/fields/field_rows.h"
#include "app/fields/field_states.h"
#include "app/frame/workspace.h"
#include "app/inspector/inspector_model.h"
#include "app/theme/toolkit.h"
#include "app/workspaces/gradients/scene.h"
#include "core/gradients/fields.h"

namespace attn {
namespace {

constexpr float kAskedHead = 20, kColumnNames = 14, kAskedRow = 19, kLabelCell = 44, kLossGap = 4,
                kLossLine = 20, kChoiceEdges = 34;
constexpr std::size_t kMostAskedRows = 12;  // more are as high together

// Of a target: what is not asked.
struct NotAsked {
  TensorId of = 0;
  Tensor cells = {};  // 1 where nothing is asked
  std::size_t count = 0;
  std::vector<std::size_t> rows = {};  // of which nothing is
  std::size_t bytes() const { return bytes_of(rows) + cells.values().size_bytes(); }
};

void find_not_asked(NotAsked& memo, const Tensor& target) {
  memo = {.of = target.id()};
  std::vector<float> cells(target.values().size());
  for (std::size_t row = 0; row < target.rows(); ++row) {
    std::size_t missing = 0;
    for (std::size_t column = 0; column < target.columns(); ++column)
      if (std::isnan(target[{0, row, column}])) cells[target.index({0, row, column})] = 1, ++missing;
    memo.count += missing;
    if (missing == target.columns()) memo.rows.push_back(row);
  }
  if (memo.count > 0) memo.cells = {target.shape(), std::move(cells)};
}

// The matrix that the loss is made of besides the output, edited as an input is.
Grid asked_grid(const GradientsScene& scene, Column column) {
  Frame& frame = scene.frame;
  const Theme& theme = frame.theme;
  const StageIndex asked = scene.places().asked;
  const Shape shape = scene.stage(asked).shape;
  ImVec2 at = ImGui::GetCursorScreenPos();
  if (shape.columns == 1) at.y -= theme.px(kColumnNames);  // there are none
  const auto rows = static_cast<float>(std::min(shape.rows, kMostAskedRows));
  const float height = theme.px(kAskedHead + kAskedRow * rows + 4);
  Grid grid = fitted_grid(frame, asked, 0, {at, {column.right, at.y + height}});
  // Without title and colour bar the cells have all the room.
  grid.titled = false, grid.compact = true, grid.input = true, grid.opacity = 1;
  grid.cell_height = kAskedRow * rows / static_cast<float>(shape.rows);
  if (shape.columns == 1) grid.column_labels = false, grid.cell_width = std::min(grid.cell_width, kLabelCell);
  ImGui::SetCursorScreenPos({column.left, at.y + height});
  return grid;
}

// "“mat” has no next token: not asked".
std::string not_asked_words(const GradientsScene& scene, const NotAsked& memo) {
  const Stage& stage = scene.stage(scene.places().asked);
  if (memo.count == stage.shape.size()) return "nothing is asked: the loss is 0, and so is every gradient";
  const bool by_rows = memo.rows.size() * stage.shape.columns == memo.count;
  const bool last =
      scene.spec.target == LossTarget::next && memo.rows.size() == 1 && memo.rows[0] + 1 == stage.shape.rows;
  if (by_rows && last) return inspector::quoted(stage.rows, memo.rows[0]) + " has no next token: not asked";
  if (by_rows && memo.rows.size() == 1) return inspector::quoted(stage.rows, memo.rows[0]) + ": not asked";
  return "hatched: not asked, " + std::to_string(memo.count) + " of " + std::to_string(stage.shape.size()) +
         " numbers";
}

// Numbers typed over what the loss was made of, and the way back to that.
void typed_row(GradientsScene& scene, Column column) {
  Frame& frame = scene.frame;
  const std::string& stage = scene.stage(scene.places().asked).id;
  const auto is_typed = [&](const StageOverride& o) {
    return belongs_to(o, frame.workspace) && is_over(o, stage);
  };
  auto& overrides = frame.draft.overrides;
  const auto count = std::ranges::count_if(overrides, is_typed);
  if (count == 0) return;
  ChipRow row(frame.theme, column.left, column.right);
  if (row.add({.id = "gradients.as given",
               .text = "take back " + std::to_string(count) + " typed",
               .tooltip = "the numbers as they were made, without what was typed over them"}))
    std::erase_if(overrides, is_typed);
}

void target_controls(GradientsScene& scene, Column column) {
  Frame& frame = scene.frame;
  Grid grid = asked_grid(scene, column);
  NotAsked& memo = frame.memos.of<NotAsked>();
  const Tensor& target = scene.numbers(scene.places().asked);
  if (memo.of != target.id()) find_not_asked(memo, target);
  if (memo.count > 0) grid.mask = StageResult(memo.cells);
  draw_grid(frame, grid);
  if (memo.count > 0) hint(frame, column, not_asked_words(scene, memo));
  typed_row(scene, column);
}

// A typed label that is no column is brought to one; said so.
void label_controls(GradientsScene& scene, Column column) {
  Frame& frame = scene.frame;
  const Grid grid = asked_grid(scene, column);
  draw_grid(frame, grid);
  hint(frame, column, "the right column for each token; −1: not asked");
  const Stage& stage = scene.stage(scene.places().asked);
  const Tensor& labels = scene.numbers(scene.places().asked);
  for (const StageOverride& o : scene.results.document.overrides) {
    if (!belongs_to(o, frame.workspace) || !is_over(o, stage.id) || !holds(labels.shape(), o.value.cell))
      continue;
    const float used = labels[o.value.cell];
    if (used != o.value.value)
      hint(frame, column,
           inspector::quoted(stage.rows, o.value.cell.row) + ": " + exact_text(o.value.value) +
               " is no column, so it is " + exact_text(used));
  }
  if (std::ranges::all_of(labels.values(), [](float label) { return label < 0; }))
    hint(frame, column, "nothing is asked: the loss is 0, and so is every gradient");
  typed_row(scene, column);
}

void typed_controls(GradientsScene& scene, Column column) {
  hint(scene.frame, column,
       scene.spec.times_number ? "dO is typed on the canvas, while × its number is off."
                               : "Type dO yourself, in its matrix on the canvas.");
  typed_row(scene, column);
}

void one_hot_controls(Frame& frame, Column column, const Stage& output) {
  GradientsSpec& spec = frame.draft.gradients;
  const auto row = [&](CountField field, std::size_t count, std::size_t& value) {
    field.most = count - 1;
    std::size_t shown = std::min(value, count - 1);
    if (field_row(frame, column, "gradients", field, shown)) value = shown;
  };
  row(gradients_field::row, output.shape.rows, spec.row);
  row(gradients_field::column, output.shape.columns, spec.column);
  hint(frame, column, "or click a cell of the output");
}

void loss_number(GradientsScene& scene, Column column) {
  Frame& frame = scene.frame;
  const Theme& theme = frame.theme;
  const StageIndex stage = scene.places().loss;
  const float loss = scene.numbers(stage)[Cell{}];
  const std::string number = std::isnan(loss) ? "NaN" : exact_text(loss);
  ImVec2 at = ImGui::GetCursorScreenPos();
  at.y += theme.px(kLossGap);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_text(list, theme.fonts.bold, at, theme.text, scene.stage(stage).title);
  draw_text(list, theme.fonts.body, {column.right - text_width(theme.fonts.body, number), at.y},
            std::isnan(loss) ? theme.bad : theme.text, number);
  ImGui::SetCursorScreenPos({column.left, at.y + theme.px(kLossLine)});
  hint(frame, column, scene.stage(stage).formula);
  if (!std::isnan(loss) || !frame.engine.checks) return;
  const auto& faults = frame.engine.checks->faults;
  const auto first = std::ranges::find_if(faults, [](const StageFaults& f) { return f.nan > 0; });
  if (first != faults.end())
    hint(frame, column, "The loss is no number: NaN comes first in " + scene.stage(first->stage).title + ".");
}

void target_choice(Frame& frame, Column column) {
  LossTarget& target = frame.draft.gradients.target;
  const auto& field = gradients_field::target;
  FieldRow row = row_in("gradients", field.text);
  row.label.clear();
  // What it is goes without saying where there is no room for it.
  const ImFont* font = frame.theme.fonts.body;
  const float room = column.right - column.left - frame.theme.px(kChoiceEdges);
  std::string before = "target: ";
  for (const std::string& title : field.titles())
    if (text_width(font, before + title) > room) before.clear();
  std::vector<std::string> names;
  for (const std::string& title : field.titles()) names.push_back(before + title);
  if (const auto chosen = choice_row(frame, column, row, names, field.index_of(target)))
    target = field.words[*chosen].choice;
}

// What the loss is made of, as far as numbers of that loss are there.
void asked_controls(Frame& frame, Column column, std::optional<GradientsScene>& scene) {
  const LossKind kind = frame.draft.gradients.loss;
  if (kind == LossKind::mean_square) target_choice(frame, column);
  if (!scene || scene->spec.loss != kind) return;
  if (!scene->places().instead.empty()) hint(frame, column, scene->places().instead);
  if (scene->places().kind != kind) return;
  if (kind == LossKind::one_hot) one_hot_controls(frame, column, scene->stage(scene->places().layer.output));
  if (kind == LossKind::typed) typed_controls(*scene, column);
  if (kind == LossKind::mean_square) target_controls(*scene, column);
  if (kind == LossKind::cross_entropy) label_controls(*scene, column);
}

}  // namespace

std::optional<Cell> pinned_output(const Results& results, const View& view) {
  const auto stage = view.pinned ? results.graph.find(view.pinned->stage) : std::nullopt;
  if (!stage) return std::nullopt;
  const StageIndex of = results.graph.stages[*stage].gradient_of.value_or(*stage);
  const StageIndex output = results.places.as<GradientsPlaces>()->layer.output;
  if (of != output || !holds(results.graph.stages[output].shape, view.pinned->cell)) return std::nullopt;
  return view.pinned->cell;
}

void aim_one_hot(Frame& frame) {
  GradientsSpec& spec = frame.draft.gradients;
  if (spec.loss != LossKind::one_hot || !has_numbers(frame.engine.results)) return;
  if (const auto cell = pinned_output(*frame.results, frame.view))
    spec.row = cell->row, spec.column = cell->column;
}

void draw_loss_controls(Frame& frame, Column column) {
  GradientsSpec& spec = frame.draft.gradients;
  const std::string state = state_of(gradients_field::loss, spec.loss);
  if (!foldable_section(frame, column, {.title = "Loss", .state = state, .open = true})) return;
  {
    ChipRow row(frame.theme, column.left, column.right);
    choice_chips(row, gradients_field::loss, spec.loss);
  }
  auto scene = gradients_scene(frame);
  asked_controls(frame, column, scene);
  if (scene) loss_number(*scene, column);
}

}  // namespace attn
