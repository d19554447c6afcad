// train: what its words ask for.
#include <algorithm>
#include <cmath>

#include "app/cli/train.h"
#include "app/words/refuse.h"
#include "core/system/error.h"
#include "core/system/file.h"
#include "core/text/numbers.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr std::size_t kMostSteps = 1'000'000;

void read_count(const char* option, const std::string& word, std::size_t least, std::size_t most,
                std::size_t& to) {
  if (word.empty()) return;
  const auto count = parse_number<std::size_t>(word);
  if (!count || *count < least || *count > most)
    refuse(option, word, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  to = *count;
}

// Whether `fits` says so of the number that was read.
void read_real(const char* option, const std::string& word, const char* takes, bool (*fits)(double),
               double& to) {
  if (word.empty()) return;
  const auto number = parse_number<double>(word);
  if (!number || !fits(*number)) refuse(option, word, takes);
  to = *number;
}

bool is_share(double x) {
  return x > 0 && x <= 1;
}

TrainingTaskKind read_task(const std::string& word) {
  std::vector<std::string> words;
  for (const TrainingTaskText& text : kTrainingTasks) {
    words.emplace_back(text.word);
    if (text.word == word) return text.kind;
  }
  refuse("train", word, "one of " + listed(words), words);
}

TrainingPosition read_position_word(const std::string& word) {
  std::vector<std::string> words;
  for (const auto position :
       {TrainingPosition::learned, TrainingPosition::sinusoidal, TrainingPosition::none,
        TrainingPosition::alibi, TrainingPosition::rope, TrainingPosition::relative, TrainingPosition::t5}) {
    words.emplace_back(name(position));
    if (words.back() == word) return position;
  }
  refuse("--position", word, "one of " + listed(words), words);
}

TrainingDecoder read_decoder(const std::string& word) {
  const std::vector<std::string> words{name(TrainingDecoder::slots), name(TrainingDecoder::written)};
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == word) return static_cast<TrainingDecoder>(i);
  refuse("--decoder", word, "one of " + listed(words), words);
}

OptimizerKind read_optimizer(const std::string& word) {
  const std::vector<std::string> words{"adam", "adamw", "sgd"};
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == word) return static_cast<OptimizerKind>(i);
  refuse("--optimizer", word, "one of " + listed(words), words);
}

void read_betas(const std::string& word, ParameterStep& to) {
  if (word.empty()) return;
  const std::vector<std::string> parts = split(word, ',');
  const auto one = parts.size() == 2 ? parse_number<double>(parts[0]) : std::nullopt;
  const auto two = parts.size() == 2 ? parse_number<double>(parts[1]) : std::nullopt;
  const auto fits = [](double x) { return x >= 0 && x < 1; };
  if (!one || !two || !fits(*one) || !fits(*two))
    refuse("--betas", word, "two numbers from 0 to below 1, as in 0.9,0.999");
  to.beta1 = *one, to.beta2 = *two;
}

// Of an option that means nothing for a task.
void refuse_where(bool given, const char* option, bool fits, const std::string& task, const char* why) {
  if (given && !fits)
    throw Error(std::string(option) + ": " + task + " " + why + "; leave it out", Fault::option);
}

void read_task_words(const TrainRequest& request, TrainingTask& task) {
  using enum TrainingTaskKind;
  const bool drawn = task.kind != dates && task.kind != modular && task.kind != own;
  refuse_where(!request.length.empty(), "--length", drawn, request.task, "has a length of its own");
  refuse_where(!request.symbols.empty(), "--symbols", drawn, request.task, "has symbols of its own");
  refuse_where(!request.modulus.empty(), "--modulus", task.kind == modular, request.task, "adds nothing");
  refuse_where(!request.data.empty(), "--data", task.kind == own, request.task, "draws its own rows");
  refuse_where(!request.train_share.empty(), "--train-share", task.kind == modular || task.kind == own,
               request.task, "draws every row anew");
  read_count("--length", request.length, 1, 256, task.length);
  read_count("--symbols", request.symbols, 1, 256, task.symbols);
  read_count("--modulus", request.modulus, 2, 251, task.modulus);
  read_real("--train-share", request.train_share, "a number above 0 and at most 1", is_share,
            task.train_share);
  if (task.kind != own) return;
  if (request.data.empty())
    throw Error("train own needs --data FILE: one pair of texts a line, separated by a tab", Fault::option);
  const std::vector<std::byte> bytes = read_file(request.data);
  try {
    task.own = pairs_of_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  } catch (const Error& error) {
    throw Error(request.data + ": " + error.what(), Fault::input);
  }
}

void read_optimizer_words(const TrainRequest& request, ParameterStep& to) {
  if (!request.optimizer.empty()) to.kind = read_optimizer(request.optimizer);
  read_real(
      "--rate", request.rate, "a number above 0, 100 at most", [](double x) { return x > 0 && x <= 100; },
      to.rate);
  read_real(
      "--weight-decay", request.weight_decay, "a number from 0 to 100",
      [](double x) { return x >= 0 && x <= 100; }, to.decay);
  read_betas(request.betas, to);
  read_count("--warm-up", request.warm_up, 0, kMostSteps, to.warm_up);
}

}  // namespace

TrainOrder read_train_order(const TrainRequest& request) {
  const TrainingTaskKind task = read_task(request.task);
  TrainOrder order{.spec = default_training(task), .steps = default_steps(task)};
  TrainingSpec& spec = order.spec;
  check_output(request.output, {request.data});
  read_task_words(request, spec.task);
  read_count("--layers", request.layers, 1, 8, spec.model.layers);
  read_count("--heads", request.heads, 1, 512, spec.model.heads);
  read_count("--width", request.width, 1, 512, spec.model.width);
  read_count("--inner", request.inner, 0, 2048, spec.model.inner);
  read_count("--batch", request.batch, 1, 1024, spec.batch);
  if (!request.position.empty()) spec.model.position = read_position_word(request.position);
  refuse_where(!request.decoder.empty(), "--decoder", spec.model.sides == TrainingSides::both, request.task,
               "has no decoder");
  if (!request.decoder.empty()) spec.model.decoder = read_decoder(request.decoder);
  spec.model.tied = request.tied;
  spec.model.scale = !request.no_scale, spec.model.residual = !request.no_residual;
  std::size_t seed = spec.seed;
  read_count("--seed", request.seed, 0, static_cast<std::size_t>(-1), seed);
  spec.seed = seed;
  read_optimizer_words(request, spec.optimizer);
  read_count("--steps", request.steps, 1, kMostSteps, order.steps);
  if (!request.until.empty()) {
    double until = 0;
    read_real("--until", request.until, "an accuracy above 0 and at most 1", is_share, until);
    order.until = until;
  }
  if (const std::string why = training_refusal(spec); !why.empty())
    throw Error("train " + request.task + ": " + why, Fault::option);
  return order;
}

}  // namespace attn
