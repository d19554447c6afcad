// Masks as lines of Python.
#include "core/io/mask_code.h"

#include <doctest/doctest.h>

using namespace attn;

TEST_CASE("a mask is written in each of three conventions and says in which") {
  const Tensor mask({1, 2, 2}, {0, 1, 0, 0});
  const Fill fill = Fill::negative_infinity;
  CHECK(mask_code(mask, MaskConvention::masked, fill) ==
        "mask = torch.tensor([[False, True], [False, False]])  # True = masked\n");
  CHECK(mask_code(mask, MaskConvention::kept, fill) ==
        "mask = torch.tensor([[True, False], [True, True]])  # True = kept\n");
  CHECK(mask_code(mask, MaskConvention::additive, fill) ==
        "mask = torch.tensor([[0.0, float('-inf')], [0.0, 0.0]])  # added to scores\n");
}

TEST_CASE("what is added is the fill that is added and else minus infinity") {
  CHECK(mask_value(true, MaskConvention::additive, Fill::negative_infinity) == "-inf");
  CHECK(mask_value(true, MaskConvention::additive, Fill::minus_1e6) == "-inf");
  CHECK(mask_value(true, MaskConvention::additive, Fill::add_minus_65504) == "-65504");
  CHECK(mask_value(false, MaskConvention::additive, Fill::add_minus_1e9) == "0.0");
  CHECK(mask_value(true, MaskConvention::masked, Fill::minus_1e9) == "True");
  CHECK(mask_value(true, MaskConvention::kept, Fill::minus_1e9) == "False");
}
