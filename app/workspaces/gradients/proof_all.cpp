// Every input against differences, in a line; the controls and the commands of the proof, and what others ask
// of it.
#include <GLFW/glfw3.h>

#include <cmath>

#include "app/fields/field_rows.h"
#include "app/fields/field_states.h"
#include "app/inspector/inspector_model.h"
#include "app/widgets/chips.h"
#include "app/widgets/press.h"
#include "app/workspaces/gradients/proof_study.h"

namespace attn {
namespace {

// What is stale may be of a stage that is no more.
bool exists_now(const GradientsScene& scene, const Difference& found) {
  return found.stage < scene.results.graph.stages.size() && holds(scene.stage(found.stage).shape, found.cell);
}

struct ProofWords {
  std::string text;
  ImU32 colour = 0;
};

// One that was asked for and goes on may be ended.
bool may_stop(const GradientsScene& scene, const Study<ProofOfAll>& study) {
  return !study.done && !checked_unasked(scene.results);
}

ProofWords words_of_all(const GradientsScene& scene, const Study<ProofOfAll>& study) {
  const Theme& theme = scene.frame.theme;
  const bool stops = may_stop(scene, study);
  const std::string stop = " · C stops it";
  if (!study.found || study.found->check.all == 0) return {"0 inputs …" + (stops ? stop : ""), theme.dim};
  const DifferenceCheck& check = study.found->check;
  std::string text = std::to_string(check.numbers) + " of " + std::to_string(check.all) + " inputs";
  if (stops && !study.stale) text += ", " + std::to_string(100 * check.numbers / check.all) + " %";
  if (stops) text += stop;
  if (check.crossed > 0) text += " · " + std::to_string(check.crossed) + " at a bend";
  if (!check.worst || !exists_now(scene, *check.worst)) return {text, theme.dim};
  text += " · worst " + inspector::write(check.worst->error, {0, true}) + " at " +
          proof_name(scene, check.worst->stage, check.worst->cell) + (check.accepted() ? " ✓" : " ✗");
  return {text, check.accepted() ? theme.good : theme.bad};
}

std::string duration(double seconds) {
  const auto about = [&](double unit, const char* name) {
    return "about " + std::to_string(static_cast<long>(std::ceil(seconds / unit))) + name;
  };
  if (seconds < 90) return about(1, " s");
  return seconds < 90 * 60 ? about(60, " min") : about(3600, " h");
}

}  // namespace

std::string proof_name(const GradientsScene& scene, StageIndex stage, Cell cell) {
  const Stage& s = scene.stage(stage);
  const std::string at = inspector::cell_text(s, cell).substr(s.title.size());
  const std::string name = matrix_title(scene, stage) + at;
  return s.shape.stack > 1 ? name + " · head " + std::to_string(cell.head) : name;
}

std::string nudge_text(double h) {
  const double digits = h / std::pow(10, std::floor(std::log10(h) + 1e-9));
  return inspector::write(h, {std::abs(digits - std::round(digits)) < 1e-6 ? 0 : 1, true});
}

std::optional<ProofFault> proof_fault(const GradientsScene& scene, const std::optional<double>& in_double) {
  const StageResult& loss = scene.results.outputs[scene.places().loss];
  const double computed = loss.holds({}) ? static_cast<double>(loss[{}]) : 0;
  if (std::isfinite(computed) && std::isfinite(in_double.value_or(0))) return std::nullopt;
  ProofFault fault{.loss = std::isfinite(computed) ? *in_double : computed};
  const auto& checks = scene.frame.engine.checks;
  if (checks && !checks->faults.empty()) fault.first = checks->faults.front();
  return fault;
}

std::optional<ProofVerdict> proof_verdict(GradientsScene& scene) {
  const Study<ProofPair> study = study_pair(scene);
  const auto found = found_of(scene, study, proof_places(scene)[0] ? 0 : 1);
  const auto shown = found && !found->crosses ? shown_difference(scene, *found) : std::nullopt;
  if (!shown) return std::nullopt;
  return ProofVerdict{shown->error, shown->share <= 1, study.stale};
}

void draw_proof_of_all(GradientsScene& scene, Rect line) {
  const Theme& theme = scene.frame.theme;
  const ImFont* font = theme.fonts.small;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto study = study_all(scene);
  if (!study) {
    const std::string words = "C checks all " + std::to_string(inputs_to_check(scene.results)) + " inputs, " +
                              duration(seconds_to_check(scene.results));
    draw_text(list, font, line.min, theme.faint, elided(font, words, line.width()));
    if (press_area(theme, "check all", line, std::string(gradients_view_field::check_all.text.sentence)))
      scene.view().check_all = true;
    return;
  }
  const auto [words, colour] = words_of_all(scene, *study);
  const std::string text = "checked " + words;
  draw_text(list, font, line.min, study->stale ? with_alpha(colour, kLagging) : colour,
            text_width(font, text) <= line.width() ? text : elided(font, words, line.width()));
  if (may_stop(scene, *study)) {
    if (press_area(theme, "stop", line, text + "\nclick: stop")) scene.view().check_all = false;
    return;
  }
  if (study->stale) return;
  if (!study->found || !study->found->check.worst) return;
  const Difference& worst = *study->found->check.worst;
  if (press_area(theme, "worst", line, text + "\nclick: pin the worst"))
    pin_matrix_cell(scene, worst.stage, worst.cell);
}

void draw_proof_controls(Frame& frame, Column column) {
  namespace f = gradients_view_field;
  GradientsView& view = frame.view.of<GradientsView>();
  const bool always = has_numbers(frame.engine.results) && checked_unasked(*frame.engine.results);
  const std::string state =
      states({"h " + nudge_text(view.nudge), state_of(f::check_all, view.check_all || always),
              state_of(f::on_device, view.on_device)});
  if (!foldable_section(frame, column, {.title = "Proof", .state = state, .open = true})) return;
  NumberBox box = box_of(f::nudge, view.nudge);
  box.shown = nudge_text(view.nudge);
  const FieldRow nudge = row_in("gradients", f::nudge.text);
  if (const auto h = number_row(frame, column, nudge, box)) view.nudge = *h;
  refusal(frame, column, nudge.id);
  ChipRow row(frame.theme, column.left, column.right);
  if (always)
    row.add({.id = "gradients.check_all",
             .text = std::string(f::check_all.text.title),
             .tooltip = std::string(f::check_all.text.sentence) + "; always, of a layer as small as this one",
             .on = true});
  else
    gradients_chip(row, f::check_all, view.check_all);
  gradients_chip(row, f::on_device, view.on_device);
}

void proof_commands(std::vector<Command>& table, const Desk& desk) {
  const GradientsView& view = desk.view.of<GradientsView>();
  const auto& results = desk.engine.results;
  const bool always = has_numbers(results) && checked_unasked(*results);
  Command all = ticked(
      "gradients.check_all", "Check all inputs against differences", kGradientsMenu, view.check_all || always,
      [](Desk& d) { d.view.of<GradientsView>().check_all ^= true; }, plain(GLFW_KEY_C));
  all.enabled = !always;
  table.push_back(std::move(all));
  table.push_back(ticked("gradients.on_device", "The proof is of the device's gradients", kGradientsMenu,
                         view.on_device, [](Desk& d) { d.view.of<GradientsView>().on_device ^= true; }));
}

}  // namespace attn
