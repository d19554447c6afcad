// The checks as lines, and where each leads.
#include "app/inspector/checks_lines.h"

#include <algorithm>
#include <cmath>

#include "app/cells/cell_layout.h"
#include "app/frame/workspace.h"
#include "app/inspector/inspector_flow.h"
#include "app/inspector/inspector_numbers.h"
#include "app/widgets/tooltip.h"
#include "core/checks/overflow.h"
#include "core/graph/softmax_stages.h"
#include "core/operations/mask_words.h"
#include "core/text/text.h"

namespace attn::inspector {
namespace {

using Lines = std::vector<CheckLine>;

CheckLine masked_line(const Results& results, const Checks& checks) {
  const SoftmaxChecks& worst = *std::ranges::max_element(
      checks.softmaxes, {}, [](const SoftmaxChecks& s) { return s.masked_weight.largest; });
  double total = 0;
  bool holds = true;
  for (const SoftmaxChecks& s : checks.softmaxes) {
    total += s.masked_weight.total;
    holds = holds && s.masked_weight.holds();
  }
  CheckLine line{.name = "weight on masked keys",
                 .value = total == 0 ? "0" : write(total, digits_for({total, 0}, 4)),
                 .verdict = CheckLine::good,
                 .explanation = "Keys that the mask hides must get no weight at all."};
  if (holds) return line;
  line.verdict = CheckLine::bad;
  line.culprit = Spot{id_of(results, worst.weights), worst.masked_weight.where};
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
                 .explanation = "Numbers that are not finite, in all stages; a masked −∞ does not count."};
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

// A rounded stage's first fault is its first overflow, where it has one.
std::optional<Overflow> first_overflow(const Results& results, const std::vector<StageFaults>& faults) {
  for (const StageFaults& f : faults)
    if (auto overflow = overflow_at(results, f.stage, f.first)) return overflow;
  return std::nullopt;
}

CheckLine overflow_line(const Results& results, const Overflow& overflow) {
  return {.name = name(overflow.format),
          .value = short_words(results.graph, overflow),
          .verdict = CheckLine::bad,
          .culprit = Spot{id_of(results, overflow.stage), overflow.cell},
          .explanation = words_of(results.graph, overflow) +
                         ", the first: beyond its range a number becomes ∞. Click to go there."};
}

// The nearest rule to a user's mask: the one with the most differences, where there are several matrices.
CheckLine likeness_line(const Results& results, const std::vector<MaskCheck>& masks) {
  const MaskCheck& worst =
      *std::ranges::max_element(masks, {}, [](const MaskCheck& m) { return m.like.cells; });
  std::string rule;
  for (const MaskTerm& term : worst.like.rules) rule += (rule.empty() ? "" : " or ") + mask_word(term);
  CheckLine line{.name = "painted mask", .value = "is " + rule, .verdict = CheckLine::good};
  line.explanation = "Whether the mask that was painted, or came with the file, is one of the rules.";
  if (worst.like.cells == 0) return line;
  line.verdict = CheckLine::bad;
  line.value = "differs from " + rule + " in " + std::to_string(worst.like.cells) +
               (worst.like.cells == 1 ? " cell" : " cells");
  line.culprit = Spot{id_of(results, worst.stage), worst.like.first};
  line.explanation += " Click to go to the first cell that differs.";
  return line;
}

// A causal mask of the layer that lets queries see keys after their own place.
CheckLine ahead_line(const Results& results, StageIndex weights, const KeysAhead& seen) {
  const std::string ahead = std::to_string(seen.keys) + (seen.keys == 1 ? " key" : " keys");
  return {.name = "causal mask",
          .value = ahead + " ahead",
          .verdict = CheckLine::bad,
          .culprit = Spot{id_of(results, weights), seen.first},
          .explanation = "The causal rule lets a query see " + ahead +
                         " after its own place. Click to go to the first."};
}

CheckLine pending_line(std::string name, bool of_weights) {
  return {.name = std::move(name),
          .value = "checking…",
          .verdict = CheckLine::plain,
          .culprit = {},
          .explanation = "So many numbers are checked after they are shown.",
          .of_weights = of_weights};
}

CheckLine distance_line(const EngineState& engine) {
  CheckLine line{
      .name = "from reference",
      .value = "comparing…",
      .verdict = CheckLine::plain,
      .culprit = {},
      .explanation =
          "The largest |a − b| over all stages, b on the reference in double. Accepted: "
          "2e−6 + 2e−5·|b| in every cell, and a step of the format where stages are rounded to one. Where "
          "the roundings of many stages add up to more, each stage is held to it from the device's own "
          "numbers.",
      .distance = true};
  const Comparison* comparison = engine.comparison.get();
  if (!comparison) return line;
  if (!comparison->reason.empty()) {
    line.value = comparison->is_reference ? "the reference itself" : "not compared";
    line.explanation += "\n" + comparison->reason;
    return line;
  }
  line.value = write_distance(comparison->largest);
  if (comparison->rows > 0) {
    line.value += ", " + std::to_string(comparison->rows_compared) + " rows";
    line.explanation += " Of a layer this large " + std::to_string(comparison->rows_compared) + " of " +
                        std::to_string(comparison->rows) +
                        " rows are compared, from the first to the last, with what they are made from as "
                        "given.";
  }
  line.verdict = comparison->accepted() ? CheckLine::good : CheckLine::bad;
  if (!comparison->accepted()) {
    const Stage& stage = engine.results->graph.stages[comparison->excess_stage];
    line.culprit = Spot{stage.id, comparison->excess_cell};
    line.explanation += " Farthest beyond it: " + stage.title + ". Click to go there.";
  }
  return line;
}

// Rows that chance has changed promise nothing: the weights before are checked.
std::optional<StageIndex> checked_weights(const Graph& graph, const CheckedRow& row) {
  if (!row.weights) return graph.find(Role::weights);
  return graph.stages[*row.weights].by_chance ? graph.weights_of(*row.weights) : row.weights;
}

}  // namespace

bool has_faults(const EngineState& engine) {
  return engine.checks && !engine.checks->faults.empty();
}

std::vector<CheckLine> check_lines(const EngineState& engine, const CheckedRow& row) {
  Lines lines;
  if (!engine.results) return lines;
  const Results& results = *engine.results;
  const Checks* checks = engine.checks.get();
  const auto weights = checked_weights(results.graph, row);
  const SoftmaxChecks* softmax = checks && weights ? checks->of(*weights) : nullptr;
  const bool computed = weights && results.outputs[*weights].holds({0, row.query.value_or(0), 0});
  if (checks && checks->rows_seen < checks->rows)
    lines.push_back({.name = "rows checked",
                     .value = std::to_string(checks->rows_seen) + " of " + std::to_string(checks->rows),
                     .verdict = CheckLine::plain,
                     .explanation = "The rows of a layer this large are made once more to be checked. What "
                                    "follows holds of those so far."});
  if (checks) {
    if (!checks->softmaxes.empty()) {
      const std::size_t first = lines.size();
      lines.push_back(row_sum_line(results, *checks, *weights, row));
      if (auto left = chance_line(results, *weights, row)) lines.push_back(std::move(*left));
      lines.push_back(masked_line(results, *checks));
      if (softmax && softmax->ahead) lines.push_back(ahead_line(results, *weights, *softmax->ahead));
      for (std::size_t i = first; i < lines.size(); ++i) lines[i].of_weights = true;
    }
    lines.push_back(finite_line(results, checks->faults));
    if (const auto overflow = first_overflow(results, checks->faults))
      lines.push_back(overflow_line(results, *overflow));
    if (!checks->masks.empty()) lines.push_back(likeness_line(results, checks->masks));
  } else {  // the lines keep their places
    for (const char* name : {"row sum", "weight on masked keys"}) lines.push_back(pending_line(name, true));
    lines.push_back(pending_line("NaN, ∞", false));
  }
  const bool shares = computed && results.graph.stages[*weights].row_total == RowTotal::one;
  if (row.query && shares)
    lines.push_back(entropy_line("entropy", row_entropy(results, *weights, row.head, *row.query)));
  const std::string of_head = "entropy, head " + std::to_string(row.head);
  if (!checks && shares)
    for (const std::string& name : {of_head, std::string(kLargest)})
      lines.push_back(pending_line(name, true));
  if (softmax && row.head < softmax->heads.size())
    lines.push_back(entropy_line(of_head, softmax->heads[row.head]));
  if (softmax && softmax->row_sums.rows_without_key > 0)
    lines.push_back(
        {.name = "rows with no key left",
         .value = std::to_string(softmax->row_sums.rows_without_key),
         .culprit = Spot{id_of(results, *weights), softmax->row_sums.first_without_key},
         .explanation = "Every key of these rows is masked; over all heads. Click to go to the first.",
         .of_weights = true});
  if (softmax) add_saturation(lines, results, *softmax);
  lines.push_back(distance_line(engine));
  // Where there is NaN or ∞ nothing is well: what else holds, holds of the numbers that are left. Nor is it
  // while rows are left to be seen.
  if (has_faults(engine) || (checks && checks->rows_seen < checks->rows))
    for (CheckLine& line : lines)
      if (line.verdict == CheckLine::good) line.verdict = CheckLine::plain;
  return lines;
}

void draw_checks(Flow& flow, const CheckedRow& row) {
  const Theme& theme = flow.theme();
  add_heading(flow, "Checks");
  Lines lines = check_lines(flow.frame.engine, row);
  if (const auto own = flow.frame.workspace.checks) {
    std::erase_if(lines, [](const CheckLine& l) { return l.of_weights && l.verdict != CheckLine::bad; });
    Lines first;
    own(flow.frame, first);
    lines.insert(lines.begin(), first.begin(), first.end());
  }
  for (const CheckLine& check : lines) {
    const Rect line = add_line(flow);
    const bool bad = check.verdict == CheckLine::bad;
    const ImU32 colour = bad ? theme.bad : check.verdict == CheckLine::good ? theme.good : theme.text;
    const std::string mark = bad ? " ✗" : check.verdict == CheckLine::good ? " ✓" : "";
    const float name = text_width(check.name), gap = flow.px(10);
    const bool fits = name + gap + text_width(check.value + mark) <= line.width();
    const bool word = put_explained(flow, line, check.name, theme.text);
    const Rect value = fits ? line : add_line(flow);  // too long for the line of its name: below it
    put_elided(flow, value, check.value + mark, colour, 1);
    const Rect whole{line.min, value.max};
    // The card of a word comes in place of the line's own words.
    const std::string says = flow.frame.view.word.item != 0 ? "" : check.explanation;
    if (check.culprit) {
      if (press(flow, "check " + check.name, whole, says) || word) open_number(flow, *check.culprit);
    } else if (!says.empty() && ImGui::IsWindowHovered() && whole.contains(ImGui::GetIO().MousePos)) {
      show_tooltip(says);
    }
  }
}

}  // namespace attn::inspector
