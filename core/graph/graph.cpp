// Appending stages, with their overrides, and finding them again by what they are.
#include "core/graph/graph.h"

#include <algorithm>

#include "core/system/error.h"

namespace attn {
namespace {

// Numbers: that sums over many stages can be counted. What fits into memory is weighed when it is computed
// (core/evaluate/weigh.h).
constexpr std::size_t kLargestStage = std::size_t{1} << 48;

// In double, since the product may be more than a size_t holds.
bool is_beyond_memory(const Shape& shape) {
  return static_cast<double>(shape.stack) * static_cast<double>(shape.rows) *
             static_cast<double>(shape.columns) >
         static_cast<double>(kLargestStage);
}

}  // namespace

Labels filled_labels(Labels given, std::size_t count) {
  for (std::size_t i = given.size(); i < count; ++i) given.push_back(std::to_string(i));
  return given;
}

std::string id_of(const StageOverride& typed) {
  return std::string(text_of(typed.layer).prefix) + typed.stage;
}

bool is_over(const StageOverride& typed, std::string_view id) {
  const std::string_view prefix = text_of(typed.layer).prefix;
  return id.starts_with(prefix) && id.substr(prefix.size()) == typed.stage;
}

void IdIndex::add(std::string_view id, StageIndex stage) {
  const std::pair place{std::hash<std::string_view>()(id), stage};
  sorted_.insert(std::ranges::upper_bound(sorted_, place), place);
}

std::span<const std::pair<std::size_t, StageIndex>> IdIndex::like(std::string_view id) const {
  using Place = std::pair<std::size_t, StageIndex>;
  const Place wanted{std::hash<std::string_view>()(id), 0};
  const auto [first, last] =
      std::equal_range(sorted_.begin(), sorted_.end(), wanted,
                       [](const Place& a, const Place& b) { return a.first < b.first; });
  return {first, last};
}

void Graph::begin_part(Part part) {
  parts.push_back(std::move(part));
}

bool Graph::has(Address layer) const {
  return std::ranges::find(parts, std::optional(layer), &Part::layer) != parts.end();
}

std::size_t Graph::add_step(Step step) {
  steps.push_back(std::move(step));
  return steps.size() - 1;
}

StageIndex Graph::append(Stage stage) {
  stages.push_back(std::move(stage));
  const StageIndex index = stages.size() - 1;
  Stage& added = stages.back();
  try {
    const std::vector<Shape> inputs = input_shapes(index);
    added.shape = result_shape(added.operation, inputs);
    added.traits = traits(added.operation, inputs, added.shape);
    if (is_beyond_memory(added.shape))
      throw Error("a result of " + to_string(added.shape) +
                  " is beyond all memory: use fewer tokens or heads");
  } catch (const Error& error) {
    throw Error(added.id + ": " + error.what(), error.fault());
  }
  if (added.step != Stage::kNoStep) steps[added.step].stages.push_back(index);
  ids.add(added.id, index);
  if (!added.traced) return index;
  auto& meant = parts[added.part].of_role[static_cast<std::size_t>(added.role)];
  if (!meant || (added.role == Role::weights && !added.by_chance)) meant = index;
  return index;
}

StageIndex Graph::add(Stage stage) {
  if (parts.empty()) begin_part({});
  stage.part = stage.gradient_of ? stages[*stage.gradient_of].part : parts.size() - 1;
  stage.id.insert(0, parts[stage.part].prefix);
  Override override;
  if (stage.field.empty())  // a number of the document is edited, not overridden
    for (const StageOverride& o : overrides)
      if (is_over(o, stage.id)) override.cells.push_back(o.value);
  if (override.cells.empty()) return append(std::move(stage));
  Stage computed = stage;
  computed.id += "_computed";
  computed.title += " as computed";
  if (!computed.sentence.empty()) computed.sentence += ", as computed before your number";
  computed.traced = false;
  computed.drawn = Drawn::never;
  computed.step = Stage::kNoStep;
  stage.computed_from = append(std::move(computed));
  stage.operation = std::move(override);
  stage.inputs = {*stage.computed_from};
  return append(std::move(stage));
}

std::optional<StageIndex> Graph::find(std::string_view id) const {
  for (const auto& [hash, stage] : ids.like(id))
    if (stage < stages.size() && stages[stage].id == id) return stage;
  return std::nullopt;
}

std::optional<StageIndex> Graph::find(Role role, std::optional<std::size_t> part) const {
  const auto place = static_cast<std::size_t>(role);
  const auto in = [&](const Part& one) -> std::optional<StageIndex> {
    const auto stage = one.of_role[place];
    return stage && *stage < stages.size() ? stage : std::nullopt;  // of a graph that ends before, none
  };
  if (part) return *part < parts.size() ? in(parts[*part]) : std::nullopt;
  for (const Part& one : parts)
    if (const auto stage = in(one)) return stage;
  return std::nullopt;
}

std::vector<Shape> Graph::input_shapes(const Stage& stage) const {
  std::vector<Shape> shapes;
  for (const StageIndex input : stage.inputs) shapes.push_back(stages[input].shape);
  return shapes;
}

std::optional<StageIndex> mixture_in(const Graph& graph, std::size_t part) {
  const auto role = [&](StageIndex i) { return graph.stages[i].role; };
  for (StageIndex i = 0; i < graph.stages.size(); ++i) {
    const Stage& stage = graph.stages[i];
    if (stage.part == part && stage.inputs.size() == 2 && role(stage.inputs[0]) == Role::weights &&
        role(stage.inputs[1]) == Role::value)
      return i;
  }
  return std::nullopt;
}

std::size_t heads_of(const Graph& graph, std::optional<std::size_t> part) {
  const auto weights = graph.find(Role::weights, part);
  return weights ? std::max<std::size_t>(1, graph.stages[*weights].shape.stack) : 1;
}

}  // namespace attn
