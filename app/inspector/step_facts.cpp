// Facts are made of the results on screen; what a mistake would do is computed once for each results.
#include "app/inspector/step_facts.h"

#include <algorithm>

#include "app/inspector/inspector_numbers.h"
#include "core/attention/layer_fields.h"
#include "core/checks/checks.h"
#include "core/edits/edit.h"
#include "core/edits/what_if.h"
#include "core/text/text.h"

namespace attn::inspector {
namespace {

constexpr Digits kTwo{2, false};
constexpr std::size_t kMostTerms = 3, kMostSearched = 1 << 16;

struct MistakeMemo {
  std::string word = {};
  Tensor weights = {};
  std::size_t bytes() const { return weights.bytes(); }
};

// The weights as the step's mistake would leave them.
const Tensor* weights_of_mistake(Frame& frame, const StepWords& words) {
  const LayerChange* change = find_change(mistakes(), words.mistake);
  if (!change || !has_numbers(frame.engine.results)) return nullptr;
  MistakeMemo& memo =
      frame.memos.of<MistakeMemo>(frame.engine.results, [](MistakeMemo& made, const Results&) { made = {}; });
  if (memo.word != words.mistake) {
    memo.word = words.mistake;
    memo.weights = weights_if(frame.engine.results->document, *change);
  }
  return memo.weights.empty() ? nullptr : &memo.weights;
}

// A stage that the step's own is made from, of the same shape and with the same meaning of rows and columns.
std::optional<StageIndex> cell_by_cell(const Graph& graph, StageIndex stage) {
  const Stage& made = graph.stages[stage];
  for (const StageIndex input : graph.stages[computing(graph, stage)].inputs) {
    const Stage& before = graph.stages[input];
    if (before.shape == made.shape && before.rows.name == made.rows.name &&
        before.columns.name == made.columns.name && before.role != Role::mask && before.role != Role::bias &&
        (before.role == made.role || made.role == Role::weights))
      return input;
  }
  return std::nullopt;
}

bool fits_weights(const Results& results, const StepLook& look) {
  return look.weights && results.outputs[*look.weights].here() &&
         results.graph.stages[look.stage].rows.name == results.graph.stages[*look.weights].rows.name;
}

std::size_t strongest_key(const Tensor& weights, std::size_t head, std::size_t row) {
  std::size_t best = 0;
  for (std::size_t key = 1; key < weights.columns(); ++key)
    if (weights[{head, row, key}] > weights[{head, row, best}]) best = key;
  return best;
}

bool sees_a_key(const Results& results, const StepLook& look, Cell cell) {
  const std::size_t head = std::min(cell.head, results.outputs[*look.weights].stack() - 1);
  return keys_left(results, *look.weights, head, cell.row) > 0;
}

// Of a row that is masked altogether there is nothing to be said: the last before it, else behind it, that
// sees a key.
void leave_masked_row(const Results& results, const StepLook& look, Cell& cell) {
  if (!fits_weights(results, look)) return;
  const std::size_t rows = results.graph.stages[look.stage].shape.rows;
  for (std::size_t i = 0; i < rows; ++i) {
    const Cell other{cell.head, i <= cell.row ? cell.row - i : i, cell.column};
    if (sees_a_key(results, look, other)) return void(cell = other);
  }
}

// The largest number of a head, with either sign, that no mask hides.
Cell largest_cell(const Results& results, StageIndex index, std::size_t head) {
  const Stage& stage = results.graph.stages[index];
  const Tensor& numbers = results.outputs[index].whole();
  const Tensor mask =
      stage.mask && results.outputs[*stage.mask].here() ? results.outputs[*stage.mask].whole() : Tensor();
  Cell largest{head, 0, 0};
  float most = -1;
  for (std::size_t row = 0; row < stage.shape.rows; ++row)
    for (std::size_t column = 0; column < stage.shape.columns; ++column) {
      const Cell cell{head, row, column};
      const bool hidden = !mask.empty() && mask[{std::min(head, mask.stack() - 1), row, column}] != 0;
      if (hidden || !(std::abs(numbers[cell]) > most)) continue;
      most = std::abs(numbers[cell]), largest = cell;
    }
  return largest;
}

// Where there is nothing to follow: of a gradient the largest, the row that the mistake changes most, the
// weight that the step itself does, else the last row, which sees most.
Cell telling_cell(const Results& results, const StepLook& look, std::size_t head) {
  const Shape shape = results.graph.stages[look.stage].shape;
  Cell cell{std::min(head, shape.stack - 1), shape.rows - 1, 0};
  const bool searched = shape.rows * shape.columns <= kMostSearched && results.outputs[look.stage].here();
  if (searched && results.graph.stages[look.stage].role == Role::gradient)
    return largest_cell(results, look.stage, cell.head);
  if (!fits_weights(results, look)) return cell;
  const Tensor& weights = results.outputs[*look.weights].whole();
  const std::size_t of_head = std::min(head, weights.stack() - 1);
  if (look.then && look.then->shape() == weights.shape()) {
    cell.row = most_moved(weights, *look.then, of_head).at.row;
    cell.column = most_moved(weights, *look.then, of_head, cell.row).at.column;
  } else if (look.before && results.graph.stages[*look.before].role == Role::weights) {
    cell = most_moved(results.outputs[look.stage].whole(), results.outputs[*look.before].whole(), of_head).at;
  } else {
    cell.column = strongest_key(weights, of_head, cell.row);
  }
  if (cell.column >= shape.columns) cell.column = 0;
  return cell;
}

Cell followed_cell(const Frame& frame, const Results& results, const StepLook& look) {
  Cell cell = telling_cell(results, look, frame.view.layer.head);
  const auto& focus = frame.view.inspected;
  if (!focus || !exists(results, *focus)) {
    leave_masked_row(results, look, cell);
    return cell;
  }
  const Stage& from = results.graph.stages[*results.graph.find(focus->stage)];
  const Stage& to = results.graph.stages[look.stage];
  if (from.rows.name == to.rows.name && focus->cell.row < to.shape.rows) cell.row = focus->cell.row;
  if (from.columns.name == to.columns.name && focus->cell.column < to.shape.columns)
    cell.column = focus->cell.column;
  leave_masked_row(results, look, cell);
  return cell;
}

struct FactMaker {
  const Results& results;
  StepLook& look;
  const LayerSpec& layer = results.document.layer();

  void add(std::string_view name, std::string text, Role role = Role::plain) {
    look.facts.insert_or_assign(std::string(name), ColouredText{std::move(text), role});
  }
  void add(std::string_view name, double number, Role role) { add(name, write(number, kTwo), role); }

  void sizes() {
    add("n", std::to_string(query_count(layer)));
    add("m", std::to_string(key_count(layer)));
    add("d_k", std::to_string(key_width(layer)));
    add("heads", std::to_string(head_count(layer)));
    if (head_count(layer) > 1) add("head", "head " + std::to_string(look.spot.cell.head));
    if (!layer.direct) add("d", std::to_string(layer.x.columns()));
    if (has_own_memory()) add("memory", std::to_string(key_count(layer)));
  }
  bool has_own_memory() const { return !layer.memory.empty(); }

  void settings() {
    const double width = static_cast<double>(key_width(layer));
    if (layer.scale.mode == ScaleMode::sqrt) add("root", "√d_k = " + brief(std::sqrt(width)), Role::query);
    if (layer.scale.mode == ScaleMode::number) add("factor", brief(layer.scale.number), Role::query);
    if (layer.temperature != 1 && layer.temperature != 0) add("T", brief(layer.temperature), Role::query);
    if (layer.soft_cap > 0) add("cap", brief(layer.soft_cap));
    if (!layer.direct && !layer.w_o.empty()) add("w_o", "W_O", Role::output);
    if (layer.dropout > 0) add("p", brief(layer.dropout)), add("1 − p", brief(1 - layer.dropout));
    if (!layer.direct) add("projections", "W_Q, W_K and W_V");
    if (!std::holds_alternative<NoPosition>(layer.position))
      add("position", std::string(position_text(layer.position).title));
    std::string rules;
    for (const MaskTerm& term : layer.masks)
      rules += (rules.empty() ? "" : " + ") + ((term.negated ? "not " : "") + title_of(term.rule));
    if (!rules.empty()) add("rule", rules);
  }

  // How scores are made, masked and weighted: what is said of the usual way is not said of the others.
  void ways() {
    if (layer.scoring == Scoring::dot) add("by feature", "feature by feature");
    add("score formula", std::string(scoring_text(layer.scoring).formula));
    if (!adds(layer.fill)) add("fill", layer_field::fill.titles()[layer_field::fill.index_of(layer.fill)]);
    const WeightingText& weighting = weighting_text(weighting_of(layer));
    if (weighting_of(layer) == Weighting::softmax) add("softmax", "softmax");
    const bool shares = weighting.total == RowTotal::one;
    if (is_over_queries(layer)) return add("column sum", std::string(weighting.sum));
    if (is_over_heads(layer)) return add("head sum", std::string(weighting.sum));
    if (shares) add("shares", "shares that add up to 1");
    add("weighting formula", std::string(weighting.formula));
    add("weighting sum", std::string(weighting.sum));
  }

  void cell() {
    const Stage& stage = results.graph.stages[look.stage];
    const StageResult& numbers = results.outputs[look.stage];
    if (!numbers.holds(look.spot.cell)) return;
    add("row", quoted(stage.rows, look.spot.cell.row));
    add("column", quoted(stage.columns, look.spot.cell.column));
    add("number", static_cast<double>(numbers[look.spot.cell]), stage.role);
    if (look.before && results.outputs[*look.before].holds(look.spot.cell))
      add("before", static_cast<double>(results.outputs[*look.before][look.spot.cell]), Role::key);
  }

  // Of the row's weights: who gets most, and what they mix.
  void weights() {
    if (!fits_weights(results, look)) return;
    const Stage& stage = results.graph.stages[*look.weights];
    const Tensor& weights = results.outputs[*look.weights].whole();
    const std::size_t head = std::min(look.spot.cell.head, weights.stack() - 1), row = look.spot.cell.row;
    std::vector<std::size_t> keys;
    std::size_t hidden = 0;
    for (std::size_t key = 0; key < weights.columns(); ++key)
      is_masked(results, *look.weights, {head, row, key}) ? void(++hidden) : keys.push_back(key);
    const auto weight = [&](std::size_t key) { return weights[{head, row, key}]; };
    std::ranges::stable_sort(keys, std::ranges::greater{}, weight);
    if (hidden > 0) add("hidden", std::to_string(hidden) + " of " + std::to_string(weights.columns()));
    constexpr const char* kNames[] = {"strongest", "second"};
    for (std::size_t i = 0; i < std::min<std::size_t>(2, keys.size()); ++i) {
      add(kNames[i], quoted(stage.columns, keys[i]));
      add(std::string(kNames[i]) + " weight", static_cast<double>(weight(keys[i])), Role::weights);
    }
    std::string mix;
    for (std::size_t i = 0; i < std::min(kMostTerms, keys.size()); ++i)
      mix += (i == 0 ? "" : " + ") + write(static_cast<double>(weight(keys[i])), kTwo) + " · " +
             quoted(stage.columns, keys[i]);
    if (keys.size() > kMostTerms) mix += " + …";
    const bool mixes = mixture_in(results.graph, results.graph.stages[look.stage].part) == look.stage;
    if (mixes && !mix.empty()) add("mix", mix, Role::weights);
  }

  // The row that is looked at where it shows there, else the one where it shows most.
  void mistake() {
    if (!look.then || !fits_weights(results, look)) return;
    const Tensor& weights = results.outputs[*look.weights].whole();
    if (look.then->shape() != weights.shape()) return;
    const std::size_t head = std::min(look.spot.cell.head, weights.stack() - 1);
    const auto seen = [](const MovedWeight& moved) {
      return moved.then != moved.now && write(moved.then, kTwo) != write(moved.now, kTwo);
    };
    MovedWeight moved = most_moved(weights, *look.then, head, look.spot.cell.row);
    if (!seen(moved)) moved = most_moved(weights, *look.then, head);
    if (!seen(moved)) return;
    look.mistake = moved.at;
    const Stage& stage = results.graph.stages[*look.weights];
    add("mistake row", quoted(stage.rows, moved.at.row));
    add("mistake key", quoted(stage.columns, moved.at.column));
    add("mistake now", moved.now, Role::weights);
    add("mistake then", moved.then, Role::key);
  }
};

std::optional<StageFaults> first_nan(const Frame& frame) {
  if (!frame.engine.checks) return std::nullopt;
  const auto& faults = frame.engine.checks->faults;
  const auto found = std::ranges::find_if(faults, [](const StageFaults& f) { return f.nan > 0; });
  return found == faults.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

std::optional<StepLook> look_at_step(Frame& frame, const StepChip& chip) {
  if (!frame.results || !chip.words) return std::nullopt;
  const Results& results = *frame.results;
  const auto stage = results.graph.find(chip.id);
  if (!stage || results.outputs.empty()) return std::nullopt;
  StepLook look{.spot = {chip.id, {}},
                .stage = *stage,
                .before = cell_by_cell(results.graph, *stage),
                .weights = results.graph.weights_of(*stage)};
  const bool is_layer_a = results.graph.parts[results.graph.stages[*stage].part].layer == kLayerA;
  if (is_layer_a) look.then = weights_of_mistake(frame, *chip.words);
  look.spot.cell = followed_cell(frame, results, look);
  look.nan = first_nan(frame);
  FactMaker facts{results, look};
  facts.cell();
  if (!is_layer_a) return look;
  facts.sizes();
  facts.settings();
  facts.ways();
  facts.weights();
  facts.mistake();
  return look;
}

}  // namespace attn::inspector
