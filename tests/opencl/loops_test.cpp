// Devices that leave loops early, as Mesa's on processors do after 65,535 steps of an item: how many steps
// one makes, and that nobody asks it for more.
#include "core/opencl/loops.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "core/opencl/backend.h"
#include "core/opencl/cases/compare.h"
#include "core/opencl/cases/numbers.h"
#include "core/opencl/families.h"
#include "core/reference/backend.h"
#include "tests/opencl/opened.h"
#include "tests/opencl/surroundings.h"

using namespace attn;
using namespace attn::opencl;

namespace {

constexpr Steps kMesa = 65535;

// As if the device left loops early, in one of the kernels' shapes.
Variant leaving(bool groups, Steps most = kMesa) {
  return {.groups = groups, .double_sums = false, .most_steps = most};
}

// How many steps are too few for each of the long cases in the shape for processors: of devices that have no
// vectors for one item its loops are shorter.
Steps too_few(const cl::Device& device) {
  return best_variant(device).groups ? kMesa / 16 : kMesa;
}

struct Long {
  std::string name;
  Operation operation;
  std::vector<Shape> inputs;
};

// What people met with, and the longest of other families.
std::vector<Long> long_cases() {
  return {{"heads of 400 tokens", MatMul{}, {{3, 400, 400}, {3, 400, 64}}},
          {"scores of width 8000", MatMul{.transpose_right = true}, {{1, 8, 8000}, {1, 8, 8000}}},
          {"rows of 70001", RowSum{}, {{1, 2, 70001}}},
          {"thresholds of 400 keys", RowStatistic{RowFigure::threshold}, {{1, 2, 400}}},
          {"heads side by side", HeadLikeness{HeadLikeness::overlap}, {{2, 400, 400}}},
          {"distances", SquaredDistance{}, {{1, 30, 600}, {1, 200, 600}}}};
}

std::vector<Tensor> inputs_of(const Long& one) {
  std::vector<Tensor> inputs;
  for (const Shape& shape : one.inputs) inputs.push_back(numbers(shape, Kind::ordinary, inputs.size() + 1));
  return inputs;
}

struct Bench {
  Bench(const cl::Device& device, Variant variant)
      : context(device, variant),
        buffers(context.context(), context.queue(), budget),
        bench(context, buffers) {}

  Budget budget;
  Context context;
  Buffers buffers;
  Workbench bench;
};

bool is_refused(Workbench& bench, const Long& one) {
  const std::vector<Tensor> inputs = inputs_of(one);
  try {
    std::visit(
        [&]<class Op>(const Op& op) {
          if constexpr (!std::is_same_v<Op, Source>) run(bench, op, inputs);
        },
        one.operation);
    return false;
  } catch (const LoopTooLong&) {
    return true;
  }
}

}  // namespace

TEST_CASE("The last number of a loop says how many steps led to it") {
  std::uint32_t number = 0;
  for (Steps steps = 0; steps < 100; ++steps) {
    CHECK(steps_to(number, 1000) == steps);
    number = number * 1664525u + 1013904223u;
  }
  CHECK(steps_to(number, 99) == 0);
}

TEST_CASE("A device that makes every step of a long loop has no end of them") {
  for (const cl::Device& device : test_devices()) {
    Bench opened(device, best_variant(device));
    const Steps most = measure_steps(opened.bench);
    CHECK((most == kEndless || most >= kMesa - 1));
  }
}

TEST_CASE("A launch whose items would be left early is not made") {
  const cl::Device device = test_devices().at(0);
  Bench ends(device, leaving(false, too_few(device))), endless(device, leaving(false, kEndless));
  for (const Long& one : long_cases()) {
    CAPTURE(one.name);
    CHECK(is_refused(ends.bench, one));
    CHECK_FALSE(is_refused(endless.bench, one));
  }
}

TEST_CASE("What takes longer loops than a device makes is computed by the reference") {
  const cl::Device device = test_devices().at(0);
  const auto reference = make_reference_backend();
  Budget budget;
  const auto backend = make_backend(device, leaving(false, too_few(device)), budget);
  for (const Long& one : long_cases()) {
    CAPTURE(one.name);
    const std::vector<Tensor> inputs = inputs_of(one);
    // Of numbers that a device left to itself the reference could make nothing.
    for (const Numbers wanted : {Numbers::here, Numbers::later, Numbers::there})
      CHECK(backend->run(one.operation, inputs, wanted) == reference->run(one.operation, inputs));
  }
  const Tensor x = numbers({1, 2, 3}, Kind::ordinary, 1);
  CHECK_FALSE(backend->run(Scale{.factor = 2, .text = {}}, std::vector{x}, Numbers::there).values().empty());
  CHECK_THROWS_AS(backend->drill(DrillKind::multiply_add).run(100), Error);
}

TEST_CASE("A device that leaves loops early computes what is small itself in every shape it may take") {
  const cl::Device device = test_devices().at(0);
  // The shape for processors is nobody's who has no vectors for one item: in vectors of two its loops are
  // long.
  for (const bool groups : std::set{best_variant(device).groups, true}) {
    Bench ends(device, leaving(groups));
    for (const Declaration& declaration : declarations())
      for (const Case& c : declaration.cases(Scope::self_test)) {
        CAPTURE(std::string(declaration.operation));
        std::visit(
            [&]<class Op>(const Op& op) {
              if constexpr (!std::is_same_v<Op, Source>) CHECK_NOTHROW(run(ends.bench, op, c.inputs));
            },
            c.operation);
      }
  }
}

TEST_CASE("How far a device makes loops is remembered and said") {
  Place place;
  place.set_probe(
      "echo '{\"passed\": true, \"verdict\": \"passed; it leaves loops\", \"largest_error\": 1e-7, "
      "\"milliseconds\": 2, \"most_steps\": 65535}'");
  for (int start = 0; start < 2; ++start) {
    const Survey survey = place.start();
    CHECK(survey.devices.at(0).passed);
    CHECK(survey.devices[0].most_steps == kMesa);
  }
  CHECK(place.asked() == 1);
  place.set_probe(kPass);
  CHECK(place.start(survey_again).devices.at(0).most_steps == kEndless);
}
