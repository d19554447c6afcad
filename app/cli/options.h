// The options that commands share: the workspace, and those about a layer: read from words, then laid over
// what a file says. Which there are and what is said about them comes from the layer's fields
// (core/attention/layer_fields.h).
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/layer.h"
#include "core/graph/fields.h"

namespace CLI {
class App;
}

namespace attn {

struct Workspace;

// The words given, by option name; CLI11 fills them.
using LayerWords = std::map<std::string, std::vector<std::string>>;

// Adds every layer option to a command, in this group of its help (empty: not there). A name that the command
// has for something else is written --layer-NAME. `words` must outlive the parsing.
void add_layer_options(CLI::App& command, LayerWords& words, const std::string& group = "Layer");
// What is said about each of them, in the order of the help.
std::vector<FieldText> layer_option_texts();
// Whether any was given.
bool any_given(const LayerWords& words);

// What the words ask for. It throws Error(Fault::option) for what the layer's kind of input cannot take;
// whether sizes fit is build_graph's business.
using LayerChange = std::function<void(LayerSpec&)>;

// Throws Error(Fault::option) naming the option, the word and the nearest right one.
LayerChange read_layer_options(const LayerWords& words);

// The row of that name, the first for an empty word. Throws Error(Fault::option) naming the nearest.
const Workspace& read_workspace(std::string_view word);
std::string workspace_names();  // for help

// Splits the heads that are given side by side, or the projections' columns, into so many; 0: as the widths
// tell. Not both are 0.
void change_heads(LayerSpec& layer, std::size_t heads, std::size_t kv_heads);

}  // namespace attn
