// Plan: what is computed of a document, the half of a workspace that core knows. Requests to the engine name
// one, results carry it.
#pragma once

#include <string_view>

#include "core/document.h"

namespace attn {

struct Plan {
  std::string_view name;            // of the command line, sessions and overrides: "pipeline"
  Graph (*build)(const Document&);  // pure; throws Error where the document makes none
  Graph (*given)(
      const Document&);  // its inputs alone, of a document that makes no graph: what there is to repair
};

// The plan's graph; of what is given alone where the document makes none.
Graph graph_of(const Plan& plan, const Document& document);

// The overrides that name this workspace: for Graph::overrides.
std::vector<StageOverride> overrides_of(const Document& document, std::string_view workspace);

}  // namespace attn
