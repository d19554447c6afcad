// The graph of a trace, read from the words of the command line.
#include "app/cli/trace_graph.h"

#include <algorithm>
#include <iterator>

#include "app/cli/layer_gradients.h"
#include "app/words/refuse.h"
#include "app/workspaces/workspaces.h"
#include "core/attention/feature_fields.h"
#include "core/document/layer_plan.h"
#include "core/document/stack_plan.h"
#include "core/graph/cut_rows.h"
#include "core/system/error.h"
#include "core/text/numbers.h"
#include "core/text/text.h"

namespace attn {
namespace {

bool has_all(const Graph& graph, const std::vector<std::string>& ids) {
  return std::ranges::all_of(ids, [&](const std::string& id) {
    const auto stage = graph.find(id);
    return stage && graph.stages[*stage].traced;
  });
}

// Another road than every stage; none of them: that one.
struct OtherRoad {
  std::optional<FlashRequest> flash = {};
  std::optional<LinearRequest> linear = {};
};

// What stands behind "flash:".
std::optional<FlashRequest> read_tiles(const std::string& word) {
  std::vector<std::size_t> sizes;
  for (const std::string& size : split(word, ','))
    sizes.push_back(parse_number<std::size_t>(size).value_or(0));
  if (sizes.size() != 2 || sizes[0] == 0 || sizes[1] == 0) return std::nullopt;
  return FlashRequest{.tiles = FlashTiles{sizes[0], sizes[1]}};
}

// And behind "linear:".
std::optional<LinearRequest> read_feature_map(const std::string& word) {
  const std::vector<std::string> parts = split(word, ':');
  const auto kind = feature_field::kind.choice_of(parts[0]);
  if (!kind) return std::nullopt;
  if (*kind != FeatureKind::random)
    return parts.size() == 1 ? std::optional(LinearRequest{.kind = *kind}) : std::nullopt;
  if (parts.size() != 3) return std::nullopt;
  const auto count = parse_number<std::size_t>(parts[1]);
  const auto seed = parse_number<std::uint64_t>(parts[2]);
  const bool fits = count && seed && *count >= 1 && *count <= feature_field::kMostRandom;
  return fits ? std::optional(LinearRequest{*kind, *count, *seed}) : std::nullopt;
}

OtherRoad read_road(const std::string& word) {
  constexpr std::string_view kTiled = "flash:", kMapped = "linear:";
  std::string takes = "full, flash, flash:ROWS,KEYS, linear or linear:elu|relu|random:R:SEED";
  if (word.empty() || word == "full") return {};
  if (word == "flash") return {.flash = FlashRequest{}};
  if (word == "linear") return {.linear = LinearRequest{}};
  if (word.starts_with(kTiled)) {
    if (const auto flash = read_tiles(word.substr(kTiled.size()))) return {.flash = flash};
    takes = "flash or flash:ROWS,KEYS";
  } else if (word.starts_with(kMapped)) {
    if (const auto linear = read_feature_map(word.substr(kMapped.size()))) return {.linear = linear};
    takes = "linear, linear:elu, linear:relu or linear:random:R:SEED, with R random features, 1 to " +
            std::to_string(feature_field::kMostRandom);
  }
  refuse("--mechanism", word, takes, std::vector<std::string>{"full", "flash", "linear"});
}

// "I:J", from I up to but without J.
RowRange read_rows(const std::string& word, const Graph& graph) {
  std::vector<std::size_t> ends;
  for (const std::string& end : split(word, ':'))
    if (const auto number = parse_number<std::size_t>(end)) ends.push_back(*number);
  const std::size_t most = query_rows(graph);
  if (split(word, ':').size() != 2 || ends.size() != 2 || ends[0] >= ends[1] || ends[1] > most)
    refuse("--rows", word, "I:J with 0 ≤ I < J ≤ " + std::to_string(most) + ", the number of queries");
  return {ends[0], ends[1] - ends[0]};
}

// With the way back, where gradients are asked for.
TracedGraph of_layer(Built built, const TraceRequest& request) {
  if (!request.gradient) return {.graph = std::move(built.graph)};
  Differentiated made = differentiated(std::move(built), request.upstream);
  return {.graph = std::move(made.graph), .gradients = std::move(made.gradients)};
}

// Weights are made where something is asked for that is not there without them.
TracedGraph by_flash(const Document& document, FlashRequest flash, const TraceRequest& request,
                     const std::vector<std::string>& only) {
  TracedGraph traced = of_layer(build_flash_layer(document, flash), request);
  flash.weights = !has_all(traced.graph, only);
  if (flash.weights) traced = of_layer(build_flash_layer(document, flash), request);
  traced.flash = flash;
  return traced;
}

TracedGraph by_linear(const Document& document, const LinearRequest& linear, const TraceRequest& request) {
  TracedGraph traced = of_layer(build_linear_layer(document, linear), request);
  traced.linear = linear;
  return traced;
}

// Whether all that is asked for can be had without scores and weights: then it is.
std::optional<TracedGraph> without_scores(const Document& document, const TraceRequest& request,
                                          const std::vector<std::string>& only) {
  if (!request.mechanism.empty() || !request.rows.empty() || only.empty() || !document.overrides.empty() ||
      !flash_obstacle(document.layer()).empty())
    return std::nullopt;
  if (request.gradient &&
      (!document.layer().bias.empty() || std::holds_alternative<T5Bias>(document.layer().position)))
    return std::nullopt;  // what passes to biases needs the scores
  TracedGraph traced = of_layer(build_flash_layer(document), request);
  traced.flash = FlashRequest{};
  return has_all(traced.graph, only) ? std::optional(std::move(traced)) : std::nullopt;
}

// The loss is of what comes out; where columns are labels, of the scores of symbols, if there are any.
TracedGraph of_stack(const Document& document, const TraceRequest& request) {
  Built built = build_stack(document);
  const StackStages& stages = *built.places.as<StackStages>();
  TracedGraph traced{.graph = std::move(built.graph), .made = depth_arrays(stages)};
  if (!request.gradient) return traced;
  StageIndex output = stages.last().output;
  Loss loss = read_loss(request.upstream, traced.graph.stages[output].shape);
  if (loss.kind == LossKind::cross_entropy) output = stages.logits.value_or(output);
  traced.gradients = append_gradients(traced.graph, append_loss(traced.graph, output, loss));
  std::ranges::move(gradient_arrays(traced.graph, stages, shown_stack(document), *traced.gradients),
                    std::back_inserter(traced.made));
  const auto is_stage = [&](const MadeArray& array) { return traced.graph.find(array.name).has_value(); };
  std::erase_if(traced.made, is_stage);
  return traced;
}

void check_words(const TraceRequest& request, const Workspace& workspace, const OtherRoad& road) {
  const auto of_layer_alone = [&](const char* option, const char* what) {
    if (workspace.build != build_layer)
      throw Error(std::string(option) + " " + what + " the Pipeline's layer, not the workspace " +
                      std::string(workspace.title),
                  Fault::option);
  };
  if (road.flash) of_layer_alone("--mechanism flash", "computes");
  if (road.linear) of_layer_alone("--mechanism linear", "computes");
  const bool stack = workspace.build == build_stack;
  if (request.gradient && !stack) of_layer_alone("--gradient", "goes back through");
  if (!request.rows.empty() && stack) of_layer_alone("--rows", "computes some rows of");
  check_gradient_words(request.gradient, request.upstream, request.check);
  if (request.gradient && !request.rows.empty())
    throw Error("--rows computes some rows, and gradients come from all: leave one of the two out",
                Fault::option);
}

void check_only(const TracedGraph& traced, const std::vector<std::string>& only) {
  std::vector<std::string> words;
  for (const Stage& stage : traced.graph.stages)
    if (stage.traced) words.push_back(stage.id);
  for (const MadeArray& array : traced.made) words.push_back(array.name);
  std::string takes = "stages that there are, separated by commas:";
  for (const std::string& word : words) takes += " " + word;
  for (const std::string& id : only)
    if (std::ranges::find(words, id) == words.end()) refuse("--only", id, takes, words);
}

// By another road where that is asked for, by flash attention also where what is asked for needs no scores
// and no weights.
TracedGraph by_some_road(const OtherRoad& road, const TraceRequest& request, const Workspace& workspace,
                         const Document& document, const std::vector<std::string>& only) {
  if (road.flash) return by_flash(document, *road.flash, request, only);
  if (road.linear) return by_linear(document, *road.linear, request);
  if (workspace.build == build_stack) return of_stack(document, request);
  if (workspace.build != build_layer) return {.graph = workspace.build(document, kLayerA).graph};
  if (auto traced = without_scores(document, request, only)) return std::move(*traced);
  return of_layer(build_layer(document), request);
}

// "6, 12 or 24".
std::string one_of(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += (i == 0 ? "" : i + 1 == numbers.size() ? " or " : ", ") + std::to_string(numbers[i]);
  return text;
}

}  // namespace

TracedGraph traced_graph(const TraceRequest& request, const Workspace& workspace, const Document& document,
                         const std::vector<std::string>& only) {
  const OtherRoad road = read_road(request.mechanism);
  check_words(request, workspace, road);
  TracedGraph traced = by_some_road(road, request, workspace, document, only);
  if (traced.graph.stages.empty())
    throw Error("the workspace " + std::string(workspace.title) +
                    " computes no stages that could be traced: attention-lab cost prints its counts",
                Fault::option);
  check_only(traced, only);
  if (!request.rows.empty()) traced.graph = cut_rows(traced.graph, read_rows(request.rows, traced.graph));
  return traced;
}

// By which tiles it goes, so that it can be done again to the last bit; those that the device lacks are
// refused.
void note_flash(const Backend& backend, const FlashRequest& request, std::vector<std::string>& notes) {
  const DeviceFacts facts = backend.facts();
  const FlashTileChoice& can = facts.flash_choice;
  const FlashTiles tiles = request.tiles.value_or(facts.flash_tiles);
  if (request.tiles && !can.has(tiles))
    throw Error("--mechanism flash:" + to_text(tiles) + ": " + backend.name() +
                    (can.rows.empty()
                         ? " has no tiles: use --mechanism flash"
                         : " takes tiles of " + one_of(can.rows) + " rows and " + one_of(can.keys) + " keys"),
                Fault::option);
  notes.push_back(std::string("by flash attention: no scores") + (request.weights ? "" : ", no weights"));
  if (!can.rows.empty()) notes.push_back("its tiles: --mechanism flash:" + to_text(tiles));
}

void note_linear(const LinearRequest& request, std::vector<std::string>& notes) {
  const std::string features(feature_field::kind.word_of(request.kind));
  notes.push_back("by linear attention, features " + features + ": no scores, no weights, no softmax");
}

}  // namespace attn
