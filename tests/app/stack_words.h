// Stacks at the command line, for tests: traced, and what is refused.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/io/npz.h"
#include "core/system/file.h"
#include "tests/app/stack_files.h"
#include "tests/app/words.h"

namespace attn::tests {

using Words = std::vector<std::string>;
using Arrays = StackArrays;

inline Outcome trace_stack(const std::string& file, Words words) {
  words.insert(words.begin(), {"trace", file, "--workspace", "stack", "--device", "reference"});
  return run_words(words);
}

inline Arrays traced_stack(const std::string& file, Words words) {
  const TemporaryFolder folder;
  words.insert(words.end(), {"-o", folder / "out.npz"});
  const Outcome outcome = trace_stack(file, std::move(words));
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == kDone);
  return parse_npz<float>(read_file(folder / "out.npz"));
}

inline std::string refused(const Arrays& arrays, Words words = {}) {
  const TemporaryFolder folder;
  write_stack(folder / "model.npz", arrays);
  const Outcome outcome = trace_stack(folder / "model.npz", std::move(words));
  CHECK(outcome.status != kDone);
  CHECK(outcome.out.empty());
  return outcome.err;
}

}  // namespace attn::tests
