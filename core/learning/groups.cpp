// Lengths of gradients by group, and the weights of one head.
#include "core/learning/groups.h"

#include <cmath>

#include "core/system/error.h"

namespace attn {
namespace {

constexpr const char* kProjections = ".in_proj_weight";

// Rows of a parameter that belong to one group.
struct GroupRows {
  ParameterGroup group;
  std::size_t first, count;
};

std::vector<GroupRows> groups_in(const TrainedParameter& of, std::size_t width) {
  using enum ParameterGroup;
  const auto all = [&](ParameterGroup group) { return std::vector<GroupRows>{{group, 0, of.shape.rows}}; };
  const auto has = [&](const char* part) { return of.name.find(part) != std::string::npos; };
  if (of.name == "position.weight" || has(".relative")) return all(positions);
  if (of.name == "head.weight") return all(head);
  if (has("norm")) return all(norms);
  if (has(".linear")) return all(feed_forward);
  if (has(".out_proj.")) return all(values);
  if (!has(kProjections)) return all(embedding);
  // The rows of the array are those of queries, keys and values, one below the other.
  std::vector<GroupRows> found;
  constexpr std::array kOrder{queries, keys, values};
  for (std::size_t row = 0; row < of.shape.rows; row += width)
    found.push_back({kOrder[(of.first_row + row) / width], row, width});
  return found;
}

struct FoundRows {
  std::size_t parameter, first;
};
FoundRows head_rows(const TrainingModel& model, std::span<const TrainedParameter> parameters,
                    const std::string& attention, std::size_t head, HeadMatrix matrix) {
  const std::size_t row = static_cast<std::size_t>(matrix) * model.width + head * (model.width / model.heads);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const TrainedParameter& of = parameters[i];
    if (of.name == attention + kProjections && row >= of.first_row && row < of.first_row + of.shape.rows)
      return {i, row - of.first_row};
  }
  throw Error("the model has no attention " + attention);
}

}  // namespace

const char* name(ParameterGroup group) {
  constexpr std::array kNames{"embedding", "positions",    "W_Q",   "W_K",
                              "W_V, W_O",  "feed-forward", "norms", "head"};
  return kNames[static_cast<std::size_t>(group)];
}

GroupNorms gradient_norms(const TrainingModel& model, std::span<const TrainedParameter> parameters,
                          std::span<const Tensor> gradients) {
  GroupNorms norms;
  norms.fill(-1);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    for (const GroupRows& rows : groups_in(parameters[i], model.width)) {
      double& sum = norms[static_cast<std::size_t>(rows.group)];
      if (sum < 0) sum = 0;
      const std::size_t columns = parameters[i].shape.columns;
      for (const float g : gradients[i].values().subspan(rows.first * columns, rows.count * columns))
        sum += static_cast<double>(g) * static_cast<double>(g);
    }
  for (double& norm : norms)
    if (!(norm < 0)) norm = std::sqrt(norm);
  return norms;
}

Tensor head_weights(const TrainingModel& model, std::span<const TrainedParameter> parameters,
                    std::span<const Tensor> numbers, const std::string& attention, std::size_t head,
                    HeadMatrix matrix) {
  const FoundRows at = head_rows(model, parameters, attention, head, matrix);
  const std::size_t width = model.width / model.heads, features = model.width;
  const auto values = numbers[at.parameter].values();
  std::vector<float> turned(features * width);
  for (std::size_t j = 0; j < width; ++j)
    for (std::size_t i = 0; i < features; ++i) turned[i * width + j] = values[(at.first + j) * features + i];
  return {{1, features, width}, std::move(turned)};
}

ParameterCell head_cell(const TrainingModel& model, std::span<const TrainedParameter> parameters,
                        const std::string& attention, std::size_t head, HeadMatrix matrix, std::size_t row,
                        std::size_t column) {
  const FoundRows at = head_rows(model, parameters, attention, head, matrix);
  return {.parameter = at.parameter, .row = at.first + column, .column = row};
}

double moved(const Tensor& now, const Tensor& first) {
  double apart = 0, length = 0;
  for (std::size_t i = 0; i < first.values().size(); ++i) {
    const double before = static_cast<double>(first.values()[i]);
    const double by = static_cast<double>(now.values()[i]) - before;
    apart += by * by, length += before * before;
  }
  return std::sqrt(apart / length);
}

}  // namespace attn
