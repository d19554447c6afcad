// What the functions that build the graph of the workspace of kernels share. Private to core/kernels.
#pragma once

#include "core/kernels/graph.h"

namespace attn {

enum StepOf { kDistance, kKappa, kSum, kWeights, kEstimate };

struct KernelsBuilder {
  Graph& graph;
  const KernelsSpec& spec;
  KernelsWanted wanted;
  KernelsPlaces places = {};
  Axis queries{"query", {}, Axis::queries}, keys{"point", {}, Axis::keys}, one{}, value{"value"};

  // A number of each query and point, to be completed.
  Stage pair(std::string id, std::string title, std::string formula, Operation operation,
             std::vector<StageIndex> inputs, StepOf step) const {
    return {.id = std::move(id),
            .title = std::move(title),
            .formula = std::move(formula),
            .operation = std::move(operation),
            .inputs = std::move(inputs),
            .rows = queries,
            .columns = keys,
            .step = step};
  }
  StageIndex given(const char* id, const char* title, const char* formula, const Tensor& tensor, Axis rows,
                   Role role, const char* sentence) {
    return graph.add({.id = id,
                      .title = title,
                      .formula = formula,
                      .operation = Source{tensor},
                      .rows = std::move(rows),
                      .columns = role == Role::value ? value : one,
                      .role = role,
                      .drawn = Drawn::parameters,
                      .sentence = sentence,
                      .step = kDistance});
  }
};

// A part for the estimate, with what is wanted of it.
void append_curve(KernelsBuilder& b, const KernelCurve& curve, std::size_t number);
// σ, for all, for each query or for each point.
StageIndex append_width(KernelsBuilder& b, const KernelCurve& curve);
// The mean squared leave-one-out errors of the candidates, s×1×1.
StageIndex append_mean_errors(Graph& graph, Kernel kernel, StageIndex keys, StageIndex values,
                              const Tensor& candidates);

}  // namespace attn
