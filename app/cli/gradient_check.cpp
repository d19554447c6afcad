// trace --check: gradients against central differences, in words.
#include "app/cli/trace_graph.h"
#include "core/checks/differences.h"
#include "core/text/numbers.h"
#include "core/text/text.h"

namespace attn {

bool check_gradients(const Graph& graph, const WayBackStages& way_back, Console& console) {
  Differences differences(graph, way_back.loss, way_back.gradients);
  const DifferenceCheck check = check_all(differences, graph);
  console.out << "gradients of " << check.numbers - check.crossed << " numbers against central differences";
  if (check.crossed > 0)
    console.out << "; " << check.crossed << " more lie within " << brief(kNudge)
                << " of a bend or a step, where there is nothing to compare";
  console.out << "\n";
  if (!check.worst) return true;
  const Difference& worst = *check.worst;
  const Stage& stage = graph.stages[worst.stage];
  console.out << "worst: " << stage.id << "[" << worst.cell.head << ", " << worst.cell.row << ", "
              << worst.cell.column << "]: gradient " << brief(worst.gradient) << ", difference "
              << brief(worst.quotient) << ", relative error " << brief(worst.error)
              << (check.accepted() ? ": accepted" : ": MORE than 1e-6, and than rounding explains") << "\n";
  return check.accepted();
}

}  // namespace attn
