// The self-test: what has to be right before a device may compute.
#include "core/opencl/self_test.h"

#include <algorithm>
#include <chrono>

#include "core/attention/layer.h"
#include "core/evaluate/run.h"
#include "core/opencl/backend.h"
#include "core/opencl/cases/compare.h"
#include "core/opencl/cases/numbers.h"
#include "core/opencl/driver_error.h"
#include "core/opencl/flash_tuning.h"
#include "core/opencl/workbench.h"

namespace attn::opencl {
namespace {

// Two heads over 32 tokens of width 64, with a mask.
LayerSpec small_layer() {
  LayerSpec layer;
  layer.x = numbers({1, 32, 64}, Kind::ordinary, 1);
  for (Tensor* weights : {&layer.w_q, &layer.w_k, &layer.w_v, &layer.w_o})
    *weights = numbers({1, 64, 64}, Kind::ordinary, 2);
  layer.heads = layer.kv_heads = 2;
  layer.masks = {{.rule = CausalRule{}}};
  return layer;
}

// Empty when the operation is right in all its cases.
std::string first_fault(Backend& device, const Declaration& declaration, const Arithmetic& arithmetic,
                        double& largest_error, const std::function<void(const std::string&)>& progress) {
  for (const Case& c : declaration.cases(Scope::self_test)) {
    if (c.subnormals && !arithmetic.subnormals) continue;
    const Deviation deviation = compare(declaration, c, device.run(c.operation, c.inputs), arithmetic);
    largest_error = std::max(largest_error, deviation.largest_error);
    if (deviation.wrong > 0)
      return std::string(declaration.operation) + " is wrong (" + c.name + "): " + deviation.first_wrong;
    progress(std::string(declaration.operation) + " (" + c.name + ")");
  }
  return {};
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string limit_text(Steps most) {
  if (most == kEndless) return {};
  return "; it leaves loops after " + std::to_string(most) + " steps: longer ones are left to the reference";
}

}  // namespace

Steps most_steps_of(const cl::Device& device, Variant variant) {
  Budget budget;
  Context context(device, variant);
  Buffers buffers(context.context(), context.queue(), budget);
  Workbench bench(context, buffers);
  return measure_steps(bench);
}

double small_layer_milliseconds(Backend& backend) {
  const Graph graph = build_graph(small_layer());
  run_stages(backend, graph, {});  // compiles kernels and brings the inputs there
  const double start = seconds_now();
  run_stages(backend, graph, {});
  return 1e3 * (seconds_now() - start);
}

Arithmetic arithmetic_of(const cl::Device& device, Variant variant) {
  return {.double_sums = variant.double_sums,
          .subnormals = (device.getInfo<CL_DEVICE_SINGLE_FP_CONFIG>() & CL_FP_DENORM) != 0};
}

TestReport self_test(const cl::Device& device, const std::function<void(const std::string&)>& progress) {
  TestReport report;
  try {
    Variant variant = best_variant(device);
    report.most_steps = variant.most_steps = most_steps_of(device, variant);
    const Arithmetic arithmetic = arithmetic_of(device, variant);
    Budget budget;
    const auto backend = make_backend(device, variant, budget);
    for (const Declaration& declaration : declarations()) {
      report.verdict = first_fault(*backend, declaration, arithmetic, report.largest_error, progress);
      report.computed = !report.verdict.empty();
      if (report.computed) return report;
    }
    report.flash_tiles = tuned_flash(*backend, seconds_now);
    progress("tuning");
    report.milliseconds = small_layer_milliseconds(*backend);
    report.passed = report.computed = true;
    report.verdict = "passed" + limit_text(report.most_steps);
  } catch (const DriverError& error) {
    report.verdict = error.what();
    report.passing = error.passes();
  } catch (const Error& error) {
    report.verdict = error.what();
  } catch (const cl::Error& error) {
    report.verdict = error_text(error.err());
  }
  return report;
}

}  // namespace attn::opencl
