// Weighing: what a graph takes in memory, known from its shapes alone, before any of it is computed.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/backend/backend.h"
#include "core/evaluate/results.h"
#include "core/system/budget.h"
#include "core/system/memory.h"

namespace attn {

// Bytes, each the most at any one time.
struct Load {
  std::uint64_t results = 0;  // of stages, and the smaller copies that pictures are made from
  std::uint64_t copies = 0;   // the device's, where they lie in this memory
  std::uint64_t working = 0;  // for the stage that is being computed
  std::uint64_t file = 0;     // the output, where the disk is memory too

  std::uint64_t total() const { return results + copies + working + file; }
};

// Which results lie in memory: all that are computed (the evaluator's), or each until its last reader is
// done (run_stages).
enum class Retention { all, until_read };

// `computed`: the stages that have to be; empty: all. What is given is there already and weighs nothing.
// `bands`: what is made by them takes room for one alone; null: nothing is.
Load weigh(const Graph& graph, const std::vector<bool>& computed, Retention retention, const Backend& backend,
           const Budget& budget, const Bands* bands = nullptr);

// The shapes of the same graph with at most so many tokens: axes of queries and keys end there. To be
// weighed, not to be run.
Graph with_at_most(const Graph& graph, std::size_t tokens);
// The longest of those axes; 0 where there are none.
std::size_t most_tokens(const Graph& graph);

// Whether it leaves the rest of the program enough.
bool fits(const Load& load, const FreeMemory& free);

// Throws Error(Fault::memory) unless it fits: what it takes, what is free, and how many tokens would fit, as
// `load_of` weighs the same graph with fewer.
void check_fits(const Load& load, const FreeMemory& free, const Graph& graph,
                const std::function<Load(const Graph&)>& load_of);
// The same of what is no graph, weighed by its number of tokens.
void check_fits(const Load& load, const FreeMemory& free, std::size_t tokens,
                const std::function<Load(std::size_t)>& load_of);

// What nobody asks about: small layers are computed at every movement of the mouse.
inline constexpr std::uint64_t kUnweighed = std::uint64_t{32} << 20;

}  // namespace attn
