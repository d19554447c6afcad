#include <charconv>
#include <cmath>
#include <cstdlib>

#include "core/io/json.h"
#include "core/io/session.h"
#include "core/io/session_fields.h"
#include "core/text.h"

namespace attn {
namespace {

std::string number_text(double value) {
  if (std::isnan(value)) return "\"nan\"";
  if (std::isinf(value)) return value > 0 ? "\"inf\"" : "\"-inf\"";
  if (value == 0)
    return std::signbit(value) ? "-0.0" : "0";  // JSON readers take -0 for an integer without a sign
  char buffer[32];
  return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

// 0.1f as 0.1, where a double would be 0.10000000149011612. A reader goes through double, which rounds twice:
// in the rare case that this ends elsewhere, the exact double is written.
std::string number_text(float value) {
  if (!std::isfinite(value) || value == 0) return number_text(static_cast<double>(value));
  const std::string text = shortest(value);
  const bool same = static_cast<float>(std::strtod(text.c_str(), nullptr)) == value;
  return same ? text : number_text(static_cast<double>(value));
}

template <class Items, class Text>
std::string list(const Items& items, Text text) {
  std::string result = "[";
  for (const auto& item : items) result += (result.size() > 1 ? ", " : "") + text(item);
  return result + "]";
}

// A line for each item, between brackets.
template <class Items, class Text>
std::string lines(const Items& items, const std::string& indent, Text text) {
  std::string result = "[";
  for (const auto& item : items) result += (result.size() > 1 ? ",\n" : "\n") + indent + "  " + text(item);
  return result + "\n" + indent + "]";
}

std::string value_text(bool value, const std::string&) {
  return value ? "true" : "false";
}
std::string value_text(std::size_t value, const std::string&) {
  return std::to_string(value);
}
std::string value_text(double value, const std::string&) {
  return number_text(value);
}
std::string value_text(const std::optional<double>& value, const std::string&) {
  return number_text(*value);
}

std::string value_text(const std::vector<std::size_t>& values, const std::string&) {
  return list(values, [](std::size_t value) { return std::to_string(value); });
}

std::string value_text(const Labels& labels, const std::string&) {
  return list(labels, [](const std::string& label) { return json_string(label); });
}

std::string value_text(const Tensor& tensor, const std::string& indent) {
  const Shape shape = tensor.shape();
  const auto matrix_text = [&](std::size_t matrix, const std::string& inner) {
    std::vector<std::span<const float>> rows;
    for (std::size_t row = 0; row < shape.rows; ++row)
      rows.push_back(tensor.values().subspan((matrix * shape.rows + row) * shape.columns, shape.columns));
    return lines(rows, inner,
                 [](auto row) { return list(row, [](float value) { return number_text(value); }); });
  };
  if (shape.stack == 1) return matrix_text(0, indent);
  std::vector<std::size_t> matrices(shape.stack);
  for (std::size_t i = 0; i < shape.stack; ++i) matrices[i] = i;
  return lines(matrices, indent, [&](std::size_t matrix) { return matrix_text(matrix, indent + "  "); });
}

std::string value_text(const std::vector<StageOverride>& overrides, const std::string& indent) {
  return lines(overrides, indent, [](const StageOverride& o) {
    const Cell cell = o.value.cell;
    return "{\"stage\": " + json_string(o.stage) + ", \"head\": " + std::to_string(cell.head) +
           ", \"row\": " + std::to_string(cell.row) + ", \"column\": " + std::to_string(cell.column) +
           ", \"value\": " + number_text(o.value.value) + "}";
  });
}

template <class Value>
bool absent(const Value& value, const Value& usual) {
  return value == usual;
}

bool absent(const Tensor& value, const Tensor&) {
  return value.shape().size() == 0;
}

// Collects `"key": value` for whatever is not as in a new layer.
class Writer {
 public:
  explicit Writer(const LayerSpec& layer) : layer_(layer) {}

  template <class Value>
  void field(const char* key, Value LayerSpec::*member) {
    if (!absent(layer_.*member, usual_.*member)) add(key, value_text(layer_.*member, kIndent));
  }

  template <class Choice, std::size_t N>
  void word(const char* key, Choice LayerSpec::*member, const std::array<Word<Choice>, N>& words) {
    if (layer_.*member != usual_.*member) add(key, json_string(word_of(words, layer_.*member)));
  }

  template <class Choice, std::size_t N>
  void word(const char* key, std::optional<Choice> LayerSpec::*member,
            const std::array<Word<Choice>, N>& words) {
    if (layer_.*member) add(key, json_string(word_of(words, *(layer_.*member))));
  }

  // The number stands for its mode; under another mode it is only remembered.
  void scale(const char* key, const char* number_key) {
    if (layer_.scale_mode == ScaleMode::number) {
      add(key, number_text(layer_.scale_number));
    } else {
      if (layer_.scale_mode == ScaleMode::none) add(key, "\"none\"");
      field(number_key, &LayerSpec::scale_number);
    }
  }

  // The object, in braces.
  std::string text() const { return text_.empty() ? "{}" : "{\n" + text_ + "\n  }"; }

 private:
  void add(const char* key, const std::string& value) {
    text_ += (text_.empty() ? "" : ",\n") + kIndent + "\"" + key + "\": " + value;
  }

  const std::string kIndent = "    ";
  const LayerSpec& layer_;
  const LayerSpec usual_;
  std::string text_;
};

}  // namespace

std::string write_session(const Document& document) {
  Writer layer(document.layer);
  visit_layer_fields(layer);
  return "{\n  \"format\": " + json_string(kSessionFormat) +
         ",\n  \"version\": " + std::to_string(kSessionVersion) + ",\n  \"layer\": " + layer.text() + "\n}\n";
}

}  // namespace attn
