// The document without the numbers of a row, run once.
#include "core/stack/kept_output.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/document/edit.h"
#include "core/document/stack_plan.h"
#include "core/evaluate/run.h"
#include "core/stack/depth_gradients.h"

namespace attn {
namespace {

auto is_in_row(std::string_view weights, std::size_t head, std::size_t row) {
  return [weights, head, row](const StageOverride& o) {
    return belongs_to(o, kStackPlan) && is_over(o, weights) && o.value.cell.head == head &&
           o.value.cell.row == row;
  };
}

// Of one head where `head` says which.
double largest_apart(const Tensor& a, const Tensor& b, std::optional<std::size_t> head = {}) {
  const std::size_t cells = a.rows() * a.columns(), first = head.value_or(0) * cells,
                    count = head ? cells : a.values().size();
  double most = 0;
  for (std::size_t i = first; i < first + count; ++i)
    most = std::max(most, std::abs(static_cast<double>(a.values()[i]) - static_cast<double>(b.values()[i])));
  return most;
}

}  // namespace

std::size_t typed_in_row(const Document& document, std::string_view weights, std::size_t head,
                         std::size_t row) {
  return static_cast<std::size_t>(std::ranges::count_if(document.overrides, is_in_row(weights, head, row)));
}

void give_row_back(Document& document, std::string_view weights, std::size_t head, std::size_t row) {
  std::erase_if(document.overrides, is_in_row(weights, head, row));
}

StageIndex comes_out(const Results& results) {
  const StackStages& stages = *results.places.as<StackStages>();
  return stages.logits.value_or(stages.last().output);
}

struct KeptOutputRun::Way {
  std::size_t head = 0;
  Graph graph = {};
  // What is held against what: the stages of the graph, and their numbers in the results.
  std::array<StageIndex, 2> stages = {};
  std::array<Tensor, 2> now = {};
  KeptOutput found = {};
  std::optional<StagesRun> run = {};

  void compare(StageIndex stage, const Tensor& numbers) {
    if (stage == stages[0]) found.head = largest_apart(numbers, now[0], head);
    if (stage == stages[1]) found.stack = largest_apart(numbers, now[1]);
  }
};

KeptOutputRun::KeptOutputRun(const Results& results, StageIndex weights, StageIndex mixed, std::size_t head,
                             std::size_t row)
    : way_(std::make_unique<Way>(Way{.head = head})) {
  Document without = results.document;
  give_row_back(without, results.graph.stages[weights].id, head, row);
  Way& way = *way_;
  way.graph = build_stack(without).graph;
  const std::array<StageIndex, 2> held{mixed, comes_out(results)};
  std::vector<bool> needed(way.graph.stages.size(), false);
  for (std::size_t i = 0; i < held.size(); ++i) {
    way.stages[i] = *way.graph.find(results.graph.stages[held[i]].id);
    way.now[i] = results.outputs[held[i]].whole();
    needed[way.stages[i]] = true;
  }
  way.run.emplace(way.graph, Run{.needed = with_all_read(way.graph, std::move(needed)),
                                 .done = [&way](StageIndex stage, const Tensor& numbers) {
                                   way.compare(stage, numbers);
                                 }});
}

KeptOutputRun::~KeptOutputRun() = default;

bool KeptOutputRun::step(KeptOutput& found, Backend& backend) {
  way_->run->step(backend);
  if (!way_->run->done()) return false;
  found = way_->found;
  return true;
}

}  // namespace attn
