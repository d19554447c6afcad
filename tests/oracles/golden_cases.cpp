// golden.json says which stages of a case stand where in the arrays of golden.npz. Options are read by the
// program's own reader, so that a case is a command line.
#include "tests/oracles/golden_cases.h"

#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "app/cli/options.h"
#include "core/io/layer_npz.h"
#include "core/io/npz.h"
#include "core/system/file.h"
#include "tests/places.h"

namespace attn::golden {
namespace {

using Arrays = std::map<std::string, Array64>;

const std::string kFolder = std::string(kSourceDir) + "/tests/oracles/";

// Exponents to powers of two; the least int16 stands for 0.
std::vector<double> powers(const std::vector<double>& exponents) {
  std::vector<double> values;
  for (const double e : exponents)
    values.push_back(e == std::numeric_limits<std::int16_t>::min() ? 0 : std::exp2(e));
  return values;
}

GoldenCase read_case(const nlohmann::json& entry, const Arrays& arrays) {
  GoldenCase c;
  c.name = entry.at("name");
  c.options = entry.at("options").get<std::vector<std::string>>();
  c.ordinary = entry.at("ordinary");
  const auto member = [&](const std::string& name) -> const Array64& {
    return arrays.at(c.name + "/" + name);
  };
  for (const std::string& name : entry.at("inputs").get<std::vector<std::string>>())
    c.inputs[name] = member(name);
  std::size_t offset = 0;
  for (const auto& stage : entry.at("stages")) {
    const auto shape = stage.at(1).get<std::vector<std::size_t>>();
    c.stages.push_back({stage.at(0).get<std::string>(), {shape.at(0), shape.at(1), shape.at(2)}, offset});
    offset += c.stages.back().shape.size();
  }
  c.expected = member("expected").values;
  c.bound = powers(member("bound").values);
  if (c.expected.size() != offset || c.bound.size() != offset)
    throw std::runtime_error(c.name + ": golden.json and golden.npz do not belong together");
  if (entry.contains("float32")) c.float32 = member("float32").values;
  if (entry.contains("csv")) {
    c.csv = entry.at("csv").get<std::map<std::string, std::string>>();
    c.rounding = powers(member("rounding").values);
  }
  return c;
}

}  // namespace

const ExpectedStage& GoldenCase::stage(const std::string& id) const {
  for (const ExpectedStage& s : stages)
    if (s.id == id) return s;
  throw std::out_of_range(name + " has no stage " + id);
}

std::vector<GoldenCase> load_cases() {
  const Arrays arrays = parse_npz<double>(read_file(kFolder + "golden.npz"));
  std::ifstream index(kFolder + "golden.json");
  std::vector<GoldenCase> cases;
  for (const auto& entry : nlohmann::json::parse(index)) cases.push_back(read_case(entry, arrays));
  return cases;
}

GoldenCase load_case(const std::string& name) {
  for (GoldenCase& c : load_cases())
    if (c.name == name) return c;
  throw std::out_of_range("no golden case " + name);
}

LayerSpec layer_of(const std::map<std::string, Array64>& inputs, const std::vector<std::string>& options) {
  LayerWords words;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const bool alone = i + 1 == options.size() || options[i + 1].starts_with("--");
    words[options[i]].push_back(alone ? "on" : options[i + 1]);
    i += alone ? 0 : 1;
  }
  NamedArrays arrays;
  for (const auto& [name, array] : inputs)
    arrays[name] = {array.shape, std::vector<float>(array.values.begin(), array.values.end())};
  LayerSpec layer = layer_from_arrays(std::move(arrays));
  read_layer_options(words)(layer);
  return layer;
}

LayerSpec layer_of(const GoldenCase& golden) {
  return layer_of(golden.inputs, golden.options);
}

std::vector<double> load_csv(const std::string& name) {
  std::ifstream file(kFolder + name + ".csv");
  std::vector<double> values;
  for (std::string line, word; std::getline(file, line);) {
    std::istringstream words(line);
    while (std::getline(words, word, ',')) values.push_back(std::stod(word));
  }
  return values;
}

bool agrees(double actual, double expected, double tolerance) {
  if (std::isnan(expected)) return std::isnan(actual);
  if (std::isinf(expected)) return actual == expected;
  return std::abs(actual - expected) <= tolerance;  // false when actual is NaN or infinite
}

std::string describe_difference(std::size_t index, double actual, double expected, double tolerance) {
  std::ostringstream text;
  text.precision(17);
  text << "number " << index << " is " << actual << " instead of " << expected << ", off by "
       << std::abs(actual - expected) << " where " << tolerance << " is allowed";
  return text.str();
}

}  // namespace attn::golden
