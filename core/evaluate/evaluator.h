// Evaluator: runs a graph's stages on a backend and remembers (operation, inputs) → result.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/backend/backend.h"
#include "core/evaluate/result_memo.h"
#include "core/evaluate/results.h"
#include "core/system/budget.h"

namespace attn {

// Asked before each stage that is not given, with the part of them that is done (0 … 1); false stops the
// evaluation.
using Progress = std::function<bool(const Stage& stage, double done)>;

// The stages that `wanted` needs, itself included; all when `wanted` is empty.
std::vector<bool> needed_stages(const Graph& graph, std::span<const std::string> wanted);

class Evaluator {
 public:
  Evaluator(Backend& backend, Budget& budget);

  // Runs the stages that `wanted` names, and what they need; all of them when `wanted` is empty. Unchanged
  // stages are found, not recomputed. Small ones are asked for together and read back at once: a device would
  // be waited for longer than it works at them. Where they fail they are asked for one by one. Afterwards
  // drops the least recently used results and device buffers while the budget is exceeded, never those of
  // these Results. Throws Error(Fault::memory) before anything is computed when it would not fit, what the
  // backend throws, and Error when `progress` stops it; what was read back until then is remembered.
  Results evaluate(const Document& document, Built built, std::span<const std::string> wanted = {},
                   const Progress& progress = {});

 private:
  std::vector<bool> unknown(const Graph& graph, std::vector<bool> needed);
  void check_memory(const Graph& graph, const std::vector<bool>& needed, const Bands* bands);
  std::shared_ptr<const Bands> needed_bands(const Document& document, const Built& built,
                                            const std::vector<bool>& needed) const;
  enum class RunMode { together, one_by_one };
  void compute(Results& results, const std::vector<bool>& needed, const Progress& progress, RunMode mode);
  void run(Results& results, StageIndex stage, RunMode mode);
  void read_asked(Results& results, std::size_t left = 0);  // all but the last `left`
  void take(Results& results, StageIndex stage, ResultMemo::Entry& entry);
  void recognize(Graph& graph) const;
  void give(Results& results, StageIndex stage, const Tensor& tensor);

  Backend& backend_;
  Budget& budget_;
  std::string computed_by_;  // what is remembered: the backend's name
  ResultMemo memo_;
  std::vector<std::pair<StageIndex, ResultMemo::Entry*>> asked_;  // computed or found, not yet in the results
  struct SourceResult {
    Tensor tensor;
    Summary summary;
  };
  std::unordered_map<std::string, SourceResult> given_;  // the last results' sources, by their stages' ids
};

}  // namespace attn
