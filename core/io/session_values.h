// Values of a session out of JSON: numbers, lists, matrices, and objects whose keys are all known. Every
// complaint names its place. For session*.cpp only.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/io/json.h"

namespace attn::session {

using nlohmann::json;

// How many layers are compared with A, and of which part's object this is a key.
inline constexpr std::string_view kComparedLayers = "variants", kLayersPart = "compare";
// Of overrides: typed over a compared layer, whose stages bear its prefix.
inline constexpr std::string_view kComparedOverrides = "compare";

// What is looked at, in words.
inline constexpr std::string_view kLook = "look";

// Throws Error: "layer.x row 2 has 3 numbers, expected 4".
[[noreturn]] void fail(const std::string& path, const std::string& why);
// "… is "zero": did you mean zeros? (it can be zeros, nan, uniform)".
[[noreturn]] void fail_word(const std::string& path, const json& value,
                            const std::vector<std::string>& words);

// A JSON number, or a special one as a word; nothing for anything else.
std::optional<double> number_of(const json& value);
// A number of a matrix; `place` is called only to complain.
template <class Place>
float float_at(double number, Place place) {
  const auto rounded = static_cast<float>(number);
  if (std::isinf(rounded) && std::isfinite(number))
    fail(place(), "is larger than a float holds (3.4e38): write \"inf\" or \"-inf\" for an infinity");
  return rounded;
}
float float_of(const json& value, const std::string& path);
const json::array_t& array_of(const json& value, const std::string& path, const char* wanted);

void read(const json& value, const std::string& path, bool& result);
void read(const json& value, const std::string& path, std::size_t& result);
void read(const json& value, const std::string& path, double& result);  // a setting: finite
void read(const json& value, const std::string& path, std::vector<std::size_t>& result);
void read(const json& value, const std::string& path, std::string& result);

// Reads one object: each key once, and in the end none may be left over.
class ObjectReader {
 public:
  ObjectReader(const json& object, std::string path);

  const json* find(std::string_view key);  // null when it is not there
  const json& need(std::string_view key);
  std::string path(std::string_view key) const;
  void refuse_unknown() const;
  [[noreturn]] static void refuse(const std::string& name, std::string_view key,
                                  const std::vector<std::string>& known);

 private:
  std::string name() const { return path_.empty() ? "the session" : path_; }

  const json& object_;
  std::string path_;
  std::vector<std::string> known_;
};

}  // namespace attn::session
