// The row of the table: kernel regression.
#include "app/workspaces/kernels/row.h"

#include "app/canvas/steps.h"
#include "app/workspaces/kernels/view.h"
#include "core/kernels/graph.h"

namespace attn {
namespace {

constexpr std::size_t kTimedPoints = 10'000, kTimedQueries = 1'000;

std::vector<TimedEdit> timed_kernels() {
  Document document;
  KernelsSpec& spec = document.kernels;
  spec.count = kTimedPoints, spec.queries = kTimedQueries;
  spec.kernels = {Kernel::gaussian};
  own_points(spec);
  const auto drag = [](Document& d, View&, int i) {
    move_point(d.kernels, kTimedPoints / 2, 2.5f, static_cast<float>(i) / 40);
  };
  return {{"kernels, 1000 queries × 10000 points, one dragged", 1000.0 / 60, document, drag}};
}

}  // namespace

Workspace kernels_workspace() {
  Workspace row{kKernelsPlan};
  row.title = "Kernels";
  row.steps = graph_steps;
  row.controls = draw_kernels_controls;
  row.draw = draw_kernels;
  row.inspect = inspect_kernels;
  row.commands = kernel_commands;
  row.play = play_kernels;
  row.plays = "move the query";
  row.fields = {named_part<&Document::kernels>(), named_view<KernelsView>()};
  row.keys = "drag a point   click adds one   Del removes it   wheel: width";
  row.place = {"Q, a place along x, as in 2.4", 1, look_at_query};
  row.takes = ImportKind::points;
  row.take = take_kernel_points;
  row.command_line = add_regress;
  row.timed = timed_kernels;
  return row;
}

}  // namespace attn
