// Golden numbers of a workspace: an index of cases (.json), and for each the arrays that numpy computed
// (NAME/ARRAY of an .npz).
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/evaluate/run.h"
#include "core/io/npz.h"
#include "core/system/file.h"
#include "tests/devices.h"
#include "tests/places.h"

namespace attn::golden {

struct ArraysCase {
  std::string name;
  Document document = {};
  std::map<std::string, Array64> expected = {};
};

// `read(entry of the index, case)` fills the document.
template <class Read>
std::vector<ArraysCase> load_arrays(const std::string& name, Read read) {
  const std::string path = std::string(kSourceDir) + "/tests/oracles/" + name;
  const auto arrays = parse_npz<double>(read_file(path + ".npz"));
  std::ifstream index(path + ".json");
  std::vector<ArraysCase> cases;
  for (const auto& entry : nlohmann::json::parse(index)) {
    ArraysCase c{.name = entry.at("name").get<std::string>()};
    for (const auto& [full, array] : arrays)
      if (full.starts_with(c.name + "/")) c.expected[full.substr(c.name.size() + 1)] = array;
    read(entry, c);
    cases.push_back(std::move(c));
  }
  return cases;
}

template <class T, class Allowed>
void compare(const ArraysCase& c, const std::string& name, const BasicTensor<T>& actual, Allowed allowed) {
  const Array64& expected = c.expected.at(name);
  INFO(c.name, ", ", name);
  REQUIRE(actual.values().size() == expected.values.size());
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    const double a = actual.values()[i], b = expected.values[i];
    INFO("number ", i, ": ", a, ", expected ", b);
    CHECK((a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= allowed(b)));
  }
}

// What a device's floats may be from the numbers.
inline double allowed_of_floats(double expected) {
  return 2e-6 + 2e-5 * std::abs(expected);
}

inline std::vector<Tensor> computed(Backend& backend, const Graph& graph) {
  std::vector<Tensor> outputs(graph.stages.size());
  run_stages(backend, graph, {.done = [&](StageIndex i, const Tensor& t) { outputs[i] = t; }});
  return outputs;
}

// Those that pass their self-test; one at least does.
template <class Check>
void on_every_device(Check check) {
  std::size_t passed = 0;
  for (const opencl::Device& device : tests::devices()->survey().devices) {
    if (!device.passed) continue;
    ++passed;
    check(tests::opened_device(device.index));
  }
  CHECK(passed >= 1);
}

}  // namespace attn::golden
