// The rules of each road, and what of a layer stands in its way.
#include "core/efficient/road_rules.h"

#include <algorithm>

#include "core/attention/layer_flash.h"
#include "core/attention/layer_linear.h"
#include "core/operations/flash.h"

namespace attn {
namespace {

std::string listed_tokens(const EfficientSpec& spec, std::size_t places) {
  std::string text;
  for (const std::size_t token : spec.global_tokens)
    if (token < places) text += (text.empty() ? "" : ", ") + std::to_string(token);
  return text;
}

bool has_global(const std::vector<MaskTerm>& terms) {
  return std::ranges::any_of(
      terms, [](const MaskTerm& term) { return std::holds_alternative<GlobalRule>(term.rule); });
}

bool has_yielding(const std::vector<MaskTerm>& terms) {
  return std::ranges::any_of(terms, [](const MaskTerm& term) { return yields_to_global(term.rule); });
}

// Joined by and somewhere: what stands before it is one whole.
bool joins_all(const std::vector<MaskTerm>& terms) {
  return std::ranges::any_of(
      terms, [&](const MaskTerm& term) { return &term != terms.data() && term.join == Join::all; });
}

}  // namespace

bool is_linear(Road road) {
  return road == Road::elu || road == Road::relu || road == Road::random;
}

bool is_sparse(Road road) {
  return road == Road::window || road == Road::strided || road == Road::longformer || road == Road::bigbird;
}

FeatureKind features_of(Road road) {
  return road == Road::relu     ? FeatureKind::relu
         : road == Road::random ? FeatureKind::random
                                : FeatureKind::elu_plus_one;
}

std::vector<MaskTerm> rules_of(Road road, const EfficientSpec& spec, std::size_t places) {
  if (!is_sparse(road)) return {};
  if (road == Road::strided) return {{.rule = StridedRule{spec.stride}}};
  std::vector<MaskTerm> terms{{.rule = WindowRule{spec.window}}};
  if (road == Road::window) return terms;
  if (road == Road::bigbird)
    terms.push_back({.rule = RandomRule{spec.random_keys, spec.seed}, .join = Join::all});
  GlobalRule global;
  for (const std::size_t token : spec.global_tokens)
    if (token < places) global.tokens.push_back(token);
  if (!global.tokens.empty()) terms.push_back({.rule = std::move(global)});
  return terms;
}

std::optional<std::vector<MaskTerm>> joined_rules(const std::vector<MaskTerm>& layer,
                                                  const std::vector<MaskTerm>& road) {
  if (road.empty()) return layer;
  if (layer.empty()) return road;
  if ((has_global(layer) && has_yielding(road)) || (has_global(road) && has_yielding(layer)))
    return std::nullopt;
  // What is joined by and comes first, as a whole.
  const bool road_first = joins_all(road);
  if (road_first && joins_all(layer)) return std::nullopt;
  std::vector<MaskTerm> terms = road_first ? road : layer;
  for (MaskTerm term : road_first ? layer : road) {
    term.join = Join::any;
    terms.push_back(std::move(term));
  }
  return terms;
}

std::string road_obstacle(Road road, const LayerSpec& layer) {
  if (road == Road::full) return {};
  if (std::string why = flash_obstacle(layer); !why.empty()) return why;
  if (road == Road::random && layer.scale.mode == ScaleMode::number && layer.scale.number < 0)
    return "a scale below 0 has no root that queries and keys could share";
  return is_linear(road) ? linear_obstacle(layer) : std::string();
}

std::string settings_of(Road road, const EfficientSpec& spec, std::size_t places, std::size_t width) {
  const std::string window = "w " + std::to_string(spec.window);
  const std::string tokens = listed_tokens(spec, places);
  const std::string near = tokens.empty() ? window : window + ", global " + tokens;
  switch (road) {
    case Road::full:
      return "every pair";
    case Road::flash:
      return "tiles " + std::to_string(spec.tile_rows) + "×" + std::to_string(spec.tile_columns);
    case Road::window:
      return window;
    case Road::strided:
      return "l " + std::to_string(spec.stride);
    case Road::longformer:
      return near;
    case Road::bigbird:
      return near + " and " + std::to_string(spec.random_keys) + " random";
    case Road::elu:
    case Road::relu:
      return "linear, r " + std::to_string(width);
    case Road::random:
      return "random, r " + std::to_string(spec.feature_count);
  }
  return {};
}

}  // namespace attn
