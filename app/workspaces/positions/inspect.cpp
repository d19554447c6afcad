// What the inspector says of positions: the shift of one pair, the row, what happens past the training
// length, and what scores depend on.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/inspector/inspector_flow.h"
#include "app/inspector/inspector_numbers.h"
#include "app/widgets/turn.h"
#include "app/workspaces/positions/row.h"
#include "app/workspaces/positions/scene.h"
#include "core/attention/position_fields.h"
#include "core/text/text.h"

namespace attn {
namespace {

using namespace inspector;

constexpr double kRounding = 1e-9;

// The digits as a subscript.
std::string lowered(std::size_t number) {
  std::string text;
  for (const char digit : std::to_string(number))
    text += "\xe2\x82" + std::string(1, static_cast<char>(0x80 + digit - '0'));
  return text;
}

std::string fixed(double value, int decimals = 4) {
  return write(value, {decimals, false});
}

// The pair of the dimension that is looked at, else the first chosen one.
std::optional<std::size_t> looked_at(const PositionsScene& scene, const Position& position) {
  const auto stage = scene.stage(scene.places.map);
  const auto& spot = scene.frame.view.inspected;
  if (stage && spot && spot->stage == scene.results.graph.stages[*stage].id)
    if (const auto pair = pair_of(position, scene.spec.width, spot->cell.column)) return pair;
  const std::vector<std::size_t> chosen = chosen_pairs(scene.spec, position);
  return chosen.empty() ? std::nullopt : std::optional(chosen[0]);
}

void add_pair(Flow& flow, const PositionsScene& scene, const Position& position, TwoPositions at) {
  const auto pair = looked_at(scene, position);
  if (!pair) return;
  const Theme& theme = flow.theme();
  const double frequency = pair_frequencies(position, scene.spec.width)[*pair];
  const double angle = static_cast<double>(at.p) * frequency;
  const auto delta = static_cast<std::ptrdiff_t>(at.q) - static_cast<std::ptrdiff_t>(at.p);
  const double by = static_cast<double>(delta) * frequency;
  const std::string n = std::to_string(*pair), omega = "ω" + lowered(*pair);
  add_heading(flow, ("Pair " + n + " at p = " + std::to_string(at.p)).c_str());
  add_fact(flow, omega, shortest(static_cast<float>(frequency)), theme.text);
  add_fact(flow, std::to_string(at.p) + " · " + omega, in_radians(angle), theme.text);
  const double turns = angle / (2 * std::numbers::pi);
  add_fact(flow, "turns", fixed(turns), theme.text);
  add_fact(flow, "wavelength", fixed(2 * std::numbers::pi / frequency, 2) + " positions", theme.text);
  add_heading(flow, ("Shift by Δ = " + std::to_string(delta)).c_str());
  const double s = std::sin(angle), c = std::cos(angle), cb = std::cos(by), sb = std::sin(by);
  const auto row = [&](double a, double b, double x, double result) {
    add_fact(flow, "[" + fixed(a) + " " + fixed(b) + "] · " + fixed(x), "= " + fixed(result), theme.warning);
  };
  row(cb, sb, s, cb * s + sb * c);
  row(-sb, cb, c, -sb * s + cb * c);
  const double residual = shift_residual(position, scene.spec.width, at.p, delta);
  const bool zero = residual <= kRounding;
  add_fact(flow, "R(ωΔ)·PE[" + std::to_string(at.p) + "] − PE[" + std::to_string(at.q) + "]",
           write_distance(residual) + (zero ? " ✓" : ""), zero ? theme.good : theme.bad);
}

void add_row_facts(Flow& flow, const PositionsScene& scene) {
  const auto stage = scene.stage(scene.places.map);
  if (!stage || !has_rows(fitted(scene.shown(), scene.spec))) return;
  const Theme& theme = flow.theme();
  const Tensor& numbers = scene.numbers(*stage);
  const TwoPositions at = two_positions(scene.view(), numbers.rows());
  double square = 0;
  for (const float v : numbers.values().subspan(at.p * numbers.columns(), numbers.columns()))
    square += static_cast<double>(v) * static_cast<double>(v);
  const std::vector<float> alike = similarity_to(numbers, at.p);
  std::size_t nearest = at.p == 0 ? 1 : 0;
  for (std::size_t i = 0; i < alike.size(); ++i)
    if (i != at.p && alike[i] > alike[std::min(nearest, alike.size() - 1)]) nearest = i;
  add_heading(flow, ("Row " + std::to_string(at.p)).c_str());
  const double expected = std::sqrt(static_cast<double>(scene.spec.width) / 2);
  const bool equal = std::abs(std::sqrt(square) - expected) <= 1e-5 * expected;
  add_fact(flow, "norm", fixed(std::sqrt(square), 6) + (equal ? " = √(d/2) ✓" : ""),
           equal ? theme.good : theme.text);
  if (alike.size() > 1) add_fact(flow, "nearest other position", std::to_string(nearest), theme.text);
  add_fact(flow, "similarity with p+Δ",
           fixed(static_cast<double>(alike[at.q]) * square) + " of " + fixed(square, 2), theme.text);
}

// What each encoding does with positions that training has not seen.
const char* past_training(const Position& position) {
  struct PastTraining {
    const char* operator()(const NoPosition&) const { return "knows no positions"; }
    const char* operator()(const Sinusoidal&) const { return "goes on, unseen"; }
    const char* operator()(const Learned&) const { return "no row: refused"; }
    const char* operator()(const Rotary&) const { return "goes on, unseen"; }
    const char* operator()(const Alibi&) const { return "keeps falling"; }
    const char* operator()(const Relative&) const { return "as at ±k"; }
    const char* operator()(const T5Bias&) const { return "last bucket"; }
  };
  return std::visit(PastTraining{}, position);
}

void add_past_training(Flow& flow, const PositionsScene& scene) {
  const Theme& theme = flow.theme();
  add_heading(flow, ("Past L_max = " + std::to_string(scene.spec.trained)).c_str());
  for (const Position& position : scene.spec.encodings)
    add_fact(flow, std::string(position_text(position).title), past_training(position),
             std::holds_alternative<Learned>(position) ? theme.bad : theme.good);
}

void add_offset_checks(Flow& flow, const PositionsScene& scene) {
  const Theme& theme = flow.theme();
  add_heading(flow, "Scores depend on j − i alone");
  for (const PositionsPart& part : scene.places.scores) {
    if (!part.part) {
      add_fact(flow, part.title, part.why, theme.bad);
      continue;
    }
    const double uneven = scene.memo.facts.encodings[part.encoding].uneven;
    const bool even = uneven <= kRounding;
    add_fact(flow, part.title, even ? write_distance(uneven) + " ✓" : "no: " + amount(uneven),
             even ? theme.good : theme.warning);
  }
}

}  // namespace

void inspect_positions(Frame& frame, Flow& flow) {
  const auto scene = positions_scene(frame);
  if (!scene) return;
  if (const auto position = turning(scene->spec))
    add_pair(flow, *scene, *position, two_positions(scene->view(), scene->spec.length));
  add_row_facts(flow, *scene);
  add_past_training(flow, *scene);
  add_offset_checks(flow, *scene);
}

}  // namespace attn
