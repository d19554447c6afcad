// The layer's stages, its loss, the way back, and the steps of it.
#include "core/gradients/graph.h"

#include <algorithm>

#include "core/gradients/fields.h"
#include "core/gradients/loss.h"
#include "core/graph/rounding.h"

namespace attn {
namespace {

struct GradientsBuilder {
  Graph& graph;
  const Document& document;
  GradientsPlaces places = {};

  const Stage& stage(StageIndex index) const { return graph.stages[index]; }
  bool has_gradient(StageIndex index) const { return places.gradients.find(index).has_value(); }
};

// The first traced stage of a role, as far as it has a gradient.
void add_first(GradientsBuilder& b, Role role, std::vector<StageIndex>& to) {
  if (const auto found = b.graph.find(role, b.places.part); found && b.has_gradient(*found))
    to.push_back(*found);
}

// What the document gives, or a seed in its place; rounded, where the layer rounds it.
bool is_input(const GradientsBuilder& b, StageIndex index) {
  const Stage& made = b.stage(computing(b.graph, index));
  return b.stage(index).drawn != Drawn::never && (made.given() || made.traits.made_from_seed);
}

void find_shown(GradientsBuilder& b) {
  GradientsPlaces& p = b.places;
  for (StageIndex i = 0; i <= p.layer.output; ++i) {
    if (!is_input(b, i) || !b.has_gradient(i)) continue;
    if (b.stage(i).drawn == Drawn::parameters)
      p.parameters.push_back(i);
    else if (b.stage(i).role == Role::token)
      p.tokens.push_back(i);
  }
  for (const Role role : {Role::query, Role::key, Role::value}) add_first(b, role, p.projected);
  for (const StageIndex i : {p.layer.weighed, p.layer.weights, p.layer.output})
    if (b.has_gradient(i)) p.attention.push_back(i);
}

// A masked score stands for none: −∞ times its gradient, 0, would be no number.
StageIndex multiplied(GradientsBuilder& b, StageIndex of) {
  const Stage number = b.stage(of);
  if (of != b.places.layer.weighed || !number.mask) return of;
  return b.graph.add({.id = "n_" + number.id,
                      .title = number.title + ", 0 where masked",
                      .formula = "masked → 0",
                      .symbol = number.symbol,
                      .operation = MaskFill{Fill::zero},
                      .inputs = {of, *number.mask},
                      .rows = number.rows,
                      .columns = number.columns,
                      .traced = false,
                      .role = Role::gradient,
                      .drawn = Drawn::never,
                      .stack = number.stack,
                      .read_only = "it follows from the scores: change those",
                      .mask = number.mask,
                      .gradient_of = of});
}

// Where they are shown in place of gradients.
void append_products(GradientsBuilder& b) {
  GradientsPlaces& p = b.places;
  p.products.resize(p.layer.output + 1);
  if (!b.document.gradients.times_number) return;
  for (const auto* shown : {&p.tokens, &p.projected, &p.parameters, &p.attention})
    for (const StageIndex i : *shown) {
      const StageIndex times = multiplied(b, i);
      const Stage gradient = b.stage(*p.gradients.find(i)), number = b.stage(i);
      const std::string& title = b.stage(i == p.layer.weighed ? p.layer.scores : i).title;
      Stage product{.id = "n_" + gradient.id,
                    .title = title + " ⊙ " + gradient.title,
                    .formula = "number × gradient",
                    .operation = Multiply{},
                    .inputs = {*p.gradients.find(i), times},
                    .rows = gradient.rows,
                    .columns = gradient.columns,
                    .role = Role::gradient,
                    .drawn = gradient.drawn,
                    .stack = gradient.stack,
                    .sentence = "what the number adds to the loss, to first order",
                    .read_only = gradient.read_only,
                    .mask = gradient.mask,
                    .gradient_of = i,
                    .gaps = i == p.layer.weighed};  // a score of −∞ without a mask
      p.products[i] = b.graph.add(std::move(product));
    }
}

// What the canvas shows stands on it, with what it shows beneath; all else of the layer is looked through.
void draw_shown_alone(GradientsBuilder& b) {
  const GradientsPlaces& p = b.places;
  std::vector<bool> shown(b.graph.stages.size(), false);
  for (const auto* stages : {&p.tokens, &p.projected, &p.parameters, &p.attention})
    for (const StageIndex i : *stages) shown[i] = shown[*p.beneath(i)] = shown[*p.gradients.find(i)] = true;
  for (StageIndex i = 0; i < shown.size(); ++i) {
    Stage& stage = b.graph.stages[i];
    if (stage.part != p.part || stage.role == Role::loss) continue;
    // Though the Pipeline has them never, as the output of one head, or inside an opened softmax.
    const bool elsewhere = stage.drawn == Drawn::never || stage.drawn == Drawn::inside;
    stage.drawn = !shown[i] ? Drawn::never : elsewhere ? Drawn::always : stage.drawn;
  }
}

// As they come on the way back, by what the gradients are of.
struct BackwardStep {
  const char *title, *says;
  std::vector<Role> of;
};

void add_steps(GradientsBuilder& b) {
  const BackwardStep kLossStep{"loss", "one number of the output", {Role::loss}};
  const std::vector<BackwardStep> kSteps{
      {"dO", "what the loss asks of the output", {Role::output, Role::plain}},
      {"dV · dA", "through the mixture", {Role::weights, Role::value}},
      {"dS", "through the softmax", {Role::score, Role::bias, Role::mask, Role::statistic}},
      {"dQ · dK", "through the scores", {Role::query, Role::key}},
      {"dX", "through the projections", {Role::token}}};
  const std::size_t first = b.graph.add_step({.title = kLossStep.title, .says = kLossStep.says});
  for (const BackwardStep& step : kSteps) b.graph.add_step({.title = step.title, .says = step.says});
  const std::size_t last = b.graph.add_step({.title = "dW", .says = "what is learnt"});
  for (StageIndex i = b.places.layer.output + 1; i < b.graph.stages.size(); ++i) {
    Stage& stage = b.graph.stages[i];
    std::size_t step = first;
    if (stage.gradient_of && b.stage(*stage.gradient_of).role != Role::loss) {
      const Stage& of = b.stage(*stage.gradient_of);
      const bool learnt =
          of.drawn == Drawn::parameters && b.stage(computing(b.graph, *stage.gradient_of)).inputs.empty();
      const auto found = std::ranges::find_if(
          kSteps, [&](const BackwardStep& s) { return std::ranges::count(s.of, of.role) > 0; });
      step = learnt ? last : first + 1 + static_cast<std::size_t>(found - kSteps.begin());
    }
    stage.step = step;
    b.graph.steps[step].stages.push_back(i);
  }
  // A step is called by its first stage: one that is shown.
  const GradientsPlaces& p = b.places;
  const auto is_shown = [&](StageIndex i) {
    const auto of = b.stage(i).gradient_of;
    if (!of || p.beneath(*of) != i) return false;
    return std::ranges::any_of(std::array{&p.tokens, &p.projected, &p.parameters, &p.attention},
                               [&](const auto* shown) { return std::ranges::count(*shown, *of) > 0; });
  };
  for (std::size_t step = first; step <= last; ++step) {
    std::vector<StageIndex>& stages = b.graph.steps[step].stages;
    std::stable_partition(stages.begin(), stages.end(), is_shown);
  }
}

// As the document holds them, where they fit the layer.
void append_wanted(GradientsBuilder& b) {
  const Stage& weights = b.stage(b.places.layer.weights);
  const Shape shape{1, weights.shape.rows, weights.shape.columns};
  const Tensor& painted = b.document.gradients.wanted;
  const bool fits = painted.shape() == shape;
  Stage wanted{.id = std::string(gradients_field::wanted.stage),
               .title = std::string(gradients_field::wanted.symbol),
               .formula = "painted",
               .operation = Source{fits ? painted : Tensor(shape, std::vector<float>(shape.size(), 0))},
               .rows = weights.rows,
               .columns = weights.columns,
               .traced = false,
               .range = Range::unit,
               .drawn = Drawn::never,
               .sentence = std::string(gradients_field::wanted.number),
               .read_only =
                   "drag over it to want a weight, with the right button to take it away, and turn "
                   "the wheel for a share",
               .mask = weights.mask};
  if (fits) wanted.field = "gradients." + std::string(gradients_field::wanted.text.key);
  b.places.wanted = b.graph.add(std::move(wanted));
}

}  // namespace

Built build_gradients(const Document& document, Address address) {
  Graph graph{.overrides = overrides_of(document, kGradientsPlan, address)};
  for (StageOverride& typed : graph.overrides) typed.layer = kLayerA;  // without a prefix
  GradientsBuilder b{.graph = graph, .document = document};
  GradientsPlaces& p = b.places;
  p.layer = append_layer(graph, document.layer(address), {.address = address});
  p.part = graph.stages[p.layer.output].part;
  const Shape output = graph.stages[p.layer.output].shape;
  const DocumentLoss wanted = loss_of(document, address, output, document.gradients.loss);
  p.kind = wanted.loss.kind, p.instead = wanted.instead;
  p.loss = append_loss(graph, p.layer.output, wanted.loss);
  const Stage& loss = graph.stages[graph.stages[p.loss].computed_from.value_or(p.loss)];
  p.asked = *std::ranges::find_if(loss.inputs, [&](StageIndex i) { return i != p.layer.output; });
  // What is typed over those of other losses stays.
  for (const LossKind kind : {LossKind::typed, LossKind::mean_square, LossKind::cross_entropy})
    if (const DocumentLoss other = loss_of(document, address, output, kind);
        kind != p.kind && other.loss.kind == kind)
      append_asked(graph, p.layer.output, other.loss);
  p.gradients = append_gradients(graph, p.loss);
  find_shown(b);
  append_products(b);
  add_steps(b);
  draw_shown_alone(b);
  append_wanted(b);
  p.noise = {append_noise(graph, document.gradients, true), append_noise(graph, document.gradients, false)};
  return {std::move(graph), Places(std::move(b.places))};
}

}  // namespace attn
