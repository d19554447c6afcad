// A gradient opened: of what a softmax read with the row that it was made in.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "app/inspector/inspector_sections.h"
#include "app/workspaces/gradients/inspect.h"
#include "app/workspaces/gradients/row.h"
#include "core/checks/checks.h"

namespace attn {
namespace {

using namespace inspector;

constexpr std::size_t kFlowColumns = 4;
using FlowTexts = std::array<std::string, kFlowColumns>;
using FlowSpots = std::array<std::optional<Spot>, kFlowColumns>;

// As many decimals as tell the row's numbers apart, in all columns.
Digits flow_digits(const Results& results, const WeightsFlow& passed, Cell cell) {
  std::vector<double> values;
  for (const StageIndex stage : {passed.d_weights, passed.d_scores})
    for (cell.column = 0; cell.column < results.outputs[stage].columns(); ++cell.column)
      values.push_back(figure_at(results, stage, cell).value);
  return column_digits(values, 4);
}

double earned_at(const Results& results, const WeightsFlow& passed, Cell cell) {
  const double weight = figure_at(results, passed.weights, cell).value;
  return weight == 0 ? 0 : weight * figure_at(results, passed.d_weights, cell).value;
}

// As many of the digits as the panel has room for.
class FlowTable {
 public:
  FlowTable(Flow& flow, const Results& results, const WeightsFlow& passed, Cell cell)
      : flow_(flow),
        results_(results),
        passed_(passed),
        cell_(cell),
        digits_(flow_digits(results, passed, cell)),
        keys_(shown_keys(results, passed, cell)) {
    make();
    while (!fits() && !digits_.powers && digits_.decimals > 2) --digits_.decimals, make();
  }

  void draw() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (i + 1 == lines_.size())
        flow_.list.AddLine({flow_.left, flow_.y}, {flow_.right, flow_.y}, flow_.theme().border);
      draw_line(lines_[i], i);
    }
  }

 private:
  struct TableLine {
    std::string name;
    FlowTexts texts;
    ImU32 colour = 0;
    FlowSpots spots = {};
    ImU32 last = 0;  // of its last number; 0: as the others
  };

  const Axis& axis() const { return results_.graph.stages[passed_.d_scores].columns; }
  std::string title(StageIndex i) const {
    const Stage& stage = results_.graph.stages[i];
    return stage.symbol.empty() ? stage.title : stage.symbol;
  }
  Spot spot(StageIndex stage, Cell cell) const { return {results_.graph.stages[stage].id, cell}; }
  std::string share(double weight) const {
    return write(weight, {digits_.powers ? 4 : digits_.decimals, false});
  }

  void make() {
    const std::string a = title(passed_.weights), d = title(passed_.d_weights);
    lines_ = {{"", {a, d, d + "·" + a, title(passed_.d_scores)}, flow_.theme().faint}};
    for (const std::size_t key : keys_) lines_.push_back(of_key(key));
    const FlowSums sums = sums_of(results_, passed_, cell_.head, cell_.row);
    if (keys_.size() < results_.outputs[passed_.d_scores].columns()) lines_.push_back(of_rest(sums));
    lines_.push_back(of_sums(sums));
    widths_ = {}, label_ = 0;
    for (const TableLine& line : lines_) {
      label_ = std::max(label_, text_width(line.name));
      for (std::size_t i = 0; i < kFlowColumns; ++i)
        widths_[i] = std::max(widths_[i], text_width(line.texts[i]));
    }
    label_ = std::min(label_, flow_.width() * 0.24f);
  }

  float gap() const {
    float room = flow_.width() - label_;
    for (const float width : widths_) room -= width;
    return room / kFlowColumns;
  }
  bool fits() const { return gap() >= flow_.px(4); }

  TableLine of_key(std::size_t key) const {
    const Theme& theme = flow_.theme();
    const Cell at{cell_.head, cell_.row, key};
    const double weight = figure_at(results_, passed_.weights, at).value;
    const double d_scores = figure_at(results_, passed_.d_scores, at).value;
    const Spot own = spot(passed_.d_scores, at);
    const std::string name = label(axis(), key);
    if (is_hidden(results_, passed_, at) && weight == 0)
      return {name,
              {"masked", "", "", d_scores == 0 ? "0" : write(d_scores, digits_)},
              theme.faint,
              {spot(passed_.weights, at), {}, {}, own}};
    return {name,
            {share(weight), write(figure_at(results_, passed_.d_weights, at).value, digits_),
             write(earned_at(results_, passed_, at), digits_), write(d_scores, digits_)},
            key == cell_.column ? theme.text : theme.dim,
            {spot(passed_.weights, at), spot(passed_.d_weights, at), {}, own}};
  }

  // What the keys that are not shown come to.
  TableLine of_rest(FlowSums rest) const {
    for (const std::size_t key : keys_) {
      const Cell at{cell_.head, cell_.row, key};
      rest.weights -= figure_at(results_, passed_.weights, at).value;
      rest.earned -= earned_at(results_, passed_, at);
      rest.scores -= figure_at(results_, passed_.d_scores, at).value;
    }
    const std::size_t count = results_.outputs[passed_.d_scores].columns() - keys_.size();
    return {std::to_string(count) + " more",
            {share(rest.weights), "", write(rest.earned, digits_), write(rest.scores, digits_)},
            flow_.theme().dim};
  }

  TableLine of_sums(const FlowSums& sums) const {
    const Theme& theme = flow_.theme();
    const bool kept = keeps_sum(results_.graph, passed_.weights), holds = sums.vanishes();
    const std::string sum =
        kept ? write_distance(std::abs(sums.scores)) + (holds ? " ✓" : " ✗") : write(sums.scores, digits_);
    return {"Σ",
            {share(sums.weights), "", write(sums.earned, digits_), sum},
            theme.text,
            {},
            !kept   ? theme.text
            : holds ? theme.good
                    : theme.bad};
  }

  void draw_line(const TableLine& line, std::size_t number) {
    const Rect whole = add_line(flow_);
    put_elided(flow_, {whole.min, {whole.min.x + label_, whole.max.y}}, line.name, line.colour);
    float x = whole.min.x + label_;
    for (std::size_t i = 0; i < kFlowColumns; ++i) {
      x += std::max(gap(), flow_.px(4)) + widths_[i];
      const Rect place{{x - text_width(line.texts[i]), whole.min.y}, {x, whole.max.y}};
      const bool last = i + 1 == kFlowColumns && line.last != 0;
      put(flow_, place, line.texts[i], last ? line.last : line.colour, 1);
      const std::string id = "flow" + std::to_string(number) + "." + std::to_string(i);
      if (!line.texts[i].empty()) press_to_open(flow_, id, place, line.spots[i]);
    }
    flow_.reached = std::max(flow_.reached, x);
  }

  Flow& flow_;
  const Results& results_;
  const WeightsFlow& passed_;
  Cell cell_;
  Digits digits_;
  std::vector<std::size_t> keys_;
  std::vector<TableLine> lines_ = {};
  std::array<float, kFlowColumns> widths_{};
  float label_ = 0;
};

// "A[3, 2] × (dA[3, 2] − Σ dA·A)", and with its numbers
// "0.5379 × (0.7367 − 0.3740) = 0.19505".
void draw_numbers(Flow& flow, const Results& results, const WeightsFlow& passed, Cell cell) {
  const auto at = [&](StageIndex stage) { return figure_at(results, stage, cell).value; };
  const Digits digits = flow_digits(results, passed, cell);
  const Stage &weights = results.graph.stages[passed.weights],
              &d_weights = results.graph.stages[passed.d_weights];
  const std::string place = "[" + std::to_string(cell.row) + ", " + std::to_string(cell.column) + "]";
  add_pieces(flow,
             {{weights.symbol + place, weights.role},
              {" × (" + d_weights.symbol + place + " − Σ " + d_weights.symbol + "·" + weights.symbol + ")"}});
  const FlowSums sums = sums_of(results, passed, cell.head, cell.row);
  add_text(flow,
           write(at(passed.weights), {4, false}) + " × (" + write(at(passed.d_weights), digits) + " − " +
               write(sums.earned, digits) + ") = " +
               write(at(passed.d_scores), digits.powers ? digits : Digits{digits.decimals + 1, false}),
           flow.theme().text);
}

bool divides(const Graph& graph, StageIndex weights) {
  return graph.stages[weights].traits.step == SoftmaxStep::division;
}

bool row_is_known(const Results& results, const WeightsFlow& passed, Cell cell) {
  return results.outputs[passed.d_scores].holds(cell) && results.outputs[passed.weights].holds(cell) &&
         results.outputs[passed.d_weights].holds(cell);
}

}  // namespace

std::vector<std::size_t> shown_keys(const Results& results, const WeightsFlow& passed, Cell cell) {
  std::vector<double> values;
  const std::size_t pinned = cell.column;
  for (cell.column = 0; cell.column < results.outputs[passed.d_scores].columns(); ++cell.column)
    values.push_back(figure_at(results, passed.d_scores, cell).value);
  std::vector<std::size_t> keys = largest(values);
  if (std::ranges::count(keys, pinned) == 0) keys.back() = pinned;
  std::ranges::sort(keys);
  return keys;
}

bool is_hidden(const Results& results, const WeightsFlow& passed, Cell cell) {
  return is_masked(results, passed.weights, cell);
}

void draw_flow_table(Flow& flow, const Results& results, const WeightsFlow& passed, Cell cell) {
  const CompactScope compact(flow, flow.width() + 1);  // five columns
  FlowTable(flow, results, passed, cell).draw();
}

bool open_gradient(Frame& frame, Flow& flow, const Spot& spot) {
  const Results& results = *frame.results;
  const StageIndex index = *results.graph.find(spot.stage);
  const Stage& stage = results.graph.stages[index];
  if (stage.role != Role::gradient || !stage.gradient_of) return false;
  const auto passed = weights_flow(results.graph, index);
  const bool by_row = passed && divides(results.graph, passed->weights) &&
                      row_is_known(results, *passed, spot.cell) &&
                      figure_at(results, passed->weights, spot.cell).value != 0;
  if (by_row) {
    draw_numbers(flow, results, *passed, spot.cell);
    draw_flow_table(flow, results, *passed, spot.cell);
  } else if (!stage.zero.empty()) {
    add_text(flow, "0: " + stage.zero, flow.theme().text);
  } else {
    draw_arithmetic(flow, results, inspector::open(results, spot));
  }
  draw_lower(flow, results, spot);
  return true;
}

}  // namespace attn
