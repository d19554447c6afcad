// Sessions read: versions 1 to the current one, each part by its visitor. What the numbers may be is for
// check_limits to say, in the end.
#include <algorithm>

#include "core/document/document_fields.h"
#include "core/document/layer_plan.h"
#include "core/document/limits.h"
#include "core/io/session.h"
#include "core/io/session_listen.h"

namespace attn {
namespace {

using namespace session;

// One reader for each type of field; called when the key is there.
struct FieldReader {
  const json& value;
  const std::string& path;
  Parts& parts;

  void operator()(const TensorField&, Tensor& result) const { result = std::move(parts.tensors.at(path)); }
  void operator()(const LabelsField&, Labels& result) const { result = std::move(parts.labels.at(path)); }
  template <class Choice, std::size_t N>
  void operator()(const ChoiceField<Choice, N>& field, Choice& result) const {
    const auto choice =
        value.is_string() ? field.choice_of(value.get_ref<const std::string&>()) : std::nullopt;
    if (!choice) fail_word(path, value, field.all_words());
    result = *choice;
  }
  template <class Choice, std::size_t N>
  void operator()(const ChoicesField<Choice, N>& field, std::vector<Choice>& result) const {
    result.clear();  // in place of the usual ones
    for (const json& item : array_of(value, path, "a list of words")) {
      const std::string place = path + " entry " + std::to_string(result.size());
      FieldReader{item, place, parts}(field.each, result.emplace_back());
    }
  }
  void operator()(const NumbersField&, std::vector<double>& result) const {
    result.clear();
    for (const json& item : array_of(value, path, "a list of numbers"))
      read(item, path + " entry " + std::to_string(result.size()), result.emplace_back());
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
  void operator()(const layer_field::MasksField&, std::vector<MaskTerm>& result) const {
    result.clear();
    for (const json& item : array_of(value, path, "a list of rules"))
      result.push_back(term(item, path + " entry " + std::to_string(result.size())));
  }
  void operator()(const layer_field::PositionField&, Position& result) const;
  void operator()(const EncodingsField&, std::vector<Position>& result) const {
    result.clear();
    for (const json& item : array_of(value, path, "a list of encodings")) {
      const std::string place = path + " entry " + std::to_string(result.size());
      FieldReader{item, place, parts}(layer_field::position, result.emplace_back());
    }
  }
  // Fields whose type says it all.
  void operator()(const auto&, auto& result) const { read(value, path, result); }

 private:
  MaskTerm term(const json& item, const std::string& where) const;
};

// The number of a scale that is a word has a key of its own.
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
void read_fields(ObjectReader& object, Parts& parts, Part& part) {
  visit_fields(of<Part>, [&](const auto& field, auto member) {
    const std::string_view key = text_of(field).key;
    if (const json* value = object.find(key))
      FieldReader{*value, object.path(key), parts}(field, part.*member);
    read_rest(field, object, part.*member);
  });
}

// Its kind by name, along with the fields that this kind has.
void FieldReader::operator()(const layer_field::PositionField&, Position& result) const {
  ObjectReader object(value, path);
  const json& kind = object.need("kind");
  std::vector<std::string> words;
  for (const PositionText& text : kPositions) words.emplace_back(text.word);
  const auto found = std::ranges::find_if(words, [&](const std::string& word) { return kind == word; });
  if (found == words.end()) fail_word(object.path("kind"), kind, words);
  result = position_at(static_cast<std::size_t>(found - words.begin()));
  std::visit([&](auto& position) { read_fields(object, parts, position); }, result);
  object.refuse_unknown();
}

// A list says what it is for; whatever else is left out has the value of a new rule.
const json* value_of(const CountsField& field, ObjectReader& object) {
  return &object.need(field.text.key);
}
const json* value_of(const auto& field, ObjectReader& object) {
  return object.find(field.text.key);
}

MaskTerm FieldReader::term(const json& item, const std::string& where) const {
  ObjectReader object(item, where);
  const json& kind = object.need("rule");
  std::vector<std::string> words;
  for (const MaskRule& rule : new_mask_rules()) words.emplace_back(name(rule));
  const auto found = std::ranges::find_if(words, [&](const std::string& word) { return kind == word; });
  if (found == words.end()) fail_word(object.path("rule"), kind, words);
  MaskTerm result{.rule = new_mask_rules()[static_cast<std::size_t>(found - words.begin())]};
  std::visit(
      [&]<class Rule>(Rule& rule) {
        visit_fields(of<Rule>, [&](const auto& field, auto member) {
          if (const json* given = value_of(field, object))
            FieldReader{*given, object.path(field.text.key), parts}(field, rule.*member);
        });
      },
      result.rule);
  if (const json* negated = object.find("not")) read(*negated, object.path("not"), result.negated);
  if (const json* join = object.find("join")) {
    if (*join != "and" && *join != "or") fail_word(object.path("join"), *join, {"or", "and"});
    result.join = *join == "and" ? Join::all : Join::any;
  }
  object.refuse_unknown();
  return result;
}

// What was written before positions were a choice of many: the sinusoidal encoding alone, by its base.
void read_sinusoidal_base(ObjectReader& layer, Document& document) {
  const json* base = layer.find("sinusoidal_base");
  if (base == nullptr) return;
  if (layer.find(layer_field::position.text.key))
    fail(layer.path("sinusoidal_base"), "says again what position says: leave one out");
  double& number = document.layer().position.emplace<Sinusoidal>().base;
  read(*base, layer.path("sinusoidal_base"), number);
  if (number < position_field::base.least)
    fail(layer.path("sinusoidal_base"), "must be " + std::string(position_field::base.takes));
}

// What version 1 wrote otherwise: its masks as two keys of the layer, its overrides, all of the Pipeline,
// inside it.
void read_version_1(ObjectReader& layer, Parts& parts, Document& document) {
  if (const json* causal = layer.find("causal")) {
    CausalRule rule;
    FieldReader{*causal, layer.path("causal"), parts}(mask_field::align, rule.align);
    document.layer().masks.push_back({.rule = rule});
  }
  if (const json* padding = layer.find("padding")) {
    PaddingRule rule;
    read(*padding, layer.path("padding"), rule.lengths);
    if (!rule.lengths.empty()) document.layer().masks.push_back({.rule = std::move(rule)});
  }
  if (layer.find("overrides")) document.overrides = std::move(parts.overrides.at(layer.path("overrides")));
}

// Whatever the part has besides its fields is read by `rest` first.
template <class Part, class Rest>
void read_part(ObjectReader& session, Parts& parts, std::string_view key, Part& part, const Rest& rest) {
  const json* value = session.find(key);
  if (value == nullptr) return;
  ObjectReader object(*value, std::string(key));
  rest(object);
  read_fields(object, parts, part);
  object.refuse_unknown();
}

// As many as are said or there, each at first as A is.
void add_layers(Document& document, ObjectReader& compare) {
  std::size_t compared = 0;
  const json* count = compare.find(kComparedLayers);
  if (count == nullptr) return;
  const std::string path = compare.path(kComparedLayers);
  read(*count, path, compared);
  if (compared >= kAddresses.size())
    fail(path, "is " + std::to_string(compared) + ", but must be from 0 to " +
                   std::to_string(kAddresses.size() - 1));
  document.layers.resize(1 + compared, LayerSpec(document.layer()));
}

void read_parts_of(ObjectReader& session, std::size_t version, Parts& parts, Document& document) {
  const auto nothing = [](ObjectReader&) {};
  read_part(session, parts, text_of(kLayerA).key, document.layer(), [&](ObjectReader& layer) {
    if (version == 1) read_version_1(layer, parts, document);
    read_sinusoidal_base(layer, document);
  });
  visit_parts([&](std::string_view key, auto member) {
    read_part(session, parts, key, document.*member, [&](ObjectReader& part) {
      if (key == kLayersPart) add_layers(document, part);
    });
  });
  for (Address at = kLayerB; at.layer < kAddresses.size(); ++at.layer) {
    LayerSpec none;
    read_part(session, parts, text_of(at).key, document.has(at) ? document.layer(at) : none, nothing);
  }
}

// What stands over a compared layer was written by the name of the workspace that showed it.
void read_overrides(std::vector<StageOverride> overrides, Document& document) {
  for (StageOverride& o : overrides) {
    if (o.workspace != kComparedOverrides) continue;
    for (Address at = kLayerB; at.layer < kAddresses.size(); ++at.layer)
      if (const std::string_view prefix = text_of(at).prefix; o.stage.starts_with(prefix)) {
        o = {std::string(kLayerPlan.name), o.stage.substr(prefix.size()), o.value, at};
        break;
      }
  }
  std::erase_if(overrides, [&](const StageOverride& o) { return !document.has(o.layer); });
  document.overrides = std::move(overrides);
}

}  // namespace

Document parse_session(std::string_view text, std::string* look) {
  return read_session(source_of(text), look);
}

Document read_session(const TextSource& source, std::string* look, const SessionFiles& files) {
  NamedTensors names(files);
  Parts parts = read_parts(source, names);
  ObjectReader session(parts.small, "");
  check_format(session.find("format"));
  const std::size_t version = read_version(session.need("version"));
  if (version == 1) session.need("layer");
  Document document;
  read_parts_of(session, version, parts, document);
  if (version > 1 && session.find("overrides"))
    read_overrides(std::move(parts.overrides.at("overrides")), document);
  std::string words;
  if (const json* said = session.find(kLook)) read(*said, std::string(kLook), words);
  if (look) *look = std::move(words);
  session.refuse_unknown();
  check_limits(document);
  return document;
}

}  // namespace attn
