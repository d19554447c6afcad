// A session as its text is read: matrices, labels and overrides, which may be large, go straight into what
// the document will hold; what is left is small and is kept as JSON. For session*.cpp only.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/io/session_named.h"
#include "core/io/session_values.h"
#include "core/io/text_source.h"

namespace attn::session {

struct Parts {
  json small;                             // the session, with null in the place of what is below
  std::map<std::string, Tensor> tensors;  // by path: "layer.x"
  std::map<std::string, Labels> labels;
  std::map<std::string, std::vector<StageOverride>> overrides;
};

// Throws Error unless it is there and ours.
void check_format(const json* format);
// Throws Error unless it is one that is read.
std::size_t read_version(const json& version);

// Throws Error with the place and what is wrong. What is no session is refused by its first key.
// `names`: of matrices.
Parts read_parts(const TextSource& source, NamedTensors& names);

}  // namespace attn::session
