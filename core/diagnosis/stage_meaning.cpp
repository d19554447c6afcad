// A list of ids, and what comes before each.
#include "core/diagnosis/stage_meaning.h"

#include <algorithm>
#include <array>

#include "core/attention/layer_fields.h"
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

}  // namespace attn
