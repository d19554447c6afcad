// A check's equality, and its stages as a list.
#include "core/compare/check.h"

#include <algorithm>

#include "core/compare/check_fields.h"
#include "core/system/error.h"

namespace attn {
namespace {

// Calls visit(id, member) for each stage that a file may give.
template <class Visit>
void visit_given(Visit&& visit) {
  visit_fields(of<CheckSpec>, [&](const auto& field, auto member) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, TensorField>)
      visit(field.text.key, member);
  });
}

}  // namespace

bool CheckSpec::operator==(const CheckSpec& other) const {
  return equal_fields(*this, other);
}

std::vector<GivenStage> given_stages(const CheckSpec& check) {
  std::vector<GivenStage> stages;
  visit_given([&](std::string_view id, auto member) {
    if (!(check.*member).empty()) stages.push_back({std::string(id), check.*member});
  });
  return stages;
}

void set_given_stages(CheckSpec& check, std::span<const GivenStage> stages) {
  visit_given([&](std::string_view, auto member) { check.*member = {}; });
  for (const GivenStage& stage : stages) {
    bool found = false;
    visit_given([&](std::string_view id, auto member) {
      if (id == stage.id) check.*member = stage.numbers, found = true;
    });
    if (!found) throw Error(stage.id + " is no stage of a layer that a file can give");
  }
}

std::vector<std::string> given_stage_ids() {
  std::vector<std::string> ids;
  visit_given([&](std::string_view id, auto) { ids.emplace_back(id); });
  return ids;
}

}  // namespace attn
