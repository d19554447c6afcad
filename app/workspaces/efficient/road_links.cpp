// Where a road leads: its mask in the Pipeline, its cost, and its numbers in other programs.
#include <algorithm>

#include "app/cells/cell_marks.h"
#include "app/cells/grid_commands.h"
#include "app/inspector/inspector_flow.h"
#include "app/workspaces/efficient/roads.h"
#include "app/workspaces/efficient/row.h"
#include "core/document/layer_plan.h"
#include "core/efficient/road_rules.h"
#include "core/io/mask_code.h"
#include "core/io/matrix_text.h"
#include "core/system/error.h"

namespace attn {
namespace {

// What lists of rules cannot say together, pair by pair.
Tensor painted_road_mask(const LayerSpec& layer, const std::vector<MaskTerm>& rules) {
  const std::size_t n = query_count(layer), m = key_count(layer);
  if (std::max(n, m) > efficient_field::kMostShownTokens)
    throw Error("this mask and the layer's own are no one list of rules, and a painted one is of up to " +
                std::to_string(efficient_field::kMostShownTokens) + " tokens");
  const std::size_t stack = std::max<std::size_t>(1, layer.mask.stack());
  const std::ptrdiff_t first = first_place(layer.masks, n, m);
  std::vector<float> values(stack * n * m);
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<char> masked =
        MaskRow(rules, {.queries = n, .keys = m, .query = i, .first = first}).masked();
    for (std::size_t s = 0; s < stack; ++s)
      for (std::size_t j = 0; j < m; ++j)
        values[(s * n + i) * m + j] =
            masked[j] || (!layer.mask.empty() && layer.mask[{s, i, j}] != 0) ? 1.0f : 0.0f;
  }
  return {{stack, n, m}, std::move(values)};
}

// The one that counts what mechanisms cost: its fields say so.
const Workspace* counting(std::span<const Workspace> workspaces) {
  for (const Workspace& workspace : workspaces)
    for (const NamedFields& fields : workspace.fields) {
      const ValueWords names = fields.names();
      if (std::ranges::count(names, "mechanisms") > 0) return &workspace;
    }
  return nullptr;
}

// The mechanisms that it has of the roads that are laid.
ValueWords mechanism_words(const EfficientSpec& spec) {
  ValueWords words;
  for (const Road road : laid_roads(spec)) {
    const std::string word = is_linear(road) ? "linear" : std::string(efficient_field::road.word_of(road));
    const bool counted = road != Road::longformer && road != Road::bigbird;
    if (counted && std::ranges::count(words, word) == 0) words.push_back(word);
  }
  return words;
}

// The row that is followed is the one that is pinned there.
void pin_followed_row(Desk& desk, const Results& results) {
  const auto& places = *results.places.as<EfficientPlaces>();
  const Stage& weights = results.graph.stages[places.layer.weights];
  if (desk.view.pinned || weights.shape.rows == 0) return;
  const std::size_t row = std::min(desk.view.of<EfficientView>().row, weights.shape.rows - 1);
  desk.view.pinned = Spot{weights.id, {std::min(desk.view.layer.head, weights.shape.stack - 1), row, 0}};
}

Tensor hidden_by_road(const RoadFound& found) {
  std::vector<float> hidden;
  for (const float pair : found.pattern.values()) hidden.push_back(pair == 0 ? 1.0f : 0.0f);
  return {found.pattern.shape(), std::move(hidden)};
}

void copy_road_chips(EfficientScene& scene, inspector::Flow& flow) {
  const Road road = scene.view().road;
  const RoadsStudy study = study_roads(scene);
  const RoadFound* found = found_road(study, road);
  if (!found || !found->obstacle.empty()) return;
  const bool sparse = is_sparse(road);
  add_heading(flow, sparse ? "Copy its mask as" : "Copy its weights as");
  const std::string what = (sparse ? "the mask of " : "the weights of ") + road_title(road);
  const auto chosen = add_chips(flow, "copy road", {"PyTorch", "NumPy"},
                                "Puts " + what + " on the clipboard, for every query and key.");
  if (!chosen) return;
  if (sparse && *chosen == 0) {
    ImGui::SetClipboardText(
        mask_code(hidden_by_road(*found), MaskConvention::kept, Fill::negative_infinity).c_str());
    return flow.frame.view.say(what + " is on the clipboard, True = kept");
  }
  const Tensor matrix = sparse ? hidden_by_road(*found) : found->weights;
  const TextFormat format = *chosen == 0 ? TextFormat::pytorch : TextFormat::numpy;
  const auto* name = std::ranges::find(kTextFormats, format, &TextFormatName::format);
  const std::string title = sparse ? what + ", 1 = masked" : what;
  flow.frame.view.say(copy_block(title, matrix, block_or_whole(nullptr, 0, matrix.shape()), *name));
}

}  // namespace

void put_mask_in_pipeline(Desk& desk) {
  const Road road = desk.view.of<EfficientView>().road;
  LayerSpec& layer = desk.draft.layer(kLayerA);
  const std::vector<MaskTerm> rules = rules_of(road, desk.draft.efficient, road_places(layer));
  if (rules.empty()) throw Error(road_title(road) + " has no mask of its own");
  if (auto joined = joined_rules(layer.masks, rules))
    layer.masks = std::move(*joined);
  else
    layer.mask = painted_road_mask(layer, rules);
  if (has_numbers(desk.engine.results)) pin_followed_row(desk, *desk.engine.results);
  if (const Workspace* pipeline = showing(desk.workspaces, kLayerPlan))
    desk.asks.emplace_back(ShowWorkspace{pipeline});
}

void open_cost_of_roads(Desk& desk) {
  const Workspace* cost = counting(desk.workspaces);
  if (!cost || !has_numbers(desk.engine.results)) return;
  const Results& results = *desk.engine.results;
  const auto& places = *results.places.as<EfficientPlaces>();
  const Shape q = results.graph.stages[places.layer.q].shape, k = results.graph.stages[places.layer.k].shape;
  const auto set = [&](const char* name, const ValueWords& words) {
    for (const NamedFields& fields : cost->fields)
      if (fields.set(desk.draft, desk.view, name, words)) return;
  };
  const EfficientSpec& spec = desk.draft.efficient;
  set("n", {std::to_string(query_count(desk.draft.layer(kLayerA)))});
  set("d", {std::to_string(q.stack * q.columns)});
  set("heads", {std::to_string(q.stack)});
  set("kv_heads", {std::to_string(k.stack)});
  set("causal", {find_rule<CausalRule>(places.shown) ? "on" : "off"});
  set("window", {std::to_string(spec.window)});
  set("stride", {std::to_string(spec.stride)});
  set("format", {"float32"});
  set("mechanisms", mechanism_words(spec));
  desk.asks.emplace_back(ShowWorkspace{cost});
}

void lead_on_efficient(Frame& frame, inspector::Flow& flow) {
  auto scene = efficient_scene(frame);
  if (!scene) return;
  add_heading(flow, "Open");
  std::vector<std::string> labels;
  if (is_sparse(scene->view().road)) labels.push_back("mask in Pipeline");
  if (counting(frame.workspaces)) labels.push_back("Cost");
  const auto pressed =
      add_chips(flow, "open", labels,
                "What " + road_title(scene->view().road) +
                    " keeps as the layer's mask, or what layer and roads cost; a step of undo goes back.");
  if (pressed) frame.commands.emplace_back(labels[*pressed] == "Cost" ? kOpenCost : kMaskInPipeline);
  copy_road_chips(*scene, flow);
}

}  // namespace attn
