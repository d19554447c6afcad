// What the stages that are measured are said to do, and what the costs count for them: equal, by two
// definitions.
#include <doctest/doctest.h>

#include "core/cost/count.h"
#include "core/measure/baseline_names.h"
#include "core/measure/measure_graph.h"

using namespace attn;

namespace {

const StageCost& counted(const LayerCost& layer, const std::string& name) {
  for (const StageCost& stage : layer.stages)
    if (stage.name == name) return stage;
  FAIL("no stage is counted that is called " << name);
  return layer.stages.front();
}

}  // namespace

TEST_CASE("the operations of every measured stage are those that the costs count") {
  for (const MeasureShape& shape : {MeasureShape{.d = 64, .heads = 4, .kv_heads = 2, .feed_forward = 256},
                                    MeasureShape{.d = 96, .heads = 3, .kv_heads = 3, .feed_forward = 100},
                                    MeasureShape{.d = 40, .heads = 8, .kv_heads = 1, .feed_forward = 7}})
    for (const std::size_t n : {1u, 5u, 128u}) {
      const MeasureLayer layer = build_measured_layer(shape, n, LayerInputs::shapes);
      const LayerCost cost = count_layer({.n = n,
                                          .d = shape.d,
                                          .heads = shape.heads,
                                          .kv_heads = shape.kv_heads,
                                          .feed_forward = shape.feed_forward,
                                          .mechanism = {}});
      double attention = 0;
      for (const MeasureGroup& group : layer.groups) {
        CAPTURE(group.name);
        double operations = 0;
        for (const StageIndex i : group.stages) operations += work_of(layer.graph, i).operations;
        CHECK(operations == static_cast<double>(counted(cost, group.name).operations.value()));
        if (group.name == "scores" || group.name == "scaled" || group.name == "weights" ||
            group.name == "head_output")
          attention += operations;
      }
      CHECK(work_of(measure_subjects().front().build(shape, n, LayerInputs::shapes)).operations == attention);
      for (const MeasureSubject& subject : measure_subjects()) {
        if (subject.part != MeasuredPart::layer_rest) continue;
        const Count products = operations(cost, CostPart::projections) + operations(cost, CostPart::output);
        const Count rest = subject.name == kRestOfLayer ? operations(cost, CostPart::feed_forward) : 0;
        CHECK(work_of(subject.build(shape, n, LayerInputs::shapes)).operations ==
              static_cast<double>(products + rest));
      }
    }
}

TEST_CASE("subjects that are measured bear the words of their mechanisms") {
  const auto subjects = measure_subjects();
  for (std::size_t i = 0; i < kMechanismWords.size(); ++i) CHECK(subjects[i].name == kMechanismWords[i]);
}
