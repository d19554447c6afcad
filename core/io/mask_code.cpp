// Masks as lines of Python. PyTorch's documentation of both functions says what True means to each.
#include "core/io/mask_code.h"

#include <cmath>

#include "core/text/text.h"

namespace attn {
namespace {

std::string number(double value) {
  return std::isinf(value) ? "float('-inf')" : shortest(value);
}

std::string cell(bool masked, MaskConvention convention, double fill) {
  switch (convention) {
    case MaskConvention::masked:
      return masked ? "True" : "False";
    case MaskConvention::kept:
      return masked ? "False" : "True";
    case MaskConvention::additive:
      return masked ? number(fill) : "0.0";
  }
  return {};
}

double added(Fill fill) {
  return adds(fill) ? MaskFill{fill}.value() : MaskFill{}.value();
}

}  // namespace

std::string mask_value(bool masked, MaskConvention convention, Fill fill) {
  const double value = added(fill);
  if (masked && convention == MaskConvention::additive) return std::isinf(value) ? "-inf" : shortest(value);
  return cell(masked, convention, value);
}

std::string mask_code(const Tensor& mask, MaskConvention convention, Fill fill) {
  const double value = added(fill);
  std::string text = "mask = torch.tensor(";
  const auto list = [&](std::size_t count, auto item) {
    text += '[';
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) text += ", ";
      item(i);
    }
    text += ']';
  };
  const auto matrix = [&](std::size_t s) {
    list(mask.rows(), [&](std::size_t i) {
      list(mask.columns(), [&](std::size_t j) { text += cell(mask[{s, i, j}] != 0, convention, value); });
    });
  };
  mask.stack() == 1 ? matrix(0) : list(mask.stack(), matrix);
  for (const MaskConventionText& about : kMaskConventions)
    if (about.convention == convention) text += ")  # " + std::string(about.title) + "\n";
  return text;
}

}  // namespace attn
