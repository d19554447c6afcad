// Ours beside yours first, then the search for what makes ours yours, at last whether it is noise.
#include "core/diagnosis/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/attention/layer_fields.h"
#include "core/diagnosis/mistake_search.h"
#include "core/diagnosis/noise.h"
#include "core/diagnosis/stage_meaning.h"
#include "core/text/text.h"

namespace attn {
namespace {

std::string fill_words(float fill) {
  for (const auto& word : layer_field::fill.words)
    if (!adds(word.choice) && static_cast<float>(MaskFill{word.choice}.value()) == fill)
      return std::string(word.title);
  return "−" + brief(-static_cast<double>(fill));
}

StageVerdict verdict_of(const GivenStage& yours, const Tensor& ours, const Shape& shape,
                        const Nearness& nearness) {
  StageVerdict verdict{.id = yours.id};
  const Closeness close = closeness_of(yours.numbers, ours, nearness);
  verdict.same_shape = close.same_shape, verdict.equal = close.equal;
  verdict.largest = close.largest, verdict.at = close.at;
  verdict.distance = close.distance, verdict.same_masked = close.same_masked;
  if (!close.same_shape) {
    verdict.note = "yours is " + to_string(yours.numbers.shape());
    verdict.note += shape == Shape{} ? ", ours has none" : ", ours " + to_string(shape);
  } else if (!close.same_masked) {
    verdict.note = "other cells are masked";
  } else if (close.fill) {
    const bool infinite = std::ranges::any_of(ours.values(), [](float x) { return std::isinf(x) && x < 0; });
    if (infinite) verdict.note = fill_words(*close.fill) + " for −∞: same cells masked";
  }
  return verdict;
}

std::string place_words(const Shape& shape, std::size_t index) {
  const Cell at = cell_at(shape, index);
  return "head " + std::to_string(at.head) + ", row " + std::to_string(at.row) + ", column " +
         std::to_string(at.column);
}

}  // namespace

struct Diagnoser::State {
  explicit State(DiagnosisRequest asked)
      : request(std::move(asked)), meter(request.yours, request.tolerance) {}

  void begin(Backend& backend);
  void judge();
  void end();

  DiagnosisRequest request;
  StageMeter meter;
  Diagnosis found = {};
  MeasuredLayer ours = {};
  std::optional<MistakeSearch> search = {};
};

// Whether a stage is computed from another, by their ids.
bool comes_of(const Graph& graph, std::string_view id, std::string_view from) {
  const auto meant = stages_meant(graph, id), sources = stages_meant(graph, from);
  if (meant.empty() || sources.empty()) return true;  // nothing says that it is not
  std::vector<bool> of(graph.stages.size());
  of[sources.front()] = true;
  for (StageIndex i = sources.front() + 1; i < graph.stages.size(); ++i)
    of[i] = std::ranges::any_of(graph.stages[i].inputs, [&](StageIndex input) { return of[input]; });
  return of[meant.front()];
}

// Stages behind a NaN that is only in yours come of it: they say nothing more. Where everything before it is
// equal the NaN itself is what is to be reproduced, in the same cells.
void Diagnoser::State::judge() {
  std::size_t counted = request.yours.size();
  const Graph graph = build_graph(request.ours);
  for (std::size_t s = 0; s < request.yours.size(); ++s) {
    const GivenStage& yours = request.yours[s];
    StageVerdict verdict = verdict_of(yours, ours.numbers[s], ours.shapes[s],
                                      {request.tolerance, ours.maskable[s] != 0, request.ours.precision});
    verdict.compared = s < counted;
    verdict.follows = found.first && comes_of(graph, yours.id, request.yours[*found.first].id);
    if (verdict.compared && !verdict.equal) {
      if (!found.first) found.first = s;
      if (const auto nan = first_nan(yours.numbers)) {
        verdict.note = "NaN first at " + place_words(yours.numbers.shape(), *nan);
        counted = found.first == s ? s + 1 : s;
      }
    }
    found.stages.push_back(std::move(verdict));
  }
  meter.count_only(counted);
}

void Diagnoser::State::begin(Backend& backend) {
  ours = meter.measure(backend, request.ours);
  judge();
  ours = meter.measure(backend, request.ours);
  found.nothing_changed = ours.distance;
  found.done = !found.first;
  // Ours that is cut by memory itself was measured as it is.
  if (request.ours.head_split == HeadCut::columns) meter.accept_side_by_side();
  if (found.first) search.emplace(request, meter, ours, *found.first);
}

void Diagnoser::State::end() {
  found.done = true;
  if (!found.reproducing.empty()) return;
  std::vector<NoisyStage> stages;
  for (std::size_t s = *found.first; s < ours.numbers.size(); ++s)
    stages.push_back({request.yours[s].numbers, ours.numbers[s], ours.maskable[s] != 0});
  const auto size = noise_size(stages);
  found.noise = size.has_value();
  found.noise_size = size.value_or(0);
}

const Tried* Diagnosis::found() const {
  const std::vector<const Tried*> all = ties();
  return all.empty() ? nullptr : all.front();
}

std::vector<const Tried*> Diagnosis::ties() const {
  std::vector<const Tried*> all;
  if (!first) return all;
  const bool alone = !singles.empty() && singles.front().reproduces;
  for (const std::size_t index : reproducing) all.push_back(&(alone ? singles : together)[index]);
  return all;
}

std::vector<const Tried*> Diagnosis::nearest() const {
  std::vector<const Tried*> all;
  for (const auto* list : {&singles, &together})
    for (const Tried& set : *list)
      if (!set.reproduces && std::isfinite(set.distance)) all.push_back(&set);
  std::ranges::stable_sort(all, {}, [](const Tried* set) { return set->distance; });
  return all;
}

Diagnoser::Diagnoser(DiagnosisRequest request) : state_(std::make_unique<State>(std::move(request))) {}
Diagnoser::~Diagnoser() = default;
Diagnoser::Diagnoser(Diagnoser&&) noexcept = default;

bool Diagnoser::step(Backend& backend) {
  State& s = *state_;
  if (s.found.done) return true;
  if (!s.search)
    s.begin(backend);
  else if (!s.search->step(backend, s.found))
    s.end();
  return s.found.done;
}

const Diagnosis& Diagnoser::found() const {
  return state_->found;
}

}  // namespace attn
