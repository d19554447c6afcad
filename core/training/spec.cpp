// Settings made into what the trainer takes.
#include "core/training/spec.h"

#include "core/system/error.h"

namespace attn {
namespace {

std::string text_of(const Labels& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// With what another one has otherwise.
TrainingSettings with_difference(TrainingSettings settings, RunDifference difference) {
  switch (difference) {
    case RunDifference::no_position:
      settings.position = TrainingPosition::none;
      break;
    case RunDifference::scale_off:
      settings.scale = false;
      break;
    case RunDifference::one_head:
      settings.heads = 1;
      break;
    case RunDifference::no_residual:
      settings.residual = false;
      break;
    case RunDifference::none:
      break;
  }
  return settings;
}

std::string positions_in_words(TrainingPosition position) {
  switch (position) {
    case TrainingPosition::learned:
      return "learned positions";
    case TrainingPosition::sinusoidal:
      return "sines as positions";
    case TrainingPosition::alibi:
      return "ALiBi";
    case TrainingPosition::rope:
      return "RoPE";
    case TrainingPosition::relative:
      return "relative positions";
    case TrainingPosition::t5:
      return "T5 bias";
    default:
      return "no positions";
  }
}

}  // namespace

PlannedRun planned_run(const TrainingSettings& settings) {
  PlannedRun run;
  run.spec.task = {.kind = settings.task,
                   .length = settings.length,
                   .symbols = settings.symbols,
                   .modulus = settings.modulus,
                   .train_share = settings.train_share};
  const TrainingSides sides = task_text(settings.task).sides;
  run.spec.model = {.sides = sides,
                    .layers = settings.layers,
                    .heads = settings.heads,
                    .width = settings.width,
                    .inner = settings.inner,
                    .position = settings.position,
                    .decoder = sides == TrainingSides::both ? settings.decoder : TrainingDecoder::slots,
                    .scale = settings.scale,
                    .residual = settings.residual};
  run.spec.batch = settings.batch, run.spec.seed = settings.seed;
  run.spec.optimizer = {.kind = settings.optimizer,
                        .rate = settings.rate,
                        .beta1 = settings.beta1,
                        .beta2 = settings.beta2,
                        .decay = settings.decay,
                        .warm_up = settings.warm_up};
  try {
    if (settings.task == TrainingTaskKind::own)
      run.spec.task.own = pairs_of_text(text_of(settings.pairs.empty() ? example_pairs() : settings.pairs));
    run.refusal = training_refusal(run.spec);
  } catch (const Error& error) {
    run.refusal = error.what();
  }
  return run;
}

std::string difference_refusal(const TrainingSettings& settings, RunDifference difference) {
  switch (difference) {
    case RunDifference::no_position:
      return settings.position == TrainingPosition::none ? "A has no positions already" : "";
    case RunDifference::scale_off:
      return settings.scale ? "" : "A has no scale already";
    case RunDifference::one_head:
      if (settings.heads == 1) return "A has one head already";
      return planned_run(with_difference(settings, difference)).refusal;
    case RunDifference::no_residual:
      return settings.residual ? "" : "A has no residual already";
    case RunDifference::none:
      break;
  }
  return {};
}

std::optional<PlannedRun> planned_beside(const TrainingSettings& settings) {
  if (settings.beside == RunDifference::none || !difference_refusal(settings, settings.beside).empty())
    return std::nullopt;
  return planned_run(with_difference(settings, settings.beside));
}

std::string run_name(const TrainingSettings& settings, RunDifference difference) {
  const bool is_other = difference == settings.beside && difference != RunDifference::none;
  switch (settings.beside) {
    case RunDifference::scale_off:
      return is_other ? "scale off" : "scale 1/√d_k";
    case RunDifference::one_head:
      return is_other ? "1 head" : std::to_string(settings.heads) + " heads";
    case RunDifference::no_residual:
      return is_other ? "no residual" : "with residual";
    default:
      return is_other ? "no positions" : positions_in_words(settings.position);
  }
}

TrainingSettings settings_for(const TrainingSettings& before, TrainingTaskKind task) {
  TrainingSettings settings;
  settings.seed = before.seed, settings.pairs = before.pairs, settings.beside = before.beside;
  if (task == TrainingTaskKind::reverse) return settings;
  const TrainingSpec known = default_training(task);
  settings.task = task;
  settings.length = known.task.length, settings.symbols = known.task.symbols;
  settings.modulus = known.task.modulus, settings.train_share = known.task.train_share;
  settings.layers = known.model.layers, settings.heads = known.model.heads;
  settings.width = known.model.width, settings.inner = known.model.inner;
  settings.decoder = known.model.decoder;
  settings.optimizer = known.optimizer.kind, settings.rate = known.optimizer.rate;
  settings.beta1 = known.optimizer.beta1, settings.beta2 = known.optimizer.beta2;
  settings.decay = known.optimizer.decay, settings.warm_up = known.optimizer.warm_up;
  settings.batch = known.batch, settings.steps = default_steps(task);
  return settings;
}

bool goes_on(const TrainingSpec& before, const TrainingSpec& after) {
  TrainingSpec as_before = after;
  as_before.batch = before.batch;
  const OptimizerKind kind = after.optimizer.kind;
  as_before.optimizer = before.optimizer, as_before.optimizer.kind = kind;
  return as_before == before;
}

const Labels& example_pairs() {
  static const Labels kPairs{
      "cat = cats",      "dog = dogs",      "box = boxes",     "fox = foxes",   "city = cities",
      "baby = babies",   "bus = buses",     "toy = toys",      "day = days",    "key = keys",
      "lady = ladies",   "pony = ponies",   "tree = trees",    "star = stars",  "glass = glasses",
      "class = classes", "boy = boys",      "fly = flies",     "spy = spies",   "tax = taxes",
      "hat = hats",      "pen = pens",      "cup = cups",      "wish = wishes", "dish = dishes",
      "brush = brushes", "berry = berries", "story = stories", "ray = rays",    "monkey = monkeys"};
  return kPairs;
}

double bytes_of_training(const TrainingSpec& spec) {
  const auto parameters = static_cast<double>(count_numbers(parameters_of(spec.model, spec.task)));
  const double places = static_cast<double>(spec.batch * length_of(spec.task));
  const double width = static_cast<double>(spec.model.width), inner = static_cast<double>(spec.model.inner);
  const double sides = spec.model.sides == TrainingSides::both ? 2.5 : 1;
  const double blocks = static_cast<double>(spec.model.layers) * sides;
  // A block keeps about 8 rows of the stream's width and 2 of the inner one, and their gradients.
  const double batch = places * (blocks * 2 * (8 * width + 2 * inner) +
                                 3 * static_cast<double>(vocabulary_of(spec.model, spec.task)) + 6 * width);
  return sizeof(float) * (4 * parameters + batch);
}

}  // namespace attn
