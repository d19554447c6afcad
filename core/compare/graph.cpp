// Two layers one after the other, then what they differ by.
#include "core/compare/graph.h"

#include <algorithm>
#include <string>

#include "core/checks/stage_pairs.h"
#include "core/compare/edit.h"
#include "core/compare/fields.h"

namespace attn {
namespace {

constexpr const char* kDifference = "diff.";
constexpr std::size_t kParts = 3;  // A, the layer beside it, the differences

std::string_view without_prefix(const Graph& graph, const Stage& stage) {
  return std::string_view(stage.id).substr(graph.parts[stage.part].prefix.size());
}

std::vector<StageIndex> traced_of(const Graph& graph, std::size_t part) {
  std::vector<StageIndex> stages;
  for (StageIndex i = 0; i < graph.stages.size(); ++i)
    if (graph.stages[i].part == part && graph.stages[i].traced) stages.push_back(i);
  return stages;
}

std::vector<ComparedStage> pairs(const Graph& graph) {
  const std::vector<StageIndex> a = traced_of(graph, 0), b = traced_of(graph, 1);
  const auto ids = [&](const std::vector<StageIndex>& stages) {
    std::vector<std::string_view> list;
    for (const StageIndex stage : stages) list.push_back(without_prefix(graph, graph.stages[stage]));
    return list;
  };
  std::vector<ComparedStage> rows;
  for (const StagePair& pair : paired_stages(ids(a), ids(b))) {
    ComparedStage& row = rows.emplace_back();
    if (pair.a) row.a = a[*pair.a];
    if (pair.b) row.b = b[*pair.b];
  }
  return rows;
}

StageIndex append_difference(Graph& graph, const CompareSpec& spec, const std::string& name,
                             const ComparedStage& row) {
  const Stage& a = graph.stages[*row.a];
  constexpr const char* kSays[] = {"how much larger in %v than in A", "how many times as large in %v as in A",
                                   "how far %v is from A"};
  std::string says = kSays[spec.figure];
  says.replace(says.find("%v"), 2, name);
  Stage stage{.id = std::string(without_prefix(graph, a)),
              .title = a.title,
              .formula = std::string(compare_field::figure.titles()[spec.figure]),
              .operation = Compared{spec.figure},
              .inputs = {*row.a, *row.b},
              .rows = a.rows,
              .columns = a.columns,
              .role = Role::plain,
              .range = Range::any,
              .drawn = a.drawn,
              .stack = a.stack,
              .sentence = std::move(says),
              .read_only = "differences follow from A and " + name + ": set numbers there",
              .mask = a.mask,
              .gaps = spec.figure == Compared::ratio,
              .step = a.step};
  return graph.add(std::move(stage));
}

// Both have the layer's steps: those of one name are one.
void join_steps(Graph& graph, std::size_t own) {
  std::vector<Step> steps(graph.steps.begin(), graph.steps.begin() + static_cast<std::ptrdiff_t>(own));
  std::vector<std::size_t> joined;
  for (std::size_t i = 0; i < graph.steps.size(); ++i) {
    const auto first = i < own ? steps.begin() + static_cast<std::ptrdiff_t>(i)
                               : std::ranges::find(steps, graph.steps[i].title, &Step::title);
    joined.push_back(static_cast<std::size_t>(first - steps.begin()));
    if (first == steps.end()) steps.push_back(graph.steps[i]);
  }
  for (Stage& stage : graph.stages)
    if (stage.step != Stage::kNoStep) stage.step = joined[stage.step];
  graph.steps = std::move(steps);
}

// A step is known by the stages of a layer, not by what they differ by.
void leave_differences_out(Graph& graph) {
  for (Step& step : graph.steps)
    std::erase_if(step.stages, [&](StageIndex i) { return graph.stages[i].part == kParts - 1; });
}

}  // namespace

Built build_compare(const Document& document, Address) {
  const Address beside = shown_beside(document), numbers = document.has(beside) ? beside : kLayerA;
  const AddressText& text = text_of(beside);
  Graph graph{.overrides = overrides_of(document, kLayerPlan)};
  for (StageOverride typed : overrides_of(document, kLayerPlan, numbers))
    typed.layer = beside, graph.overrides.push_back(std::move(typed));
  append_layer(graph, document.layer(), {.title = "A", .address = kLayerA});
  const StageIndex first = graph.stages.size();
  const std::size_t steps = graph.steps.size();
  append_layer(graph, document.layer(numbers),
               {.prefix = std::string(text.prefix), .title = std::string(text.name), .address = numbers});
  graph.parts.back().layer = beside;  // its own with its first edit
  if (is_by_reference(document.compare, beside))
    for (StageIndex i = first; i < graph.stages.size(); ++i) graph.stages[i].by_reference = true;
  join_steps(graph, steps);
  ComparePlaces places{pairs(graph)};
  graph.begin_part(
      {.prefix = kDifference, .title = std::string(compare_field::figure.titles()[document.compare.figure])});
  for (ComparedStage& row : places.stages)
    if (row.a && row.b && graph.stages[*row.a].shape == graph.stages[*row.b].shape)
      row.difference = append_difference(graph, document.compare, std::string(text.name), row);
  leave_differences_out(graph);
  return {std::move(graph), Places(std::move(places))};
}

}  // namespace attn
