// Views: what a person looks at in each workspace, in values of the workspaces' own.
#pragma once

#include <any>
#include <typeindex>
#include <unordered_map>

namespace attn {

// One value of each type, as new when it is first asked for.
class Views {
 public:
  template <class Own>
  Own& of() {
    std::any& kept = all_[typeid(Own)];
    if (!kept.has_value()) kept = Own();
    return *std::any_cast<Own>(&kept);
  }
  template <class Own>
  const Own& of() const {
    static const Own kNew{};
    const auto kept = all_.find(typeid(Own));
    return kept == all_.end() ? kNew : *std::any_cast<Own>(&kept->second);
  }

 private:
  std::unordered_map<std::type_index, std::any> all_;
};

}  // namespace attn
