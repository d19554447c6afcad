// Every operation on every device, in every shape of its kernels, against the reference.
#include <doctest/doctest.h>
#include <algorithm>

#include <set>

#include "core/opencl/backend.h"
#include "core/opencl/cases/compare.h"
#include "core/opencl/self_test.h"
#include "core/reference/backend.h"
#include "tests/opencl/opened.h"
#include "tests/random_layer.h"
#include "tests/sanitized.h"
#include "tests/seed.h"

using namespace attn;
using namespace attn::opencl;

namespace {

// Runs the cases of one operation; returns how many ran.
std::size_t run_cases(Backend& device, const Declaration& declaration, Scope scope,
                      const Arithmetic& arithmetic) {
  std::size_t ran = 0;
  for (const Case& c : declaration.cases(scope)) {
    if (c.subnormals && !arithmetic.subnormals) continue;
    const Deviation deviation = compare(declaration, c, device.run(c.operation, c.inputs), arithmetic);
    CHECK_MESSAGE(deviation.wrong == 0, device.name(), ": ", std::string(declaration.operation), ", ", c.name,
                  ": ", deviation.wrong, " wrong, first ", deviation.first_wrong);
    ++ran;
  }
  return ran;
}

// Other numbers in the same shapes take no other way through the program, which is what a sanitizer watches.
Scope all_numbers() {
  return tests::kSanitized ? Scope::shapes : Scope::comparison;
}

// Every second operation from the first or the second on, or all.
enum class Half { first, second, both };

void compare_half(Half half, Variant variant, Scope scope) {
  for (const cl::Device& device : test_devices()) {
    if (variant.double_sums && !best_variant(device).double_sums) continue;  // a device without double
    Budget budget;
    variant.most_steps = most_steps_of(device, variant);
    const auto backend = make_backend(device, variant, budget);
    const std::span<const Declaration> all = declarations();
    const std::size_t first = half == Half::second ? 1 : 0, step = half == Half::both ? 1 : 2;
    for (std::size_t i = first; i < all.size(); i += step)
      CHECK(run_cases(*backend, all[i], scope, arithmetic_of(device, variant)) > 0);
  }
}

template <std::size_t... I>
std::set<std::string> operation_names(std::index_sequence<I...>) {
  return {std::variant_alternative_t<I, OperationVariant>::kName...};
}

}  // namespace

TEST_CASE("Every operation that computes something has its cases declared") {
  auto names = operation_names(std::make_index_sequence<std::variant_size_v<OperationVariant>>());
  names.erase(Source::kName);
  std::set<std::string> declared;
  for (const Declaration& declaration : declarations()) declared.insert(declaration.operation);
  CHECK(declared == names);
}

TEST_CASE("Kernels for processors that sum in double agree with the reference") {
  compare_half(Half::first, {.groups = false, .double_sums = true}, all_numbers());
}

TEST_CASE("Kernels for processors that sum in double agree with the reference in every other operation") {
  compare_half(Half::second, {.groups = false, .double_sums = true}, all_numbers());
}

TEST_CASE("Kernels for processors that sum in two floats agree with the reference" *
          doctest::test_suite("long")) {
  compare_half(Half::both, {.groups = false, .double_sums = false}, Scope::comparison);
}

TEST_CASE("Kernels for GPUs that sum in double agree with the reference" * doctest::test_suite("long")) {
  compare_half(Half::both, {.groups = true, .double_sums = true}, Scope::comparison);
}

TEST_CASE("Kernels for GPUs that sum in two floats agree with the reference" *
          doctest::test_suite("unsanitized")) {
  compare_half(Half::first, {.groups = true, .double_sums = false}, Scope::comparison);
}

TEST_CASE("Kernels for GPUs that sum in two floats agree with the reference in every other operation" *
          doctest::test_suite("unsanitized")) {
  compare_half(Half::second, {.groups = true, .double_sums = false}, Scope::comparison);
}

TEST_CASE("More rows than a launch has items are computed all the same" * doctest::test_suite("long")) {
  compare_half(Half::both, {.groups = false, .double_sums = true}, Scope::long_grids);
  compare_half(Half::both, {.groups = true, .double_sums = false}, Scope::long_grids);
}

TEST_CASE("Kernels for GPUs run where a register holds numbers of several items") {
  CHECK(joins_items(true, 1));
  CHECK(joins_items(true, 4));
  CHECK(joins_items(false, 1));  // Mesa's on processors
  CHECK_FALSE(joins_items(false, 4));
  for (const cl::Device& device : test_devices()) {
    const cl_uint native = device.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>();
    CHECK(best_variant(device).groups == joins_items(is_gpu(device), native));
  }
}

TEST_CASE("Mask rules say the same on the reference, in explanations and on every device") {
  tests::Random random(tests::seed(71));
  const auto reference = make_reference_backend();
  for (const cl::Device& device : test_devices()) {
    Budget budget;
    const auto backend = make_backend(device, best_variant(device), budget);
    for (int i = 0; i < 40; ++i) {
      Mask mask{.queries = tests::pick(random, 1, 9), .keys = tests::pick(random, 1, 9)};
      for (std::size_t rule = tests::pick(random, 0, 4); rule > 0; --rule)
        mask.rules.push_back(tests::random_term(random, mask.queries, mask.keys));
      const Tensor on_device = backend->run(mask, {}), expected = reference->run(mask, {});
      for (std::size_t query = 0; query < mask.queries; ++query)
        for (std::size_t key = 0; key < mask.keys; ++key) {
          const bool masked = MaskRow(mask.rules, mask.place(query)).masked()[key];
          const Cell cell{0, query, key};
          CHECK(expected[cell] == static_cast<float>(masked));
          CHECK(on_device[cell] == static_cast<float>(masked));
          CHECK(explain(Operation(mask), {}, cell).result == static_cast<double>(masked));
        }
    }
  }
}
