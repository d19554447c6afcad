// Sessions read: versions 1 to the current one, each part by its visitor.
#include <algorithm>
#include <cmath>

#include "core/document_fields.h"
#include "core/error.h"
#include "core/io/session.h"
#include "core/io/session_values.h"

namespace attn {
namespace {

using namespace session;

void check_range(const NumberField& field, const std::string& path, double value) {
  if (value < field.least || value > field.most) fail(path, "must be " + std::string(field.takes));
}

// One reader for each type of field; called when the key is there.
struct FieldReader {
  const json& value;
  const std::string& path;

  void operator()(const NumberField& field, double& result) const {
    read(value, path, result);
    check_range(field, path, result);
  }
  template <class Part>
  void operator()(const SeededNumberField<Part>& field, double& result) const {
    (*this)(field.number, result);
  }
  void operator()(const OptionalNumberField& field, std::optional<double>& result) const {
    read(value, path, result.emplace());
    check_range(field.number, path, *result);
  }
  void operator()(const CountField& field, std::size_t& result) const {
    read(value, path, result);
    if (result < field.least || result > field.most)
      fail(path, "is " + std::to_string(result) + ", but must be from " + std::to_string(field.least) +
                     " to " + std::to_string(field.most));
  }
  void operator()(const SetField&, std::vector<std::size_t>& result) const {
    read(value, path, result);
    if (std::ranges::adjacent_find(result, std::greater_equal<>()) != result.end())
      fail(path, "must be in ascending order, each number once");
  }
  template <class Choice, std::size_t N>
  void operator()(const ChoiceField<Choice, N>& field, Choice& result) const {
    const auto choice =
        value.is_string() ? field.choice_of(value.get_ref<const std::string&>()) : std::nullopt;
    if (!choice) fail_word(path, value, field.all_words());
    result = *choice;
  }
  // The word, or the number that stands for its mode.
  void operator()(const layer_field::ScaleField&, Scaling& result) const {
    if (value == "sqrt") {
      result.mode = ScaleMode::sqrt;
    } else if (value == "none") {
      result.mode = ScaleMode::none;
    } else if (value.is_number()) {
      result.mode = ScaleMode::number;
      read(value, path, result.number);
    } else {
      fail_word(path, value, {"sqrt", "none", "a number"});
    }
  }
  void operator()(const layer_field::MasksField&, std::vector<MaskRule>& result) const {
    for (const json& item : array_of(value, path, "a list of rules"))
      result.push_back(rule(item, path + " entry " + std::to_string(result.size())));
  }
  // Fields whose type says it all: tensors, labels, switches.
  void operator()(const auto&, auto& result) const { read(value, path, result); }

 private:
  static MaskRule rule(const json& item, const std::string& where) {
    ObjectReader object(item, where);
    const json& kind = object.need("rule");
    MaskRule result;
    if (kind == name(CausalRule())) {
      CausalRule causal;
      if (const json* align = object.find(layer_field::causal_align.text.key))
        FieldReader{*align, where + ".align"}(layer_field::causal_align, causal.align);
      result = causal;
    } else if (kind == name(PaddingRule())) {
      PaddingRule padding;
      read(object.need("lengths"), where + ".lengths", padding.lengths);
      if (padding.lengths.empty()) fail(where + ".lengths", "has no length: give one, or one for each query");
      result = padding;
    } else {
      fail_word(where + ".rule", kind, {name(CausalRule()), name(PaddingRule())});
    }
    object.refuse_unknown();
    return result;
  }
};

// The number of a scale that is a word stands beside it.
void read_rest(const layer_field::ScaleField& field, ObjectReader& object, Scaling& result) {
  const json* number = object.find(field.number_key);
  if (number == nullptr) return;
  if (result.mode == ScaleMode::number)
    fail(object.path(field.number_key),
         "is for a scale that is a word, but scale is a number: leave one out");
  read(*number, object.path(field.number_key), result.number);
}
void read_rest(const auto&, ObjectReader&, auto&) {}

template <class Part>
void read_fields(ObjectReader& object, Part& part) {
  visit_fields(of<Part>, [&](const auto& field, auto member) {
    const std::string_view key = text_of(field).key;
    if (const json* value = object.find(key)) FieldReader{*value, object.path(key)}(field, part.*member);
    read_rest(field, object, part.*member);
  });
}

std::vector<StageOverride> read_overrides(const json& value, const std::string& path,
                                          const std::string& workspace) {
  std::vector<StageOverride> result;
  for (const json& item : array_of(value, path, "a list of objects")) {
    const std::string item_path = path + " entry " + std::to_string(result.size());
    ObjectReader object(item, item_path);
    StageOverride& o = result.emplace_back();
    o.workspace = workspace;
    if (workspace.empty()) read(object.need("workspace"), item_path + ".workspace", o.workspace);
    read(object.need("stage"), item_path + ".stage", o.stage);
    read(object.need("head"), item_path + ".head", o.value.cell.head);
    read(object.need("row"), item_path + ".row", o.value.cell.row);
    read(object.need("column"), item_path + ".column", o.value.cell.column);
    o.value.value = float_of(object.need("value"), item_path + ".value");
    object.refuse_unknown();
  }
  return result;
}

// What version 1 wrote otherwise: its masks as two keys of the layer, its overrides, all of the Pipeline,
// inside it.
void read_version_1(ObjectReader& layer, Document& document) {
  if (const json* causal = layer.find("causal")) {
    CausalRule rule;
    FieldReader{*causal, layer.path("causal")}(layer_field::causal_align, rule.align);
    document.layer.masks.emplace_back(rule);
  }
  if (const json* padding = layer.find("padding")) {
    PaddingRule rule;
    read(*padding, layer.path("padding"), rule.lengths);
    if (!rule.lengths.empty()) document.layer.masks.emplace_back(std::move(rule));
  }
  if (const json* overrides = layer.find("overrides"))
    document.overrides = read_overrides(*overrides, layer.path("overrides"), "pipeline");
}

void check_part(const LayerSpec& layer) {
  const auto& muted = layer.muted_heads;
  const std::size_t heads = head_count(layer);
  if (!muted.empty() && heads > 0 && muted.back() >= heads)
    fail("layer.muted_heads", "names head " + std::to_string(muted.back()) + ", but heads count from 0 to " +
                                  std::to_string(heads - 1));
}

std::size_t read_version(ObjectReader& session) {
  std::size_t version = 0;
  read(session.need("version"), "version", version);
  if (version < 1 || version > kSessionVersion)
    throw Error("it is a session of version " + std::to_string(version) +
                ", and this program reads versions 1 to " + std::to_string(kSessionVersion) +
                (version > kSessionVersion ? ": use a newer program" : ""));
  return version;
}

}  // namespace

Document parse_session(std::string_view text) {
  const json value = parse_json(text);
  ObjectReader session(value, "");
  const json* format = session.find("format");
  if (format == nullptr || *format != kSessionFormat)
    throw Error("it is not a session: its \"format\" is not \"" + std::string(kSessionFormat) + "\"");
  const std::size_t version = read_version(session);
  if (version == 1) session.need("layer");
  Document document;
  visit_parts([&](std::string_view key, auto member) {
    const json* part = session.find(key);
    if (part == nullptr) return;
    ObjectReader object(*part, std::string(key));
    if (version == 1) read_version_1(object, document);
    read_fields(object, document.*member);
    object.refuse_unknown();
    check_part(document.*member);
  });
  if (const json* overrides = version > 1 ? session.find("overrides") : nullptr)
    document.overrides = read_overrides(*overrides, "overrides", "");
  session.refuse_unknown();
  return document;
}

}  // namespace attn
