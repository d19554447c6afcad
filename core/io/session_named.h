// Large matrices that a session names instead of holding them: by file, array and digest. For session*.cpp
// only.
#pragma once

#include <string>

#include "core/io/array_files.h"
#include "core/io/session.h"
#include "core/io/session_values.h"

namespace attn::session {

class NamedTensors {
 public:
  explicit NamedTensors(const SessionFiles& files) : files_(files), arrays_(files.mapped) {}

  // What stands in the session in place of the matrix, as JSON; empty for one that it has to hold: it is
  // small, from no file, or the file no longer holds it.
  std::string name_of(const Tensor& tensor);
  bool has_named() const { return named_; }
  // The matrix that it names: where it says, or else beside the session. Throws Error with `path` and what to
  // do.
  Tensor find(const json& named, const std::string& path);

 private:
  SessionFiles files_;
  ArrayFiles arrays_;
  bool named_ = false;
};

}  // namespace attn::session
