// Evaluation: finding what is remembered and running the rest.
#include "core/evaluate/evaluator.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "core/evaluate/bands.h"
#include "core/evaluate/weigh.h"
#include "core/reference/backend.h"
#include "core/system/error.h"

namespace attn {
namespace {

// Among the inputs that a result is remembered by: the reference computed it, which is no answer of the
// device.
constexpr TensorId kByReference = std::numeric_limits<TensorId>::max();

std::vector<TensorId> key_of(const Stage& stage, std::vector<TensorId> inputs) {
  if (stage.by_reference) inputs.push_back(kByReference);
  return inputs;
}

// What hides cells of a stage's pictures. It is no part of what a result is remembered by: a stage with a
// mask is computed from it, so another mask brings other inputs.
Tensor mask_of(const Results& results, const Stage& stage) {
  return stage.mask ? results.outputs[*stage.mask].whole() : Tensor();
}

bool is_pictured(const Stage& stage) {
  return stage.drawn != Drawn::never;
}

// Of stages that wait to be read back: how many, their numbers (64 MiB), and what the device has to do for
// them, about a tenth of a second of a processor.
constexpr std::size_t kMostAsked = 64, kMostAskedNumbers = std::size_t{1} << 24;
constexpr double kMostAskedMultiplyAdds = 0x1p31;

// More than are asked for at once, so none of these goes.
constexpr std::ptrdiff_t kMostAlike = 2 * kMostAsked;

// A stage that takes a device some milliseconds: the question whether to go on comes often enough without
// waiting for it. What it reads may be large: weights of many rows for a few tokens.
bool is_small(const Stage& stage) {
  constexpr std::size_t kNumbers = std::size_t{1} << 19;
  constexpr double kMultiplyAdds = 0x1p29;
  return stage.shape.size() <= kNumbers && stage.traits.multiply_adds <= kMultiplyAdds;
}

template <class Asked>  // pairs whose first is a stage
bool are_enough(const Graph& graph, const Asked& asked) {
  std::size_t numbers = 0;
  double multiply_adds = 0;
  for (const auto& [stage, entry] : asked) {
    numbers += graph.stages[stage].shape.size();
    multiply_adds += graph.stages[stage].traits.multiply_adds;
  }
  return asked.size() == kMostAsked || numbers > kMostAskedNumbers || multiply_adds > kMostAskedMultiplyAdds;
}

}  // namespace

std::vector<bool> needed_stages(const Graph& graph, std::span<const std::string> wanted) {
  std::vector<bool> needed(graph.stages.size(), wanted.empty());
  for (const std::string& id : wanted)
    if (const auto stage = graph.find(id)) needed[*stage] = true;
  // Inputs come before their readers: one pass from the end reaches them all.
  for (StageIndex i = graph.stages.size(); i-- > 0;) {
    if (!needed[i]) continue;
    for (const StageIndex input : graph.stages[i].inputs) needed[input] = true;
    if (graph.stages[i].mask) needed[*graph.stages[i].mask] = true;
  }
  return needed;
}

Evaluator::Evaluator(Backend& backend, Budget& budget)
    : backend_(backend), budget_(budget), memo_(budget, kMostAlike) {}

// Of the needed stages, those that are not remembered; those that are count as used.
std::vector<bool> Evaluator::unknown(const Graph& graph, std::vector<bool> needed) {
  std::vector<TensorId> ids(graph.stages.size());  // of the results; 0: not known yet
  for (StageIndex i = 0; i < graph.stages.size(); ++i) {
    const Stage& stage = graph.stages[i];
    if (const Tensor* given = given_tensor(stage.operation)) {
      ids[i] = given->id();
      continue;
    }
    std::vector<TensorId> inputs;
    for (const StageIndex input : stage.inputs) inputs.push_back(ids[input]);
    if (!needed[i] || std::ranges::count(inputs, TensorId{0}) > 0) continue;
    ResultMemo::Entry* const entry = memo_.find(stage.operation, key_of(stage, std::move(inputs)));
    if (!entry) continue;
    ids[i] = entry->output.id();
    needed[i] = false;
    memo_.use(*entry);
  }
  return needed;
}

// What is shown now stays until the new results are there; what is remembered of other documents goes where
// these have no room along with it.
void Evaluator::check_memory(const Graph& graph, const std::vector<bool>& needed, const Bands* bands) {
  const auto load_of = [&](const std::vector<bool>& stages) {
    return [&, stages](const Graph& g) { return weigh(g, stages, Retention::all, backend_, budget_, bands); };
  };
  const Load all = load_of(needed)(graph);
  if (all.total() <= kUnweighed) return;
  const std::uint64_t now = budget_.tick();
  const Load load = load_of(unknown(graph, needed))(graph);
  if (!fits(load, free_memory())) {
    backend_.release_unheld();
    while (memo_.drop_older_than(now)) {
    }
  }
  check_fits(load, free_memory(), graph, load_of(needed));
}

// Small ones are kept altogether.
std::shared_ptr<const Bands> Evaluator::needed_bands(const Document& document, const Built& built,
                                                     const std::vector<bool>& needed) const {
  if (!built.by_bands) return nullptr;
  const Load all = weigh(built.graph, needed, Retention::all, backend_, budget_);
  if (all.results <= budget_.most_kept()) return nullptr;
  auto bands = bands_of(built.graph, needed, budget_.most_kept());
  // The reference makes stages by products of matrices, flash attention number by number.
  if (!bands || !built.fused || computed_by_ == kReference) return bands;
  std::optional<Graph> fused = built.fused(document);
  auto both = fused ? with_fused(*bands, built.graph, std::move(*fused)) : nullptr;
  return both ? both : bands;
}

void Evaluator::run(Results& results, StageIndex index, RunMode mode) {
  const Stage& stage = results.graph.stages[index];
  std::vector<Tensor> inputs;
  std::vector<TensorId> ids;
  for (const StageIndex input : stage.inputs) {
    inputs.push_back(results.outputs[input].here_or_there());
    ids.push_back(inputs.back().id());
  }
  ids = key_of(stage, std::move(ids));
  ResultMemo::Entry* entry = memo_.find(stage.operation, ids);
  if (entry) {
    memo_.use(*entry);
  } else {
    const bool small = is_small(stage) && !stage.by_reference;
    if (!small) read_asked(results);
    const auto start = std::chrono::steady_clock::now();
    const bool later = small && mode == RunMode::together;
    Tensor output = stage.by_reference
                        ? make_reference_backend()->run(stage.operation, inputs)
                        : backend_.run(stage.operation, inputs, later ? Numbers::later : Numbers::here);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    ++results.recomputed;
    results.ran[index] = true;
    entry = &memo_.remember({stage.operation, std::move(ids), std::move(output), took.count()});
  }
  results.outputs[index] = entry->output;
  asked_.emplace_back(index, entry);
  if (mode == RunMode::one_by_one) read_asked(results);
  if (are_enough(results.graph, asked_))
    read_asked(results, asked_.size() / 2);  // the device has work meanwhile
}

// In the order of the stages: a summary reads its mask. Each as soon as it is there: the device goes on while
// its first results are read and summed up.
void Evaluator::read_asked(Results& results, std::size_t left) {
  if (asked_.size() <= left) return;
  const auto end = asked_.end() - static_cast<std::ptrdiff_t>(left);
  for (auto asked = asked_.begin(); asked != end; ++asked) take(results, asked->first, *asked->second);
  asked_.erase(asked_.begin(), end);
  if (asked_.empty()) backend_.finish();
}

void Evaluator::take(Results& results, StageIndex index, ResultMemo::Entry& entry) {
  const Stage& stage = results.graph.stages[index];
  const std::ptrdiff_t before = entry.bytes();
  if (entry.output.held()) {
    auto [output, seconds] = backend_.read(entry.output);
    entry.output = std::move(output);
    entry.seconds += seconds;
  }
  const Tensor mask = mask_of(results, stage);
  if (!entry.summary)
    entry.summary = summarize(entry.output, mask, is_pictured(stage));
  else if (is_pictured(stage) && !entry.summary->pools)  // it was not when it was computed
    entry.summary->pools = make_pools(entry.output, mask);
  if (is_pictured(stage) && stage.role == Role::weights && entry.summary->strongest.empty())
    entry.summary->strongest = strongest_of(entry.output);
  memo_.account(entry.bytes() - before);
  results.outputs[index] = entry.output;
  results.summaries[index] = *entry.summary;
  results.seconds_of[index] = entry.seconds;
}

// Builders make their constants anew. The same numbers as last time are the same matrix, or whatever is
// computed from them would not be found.
void Evaluator::recognize(Graph& graph) const {
  for (Stage& stage : graph.stages)
    if (const Tensor* given = given_tensor(stage.operation)) {
      const auto known = given_.find(stage.id);
      if (known != given_.end() && known->second.tensor == *given)
        stage.operation = Source{known->second.tensor};
    }
}

// A given matrix is not computed, but to read all of a large one for its summary, at every edit of another,
// would be felt: the summaries of the last evaluation are kept.
void Evaluator::give(Results& results, StageIndex index, const Tensor& tensor) {
  const Stage& stage = results.graph.stages[index];
  const auto known = given_.find(stage.id);
  results.outputs[index] = tensor;
  results.summaries[index] = known != given_.end() && known->second.tensor.id() == tensor.id()
                                 ? known->second.summary
                                 : summarize(tensor, {}, is_pictured(stage));
}

Results Evaluator::evaluate(const Document& document, Built built, std::span<const std::string> wanted,
                            const Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  // What another backend computed is no answer of this one.
  if (std::string name = backend_.name(); name != computed_by_) {
    memo_.clear();
    computed_by_ = std::move(name);
  }
  recognize(built.graph);
  std::vector<bool> needed = needed_stages(built.graph, wanted);
  const auto bands = needed_bands(document, built, needed);
  check_memory(built.graph, needed, bands.get());
  for (StageIndex i = 0; bands && i < needed.size(); ++i)
    if (bands->has(i)) needed[i] = false;
  Results results{.document = document,
                  .graph = std::move(built.graph),
                  .places = std::move(built.places),
                  .bands = bands,
                  .device = computed_by_};
  const auto attempt = [&](RunMode mode) {
    try {
      compute(results, needed, progress, mode);
    } catch (...) {
      asked_.clear();
      memo_.drop_unread();
      throw;
    }
  };
  try {
    attempt(RunMode::together);
  } catch (const Error& error) {
    if (error.fault() != Fault::device) throw;
    attempt(RunMode::one_by_one);  // where it fails the reference may step in
  }
  results.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  memo_.trim(results.outputs, backend_);
  return results;
}

void Evaluator::compute(Results& results, const std::vector<bool>& needed, const Progress& progress,
                        RunMode mode) {
  const std::size_t count = results.graph.stages.size();
  results.recomputed = 0;
  results.outputs.assign(count, {});
  results.ran.assign(count, false);
  for (StageIndex i = 0; results.bands && i < count; ++i)
    if (results.bands->has(i)) results.outputs[i] = StageResult(results.graph.stages[i].shape, {});
  results.summaries.assign(count, {});
  results.seconds_of.assign(count, 0);
  const auto computed = [&](StageIndex i) { return needed[i] && !results.graph.stages[i].given(); };
  double total = 0, done = 0;
  for (StageIndex i = 0; i < count; ++i) total += computed(i);
  std::unordered_map<std::string, SourceResult> given;
  for (StageIndex i = 0; i < count; ++i) {
    if (!needed[i]) continue;
    const Stage& stage = results.graph.stages[i];
    if (computed(i) && progress && !progress(stage, done++ / total)) {
      read_asked(results);
      throw Error("stopped before " + stage.title +
                  ": the numbers on screen are from before the last change");
    }
    if (const Tensor* tensor = given_tensor(stage.operation)) {
      give(results, i, *tensor);
      given[stage.id] = {*tensor, results.summaries[i]};
    } else {
      run(results, i, mode);
    }
  }
  read_asked(results);
  given_ = std::move(given);
}

}  // namespace attn
