// The document's stack as a graph.
#include "core/document/stack_plan.h"

#include "core/transformer/made.h"

namespace attn {

StackSpec shown_stack(const Document& document) {
  return document.transformer.empty() ? made_over(document.layer()) : document.transformer;
}

std::vector<StageOverride> stack_overrides(const Document& document) {
  std::vector<StageOverride> found = overrides_of(document, kStackPlan);
  for (const StageOverride& typed : document.overrides)
    if (typed.layer.home != LayerHome::layers) found.push_back(typed);
  return found;
}

Built build_stack(const Document& document, Address) {
  Graph graph;
  graph.overrides = stack_overrides(document);
  StackStages stages = append_stack(graph, shown_stack(document));
  return {std::move(graph), Places(std::move(stages))};
}

Graph given_stack(const Document& document) {
  Graph graph;
  const StackSpec stack = shown_stack(document);
  for (const bool decoder : {false, true}) {
    const StackSide& side = decoder ? stack.decoder : stack.encoder;
    if (side.x.empty()) continue;
    graph.begin_part({.prefix = part_key(decoder, "").substr(6) + "."});
    graph.add({.id = "input",
               .title = "X",
               .formula = "given",
               .operation = Source{side.x},
               .rows = {"token", std::make_shared<const Labels>(side.tokens), Axis::queries},
               .columns = {"feature"},
               .role = Role::token,
               .sentence = "feature %j of the token %r, as it goes in",
               .field = part_key(decoder, "") + ".x"});
  }
  return graph;
}

}  // namespace attn
