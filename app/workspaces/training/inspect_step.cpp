// One number of the parameters: how the optimiser moves it at the step that is shown, held against what the
// device stored and against a central difference.
#include <algorithm>
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "app/workspaces/training/inspect_parts.h"
#include "core/checks/training_difference.h"
#include "core/text/text.h"

namespace attn {
namespace {

using namespace inspector;

// "−2.416e−3": four digits, a power of ten where it is small.
std::string step_number(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  return size < 0.01 || size >= 1e4 ? write(value, {3, true}) : write(value, {6});
}

void fact(Flow& flow, const std::string& name, double value, bool strong = false) {
  const Theme& theme = flow.theme();
  add_pair(flow, name, step_number(value), strong ? theme.text : theme.dim,
           strong ? theme.warning : theme.text);
}

std::string of_beta(double beta, const char* letter, const char* gradient) {
  return brief(beta) + "·" + letter + " + " + brief(1 - beta) + "·" + gradient;
}

void draw_adam(Flow& flow, const ParameterStep& op, const StepArithmetic& s) {
  const std::string t = std::to_string(s.t);
  fact(flow, "gradient g", s.gradient);
  if (s.decayed != s.gradient) fact(flow, "g + " + brief(op.decay) + "·θ", s.decayed);
  fact(flow, "m = " + of_beta(op.beta1, "m", "g"), s.m);
  fact(flow, "v = " + of_beta(op.beta2, "v", "g²"), s.v);
  fact(flow, "m′ = m ÷ (1 − " + brief(op.beta1) + "^" + t + ")", s.m_hat);
  fact(flow, "v′ = v ÷ (1 − " + brief(op.beta2) + "^" + t + ")", s.v_hat);
  fact(flow, "rate", s.rate);
  if (s.shrunk != 0) fact(flow, "− rate·" + brief(op.decay) + "·θ", -s.shrunk);
  fact(flow, "− rate·m′ ÷ (√v′ + ε)", s.step, true);
}

TimeCurve parameter_over_time(const TrainingScene& scene, ParameterCell cell) {
  TimeCurve curve;
  for (const auto& snapshot : scene.log().snapshots) {
    curve.steps.push_back(snapshot->state.step);
    curve.values.push_back(
        static_cast<double>(snapshot->state.parameters[cell.parameter][{0, cell.row, cell.column}]));
  }
  return curve;
}

std::optional<StepArithmetic> arithmetic_of(const TrainingScene& scene, ParameterCell cell) {
  if (!scene.taken) return std::nullopt;
  return step_arithmetic(scene.run.spec->optimizer, *scene.taken, cell);
}

struct DifferenceKey {
  std::shared_ptr<const StepTaken> taken = {};
  ParameterCell cell = {};
  bool operator==(const DifferenceKey&) const = default;
};
struct DifferenceFound {
  std::optional<Difference> of_device = {};
};

Study<DifferenceFound> difference_of(TrainingScene& scene, ParameterCell cell) {
  const DifferenceKey key{scene.taken, cell};
  const auto begin = [&]() -> StudyStep<DifferenceFound> {
    return [key, spec = scene.run.spec, made = std::shared_ptr<TrainingDifference>()](DifferenceFound& found,
                                                                                      Backend&) mutable {
      if (!made) made = std::make_shared<TrainingDifference>(*spec, *key.taken, key.cell);
      if (!made->step()) return false;
      found.of_device = made->found();
      return true;
    };
  };
  return scene.frame.studies.of<DifferenceFound>("training.difference", key, begin);
}

void verdict(Flow& flow, const std::string& name, const std::string& value, bool good) {
  const Theme& theme = flow.theme();
  add_pair(flow, name, value + (good ? " ✓" : " ✗"), theme.text, good ? theme.good : theme.bad);
}

void draw_row_sums(Flow& flow, const TrainingScene& scene) {
  if (!scene.seen) return;
  double off = 0;
  std::size_t maps = 0;
  for (const Tensor& map : scene.seen->maps) {
    maps += map.stack();
    for (std::size_t row = 0; row < map.stack() * map.rows(); ++row) {
      double sum = 0;
      for (const float weight : map.values().subspan(row * map.columns(), map.columns()))
        sum += static_cast<double>(weight);
      off = std::max(off, std::abs(sum - 1));
    }
  }
  verdict(flow, "row sums of " + std::to_string(maps) + " maps", "1 ± " + write_distance(off), off < 1e-5);
}

}  // namespace

void draw_optimiser_step(Flow& flow, TrainingScene& scene) {
  const auto opened = opened_parameter(scene);
  if (!opened) return;
  const Theme& theme = flow.theme();
  const ParameterStep& op = scene.run.spec->optimizer;
  const char* name = op.kind == OptimizerKind::adam    ? "Adam"
                     : op.kind == OptimizerKind::adamw ? "AdamW"
                                                       : "SGD";
  add_heading(flow, (std::string(name) + " at " + opened->title).c_str());
  if (const auto s = arithmetic_of(scene, opened->cell)) {
    if (op.kind == OptimizerKind::sgd) {
      fact(flow, "gradient g", s->gradient);
      fact(flow, "rate", s->rate);
      if (s->shrunk != 0) fact(flow, "− rate·" + brief(op.decay) + "·θ", -s->shrunk);
      fact(flow, "− rate·g", s->step, true);
    } else {
      draw_adam(flow, op, *s);
    }
    add_pair(flow, "θ before", write(s->before, {7}, true), theme.text, theme.text);
    add_pair(flow, "θ after", write(s->after, {7}, true), theme.text, theme.text);
  } else {
    add_text(flow,
             scene.frame.canvas().playing  ? "pause to see the arithmetic of a step"
             : scene.log().end_step() == 0 ? "no step has been taken yet"
                                           : "the step is being made again…",
             theme.dim);
  }
  const TimeCurve curve = parameter_over_time(scene, opened->cell);
  draw_time_curve(flow, scene, "parameter over time", curve, theme.accent);
  if (!curve.values.empty())
    add_text(flow,
             "θ over the run: " + write(curve.values.front(), {3}, true) + " → " +
                 write(curve.values.back(), {3}, true),
             theme.dim, theme.fonts.small);
}

void draw_learning_rate(Flow& flow, TrainingScene& scene) {
  const Theme& theme = flow.theme();
  const ParameterStep& op = scene.run.spec->optimizer;
  add_heading(flow, "Learning rate");
  add_text(flow,
           op.warm_up > 0 ? std::to_string(op.warm_up) + " steps of warm-up, then " + brief(op.rate)
                          : brief(op.rate) + " from the first step on",
           theme.dim, theme.fonts.small);
  TimeCurve curve;
  for (const std::size_t step : {std::size_t{0}, std::min(op.warm_up, scene.last), scene.last}) {
    curve.steps.push_back(step);
    curve.values.push_back(rate_at(op, static_cast<double>(std::max<std::size_t>(1, step))));
  }
  if (op.warm_up <= 1) curve.values.front() = curve.values.back();
  draw_time_curve(flow, scene, "rate over time", curve, theme.accent);
}

void draw_training_checks(Flow& flow, TrainingScene& scene) {
  const auto opened = opened_parameter(scene);
  add_heading(flow, "Checks");
  if (opened && scene.taken) {
    const auto study = difference_of(scene, opened->cell);
    if (!study.error.empty())
      add_pair(flow, "gradient, central difference", "none", flow.theme().text, flow.theme().dim);
    else if (study.found && !study.stale && study.found->of_device)
      verdict(flow, "gradient, central difference", write_distance(study.found->of_device->error),
              study.found->of_device->share <= 1);
    else
      add_pair(flow, "gradient, central difference", "…", flow.theme().text, flow.theme().dim);
    if (const auto s = arithmetic_of(scene, opened->cell))
      verdict(flow, "θ after − arithmetic", write_distance(std::abs(s->difference())),
              std::abs(s->difference()) <= 1e-6 * std::max(1.0, std::abs(s->after)));
  }
  draw_row_sums(flow, scene);
}

}  // namespace attn
