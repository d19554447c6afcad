#include "app/cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>

#include "app/cli/numbers.h"
#include "app/cli/refuse.h"
#include "core/attention/words.h"
#include "core/error.h"

namespace attn {
namespace {

constexpr double kDefaultBase = 10000;  // of the sinusoidal encoding, as in "Attention Is All You Need"

template <class Table>
auto read_choice(const char* option, const Table& table, const std::string& word) {
  const auto choice = choice_of(table, word);
  if (!choice) refuse(option, word, listed(words_of(table)), words_of(table));
  return *choice;
}

std::size_t read_count(const char* option, const std::string& word) {
  const auto count = parse_number<std::size_t>(word);
  if (!count || *count == 0) refuse(option, word, "a whole number from 1 up");
  return *count;
}

double read_finite(const char* option, const std::string& word, std::string_view takes,
                   const std::vector<std::string>& words = {}) {
  const auto number = parse_number<double>(word);
  if (!number || !std::isfinite(*number)) refuse(option, word, takes, words);
  return *number;
}

LayerChanges::Scale read_scale(const std::string& word) {
  if (word == "sqrt") return {ScaleMode::sqrt, 1};
  if (word == "none") return {ScaleMode::none, 1};
  return {ScaleMode::number, read_finite("--scale", word, "sqrt, none or a number", {"sqrt", "none"})};
}

double read_temperature(const std::string& word) {
  constexpr const char* kTakes = "a number from 0 (hard lookup) up";
  const double temperature = read_finite("--temperature", word, kTakes);
  if (temperature < 0) refuse("--temperature", word, kTakes);
  return std::abs(temperature);  // -0 is 0
}

// The OR of two padding rules: a key must be valid in both. A single length speaks for all queries.
std::vector<std::size_t> both(std::vector<std::size_t> a, std::vector<std::size_t> b) {
  if (a.empty()) return b;
  if (a.size() < b.size()) std::swap(a, b);
  if (b.size() != 1 && a.size() != b.size())
    throw Error("--mask: two lists of padding lengths differ in length (" + std::to_string(a.size()) +
                    " and " + std::to_string(b.size()) + "); each takes one length or one for each query",
                Fault::option);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::min(a[i], b[b.size() == 1 ? 0 : i]);
  return a;
}

void read_mask(const std::string& word, MaskRules& masks) {
  constexpr const char* kTakes =
      "causal, padding:L or padding:L0,L1,… (valid lengths, whole numbers from 0 up)";
  const std::size_t colon = word.find(':');
  const std::string kind = word.substr(0, colon);
  const std::string lengths = colon == std::string::npos ? "" : word.substr(colon + 1);
  if (word == "causal") {
    masks.causal = true;
  } else if (kind == "padding" && !lengths.empty()) {
    std::vector<std::size_t> valid;
    for (const std::string& part : split(lengths, ',')) {
      const auto length = parse_number<std::size_t>(part);
      if (!length) refuse("--mask", word, kTakes);
      valid.push_back(*length);
    }
    masks.padding = both(masks.padding, std::move(valid));
  } else {
    refuse("--mask", word, kTakes, std::array<std::string, 2>{"causal", "padding:" + lengths});
  }
}

LayerChanges::Position read_position(const std::string& word) {
  constexpr const char* kTakes = "none, sinusoidal or sinusoidal:BASE (a number over 0)";
  const std::size_t colon = word.find(':');
  if (word == "none") return {};
  if (word == "sinusoidal") return {kDefaultBase};
  if (colon == std::string::npos || word.substr(0, colon) != "sinusoidal")
    refuse("--position", word, kTakes, std::array<std::string, 2>{"none", "sinusoidal"});
  const auto base = parse_number<double>(word.substr(colon + 1));
  if (!base || !std::isfinite(*base) || *base <= 0) refuse("--position", word, kTakes);
  return {base};
}

LayerChanges::Drop read_dropout(const std::string& word) {
  const std::vector<std::string> parts = split(word, ':');
  const auto p = parse_number<double>(parts[0]);
  const auto seed = parts.size() == 2 ? parse_number<std::uint64_t>(parts[1]) : std::nullopt;
  if (!p || !seed || !(*p >= 0 && *p <= 1))
    refuse("--dropout", word, "P:SEED, a probability from 0 to 1 and a whole number, as in 0.1:42");
  return {*p, *seed};
}

// One row for each option: its help, and what its word changes.
struct LayerOption {
  const char* name;
  const char* value;
  const char* help;
  void (*read)(const std::string& word, LayerChanges& changes);
};

constexpr LayerOption kOptions[] = {
    {"--heads", "H", "heads; head r owns the columns r·d_k … (r+1)·d_k−1",
     [](const std::string& word, LayerChanges& c) { c.heads = read_count("--heads", word); }},
    {"--kv-heads", "G", "key/value heads, shared by H/G heads each; told from w_k's width when absent",
     [](const std::string& word, LayerChanges& c) { c.kv_heads = read_count("--kv-heads", word); }},
    {"--scale", "sqrt|none|NUMBER", "factor of the scores: 1/√d_k, 1 or a number",
     [](const std::string& word, LayerChanges& c) { c.scale = read_scale(word); }},
    {"--temperature", "T", "divides the scaled scores; 0 is hard lookup",
     [](const std::string& word, LayerChanges& c) { c.temperature = read_temperature(word); }},
    {"--mask", "causal|padding:L|padding:L0,L1,…", "mask rule; repeat it to mask what any rule masks",
     [](const std::string& word, LayerChanges& c) {
       if (!c.masks) c.masks.emplace();
       read_mask(word, *c.masks);
     }},
    {"--causal-align", "lower-right|top-left", "where the causal diagonal starts when n ≠ m",
     [](const std::string& word, LayerChanges& c) {
       c.causal_align = read_choice("--causal-align", kAlignWords, word);
     }},
    {"--fill", "-inf|-1e9|-1e6|add-1e9", "what masked scores become",
     [](const std::string& word, LayerChanges& c) { c.fill = read_choice("--fill", kFillWords, word); }},
    {"--empty-row", "zeros|nan|uniform", "weights of a query whose scores are all −∞",
     [](const std::string& word, LayerChanges& c) {
       c.empty_row = read_choice("--empty-row", kEmptyRowWords, word);
     }},
    {"--position", "none|sinusoidal[:BASE]", "encoding added to x; BASE is 10000 when absent",
     [](const std::string& word, LayerChanges& c) { c.position = read_position(word); }},
    {"--dropout", "P:SEED", "drops weights with probability P",
     [](const std::string& word, LayerChanges& c) { c.dropout = read_dropout(word); }},
};

}  // namespace

void add_layer_options(CLI::App& command, LayerWords& words) {
  for (const LayerOption& option : kOptions) {
    CLI::Option* added = command.add_option(option.name, words[option.name], option.help)
                             ->type_name(option.value)
                             ->allow_extra_args(false)
                             ->group("Layer");
    if (std::string_view(option.name) != "--mask") added->expected(1);
  }
}

LayerChanges read_layer_options(const LayerWords& words) {
  LayerChanges changes;
  for (const LayerOption& option : kOptions) {
    const auto found = words.find(option.name);
    if (found == words.end()) continue;
    for (const std::string& word : found->second) option.read(word, changes);
  }
  return changes;
}

}  // namespace attn
