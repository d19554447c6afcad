// cost: what a layer takes, counted, as a table, as JSON or as CSV.
#include <iterator>
#include <memory>

#include "app/words/command_parser.h"
#include "app/words/refuse.h"
#include "app/words/table.h"
#include "app/workspaces/cost/cost_words.h"
#include "app/workspaces/cost/row.h"
#include "core/cost/crossovers.h"
#include "core/cost/parameters.h"
#include "core/cost/text.h"
#include "core/system/error.h"

namespace attn {
namespace {

std::string count_of(std::size_t number, const std::string& one) {
  return grouped(number) + " " + one + (number == 1 ? "" : "s");
}

std::string preset_names() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.emplace_back(preset.word);
  return listed(names);
}

void print_shape(std::ostream& out, const CostWords& words) {
  const CostSpec& spec = words.spec;
  if (words.preset) out << words.preset->title << ": " << words.preset->source << '\n';
  out << count_of(spec.n, "token") << ", d " << grouped(spec.d) << ", " << count_of(spec.heads, "head")
      << " of " << grouped(spec.head_width());
  if (spec.kv_heads != spec.heads) out << " that share " << count_of(spec.kv_heads, "key/value head");
  out << ", feed-forward " << grouped(spec.inner_width()) << (spec.gated ? " gated" : "") << ", "
      << count_of(spec.layers, "layer") << ", batch " << grouped(spec.batch) << ", "
      << kFormatWords[static_cast<std::size_t>(spec.format)] << ", " << word_of(spec.mechanism) << ", "
      << (spec.backward ? "backward" : "forward") << "\n\n";
}

void print_stages(std::ostream& out, const CostSpec& spec, const LayerCost& layer) {
  std::vector<std::vector<std::string>> table{{"stage", "as", "operations", "bytes moved", "bytes held"}};
  for (const StageCost& stage : layer.stages)
    table.push_back({std::string(stage.name), stage.operations.formula(), grouped(stage.operations.value()),
                     grouped(stage.bytes_moved.value()), grouped(stage.bytes_held.value())});
  table.push_back({"one layer", "its attention holds so much at once", grouped(operations(layer)),
                   grouped(bytes_moved(layer)), grouped(layer.held.value())});
  if (spec.layers > 1)
    table.push_back({"all layers", "", grouped(operations(layer) * spec.layers),
                     grouped(bytes_moved(layer) * spec.layers), ""});
  print_table(out, table, 2);
}

std::string tokens_text(std::optional<std::size_t> n) {
  return n ? grouped(*n) : "–";
}

void print_rest(std::ostream& out, const CostWords& words) {
  const CostSpec& spec = words.spec;
  const Parameters each = parameters(spec);
  std::vector<std::vector<std::string>> table{{"parameters", "as", "one layer", "all layers"}};
  const auto add = [&](const char* what, const Quantity& quantity) {
    table.push_back(
        {what, quantity.formula(), grouped(quantity.value()), grouped(of_all_layers(spec, quantity))});
  };
  add("attention", each.attention);
  add("feed-forward", each.feed_forward);
  out << '\n';
  print_table(out, table, 2);
  if (words.preset)
    out << words.preset->title << " as published has " << grouped(model_parameters(*words.preset).value())
        << " with embeddings and norms; given as " << words.preset->published << '\n';

  const Quantity cache = cache_per_token(spec);
  out << "\ncache a token, all layers: " << grouped(cache.value()) << " bytes, " << cache.formula() << '\n';
  out << "sequential steps: " << grouped(sequential_steps(spec))
      << "; longest path between two tokens: " << grouped(path_length(spec)) << "\n\n";
  table = {{"crossover", "usually", "n by products", "n by all operations"}};
  for (const Crossover& crossover : crossovers(spec))
    table.push_back({std::string(crossover.title), std::string(crossover.formula), tokens_text(crossover.n),
                     tokens_text(crossover.n_of_all)});
  print_table(out, table, 2);
}

// What a layer of that shape takes, stage by stage, and what all its layers have and keep.
void print_cost(const CostRequest& request, std::ostream& out) {
  if (request.json && request.csv)
    throw Error("cost: --json and --csv are two forms; use one", Fault::option);
  const CostWords words = read_cost(request);
  if (request.json || request.csv) {
    out << (request.json ? cost_json(words.spec) : cost_csv(words.spec));
    return;
  }
  const LayerCost layer = count_layer(words.spec);
  print_shape(out, words);
  print_stages(out, words.spec, layer);
  print_rest(out, words);
}

}  // namespace

void add_cost(CommandParser& parser) {
  const auto request = std::make_shared<CostRequest>();
  Options options = parser.add("cost", "Count what a layer takes: operations and bytes of every stage",
                               [request](Console& console) {
                                 print_cost(*request, console.out);
                                 return kDone;
                               });
  CostRequest& words = *request;
  options
      .add("--preset", words.preset, "NAME",
           "a published shape, which the other options change: " + preset_names())
      .add("--n", words.n, "N", "tokens")
      .add("--d", words.d, "D", "width of the model")
      .add("--heads", words.heads, "H", "heads")
      .add("--kv-heads", words.kv_heads, "G", "key/value heads; as many as heads when absent")
      .add("--layers", words.layers, "L", "layers; 1 when absent")
      .add("--batch", words.batch, "B", "sequences at once; 1 when absent")
      .add("--format", words.format, "float32|float16|bfloat16|int8", "of every number; float32 when absent")
      .add("--mechanism", words.mechanism, "full|flash|window:W|strided:L|linear|recurrent",
           "how tokens are mixed; full when absent. Keys at most W away; L before, and every L-th")
      .add("--feed-forward", words.feed_forward, "F", "inner width of the feed-forward; 4·D when absent")
      .add("--gated", words.gated, "the feed-forward has a third matrix, as SwiGLU")
      .add("--causal", words.causal, "window and stride reach no later keys")
      .add("--backward", words.backward, "count the backward pass instead of the forward one")
      .add("--json", words.json, "as JSON")
      .add("--csv", words.csv, "the stages as CSV");
  options.end_with_statuses();
}

}  // namespace attn
