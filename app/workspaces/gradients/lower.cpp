// Which way to move a number for the loss to fall, and what the loss does when it is moved.
#include <algorithm>
#include <cmath>
#include <memory>

#include "app/inspector/inspector_numbers.h"
#include "app/widgets/bars.h"
#include "app/workspaces/gradients/inspect.h"
#include "app/workspaces/gradients/proof_study.h"

namespace attn {
namespace {

using namespace inspector;

constexpr double kMove = 0.1;
constexpr double kMostInFrame = 2e-3;  // seconds that may pass while a frame is drawn

// Of small layers, that run while a frame is drawn.
struct MovesMemo {
  std::unique_ptr<CentralDifferences> differences = {};
  std::size_t numbers = 0;
  std::optional<std::pair<StageIndex, Cell>> of = {};
  double moves = 0;
  std::size_t bytes() const { return differences ? numbers * sizeof(double) : 0; }
};

MovesMemo& moves_memo(Frame& frame) {
  return frame.memos.of<MovesMemo>(frame.engine.results, [](MovesMemo& memo, const Results& results) {
    memo = {};
    for (const Stage& stage : results.graph.stages) memo.numbers += stage.shape.size();
    if (seconds_in_double(results.graph, results.graph.stages.size() - 1) > kMostInFrame) return;
    memo.differences =
        std::make_unique<CentralDifferences>(results.graph, results.places.as<GradientsPlaces>()->gradients);
  });
}

// By how much the loss moves with a number of a stage, in double from end to end.
struct LossMove {
  double moves = 0;
  bool stale = false;
};

// None yet: it is computed, or never will be.
std::optional<LossMove> moved_by(Frame& frame, StageIndex stage, Cell cell, bool pinned) {
  MovesMemo& memo = moves_memo(frame);
  if (memo.differences) {
    if (const std::pair now{stage, cell}; memo.of != now)
      memo.of = now, memo.moves = memo.differences->loss_if(stage, cell, kMove) - memo.differences->loss();
    return LossMove{memo.moves};
  }
  if (!pinned) return std::nullopt;
  const Study<ProofMove> study = study_move(frame, *frame.engine.results, stage, cell, kMove);
  const bool same = study.found && study.found->stage == stage && study.found->cell == cell;
  return same ? std::optional(LossMove{study.found->moves, study.stale}) : std::nullopt;
}

// 0 is exactly that.
std::string signed_number(double value, Digits digits) {
  return value == 0 ? "0" : write(value, digits, true);
}

std::string way_of(double gradient) {
  return gradient > 0 ? "lower" : gradient < 0 ? "higher" : "";
}

struct ScoreMove {
  std::string label;
  double gradient = 0;
  std::optional<Spot> spot = {};
};

void draw_moves(Flow& flow, const std::vector<ScoreMove>& moves) {
  const Theme& theme = flow.theme();
  double most = 0;
  float label = 0, number = 0;
  std::vector<double> values;
  for (const ScoreMove& move : moves) values.push_back(move.gradient);
  const Digits digits = digits_for(values, 4);
  for (const ScoreMove& move : moves) {
    if (std::isfinite(move.gradient)) most = std::max(most, std::abs(move.gradient));
    label = std::max(label, text_width(move.label));
    number = std::max(number, text_width(write(-move.gradient, digits, true)));
  }
  label = std::min(label, flow.width() * (moves.size() > 1 ? 0.24f : 0.4f));
  const float word = text_width("higher"), gap = flow.px(8);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const ScoreMove& move = moves[i];
    const Rect line = add_line(flow);
    put_elided(flow, {line.min, {line.min.x + label, line.max.y}}, move.label, theme.text);
    const float right = line.max.x - number - gap;
    put(flow, {line.min, {right, line.max.y}}, way_of(move.gradient), theme.dim, 1);
    put(flow, line, signed_number(-move.gradient, digits), theme.text, 1);
    const Rect bar{{line.min.x + label + gap, line.min.y + flow.px(6)},
                   {right - word - gap, line.max.y - flow.px(6)}};
    if (most > 0 && bar.width() > flow.px(16))
      draw_signed_bar(flow.list, bar, -move.gradient, -most, most, theme);
    press_to_open(flow, "move" + std::to_string(i), line, move.spot);
  }
}

std::vector<ScoreMove> row_moves(const Results& results, const WeightsFlow& passed, Cell cell) {
  std::vector<ScoreMove> moves;
  const Stage& d_scores = results.graph.stages[passed.d_scores];
  for (const std::size_t key : shown_keys(results, passed, cell)) {
    const Cell at{cell.head, cell.row, key};
    if (!is_hidden(results, passed, at))
      moves.push_back({label(d_scores.columns, key), figure_at(results, passed.d_scores, at).value,
                       Spot{d_scores.id, at}});
  }
  return moves;
}

}  // namespace

void draw_lower(Flow& flow, const Results& results, const Spot& spot) {
  const StageIndex index = *results.graph.find(spot.stage);
  const Stage& stage = results.graph.stages[index];
  const auto& places = *results.places.as<GradientsPlaces>();
  if (places.gradients.find(*stage.gradient_of) != index) return;  // a product, or a number of the layer
  const Stage& of = results.graph.stages[*stage.gradient_of];
  if (of.role == Role::loss || !std::isfinite(results.outputs[*stage.gradient_of][spot.cell])) return;
  const double gradient = figure_at(results, index, spot.cell).value;
  const auto passed = weights_flow(results.graph, index);
  const std::string name = passed ? "score" : "number";
  add_heading(flow, passed ? "To lower the loss, score" : "To lower the loss");
  draw_moves(flow, passed ? row_moves(results, *passed, spot.cell)
                          : std::vector<ScoreMove>{{cell_text(of, spot.cell), gradient}});
  const auto move = moved_by(flow.frame, *stage.gradient_of, spot.cell, flow.frame.view.pinned == spot);
  const Digits digits = digits_for({move ? move->moves : 0, kMove * gradient}, 5);
  if (move)
    add_fact(flow, "this " + name + " + 0.1: loss moves", signed_number(move->moves, digits),
             with_alpha(flow.theme().text, move->stale ? kLagging : 1));
  add_fact(flow, "0.1 · " + stage.title + " says", signed_number(kMove * gradient, digits),
           flow.theme().text);
}

}  // namespace attn
