// train: its words, what they ask for, and the file of a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/words/command_parser.h"
#include "core/learning/training.h"

namespace attn {

// Words as given; absent ones are empty.
struct TrainRequest {
  std::string task, data, modulus, train_share, steps, until, seed, layers, heads, width, inner, batch,
      length, symbols, position, decoder, optimizer, rate, betas, weight_decay, warm_up, output;
  std::string device = "auto";
  bool json = false, tied = false, no_scale = false, no_residual = false;
};

struct TrainOrder {
  TrainingSpec spec = {};
  std::size_t steps = 0;
  std::optional<double> until = {};  // accuracy at which it ends
};
// Reads the file of pairs. Throws Error(Fault::option), naming the option, or Error(Fault::input).
TrainOrder read_train_order(const TrainRequest& request);

// Of the first step, for the file of a run.
struct FirstStep {
  std::vector<Tensor> before, gradients, first;
  TrainingBatch batch;
};
// before.NAME, gradient.NAME and first.NAME of the first step, after.NAME of the last, with PyTorch's names
// and shapes; batch.input, batch.target and batch.scored of the first step, rows×length, 0 in targets that
// are not scored.
std::vector<std::byte> run_file(const Trainer& trainer, const FirstStep& first,
                                const std::vector<Tensor>& after);

void add_train(CommandParser& parser);

}  // namespace attn
