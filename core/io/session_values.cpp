// Every reader asks for its JSON type before the value, so that the library never throws.
#include "core/io/session_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/document/limits.h"
#include "core/system/error.h"
#include "core/text/bytes.h"
#include "core/text/text.h"

namespace attn::session {

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw Error(path + " " + why);
}

namespace {

// The search takes time by the word's length, and a hostile word is as long as the file.
std::string nearest(const std::string& word, const std::vector<std::string>& words) {
  constexpr std::size_t kLongest = 100;
  return word.size() <= kLongest ? nearest_word(word, words) : std::string();
}

}  // namespace

std::optional<double> number_of(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nullopt;
  const auto& word = value.get_ref<const std::string&>();
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (word == "inf") return std::numeric_limits<double>::infinity();
  if (word == "-inf") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

float float_of(const json& value, const std::string& path) {
  const auto number = number_of(value);
  if (!number) fail(path, "must be a number, \"nan\", \"inf\" or \"-inf\"");
  return float_at(*number, [&] { return path; });
}

const json::array_t& array_of(const json& value, const std::string& path, const char* wanted) {
  if (!value.is_array()) fail(path, std::string("must be ") + wanted);
  return value.get_ref<const json::array_t&>();
}

void read(const json& value, const std::string& path, bool& result) {
  if (!value.is_boolean()) fail(path, "must be true or false");
  result = value.get<bool>();
}

void read(const json& value, const std::string& path, std::size_t& result) {
  if (!value.is_number_unsigned()) fail(path, "must be a whole number, 0 or more");
  result = value.get<std::size_t>();
}

// A setting: NaN would make a document differ from itself.
void read(const json& value, const std::string& path, double& result) {
  const auto number = number_of(value);
  if (!number || !std::isfinite(*number)) fail(path, "must be a finite number");
  result = *number;
}

void read(const json& value, const std::string& path, std::vector<std::size_t>& result) {
  result.clear();  // in place of the usual ones
  for (const json& item : array_of(value, path, "a list of whole numbers")) {
    const std::string item_path = path + " entry " + std::to_string(result.size());
    read(item, item_path, result.emplace_back());
  }
}

void read(const json& value, const std::string& path, std::string& result) {
  if (!value.is_string()) fail(path, "must be a text in quotes");
  result = value.get<std::string>();
  check_text(path, result);
}

ObjectReader::ObjectReader(const json& object, std::string path) : object_(object), path_(std::move(path)) {
  if (!object.is_object()) fail(name(), "must be an object in braces");
}

const json* ObjectReader::find(std::string_view key) {
  known_.emplace_back(key);
  const auto found = object_.find(known_.back());
  return found == object_.end() ? nullptr : &*found;
}

const json& ObjectReader::need(std::string_view key) {
  const json* value = find(key);
  if (value == nullptr) fail(name(), "lacks " + std::string(key));
  return *value;
}

std::string ObjectReader::path(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

void ObjectReader::refuse_unknown() const {
  for (const auto& [key, value] : object_.items())
    if (std::ranges::find(known_, key) == known_.end()) refuse(name(), key, known_);
}

void ObjectReader::refuse(const std::string& name, std::string_view key,
                          const std::vector<std::string>& known) {
  const std::string near = nearest(std::string(key), known);
  fail(name, "has an unknown key " + in_quotes(key) + (near.empty() ? "" : ": did you mean " + near + "?"));
}

[[noreturn]] void fail_word(const std::string& path, const json& value,
                            const std::vector<std::string>& words) {
  const std::string word = value.is_string() ? value.get<std::string>() : value.dump();
  const std::string near = nearest(word, words);
  std::string all;
  for (const std::string& known : words) all += (all.empty() ? "" : ", ") + known;
  fail(path, "is " + in_quotes(word) + (near.empty() ? "" : ": did you mean " + near + "?") + " (it can be " +
                 all + ")");
}

}  // namespace attn::session
