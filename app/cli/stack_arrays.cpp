// Measures and gradients as arrays that are filled while stages come.
#include "app/cli/stack_arrays.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/io/npz.h"
#include "core/transformer/fields.h"
#include "core/transformer/measures.h"
#include "core/transformer/parameters.h"

namespace attn {
namespace {

constexpr const char* kAsInPyTorch = "gradient, as PyTorch has it";

using Measured = std::optional<double> (*)(const Tensor& stream);

MadeArray over_depth(std::string name, const SideStages& side, Measured measured) {
  MadeArray array{
      .name = std::move(name), .formula = "before and behind each layer", .shape = {side.blocks.size() + 1}};
  array.of.push_back(side.input);
  for (const BlockStages& block : side.blocks) array.of.push_back(block.stream);
  array.put = [measured](std::size_t part, const Tensor& stream, std::span<float> numbers) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    numbers[part] = static_cast<float>(measured(stream).value_or(kNone));
  };
  return array;
}

// The stages of a stack's tensors, by the names of the fields that they show.
class StagesOfTensors {
 public:
  StagesOfTensors(const Graph& graph, const StackSpec& stack) {
    std::map<std::string_view, StageIndex> by_field;
    for (StageIndex i = 0; i < graph.stages.size(); ++i)
      if (const std::string& field = graph.stages[i].field; !field.empty()) by_field.emplace(field, i);
    visit_stacks(
        [&]<class Part>(const std::string& key, const Part& part) {
          visit_fields(of<Part>, [&]<class Field>(const Field& field, auto member) {
            if constexpr (std::is_same_v<Field, TensorField>)
              if (const auto stage = by_field.find(key + "." + std::string(field.text.key));
                  stage != by_field.end())
                stages_.emplace(&(part.*member), stage->second);
          });
        },
        stack);
  }

  std::optional<StageIndex> find(const Tensor* tensor) const {
    const auto found = stages_.find(tensor);
    return found == stages_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::map<const Tensor*, StageIndex> stages_;
};

// Rows of one matrix as rows of a larger one, from `first` on, added to what is there.
void add_rows(const Tensor& rows, std::size_t first, std::span<float> numbers) {
  const auto from = rows.values();
  const auto to = numbers.subspan(first * rows.columns(), from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
}

// in×out as out×in, from row `first` on of several, one below the other.
void put_turned(const Tensor& weight, std::size_t first, std::span<float> numbers) {
  const std::size_t in = weight.rows(), out = weight.columns();
  const auto from = weight.values();
  const auto to = numbers.subspan(first * in, in * out);
  for (std::size_t i = 0; i < in; ++i)
    for (std::size_t j = 0; j < out; ++j) to[j * in + i] = from[i * out + j];
}

MadeArray gradient_of(const StackParameter& parameter) {
  const Tensor& part = *parameter.parts.front();
  MadeArray array{.name = "d_" + parameter.name, .formula = kAsInPyTorch, .shape = {}};
  if (parameter.kind == ParameterKind::rows) {
    array.shape = {part.rows(), part.columns()};
    array.put = [](std::size_t, const Tensor& gradient, std::span<float> numbers) {
      add_rows(gradient, 0, numbers);
    };
    return array;
  }
  // Keys and values of fewer heads are narrower than queries.
  std::vector<std::size_t> first;
  std::size_t rows = 0;
  for (const Tensor* each : parameter.parts) first.push_back(rows), rows += each->columns();
  array.shape = {rows};
  if (parameter.kind == ParameterKind::weight) array.shape.push_back(part.rows());
  array.put = [first](std::size_t which, const Tensor& gradient, std::span<float> numbers) {
    put_turned(gradient, first[which], numbers);
  };
  return array;
}

// Each side has rows of its own of a table of positions; what both read comes together.
std::optional<MadeArray> gradient_of_positions(const StackStages& stages, const StackSpec& stack,
                                               const Gradients& gradients, MadeArray array) {
  std::vector<std::size_t> first;
  for (const bool decoder : {false, true}) {
    const SideStages* side = stages.side(decoder);
    const auto gradient = side && side->position ? gradients.find(*side->position) : std::nullopt;
    if (!gradient) continue;
    array.of.push_back(*gradient);
    first.push_back((decoder ? stack.decoder : stack.encoder).first_position);
  }
  if (array.of.empty()) return std::nullopt;
  array.put = [first](std::size_t part, const Tensor& gradient, std::span<float> numbers) {
    add_rows(gradient, first[part], numbers);
  };
  return array;
}

void add_inputs(std::vector<MadeArray>& arrays, const StagesOfTensors& stages, const StackSpec& stack,
                const Gradients& gradients) {
  const bool both = stack.sides == StackSides::both;
  for (const bool decoder : {false, true}) {
    const Tensor& x = (decoder ? stack.decoder : stack.encoder).x;
    const auto stage = stages.find(&x);
    const auto gradient = stage ? gradients.find(*stage) : std::nullopt;
    if (!gradient) continue;
    const char* name = !both ? "d_x" : decoder ? "d_target" : "d_source";
    arrays.push_back({.name = name,
                      .formula = kAsInPyTorch,
                      .shape = {x.rows(), x.columns()},
                      .of = {*gradient},
                      .put = [](std::size_t, const Tensor& rows, std::span<float> numbers) {
                        add_rows(rows, 0, numbers);
                      }});
  }
}

}  // namespace

std::size_t MadeArray::size() const {
  std::size_t size = 1;
  for (const std::size_t side : shape) size *= side;
  return size;
}

MadeArrays::MadeArrays(std::vector<MadeArray> arrays) {
  for (MadeArray& array : arrays) {
    const std::size_t parts = array.of.size();
    arrays_.push_back({.array = std::move(array), .left = parts});
  }
}

std::uint64_t MadeArrays::weight() const {
  std::uint64_t most = 0;
  for (const Filling& begins : arrays_) {
    const StageIndex now = std::ranges::min(begins.array.of);
    std::uint64_t numbers = 0;
    for (const auto& [array, filled, left] : arrays_)
      if (std::ranges::min(array.of) <= now && now <= std::ranges::max(array.of)) numbers += array.size();
    most = std::max(most, numbers);
  }
  return most * sizeof(float);
}

std::uint64_t MadeArrays::file_size() const {
  std::uint64_t size = 0;
  for (const Filling& filling : arrays_)
    size += NpzWriter::array_size(filling.array.name, filling.array.shape);
  return size;
}

void MadeArrays::take(StageIndex stage, const Tensor& output, const Done& done) {
  for (auto& [array, numbers, left] : arrays_) {
    if (left == 0) continue;
    for (std::size_t part = 0; part < array.of.size(); ++part) {
      if (array.of[part] != stage) continue;
      numbers.resize(array.size());
      array.put(part, output, numbers);
      --left;
    }
    if (left > 0) continue;
    done(array, numbers);
    numbers = {};
  }
}

std::vector<MadeArray> depth_arrays(const StackStages& stages) {
  std::vector<MadeArray> arrays;
  const auto add = [&](const std::string& prefix, const SideStages& side) {
    arrays.push_back(over_depth(prefix + "rank_residual", side, rank_residual));
    arrays.push_back(over_depth(prefix + "alike", side, alike));
  };
  if (stages.encoder) add("", *stages.encoder);
  if (stages.decoder) add(stages.encoder ? "decoder." : "", *stages.decoder);
  return arrays;
}

std::vector<MadeArray> gradient_arrays(const Graph& graph, const StackStages& stages, const StackSpec& stack,
                                       const Gradients& gradients) {
  StackSpec parts = stack;  // whose tensors the parameters point to
  const StagesOfTensors stages_of(graph, parts);
  const auto put_loss = [](std::size_t, const Tensor& loss, std::span<float> numbers) {
    add_rows(loss, 0, numbers);
  };
  std::vector<MadeArray> arrays{{.name = "loss",
                                 .formula = "of the side that comes last",
                                 .shape = {1, 1},
                                 .of = {gradients.loss},
                                 .put = put_loss}};
  for (const StackParameter& parameter : stack_parameters(parts)) {
    if (parameter.parts.front()->empty()) continue;
    MadeArray array = gradient_of(parameter);
    if (parameter.parts.front() == &parts.position_table) {
      if (auto positions = gradient_of_positions(stages, parts, gradients, std::move(array)))
        arrays.push_back(std::move(*positions));
      continue;
    }
    for (const Tensor* part : parameter.parts)
      if (const auto stage = stages_of.find(part))
        if (const auto gradient = gradients.find(*stage)) array.of.push_back(*gradient);
    if (array.of.size() == parameter.parts.size()) arrays.push_back(std::move(array));
  }
  add_inputs(arrays, stages_of, parts, gradients);
  return arrays;
}

}  // namespace attn
