// What each task is trained with when nothing else is said, and what cannot be trained.
#include "core/learning/training.h"

namespace attn {
namespace {

constexpr std::size_t kMostBatch = 1024, kMostPlaces = std::size_t{1} << 17;

struct TaskDefaults {
  TrainingTaskKind task;
  std::size_t length, symbols, layers, inner, batch, steps;
  double train_share, rate, decay, beta2;
  OptimizerKind optimizer;
};

// recall: with more pairs or keys, smaller batches or a rate of 0.003, runs were still guessing among the
// values that there are after 1,500 to 4,000 steps.
constexpr std::array kDefaults{
    TaskDefaults{TrainingTaskKind::copy, 8, 10, 1, 0, 32, 500, 1, 3e-3, 0, 0.999, OptimizerKind::adam},
    TaskDefaults{TrainingTaskKind::reverse, 8, 10, 1, 0, 32, 500, 1, 3e-3, 0, 0.999, OptimizerKind::adam},
    TaskDefaults{TrainingTaskKind::sort, 8, 10, 2, 128, 32, 1000, 1, 3e-3, 0, 0.999, OptimizerKind::adam},
    TaskDefaults{TrainingTaskKind::recall, 11, 8, 2, 0, 64, 1500, 1, 5e-4, 0, 0.999, OptimizerKind::adam},
    TaskDefaults{TrainingTaskKind::induction, 32, 32, 2, 0, 32, 2000, 1, 3e-3, 0, 0.999, OptimizerKind::adam},
    TaskDefaults{TrainingTaskKind::dates, kDateLength, kDateSymbols, 2, 128, 32, 3000, 1, 2e-3, 0, 0.999,
                 OptimizerKind::adam},
    TaskDefaults{TrainingTaskKind::modular, 3, 60, 1, 256, 256, 4000, 0.4, 1e-3, 1, 0.98,
                 OptimizerKind::adamw},
    TaskDefaults{TrainingTaskKind::own, 8, 10, 2, 128, 32, 2000, 0.9, 2e-3, 0, 0.999, OptimizerKind::adam},
};

}  // namespace

TrainingSpec default_training(TrainingTaskKind task) {
  const TaskDefaults& of = kDefaults[static_cast<std::size_t>(task)];
  TrainingSpec spec;
  spec.task = {.kind = task, .length = of.length, .symbols = of.symbols, .train_share = of.train_share};
  spec.model = {.sides = task_text(task).sides, .layers = of.layers, .inner = of.inner};
  spec.optimizer = {
      .kind = of.optimizer, .rate = of.rate, .beta2 = of.beta2, .decay = of.decay, .warm_up = 20};
  spec.batch = of.batch;
  return spec;
}

std::size_t default_steps(TrainingTaskKind task) {
  return kDefaults[static_cast<std::size_t>(task)].steps;
}

std::string training_refusal(const TrainingSpec& spec) {
  if (std::string why = task_refusal(spec.task); !why.empty()) return why;
  if (std::string why = model_refusal(spec.model, spec.task); !why.empty()) return why;
  if (spec.batch < 1 || spec.batch > kMostBatch)
    return "a batch has from 1 to " + std::to_string(kMostBatch) + " rows, not " + std::to_string(spec.batch);
  if (spec.batch * length_of(spec.task) > kMostPlaces)
    return "a batch of " + std::to_string(spec.batch) + " rows has " +
           std::to_string(spec.batch * length_of(spec.task)) + " places, and at most " +
           std::to_string(kMostPlaces) + " are trained at once: take fewer rows, or a shorter length";
  const ParameterStep& o = spec.optimizer;
  const auto is_share = [](double x) { return x >= 0 && x < 1; };
  if (!(o.rate > 0 && o.rate <= 100)) return "the rate is above 0 and at most 100";
  if (!is_share(o.beta1) || !is_share(o.beta2)) return "betas are from 0 to below 1";
  if (!(o.decay >= 0 && o.decay <= 100)) return "the weight decay is from 0 to 100";
  return {};
}

}  // namespace attn
