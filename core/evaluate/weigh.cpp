// Sums over the stages in the order in which they run. The working memory is the reference's, which computes
// in double; a device's is smaller.
#include "core/evaluate/weigh.h"

#include <algorithm>

#include "core/evaluate/bands.h"
#include "core/graph/lifetimes.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

// For what the program allocates besides: windows, fonts, drivers that compile kernels.
constexpr std::uint64_t kLeftOver = std::uint64_t{64} << 20;

std::uint64_t bytes_of(const Shape& shape) {
  return std::uint64_t{shape.size()} * sizeof(float);
}

// Levels of blocks of 4×4, 8×8 … cells: a third of a quarter (Pools).
std::uint64_t pictures_of(const Stage& stage) {
  return stage.drawn == Drawn::never ? 0 : bytes_of(stage.shape) / 12;
}

// A device lets go what exceeds the budget along with what is remembered, save what the stage at work needs
// (Buffers::keep).
std::uint64_t room_for_copies(const Budget& budget, std::uint64_t remembered) {
  const std::uint64_t limit = budget.limit();
  return std::max<std::uint64_t>(budget.share(Budget::device), limit > remembered ? limit - remembered : 0);
}

// To compute the stage with; of what is made by bands, a band of it and of what it reads of others.
std::uint64_t working_of(const Graph& graph, StageIndex i, const Bands* bands) {
  std::vector<Shape> inputs = graph.input_shapes(i);
  Shape shape = graph.stages[i].shape;
  if (bands && bands->has(i)) {
    shape.rows = std::min(shape.rows, bands->rows);
    for (std::size_t input = 0; input < inputs.size(); ++input)
      if (bands->has(graph.stages[i].inputs[input]))
        inputs[input].rows = std::min(inputs[input].rows, bands->rows);
  }
  return traits(graph.stages[i].operation, inputs, shape).widened;
}

std::vector<std::size_t*> token_sides(Graph& graph) {
  std::vector<std::size_t*> sides;
  for (Stage& stage : graph.stages) {
    if (stage.rows.along != Axis::other) sides.push_back(&stage.shape.rows);
    if (stage.columns.along != Axis::other) sides.push_back(&stage.shape.columns);
  }
  return sides;
}

// No axis says of the weights behind flash attention's outputs that they are a column for each key: the
// operation does. One that holds sizes of its own does not fit fewer, and stays as it is.
void follow_inputs(Graph& fewer, StageIndex index) {
  Stage& stage = fewer.stages[index];
  if (stage.given() || stage.columns.along != Axis::other) return;
  try {
    stage.shape = result_shape(stage.operation, fewer.input_shapes(index));
  } catch (const Error&) {
  }
}

// The largest number of tokens below `too_many` that fits, in two digits, since the free memory changes all
// the time; 0 where not even one does.
std::size_t tokens_that_fit(std::size_t too_many, const FreeMemory& free,
                            const std::function<Load(std::size_t)>& load_of) {
  std::size_t fit = 0;
  while (too_many - fit > 1) {
    const std::size_t middle = fit + (too_many - fit) / 2;
    (fits(load_of(middle), free) ? fit : too_many) = middle;
  }
  std::size_t unit = 1;
  while (fit / unit >= 100) unit *= 10;
  return fit / unit * unit;
}

}  // namespace

Load weigh(const Graph& graph, const std::vector<bool>& computed, Retention retention, const Backend& backend,
           const Budget& budget, const Bands* bands) {
  const auto ends = ends_by_stage(graph, computed);
  const auto passing = [&](StageIndex i) { return bands && bands->passing[i]; };
  const auto bytes = [&](StageIndex i) {
    const Stage& stage = graph.stages[i];
    return passing(i) ? band_bytes(stage, *bands) : bytes_of(stage.shape);
  };
  Load load;
  std::uint64_t now = 0, given = 0, at_once = 0;
  for (StageIndex i = 0; i < graph.stages.size(); ++i) {
    const Stage& stage = graph.stages[i];
    if (stage.given()) given += bytes(i);
    if (stage.given() || (!computed.empty() && !computed[i])) continue;
    now += bytes(i) + (retention == Retention::all && !passing(i) ? pictures_of(stage) : 0);
    load.results = std::max(load.results, now);
    std::uint64_t held = bytes(i);  // by a device at least: what it makes, and all that it reads
    for (const StageIndex input : stage.inputs) held += bytes(input);
    at_once = std::max(at_once, held);
    load.working = std::max(load.working, working_of(graph, i, bands));
    if (retention == Retention::all) continue;
    for (const StageIndex end : ends[i]) now -= bytes(end);
  }
  if (bands && bands->fused) load.working = std::max(load.working, fused_bytes(*bands));
  if (backend.copies_here() && load.results > 0)
    load.copies = std::min(given + load.results,
                           room_for_copies(budget, retention == Retention::all ? load.results : 0) + at_once);
  return load;
}

std::size_t most_tokens(const Graph& graph) {
  Graph copy = graph;
  std::size_t most = 0;
  for (const std::size_t* side : token_sides(copy)) most = std::max(most, *side);
  return most;
}

Graph with_at_most(const Graph& graph, std::size_t tokens) {
  Graph fewer = graph;
  for (std::size_t* side : token_sides(fewer)) *side = std::min(*side, tokens);
  for (StageIndex i = 0; i < fewer.stages.size(); ++i) follow_inputs(fewer, i);
  return fewer;
}

bool fits(const Load& load, const FreeMemory& free) {
  return load.total() <= kUnweighed || load.total() + kLeftOver <= free.bytes;
}

void check_fits(const Load& load, const FreeMemory& free, const Graph& graph,
                const std::function<Load(const Graph&)>& load_of) {
  check_fits(load, free, most_tokens(graph),
             [&](std::size_t tokens) { return load_of(with_at_most(graph, tokens)); });
}

void check_fits(const Load& load, const FreeMemory& free, std::size_t tokens,
                const std::function<Load(std::size_t)>& load_of) {
  if (fits(load, free)) return;
  std::string parts = bytes_text(load.results) + " of results";
  const auto add = [&](std::uint64_t bytes, const char* what) {
    if (bytes > 0) parts += ", " + bytes_text(bytes) + what;
  };
  add(load.copies, " for the device's copies");
  add(load.working, " to compute with");
  add(load.file, " for the output, whose disk is memory");
  const std::size_t fit = tokens_that_fit(tokens, free, load_of);
  const std::string instead = fit == 0
                                  ? "make it smaller, or free some"
                                  : std::to_string(fit) + (fit == 1 ? " token" : " tokens") + " would fit";
  throw Error("not enough memory: this takes " + bytes_text(load.total()) + " (" + parts + "), and " +
                  bytes_text(free.bytes) + " are free " + free.where + "; " + instead,
              Fault::memory);
}

}  // namespace attn
