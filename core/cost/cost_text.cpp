// JSON by hand: counts may be longer than the 64 bits of the library's numbers.
#include "core/cost/cost_text.h"

#include "core/cost/crossovers.h"
#include "core/cost/parameters.h"

namespace attn {

std::string cost_json(const CostSpec& spec) {
  const LayerCost layer = count_layer(spec);
  std::string text = "{\n  \"stages\": [";
  std::string between = "\n";
  for (const StageCost& stage : layer.stages) {
    text += between + "    {\"name\": \"" + std::string(stage.name) +
            "\", \"operations\": " + digits(stage.operations.value()) +
            ", \"bytes_moved\": " + digits(stage.bytes_moved.value()) +
            ", \"bytes_held\": " + digits(stage.bytes_held.value()) + '}';
    between = ",\n";
  }
  const Parameters each = parameters(spec);
  text += "\n  ],\n  \"operations\": " + digits(operations(layer) * spec.layers) +
          ",\n  \"parameters\": {\"attention\": " + digits(of_all_layers(spec, each.attention)) +
          ", \"feed_forward\": " + digits(of_all_layers(spec, each.feed_forward)) +
          "},\n  \"cache_bytes_per_token\": " + digits(cache_per_token(spec).value()) +
          ",\n  \"crossovers\": {";
  between.clear();
  for (const Crossover& crossover : crossovers(spec)) {
    text += between + '"' + std::string(crossover.name) +
            "\": " + (crossover.n ? std::to_string(*crossover.n) : "null");
    between = ", ";
  }
  return text + "}\n}\n";
}

std::string cost_csv(const CostSpec& spec) {
  std::string text = "stage,operations,bytes_moved,bytes_held\n";
  for (const StageCost& stage : count_layer(spec).stages)
    text += std::string(stage.name) + ',' + digits(stage.operations.value()) + ',' +
            digits(stage.bytes_moved.value()) + ',' + digits(stage.bytes_held.value()) + '\n';
  return text;
}

}  // namespace attn
