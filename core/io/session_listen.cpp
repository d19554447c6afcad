// Keys are told from the visitors: those of matrices, labels and overrides get a listener of their own while
// their value lasts. An unknown key ends the reading where it stands.
#include "core/io/session_listen.h"

#include <algorithm>
#include <memory>

#include "core/document/document_fields.h"
#include "core/document/limits.h"
#include "core/io/session.h"
#include "core/io/session_large.h"
#include "core/io/session_stack.h"
#include "core/system/error.h"

namespace attn::session {
namespace {

constexpr std::size_t kMostSmall = std::size_t{5} << 16;  // values: about 15 MiB at the worst
// What can be made can be read: a mask rule is an object of two texts, two numbers and a switch with their
// keys at the most; a setting is less.
constexpr std::size_t kOfRule = 8 * 4 + 3, kOfSettings = std::size_t{1} << 14;
static_assert(kOfRule * limits::kMostRules + 2 * limits::kMostListed + kOfSettings <= kMostSmall);
constexpr std::string_view kOverrides = "overrides";

// What stands in a part's object.
struct PartKeys {
  std::vector<std::string> known, tensors, labels;
  bool may_lack = false;  // it is told by what differs from another, which may have a matrix that it has not
};

// Of older versions too.
template <class Part>
PartKeys keys_of(std::string_view key_of_part, const Part&) {
  PartKeys keys;
  if constexpr (std::is_same_v<Part, LayerSpec>)
    keys.known = {"causal", "padding", "sinusoidal_base", std::string(kOverrides)};
  if (key_of_part == kLayersPart) keys.known = {std::string(kComparedLayers)};
  if constexpr (std::is_same_v<Part, StackSpec>)
    for (const std::string_view key : {kWhole, kEncoderLayers, kDecoderLayers, kDrawnHeads, kDrawnInner})
      keys.known.emplace_back(key);
  visit_fields(of<Part>, [&]<class Field>(const Field& field, auto) {
    const std::string key(text_of(field).key);
    keys.known.push_back(key);
    if constexpr (std::is_same_v<Field, TensorField>) keys.tensors.push_back(key);
    if constexpr (std::is_same_v<Field, LabelsField>) keys.labels.push_back(key);
    if constexpr (std::is_same_v<Field, layer_field::ScaleField>) keys.known.emplace_back(field.number_key);
  });
  return keys;
}

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

// Parts of a stack's layers are known by those of the first one.
std::string known_as(const std::string& key) {
  const auto layer = layer_of_part(key);
  return layer ? layer->like : key;
}

class SessionListener : public JsonListener {
 public:
  SessionListener(Parts& parts, NamedTensors& names) : parts_(parts), names_(names) {
    for (const AddressText& layer : kAddresses)
      know(layer.key, LayerSpec(), layer.key != text_of(kLayerA).key);
    visit_parts([&](std::string_view key, auto part) { know(key, Document().*part, false); });
    const StackSpec stack = one_layer_of_all();
    visit_stacks([&](const std::string& key, const auto& part) { know(key, part, true); }, stack);
  }

  void scalar(json&& value) override {
    if (depth_ == 0) ObjectReader(value, "");  // refuses it
    if (large_) {
      large_->scalar(std::move(value));
      return end_large();
    }
    if (depth_ == 1 && key_ == "format") check_format(&value), ours_ = true;
    if (depth_ == 1 && key_ == "version") read_version(value);
    small_.scalar(std::move(value));
  }
  void begin(bool array) override {
    if (depth_ == 0 && array) ObjectReader(json::array(), "");
    large_ ? large_->begin(array) : small_.begin(array);
    ++depth_;
  }
  void end() override {
    --depth_;
    large_ ? large_->end() : small_.end();
    end_large();
  }
  void key(std::string key) override {
    if (large_) return large_->key(std::move(key));
    small_.key(key);
    if (depth_ == 1) key_of_session(key);
    if (depth_ == 2) key_of_part(key);
  }

  json take() { return small_.take(); }

 private:
  template <class Part>
  void know(std::string_view key, const Part& part, bool may_lack) {
    PartKeys& keys = keys_[std::string(key)] = keys_of(key, part);
    keys.may_lack = may_lack;
    known_.emplace_back(key);
  }
  void key_of_session(const std::string& key) {
    key_ = key;
    if (!has(known_, known_as(key))) {
      if (!ours_) check_format(nullptr);
      ObjectReader::refuse("the session", key, known_);
    }
    if (key == kOverrides)
      begin_large(std::make_unique<OverridesListener>(key, "", text_, parts_.overrides[key]));
  }

  void key_of_part(const std::string& key) {
    const auto part = keys_.find(known_as(key_));
    if (part == keys_.end()) return;
    const PartKeys& keys = part->second;
    const std::string path = key_ + "." + key;
    if (!has(keys.known, key)) ObjectReader::refuse(key_, key, keys.known);
    if (has(keys.tensors, key))
      begin_large(
          std::make_unique<TensorListener>(path, numbers_, parts_.tensors[path], keys.may_lack, names_));
    if (has(keys.labels, key))
      begin_large(std::make_unique<LabelsListener>(path, text_, parts_.labels[path]));
    if (key == kOverrides)
      begin_large(std::make_unique<OverridesListener>(path, "pipeline", text_, parts_.overrides[path]));
  }

  void begin_large(std::unique_ptr<JsonListener> listener) {
    large_ = std::move(listener);
    large_depth_ = depth_;
  }
  // When its value is over.
  void end_large() {
    if (!large_ || depth_ != large_depth_) return;
    large_.reset();
    small_.scalar(nullptr);
  }

  Parts& parts_;
  NamedTensors& names_;
  std::map<std::string, PartKeys> keys_;  // by part
  std::vector<std::string> known_{"format", "version", std::string(kOverrides), std::string(kLook)};
  SmallListener small_{"", kMostSmall};
  std::unique_ptr<JsonListener> large_;  // of the value that is being read; null: a small one
  std::size_t depth_ = 0, large_depth_ = 0, numbers_ = 0, text_ = 0;
  std::string key_;  // of the session, that is being read
  bool ours_ = false;
};

}  // namespace

void check_format(const json* format) {
  if (format == nullptr || *format != kSessionFormat)
    throw Error("it is not a session: its \"format\" is not \"" + std::string(kSessionFormat) + "\"");
}

std::size_t read_version(const json& value) {
  std::size_t version = 0;
  read(value, "version", version);
  if (version < 1 || version > kSessionVersion)
    throw Error("it is a session of version " + std::to_string(version) +
                ", and this program reads versions 1 to " + std::to_string(kSessionVersion) +
                (version > kSessionVersion ? ": use a newer program" : ""));
  return version;
}

Parts read_parts(const TextSource& source, NamedTensors& names) {
  Parts parts;
  SessionListener listener(parts, names);
  read_json(source, listener);
  parts.small = listener.take();
  return parts;
}

}  // namespace attn::session
