// Why run B cannot learn the task, or does worse: a sentence with its numbers.
#include <algorithm>
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "app/theme/contrast.h"
#include "app/theme/toolkit.h"
#include "app/workspaces/training/scene.h"
#include "core/learning/evidence.h"
#include "core/text/text.h"

namespace attn {
namespace {

using inspector::write;
using inspector::write_distance;

std::string off_words(double off) {
  return off >= 0.01 ? write(off, {2}) : write_distance(off);
}

struct EvidenceFound {
  std::optional<PermutationEvidence> a = {}, b = {};
};
struct EvidenceKey {
  std::shared_ptr<const TrainingSnapshot> a = {}, b = {};
  bool operator==(const EvidenceKey&) const = default;
};

// Of the last snapshots of both, once neither goes on.
std::optional<EvidenceFound> evidence_of(const TrainingScene& scene) {
  const TrainedRun &a = *scene.runs.a, &b = *scene.runs.b;
  if (scene.frame.canvas().playing || a.log.snapshots.empty() || b.log.snapshots.empty()) return std::nullopt;
  const EvidenceKey key{a.log.snapshots.back(), b.log.snapshots.back()};
  const auto begin = [&]() -> StudyStep<EvidenceFound> {
    return [key, of_a = a.spec, of_b = b.spec](EvidenceFound& found, Backend& backend) {
      found.a = permutation_evidence(backend, *of_a, key.a->state.parameters);
      found.b = permutation_evidence(backend, *of_b, key.b->state.parameters);
      return true;
    };
  };
  const auto study = scene.frame.studies.of<EvidenceFound>("training.evidence", key, begin);
  return study.found && !study.stale ? std::optional(*study.found) : std::nullopt;
}

// With how far chance may carry an accuracy: two standard errors, of rows whose answers are right or wrong
// together, as they are where all depends on which symbols there are.
std::string reached_words(const TrainedRun& run) {
  const TrainingScore& score = run.log.snapshots.back()->score;
  const auto rows = static_cast<double>(scored_rows(*run.spec));
  const double error = 2 * std::sqrt(score.accuracy * (1 - score.accuracy) / rows);
  return std::string(1, run.letter) + " reaches accuracy " + write(score.accuracy, {3}) + " ± " +
         write(error, {2}) + " and loss " + write(score.loss, {3});
}

std::string on_held_out(const TrainedRun& run, const std::string& reached) {
  return " On " + std::to_string(scored_rows(*run.spec)) + " held-out rows " + reached + ".";
}

struct WhyWords {
  std::string title, words;
};

WhyWords without_positions(const TrainingScene& scene) {
  const TrainedRun& b = *scene.runs.b;
  const auto bound = known_bound(scene);
  const std::string end = on_held_out(b, reached_words(b));
  if (b.spec->model.sides == TrainingSides::causal)
    return {"B needs no positions",
            "Each place sees the places before it and no others, and so the causal mask tells the order: the "
            "first sees "
            "one symbol, the next two. A position only says it sooner." +
                end};
  if (!bound) return {"B needs no positions", "The answer does not depend on where a symbol stands." + end};
  std::string words = "Without positions, permuting the input only permutes the output";
  if (b.spec->model.sides == TrainingSides::both)
    words = reads_written(b.spec->model)
                ? "Without positions, permuting the input changes nothing"
                : "Without positions all slots are alike, and permuting the input changes nothing";
  if (const auto found = evidence_of(scene); found && found->a && found->b)
    words += ": off by " + off_words(found->b->off) + " in B, by " + off_words(found->a->off) + " in A";
  words +=
      reads_written(b.spec->model)
          ? ". An answer can depend on which symbols there are and on the answers before it, never on where "
            "those symbols stand. Exactly: accuracy ≤ "
          : ". An answer can depend on which other symbols there are, never on where they stand: at best it "
            "names the commonest. Exactly: accuracy ≤ ";
  words += write(bound->accuracy, {3}) + ", loss ≥ " + write(bound->loss, {3}) + ".";
  return {"Why B cannot learn it", words + end};
}

WhyWords why_words(const TrainingScene& scene) {
  const TrainedRun &a = *scene.runs.a, &b = *scene.runs.b;
  const std::string end = on_held_out(b, reached_words(a) + ", and " + reached_words(b));
  const std::size_t d_k = a.spec->model.width / a.spec->model.heads;
  switch (scene.runs.settings.beside) {
    case RunDifference::scale_off:
      return {"What the scale does", "B does not divide its scores by √" + std::to_string(d_k) + " = " +
                                         write(std::sqrt(static_cast<double>(d_k)), {2}) +
                                         ": they are that many times as large, its rows collapse sooner onto "
                                         "a single key, and a collapsed row "
                                         "passes little gradient." +
                                         end};
    case RunDifference::one_head:
      return {"What several heads do",
              "B has one head of width " + std::to_string(b.spec->model.width) + " where A has " +
                  std::to_string(a.spec->model.heads) + " of width " + std::to_string(d_k) +
                  ": with as many parameters, each place has a single pattern to look by." + end};
    case RunDifference::no_residual:
      return {"What the residual does",
              "Each block of B takes the place of the stream that it reads: what went in reaches the end "
              "through every "
              "block alone, and so does the gradient on its way back." +
                  end};
    default:
      return without_positions(scene);
  }
}

}  // namespace

void draw_training_why(TrainingScene& scene, Rect area) {
  if (!scene.runs.b || scene.runs.b->log.snapshots.empty() || scene.runs.a->log.snapshots.empty()) return;
  const Theme& theme = scene.theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const WhyWords why = why_words(scene);
  const float pad = theme.px(12);
  const ImU32 colour = scene.colour(*scene.runs.b);
  const ImU32 ground = mix(theme.canvas, colour, 0.06f);
  list.AddRectFilled(area.min, area.max, ground, theme.px(5));
  list.AddRect(area.min, area.max, with_alpha(colour, 0.6f), theme.px(5), 0, theme.px(1));
  const ImFont *bold = theme.fonts.bold, *font = theme.fonts.body;
  draw_text(list, bold, {area.min.x + pad, area.min.y + theme.px(8)}, read_colour(theme, colour, ground),
            why.title);
  const std::string lines = wrapped(font, why.words, area.width() - 2 * pad);
  draw_text(list, font, {area.min.x + pad, area.min.y + theme.px(12) + font_size(bold)}, theme.text, lines);
}

float training_why_height(const TrainingScene& scene, float width) {
  if (!scene.runs.b || scene.runs.b->log.snapshots.empty() || scene.runs.a->log.snapshots.empty()) return 0;
  const Theme& theme = scene.theme();
  const ImFont* font = theme.fonts.body;
  const std::string lines = wrapped(font, why_words(scene).words, width - theme.px(24));
  return theme.px(22) + font_size(theme.fonts.bold) +
         font->CalcTextSizeA(font_size(font), 1e6f, 0, lines.c_str()).y;
}

}  // namespace attn
