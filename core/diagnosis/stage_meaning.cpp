// A list of ids, and what comes before each.
#include "core/diagnosis/stage_meaning.h"

#include <algorithm>
#include <array>

#include "core/attention/layer_fields.h"
#include "core/diagnosis/closeness.h"
#include "core/diagnosis/given_ids.h"

namespace attn {
namespace {

namespace given = given_id;

struct MadeFrom {
  std::string_view id, before;
};
// Those that not every layer has.
constexpr std::array kMadeFrom{
    MadeFrom{given::position, layer_field::x.stage},
    MadeFrom{given::q_normed, given::q},
    MadeFrom{given::k_normed, given::k},
    MadeFrom{given::q_rotated, given::q_normed},
    MadeFrom{given::k_rotated, given::k_normed},
    MadeFrom{given::capped, given::scaled},
    MadeFrom{given::biased, given::capped},
    MadeFrom{given::masked, given::biased},
    MadeFrom{given::masked_weights, given::weights},
    MadeFrom{given::dropped, given::masked_weights},
};

// By columns they are cut as they are projected.
bool is_cut_by_memory(const Graph& graph, StageIndex index) {
  const Stage& stage = graph.stages[index];
  const bool of_projection =
      stage.role == Role::query || stage.role == Role::key || stage.role == Role::value;
  if (!of_projection || stage.shape.stack == 1 || stage.inputs.empty()) return false;
  const Stage& from = graph.stages[stage.inputs.front()];
  return from.role == stage.role && from.shape.stack == 1;
}

// What is read in place of heads, h × n × d, that were written as one matrix n × h·d in the same order.
Tensor by_columns(const Tensor& heads) {
  const Shape shape = heads.shape();
  std::vector<float> numbers;
  numbers.reserve(shape.size());
  for (std::size_t h = 0; h < shape.stack; ++h)
    for (std::size_t i = 0; i < shape.rows; ++i) {
      const auto row = heads.values().subspan((i * shape.stack + h) * shape.columns, shape.columns);
      numbers.insert(numbers.end(), row.begin(), row.end());
    }
  return Tensor(shape, std::move(numbers));
}

}  // namespace

std::vector<StageIndex> stages_meant(const Graph& graph, std::string_view id) {
  std::vector<StageIndex> found;
  if (id == given::weights) {
    for (const std::string_view of : {given::weights, given::masked_weights, given::dropped})
      if (const auto stage = graph.find(of)) found.push_back(*stage);
    return found;
  }
  while (true) {
    if (const auto stage = graph.find(id)) return {*stage};
    const auto from = std::ranges::find(kMadeFrom, id, &MadeFrom::id);
    if (from == kMadeFrom.end()) return {};
    id = from->before;
  }
}

bool can_be_masked(const Graph& graph, StageIndex stage) {
  const Role role = graph.stages[stage].role;
  return role == Role::score || role == Role::bias;
}

Tensor as_given(const Graph& graph, StageIndex stage, const Tensor& ours, const Tensor& yours) {
  if (!is_cut_by_memory(graph, stage)) return ours;
  const Tensor before = by_columns(ours);
  return closeness_of(yours, before, {}).distance < closeness_of(yours, ours, {}).distance ? before : ours;
}

}  // namespace attn
