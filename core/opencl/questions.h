// Questions to the child process (probe.cpp), one driver in it at a time.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/opencl/cache.h"
#include "core/opencl/drivers.h"
#include "core/system/child.h"

namespace attn::opencl {

using Json = nlohmann::json;

// Whose folders are used, whose limits hold, and who hears what went wrong.
struct SurveyContext {
  Cache& cache;
  const Surroundings& surroundings;
  std::vector<std::string>& notes;

  // What this machine is short of just now; empty when nothing is.
  std::string trouble() const;
};

// How many times the usual limit a child may say nothing, and take in all.
struct Patience {
  int silence = 1, in_all = 1;
};
Child ask(const SurveyContext& context, const Driver& driver, const std::string& command,
          const Patience& patience = {});

// What the child said; none when it didn't come to its end or what it said makes no sense.
std::optional<Json> report_of(const Child& child, const char* required);

// How a child without a report ended, and the words for it.
struct Failure {
  Ending ending = Ending::crashed;
  std::string text;
};
Failure failure_of(const SurveyContext& context, const Child& child);

}  // namespace attn::opencl
