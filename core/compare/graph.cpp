// Two layers one after the other, then what they differ by.
#include "core/compare/graph.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "core/checks/stage_pairs.h"
#include "core/compare/check_graph.h"
#include "core/compare/edit.h"
#include "core/compare/fields.h"

namespace attn {
namespace {

constexpr const char* kDifference = "diff.";
constexpr std::size_t kParts = 3;  // A, the compared layer, the differences

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

// A layer without a mask is compared with what another's mask makes of its scores: with those that its own
// softmax reads.
void pair_masked(const Graph& graph, std::vector<ComparedStage>& rows) {
  const auto read = [&](std::size_t part) { return graph.stages[graph.parts[part].stages->weights].scores; };
  for (ComparedStage& row : rows) {
    if (row.b && !row.a && row.b == graph.parts[1].stages->masked) row.a = read(0), row.of_b = true;
    if (row.a && !row.b && row.a == graph.parts[0].stages->masked) row.b = read(1);
  }
}

StageIndex append_difference(Graph& graph, const CompareSpec& spec, const std::string& name,
                             const ComparedStage& row) {
  const Stage& own = graph.stages[row.either()];
  constexpr const char* kSays[] = {"how much larger in %v than in A", "how many times as large in %v as in A",
                                   "how far %v is from A"};
  std::string says = kSays[spec.figure];
  says.replace(says.find("%v"), 2, name);
  Stage stage{.id = std::string(without_prefix(graph, own)),
              .title = own.title,
              .formula = std::string(compare_field::figure.titles()[spec.figure]),
              .operation = Compared{spec.figure},
              .inputs = {*row.a, *row.b},
              .rows = own.rows,
              .columns = own.columns,
              .role = Role::plain,
              .range = Range::any,
              .drawn = own.drawn,
              .stack = own.stack,
              .sentence = std::move(says),
              .read_only = "differences follow from A and " + name + ": set numbers there",
              .mask = own.mask,
              .gaps = spec.figure == Compared::ratio,
              .step = own.step};
  return graph.add(std::move(stage));
}

// Both have the layer's steps: those of one name are one, the others stand behind the one before them.
void join_steps(Graph& graph, std::size_t own) {
  std::vector<Step> steps(graph.steps.begin(), graph.steps.begin() + static_cast<std::ptrdiff_t>(own));
  std::vector<std::size_t> joined(own);
  std::iota(joined.begin(), joined.end(), std::size_t{0});
  std::size_t next = 0;
  for (std::size_t i = own; i < graph.steps.size(); ++i) {
    const auto same = std::ranges::find(steps, graph.steps[i].title, &Step::title);
    const auto place = static_cast<std::size_t>(same - steps.begin());
    if (same == steps.end()) {
      for (std::size_t& step : joined) step += step >= next;
      steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(next), graph.steps[i]);
      joined.push_back(next);
    } else {
      joined.push_back(place);
    }
    next = joined.back() + 1;
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
  if (document.check.on) return build_check(document);
  const Address compared = compared_address(document), numbers = document.has(compared) ? compared : kLayerA;
  const AddressText& text = text_of(compared);
  Graph graph{.overrides = overrides_of(document, kLayerPlan)};
  for (StageOverride typed : overrides_of(document, kLayerPlan, numbers))
    typed.layer = compared, graph.overrides.push_back(std::move(typed));
  append_layer(graph, document.layer(), {.title = "A", .address = kLayerA});
  const StageIndex first = graph.stages.size();
  const std::size_t steps = graph.steps.size();
  append_layer(graph, compared_layer(document, compared),
               {.prefix = std::string(text.prefix), .title = std::string(text.name), .address = numbers});
  graph.parts.back().layer = compared;  // its own with its first edit
  if (is_by_reference(document.compare, compared))
    for (StageIndex i = first; i < graph.stages.size(); ++i) graph.stages[i].by_reference = true;
  join_steps(graph, steps);
  ComparePlaces places{pairs(graph)};
  pair_masked(graph, places.stages);
  graph.begin_part(
      {.prefix = kDifference, .title = std::string(compare_field::figure.titles()[document.compare.figure])});
  for (ComparedStage& row : places.stages)
    if (row.a && row.b && graph.stages[*row.a].shape == graph.stages[*row.b].shape)
      row.difference = append_difference(graph, document.compare, std::string(text.name), row);
  leave_differences_out(graph);
  return {std::move(graph), Places(std::move(places))};
}

}  // namespace attn
