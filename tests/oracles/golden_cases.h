// The golden cases that make_golden.py wrote, as values. The format is documented at the head of that script.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/attention/layer.h"
#include "core/io/npy.h"

namespace attn::golden {

struct ExpectedStage {
  std::string id;
  Shape shape;
  std::size_t offset = 0;  // of its first number in the vectors below
};

struct GoldenCase {
  std::string name;
  std::map<std::string, Array64> inputs;
  std::vector<std::string> options;  // words of the command line
  std::vector<ExpectedStage> stages;
  bool ordinary = false;  // inputs of the size for which float devices promise 2e-6 + 2e-5·|b|
  // One number for each number of each stage, stage after stage.
  std::vector<double> expected;
  std::vector<double> bound;    // |error| ≤ bound·u in an arithmetic of unit roundoff u
  std::vector<double> float32;  // expected in single precision, where that tells another story; else empty
  std::vector<double> rounding;  // |error| ≤ rounding·2^-24 when inputs and arithmetic are float; else empty
  std::map<std::string, std::string> csv;  // stage id → the file with R's numbers

  // Throws std::out_of_range when there is no such stage.
  const ExpectedStage& stage(const std::string& id) const;
};

std::vector<GoldenCase> load_cases();
GoldenCase load_case(const std::string& name);

// The layer that arrays and the words of a command line describe; an option that another one follows takes
// none.
LayerSpec layer_of(const std::map<std::string, Array64>& inputs, const std::vector<std::string>& options);
LayerSpec layer_of(const GoldenCase& golden);

// The numbers of tests/oracles/NAME.csv, row after row.
std::vector<double> load_csv(const std::string& name);

// Whether the two agree in kind (NaN, either infinity, finite) and, when finite, within the tolerance.
bool agrees(double actual, double expected, double tolerance);

std::string describe_difference(std::size_t index, double actual, double expected, double tolerance);

// "" when every number of `actual` lies within tolerance(index) of `expected`, NaN meeting NaN and ∞ the same
// ∞; else where the first one differs and by how much.
template <class T, class Tolerance>
std::string first_difference(std::span<const T> actual, std::span<const double> expected,
                             Tolerance tolerance) {
  if (actual.size() != expected.size())
    return std::to_string(actual.size()) + " numbers instead of " + std::to_string(expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double a = static_cast<double>(actual[i]), limit = tolerance(i);
    if (!agrees(a, expected[i], limit)) return describe_difference(i, a, expected[i], limit);
  }
  return {};
}

}  // namespace attn::golden
