// OverrideSettling: what is typed over computed numbers follows the edits of what they are computed from.
#pragma once

#include <optional>
#include <span>

#include "app/frame/workspace.h"

namespace attn {

class OverrideSettling {
 public:
  explicit OverrideSettling(std::span<const Workspace> workspaces) : workspaces_(workspaces) {}

  // `draft` is the next of `current`, and another. Numbers typed over ones that the edit took away go with
  // them, in whichever workspace they were typed.
  void settle(const Document& current, Document& draft);

 private:
  void settle_all(Document& draft);

  std::span<const Workspace> workspaces_;
  std::optional<Document> settled_;  // what is typed over it has its cells, all of it
};

}  // namespace attn
