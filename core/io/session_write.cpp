// Sessions written: what differs from a new document, each part by its visitor.
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "core/document/document_fields.h"
#include "core/document/limits.h"
#include "core/io/json.h"
#include "core/io/session.h"
#include "core/io/session_named.h"
#include "core/io/session_stack.h"
#include "core/io/session_values.h"
#include "core/text/text.h"

namespace attn {
namespace {

// The oldest that says what a session holds.
constexpr unsigned kVersionOfParts = 2, kVersionOfNames = 3, kVersionOfStacks = 4;
static_assert(kVersionOfStacks == kSessionVersion);

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

template <class Items, class Item>
void list(std::string& out, const Items& items, Item item) {
  const char* before = "[";
  for (const auto& i : items) {
    out += std::exchange(before, ", ");
    item(i);
  }
  if (items.empty()) out += '[';
  out += ']';
}

// A line for each number below `count`, between brackets.
template <class Item>
void lines(std::string& out, std::size_t count, const std::string& indent, Item item) {
  const char* before = "[\n";
  for (std::size_t i = 0; i < count; ++i) {
    out += std::exchange(before, ",\n");
    out += indent;
    out += "  ";
    item(i);
  }
  out += "\n" + indent + "]";
}

// Of a rule of the mask: numbers that were 0 before there was such a field.
bool is_left_out(const CountField& field, std::size_t value) {
  return field.least == 0 && value == 0 &&
         (&field == &mask_field::offset || &field == &mask_field::ahead || &field == &mask_field::seed);
}
bool is_left_out(const auto&, const auto&) {
  return false;
}

// Appends the value of each type of field.
struct FieldWriter {
  std::string& out;
  const std::string& indent;
  session::NamedTensors& names;

  void operator()(const SwitchField&, bool value) const { out += value ? "true" : "false"; }
  void operator()(const CountField&, std::size_t value) const { out += std::to_string(value); }
  void operator()(const NumberField&, double value) const { out += number_text(value); }
  template <class Part>
  void operator()(const SeededNumberField<Part>&, double value) const {
    out += number_text(value);
  }
  void operator()(const SetField&, const std::vector<std::size_t>& values) const { counts(values); }
  void operator()(const CountsField&, const std::vector<std::size_t>& values) const { counts(values); }
  void operator()(const LabelsField&, const Labels& labels) const {
    list(out, labels, [&](const std::string& label) { out += json_string(label); });
  }
  template <class Choice, std::size_t N>
  void operator()(const ChoiceField<Choice, N>& field, Choice value) const {
    out += json_string(field.word_of(value));
  }
  template <class Choice, std::size_t N>
  void operator()(const ChoicesField<Choice, N>& field, const std::vector<Choice>& values) const {
    list(out, values, [&](Choice value) { (*this)(field.each, value); });
  }
  void operator()(const NumbersField&, const std::vector<double>& values) const {
    list(out, values, [&](double value) { out += number_text(value); });
  }
  void operator()(const layer_field::ScaleField&, const Scaling& value) const {
    out += value.mode == ScaleMode::number ? number_text(value.number)
           : value.mode == ScaleMode::none ? "\"none\""
                                           : "\"sqrt\"";
  }
  void operator()(const layer_field::MasksField&, const std::vector<MaskTerm>& rules) const {
    list(out, rules, [&](const MaskTerm& term) {
      out += "{\"rule\": " + json_string(name(term.rule));
      std::visit(
          [&]<class Rule>(const Rule& rule) {
            visit_fields(of<Rule>, [&](const auto& field, auto member) {
              if (is_left_out(field, rule.*member)) return;
              out += ", \"" + std::string(field.text.key) + "\": ";
              (*this)(field, rule.*member);
            });
          },
          term.rule);
      if (term.negated) out += ", \"not\": true";
      if (term.join == Join::all) out += ", \"join\": \"and\"";
      out += '}';
    });
  }
  // The kind, and those of its fields that are not as in a new one.
  void operator()(const layer_field::PositionField&, const Position& position) const {
    out += "{\"kind\": " + json_string(position_text(position).word);
    std::visit(
        [&]<class Choice>(const Choice& choice) {
          visit_fields(of<Choice>, [&](const auto& field, auto member) {
            if (choice.*member == Choice().*member) return;
            out += ", \"" + std::string(field.text.key) + "\": ";
            (*this)(field, choice.*member);
          });
        },
        position);
    out += '}';
  }
  void operator()(const EncodingsField&, const std::vector<Position>& positions) const {
    list(out, positions, [&](const Position& p) { (*this)(layer_field::position, p); });
  }
  void operator()(const TensorField&, const Tensor& tensor) const {
    const Shape shape = tensor.shape();
    if (shape.size() == 0) return void(out += "null");  // what the layer that it is told by has
    if (const std::string name = names.name_of(tensor); !name.empty()) return void(out += name);
    if (shape.stack == 1) return matrix(tensor, 0, indent);
    lines(out, shape.stack, indent, [&](std::size_t i) { matrix(tensor, i, indent + "  "); });
  }

 private:
  void counts(const std::vector<std::size_t>& values) const {
    list(out, values, [&](std::size_t value) { out += std::to_string(value); });
  }
  void matrix(const Tensor& tensor, std::size_t which, const std::string& inner) const {
    const Shape shape = tensor.shape();
    lines(out, shape.rows, inner, [&](std::size_t row) {
      const std::size_t start = (which * shape.rows + row) * shape.columns;
      list(out, tensor.values().subspan(start, shape.columns),
           [&](float value) { out += number_text(value); });
    });
  }
};

template <class Value>
bool absent(const Value& value, const Value& usual) {
  return value == usual;
}
bool absent(const Tensor& value, const Tensor& usual) {
  return usual.empty() ? value.shape().size() == 0 : value == usual;
}
// The number that goes with a word has a key of its own.
bool absent(const Scaling& value, const Scaling& usual) {
  return value.mode == usual.mode && (value.mode != ScaleMode::number || value.number == usual.number);
}

// What a part's object holds besides its fields, in front of them: keys and JSON.
using HeadLines = std::vector<std::pair<std::string_view, std::string>>;

// `"key": {…}` with whatever is not as in `usual`, behind its head; nothing when all is.
template <class Part>
void write_part(std::string& out, session::NamedTensors& names, std::string_view name, const Part& part,
                const Part& usual, const HeadLines& head = {}) {
  const std::string indent = "    ";
  const std::string first = ",\n  \"" + std::string(name) + "\": {\n";
  const char* before = first.c_str();
  const auto begin = [&](std::string_view key) {
    out += std::exchange(before, ",\n");
    out += indent + "\"" + std::string(key) + "\": ";
  };
  for (const auto& [key, value] : head) {
    begin(key);
    out += value;
  }
  visit_fields(of<Part>, [&](const auto& field, auto member) {
    if (!absent(part.*member, usual.*member)) {
      begin(text_of(field).key);
      FieldWriter{out, indent, names}(field, part.*member);
    }
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, layer_field::ScaleField>)
      if ((part.*member).mode != ScaleMode::number && (part.*member).number != (usual.*member).number) {
        begin(field.number_key);
        out += number_text((part.*member).number);
      }
  });
  if (before != first.c_str()) out += "\n  }";
}

// Cross-attention that the usual stack lacks, or has alone, is said by an empty object, or by null.
void write_stack(std::string& out, session::NamedTensors& names, const StackSpec& stack) {
  session::ToldStack told = session::told(stack);
  for (const bool decoder : {false, true}) {
    const auto& blocks = (decoder ? stack.decoder : stack.encoder).blocks;
    auto& usual = (decoder ? told.usual.decoder : told.usual.encoder).blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i].cross.has_value() == usual[i].cross.has_value()) continue;
      const bool lacks = !blocks[i].cross;
      usual[i].cross = blocks[i].cross;
      if (lacks || *blocks[i].cross == LayerSpec())
        out += ",\n  \"" + part_key(decoder, i, "cross") + "\": " + (lacks ? "null" : "{}");
      else
        usual[i].cross.emplace();
    }
  }
  visit_stacks(
      [&]<class Part>(const std::string& key, const Part& part, const Part& usual) {
        write_part(out, names, key, part, usual, key == session::kStackPart ? told.head : HeadLines());
      },
      stack, std::as_const(told.usual));
}

void write_overrides(std::string& out, const std::vector<StageOverride>& overrides) {
  lines(out, overrides.size(), "  ", [&](std::size_t i) {
    const StageOverride& o = overrides[i];
    const Cell cell = o.value.cell;
    const bool of_stack = o.layer.home != LayerHome::layers, own = of_stack || o.layer == kLayerA;
    out +=
        "{\"workspace\": " + json_string(own ? std::string_view(o.workspace) : session::kComparedOverrides);
    if (of_stack)
      out += ", " + json_string(session::kLayerOfStack) + ": " + json_string(text_of(o.layer).key);
    out += ", \"stage\": " + json_string(of_stack ? o.stage : id_of(o)) +
           ", \"head\": " + std::to_string(cell.head) + ", \"row\": " + std::to_string(cell.row) +
           ", \"column\": " + std::to_string(cell.column) + ", \"value\": " + number_text(o.value.value) +
           "}";
  });
}

HeadLines compared_layers(const Document& document) {
  const std::size_t count = document.layers.size() - 1;
  return count == 0 ? HeadLines() : HeadLines{{session::kComparedLayers, std::to_string(count)}};
}

}  // namespace

std::string write_session(const Document& document, const std::string& look, const SessionFiles& files) {
  check_limits(document);
  session::NamedTensors names(files);
  std::string out;
  write_part(out, names, text_of(kLayerA).key, document.layer(), LayerSpec());
  visit_parts([&](std::string_view key, auto member) {
    using Fields = std::remove_cvref_t<decltype(document.*member)>;
    write_part(out, names, key, document.*member, Fields(),
               key == session::kLayersPart ? compared_layers(document) : HeadLines());
  });
  for (Address at = kLayerB; document.has(at); ++at.layer)
    write_part(out, names, text_of(at).key, document.layer(at), document.layer());
  const bool has_stack = !(document.transformer == StackSpec());
  if (has_stack) write_stack(out, names, document.transformer);
  if (!document.overrides.empty()) {
    out += ",\n  \"overrides\": ";
    write_overrides(out, document.overrides);
  }
  if (!look.empty()) out += ",\n  " + json_string(session::kLook) + ": " + json_string(look);
  const unsigned version = has_stack           ? kVersionOfStacks
                           : names.has_named() ? kVersionOfNames
                                               : kVersionOfParts;
  return "{\n  \"format\": " + json_string(kSessionFormat) + ",\n  \"version\": " + std::to_string(version) +
         out + "\n}\n";
}

}  // namespace attn
