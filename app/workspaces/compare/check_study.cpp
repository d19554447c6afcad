// What is found out of a check behind the results: the search itself, ours with the mistakes that are looked
// at, and what mending one of them would leave.
#include <algorithm>
#include <cmath>

#include "app/workspaces/compare/check_shown.h"
#include "core/document/layer_plan.h"
#include "core/evaluate/run.h"

namespace attn {
namespace {

constexpr const char *kDiagnosisStudy = "diagnosis", *kMistakenStudy = "check.mistaken",
                     *kMendedStudy = "check.mended";
constexpr std::size_t kMostPairs = std::size_t{1} << 22;  // of queries and keys, of all heads: 16 MiB a stage

Document document_of(const LayerSpec& layer) {
  Document document;
  document.layer() = layer;
  return document;
}

bool is_small(const LayerSpec& layer) {
  return head_count(layer) * query_count(layer) * key_count(layer) <= kMostPairs;
}

// A layer run from front to back, a stage at a time.
class LayerRun {
 public:
  explicit LayerRun(const LayerSpec& layer) : results_(std::make_shared<Results>()) {
    results_->document = document_of(layer);
    results_->plan = &kLayerPlan;
    Built built = build_layer(results_->document);
    results_->graph = std::move(built.graph);
    results_->places = std::move(built.places);
    results_->outputs.resize(results_->graph.stages.size());
    results_->summaries.resize(results_->graph.stages.size());
    for (StageIndex i = 0; i < results_->graph.stages.size(); ++i)
      if (const Tensor* given = given_tensor(results_->graph.stages[i].operation))
        results_->outputs[i] = *given;
    run_.emplace(results_->graph,
                 Run{.done = [results = results_.get()](StageIndex i, const Tensor& numbers) {
                   results->outputs[i] = numbers;
                 }});
  }
  LayerRun(const LayerRun&) = delete;
  LayerRun& operator=(const LayerRun&) = delete;

  // Whether it was the last stage.
  bool step(Backend& backend) {
    if (!run_->done()) run_->step(backend);
    results_->device = backend.name();
    return run_->done();
  }
  const std::shared_ptr<Results>& results() const { return results_; }

 private:
  std::shared_ptr<Results> results_;
  std::optional<StagesRun> run_ = {};
};

// What studies of a set of mistakes are about.
struct SetKey {
  std::vector<std::string> words = {}, details = {};
  DiagnosisRequest request = {};
  bool operator==(const SetKey&) const = default;
};

double largest_distance(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape()) return HUGE_VAL;
  double largest = 0;
  for (std::size_t i = 0; i < a.values().size(); ++i) {
    const double x = static_cast<double>(a.values()[i]), y = static_cast<double>(b.values()[i]);
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    const double apart = std::abs(x - y);
    largest = std::max(largest, std::isnan(apart) ? HUGE_VAL : apart);
  }
  return largest;
}

// The stages that are given, with those of a run beside them.
GivenNumbers beside(const std::vector<GivenStage>& yours, const Results& results) {
  GivenNumbers numbers;
  for (const GivenStage& stage : yours)
    if (const StageResult ours = results.result(stage.id); ours.here()) {
      numbers.yours.push_back(stage);
      numbers.ours.push_back({stage.id, ours.whole()});
    }
  return numbers;
}

// Ours, then ours with all mistakes of a set but one, as far as the last given stage.
class MendRun {
 public:
  MendRun(SetKey key, Tried tried)
      : key_(std::move(key)), tried_(std::move(tried)), without_(tried_.words.size()) {}

  bool step(Mended& found, Backend& backend) {
    if (found.each.empty())
      for (const std::string& word : tried_.words) found.each.push_back({word});
    if (!run_ && !begin_next(found)) return true;
    if (!run_->step(backend)) return false;
    GivenNumbers numbers = beside(key_.request.yours, *run_->results());
    run_.reset();
    if (ours_.ours.empty()) {
      ours_ = std::move(numbers);
      return ours_.ours.empty();
    }
    found.each[now_].off = numbers.ours.empty()
                               ? HUGE_VAL
                               : largest_distance(numbers.ours.back().numbers, ours_.ours.back().numbers);
    without_[now_] = std::move(numbers);
    return false;
  }

 private:
  // Whether there is anything left to run.
  bool begin_next(const Mended& found) {
    if (ours_.ours.empty()) {
      run_ = std::make_unique<LayerRun>(key_.request.ours);
      return true;
    }
    for (now_ = 0; now_ < tried_.words.size(); ++now_) {
      const auto layer = found.each[now_].off ? std::nullopt : with_others(now_);
      if (!layer) continue;
      run_ = std::make_unique<LayerRun>(*layer);
      return true;
    }
    return false;
  }

  // All mistakes but one in the layer, each in the form of its detail. What is told from numbers may be told
  // beside ours, or beside ours with all others. None: not told yet.
  std::optional<LayerSpec> with_others(std::size_t left_out) const {
    LayerSpec layer = key_.request.ours;
    for (std::size_t i = 0; i < tried_.words.size(); ++i) {
      if (i == left_out) continue;
      const Mistake* mistake = find_mistake(tried_.words[i]);
      std::optional<LayerSpec> made;
      for (const GivenNumbers* numbers : {&ours_, &without_[i]})
        if (mistake && !made && !numbers->ours.empty())
          for (MistakenLayer& form : mistake->forms(layer, *numbers))
            if (form.detail == tried_.details[i]) made = std::move(form.layer);
      if (!made) return std::nullopt;
      layer = std::move(*made);
    }
    return layer;
  }

  SetKey key_;
  Tried tried_;
  GivenNumbers ours_ = {};
  std::vector<GivenNumbers> without_;  // by the mistake that is left out, as far as they have run
  std::size_t now_ = 0;
  std::unique_ptr<LayerRun> run_ = {};
};

SetKey key_of_set(const Frame& frame, const Tried& tried) {
  return {tried.words, tried.details, diagnosis_request(frame.draft)};
}

}  // namespace

DiagnosisRequest diagnosis_request(const Document& document) {
  const CheckSpec& check = document.check;
  return {.ours = document.layer(),
          .yours = given_stages(check),
          .tolerance = {.absolute = check.absolute, .relative = check.relative},
          .pairs = check.pairs,
          .three = check.three};
}

const Results* check_results(const Frame& frame) {
  const auto& results = frame.engine.results;
  const bool checks = has_numbers(results) && results->document.check.on;
  return checks && results->places.as<ComparePlaces>() ? results.get() : nullptr;
}

GivenNumbers given_numbers(const Results& results) {
  return beside(given_stages(results.document.check), results);
}

Study<Diagnosis> check_study(Frame& frame) {
  if (!frame.draft.check.on) return {};
  const DiagnosisRequest request = diagnosis_request(frame.draft);
  if (request.yours.empty()) return {};
  auto& stop = frame.memos.of<DiagnosisMemo>().stop;
  return frame.studies.of<Diagnosis>(kDiagnosisStudy, request, [&]() -> StudyStep<Diagnosis> {
    stop = std::make_shared<std::atomic<bool>>(false);
    const auto diagnoser = std::make_shared<std::optional<Diagnoser>>();
    return [diagnoser, request, stop](Diagnosis& found, Backend& backend) {
      if (*stop) return true;
      if (!*diagnoser) diagnoser->emplace(request);
      const bool last = (*diagnoser)->step(backend);
      found = (*diagnoser)->found();
      return last;
    };
  });
}

void stop_search(Frame& frame) {
  if (const auto& stop = frame.memos.of<DiagnosisMemo>().stop) *stop = true;
}

void search_again(Frame& frame) {
  frame.studies.forget(kDiagnosisStudy);
}

std::optional<Tried> shown_mistakes(Frame& frame) {
  const Study<Diagnosis> study = check_study(frame);
  if (!study.found || study.stale) return std::nullopt;
  const Tried* shown = find_tried(*study.found, frame.memos.of<DiagnosisMemo>().pointed);
  if (!shown) shown = find_tried(*study.found, frame.draft.check.kept);
  if (!shown) shown = study.found->found();
  return shown ? std::optional(*shown) : std::nullopt;
}

Study<Mistaken> study_mistaken(Frame& frame, const Tried& tried) {
  if (!is_small(tried.layer)) return {};
  const auto begin = [&]() -> StudyStep<Mistaken> {
    return
        [layer = tried.layer, run = std::shared_ptr<LayerRun>()](Mistaken& found, Backend& backend) mutable {
          if (!run) run = std::make_shared<LayerRun>(layer);
          if (!run->step(backend)) return false;
          found.results = run->results();
          return true;
        };
  };
  return frame.studies.of<Mistaken>(kMistakenStudy, key_of_set(frame, tried), begin);
}

Study<Mended> study_mended(Frame& frame, const Tried& tried) {
  if (!is_small(tried.layer) || tried.words.size() < 2) return {};
  const SetKey key = key_of_set(frame, tried);
  return frame.studies.of<Mended>(kMendedStudy, key, [&]() -> StudyStep<Mended> {
    return [run = std::make_shared<MendRun>(key, tried)](Mended& found, Backend& backend) {
      return run->step(found, backend);
    };
  });
}

}  // namespace attn
