// Sessions written: what differs from a new document, each part by its visitor.
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "core/document_fields.h"
#include "core/io/json.h"
#include "core/io/session.h"
#include "core/text.h"

namespace attn {
namespace {

std::string number_text(double value) {
  if (std::isnan(value)) return "\"nan\"";
  if (std::isinf(value)) return value > 0 ? "\"inf\"" : "\"-inf\"";
  if (value == 0)
    return std::signbit(value) ? "-0.0" : "0";  // JSON readers take -0 for an integer without a sign
  // The longest of the shortest doubles has 24 characters.
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

std::string value_text(const SwitchField&, bool value, const std::string&) {
  return value ? "true" : "false";
}
std::string value_text(const CountField&, std::size_t value, const std::string&) {
  return std::to_string(value);
}
std::string value_text(const NumberField&, double value, const std::string&) {
  return number_text(value);
}
template <class Part>
std::string value_text(const SeededNumberField<Part>&, double value, const std::string&) {
  return number_text(value);
}
std::string value_text(const OptionalNumberField&, const std::optional<double>& value, const std::string&) {
  return number_text(*value);
}
std::string value_text(const SetField&, const std::vector<std::size_t>& values, const std::string&) {
  return list(values, [](std::size_t value) { return std::to_string(value); });
}
std::string value_text(const LabelsField&, const Labels& labels, const std::string&) {
  return list(labels, [](const std::string& label) { return json_string(label); });
}
template <class Choice, std::size_t N>
std::string value_text(const ChoiceField<Choice, N>& field, Choice value, const std::string&) {
  return json_string(field.word_of(value));
}
std::string value_text(const layer_field::ScaleField&, const Scaling& value, const std::string&) {
  if (value.mode == ScaleMode::number) return number_text(value.number);
  return value.mode == ScaleMode::none ? "\"none\"" : "\"sqrt\"";
}

struct RuleText {
  std::string operator()(const CausalRule& rule) const {
    return ", \"align\": " + json_string(layer_field::causal_align.word_of(rule.align));
  }
  std::string operator()(const PaddingRule& rule) const {
    return ", \"lengths\": " + list(rule.lengths, [](std::size_t n) { return std::to_string(n); });
  }
};
std::string value_text(const layer_field::MasksField&, const std::vector<MaskRule>& rules,
                       const std::string&) {
  return list(rules, [](const MaskRule& rule) {
    return "{\"rule\": " + json_string(name(rule)) + std::visit(RuleText{}, rule) + "}";
  });
}

std::string value_text(const TensorField&, const Tensor& tensor, const std::string& indent) {
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

template <class Value>
bool absent(const Value& value, const Value& usual) {
  return value == usual;
}
bool absent(const Tensor& value, const Tensor&) {
  return value.shape().size() == 0;
}
// Its number is written beside it.
bool absent(const Scaling& value, const Scaling& usual) {
  return value.mode == usual.mode;
}

// `"key": value` for whatever is not as in a new part, in braces; empty when all is.
template <class Part>
std::string part_text(const Part& part) {
  const std::string indent = "    ";
  const Part usual;
  std::string text;
  const auto add = [&](std::string_view key, const std::string& value) {
    text += (text.empty() ? "" : ",\n") + indent + "\"" + std::string(key) + "\": " + value;
  };
  visit_fields(of<Part>, [&](const auto& field, auto member) {
    if (!absent(part.*member, usual.*member))
      add(text_of(field).key, value_text(field, part.*member, indent));
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, layer_field::ScaleField>)
      if ((part.*member).mode != ScaleMode::number && (part.*member).number != (usual.*member).number)
        add(field.number_key, number_text((part.*member).number));
  });
  return text.empty() ? "" : "{\n" + text + "\n  }";
}

std::string overrides_text(const std::vector<StageOverride>& overrides) {
  return lines(overrides, "  ", [](const StageOverride& o) {
    const Cell cell = o.value.cell;
    return "{\"workspace\": " + json_string(o.workspace) + ", \"stage\": " + json_string(o.stage) +
           ", \"head\": " + std::to_string(cell.head) + ", \"row\": " + std::to_string(cell.row) +
           ", \"column\": " + std::to_string(cell.column) + ", \"value\": " + number_text(o.value.value) +
           "}";
  });
}

}  // namespace

std::string write_session(const Document& document) {
  std::string text = "{\n  \"format\": " + json_string(kSessionFormat) +
                     ",\n  \"version\": " + std::to_string(kSessionVersion);
  const auto add = [&](std::string_view key, const std::string& value) {
    text += ",\n  \"" + std::string(key) + "\": " + value;
  };
  visit_parts([&](std::string_view key, auto member) {
    if (const std::string part = part_text(document.*member); !part.empty()) add(key, part);
  });
  if (!document.overrides.empty()) add("overrides", overrides_text(document.overrides));
  return text + "\n}\n";
}

}  // namespace attn
