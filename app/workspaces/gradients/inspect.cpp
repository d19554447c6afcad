// What the inspector says of gradients besides one number: which are exactly 0 and why, what must hold, and
// where to look at them next.
#include <algorithm>

#include "app/frame/studies.h"
#include "app/inspector/checks_panel.h"
#include "app/inspector/inspector_numbers.h"
#include "app/workspaces/gradients/inspect.h"
#include "app/workspaces/gradients/row.h"
#include "app/workspaces/gradients/scene.h"
#include "core/gradients/zeros.h"

namespace attn {
namespace {

using namespace inspector;

constexpr std::size_t kMostZeros = 6;       // lines, until a person opens the rest
constexpr std::size_t kMostRead = 1 << 16;  // numbers of dS that are gone through while a frame is drawn

// What is found by going through all numbers.
struct GradientFacts {
  std::vector<ExactZeros> zeros = {};
  std::optional<FarthestSum> sum = {};  // where rows of dS keep theirs
  bool known = false;
  bool stale = false;  // of results before: its stages may be others
  std::size_t bytes() const { return zeros.size() * sizeof(ExactZeros); }
};

GradientFacts facts_of(const Results& results) {
  const auto& places = *results.places.as<GradientsPlaces>();
  GradientFacts facts{.zeros = exact_zeros(results, places), .known = true};
  const auto d_scores = places.gradients.find(places.layer.weighed);
  const auto passed = d_scores ? weights_flow(results.graph, *d_scores) : std::nullopt;
  const auto here = [&](StageIndex i) { return results.outputs[i].here(); };
  if (passed && keeps_sum(results.graph, passed->weights) && here(passed->d_scores) &&
      here(passed->weights) && here(passed->d_weights))
    facts.sum = farthest_sum(results, *passed);
  return facts;
}

// Of many numbers behind the results: not known before.
GradientFacts facts_of(Frame& frame) {
  const auto& results = frame.engine.results;
  const StageIndex weighed = results->places.as<GradientsPlaces>()->layer.weighed;
  if (results->graph.stages[weighed].shape.size() <= kMostRead)
    return frame.memos.of<GradientFacts>(results,
                                         [](GradientFacts& memo, const Results& of) { memo = facts_of(of); });
  const auto study =
      frame.studies.of<GradientFacts>("zeros of gradients", results, [&]() -> StudyStep<GradientFacts> {
        return [results](GradientFacts& facts, Backend&) {
          facts = facts_of(*results);
          return true;
        };
      });
  GradientFacts facts = study.found ? *study.found : GradientFacts();
  facts.stale = study.stale;
  return facts;
}

// What and why; reasons that are longer than a line below it.
Rect add_zero(Flow& flow, const std::string& what, const std::string& why, ImU32 ink, ImU32 colour) {
  if (text_width(why) <= flow.width()) return add_pair(flow, what, why, ink, colour);
  Rect place = add_pair(flow, what, "", ink, colour);
  add_text(flow, why, colour, flow.theme().fonts.small);
  place.max.y = flow.y;
  return place;
}

void draw_zeros(Flow& flow, const Results& results, const GradientFacts& facts) {
  if (facts.known && facts.zeros.empty()) return;
  add_heading(flow, "Exactly 0, and why");
  const Theme& theme = flow.theme();
  if (!facts.known) return add_text(flow, "counting…", theme.dim);
  const std::size_t shown = shown_of("zeros", facts.zeros.size(), kMostZeros);
  for (std::size_t i = 0; i < shown; ++i) {
    const ExactZeros& zero = facts.zeros[i];
    const bool all = zero.zeros == zero.of;
    const std::string value =
        zero.counted() ? std::to_string(zero.zeros) + " of " + std::to_string(zero.of) + (all ? " ✓" : "")
                       : zero.why;
    const auto ink = [&](ImU32 colour) { return facts.stale ? with_alpha(colour, kLagging) : colour; };
    const Rect line = add_zero(flow, zero.what, value, ink(theme.text),
                               ink(zero.counted() && all ? theme.good : theme.dim));
    if (facts.stale) continue;
    const Stage& stage = results.graph.stages[zero.stage];
    if (press(flow, "zero" + std::to_string(i), line, "Opens " + cell_text(stage, zero.cell) + "."))
      open_number(flow, {stage.id, zero.cell});
  }
  add_more(flow, "zeros", facts.zeros.size(), kMostZeros);
}

// Of a number of the layer: its gradient, to be opened.
void draw_gradient_of(Flow& flow, const Results& results, const Spot& spot) {
  const auto gradient = results.places.as<GradientsPlaces>()->gradients.find(*results.graph.find(spot.stage));
  if (!gradient || !is_known(results, *gradient, spot.cell)) return;
  const Stage& stage = results.graph.stages[*gradient];
  add_heading(flow, "Its gradient");
  const Rect line =
      add_pair(flow, "→ " + cell_text(stage, spot.cell),
               write(figure_at(results, *gradient, spot.cell).value), flow.theme().text, flow.theme().text);
  press_to_open(flow, "its gradient", line, Spot{stage.id, spot.cell});
}

// The number of the layer that is pinned or that the pinned gradient is of, where it lies in a row of scores
// or weights.
std::optional<Spot> row_number(const Results& results, const std::optional<Spot>& spot) {
  const auto index = spot ? results.graph.find(spot->stage) : std::nullopt;
  if (!index) return std::nullopt;
  const StageIndex of = results.graph.stages[*index].gradient_of.value_or(*index);
  const Stage& stage = results.graph.stages[of];
  const bool pair = stage.rows.along == Axis::queries && stage.columns.along == Axis::keys;
  if (!pair || !results.places.as<GradientsPlaces>()->gradients.find(of) || !holds(stage.shape, spot->cell))
    return std::nullopt;
  return Spot{stage.id, spot->cell};
}

}  // namespace

void inspect_gradients(Frame& frame, Flow& flow) {
  if (!has_numbers(frame.engine.results)) return;
  const Results& results = *frame.results;
  const auto& spot = frame.view.inspected;
  if (!spot) {
    ImGui::PushFont(flow.theme().fonts.bold);
    put(flow, add_line(flow), "Gradients", flow.theme().text);
    ImGui::PopFont();
    add_text(flow,
             "How fast the loss grows with each number: beneath it. Click a gradient to see what it "
             "was made from and which way the loss falls, a number above for its own arithmetic.",
             flow.theme().dim);
  } else if (exists(results, *spot)) {
    draw_gradient_of(flow, results, *spot);
  }
  draw_zeros(flow, results, facts_of(frame));
}

void check_gradients(Frame& frame, std::vector<CheckLine>& lines) {
  auto scene = gradients_scene(frame);
  if (!scene) return;
  const auto verdict = [&](bool holds) {
    return !holds ? CheckLine::bad : has_faults(frame.engine) ? CheckLine::plain : CheckLine::good;
  };
  if (const GradientFacts facts = facts_of(frame); const auto& sum = facts.sum) {
    const Stage& d_scores = scene->stage(*scene->places().gradients.find(scene->places().layer.weighed));
    lines.push_back({.name = "rows of " + d_scores.title + " add up to",
                     .value = write_distance(sum->sum),
                     .verdict = facts.stale ? CheckLine::plain : verdict(sum->holds),
                     .culprit = facts.stale ? std::nullopt : std::optional(Spot{d_scores.id, sum->where}),
                     .explanation =
                         "Weights of a row add up to 1 however its scores move, so their gradients add "
                         "up to 0. The row that is farthest from it; click to go there."});
  }
  if (const auto proof = proof_verdict(*scene))
    lines.push_back({.name = "finite differences",
                     .value = write_distance(proof->error),
                     .verdict = proof->stale ? CheckLine::plain : verdict(proof->accepted),
                     .explanation =
                         "How far the gradient lies from the quotient of two losses, relative to the "
                         "larger of them: of the pinned number, else of the input that was clicked "
                         "last."});
}

void lead_on_gradients(Frame& frame, Flow& flow) {
  if (!has_numbers(frame.engine.results)) return;
  const auto row = row_number(*frame.results, frame.view.inspected);
  const auto takes = std::ranges::find_if(frame.workspaces, [](const Workspace& w) { return w.take_row; });
  const auto compare = std::ranges::find(frame.table, kCompareWhatIf, &Command::name);
  std::vector<std::string> labels;
  const bool rows = row && takes != frame.workspaces.end();
  if (rows) labels.push_back("row in " + std::string(takes->title));
  if (compare != frame.table.end()) labels.push_back(compare->title);
  if (labels.empty()) return;
  add_heading(flow, "Open");
  const auto pressed = add_chips(
      flow, "open", labels, "Looks at it there; the tab leads back. A layer to compare is a step of undo.");
  if (!pressed) return;
  if (*pressed > 0 || !rows) return frame.commands.push_back(kCompareWhatIf);
  frame.view.pinned = row;
  takes->take_row(frame.draft, row->cell.head, row->cell.row);
  frame.asks.emplace_back(ShowWorkspace{&*takes});
}

}  // namespace attn
