// What must hold of a stack: rows of norms, the stream as the sum of its writes, rows of all maps; and what
// is told of it besides: sinks, and what a model of symbols writes.
#include <algorithm>
#include <cmath>

#include "app/inspector/checks_panel.h"
#include "app/inspector/inspector_numbers.h"
#include "app/workspaces/stack/decoding_scene.h"
#include "app/workspaces/stack/inspect_parts.h"
#include "app/workspaces/stack/row.h"
#include "core/checks/checks.h"
#include "core/graph/rounding.h"
#include "core/transformer/writes.h"

namespace attn {
namespace {

using namespace inspector;

constexpr double kHalfUlp = 0x1p-24;  // rounding of a float, relative

// The farthest from what must be, and whether each lies within what rounding explains.
struct StackFarthest {
  double off = 0;
  bool holds = true, known = false;
  StageIndex stage = 0;
  Cell where;
  // NaN is farthest of all.
  void take(double by, double allowed, StageIndex of, Cell cell) {
    const double size = std::isnan(by) ? std::numeric_limits<double>::infinity() : std::abs(by);
    holds = holds && size <= allowed;
    if (!known || size > off) off = size, stage = of, where = cell;
    known = true;
  }
};

struct StackChecked {
  StackFarthest norms, sums;
};

struct StackChecker {
  const Results& results;
  NormMade norm;
  StackChecked& found;

  const Tensor* here(StageIndex stage) const {
    return results.outputs[stage].here() ? &results.outputs[stage].whole() : nullptr;
  }
  const Tensor* input_of(const Stage& stage, std::size_t input) const {
    return input < stage.inputs.size() ? here(stage.inputs[input]) : nullptr;
  }

  // What the device made of a row, less bias and over gain: its mean is 0, or its mean square 1 of RMSNorm.
  // Rounded are the mean of d numbers of x (d + 2 of them at most, each of the largest x, over the spread),
  // and the number itself with its product and its sum (4, over the gain); RMSNorm's squares twice as much.
  // ε lessens the mean square: it is counted in. Numbers typed over it are none that the norm made.
  void of_norm(StageIndex index) {
    const StageIndex computed = computing(results.graph, index);
    const Stage& stage = results.graph.stages[computed];
    if (!here(computed) || !here(stage.inputs.front())) return;
    const Tensor *gain = input_of(stage, 1), *bias = input_of(stage, 2);
    for (std::size_t row = 0; row < stage.shape.rows; ++row) {
      const auto x = stack_row(results, stage.inputs.front(), row), y = stack_row(results, computed, row);
      const auto d = static_cast<double>(x.size());
      const NormNumber n = norm_number(norm, x, 0, {}, {});
      const double length = std::sqrt(n.spread + norm.epsilon);
      double sum = 0, squares = 0, rounding = 0, most = 0;
      bool usable = length > 0;
      for (std::size_t j = 0; j < x.size() && usable; ++j) {
        const double g = gain ? static_cast<double>((*gain)[{0, 0, j}]) : 1;
        const double b = bias ? static_cast<double>((*bias)[{0, 0, j}]) : 0;
        usable = g != 0;
        const double made = (static_cast<double>(y[j]) - b) / g;
        sum += made / d, squares += made * made / d;
        rounding += 4 * (std::abs(made) + 2 * std::abs(b / g)) * std::max(1.0, std::abs(made)) / d;
        most = std::max(most, std::abs(static_cast<double>(x[j])));
      }
      if (!usable) continue;
      const double allowed = kHalfUlp * (rounding + (d + 2) * most / length);
      const double target = norm.centred() ? 0 : n.spread / (n.spread + norm.epsilon);
      found.norms.take(norm.centred() ? sum : squares - target, norm.centred() ? allowed : 2 * allowed, index,
                       {0, row, 0});
    }
  }

  // Each sum on the way rounds to half a unit of what it has come to, at most that of all sizes together.
  void of_stream(bool decoder, StageIndex stream) {
    const auto writes = writes_of(results.graph, *results.places.as<StackStages>(), decoder, stream);
    const Tensor* made = here(stream);
    std::vector<const Tensor*> parts;
    for (const StreamWrite& write : writes) parts.push_back(here(write.stage));
    if (!made || parts.empty() || std::ranges::count(parts, nullptr) > 0) return;
    const auto numbers = made->values();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      double sum = 0, sizes = 0;
      for (const Tensor* part : parts) {
        const double value = static_cast<double>(part->data()[i]);
        sum += value, sizes += std::abs(value);
      }
      const double allowed = kHalfUlp * static_cast<double>(parts.size()) * sizes;
      found.sums.take(sum - static_cast<double>(numbers[i]), allowed, stream,
                      {0, i / made->columns(), i % made->columns()});
    }
  }

  void of_side(bool decoder) {
    const SideStages* side = results.places.as<StackStages>()->side(decoder);
    if (!side) return;
    for (const BlockStages& block : side->blocks)
      for (const BoxStages& box : block.boxes)
        if (box.normed) of_norm(*box.normed);
    if (!results.graph.stages[computing(results.graph, side->output)].traits.passes_numbers)
      of_norm(side->output);
    // Of norms behind the boxes the sum that the last one reads.
    const BoxStages& last = side->blocks.back().boxes.back();
    const StageIndex computed = computing(results.graph, last.stream);
    of_stream(decoder, last.normed == last.stream ? results.graph.stages[computed].inputs.front() : computed);
  }
};

// One side after the other.
StudyStep<StackChecked> check_steps(std::shared_ptr<const Results> results, NormMade norm) {
  return [results = std::move(results), norm, decoder = false](StackChecked& found, Backend&) mutable {
    StackChecker{*results, norm, found}.of_side(decoder);
    return std::exchange(decoder, true);
  };
}

NormMade checked_norm(const StackScene& scene) {
  return {scene.spec().norm_kind, scene.spec().epsilon};
}

CheckLine::Verdict stack_verdict(const StackScene& scene, bool holds) {
  return !holds ? CheckLine::bad : has_faults(scene.frame.engine) ? CheckLine::plain : CheckLine::good;
}

std::optional<Spot> stack_culprit(const StackScene& scene, const StackFarthest& farthest) {
  if (farthest.holds) return std::nullopt;
  return Spot{scene.stage(farthest.stage).id, farthest.where};
}

// What is found, or, while it is sought of other results, that it was: there will be such a line again.
using CheckStudy = Study<StackChecked>;

void add_stack_check(const StackScene& scene, const CheckStudy& study, const StackFarthest& farthest,
                     CheckLine line, std::vector<CheckLine>& lines) {
  if (!farthest.known) return;
  line.verdict = study.stale ? CheckLine::plain : stack_verdict(scene, farthest.holds);
  line.culprit = study.stale ? std::nullopt : stack_culprit(scene, farthest);
  if (study.stale) line.value = "…";
  lines.push_back(std::move(line));
}

void add_checked_norms(const StackScene& scene, const CheckStudy& study, std::vector<CheckLine>& lines) {
  const StackFarthest& norms = study.found->norms;
  const std::string off = write_distance(norms.off);
  const bool centred = checked_norm(scene).centred();
  add_stack_check(
      scene, study, norms,
      {.name = centred ? "mean of a row before gain" : "mean square before gain",
       .value = centred ? off : "1 ± " + off,
       .explanation = centred ? "What a norm made, less its bias and over its gain, has the mean "
                                "0. The row that is farthest from it, of all norms of the stack."
                              : "What a norm made, over its gain, has the mean square 1, but for "
                                "ε. The row that is farthest from it, of all norms of the stack."},
      lines);
}

void add_checked_sums(const StackScene& scene, const CheckStudy& study, std::vector<CheckLine>& lines) {
  const StackFarthest& sums = study.found->sums;
  add_stack_check(
      scene, study, sums,
      {.name = "sum of the writes − stream",
       .value = write_distance(sums.off),
       .explanation = "The stream behind the last layer is the sum of all that was written to it: tokens, "
                      "positions, every box. Added up in double; the number that is farthest off, in either "
                      "side. With the norm after a box the sum begins anew behind it."},
      lines);
}

// Of the maps that the rows show.
void add_checked_rows(const StackScene& scene, std::vector<CheckLine>& lines) {
  const Checks* checks = scene.frame.engine.checks.get();
  std::size_t maps = 0;
  const SoftmaxChecks* worst = nullptr;
  for (std::size_t i = 0; i < scene.layers(); ++i) {
    const LayerStages* attention = scene.attention(i);
    const SoftmaxChecks* own = attention && checks ? checks->of(attention->weights) : nullptr;
    if (attention) maps += scene.stage(attention->weights).shape.stack;
    if (own && (!worst || own->row_sums.largest_deviation > worst->row_sums.largest_deviation)) worst = own;
  }
  if (maps == 0) return;
  CheckLine line{.name = maps == 1 ? std::string("row sums of the map")
                                   : "row sums of all " + std::to_string(maps) + " maps",
                 .value = "…",
                 .explanation =
                     "Every row of weights adds up to 1. The one that is farthest from it, of the maps "
                     "that the rows show."};
  if (worst) {
    line.value = "1 ± " + write_distance(worst->row_sums.largest_deviation);
    line.verdict = stack_verdict(scene, worst->row_sums.holds());
    if (!worst->row_sums.holds()) line.culprit = Spot{scene.stage(worst->weights).id, worst->row_sums.where};
  }
  lines.push_back(std::move(line));
}

void add_told_sinks(const StackScene& scene, std::vector<CheckLine>& lines) {
  std::size_t count = 0;
  double most = 0;
  CheckLine line{.name = "sinks over half of a map", .value = "none"};
  for (std::size_t i = 0; i < scene.layers(); ++i) {
    const auto& sinks = scene.memo.layers[i].sinks;
    for (std::size_t head = 0; head < sinks.size(); ++head) {
      if (!(sinks[head].share > kSinkAbove)) continue;
      ++count;
      if (sinks[head].share <= most) continue;
      most = sinks[head].share;
      const Stage& weights = scene.stage(scene.attention(i)->weights);
      line.culprit = Spot{weights.id, {head, scene.row, sinks[head].column}};
      line.explanation = "In layer " + std::to_string(i) + " head " + std::to_string(head) + " " +
                         quoted(weights.columns, sinks[head].column) + " takes " + write(most, {2, false}) +
                         " of all weight, the most of them. Click to go there.";
    }
  }
  if (count > 0) line.value = std::to_string(count);
  if (count == 0) line.explanation = "No key takes more than half of all weight of a map that the rows show.";
  lines.push_back(std::move(line));
}

// Of the steps that are decoded so far, all of them where nobody edits.
void add_checked_cache(StackScene& scene, std::vector<CheckLine>& lines) {
  if (!scene.places().decoder || !decoding_refusal(scene).empty()) return;
  const DecodingScene decoding = decoding_scene(scene);
  CheckLine line{
      .name = "cached − recomputed",
      .value = "…",
      .explanation =
          "Decoding with the kept rows of K and V writes what computing all tokens again writes: the "
          "farthest number of any step, over the largest of its row."};
  if (decoding.found && !decoding.stale && !decoding.found->apart.empty()) {
    const double apart = *std::ranges::max_element(decoding.found->apart);
    line.value = write_distance(apart);
    line.verdict = stack_verdict(scene, apart <= decoding_tolerance(scene.spec()));
  }
  lines.push_back(std::move(line));
}

// What the model takes for the likeliest behind each token; none without symbols.
void add_told_written(const StackScene& scene, std::vector<CheckLine>& lines) {
  const auto stage = scene.places().probabilities;
  const StackSpec& stack = scene.spec();
  if (!stage || !scene.places().decoder || stack.decoder.ids.empty() || !scene.results.outputs[*stage].here())
    return;
  const Tensor& shares = scene.numbers(*stage);
  std::string written;
  bool as_given = true;
  for (std::size_t row = 0; row < shares.rows(); ++row) {
    const auto of_row = shares.values().subspan(row * shares.columns(), shares.columns());
    const auto best = static_cast<std::size_t>(std::ranges::max_element(of_row) - of_row.begin());
    written += label(scene.stage(*stage).columns, best);
    if (row + 1 < shares.rows() && row + 1 < stack.decoder.ids.rows())
      as_given = as_given && static_cast<float>(best) == stack.decoder.ids[{0, row + 1, 0}];
  }
  lines.push_back({.name = "written",
                   .value = written,
                   .verdict = as_given ? stack_verdict(scene, true) : CheckLine::plain,
                   .explanation =
                       "The likeliest symbol behind each token of the decoder, one after the other. "
                       "✓: each is the token that the decoder goes on with."});
}

}  // namespace

void check_stack(Frame& frame, std::vector<CheckLine>& lines) {
  auto scene = stack_scene(frame);
  if (!scene) return;
  const CheckStudy study = frame.studies.of<StackChecked>("stack.checks", frame.engine.results, [&] {
    return check_steps(frame.engine.results, checked_norm(*scene));
  });
  if (study.found) {
    add_checked_norms(*scene, study, lines);
    add_checked_sums(*scene, study, lines);
  }
  add_checked_rows(*scene, lines);
  add_checked_cache(*scene, lines);
  add_told_sinks(*scene, lines);
  add_told_written(*scene, lines);
}

}  // namespace attn
