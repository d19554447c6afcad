// The layer's own graph run forth and back: the scores are read, the loss is made of them here, in double,
// and what it asks of them goes back through the graph to what may learn.
#include "core/gradients/descent.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/gradient/gradients.h"
#include "core/gradient/loss.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr double kFirstDecay = 0.9, kSecondDecay = 0.999, kAdamEpsilon = 1e-8;
constexpr std::size_t kMostKept = std::size_t{64} << 20;  // bytes of steps

// Moments of each number's gradient, and the number itself in double.
struct Adam {
  explicit Adam(const Tensor& start)
      : shape(start.shape()),
        numbers(start.values().begin(), start.values().end()),
        first(numbers.size(), 0),
        second(numbers.size(), 0) {}

  void step(const Tensor& gradient, double rate, std::size_t time) {
    const double t = static_cast<double>(time);
    const double first_bias = 1 - std::pow(kFirstDecay, t), second_bias = 1 - std::pow(kSecondDecay, t);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const double g = static_cast<double>(gradient.values()[i]);
      first[i] = kFirstDecay * first[i] + (1 - kFirstDecay) * g;
      second[i] = kSecondDecay * second[i] + (1 - kSecondDecay) * g * g;
      numbers[i] -= rate * (first[i] / first_bias) / (std::sqrt(second[i] / second_bias) + kAdamEpsilon);
    }
  }
  Tensor tensor() const { return {shape, std::vector<float>(numbers.begin(), numbers.end())}; }

  Shape shape;
  std::vector<double> numbers, first, second;
};

// What a stage is computed from, itself included.
void mark_needed(const Graph& graph, StageIndex stage, std::vector<bool>& needed) {
  needed[stage] = true;
  for (StageIndex i = stage + 1; i-- > 0;)
    if (needed[i])
      for (const StageIndex input : graph.stages[i].inputs) needed[input] = true;
}

// Two tensors of a layer may be one, and its stages then are told apart by their order.
StageIndex stage_of(const Graph& graph, const LayerSpec& layer, const Learner& learner, StageIndex end,
                    std::span<const StageIndex> taken) {
  for (StageIndex i = 0; i < end; ++i) {
    const Tensor* given = given_tensor(graph.stages[i].operation);
    if (given && graph.stages[i].role == learner.role && given->id() == (layer.*learner.tensor).id() &&
        std::ranges::count(taken, i) == 0)
      return i;
  }
  throw Error(std::string(learner.name) + " is not among the layer’s matrices: let something else learn");
}

// Numbers typed over the steps of the softmax stay as they are, whatever is learnt.
void check_computed(const Graph& graph, const LayerStages& stages) {
  for (StageIndex i = stages.weighed + 1; i <= stages.weights; ++i)
    if (graph.stages[i].computed_from)
      throw Error("numbers are typed over the " + graph.stages[i].title +
                  ", and those do not move: take them back first");
}

}  // namespace

struct Descender::Way {
  struct Learning {
    StageIndex stage = 0;
    std::optional<StageIndex> gradient = {};  // none: no score is made of it
    Adam adam;
  };

  DescentTask task;
  Graph graph = {};
  LayerStages stages = {};
  StageIndex upstream = 0;
  std::vector<Learning> learning = {};
  std::vector<bool> forth = {}, back = {};
  const Backend* backend = nullptr;  // that the program is of, and its name: another may lie where it lay
  std::string device = {};
  std::unique_ptr<Program> program = {};

  void build();
  void compile(Backend& by);
  void keep(Descent& found, const WantedLoss& loss) const;
  void learn(const WantedLoss& loss, std::size_t time);
};

void Descender::Way::build() {
  if (const std::string why = descent_refusal(task.layer); !why.empty()) throw Error(why);
  graph.overrides = task.typed;
  stages = append_layer(graph, task.layer, {.address = kLayerA});
  graph.overrides.clear();  // they are the layer's, not the loss's
  check_computed(graph, stages);
  const StageIndex end = graph.stages.size();
  std::vector<StageIndex> of;
  for (const Learner& each : learners(task)) of.push_back(stage_of(graph, task.layer, each, end, of));
  if (of.empty()) throw Error("nothing may learn: choose what may move");
  const Shape shape = graph.stages[stages.weighed].shape;
  const StageIndex loss =
      append_loss(graph, stages.weighed,
                  {.kind = LossKind::typed, .given = Tensor(shape, std::vector<float>(shape.size(), 0))});
  upstream =
      *std::ranges::find_if(graph.stages[loss].inputs, [&](StageIndex i) { return i != stages.weighed; });
  const Gradients gradients = append_gradients(graph, loss, of);
  forth.assign(graph.stages.size(), false), back = forth;
  mark_needed(graph, stages.weighed, forth);
  for (const StageIndex stage : of) {
    learning.push_back({stage, gradients.find(stage), Adam(*given_tensor(graph.stages[stage].operation))});
    if (const auto gradient = learning.back().gradient) mark_needed(graph, *gradient, back);
  }
  for (StageIndex i = 0; i < back.size(); ++i) back[i] = back[i] && !forth[i];
}

void Descender::Way::compile(Backend& by) {
  if (backend == &by && device == by.name()) return;
  std::vector<StageIndex> kept{stages.weighed};
  for (const Learning& each : learning)
    if (each.gradient) kept.push_back(*each.gradient);
  program = by.compile(graph, kept);
  backend = &by, device = by.name();
  for (const Learning& each : learning) program->set(each.stage, Source{each.adam.tensor()});
}

void Descender::Way::keep(Descent& found, const WantedLoss& loss) const {
  const std::size_t step = found.losses.size() - 1;
  if (step % found.every != 0) return;
  DescentStep kept{.weights = Tensor(task.wanted.shape(), {loss.weights.begin(), loss.weights.end()})};
  for (const Learning& each : learning) kept.learnt.push_back(each.adam.tensor());
  found.kept.push_back(std::make_shared<const DescentStep>(std::move(kept)));
}

void Descender::Way::learn(const WantedLoss& loss, std::size_t time) {
  const Shape shape = graph.stages[stages.weighed].shape;
  std::vector<float> asked(shape.size(), 0);
  std::ranges::copy(loss.upstream,
                    asked.begin() + static_cast<std::ptrdiff_t>(task.head * loss.upstream.size()));
  program->set(upstream, Source{Tensor(shape, std::move(asked))});
  for (StageIndex i = 0; i < back.size(); ++i)
    if (back[i]) program->run(i);
  for (Learning& each : learning)
    if (each.gradient) each.adam.step(program->read(*each.gradient), task.rate, time);
  for (const Learning& each : learning) program->set(each.stage, Source{each.adam.tensor()});
}

Descender::Descender(DescentTask task) : way_(std::make_unique<Way>(Way{.task = std::move(task)})) {
  way_->build();
}

Descender::~Descender() = default;

bool Descender::step(Descent& found, Backend& backend) {
  Way& way = *way_;
  way.compile(backend);
  if (found.losses.empty()) {
    std::size_t numbers = way.task.wanted.values().size();
    for (const Way::Learning& each : way.learning) numbers += each.adam.numbers.size();
    while (numbers * sizeof(float) * (kDescentSteps / found.every) > kMostKept && found.every < kDescentSteps)
      do ++found.every;
      while (kDescentSteps % found.every != 0);
  }
  for (StageIndex i = 0; i < way.forth.size(); ++i)
    if (way.forth[i]) way.program->run(i);
  const Shape wanted = way.task.wanted.shape();
  const std::size_t head = way.task.head;
  const Tensor scores =
      way.program->read(way.stages.weighed, {{head, 0, 0}, {head + 1, wanted.rows, wanted.columns}});
  const WantedLoss loss = wanted_loss(scores, way.task.wanted, weighting_of(way.task.layer));
  if (!std::isfinite(loss.loss)) {
    const std::size_t step = found.losses.size();
    found.ended =
        step == 0 ? "the loss is no number: weight is wanted where the scores are −∞ or not a number"
                  : "at step " + std::to_string(step) + " the loss is no number any more: try a lower rate";
    return true;
  }
  found.losses.push_back(loss.loss);
  way.keep(found, loss);
  if (found.losses.size() > kDescentSteps) return true;
  way.learn(loss, found.losses.size());
  return false;
}

std::size_t Descent::kept_step(std::size_t step) const {
  return std::min(step / every, kept.size() - 1) * every;
}

std::size_t Descent::bytes() const {
  std::size_t bytes = losses.capacity() * sizeof(double);
  for (const auto& step : kept) {
    bytes += step->weights.bytes();
    for (const Tensor& tensor : step->learnt) bytes += tensor.bytes();
  }
  return bytes;
}

}  // namespace attn
