// Ours, then yours, then what they differ by.
#include "core/compare/check_graph.h"

#include "core/compare/check.h"
#include "core/compare/check_fields.h"

namespace attn {
namespace {

Stage yours_stage(const TensorField& field, const Tensor& numbers, const Stage& ours) {
  return {.id = std::string(field.stage),
          .title = std::string(field.symbol),
          .formula = "from the file",
          .operation = Source{numbers},
          .rows = ours.rows,
          .columns = ours.columns,
          .role = ours.role,
          .range = ours.range,
          .drawn = ours.drawn,
          .stack = ours.stack,
          .sentence = std::string(field.number),
          .read_only = "numbers of the file: change the file, and it is read again",
          .mask = ours.role == Role::score ? ours.mask : std::nullopt,  // −∞ there is no fault
          .step = ours.step};
}

StageIndex difference_stage(Graph& graph, StageIndex ours, StageIndex yours) {
  const Stage& own = graph.stages[ours];
  Stage stage{.id = own.id,
              .title = own.title,
              .formula = "yours − ours",
              .operation = Compared{Compared::difference},
              .inputs = {ours, yours},
              .rows = own.rows,
              .columns = own.columns,
              .drawn = own.drawn,
              .stack = own.stack,
              .sentence = "how much larger in the file",
              .read_only = "differences follow from yours and ours",
              .mask = own.mask,
              .step = own.step};
  return graph.add(std::move(stage));
}

}  // namespace

Built build_check(const Document& document) {
  Graph graph{.overrides = overrides_of(document, kLayerPlan)};
  append_layer(graph, document.layer(), {.title = "ours", .address = kLayerA});
  ComparePlaces places;
  graph.begin_part({.prefix = kYoursPrefix, .title = "yours"});
  visit_fields(of<CheckSpec>, [&](const auto& field, auto member) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, TensorField>) {
      const Tensor& numbers = document.check.*member;
      const auto ours = graph.find(field.stage);
      if (numbers.empty() || !ours) return;
      const StageIndex yours = graph.add(yours_stage(field, numbers, graph.stages[*ours]));
      places.stages.push_back({.a = ours, .b = yours});
    }
  });
  graph.begin_part({.prefix = "diff.", .title = "yours − ours"});
  for (ComparedStage& row : places.stages)
    if (graph.stages[*row.a].shape == graph.stages[*row.b].shape)
      row.difference = difference_stage(graph, *row.a, *row.b);
  return {std::move(graph), Places(std::move(places))};
}

}  // namespace attn
