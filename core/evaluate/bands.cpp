// A band is a run of a graph that is cut to some rows, with everything as given that the bands have in
// common.
#include "core/evaluate/bands.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/evaluate/evaluator.h"
#include "core/evaluate/run.h"
#include "core/graph/cut_rows.h"

namespace attn {
namespace {

// Of the most that is kept: what has no more is not large; of one stage, what a band of it may have.
constexpr std::size_t kOfLarge = 64, kOfBand = 64;
// Bands that are fused at once: each lays all keys and values out anew.
constexpr std::size_t kFusedBands = 4;
constexpr std::uint64_t kMostFused = std::uint64_t{256} << 20;  // bytes
// Sums of products of such numbers are numbers.
constexpr float kTame = 1e15f;

bool is_large(const Stage& stage, std::size_t most_kept) {
  return !stage.given() && has_query_rows(stage) && stage.columns.along == Axis::keys &&
         stage.shape.size() > most_kept / kOfLarge / sizeof(float);
}

// Whole blocks of the picture, so that bands do not share one.
std::size_t rows_of_band(const Shape& shape, std::size_t most_kept) {
  const std::size_t rows = most_kept / kOfBand / sizeof(float) / (shape.stack * shape.columns);
  return std::max<std::size_t>(1, rows / kCoarseBlock) * kCoarseBlock;
}

// Of what is made by bands, by stage: weights and what comes of them.
std::vector<bool> made_first(const Graph& graph, const Bands& bands) {
  std::vector<bool> first(graph.stages.size());
  for (StageIndex i = 0; i < first.size(); ++i) {
    const Stage& stage = graph.stages[i];
    first[i] = bands.has(i) && (stage.role == Role::weights ||
                                std::ranges::any_of(stage.inputs, [&](auto of) { return first[of]; }));
  }
  return first;
}

// `graph` with what is known of the stages of `of`, by their ids, given.
Graph with_known(Graph graph, const Graph& of, const Bands& bands, std::span<const StageResult> outputs) {
  for (Stage& stage : graph.stages) {
    const auto known = of.find(stage.id);
    if (!known || !outputs[*known].here() || bands.has(*known)) continue;
    stage.operation = Source{outputs[*known].whole()};
    stage.inputs.clear();
  }
  return graph;
}

std::size_t fused_rows(const Bands& bands) {
  return kFusedBands * bands.rows;
}

// Flash attention leaves a masked key out whatever it holds, where a stage multiplies it by 0: what is not
// finite, or may become so, is up to the stages.
bool is_tame(const Results& results) {
  for (StageIndex i = 0; i < results.outputs.size(); ++i)
    if (results.outputs[i].here() && !results.bands->has(i) &&
        !(results.summaries[i].finite && results.summaries[i].largest() <= kTame))
      return false;
  return true;
}

// Runs the graph of some rows of `large` for the stages of these ids, which are read back, all else is not.
Results run_rows(Backend& backend, const Results& large, Graph graph, const std::vector<std::string>& ids) {
  Results band{.document = large.document, .plan = large.plan, .graph = {}, .device = large.device};
  band.graph = std::move(graph);
  const std::size_t count = band.graph.stages.size();
  band.outputs.resize(count), band.summaries.resize(count);
  Run run{.needed = needed_stages(band.graph, ids)};
  run.reads = [&](StageIndex i) { return std::ranges::count(ids, band.graph.stages[i].id) > 0; };
  run.done = [&](StageIndex i, const Tensor& tensor) { band.outputs[i] = tensor; };
  const auto start = std::chrono::steady_clock::now();
  band.seconds_of = *run_stages(backend, band.graph, run);
  band.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return band;
}

// What the blocks of a stage hold, as a stage behind it.
StageIndex add_blocks(Graph& graph, StageIndex of) {
  const Stage& stage = graph.stages[of];
  Stage blocks{.id = stage.id + "_blocks", .title = stage.title, .formula = {}, .operation = BlockSummary{}};
  blocks.inputs = {of}, blocks.traced = false, blocks.drawn = Drawn::never;
  if (stage.mask) blocks.inputs.push_back(*stage.mask);
  return graph.add(std::move(blocks));
}

}  // namespace

std::shared_ptr<const Bands> bands_of(const Graph& graph, const std::vector<bool>& needed,
                                      std::size_t most_kept) {
  const std::size_t count = graph.stages.size(), rows = query_rows(graph);
  Bands bands{std::vector<bool>(count), std::vector<bool>(count), rows};
  bool any = false;
  for (StageIndex i = 0; i < count; ++i) {
    const Stage& stage = graph.stages[i];
    if (!needed[i] || stage.given()) continue;
    const bool comes_of_them =
        std::ranges::any_of(stage.inputs, [&](StageIndex input) { return bands.has(input); });
    if (is_large(stage, most_kept)) {
      bands.passing[i] = any = true;
      bands.rows = std::min(bands.rows, rows_of_band(stage.shape, most_kept));
    } else if (comes_of_them) {
      bands.kept[i] = true;
    } else {
      continue;
    }
    const auto made = cut(stage.operation, graph.input_shapes(stage), {0, 1});
    if (!made || stage.shape.rows != rows) return nullptr;
    for (std::size_t input = 0; input < stage.inputs.size(); ++input)
      if (made->reads[input] == RowsRead::all && bands.has(stage.inputs[input])) return nullptr;
  }
  return any ? std::make_shared<const Bands>(std::move(bands)) : nullptr;
}

std::uint64_t band_bytes(const Stage& stage, const Bands& bands) {
  const Shape& shape = stage.shape;
  const std::size_t band = shape.stack * std::min(bands.rows, shape.rows) * shape.columns;
  return sizeof(float) * (band + shape.size() / (kCoarseBlock * kCoarseBlock) * 2);
}

std::shared_ptr<const Bands> with_fused(const Bands& bands, const Graph& graph, Graph fused) {
  const auto is_made = [&](const Stage& stage) {
    const auto known = graph.find(stage.id);
    return !stage.given() && has_query_rows(stage) && (!known || bands.has(*known));
  };
  const std::vector<bool> first = made_first(graph, bands);
  for (StageIndex i = 0; i < graph.stages.size(); ++i)
    if (first[i])
      if (const auto made = fused.find(graph.stages[i].id);
          !made || fused.stages[*made].shape != graph.stages[i].shape)
        return nullptr;
  for (const Stage& stage : fused.stages) {
    if (!is_made(stage)) continue;
    const auto made = cut(stage.operation, fused.input_shapes(stage), {0, 1});
    if (!made) return nullptr;
    for (std::size_t input = 0; input < stage.inputs.size(); ++input)
      if (made->reads[input] == RowsRead::all && is_made(fused.stages[stage.inputs[input]])) return nullptr;
  }
  Bands both = bands;
  both.fused = std::make_shared<const Graph>(std::move(fused));
  return fused_bytes(both) <= kMostFused ? std::make_shared<const Bands>(std::move(both)) : nullptr;
}

std::uint64_t fused_bytes(const Bands& bands) {
  std::uint64_t bytes = 0;
  for (const Stage& stage : bands.fused->stages)
    if (has_query_rows(stage) && !stage.given())
      bytes += sizeof(float) * stage.shape.stack * std::min(fused_rows(bands), stage.shape.rows) *
               stage.shape.columns;
  return bytes;
}

Graph graph_of_rows(const Graph& graph, const Bands& bands, std::span<const StageResult> outputs,
                    const RowRange& rows) {
  return cut_rows(with_known(graph, graph, bands, outputs), rows);
}

void put_rows(std::span<float> values, const Shape& shape, std::size_t first, const Tensor& band) {
  const std::size_t size = band.rows() * shape.columns;
  for (std::size_t s = 0; s < shape.stack; ++s)
    std::ranges::copy(band.values().subspan(s * size, size),
                      values.subspan((s * shape.rows + first) * shape.columns, size).begin());
}

Results rows_of(Backend& backend, const Results& large, const RowRange& rows,
                std::span<const std::string> wanted) {
  Graph graph = graph_of_rows(large.graph, *large.bands, large.outputs, rows);
  std::vector<std::string> ids;
  for (const Stage& stage : graph.stages) {
    const auto of = large.graph.find(stage.id);
    const bool is_wanted =
        wanted.empty() ? of && large.bands->has(*of) : std::ranges::count(wanted, stage.id) > 0;
    if (stage.role == Role::mask || is_wanted) ids.push_back(stage.id);
  }
  Results band = run_rows(backend, large, std::move(graph), ids);
  for (StageIndex i = 0; i < band.outputs.size(); ++i)
    if (!band.graph.stages[i].given() && band.outputs[i].here())
      band.summaries[i] = summarize(band.outputs[i].whole());
  return band;
}

void show_before(Results& results, const Results& before) {
  for (StageIndex i = 0; i < results.outputs.size(); ++i) {
    if (!results.bands->has(i)) continue;
    const auto known = before.graph.find(results.graph.stages[i].id);
    if (!known || before.graph.stages[*known].shape != results.graph.stages[i].shape) continue;
    results.summaries[i] = before.summaries[*known];
    results.summaries[i].of_before = 0;
  }
}

Results with_rows(const Results& large, std::span<const LookedAt> looked) {
  Results result = large;
  for (StageIndex i = 0; i < large.graph.stages.size(); ++i) {
    if (!large.bands->has(i) || large.outputs[i].here()) continue;
    const Stage& stage = large.graph.stages[i];
    std::vector<Tensor> parts;
    // What has been put together so far begins at the first row.
    if (const Tensor* so_far = large.bands->kept[i] ? large.outputs[i].with_row(0) : nullptr)
      parts.push_back(*so_far);
    const std::size_t there = parts.empty() ? 0 : parts.front().rows_here().count;
    for (const LookedAt& at : looked) {
      if (at.rows.first + at.rows.count <= there) continue;
      const auto numbers = at.results.output(stage.id).values();
      parts.push_back(Tensor::part(stage.shape, at.rows, {numbers.begin(), numbers.end()}));
    }
    // Pictures ask for the bounds of what is there in part.
    result.summaries[i].matrices.resize(stage.shape.stack);
    result.outputs[i] = StageResult(stage.shape, std::move(parts));
  }
  return result;
}

// What is put together of one stage.
struct BandRun::Collected {
  Collected(StageIndex of, const Results& results)
      : stage(of),
        summary(shape_of(results, of), results.summaries[of]),
        values(results.bands->kept[of] ? shape_of(results, of).size() : 0) {}
  static const Shape& shape_of(const Results& results, StageIndex of) {
    return results.graph.stages[of].shape;
  }

  StageIndex stage;
  BandSummary summary;
  std::vector<float> values;
  double seconds = 0;
};

BandRun::BandRun(std::shared_ptr<const Results> results, BandPart part)
    : results_(std::move(results)),
      part_(part),
      fused_(part == BandPart::first && results_->bands->fused && is_tame(*results_)),
      rows_(query_rows(results_->graph)) {
  const std::vector<bool> first = made_first(results_->graph, *results_->bands);
  for (StageIndex i = 0; i < first.size(); ++i)
    if (results_->bands->has(i) && first[i] == (part == BandPart::first))
      collected_.emplace_back(i, *results_);
  if (collected_.empty()) next_ = rows_;
}

BandRun::~BandRun() = default;

void BandRun::step(Backend& backend) {
  const Bands& bands = *results_->bands;
  const RowRange rows{next_, std::min(fused_ ? fused_rows(bands) : bands.rows, rows_ - next_)};
  Graph graph = cut_rows(
      with_known(fused_ ? *bands.fused : results_->graph, results_->graph, bands, results_->outputs), rows);
  std::vector<std::string> ids;
  std::vector<StageIndex> made, blocks;  // of what is collected
  for (const Collected& one : collected_) {
    made.push_back(*graph.find(results_->graph.stages[one.stage].id));
    blocks.push_back(add_blocks(graph, made.back()));
    ids.push_back(graph.stages[blocks.back()].id);
    if (!one.values.empty()) ids.push_back(graph.stages[made.back()].id);
  }
  const Results band = run_rows(backend, *results_, std::move(graph), ids);
  for (std::size_t i = 0; i < collected_.size(); ++i) {
    Collected& one = collected_[i];
    one.summary.add(rows.first, band.outputs[blocks[i]].whole());
    if (!one.values.empty())
      put_rows(one.values, results_->graph.stages[one.stage].shape, rows.first,
               band.outputs[made[i]].whole());
    one.seconds += band.seconds_of[made[i]];
  }
  next_ += rows.count, seconds_ += band.seconds;
}

Results BandRun::seen() const {
  Results result = *results_;
  result.seconds += seconds_;
  for (const Collected& one : collected_) {
    const Shape& shape = result.graph.stages[one.stage].shape;
    result.seconds_of[one.stage] = one.seconds;
    result.summaries[one.stage] = one.summary.seen(next_);
    if (one.values.empty()) continue;
    Tensor whole(shape, one.values);
    if (done()) {
      result.outputs[one.stage] = whole;
      result.summaries[one.stage] = summarize(whole, {}, true);
    } else if (next_ > 0) {
      const Tensor first = take_rows(whole, {0, next_});
      const auto numbers = first.values();
      result.outputs[one.stage] = Tensor::part(shape, {0, next_}, {numbers.begin(), numbers.end()});
    }
  }
  return result;
}

}  // namespace attn
