// Random documents, with every field and any float.
#include "tests/io/any_document.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/attention/position_fields.h"
#include "core/document/document_fields.h"
#include "core/document/limits.h"
#include "tests/layers.h"
#include "tests/random_rules.h"
#include "tests/special.h"

namespace attn::tests {
namespace {

using Bits = std::mt19937_64;

std::size_t choose(Bits& random, std::size_t low, std::size_t high) {
  return std::uniform_int_distribution<std::size_t>(low, high)(random);
}

bool flip(Bits& random) {
  return choose(random, 0, 1) == 1;
}

// Any float there is; of the NaNs only the one that a session keeps.
float any_float(Bits& random) {
  static constexpr float kSpecial[] = {0.0f,
                                       -0.0f,
                                       kFloatInfinity,
                                       -kFloatInfinity,
                                       1e-45f,
                                       -1e-45f,
                                       1.17549421e-38f,
                                       3.4028235e38f,
                                       0.1f,
                                       16777216.0f,
                                       1.0f};
  if (flip(random)) return kSpecial[choose(random, 0, std::size(kSpecial) - 1)];
  const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
  return std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : value;
}

double any_double(Bits& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

Tensor any_tensor(Bits& random) {
  if (choose(random, 0, 3) == 0) return {};
  const Shape shape{choose(random, 1, 3), choose(random, 1, 4), choose(random, 1, 4)};
  std::vector<float> values(shape.size());
  for (float& value : values) value = any_float(random);
  return {shape, std::move(values)};
}

std::string any_label(Bits& random) {
  static const std::string kLabels[] = {"the",
                                        "",
                                        "größe",
                                        "键",
                                        "👩‍🔬",
                                        "a\"b\\c/",
                                        "\n\t\x01\x7f",
                                        std::string("\0", 1),
                                        "nan",
                                        "-inf",
                                        "  ",
                                        "\u2028",
                                        std::string(limits::kMostLabelBytes, 'x')};
  return kLabels[choose(random, 0, std::size(kLabels) - 1)];
}

Labels any_labels(Bits& random) {
  Labels labels(choose(random, 0, 4));
  for (std::string& label : labels) label = any_label(random);
  return labels;
}

std::vector<StageOverride> any_overrides(Bits& random) {
  std::vector<StageOverride> overrides(choose(random, 0, 3));
  for (StageOverride& o : overrides)
    o = {any_label(random),
         any_label(random),
         {{choose(random, 0, 9), random(), choose(random, 0, 9)}, any_float(random)}};
  return overrides;
}

// Every field of every kind, by name for the same reason as below.
Position any_position(Bits& random) {
  Position position = position_at(choose(random, 0, kPositions.size() - 1));
  if (auto* s = std::get_if<Sinusoidal>(&position)) {
    auto& [base] = *s;
    base = flip(random) ? 10000.0 : any_double(random, 1e-9, 2);
  } else if (auto* l = std::get_if<Learned>(&position)) {
    auto& [seed, length] = *l;
    seed = flip(random) ? 0 : random(), length = choose(random, 1, 1000);
  } else if (auto* r = std::get_if<Rotary>(&position)) {
    auto& [pairing, base, part, stretch, factor, trained] = *r;
    pairing = static_cast<Pairing>(choose(random, 0, 1));
    base = flip(random) ? 10000.0 : any_double(random, 1e-300, 1e300);
    part = choose(random, 0, 9), stretch = static_cast<Stretch>(choose(random, 0, 5));
    factor = flip(random) ? 1.0 : any_double(random, 1, 100), trained = choose(random, 1, 5000);
  } else if (auto* rel = std::get_if<Relative>(&position)) {
    auto& [clip, seed, values] = *rel;
    clip = choose(random, 0, 9), seed = random(), values = flip(random);
  } else if (auto* t5 = std::get_if<T5Bias>(&position)) {
    auto& [buckets, max_distance, seed, causal] = *t5;
    buckets = choose(random, 2, 64), max_distance = choose(random, 2, 500), seed = random();
    causal = flip(random);
  }
  return position;
}

// Every field is taken apart by name here, so that a field that LayerSpec gains stops this file from
// compiling until it is filled, and then the round trip fails until the session knows it.
LayerSpec any_layer(Bits& random) {
  LayerSpec layer;
  auto& [direct, x, memory, w_q, w_k, w_v, w_o, b_q, b_k, b_v, b_o, q, k, v, heads, kv_heads, muted_heads,
         head_split, head_merge, head_groups, key_turn, qk_norm, qk_gain, qk_norm_last, scoring, score_w,
         score_w_q, score_w_k, score_v, sigma, scale, temperature, soft_cap, weighting, softmax_over, bias,
         masks, mask, fill, empty_row, mask_at, local, local_reach, local_w, local_v, position,
         first_position, position_twice, rope_on_values, dropout, dropout_seed, dropout_mask, precision,
         tokens, memory_tokens] = layer;
  direct = flip(random);
  for (Tensor* tensor : {&x,         &memory,    &w_q,     &w_k,     &w_v,     &w_o,         &b_q,  &b_k,
                         &b_v,       &b_o,       &q,       &k,       &v,       &bias,        &mask, &score_w,
                         &score_w_q, &score_w_k, &score_v, &local_w, &local_v, &dropout_mask})
    *tensor = any_tensor(random);
  heads = choose(random, 1, 9);
  kv_heads = choose(random, 1, limits::kMostHeads);
  for (std::size_t head = 0; head < head_count(layer); ++head)
    if (flip(random)) muted_heads.push_back(head);
  head_split = static_cast<HeadCut>(choose(random, 0, 1));
  head_merge = static_cast<HeadCut>(choose(random, 0, 1));
  head_groups = static_cast<HeadGroups>(choose(random, 0, 1));
  key_turn = static_cast<KeyTurn>(choose(random, 0, 1));
  qk_norm_last = flip(random), position_twice = flip(random), rope_on_values = flip(random);
  qk_norm = flip(random), qk_gain = flip(random) ? 1 : any_double(random, -1e300, 1e300);
  scoring = static_cast<Scoring>(choose(random, 0, kScorings.size() - 1));
  sigma = flip(random) ? 1 : any_double(random, 1e-6, 1e6);
  soft_cap = flip(random) ? 0 : any_double(random, 1e-3, 1e6);
  weighting = static_cast<Weighting>(choose(random, 0, kLayerWeightings - 1));
  softmax_over = static_cast<SoftmaxOver>(choose(random, 0, 2));
  scale.mode = static_cast<ScaleMode>(choose(random, 0, 2));
  scale.number = flip(random) ? 1 : any_double(random, -1e300, 1e300);
  temperature = flip(random) ? static_cast<double>(choose(random, 0, 1)) : any_double(random, 0, 1e-300);
  for (std::size_t rules = choose(random, 0, 3); rules > 0; --rules) {
    masks.push_back(random_term(random, 9, 9));
    if (auto* padding = std::get_if<PaddingRule>(&masks.back().rule)) padding->lengths.back() = random();
  }
  fill = kFills[choose(random, 0, kFills.size() - 1)];
  empty_row = static_cast<EmptyRow>(choose(random, 0, 2));
  mask_at = static_cast<MaskAt>(choose(random, 0, 1));
  local = static_cast<Local>(choose(random, 0, 2)), local_reach = choose(random, 1, 1u << 20);
  precision = static_cast<NumberFormat>(choose(random, 0, 2));
  position = any_position(random);
  first_position = flip(random) ? 0 : choose(random, 0, 1000);
  dropout = flip(random) ? static_cast<double>(choose(random, 0, 1)) : any_double(random, 0, 1);
  dropout_seed = flip(random) ? 0 : random();
  tokens = any_labels(random);
  memory_tokens = any_labels(random);
  return layer;
}

// Choices and lists are left as they are.
template <class Spec>
void any_numbers(Bits& random, Spec& spec) {
  visit_fields(of<Spec>, [&](const auto& field, auto member) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_same_v<Field, CountField>)
      spec.*member = choose(random, field.least, std::min<std::size_t>(field.most, 1u << 20));
    if constexpr (std::is_same_v<Field, NumberField>)
      spec.*member = any_double(random, field.least, field.most);
    if constexpr (std::is_same_v<Field, TensorField>) spec.*member = any_tensor(random);
    if constexpr (std::is_same_v<Field, SwitchField>) spec.*member = flip(random);
    if constexpr (std::is_same_v<Field, LabelsField>) spec.*member = any_labels(random);
  });
}

PositionsSpec any_positions(Bits& random) {
  PositionsSpec spec;
  if (flip(random)) return spec;
  spec.encodings.clear();
  for (std::size_t count = choose(random, 1, 4); count > 0; --count)
    spec.encodings.push_back(any_position(random));
  any_numbers(random, spec);
  spec.dimensions.clear();
  for (std::size_t dimension = 0; dimension < 512; dimension += choose(random, 1, 300))
    if (flip(random)) spec.dimensions.push_back(dimension);
  return spec;
}

KernelsSpec any_kernels(Bits& random) {
  KernelsSpec spec;
  if (flip(random)) return spec;
  any_numbers(random, spec);
  spec.set = static_cast<PointSet>(choose(random, 0, 3));
  spec.width_rule = flip(random) ? WidthRule::fixed : WidthRule::neighbours;
  spec.kernels.clear(), spec.widths.clear();
  for (std::size_t kernel = choose(random, 0, 2); kernel < kKernels.size(); kernel += choose(random, 2, 5))
    spec.kernels.push_back(static_cast<Kernel>(kernel));
  for (std::size_t count = choose(random, 1, kMostCurves); count > 0; --count)
    spec.widths.push_back(any_double(random, kernels_field::kLeastWidth, kernels_field::kMostWidth));
  spec.kernels.resize(std::min(spec.kernels.size(), kMostCurves));
  return spec;
}

SoftmaxSpec any_softmax(Bits& random) {
  SoftmaxSpec spec;
  if (flip(random)) return spec;
  any_numbers(random, spec);
  spec.source = flip(random) ? RowSource::layer : RowSource::own;
  spec.masked.clear();
  for (std::size_t key = choose(random, 0, 5); key < 20; key += choose(random, 1, 9))
    spec.masked.push_back(key);
  spec.weightings = {static_cast<Weighting>(choose(random, 0, 2)),
                     static_cast<Weighting>(choose(random, 3, 5))};
  spec.format = static_cast<NumberFormat>(choose(random, 0, 2));
  spec.summation = flip(random) ? SumOrder::in_order : SumOrder::pairs;
  spec.products = static_cast<ProductScale>(choose(random, 0, 2));
  return spec;
}

CostStudy any_cost(Bits& random) {
  CostStudy spec;
  if (flip(random)) return spec;
  any_numbers(random, spec);
  spec.biases = static_cast<Biases>(choose(random, 0, 2));
  spec.format = static_cast<StoredFormat>(choose(random, 0, 3));
  spec.mechanisms = {static_cast<MechanismKind>(choose(random, 3, 5)),
                     static_cast<MechanismKind>(choose(random, 0, 2))};
  return spec;
}

HeadsSpec any_heads(Bits& random) {
  HeadsSpec spec;
  if (flip(random)) return spec;
  any_numbers(random, spec);
  spec.map = static_cast<HeadMap>(choose(random, 0, 4));
  spec.order = static_cast<HeadOrder>(choose(random, 0, 2));
  spec.measure = flip(random) ? HeadLikeness::cosine : HeadLikeness::overlap;
  return spec;
}

CompareSpec any_compare(Bits& random) {
  CompareSpec spec;
  if (flip(random)) return spec;
  any_numbers(random, spec);
  spec.figure = static_cast<Compared::Figure>(choose(random, 0, 2));
  if (flip(random)) spec.by_reference = {0, 2};
  return spec;
}

// Like A in most fields, or in none.
LayerSpec any_compared_layer(Bits& random, const LayerSpec& layer) {
  LayerSpec compared = flip(random) ? layer : any_layer(random);
  if (flip(random)) compared.temperature = any_double(random, 0, 9);
  if (flip(random)) compared.w_o = flip(random) ? Tensor() : any_tensor(random);
  return compared;
}

}  // namespace

Document any_document(Bits& random) {
  Document document{.layers = {any_layer(random)},
                    .positions = any_positions(random),
                    .kernels = any_kernels(random),
                    .softmax = any_softmax(random),
                    .cost = any_cost(random),
                    .heads = any_heads(random),
                    .compare = any_compare(random),
                    .overrides = any_overrides(random)};
  for (std::size_t more = choose(random, 0, kAddresses.size() - 1); more > 0; --more)
    document.layers.push_back(any_compared_layer(random, document.layer()));
  for (Address at = kLayerB; document.has(at); ++at.layer)
    for (StageOverride typed : any_overrides(random))
      typed.workspace = "pipeline", typed.stage = "scores", typed.layer = at,
      document.overrides.push_back(std::move(typed));
  return document;
}

}  // namespace attn::tests
