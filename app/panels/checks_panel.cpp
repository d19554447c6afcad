#include "app/panels/checks_panel.h"

#include <cmath>

#include "app/panels/inspector_flow.h"
#include "app/panels/inspector_numbers.h"

namespace attn::inspector {
namespace {

using Lines = std::vector<CheckLine>;

std::string place(const Spot& spot) {
  return "row " + std::to_string(spot.cell.row) + " of head " + std::to_string(spot.cell.head);
}

CheckLine row_sum_line(const Results& results, const RowSums& sums, std::size_t head,
                       std::optional<std::size_t> query) {
  CheckLine line{
      .name = "row sum", .value = {}, .verdict = CheckLine::good, .culprit = {}, .explanation = {}};
  line.explanation = "Every row of weights must sum to 1 within 1e−6.";
  if (!sums.holds()) {
    line.verdict = CheckLine::bad;
    line.culprit = Spot{"weights", sums.where};
    line.value = write(sums.sum, {7, false}) + " in row " + std::to_string(sums.where.row);
    line.explanation += " The worst is " + place(*line.culprit) + ". Click to go there.";
    return line;
  }
  const double sum = query ? row_sum(results, head, *query) : sums.sum;
  line.value = write(sum, {7, false});
  if (query && keys_left(results, head, *query) == 0) line.value += ", no key left";
  if (!query) line.explanation += " This is the one farthest from it.";
  return line;
}

CheckLine masked_line(const MaskedWeight& weight) {
  CheckLine line{.name = "weight on masked keys",
                 .value = write(weight.total, digits_for({weight.total, 0}, 4)),
                 .verdict = CheckLine::good,
                 .culprit = {},
                 .explanation = "Keys that the mask hides must get no weight at all."};
  if (weight.total == 0) line.value = "0";
  if (weight.holds()) return line;
  line.verdict = CheckLine::bad;
  line.culprit = Spot{"weights", weight.where};
  line.explanation += " Most is in " + place(*line.culprit) + ". Click to go there.";
  return line;
}

CheckLine finite_line(const Results& results, const std::vector<StageFaults>& faults) {
  std::size_t count = 0;
  for (const StageFaults& f : faults) count += f.nan + f.infinite;
  CheckLine line{.name = "NaN, ∞",
                 .value = std::to_string(count),
                 .verdict = CheckLine::good,
                 .culprit = {},
                 .explanation = "Numbers that are not finite, in all stages; a masked −∞ is none of them."};
  if (faults.empty()) return line;
  const Stage& first = results.graph.stages[faults[0].stage];
  line.verdict = CheckLine::bad;
  line.culprit = Spot{first.id, faults[0].first};
  line.value += ", first in " + first.title;
  for (const StageFaults& f : faults)
    line.explanation += "\n" + results.graph.stages[f.stage].title + ": " + std::to_string(f.nan) + " NaN, " +
                        std::to_string(f.infinite) + " ∞";
  line.explanation += "\nClick to go to the first.";
  return line;
}

CheckLine entropy_line(std::string name, const Entropy& entropy) {
  return {
      .name = std::move(name),
      .value = write(entropy.nats, {3, false}) + " of " + write(entropy.maximum, {3, false}) + " nats",
      .verdict = CheckLine::plain,
      .culprit = {},
      .explanation = "0: all weight on one key. The largest, ln of the keys left: the same weight on each."};
}

CheckLine pending_line(std::string name) {
  return {.name = std::move(name),
          .value = "checking…",
          .verdict = CheckLine::plain,
          .culprit = {},
          .explanation = "So many numbers are checked after they are shown."};
}

CheckLine distance_line(const EngineState& engine) {
  CheckLine line{.name = "from reference",
                 .value = "comparing…",
                 .verdict = CheckLine::plain,
                 .culprit = {},
                 .explanation =
                     "The largest |a − b| over all stages, b on the reference in double. Accepted: "
                     "2e−6 + 2e−5·|b| in every cell."};
  const Comparison* comparison = engine.comparison.get();
  if (!comparison) return line;
  if (!comparison->reason.empty()) {
    line.value = comparison->is_reference ? "the reference itself" : "not compared";
    line.explanation += "\n" + comparison->reason;
    return line;
  }
  line.value = write_distance(comparison->largest);
  line.verdict = comparison->accepted() ? CheckLine::good : CheckLine::bad;
  if (!comparison->accepted()) {
    const Stage& stage = engine.results->graph.stages[comparison->excess_stage];
    line.culprit = Spot{stage.id, comparison->excess_cell};
    line.explanation += " Farthest beyond it: " + stage.title + ". Click to go there.";
  }
  return line;
}

}  // namespace

std::vector<CheckLine> check_lines(const EngineState& engine, std::size_t head,
                                   std::optional<std::size_t> query) {
  Lines lines;
  if (!engine.results) return lines;
  const Results& results = *engine.results;
  const bool weights = !results.output("weights").empty();
  if (const Checks* checks = engine.checks.get()) {
    if (checks->row_sums) lines.push_back(row_sum_line(results, *checks->row_sums, head, query));
    if (checks->masked_weight) lines.push_back(masked_line(*checks->masked_weight));
    lines.push_back(finite_line(results, checks->faults));
  } else {  // the lines keep their places
    for (const char* name : {"row sum", "weight on masked keys", "NaN, ∞"})
      lines.push_back(pending_line(name));
  }
  if (query && weights) lines.push_back(entropy_line("entropy", row_entropy(results, head, *query)));
  const std::string of_head = "entropy, head " + std::to_string(head);
  if (!engine.checks && weights) lines.push_back(pending_line(of_head));
  if (engine.checks && head < engine.checks->heads.size())
    lines.push_back(entropy_line(of_head, engine.checks->heads[head]));
  if (engine.checks && engine.checks->row_sums && engine.checks->row_sums->rows_without_key > 0)
    lines.push_back({.name = "rows with no key left",
                     .value = std::to_string(engine.checks->row_sums->rows_without_key),
                     .verdict = CheckLine::plain,
                     .culprit = {},
                     .explanation = "Every key of these rows is masked; over all heads."});
  lines.push_back(distance_line(engine));
  return lines;
}

void draw_checks(Flow& flow, std::size_t head, std::optional<std::size_t> query) {
  const Theme& theme = flow.theme();
  add_heading(flow, "Checks");
  for (const CheckLine& check : check_lines(flow.frame.engine, head, query)) {
    const Rect line = add_line(flow);
    const bool bad = check.verdict == CheckLine::bad;
    const ImU32 colour = bad ? theme.bad : check.verdict == CheckLine::good ? theme.good : theme.text;
    const std::string mark = bad ? " ✗" : check.verdict == CheckLine::good ? " ✓" : "";
    const float name = text_width(check.name), gap = flow.px(10);
    const bool fits = name + gap + text_width(check.value + mark) <= line.width();
    put_elided(flow, line, check.name, theme.text);
    const Rect value = fits ? line : add_line(flow);  // too long beside its name: below it
    put_elided(flow, value, check.value + mark, colour, 1);
    const Rect whole{line.min, value.max};
    if (check.culprit) {
      if (press(flow, "check " + check.name, whole, check.explanation)) open_number(flow, *check.culprit);
    } else if (ImGui::IsWindowHovered() && whole.contains(ImGui::GetIO().MousePos)) {
      ImGui::SetTooltip("%s", check.explanation.c_str());
    }
  }
}

}  // namespace attn::inspector
