// JSON by hand: counts may be longer than the 64 bits of the library's numbers.
#include "core/cost/text.h"

#include "core/cost/crossovers.h"
#include "core/cost/fields.h"
#include "core/cost/parameters.h"

namespace attn {
namespace {

std::string truth(bool value) {
  return value ? "true" : "false";
}

// What the counts are of, so that a reader can make them again: nothing is left to be the usual.
std::string shape_json(const CostSpec& spec) {
  const MechanismKind kind = spec.mechanism.kind;
  const std::size_t reach = spec.mechanism.reach;
  const bool given = kind == MechanismKind::window || (kind == MechanismKind::strided && reach > 0);
  std::string text = "{";
  const auto add = [&](const char* name, const std::string& value) {
    text += (text.size() > 1 ? ", \"" : "\"") + std::string(name) + "\": " + value;
  };
  const auto word = [](std::string_view name) { return '"' + std::string(name) + '"'; };
  add("n", std::to_string(spec.n)), add("past", std::to_string(spec.past)), add("d", std::to_string(spec.d));
  add("heads", std::to_string(spec.heads)), add("kv_heads", std::to_string(spec.kv_heads));
  add("feed_forward", std::to_string(spec.inner_width())), add("gated", truth(spec.gated));
  add("biases", word(cost_field::biases.word_of(spec.biases)));
  add("layers", std::to_string(spec.layers)), add("batch", std::to_string(spec.batch));
  add("format", word(kFormatWords[static_cast<std::size_t>(spec.format)]));
  add("mechanism", word(kMechanismWords[static_cast<std::size_t>(kind)])),
      add("reach", given ? std::to_string(reach) : "null");
  add("causal", truth(spec.causal)), add("backward", truth(spec.backward));
  return text + "}";
}

}  // namespace

std::string cost_json(const CostSpec& spec) {
  const LayerCost layer = count_layer(spec);
  std::string text = "{\n  \"shape\": " + shape_json(spec) + ",\n  \"stages\": [";
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
