// Documents of one row of scores, and their graph computed on the reference.
#pragma once

#include <vector>

#include "core/evaluate/run.h"
#include "core/reference/backend.h"
#include "core/softmax/graph.h"
#include "tests/layers.h"

namespace attn::tests {

inline Document of_row(std::vector<float> scores) {
  Document document;
  own_row(document.softmax, scores, {});
  document.softmax.pairs = 64;
  return document;
}

struct Computed {
  explicit Computed(const Document& document)
      : graph(build_softmax(document).graph), places(places_in<SoftmaxPlaces>(build_softmax(document))) {
    const auto reference = make_reference_backend();
    outputs.resize(graph.stages.size());
    run_stages(*reference, graph, {.done = [&](StageIndex i, const Tensor& t) { outputs[i] = t; }});
  }
  std::vector<float> at(StageIndex stage) const {
    const auto values = outputs[stage].values();
    return {values.begin(), values.end()};
  }
  Graph graph;
  SoftmaxPlaces places;
  std::vector<Tensor> outputs;
};

}  // namespace attn::tests
