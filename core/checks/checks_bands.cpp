// Each band is checked as results of their own; what is found of a row is that of the layer's.
#include "core/checks/checks_bands.h"

#include <algorithm>

#include "core/checks/checks_parts.h"
#include "core/evaluate/band_run.h"
#include "core/graph/cut_rows.h"

namespace attn {
namespace {

using namespace checking;

// Of a band: its matrices of queries and keys all come back, unlike those of a BandRun.
constexpr std::size_t kOfBand = 4;

// Weights with what their checks read, and what is not finite with what it is made from.
std::vector<std::string> stages_read(const Results& large) {
  std::vector<bool> read(large.graph.stages.size());
  for (StageIndex i = 0; i < read.size(); ++i) {
    const Stage& stage = large.graph.stages[i];
    if (!large.bands->has(i)) continue;
    if (promises_sums(stage)) {
      read[i] = true;
      if (stage.scores) read[*stage.scores] = true;
    }
    if (large.summaries[i].finite) continue;
    read[i] = true;
    for (const StageIndex input : stage.inputs) read[input] = true;
  }
  std::vector<std::string> ids;
  for (StageIndex i = 0; i < read.size(); ++i)
    if (read[i] && large.bands->has(i)) ids.push_back(large.graph.stages[i].id);
  return ids;
}

}  // namespace

struct BandChecks::Found {
  Checks others;  // of what no band makes
  std::vector<std::pair<StageIndex, SoftmaxCheck>> softmaxes = {};
  std::vector<StageFaults> faults = {};  // by stage

  void add(const StageFaults& more) {
    StageFaults& of = faults[more.stage];
    if (of.nan + of.infinite == 0) of = {.stage = more.stage, .first = more.first};
    of.nan += more.nan, of.infinite += more.infinite;
  }
};

BandChecks::BandChecks(std::shared_ptr<const Results> large)
    : large_(std::move(large)),
      reads_(stages_read(*large_)),
      rows_(query_rows(large_->graph)),
      found_(std::make_unique<Found>(Found{check(*large_)})) {
  found_->faults.resize(large_->graph.stages.size());
  for (StageIndex i = 0; i < large_->graph.stages.size(); ++i)
    if (large_->bands->has(i) && promises_sums(large_->graph.stages[i]))
      found_->softmaxes.emplace_back(i, SoftmaxCheck(*large_, i));
}

BandChecks::~BandChecks() = default;

void BandChecks::step(Backend& backend) {
  const std::size_t most = std::max<std::size_t>(1, large_->bands->rows / kOfBand);
  const RowRange rows{next_, std::min(most, rows_ - next_)};
  const Results band = rows_of(backend, *large_, rows, reads_);
  for (auto& [stage, softmax] : found_->softmaxes)
    softmax.add(band, *band.graph.find(large_->graph.stages[stage].id), rows.first);
  for (const std::string& id : reads_) {
    auto faults = faults_at(band, *band.graph.find(id));
    if (!faults) continue;
    faults->stage = *large_->graph.find(id);
    faults->first.row += rows.first;
    found_->add(*faults);
  }
  next_ += rows.count;
}

Checks BandChecks::seen() const {
  Checks seen = found_->others;
  seen.rows_seen = next_, seen.rows = rows_;
  for (const auto& [stage, softmax] : found_->softmaxes) seen.softmaxes.push_back(softmax.seen());
  std::ranges::copy_if(found_->faults, std::back_inserter(seen.faults),
                       [](const StageFaults& f) { return f.nan + f.infinite > 0; });
  std::ranges::sort(seen.softmaxes, {}, &SoftmaxChecks::weights);
  std::ranges::sort(seen.faults, {}, &StageFaults::stage);
  return seen;
}

}  // namespace attn
