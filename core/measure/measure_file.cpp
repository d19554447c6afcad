// Measurements to JSON and back. What is read is held to what could have been measured.
#include "core/measure/measure_file.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kForm = 1;                   // of the file; another version's is not read
constexpr std::size_t kMostListed = 4096;  // of points, stages, samples
constexpr std::size_t kMostText = 4096;    // bytes

constexpr std::pair<MeasureState, const char*> kStates[]{{MeasureState::waiting, "waiting"},
                                                         {MeasureState::running, "running"},
                                                         {MeasureState::done, "done"},
                                                         {MeasureState::stopped, "stopped"},
                                                         {MeasureState::ended, "ended"}};

[[noreturn]] void damaged(const std::string& what) {
  throw Error("the kept measurements are damaged: " + what, Fault::input);
}

const Json& field(const Json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  if (!object.is_object() || found == object.end()) damaged(std::string("no ") + name);
  return *found;
}

std::string text(const Json& object, const char* name) {
  const Json& value = field(object, name);
  if (!value.is_string() || value.get_ref<const std::string&>().size() > kMostText)
    damaged(std::string(name) + " is no text");
  return value;
}

double positive(const Json& value, const char* name) {
  const double number = value.is_number() ? value.get<double>() : -1;
  if (!std::isfinite(number) || number < 0) damaged(std::string(name) + " is no amount");
  return number;
}

double number(const Json& object, const char* name) {
  return positive(field(object, name), name);
}

std::size_t count(const Json& object, const char* name) {
  const Json& value = field(object, name);
  if (!value.is_number_unsigned()) damaged(std::string(name) + " is no count");
  return value.get<std::size_t>();
}

const Json& list(const Json& object, const char* name) {
  const Json& value = field(object, name);
  if (!value.is_array() || value.size() > kMostListed) damaged(std::string(name) + " is no list");
  return value;
}

Timings samples(const Json& object, const char* name) {
  Timings read;
  for (const Json& value : list(object, name)) read.values.push_back(positive(value, name));
  return read;
}

Measured measured_of(const Json& json) {
  Measured m;
  const Json &device = field(json, "device"), &shape = field(json, "shape");
  m.device = {text(device, "name"), text(device, "version"), text(device, "program")};
  m.shape = {count(shape, "d"), count(shape, "heads"), count(shape, "kv_heads"),
             count(shape, "feed_forward")};
  check_measurable(m.shape);
  m.operations_per_second = samples(json, "operations_per_second");
  m.bytes_per_second = samples(json, "bytes_per_second");
  for (const Json& point : list(json, "points"))
    m.points.push_back({text(point, "subject"), count(point, "n"), number(point, "operations"),
                        number(point, "bytes"), samples(point, "seconds")});
  m.stages_n = count(json, "stages_n");
  for (const Json& stage : list(json, "stages"))
    m.stages.push_back({text(stage, "name"), text(stage, "title"), number(stage, "operations"),
                        number(stage, "bytes"), samples(stage, "seconds")});
  for (const Json& left : list(json, "not_measured"))
    m.not_measured.push_back({text(left, "subject"), count(left, "n"), text(left, "why")});
  const std::string word = text(json, "state");
  const auto state = std::ranges::find_if(kStates, [&](const auto& s) { return word == s.second; });
  if (state == std::end(kStates)) damaged("state is " + word);
  m.state = state->first;
  m.why = text(json, "why");
  return m;
}

Json to_json(const Measured& m) {
  Json points = Json::array(), stages = Json::array(), left = Json::array();
  for (const MeasuredPoint& p : m.points)
    points.push_back({{"subject", p.subject},
                      {"n", p.n},
                      {"operations", p.operations},
                      {"bytes", p.bytes},
                      {"seconds", p.seconds.values}});
  for (const MeasuredStage& s : m.stages)
    stages.push_back({{"name", s.name},
                      {"title", s.title},
                      {"operations", s.operations},
                      {"bytes", s.bytes},
                      {"seconds", s.seconds.values}});
  for (const NotMeasured& n : m.not_measured)
    left.push_back({{"subject", n.subject}, {"n", n.n}, {"why", valid_utf8(n.why)}});
  const auto state = std::ranges::find(kStates, m.state, &std::pair<MeasureState, const char*>::first);
  return {{"device",
           {{"name", valid_utf8(m.device.name)},
            {"version", valid_utf8(m.device.version)},
            {"program", m.device.program}}},
          {"shape",
           {{"d", m.shape.d},
            {"heads", m.shape.heads},
            {"kv_heads", m.shape.kv_heads},
            {"feed_forward", m.shape.feed_forward}}},
          {"operations_per_second", m.operations_per_second.values},
          {"bytes_per_second", m.bytes_per_second.values},
          {"points", points},
          {"stages_n", m.stages_n},
          {"stages", stages},
          {"not_measured", left},
          {"state", state->second},
          {"why", valid_utf8(m.why)}};
}

}  // namespace

std::string write_measured(std::span<const Measured> all) {
  Json list = Json::array();
  for (const Measured& measured : all) list.push_back(to_json(measured));
  return Json{{"form", kForm}, {"measured", list}}.dump(1) + "\n";
}

std::vector<Measured> read_measured(std::string_view bytes) {
  if (bytes.size() > kMostMeasuredBytes) damaged("the file is too long");
  const Json json = Json::parse(bytes, nullptr, false);
  if (json.is_discarded()) damaged("it is no JSON");
  if (count(json, "form") != kForm) damaged("it is of another version");
  std::vector<Measured> all;
  for (const Json& one : list(json, "measured")) all.push_back(measured_of(one));
  if (all.size() > kMostMeasured) damaged("there are too many of them");
  return all;
}

}  // namespace attn
