// The graph of the workspace of costs.
#include "core/cost/plan.h"

namespace attn {

Built build_cost(const Document& document, Address) {
  check_study(document.cost);
  Graph graph;
  graph.add_step({.title = "count", .says = "operations and bytes of one layer, exactly"});
  graph.add_step({.title = "measure", .says = "the same on this device: M begins, S stops"});
  graph.add_step({.title = "decode", .says = "what the next token costs, with a cache and without"});
  graph.begin_part({.formula = {{"full: 4·n²·d   projections: 8·n·d²   feed-forward: 16·n·d²"}}});
  return graph;
}

}  // namespace attn
