// The words of `cost`: a preset, what else is said, and what follows from it.
#include "app/workspaces/cost/cost_words.h"

#include <algorithm>

#include "app/words/refuse.h"
#include "core/system/error.h"
#include "core/text/numbers.h"

namespace attn {
namespace {

const Preset* read_preset(const std::string& word) {
  if (word.empty()) return nullptr;
  if (const Preset* preset = find_preset(word)) return preset;
  std::vector<std::string> words;
  for (const Preset& preset : presets()) words.emplace_back(preset.word);
  refuse("--preset", word, listed(words), words);
}

// Leaves the number alone where there is no word.
void read_count(const char* option, const std::string& word, std::size_t most, std::size_t& number) {
  if (word.empty()) return;
  const auto count = parse_number<std::size_t>(word);
  if (!count || *count == 0 || *count > most)
    refuse(option, word, "a whole number from 1 to " + std::to_string(most) + ", as far as counts are made");
  number = *count;
}

StoredFormat read_format(const std::string& word) {
  const auto found = std::ranges::find(kFormatWords, word);
  const std::vector<std::string> words(kFormatWords.begin(), kFormatWords.end());
  if (found == kFormatWords.end()) refuse("--format", word, listed(words), words);
  return static_cast<StoredFormat>(found - kFormatWords.begin());
}

Mechanism read_mechanism(const std::string& word) {
  const std::vector<std::string> words(kMechanismWords.begin(), kMechanismWords.end());
  const auto wrong = [&] {
    refuse("--mechanism", word,
           "full, flash, window:W (keys at most W away), strided:L (keys at most L before, and every L-th; "
           "without L √n), linear or recurrent",
           words);
  };
  const std::size_t colon = word.find(':');
  const auto found = std::ranges::find(kMechanismWords, word.substr(0, colon));
  if (found == kMechanismWords.end()) wrong();
  Mechanism mechanism{static_cast<MechanismKind>(found - kMechanismWords.begin()), 0};
  const bool window = mechanism.kind == MechanismKind::window;
  if (colon == word.npos) {
    if (window) mechanism.reach = kUsualWindow;
    return mechanism;
  }
  const auto reach = parse_number<std::size_t>(word.substr(colon + 1));
  if (!reach || *reach > kMostCostTokens || (*reach == 0 && !window)) wrong();
  if (!window && mechanism.kind != MechanismKind::strided) wrong();
  mechanism.reach = *reach;
  return mechanism;
}

}  // namespace

CostWords read_cost(const CostRequest& request) {
  const Preset* preset = read_preset(request.preset);
  if (!preset && (request.n.empty() || request.d.empty() || request.heads.empty()))
    throw Error("cost needs --n, --d and --heads, or a --preset", Fault::option);
  CostSpec spec = preset ? preset->shape : CostSpec();
  if (spec.feed_forward == 4 * spec.d) spec.feed_forward = 0;  // it follows another d
  const bool shared = spec.kv_heads != spec.heads;
  read_count("--n", request.n, kMostCostTokens, spec.n);
  read_count("--d", request.d, kMostCostWidth, spec.d);
  read_count("--heads", request.heads, kMostCostWidth, spec.heads);
  if (!shared) spec.kv_heads = spec.heads;
  read_count("--kv-heads", request.kv_heads, kMostCostWidth, spec.kv_heads);
  read_count("--layers", request.layers, kMostCostLayers, spec.layers);
  read_count("--batch", request.batch, kMostCostBatch, spec.batch);
  read_count("--feed-forward", request.feed_forward, kMostCostInner, spec.feed_forward);
  if (!request.format.empty()) spec.format = read_format(request.format);
  if (!request.mechanism.empty()) spec.mechanism = read_mechanism(request.mechanism);
  spec.gated |= request.gated, spec.causal |= request.causal, spec.backward = request.backward;
  check_cost(spec);
  return {preset, spec};
}

}  // namespace attn
