// What chance does to weights, and the answers of the layer's probes, in words with their numbers.
#include "app/workspaces/pipeline/inspect.h"

#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "app/plot/plot_numbers.h"
#include "core/attention/layer_fields.h"
#include "core/checks/checks.h"
#include "core/graph/rounding.h"
#include "core/graph/softmax_stages.h"
#include "core/pipeline/probes.h"
#include "core/text/text.h"

namespace attn {
namespace {

using namespace inspector;

std::string four(double value) {
  return write(value, digits_for({value, 0}, 4));
}

void draw_one_weight(Flow& flow, const Chance& chance, double before, bool kept) {
  const std::string factor = " ÷ " + brief(1 - chance.p) + " = ";
  add_fact(flow, "this weight", four(before) + (kept ? factor + four(before * chance.factor) : " dropped: 0"),
           flow.theme().text);
}

// The row before and after, and how many of its weights stayed.
void draw_row_of_chance(Flow& flow, const Results& results, StageIndex dropped, StageIndex weights,
                        const Chance& chance, Cell cell) {
  const Theme& theme = flow.theme();
  const StageResult& before = results.outputs[weights];
  std::size_t given = 0, kept = 0;
  for (std::size_t key = 0; key < before.columns(); ++key) {
    const Cell at{cell.head, cell.row, key};
    if (before[at] == 0) continue;
    ++given;
    kept += chance.keeps(before.shape(), at);
  }
  add_fact(flow, "weights kept in this row", std::to_string(kept) + " of " + std::to_string(given),
           theme.text);
  add_fact(flow, "row sum before", four(row_sum(results, weights, cell.head, cell.row)), theme.text);
  add_fact(flow, "row sum after", four(row_sum(results, dropped, cell.head, cell.row)), theme.warning);
}

// Digits where they say something, else a power of ten: "0.83", "1.2e−7".
std::string difference_words(double size) {
  const bool small = size < 0.01 || !std::isfinite(size);
  return "largest difference " + (small ? write_distance(size) : write(size, digits_for({size, 0}, 2)));
}

std::string together(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

std::string quoted_cell(const Stage& stage, Cell cell, const std::string& between) {
  return quoted(stage.rows, cell.row) + between + quoted(stage.columns, cell.column);
}

std::string too_large() {
  return "Not compared: the layer has more than " + decimal_text(static_cast<double>(kMostProbed), 0) +
         " weights or output numbers. A smaller one is recomputed after each edit, with its tokens shuffled "
         "and "
         "with the same content at every token.";
}

// What NaN and ∞ leave of an answer. False where all numbers are finite: then there is one.
bool draw_not_finite(Flow& flow, const LargestDifference& found, const std::string& asked,
                     const Stage& stage) {
  if (found.finite) return false;
  const bool apart = !std::isfinite(found.size);
  add_text(flow,
           asked + (apart ? ", a NaN or ∞ appears in only one of the two."
                          : ": no answer, because some numbers are NaN or ∞; the others stay within " +
                                write_distance(found.size) + "."),
           apart ? flow.theme().bad : flow.theme().text);
  if (apart &&
      add_chips(flow, asked.c_str(), {"show the number"}, "the first NaN or ∞ that is not the same in both"))
    open_number(flow, {stage.id, found.at});
  return true;
}

void draw_order(Flow& flow, const Results& results, const Tensor& other) {
  const Theme& theme = flow.theme();
  const LargestDifference found = order_difference(results, other);
  const Stage& output = results.graph.stages.back();
  if (draw_not_finite(flow, found, "With tokens reordered", output)) return;
  const std::vector<std::string> places = what_tells_order(results.document.layer());
  const std::string by = difference_words(found.size);
  if (found.rounding || places.empty())
    return add_text(
        flow, "With tokens reordered, outputs moved along, " + by + (found.size == 0 ? "." : " (rounding)."),
        theme.good);
  add_text(flow,
           "With tokens reordered, outputs changed, " + by + " at " + quoted_cell(output, found.at, ", ") +
               ": " + together(places) + (places.size() > 1 ? " tell" : " tells") + " order.",
           theme.text);
  if (add_chips(flow, "order", {"show the output"}, "the number that another order changes most"))
    open_number(flow, {output.id, found.at});
}

void draw_content(Flow& flow, const Results& results, const Tensor& other) {
  const Theme& theme = flow.theme();
  if (!has_content(results.document.layer()))
    return add_text(flow, "Content: every token has the same already.", theme.dim);
  const LargestDifference found = content_difference(results, other);
  const Stage& weights = results.graph.stages[*results.graph.find(Role::weights)];
  if (draw_not_finite(flow, found, "With the same content at every token", weights)) return;
  const std::string by = difference_words(found.size);
  if (found.rounding)
    return add_text(flow,
                    "With the same content at every token, weights stay the same, " + by +
                        ". These weights look at places only.",
                    theme.good);
  add_text(flow,
           "With the same content at every token, weights change, " + by + " from " +
               quoted_cell(weights, found.at, " to ") + ". These weights look at content.",
           theme.text);
  if (add_chips(flow, "content", {"show the weight"}, "the weight that content changes most"))
    open_number(flow, {weights.id, found.at});
}

}  // namespace

void draw_chance(Flow& flow, const Results& results, const Spot& spot) {
  const StageIndex stage = *results.graph.find(spot.stage);
  const Stage& made = results.graph.stages[computing(results.graph, stage)];
  const auto& chance = made.traits.chance;
  if (!chance || !results.graph.stages[stage].by_chance) return;
  const Theme& theme = flow.theme();
  const StageIndex weights = made.inputs[0];
  const StageResult& before = results.outputs[weights];
  const std::string by = name(made.operation), p = brief(chance->p), left = brief(1 - chance->p);
  add_heading(flow, "Why are weights above 1?");
  if (chance->p < 1)
    add_text(flow,
             "Each weight is dropped with probability " + p + "; those kept are divided by 1 − " + p + " = " +
                 left + ", so that the sum to expect of a row stays what it was.",
             theme.dim, theme.fonts.small);
  else
    add_text(flow, "With probability 1 every weight is dropped.", theme.dim, theme.fonts.small);
  draw_one_weight(flow, *chance, static_cast<double>(before[spot.cell]),
                  chance->keeps(before.shape(), spot.cell));
  draw_row_of_chance(flow, results, stage, weights, *chance, spot.cell);
  add_text(flow, "At inference " + by + " is off: the weights before it mix the values.", theme.dim,
           theme.fonts.small);
  add_fact(flow, "seed", std::to_string(chance->seed), theme.text);
  if (add_chips(flow, "seed", {"another seed"}, "drops other weights, by the next seed"))
    visit_chances([&](const auto& field, auto) {
      if (field.number.text.key == by) ++(flow.frame.layer().*field.seed);
    });
}

void draw_probes(Flow& flow, const Results& results) {
  const Theme& theme = flow.theme();
  add_heading(flow, "Order and content");
  const auto& deferred = flow.frame.engine.deferred;
  const bool there = deferred && deferred->results.get() == &results;
  if (there && !deferred->error.empty()) return add_text(flow, deferred->error, theme.dim);
  if (!there || deferred->running()) {
    const bool large = layer_probes(results.document).empty();
    return add_text(flow, large ? too_large() : "comparing…", theme.dim);
  }
  draw_order(flow, results, deferred->outputs[kOtherOrder]);
  draw_content(flow, results, deferred->outputs[kSameContent]);
}

void inspect_layer(Frame& frame, Flow& flow) {
  draw_since(flow);
  if (const auto& spot = frame.view.inspected) {
    draw_chance(flow, *frame.results, *spot);
    draw_dictionary(flow, *frame.results, *spot);
  }
  draw_probes(flow, *frame.results);
}

}  // namespace attn
