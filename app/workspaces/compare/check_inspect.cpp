// The inspector of a check: the number that is pinned, else the one that differs most at the first stage that
// does, in yours and in ours.
#include <algorithm>

#include "app/inspector/inspector_model.h"
#include "app/theme/toolkit.h"
#include "app/workspaces/compare/check_number.h"

namespace attn {
namespace {

using namespace inspector;

// The stage of ours that a stage of the check's graph stands for.
std::optional<StageIndex> stage_of_ours(const Results& results, const std::string& id) {
  const auto index = results.graph.find(id);
  if (!index) return std::nullopt;
  for (const ComparedStage& row : results.places.as<ComparePlaces>()->stages)
    if (row.a == index || row.b == index || row.difference == index) return row.a;
  return results.graph.stages[*index].part == 0 ? index : std::nullopt;
}

// Where the first stage that differs does so most.
std::optional<Spot> first_difference(const Results& results, const Diagnosis& found) {
  if (!found.first || *found.first >= found.stages.size()) return std::nullopt;
  const StageVerdict& first = found.stages[*found.first];
  const auto stage = results.graph.find(first.id);
  if (!stage || !first.same_shape) return std::nullopt;
  const Spot spot{first.id, cell_at(results.graph.stages[*stage].shape, first.at)};
  return exists(results, spot) ? std::optional(spot) : std::nullopt;
}

std::string number_verdict(const CheckNumber& number) {
  const StageVerdict* verdict = number.verdict();
  if (!verdict) return "not in the file";
  if (verdict->equal) return "equal";
  const auto& first = number.found->first;
  if (first && verdict == &number.found->stages[*first]) return "differs first";
  return verdict->follows ? "follows" : "differs too";
}

// Without “ours”: it is said of both.
std::string own_title(const Results& results, const Spot& spot) {
  std::string title = title_of(results, spot);
  const std::string part = " · " + results.graph.parts.front().title;
  if (title.ends_with(part)) title.resize(title.size() - part.size());
  return title;
}

// Draws all of it. Whether there was a number to draw.
bool draw_check_number(Frame& frame, Flow& flow, const Results& results, const Spot& spot, bool titled) {
  const auto stage = stage_of_ours(results, spot.stage);
  if (!stage || !holds(results.graph.stages[*stage].shape, spot.cell)) return false;
  const Study<Diagnosis> study = check_study(frame);
  const auto tried = shown_mistakes(frame);
  const Study<Mistaken> mistaken = tried ? study_mistaken(frame, *tried) : Study<Mistaken>{};
  const bool known = study.found && !study.stale;
  const CheckNumber number{
      .flow = flow,
      .results = results,
      .found = known ? study.found.get() : nullptr,
      .tried = tried ? &*tried : nullptr,
      .mistaken = mistaken.found && !mistaken.stale ? mistaken.found->results.get() : nullptr,
      .spot = {results.graph.stages[*stage].id, spot.cell},
      .stage = *stage,
      .given = given_stages(results.document.check)};
  const Theme& theme = flow.theme();
  if (titled) {
    ImGui::PushFont(theme.fonts.bold);
    const Rect line = add_line(flow);
    put_elided(flow, {line.min, {line.max.x - flow.px(96), line.max.y}}, own_title(results, number.spot),
               theme.text);
    ImGui::PopFont();
    put(flow, line, number_verdict(number), theme.dim, 1);
    press_to_open(flow, "first difference", line, number.spot);
    add_text(flow, sentence_of(results, number.spot), theme.dim, theme.fonts.small);
  } else {
    add_text(flow, number_verdict(number), theme.dim, theme.fonts.small);
  }
  ImGui::PushID("check");
  draw_number_table(number);
  draw_number_terms(number);
  draw_number_words(number);
  draw_mending(number);
  ImGui::PopID();
  return true;
}

}  // namespace

const StageVerdict* CheckNumber::verdict() const {
  if (!found) return nullptr;
  const auto verdict = std::ranges::find(found->stages, own().id, &StageVerdict::id);
  return verdict == found->stages.end() ? nullptr : &*verdict;
}

bool CheckNumber::of_pair() const {
  return own().rows.along == Axis::queries && own().columns.along == Axis::keys;
}

std::optional<double> CheckNumber::yours(const Stage& of, Cell cell) const {
  for (const GivenStage& one : given)
    if (one.id == of.id && holds(one.numbers.shape(), cell)) return static_cast<double>(one.numbers[cell]);
  const StageResult with = mistaken ? mistaken->result(of.id) : StageResult();
  return with.holds(cell) ? std::optional(static_cast<double>(with[cell])) : std::nullopt;
}

std::optional<double> CheckNumber::ours(const Stage& of, Cell cell) const {
  const StageResult result = results.result(of.id);
  return result.holds(cell) ? std::optional(static_cast<double>(result[cell])) : std::nullopt;
}

bool open_in_check(Frame& frame, Flow& flow, const Spot& spot) {
  const Results* results = check_results(frame);
  return results && draw_check_number(frame, flow, *results, spot, false);
}

void inspect_check(Frame& frame, Flow& flow) {
  const Results* results = check_results(frame);
  if (!results) return;
  const auto& inspected = frame.view.inspected;
  if (inspected && stage_of_ours(*results, inspected->stage)) return;  // said where it is opened
  if (given_stages(frame.draft.check).empty()) return;                 // the canvas says what to open
  const Study<Diagnosis> study = check_study(frame);
  if (!study.found || study.stale) {
    if (study.error.empty()) add_text(flow, "searching …", flow.theme().dim);
    return;  // what went wrong is said where the diagnosis is
  }
  if (study.found->equal())
    return add_text(flow, "Equal at every stage: nothing to mend.", flow.theme().good);
  if (const auto spot = first_difference(*results, *study.found))
    draw_check_number(frame, flow, *results, *spot, true);
}

}  // namespace attn
