// Programs of backends that prepare nothing: stage after stage, nothing held that nobody reads; and through
// the backends that stand before others.
#include "core/backend/program.h"

#include <doctest/doctest.h>

#include "core/engine/driver_calls.h"
#include "core/evaluate/fallback.h"
#include "core/system/error.h"
#include "tests/core/counting_backend.h"
#include "tests/program_checks.h"

using namespace attn;
using namespace attn::tests;

namespace {

class Burning : public Backend {
 public:
  std::string name() const override { return "failing"; }
  Tensor run(const Operation&, Inputs, Numbers) override { throw Error("it burns", Fault::device); }
};

}  // namespace

TEST_CASE("The reference reads what was set in a program") {
  check_what_is_set(*make_reference_backend());
}

TEST_CASE("A program lets go what no stage reads any more, and keeps what is to be read") {
  Counting backend;
  const Doubled doubled(Tensor({1, 1, 2}, {1, 2}));
  const auto program = backend.compile(doubled.graph, std::vector{doubled.y});
  program->run_all();
  CHECK(backend.kept_there == 2);
  CHECK(backend.held.size() == 1);  // y
  CHECK(program->read(doubled.y) == Tensor({1, 1, 2}, {4, 8}));
}

TEST_CASE("A program is the device's whoever stands before that") {
  check_what_is_set(*with_fallback(make_reference_backend()));
  DriverCalls calls;
  const auto monitored = with_monitored_calls(make_reference_backend(), &calls);
  check_what_is_set(*monitored);
  CHECK(calls.under_way == 0);
  const Doubled doubled(Tensor({1, 1, 1}, {1}));
  const auto program = monitored->compile(doubled.graph, {});
  const auto begun = calls.begun.load();
  program->run_all();
  CHECK(calls.begun > begun);
  CHECK(calls.allowance > 0);
  monitored->finish();
  CHECK(calls.allowance == 0);
}

TEST_CASE("Where a device fails in a program the reference steps in for what comes after") {
  const Doubled doubled(Tensor({1, 1, 1}, {1}));
  const auto backend = with_fallback(std::make_unique<Burning>());
  const auto program = backend->compile(doubled.graph, {});
  const auto why_not = [&] {
    try {
      program->run_all();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(why_not() == "computing on the reference instead: it burns");
  CHECK(backend->name() == kReference);
  CHECK(why_not() == backend->failure());
  check_what_is_set(*backend);
}
