// The options about a layer that commands share: read from words, then laid over what a file says.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/attention/layer.h"

namespace CLI {
class App;
}

namespace attn {

// Replace the file's causal and padding rules; a mask matrix of the file stays.
struct MaskRules {
  bool causal = false;
  std::vector<std::size_t> padding;  // none, one length, or one for each query
};

// What the options ask for; absent is "as the file says".
struct LayerChanges {
  struct Scale {
    ScaleMode mode;
    double number;
  };
  struct Position {
    std::optional<double> base;  // of the sinusoidal encoding; none: no encoding
  };
  struct Drop {
    double p;
    std::uint64_t seed;
  };

  std::optional<std::size_t> heads, kv_heads;
  std::optional<Scale> scale;
  std::optional<double> temperature;
  std::optional<MaskRules> masks;
  std::optional<CausalAlign> causal_align;
  std::optional<Fill> fill;
  std::optional<EmptyRow> empty_row;
  std::optional<Position> position;
  std::optional<Drop> dropout;
};

// The words given, by option name; CLI11 fills them.
using LayerWords = std::map<std::string, std::vector<std::string>>;

// Adds every layer option to a command. `words` must outlive the parsing.
void add_layer_options(CLI::App& command, LayerWords& words);

// Throws Error(Fault::option) naming the option, the word and the nearest right one.
LayerChanges read_layer_options(const LayerWords& words);

// The layer with the changes. Throws Error(Fault::option) for those that its kind of input cannot take;
// whether sizes fit is build_graph's business.
LayerSpec changed(LayerSpec layer, const LayerChanges& changes);

}  // namespace attn
