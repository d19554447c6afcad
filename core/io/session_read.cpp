#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/io/bytes.h"
#include "core/io/json.h"
#include "core/io/session.h"
#include "core/io/session_fields.h"
#include "core/text.h"

namespace attn {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw Error(path + " " + why);
}

// The search takes time by the word's length, and a hostile word is as long as the file.
std::string nearest(const std::string& word, const std::vector<std::string>& words) {
  constexpr std::size_t kLongest = 100;
  return word.size() <= kLongest ? nearest_word(word, words) : std::string();
}

// A JSON number, or a special one as a word; nothing for anything else.
std::optional<double> number_of(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nullopt;
  const auto& word = value.get_ref<const std::string&>();
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (word == "inf") return std::numeric_limits<double>::infinity();
  if (word == "-inf") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

// A number of a matrix. `place` is called only to complain.
template <class Place>
float float_of(const json& value, Place place) {
  const auto number = number_of(value);
  if (!number) fail(place(), "must be a number, \"nan\", \"inf\" or \"-inf\"");
  const auto rounded = static_cast<float>(*number);
  if (std::isinf(rounded) && std::isfinite(*number))
    fail(place(), "is larger than a float holds (3.4e38): write \"inf\" or \"-inf\" for an infinity");
  return rounded;
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

void read(const json& value, const std::string& path, std::optional<double>& result) {
  read(value, path, result.emplace());
}

void read(const json& value, const std::string& path, std::vector<std::size_t>& result) {
  for (const json& item : array_of(value, path, "a list of whole numbers")) {
    const std::string item_path = path + " entry " + std::to_string(result.size());
    read(item, item_path, result.emplace_back());
  }
}

void read(const json& value, const std::string& path, std::string& result) {
  if (!value.is_string()) fail(path, "must be a text in quotes");
  result = value.get<std::string>();
  if (result.size() > kMaximumLabelBytes)
    fail(path, "is longer than " + std::to_string(kMaximumLabelBytes) + " bytes");
}

void read(const json& value, const std::string& path, Labels& result) {
  for (const json& item : array_of(value, path, "a list of texts")) {
    const std::string item_path = path + " entry " + std::to_string(result.size());
    read(item, item_path, result.emplace_back());
  }
}

// Appends the rows of one matrix, `rows`×`columns`.
void read_matrix(const json& matrix, const std::string& path, const Shape& shape,
                 std::vector<float>& values) {
  const auto& rows = array_of(matrix, path, "a list of rows");
  if (rows.size() != shape.rows)
    fail(path, "has " + std::to_string(rows.size()) + " rows, expected " + std::to_string(shape.rows));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::string row_path = path + " row " + std::to_string(r);
    const auto& row = array_of(rows[r], row_path, "a list of numbers");
    if (row.size() != shape.columns)
      fail(row_path,
           "has " + std::to_string(row.size()) + " numbers, expected " + std::to_string(shape.columns));
    for (std::size_t c = 0; c < row.size(); ++c)
      values.push_back(float_of(row[c], [&] { return row_path + " number " + std::to_string(c); }));
  }
}

// Two levels of brackets are one matrix, three a stack.
void read(const json& value, const std::string& path, Tensor& result) {
  const char* wanted = "rows of numbers, as in [[1, 2], [3, 4]]";
  const auto& outer = array_of(value, path, wanted);
  const auto holds_arrays = [](const json& j) { return j.is_array() && !j.empty() && j[0].is_array(); };
  if (!holds_arrays(value)) fail(path, std::string("must be ") + wanted);
  const bool stacked = holds_arrays(outer[0]);
  const json& first = stacked ? outer[0] : value;
  const Shape shape{stacked ? outer.size() : 1, first.size(), first[0].size()};
  if (shape.columns == 0) fail(path, "has no numbers: leave it out, or fill it");
  std::vector<float> values;
  if (!stacked) {
    read_matrix(value, path, shape, values);
  } else {
    for (std::size_t i = 0; i < outer.size(); ++i)
      read_matrix(outer[i], path + " matrix " + std::to_string(i), shape, values);
  }
  result = {shape, std::move(values)};
}

// Reads one object: each key once, and in the end none may be left over.
class ObjectReader {
 public:
  ObjectReader(const json& object, std::string path) : object_(object), path_(std::move(path)) {
    if (!object.is_object()) fail(name(), "must be an object in braces");
  }

  const json* find(const char* key) {
    known_.emplace_back(key);
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }

  const json& need(const char* key) {
    const json* value = find(key);
    if (value == nullptr) fail(name(), std::string("lacks ") + key);
    return *value;
  }

  std::string path(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

  void refuse_unknown() const {
    for (const auto& [key, value] : object_.items()) {
      if (std::ranges::find(known_, key) != known_.end()) continue;
      const std::string near = nearest(key, known_);
      fail(name(),
           "has an unknown key " + in_quotes(key) + (near.empty() ? "" : ": did you mean " + near + "?"));
    }
  }

 private:
  std::string name() const { return path_.empty() ? "the session" : path_; }

  const json& object_;
  std::string path_;
  std::vector<std::string> known_;
};

void read(const json& value, const std::string& path, std::vector<StageOverride>& result) {
  for (const json& item : array_of(value, path, "a list of objects")) {
    const std::string item_path = path + " entry " + std::to_string(result.size());
    ObjectReader object(item, item_path);
    StageOverride& o = result.emplace_back();
    read(object.need("stage"), item_path + ".stage", o.stage);
    read(object.need("head"), item_path + ".head", o.value.cell.head);
    read(object.need("row"), item_path + ".row", o.value.cell.row);
    read(object.need("column"), item_path + ".column", o.value.cell.column);
    o.value.value = float_of(object.need("value"), [&] { return item_path + ".value"; });
    object.refuse_unknown();
  }
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

// The visitor of session_fields.h.
class LayerReader {
 public:
  LayerReader(ObjectReader& object, LayerSpec& layer) : object_(object), layer_(layer) {}

  template <class Value>
  void field(const char* key, Value LayerSpec::*member) {
    if (const json* value = object_.find(key)) read(*value, object_.path(key), layer_.*member);
  }

  template <class Member, class Choice, std::size_t N>
  void word(const char* key, Member LayerSpec::*member, const std::array<Word<Choice>, N>& words) {
    const json* value = object_.find(key);
    if (value == nullptr) return;
    const auto choice =
        value->is_string() ? choice_of(words, value->get_ref<const std::string&>()) : std::nullopt;
    if (!choice) fail_word(object_.path(key), *value, words_of(words));
    layer_.*member = *choice;
  }

  void scale(const char* key, const char* number_key) {
    field(number_key, &LayerSpec::scale_number);
    const json* value = object_.find(key);
    if (value == nullptr || *value == "sqrt") return;
    if (*value == "none") {
      layer_.scale_mode = ScaleMode::none;
    } else if (!value->is_number()) {
      fail_word(object_.path(key), *value, {"sqrt", "none", "a number"});
    } else if (object_.find(number_key) != nullptr) {
      fail(object_.path(number_key), "is for a scale that is a word, but scale is a number: leave one out");
    } else {
      layer_.scale_mode = ScaleMode::number;
      read(*value, object_.path(key), layer_.scale_number);
    }
  }

 private:
  ObjectReader& object_;
  LayerSpec& layer_;
};

void check_ranges(const LayerSpec& layer) {
  for (const auto& [name, heads] :
       {std::pair{"layer.heads", layer.heads}, {"layer.kv_heads", layer.kv_heads}})
    if (heads < 1 || heads > kMaximumHeads)
      fail(name, "is " + std::to_string(heads) + ", but must be from 1 to " + std::to_string(kMaximumHeads));
  if (layer.temperature < 0) fail("layer.temperature", "must be 0 or more; 1 changes nothing");
  if (layer.dropout < 0 || layer.dropout > 1) fail("layer.dropout", "must be from 0 to 1");
  if (layer.sinusoidal_base && *layer.sinusoidal_base <= 0)
    fail("layer.sinusoidal_base", "must be more than 0; 10000 is usual");
  const auto& muted = layer.muted_heads;
  if (std::ranges::adjacent_find(muted, std::greater_equal<>()) != muted.end())
    fail("layer.muted_heads", "must be in ascending order, each head once");
  const std::size_t heads = head_count(layer);
  if (!muted.empty() && heads > 0 && muted.back() >= heads)
    fail("layer.muted_heads", "names head " + std::to_string(muted.back()) + ", but heads count from 0 to " +
                                  std::to_string(heads - 1));
}

}  // namespace

Document parse_session(std::string_view text) {
  const json value = parse_json(text);
  ObjectReader session(value, "");
  const json* format = session.find("format");
  if (format == nullptr || *format != kSessionFormat)
    throw Error("it is not a session: its \"format\" is not \"" + std::string(kSessionFormat) + "\"");
  std::size_t version = 0;
  read(session.need("version"), "version", version);
  if (version != kSessionVersion)
    throw Error("it is a session of version " + std::to_string(version) +
                ", and this program reads version " + std::to_string(kSessionVersion) +
                (version > kSessionVersion ? ": use a newer program" : ""));
  Document document;
  ObjectReader layer(session.need("layer"), "layer");
  session.refuse_unknown();
  LayerReader reader(layer, document.layer);
  visit_layer_fields(reader);
  layer.refuse_unknown();
  check_ranges(document.layer);
  return document;
}

}  // namespace attn
