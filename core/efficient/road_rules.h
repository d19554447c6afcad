// What the roads are made of: rules of a mask, or features; and which of them a layer can go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/attention/layer.h"
#include "core/efficient/part.h"
#include "core/operations/mask_rules.h"

namespace attn {

bool is_linear(Road road);
bool is_sparse(Road road);  // some of the pairs alone
FeatureKind features_of(Road road);

// What a sparse road masks besides the layer's own mask; of the others nothing. `places`: of tokens, behind
// which there are no global ones.
std::vector<MaskTerm> rules_of(Road road, const EfficientSpec& spec, std::size_t places);

// One list that masks what either does; none where no list says that: global tokens of one would free what
// the other's window hides, or a join by and would take in what is not its own.
std::optional<std::vector<MaskTerm>> joined_rules(const std::vector<MaskTerm>& layer,
                                                  const std::vector<MaskTerm>& road);

// Why the layer cannot go that way: "a soft cap needs the scores one by one". Empty: it can.
std::string road_obstacle(Road road, const LayerSpec& layer);

// Its settings in few words: "w 8, global 0, 32".
std::string settings_of(Road road, const EfficientSpec& spec, std::size_t places, std::size_t width);

}  // namespace attn
