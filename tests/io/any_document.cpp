// Random documents, with every field and any float.
#include "tests/io/any_document.h"

#include "core/document/document_fields.h"
#include "core/transformer/made.h"
#include "tests/io/any_values.h"

namespace attn::tests {
namespace {

std::vector<StageOverride> any_overrides(Bits& random) {
  std::vector<StageOverride> overrides(choose(random, 0, 3));
  for (StageOverride& o : overrides)
    o = {any_label(random),
         any_label(random),
         {{choose(random, 0, 9), random(), choose(random, 0, 9)}, any_float(random)}};
  return overrides;
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

template <class Part>
void any_part(Bits& random, Part& part) {
  any_numbers(random, part);
}
void any_part(Bits& random, LayerSpec& layer) {
  if (flip(random)) layer = any_layer(random);
}
void any_part(Bits& random, StackBlock& block) {
  if (choose(random, 0, 3) == 0) block.off = {0, 2};
}

// Few of its blocks are such that a graph could be made of them; or one that is drawn, changed here and
// there.
StackSpec any_stack(Bits& random) {
  StackSpec stack;
  if (flip(random)) return stack;
  stack.sides = static_cast<StackSides>(choose(random, 0, 2));
  for (StackSide* side : {&stack.encoder, &stack.decoder}) {
    side->x = Tensor({1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), side->normed = flip(random);
    side->blocks.resize(choose(random, 0, 2));
    for (StackBlock& block : side->blocks)
      if (flip(random)) block.cross.emplace();
  }
  stack.norm_at = static_cast<NormAt>(choose(random, 0, 2)),
  stack.norm_kind = static_cast<NormKind>(choose(random, 0, 1));
  stack.activation = static_cast<ActivationKind>(choose(random, 0, 3));
  if (flip(random)) stack.position = any_position(random);
  if (flip(random)) stack = made_stack(stack, {choose(random, 1, 3), 2, choose(random, 0, 3)}, random() % 99);
  visit_stacks(
      [&](const std::string&, auto& part) {
        if (choose(random, 0, 3) == 0) any_part(random, part);
      },
      stack);
  stack.weights = static_cast<StackWeights>(choose(random, 0, 2));
  return stack;
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
                    .transformer = any_stack(random),
                    .overrides = any_overrides(random)};
  for (std::size_t more = choose(random, 0, kAddresses.size() - 1); more > 0; --more)
    document.layers.push_back(any_compared_layer(random, document.layer()));
  for (Address at = kLayerB; document.has(at); ++at.layer)
    for (StageOverride typed : any_overrides(random))
      typed.workspace = "pipeline", typed.stage = "scores", typed.layer = at,
      document.overrides.push_back(std::move(typed));
  for (const Address at : {Address{0, LayerHome::encoder}, {1, LayerHome::decoder}, {0, LayerHome::cross}})
    for (StageOverride typed : document.has(at) ? any_overrides(random) : std::vector<StageOverride>())
      typed.layer = at, typed.stage = "scores", document.overrides.push_back(std::move(typed));
  return document;
}

}  // namespace attn::tests
