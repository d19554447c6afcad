// The manual's recipes of "How to dump your attention" run, and write numbers that belong together.
#include <doctest/doctest.h>

#include "tests/app/shell.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("the recipes of How to dump that need PyTorch alone write what a layer computes" *
          doctest::test_suite("unsanitized")) {
  const Outcome outcome =
      run_shell("/usr/bin/python3 -B \"$source/tests/oracles/check_dump_recipes.py\" torch");
  INFO(outcome.out, outcome.err);
  CHECK(outcome.status == 0);
  CHECK(contains(outcome.out, "PyTorch: F.scaled_dot_product_attention: right"));
}
