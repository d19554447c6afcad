// Sessions read: versions 1 to the current one, each part by its visitor. What the numbers may be is for
// check_limits to say, in the end.
#include <algorithm>

#include "core/document/layer_plan.h"
#include "core/document/limits.h"
#include "core/io/session.h"
#include "core/io/session_fields.h"
#include "core/io/session_stack.h"

namespace attn {
namespace {

using namespace session;

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

void read_head(ObjectReader& object, StackHead& head, bool drawn) {
  const auto count = [&](std::string_view key, std::size_t& result) {
    if (const json* value = object.find(key)) read(*value, object.path(key), result);
  };
  count(kEncoderLayers, head.encoder_layers);
  count(kDecoderLayers, head.decoder_layers);
  if (!drawn) return;
  count(kDrawnHeads, head.heads);
  count(kDrawnInner, head.inner);
}

// Its fields, and what comes before its blocks are known.
StackHead begin_stack(ObjectReader& object, Parts& parts, StackSpec& stack) {
  bool whole = false;
  StackWeights weights = StackWeights::given;
  if (const json* value = object.find(kWhole)) read(*value, object.path(kWhole), whole);
  const std::string path = object.path(stack_field::weights.text.key);
  if (const json* value = object.find(stack_field::weights.text.key))
    FieldReader{*value, path, parts}(stack_field::weights, weights);
  stack = usual_fields(weights, whole);
  read_fields(object, parts, stack);
  StackHead head = usual_head(stack, whole);
  read_head(object, head, weights == StackWeights::drawn && !whole);
  object.refuse_unknown();
  return head;
}

// An object says that there is cross-attention, null that there is none.
void settle_cross(ObjectReader& session, bool decoder, std::vector<StackBlock>& blocks) {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const json* value = session.find(part_key(decoder, i, "cross"));
    if (value == nullptr) continue;
    if (value->is_null())
      blocks[i].cross.reset();
    else if (!blocks[i].cross)
      blocks[i].cross.emplace();
  }
}

// Before anything is drawn.
void refuse_other_layers(const json& session, const StackHead& head) {
  for (const auto& [key, value] : session.items()) {
    const auto part = layer_of_part(key);
    if (part && part->layer >= (part->decoder ? head.decoder_layers : head.encoder_layers))
      fail(key, "is of a layer that the stack does not have: it has " + std::to_string(head.encoder_layers) +
                    " encoder and " + std::to_string(head.decoder_layers) + " decoder layers");
  }
}

void read_stack(const json& small, ObjectReader& session, Parts& parts, StackSpec& stack) {
  const auto nothing = [](ObjectReader&) {};
  const json* value = session.find(kStackPart);
  if (value == nullptr) {
    for (const auto& [key, part] : small.items())
      if (key.starts_with(std::string(kStackPart) + "."))
        fail(key, "is a part of a stack, and the session has no \"stack\": add it");
    return;
  }
  ObjectReader object(*value, std::string(kStackPart));
  const StackHead head = begin_stack(object, parts, stack);
  read_part(session, parts, part_key(false, ""), stack.encoder, nothing);
  read_part(session, parts, part_key(true, ""), stack.decoder, nothing);
  refuse_other_layers(small, head);
  begin_blocks(stack, head);
  settle_cross(session, false, stack.encoder.blocks);
  settle_cross(session, true, stack.decoder.blocks);
  visit_stacks(
      [&]<class Part>(const std::string& key, Part& part) {
        if constexpr (!std::is_same_v<Part, StackSpec> && !std::is_same_v<Part, StackSide>)
          read_part(session, parts, key, part, nothing);
      },
      stack);
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
  read_stack(parts.small, session, parts, document.transformer);
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
