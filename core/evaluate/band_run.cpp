// A band is a run of a graph that is cut to some rows, with everything as given that the bands have in
// common.
#include "core/evaluate/band_run.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/evaluate/evaluator.h"
#include "core/evaluate/run.h"
#include "core/graph/cut_rows.h"

namespace attn {
namespace {

// Sums of products of such numbers are numbers.
constexpr float kTame = 1e15f;

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

// What the blocks of a stage hold, as a stage behind it: where that only takes columns, behind what it takes
// them from.
StageIndex add_blocks(Graph& graph, StageIndex of) {
  const Stage& stage = graph.stages[of];
  BlockSummary read;
  StageIndex from = of;
  if (const auto first = stage.traits.takes_from) {
    from = stage.inputs.front();
    read = {*first, graph.stages[from].shape.columns - *first - stage.shape.columns};
  }
  Stage blocks{.id = stage.id + "_blocks", .title = stage.title, .formula = {}, .operation = read};
  blocks.inputs = {from}, blocks.traced = false, blocks.drawn = Drawn::never;
  if (stage.mask) blocks.inputs.push_back(*stage.mask);
  return graph.add(std::move(blocks));
}

}  // namespace

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
  const Bands& bands = *results_->bands;
  for (StageIndex i = 0; i < results_->graph.stages.size(); ++i)
    if (bands.has(i) && bands.first[i] == (part == BandPart::first)) collected_.emplace_back(i, *results_);
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
    if (one.values.empty() || next_ == 0) continue;
    Tensor so_far = Tensor::part(shape, {0, next_}, take_rows(one.values, shape, {0, next_}));
    if (done()) result.summaries[one.stage] = summarize(so_far, {}, true);
    result.outputs[one.stage] = std::move(so_far);
  }
  return result;
}

}  // namespace attn
