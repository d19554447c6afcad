// A row against the computation: as it is, with each known mistake, from other printed rows, at other places.
#include "core/lesson/row_origin.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/checks/array_difference.h"
#include "core/checks/comparison.h"
#include "core/checks/stage_pairs.h"
#include "core/diagnosis/layer_runner.h"
#include "core/diagnosis/stage_meaning.h"
#include "core/document/edit.h"
#include "core/document/layer_plan.h"
#include "core/io/text.h"
#include "core/reference/backend.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr double kExact = 5e-4;             // what numbers without a point may be off by
constexpr double kMostOperations = 200e3;   // of a layer that mistakes are tried in
constexpr std::size_t kMostLooked = 65536;  // numbers of a stage among which a row is looked for

using Running = LayerRunner::Running;

// Digits behind a point: the most that one of the numbers has.
std::size_t decimals_of(std::string_view text) {
  std::size_t most = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '.') continue;
    std::size_t digits = 0;
    while (i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9') ++i, ++digits;
    most = std::max(most, digits);
  }
  return most;
}

bool is_same(const OwnRow& row, const std::vector<double>& numbers) {
  if (row.numbers.size() != numbers.size()) return false;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!(std::abs(row.numbers[i] - numbers[i]) <= row.rounding + accepted_distance(numbers[i])))
      return false;
  return true;
}

std::vector<double> numbers_in(const LessonCells& cells, const Tensor& tensor) {
  std::vector<double> numbers;
  for (const Cell cell : cells_in(cells, tensor.shape()))
    numbers.push_back(static_cast<double>(tensor[cell]));
  return numbers;
}

// The stage, and all that it is made from.
std::vector<bool> way_to(const Graph& graph, StageIndex stage) {
  std::vector<bool> on(graph.stages.size());
  on[stage] = true;
  for (StageIndex i = stage + 1; i-- > 0;)
    if (on[i])
      for (const StageIndex input : graph.stages[i].inputs) on[input] = true;
  return on;
}

double operations_of(const Graph& graph) {
  double sum = 0;
  for (StageIndex i = 0; i < graph.stages.size(); ++i) sum += operation_count(graph, i);
  return sum;
}

// Whether the plan's graph has the stages of a layer.
bool has_layer(const Plan& plan) {
  return plan.build == build_layer || (plan.base && plan.base->build == build_layer);
}

class OriginSearch {
 public:
  OriginSearch(const OwnRow& row, const LessonCells& of, const Results& now)
      : row_(row), of_(of), now_(now), backend_(make_reference_backend()) {}

  // Whether the row of another text makes it, where that is put in the place of what is computed.
  bool follows(const PrintedRow& printed) {
    if (printed.of.stage == of_.stage || !now_.plan) return false;
    const auto stage = now_.graph.find(printed.of.stage);
    if (!stage) return false;
    const std::vector<Cell> cells = cells_in(printed.of, now_.graph.stages[*stage].shape);
    if (cells.size() != printed.numbers.size()) return false;
    std::vector<CellValue> values;
    for (std::size_t i = 0; i < cells.size(); ++i)
      values.push_back({cells[i], static_cast<float>(printed.numbers[i])});
    try {
      Document with = now_.document;
      set_numbers(with, *now_.plan, now_.graph, printed.of.stage, values);
      Running made = runner_.begin(now_.plan->build(with, kLayerA).graph);
      if (operations_of(made.graph) > kMostOperations) return false;
      const auto target = made.graph.find(of_.stage);
      return target && is_same(row_, numbers_in(of_, runner_.numbers(*backend_, made, *target)));
    } catch (const Error&) {  // there is no such number to be set
      return false;
    }
  }

  void try_mistakes(RowOrigin& origin) {
    origin.mistakes_were_tried = false;
    if (!now_.plan || !has_layer(*now_.plan)) return;
    Running ours = runner_.begin(build_layer(now_.document).graph);
    const auto target = ours.graph.find(of_.stage);
    if (!target || operations_of(ours.graph) > kMostOperations) return;
    origin.mistakes_were_tried = true;
    for (const Mistake& mistake : known_mistakes())
      for (const MistakenLayer& form : mistake.forms(now_.document.layer(), {}))
        if (const auto parts = parts_at(ours, *target, form.layer)) {
          if (origin.mistakes.empty()) origin.stage = *parts;
          origin.mistakes.push_back(&mistake);
          break;
        }
  }

 private:
  // Whether that layer makes the row: then at which stage it parts from ours.
  std::optional<std::string> parts_at(Running& ours, StageIndex target, const LayerSpec& layer) {
    try {
      Document with = now_.document;
      with.layer() = layer;
      Running theirs = runner_.begin(build_layer(with).graph);
      for (const StageIndex stage : stages_meant(theirs.graph, of_.stage)) {
        if (theirs.graph.stages[stage].shape != ours.graph.stages[target].shape) continue;
        if (is_same(row_, numbers_in(of_, runner_.numbers(*backend_, theirs, stage))))
          return first_apart(ours, target, theirs, stage);
      }
    } catch (const Error&) {  // it makes no graph with what is typed over its numbers
    }
    return std::nullopt;
  }

  std::string first_apart(Running& ours, StageIndex target, Running& theirs, StageIndex made) {
    std::vector<StageIndex> a, b;
    std::vector<std::string_view> ids_a, ids_b;
    const auto list = [](const Graph& graph, StageIndex end, std::vector<StageIndex>& stages,
                         std::vector<std::string_view>& ids) {
      const std::vector<bool> on = way_to(graph, end);
      for (StageIndex i = 0; i <= end; ++i)
        if (on[i] && graph.stages[i].traced) stages.push_back(i), ids.push_back(graph.stages[i].id);
    };
    list(ours.graph, target, a, ids_a), list(theirs.graph, made, b, ids_b);
    for (const StagePair& pair : paired_stages(ids_a, ids_b)) {
      if (!pair.a) continue;  // it shows in what theirs makes of it
      const Stage& stage = ours.graph.stages[a[*pair.a]];
      if (!pair.b || stage.shape != theirs.graph.stages[b[*pair.b]].shape) return stage.title;
      const Tensor in_a = runner_.numbers(*backend_, ours, a[*pair.a]),
                   in_b = runner_.numbers(*backend_, theirs, b[*pair.b]);
      if (differs(difference(in_a.values(), in_b.values()))) return stage.title;
    }
    return ours.graph.stages[target].title;
  }

  const OwnRow& row_;
  const LessonCells& of_;
  const Results& now_;
  std::unique_ptr<Backend> backend_;
  LayerRunner runner_;
};

// Other cells with these numbers.
class OtherCells {
 public:
  OtherCells(const OwnRow& row, const LessonCells& of, const Results& now) : row_(row), of_(of), now_(now) {}

  std::optional<LessonCells> row() const {
    const StageResult own = now_.result(of_.stage);
    const Shape shape = own.shape();
    if (!can_look(own) || row_.numbers.size() != shape.columns) return std::nullopt;
    for (std::size_t head = 0; head < shape.stack; ++head)
      for (std::size_t r = 0; r < shape.rows; ++r) {
        std::vector<double> line;
        for (std::size_t c = 0; c < shape.columns; ++c) line.push_back(own[{head, r, c}]);
        if (is_same(row_, line)) return LessonCells{.stage = of_.stage, .head = head, .row = r};
      }
    return std::nullopt;
  }
  // The same row of another stage, else a column of this one.
  std::optional<LessonCells> elsewhere() const {
    for (StageIndex i = 0; i < now_.graph.stages.size(); ++i) {
      LessonCells cells = of_;
      cells.stage = now_.graph.stages[i].id;
      if (cells.stage != of_.stage && now_.graph.stages[i].traced && is_at(cells, now_.outputs[i]))
        return cells;
    }
    const StageResult own = now_.result(of_.stage);
    const Shape shape = own.shape();
    if (!can_look(own) || row_.numbers.size() != shape.rows) return std::nullopt;
    for (std::size_t head = 0; head < shape.stack; ++head)
      for (std::size_t c = 0; c < shape.columns; ++c) {
        std::vector<double> line;
        for (std::size_t r = 0; r < shape.rows; ++r) line.push_back(own[{head, r, c}]);
        if (is_same(row_, line)) return LessonCells{.stage = of_.stage, .head = head, .column = c};
      }
    return std::nullopt;
  }

 private:
  bool can_look(const StageResult& stage) const {
    return stage.here() && stage.shape().size() <= kMostLooked;
  }
  bool is_at(const LessonCells& cells, const StageResult& stage) const {
    return can_look(stage) && is_same(row_, numbers_in(cells, stage.whole()));
  }

  const OwnRow& row_;
  const LessonCells& of_;
  const Results& now_;
};

// Of a row of one head, which is what a softmax makes.
void look_at_weights(RowOrigin& origin, const OwnRow& row, const LessonCells& of, const Results& now) {
  if (!of.row || of.column) return;
  const auto index = now.graph.find(of.stage);
  const Stage& stage = now.graph.stages[*index];
  if (stage.role != Role::weights || !stage.scores) return;
  double sum = 0;
  for (const double weight : row.numbers) sum += weight;
  const double rounded = row.rounding * static_cast<double>(row.numbers.size()) + kExact;
  if (stage.row_total == RowTotal::one && std::abs(sum - 1) > rounded) origin.sum = sum;
  const StageResult scores = now.outputs[*stage.scores];
  if (!scores.here()) return;
  const std::vector<double> from =
      numbers_in({.stage = of.stage, .head = of.head, .row = of.row, .column = of.column}, scores.whole());
  for (std::size_t i = 0; i < row.numbers.size() && from.size() == row.numbers.size(); ++i)
    for (std::size_t k = 0; k < row.numbers.size(); ++k) {
      if (!(row.numbers[i] > row.numbers[k] && row.numbers[k] > 0)) continue;
      const double ratio = row.numbers[i] / row.numbers[k];
      const RowGap gap{i, k, ratio, std::log(ratio), from[i] - from[k]};
      const auto off = [](const RowGap& g) { return std::abs(g.needed - g.there); };
      if (std::isfinite(gap.there) && (!origin.gap || off(gap) > off(*origin.gap))) origin.gap = gap;
    }
}

}  // namespace

OwnRow read_own_row(std::string_view text) {
  const ParsedBlock block = parse_block(text);
  OwnRow row;
  row.error = block.error;
  if (block.bad) row.error = "“" + block.bad->text + "”: " + block.bad->reason;
  if (!row.error.empty()) return row;
  if (block.matrix.rows > 1 && block.matrix.columns > 1) {
    row.error = std::to_string(block.matrix.rows) + " rows: one row is compared";
    return row;
  }
  row.numbers.assign(block.matrix.values.begin(), block.matrix.values.end());
  const std::size_t decimals = decimals_of(text);
  row.rounding = decimals == 0 ? kExact : 0.5 * std::pow(10.0, -static_cast<double>(decimals));
  return row;
}

RowOrigin origin_of(const OwnRow& row, const LessonCells& of, std::span<const PrintedRow> printed,
                    const Results& now) {
  RowOrigin origin;
  const auto stage = now.graph.find(of.stage);
  if (!stage || !now.outputs[*stage].here()) return origin;
  if (is_same(row, numbers_in(of, now.outputs[*stage].whole()))) return {.kind = RowOrigin::same};
  origin.stage = now.graph.stages[*stage].title;
  OriginSearch search(row, of, now);
  for (const PrintedRow& other : printed)
    if (search.follows(other)) {
      const auto from = now.graph.find(other.of.stage);
      return {.kind = RowOrigin::follows, .stage = now.graph.stages[*from].title, .cells = other.of};
    }
  const OtherCells others(row, of, now);
  if (const auto cells = others.row()) return {.kind = RowOrigin::elsewhere, .cells = *cells};
  search.try_mistakes(origin);
  if (!origin.mistakes.empty()) {
    origin.kind = RowOrigin::mistake;
  } else if (const auto found = others.elsewhere()) {
    origin.kind = RowOrigin::elsewhere, origin.cells = *found;
  } else {
    look_at_weights(origin, row, of, now);
  }
  return origin;
}

}  // namespace attn
