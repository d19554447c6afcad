// Stages are recorded in their order, and so are carried out: memory that nobody reads any more after one
// serves the next.
#include "core/opencl/program.h"

#include <cassert>
#include <limits>

#include "core/graph/lifetimes.h"

namespace attn::opencl {
namespace {

class RecordedProgram final : public Program {
 public:
  RecordedProgram(std::shared_ptr<OpenDevice> device, const Graph& graph, std::span<const StageIndex> kept)
      : Program(graph),
        device_(std::move(device)),
        in_place_(made_in_place(graph)),
        steps_(graph.stages.size()) {
    record_all(graph, kept);
    pool_->clear();  // the recordings hold it, and what is set later must not be given a result's
    std::map<cl_mem, cl::Buffer> all;
    for (const Step& step : steps_) {
      all.try_emplace(step.result(), step.result);
      all.insert(step.recording.buffers.begin(), step.recording.buffers.end());
    }
    for (const auto& [name, buffer] : all) bytes_ += buffer.getInfo<CL_MEM_SIZE>();
    account(bytes_);
  }
  ~RecordedProgram() override { account(-bytes_); }

  void run(StageIndex stage) override {
    device_->in_words(steps_[stage].name, [&] {
      device_->bench.results_wanted(Numbers::there);
      for (const auto& command : steps_[stage].recording.commands) command();
    });
  }

  void set(StageIndex stage, const Operation& operation) override {
    Step& step = steps_[stage];
    if (const Tensor* given = given_tensor(operation)) {
      assert(given->shape() == shape(stage));
      device_->in_words("writing numbers", [&] {
        device_->context.queue().enqueueWriteBuffer(step.result, CL_TRUE, 0, given->bytes(), given->data());
      });
      return;
    }
    const auto memory = record(stage, operation);
    if (shape(stage).size() == 0 || in_place_[stage]) return;
    device_->bench.record(step.recording, [&] {
      device_->bench.copy(memory->buffer, step.result, 0, shape(stage).size() * sizeof(float));
    });
  }

  Tensor read(StageIndex stage, const Region& block) override {
    const Shape of = shape_of(block);
    std::vector<float> numbers(of.size());
    if (numbers.empty()) return {of, std::move(numbers)};
    const std::size_t number = sizeof(float), row = shape(stage).columns * number;
    device_->in_words("reading a result back", [&] {
      device_->context.queue().enqueueReadBufferRect(
          steps_[stage].result, CL_TRUE, {block.begin.column * number, block.begin.row, block.begin.head}, {},
          {of.columns * number, of.rows, of.stack}, row, row * shape(stage).rows, 0, 0, numbers.data());
    });
    return {of, std::move(numbers)};
  }

 private:
  struct Step {
    std::string name = {};
    std::vector<StageIndex> inputs = {};
    cl::Buffer result = {};
    Recording recording = {};
  };

  // At the end all memory is in the pool, that of the stages which are kept too.
  void record_all(const Graph& graph, std::span<const StageIndex> kept) {
    const auto ends = ends_by_stage(graph, {}, kept);
    std::vector<std::shared_ptr<DeviceMemory>> memory(steps_.size());
    for (StageIndex i = 0; i < steps_.size(); ++i) {
      steps_[i].inputs = graph.stages[i].inputs;
      memory[i] = record(i, graph.stages[i].operation);
      steps_[i].result = memory[i]->buffer;
      for (const StageIndex end : ends[i]) memory[end].reset();
    }
  }

  // Where the stage's result will be.
  std::shared_ptr<DeviceMemory> record(StageIndex stage, const Operation& operation) {
    Step& step = steps_[stage];
    step.name = attn::name(operation);
    step.recording = {.pool = pool_};
    return device_->in_words(step.name, [&] {
      if (const Tensor* given = given_tensor(operation)) return copied(*given);
      std::vector<Tensor> inputs;
      for (const StageIndex input : step.inputs) inputs.push_back(result_of(input));
      Tensor result;
      if (in_place_[stage]) device_->bench.result_in(memory_of(step.inputs[0]));
      device_->bench.record(step.recording, [&] { result = device_->run(operation, inputs); });
      if (!result.held()) return copied(result);  // drawn by the host, or without numbers
      return static_cast<const DeviceTensor*>(result.held())->memory;
    });
  }

  std::shared_ptr<DeviceMemory> copied(const Tensor& tensor) {
    return std::make_shared<DeviceMemory>(device_->buffers.allocate(tensor.bytes(), tensor.data()),
                                          tensor.bytes(), std::weak_ptr<MemoryPool>());
  }

  // The memory of a stage as what an operation reads.
  Tensor result_of(StageIndex stage) const {
    DeviceTensor held{.memory = memory_of(stage)};
    return Tensor::on_device(shape(stage), std::make_shared<const DeviceTensor>(std::move(held)));
  }
  std::shared_ptr<DeviceMemory> memory_of(StageIndex stage) const {
    return std::make_shared<DeviceMemory>(steps_[stage].result, 0, std::weak_ptr<MemoryPool>());
  }

  void account(std::size_t more) {
    device_->budget.set(Budget::programs, device_->budget.held(Budget::programs) + more);
  }

  std::shared_ptr<OpenDevice> device_;
  Budget unlimited_{std::numeric_limits<std::size_t>::max()};  // what is recorded was weighed
  std::shared_ptr<MemoryPool> pool_ = std::make_shared<MemoryPool>(unlimited_);
  std::vector<bool> in_place_;
  std::vector<Step> steps_;
  std::size_t bytes_ = 0;  // of device memory
};

}  // namespace

std::unique_ptr<Program> make_program(std::shared_ptr<OpenDevice> device, const Graph& graph,
                                      std::span<const StageIndex> kept) {
  return std::make_unique<RecordedProgram>(std::move(device), graph, kept);
}

}  // namespace attn::opencl
