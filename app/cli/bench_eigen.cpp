// Rows in blocks, as many as lie in a core's cache, dealt out to the cores.
#include "app/cli/bench_eigen.h"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <thread>

#include "app/cli/eigen_rows.h"
#include "core/evaluate/run.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn::bench {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 17;  // weights of a block: half a megabyte
constexpr double kWorthThreads = 4e6;                 // operations; a thread costs as much as 1e6 of them

// Beside the program where it was built, in libexec/ where it is installed.
std::filesystem::path module_file() {
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const auto beside = folder / kEigenModule;
  return std::filesystem::exists(beside) ? beside
                                         : folder.parent_path() / "libexec/attention-lab" / kEigenModule;
}

// The module stays loaded. Throws Error where it has not been built.
EigenLevel load_level() {
  const std::filesystem::path module = module_file();
  void* library = dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto level =
      library ? reinterpret_cast<decltype(&attention_lab_eigen_level)>(dlsym(library, kEigenLevel)) : nullptr;
  if (!level)
    throw Error("attention by Eigen, which the benchmark compares with, cannot be loaded (" +
                    std::string(dlerror()) + "): ./app/run bench builds it",
                Fault::option);
  return level();
}

const EigenLevel& best() {
  static const EigenLevel level = load_level();
  return level;
}

struct Attention {
  Graph graph;
  Tensor q = {}, k = {}, v = {};
  std::vector<float> output = {};
  bool checked = false;
};

// Deals out parts to the cores, unless there is too little to do. `work` takes numbers below `parts` until
// there is none left.
template <class Work>
void on_all_cores(double operations, std::size_t parts, const Work& work) {
  const std::size_t most = operations < kWorthThreads ? 1 : std::thread::hardware_concurrency();
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < std::min(most, parts); ++i) threads.emplace_back(work);
  work();
}

void run(Attention& a) {
  const auto attend = best().attend;
  const std::size_t n = a.q.rows(), d_k = a.q.columns(), heads = a.q.stack();
  const std::size_t block = std::clamp<std::size_t>(kBlock / n, 16, 256), blocks = (n + block - 1) / block;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    std::vector<float> weights(std::min(block, n) * n);
    for (std::size_t i = next++; i < heads * blocks; i = next++) {
      const std::size_t head = i / blocks, first = i % blocks * block;
      const std::size_t kv = shared_matrix(head, a.k.stack(), heads) * n * d_k;
      attend({.q = a.q.data() + head * n * d_k,
              .k = a.k.data() + kv,
              .v = a.v.data() + kv,
              .output = a.output.data() + head * n * d_k,
              .weights = weights.data(),
              .n = n,
              .d_k = d_k,
              .first = first,
              .end = std::min(first + block, n)});
    }
  };
  on_all_cores(4.0 * static_cast<double>(heads * n * n * d_k), heads * blocks, work);
}

// By what the device makes of the graph; `accepted`: rounding explains so much.
void check(const Graph& graph, std::span<const float> eigen, double accepted, Backend& backend) {
  const StageIndex last = graph.stages.size() - 1;
  Tensor device;
  run_stages(backend, graph,
             {.reads = [&](StageIndex i) { return i == last; },
              .done =
                  [&](StageIndex i, const Tensor& result) {
                    if (i == last) device = result;
                  }});
  for (std::size_t i = 0; i < eigen.size(); ++i)
    if (!(std::abs(device.values()[i] - eigen[i]) <= accepted))
      throw Error(backend.name() + " and Eigen disagree: " + shortest(device.values()[i]) + " and " +
                      shortest(eigen[i]) + " of " + std::to_string(device.rows()) + " rows",
                  Fault::device);
}

double largest_of(const Tensor& x) {
  double largest = 0;
  for (const float v : x.values()) largest = std::max(largest, std::abs(static_cast<double>(v)));
  return largest;
}

// Outputs are means of the values, so that rounding is of their size.
constexpr double kAccepted = 2e-5;

struct EigenProduct {
  Graph graph;
  Tensor a = {}, b = {};
  std::vector<float> c = {};
  bool checked = false;
};

void run(EigenProduct& p) {
  constexpr std::size_t kProductBlock = 128;  // rows
  const std::size_t n = p.a.rows(), parts = (n + kProductBlock - 1) / kProductBlock;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < parts; i = next++)
      best().multiply({.a = p.a.data(),
                       .b = p.b.data(),
                       .c = p.c.data(),
                       .n = n,
                       .first = i * kProductBlock,
                       .end = std::min((i + 1) * kProductBlock, n)});
  };
  on_all_cores(2.0 * static_cast<double>(n * n * n), parts, work);
}

const MeasureSubject& full() {
  return measure_subjects().front();
}

}  // namespace

Contender eigen_contender(const MeasureShape& shape) {
  const auto build = full().build;
  Contender contender = contender_of(full(), shape);
  contender.name = kEigen;
  // Queries, keys, values and the output; no weights but a block's.
  contender.needs = [shape](std::size_t n) {
    const std::uint64_t bytes = 4 * std::uint64_t{n} * shape.d * sizeof(float);
    return Needs{.given = bytes, .held = 0, .largest = bytes / 4};
  };
  contender.make = [build, shape](std::size_t n) {
    const auto a = std::make_shared<Attention>(Attention{.graph = build(shape, n, LayerInputs::numbers)});
    const auto given = [&](StageIndex i) { return *given_tensor(a->graph.stages[i].operation); };
    a->q = given(0), a->k = given(1), a->v = given(2);
    a->output.resize(a->q.shape().size());
    return Trial{.work = work_of(a->graph), .run = [a](Backend& backend, const GiveUp&) {
                   run(*a);
                   if (!a->checked && a->q.rows() <= kMostChecked)
                     check(a->graph, a->output, kAccepted * largest_of(a->v), backend);
                   a->checked = true;
                   return true;
                 }};
  };
  return contender;
}

Contender eigen_product_contender(std::size_t longest) {
  return {.name = kEigenProduct,
          .work = [](std::size_t n) { return work_of(build_product({}, n, LayerInputs::shapes)); },
          .needs =
              [](std::size_t n) {
                const std::uint64_t bytes = std::uint64_t{n} * n * sizeof(float);
                return Needs{.given = 3 * bytes, .held = 0, .largest = bytes};
              },
          .make =
              [](std::size_t n) {
                const auto p = std::make_shared<EigenProduct>(
                    EigenProduct{.graph = build_product({}, n, LayerInputs::numbers)});
                p->a = *given_tensor(p->graph.stages[0].operation);
                p->b = *given_tensor(p->graph.stages[1].operation);
                p->c.resize(n * n);
                return Trial{.work = work_of(p->graph), .run = [p](Backend& backend, const GiveUp&) {
                               run(*p);
                               // A sum of n terms, each about as large as its rounding is meant for.
                               const double size = largest_of(p->a) * largest_of(p->b);
                               if (!p->checked && p->a.rows() <= kMostChecked)
                                 check(p->graph, p->c, kAccepted * size * std::sqrt(p->a.rows()), backend);
                               p->checked = true;
                               return true;
                             }};
              },
          .longest = longest};
}

const char* eigen_instructions() {
  return best().instructions;
}

}  // namespace attn::bench
