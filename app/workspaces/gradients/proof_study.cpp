// The proof as studies: the layer's graph in double, prepared once and nudged by all of them.
#include "app/workspaces/gradients/proof_study.h"

#include <chrono>
#include <cmath>
#include <map>

#include "core/checks/comparison.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr const char* kCheckAll = "gradients.check_all";  // the study
constexpr std::uint64_t kMostInDouble = std::uint64_t{512} << 20;
constexpr std::size_t kCurveSteps = 48;  // from the least h to the largest
constexpr double kUnasked = 0.3;         // seconds that nobody is asked about
constexpr double kPerOperation = 1e-9, kPerNumber = 6e-9, kPerStage = 3e-6;  // seconds, by and large

// On the worker alone, which runs one study at a time.
class Prover {
 public:
  Prover(const Graph& of, const Gradients& its) : graph(of), gradients(its) {}
  Prover(const Prover&) = delete;
  Prover& operator=(const Prover&) = delete;

  const Graph graph;
  const Gradients gradients;

  // A piece; whether all is there. Throws Error where it is too large.
  bool prepare() {
    if (!differences_) {
      const Load load = load_in_double(graph);
      if (load.total() > kMostInDouble)
        throw Error("in double this layer takes " + bytes_text(load.total()) + ": a proof is of up to " +
                    bytes_text(kMostInDouble));
      check_fits(load, free_memory(), graph, load_in_double);
      differences_.emplace(graph, gradients, CentralDifferences::InPieces{});
    }
    ready_ = ready_ || differences_->prepare();
    return ready_;
  }
  CentralDifferences& differences() { return *differences_; }

 private:
  std::optional<CentralDifferences> differences_ = {};
  bool ready_ = false;
};

// Of the results on screen. What it holds is counted as if all of it were there.
struct ProofMemo {
  TensorId loss = 0;
  std::size_t stages = 0;
  std::shared_ptr<Prover> prover = {};
  std::size_t held = 0;
  std::size_t bytes() const { return held; }
};

// What a study is about. Another edit that leaves the loss as it is leaves what was found.
struct ProofKey {
  TensorId loss = 0;
  std::size_t stages = 0;
  std::vector<std::pair<StageIndex, Cell>> places = {};
  double h = 0;
  bool on_device = false;
  bool operator==(const ProofKey&) const = default;
};

const GradientsPlaces& places_of(const Results& results) {
  return *results.places.as<GradientsPlaces>();
}

// Of a layer in bands it may be still to come, and has no id then.
bool is_loss_known(const Results& results) {
  return results.outputs[places_of(results).loss].here();
}

ProofKey key_of(const Results& results, const ProofPlaces& places = {}, double h = 0) {
  ProofKey key{results.outputs[places_of(results).loss].id(), results.graph.stages.size(), {}, h, false};
  for (const auto& place : places)
    if (place) key.places.emplace_back(place->stage, place->cell);
  return key;
}

// One for all that is proved of the results: a graph in double is large.
std::shared_ptr<Prover> prover_of(Frame& frame, const Results& results) {
  ProofMemo& memo = frame.memos.of<ProofMemo>();
  const ProofKey key = key_of(results);
  if (!memo.prover || memo.loss != key.loss || memo.stages != key.stages) {
    memo = {key.loss, key.stages, std::make_shared<Prover>(results.graph, places_of(results).gradients)};
    const std::uint64_t load = load_in_double(results.graph).total();
    memo.held = load <= kMostInDouble ? load : 0;  // which is refused
  }
  return memo.prover;
}

// Some milliseconds of what is done in pieces: until `piece` says that it was the last.
template <class Piece>
bool some_of(Piece piece) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kSlice{3};
  const Clock::time_point until = Clock::now() + kSlice;
  while (!piece())
    if (Clock::now() >= until) return false;
  return true;
}

bool is_number(CentralDifferences& differences) {
  return std::isfinite(differences.loss());
}

// As far as floats may be off: sums of a matrix are, by what its largest number is.
Difference beside_device(const Difference& found, const StageResult& gradient) {
  const double largest = found.least_scale / kLeastScale;
  return found.beside(static_cast<double>(gradient[found.cell]),
                      accepted_distance(std::max(std::abs(found.quotient), largest)));
}

// By the stage that each is of.
std::map<StageIndex, StageResult> device_gradients(const GradientsScene& scene) {
  const Gradients& gradients = scene.places().gradients;
  std::map<StageIndex, StageResult> found;
  for (StageIndex i = 0; i < gradients.of.size(); ++i)
    if (gradients.of[i] && scene.stage(i).inputs.empty()) found[i] = scene.results.outputs[*gradients.of[i]];
  return found;
}

}  // namespace

double seconds_in_double(const Graph& graph, StageIndex last) {
  double seconds = 0;
  for (StageIndex i = 0; i <= last; ++i) {
    const Stage& stage = graph.stages[i];
    seconds += kPerStage + kPerOperation * stage.traits.multiply_adds +
               kPerNumber * static_cast<double>(stage.shape.size());
  }
  return seconds;
}

std::optional<Difference> found_of(const GradientsScene& scene, const Study<ProofPair>& study,
                                   std::size_t which) {
  const auto place = proof_places(scene)[which];
  if (!place || !study.found) return std::nullopt;
  const auto& found = study.found->numbers[which];
  const bool same = found && found->stage == place->stage && found->cell == place->cell;
  return same ? found : std::nullopt;
}

std::optional<Difference> shown_difference(const GradientsScene& scene, const Difference& found) {
  if (!scene.view().on_device) return found;
  const StageResult& gradient = scene.results.outputs[*scene.places().gradients.find(found.stage)];
  return gradient.holds(found.cell) ? std::optional(beside_device(found, gradient)) : std::nullopt;
}

ProofPlaces proof_places(const GradientsScene& scene) {
  return {scene.looked_at(), scene.input()};
}

std::vector<double> curve_nudges() {
  const double low = std::log10(gradients_view_field::nudge.least),
               high = std::log10(gradients_view_field::nudge.most);
  std::vector<double> nudges;
  for (std::size_t i = 0; i <= kCurveSteps; ++i)
    nudges.push_back(std::pow(10, low + (high - low) * static_cast<double>(i) / kCurveSteps));
  return nudges;
}

Study<ProofPair> study_pair(const GradientsScene& scene) {
  if (!is_loss_known(scene.results)) return {};
  const ProofPlaces places = proof_places(scene);
  const double h = scene.view().nudge;
  const auto begin = [&]() -> StudyStep<ProofPair> {
    std::array<std::optional<CentralDifferences::Nudge>, 2> nudges;
    for (std::size_t i = 0; i < places.size(); ++i)
      if (places[i]) nudges[i] = {.stage = places[i]->stage, .cell = places[i]->cell, .h = h};
    return [prover = prover_of(scene.frame, scene.results), nudges](ProofPair& found, Backend&) mutable {
      return some_of([&] {
        if (!prover->prepare()) return false;
        CentralDifferences& differences = prover->differences();
        found.loss = differences.loss();
        for (std::size_t i = 0; i < nudges.size() && is_number(differences); ++i) {
          if (!nudges[i] || found.numbers[i]) continue;
          if (differences.step(*nudges[i])) found.numbers[i] = differences.found(*nudges[i]);
          return false;
        }
        return true;
      });
    };
  };
  return scene.frame.studies.of<ProofPair>("gradients.proof", key_of(scene.results, places, h), begin);
}

Study<ProofCurves> study_curves(const GradientsScene& scene) {
  if (!is_loss_known(scene.results)) return {};
  const ProofPlaces places = proof_places(scene);
  const auto begin = [&]() -> StudyStep<ProofCurves> {
    return
        [prover = prover_of(scene.frame, scene.results), places, nudges = curve_nudges(),
         next = std::size_t{0}, nudge = CentralDifferences::Nudge{}](ProofCurves& found, Backend&) mutable {
          return some_of([&] {
            if (!prover->prepare()) return false;
            if (next == 2 * nudges.size() || !is_number(prover->differences())) return true;
            const auto& place = places[next % 2];
            if (place) {
              if (nudge.run == 0 && nudge.runs[0].moved.empty())
                nudge = {.stage = place->stage, .cell = place->cell, .h = nudges[next / 2]};
              if (!prover->differences().step(nudge)) return false;
              found.points[next % 2].push_back(prover->differences().found(nudge));
              nudge = {};
            }
            ++next;
            return false;
          });
        };
  };
  return scene.frame.studies.of<ProofCurves>("gradients.proof_curves", key_of(scene.results, places), begin);
}

Study<ProofMove> study_move(Frame& frame, const Results& results, StageIndex stage, Cell cell,
                            double change) {
  if (!is_loss_known(results)) return {};
  const auto begin = [&]() -> StudyStep<ProofMove> {
    return [prover = prover_of(frame, results),
            nudge = CentralDifferences::Nudge{.stage = stage, .cell = cell, .h = change}](ProofMove& found,
                                                                                          Backend&) mutable {
      return some_of([&] {
        if (!prover->prepare()) return false;
        prover->differences().step(nudge);
        if (nudge.run == 0) return false;
        found = {nudge.stage, nudge.cell, nudge.runs[0].loss - prover->differences().loss()};
        return true;  // the other way is not asked for
      });
    };
  };
  const GradientsScene::Looked place{stage, cell};
  return frame.studies.of<ProofMove>("gradients.move", key_of(results, {place}, change), begin);
}

std::size_t inputs_to_check(const Results& results) {
  const Gradients& gradients = places_of(results).gradients;
  std::size_t numbers = 0;
  for (StageIndex i = 0; i < gradients.of.size(); ++i)
    if (gradients.find(i) && results.graph.stages[i].inputs.empty())
      numbers += results.graph.stages[i].shape.size();
  return numbers;
}

double seconds_to_check(const Results& results) {
  return 2 * static_cast<double>(inputs_to_check(results)) *
         seconds_in_double(results.graph, places_of(results).loss);
}

bool checked_unasked(const Results& results) {
  return seconds_to_check(results) <= kUnasked;
}

std::optional<Study<ProofOfAll>> study_all(const GradientsScene& scene) {
  if (!scene.view().check_all && !checked_unasked(scene.results)) {
    scene.frame.studies.forget(kCheckAll);  // it was asked for before, maybe
    return std::nullopt;
  }
  if (!is_loss_known(scene.results)) return Study<ProofOfAll>{};
  const double h = scene.view().nudge;
  ProofKey key = key_of(scene.results, {}, h);
  key.on_device = scene.view().on_device;
  const auto begin = [&]() -> StudyStep<ProofOfAll> {
    EveryDifference::Beside beside;
    if (key.on_device)
      beside = [results = device_gradients(scene)](const Difference& found) {
        const auto of = results.find(found.stage);
        return of == results.end() || !of->second.holds(found.cell) ? found
                                                                    : beside_device(found, of->second);
      };
    return [prover = prover_of(scene.frame, scene.results), beside, h,
            every = std::optional<EveryDifference>()](ProofOfAll& found, Backend&) mutable {
      const bool done = some_of([&] {
        if (!prover->prepare()) return false;
        if (!is_number(prover->differences())) return true;
        if (!every) every.emplace(prover->differences(), prover->graph, beside, h);
        return every->step();
      });
      if (every) found.check = every->check();
      return done;
    };
  };
  return scene.frame.studies.of<ProofOfAll>(kCheckAll, key, begin);
}

}  // namespace attn
