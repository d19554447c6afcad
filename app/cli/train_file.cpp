// The file of a run: parameters and gradients by PyTorch's names.
#include "app/cli/train.h"
#include "core/io/npz.h"

namespace attn {
namespace {

struct RunWriter {
  std::vector<std::byte> bytes = {};
  NpzWriter npz{[this](Bytes more) { bytes.insert(bytes.end(), more.begin(), more.end()); }};

  void add(const std::string& name, const std::vector<std::size_t>& shape, std::span<const float> numbers) {
    npz.add(name, shape, {&numbers, 1});
  }
  void add_all(const std::string& prefix, const std::vector<TrainedParameter>& parameters,
               const std::vector<Tensor>& numbers) {
    for (const ParameterArray& array : parameter_arrays(parameters, numbers))
      add(prefix + "." + array.name, array.shape, array.numbers);
  }
};

}  // namespace

std::vector<std::byte> run_file(const Trainer& trainer, const FirstStep& first,
                                const std::vector<Tensor>& after) {
  RunWriter file;
  file.add_all("before", trainer.parameters(), first.before);
  file.add_all("gradient", trainer.parameters(), first.gradients);
  file.add_all("first", trainer.parameters(), first.first);
  file.add_all("after", trainer.parameters(), after);
  const std::size_t rows = trainer.spec().batch;
  std::vector<float> target, scored;
  for (const float answer : first.batch.target.values())
    target.push_back(std::max(answer, 0.0f)), scored.push_back(answer >= 0 ? 1.0f : 0.0f);
  const std::vector<std::size_t> in{rows, first.batch.input.rows() / rows}, out{rows, target.size() / rows};
  file.add("batch.input", in, first.batch.input.values());
  file.add("batch.target", out, target);
  file.add("batch.scored", out, scored);
  file.npz.finish();
  return std::move(file.bytes);
}

}  // namespace attn
