// What the numbers of a file and ours differ by, stage by stage.
#include <algorithm>
#include <cmath>

#include "app/workspaces/compare/check_rows.h"
#include "app/workspaces/compare/check_shown.h"
#include "core/checks/array_difference.h"
#include "core/checks/comparison.h"
#include "core/diagnosis/stage_meaning.h"

namespace attn {
namespace {

struct CheckMemo {
  bool whole = false;  // all numbers of both are here
  std::vector<CheckedStage> stages = {};
  std::size_t bytes() const { return bytes_of(stages); }
};

constexpr float kFilled = -1e4f;  // what code writes for −∞

// Of a stage that a mask was laid over: cells that nothing is in.
class Nothing {
 public:
  explicit Nothing(const Stage& stage)
      : masked_(stage.mask.has_value()), weights_(stage.role == Role::weights) {}
  bool at(float value) const { return masked_ && (weights_ ? value == 0 : value <= kFilled); }
  bool weights() const { return weights_; }

 private:
  bool masked_, weights_;
};

// One number of both that is hidden in neither, or in one alone.
void take_number(CheckedStage& stage, Tolerance tolerance, float yours, float ours, std::size_t i) {
  StageVerdict& verdict = stage.verdict;
  const double off = distance(yours, ours);
  if (!(off <= tolerance.absolute + tolerance.relative * std::abs(static_cast<double>(ours))))
    verdict.equal = false;
  if (off > verdict.largest) verdict.largest = off, verdict.at = i;
  for (const float value : {yours, ours})
    if (std::isfinite(value)) stage.range = std::max(stage.range, std::abs(value));
  if (std::isfinite(off)) stage.difference_range = std::max(stage.difference_range, static_cast<float>(off));
}

void note_nan(StageVerdict& verdict, Cell cell) {
  if (verdict.note.empty())
    verdict.note = "NaN first at head " + std::to_string(cell.head) + ", row " + std::to_string(cell.row) +
                   ", column " + std::to_string(cell.column);
}

// Goes once over all numbers of both.
void compare_numbers(CheckedStage& stage, Tolerance tolerance, const Stage& of, const Tensor& yours,
                     const Tensor& ours) {
  const Nothing nothing(of);
  const Shape shape = ours.shape();
  std::vector<float> hidden(shape.size()), both(shape.size());
  stage.range = stage.difference_range = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const float a = yours.values()[i], b = ours.values()[i];
    const bool in_yours = nothing.at(a), in_ours = nothing.at(b);
    hidden[i] = in_yours ? 1.0f : 0.0f;
    both[i] = in_yours && in_ours ? 1.0f : 0.0f;
    if (std::isnan(a)) note_nan(stage.verdict, cell_at(shape, i));
    if (in_yours && in_ours) continue;
    if (in_yours != in_ours) stage.verdict.same_masked = false;
    take_number(stage, tolerance, a, b, i);
  }
  stage.hidden = Tensor(shape, std::move(hidden));
  stage.both_hidden = Tensor(shape, std::move(both));
}

void fill_memo(CheckMemo& memo, const Results& results) {
  memo = {};
  const auto* places = results.places.as<ComparePlaces>();
  const CheckSpec& check = results.document.check;
  if (!places || !check.on) return;
  memo.whole = true;
  bool behind_nan = false;
  for (const ComparedStage& compared : places->stages) {
    CheckedStage& stage = memo.stages.emplace_back();
    stage.compared = compared;
    stage.verdict.id = results.graph.stages[*compared.a].id;
    stage.verdict.compared = !behind_nan;
    if (!compared.difference) {
      stage.verdict.same_shape = stage.verdict.equal = false;
      continue;
    }
    if (!results.outputs[*compared.a].here() || !results.outputs[*compared.b].here()) {
      stage.verdict.compared = false;
      continue;
    }
    compare_numbers(stage, {check.absolute, check.relative}, results.graph.stages[*compared.a],
                    results.outputs[*compared.b].whole(), results.outputs[*compared.a].whole());
    behind_nan = behind_nan || stage.verdict.note.starts_with("NaN");
  }
}

std::string masked_words(const StageVerdict& verdict) {
  if (!verdict.note.empty()) return verdict.note + " ✓";
  return "same cells masked ✓";
}

// The same with mistakes in ours.
struct MistakenMemo {
  std::vector<CheckedStage> stages = {};
  std::size_t bytes() const { return bytes_of(stages); }
};

CheckedStage with_mistakes(const CheckedStage& stage, const CheckSpec& check, const Tensor& yours,
                           const Stage& of, const Tensor& ours) {
  CheckedStage with{.compared = stage.compared, .verdict = {.id = stage.verdict.id}, .ours = ours};
  if (yours.shape() != ours.shape()) {
    with.verdict.same_shape = with.verdict.equal = false;
    return with;
  }
  compare_numbers(with, {check.absolute, check.relative}, of, yours, ours);
  with.difference = Tensor(ours.shape(), differences(ours.values(), yours.values()));
  return with;
}

// As the search takes it.
Tensor mistaken_numbers(const Results& mistaken, const Document& document, const std::string& id,
                        const Tensor& yours) {
  const StageIndex stage = *mistaken.graph.find(id);
  const Tensor& ours = mistaken.outputs[stage].whole();
  return document.layer().head_split == HeadCut::columns ? as_given(mistaken.graph, stage, ours, yours)
                                                         : ours;
}

}  // namespace

const std::vector<CheckedStage>* mistaken_stages(Frame& frame) {
  const std::vector<CheckedStage>* stages = checked_stages(frame);
  const bool asked = !frame.draft.check.kept.empty() || !frame.memos.of<DiagnosisMemo>().pointed.empty();
  const std::optional<Tried> tried = asked && stages ? shown_mistakes(frame) : std::nullopt;
  if (!tried) return nullptr;
  const Study<Mistaken> study = study_mistaken(frame, *tried);
  if (!study.found || study.stale || !study.done || !study.found->results) return nullptr;
  const MistakenMemo& memo =
      frame.memos.of<MistakenMemo>(study.found->results, [&](MistakenMemo& made, const Results& mistaken) {
        made = {};
        for (const CheckedStage& stage : *stages) {
          const Results& results = *frame.engine.results;
          const StageResult& yours = results.outputs[*stage.compared.b];
          made.stages.push_back(
              mistaken.result(stage.verdict.id).here() && yours.here()
                  ? with_mistakes(
                        stage, results.document.check, yours.whole(), results.graph.stages[*stage.compared.a],
                        mistaken_numbers(mistaken, results.document, stage.verdict.id, yours.whole()))
                  : stage);
        }
      });
  return memo.stages.size() == stages->size() ? &memo.stages : nullptr;
}

const std::vector<CheckedStage>* checked_stages(Frame& frame) {
  if (!has_numbers(frame.engine.results)) return nullptr;
  const CheckMemo& memo = frame.memos.of<CheckMemo>(frame.engine.results, fill_memo);
  return memo.whole ? &memo.stages : nullptr;
}

std::vector<StageVerdict> check_verdicts(Frame& frame) {
  const std::vector<CheckedStage>* stages = checked_stages(frame);
  if (!stages) return {};
  std::vector<StageVerdict> verdicts;
  const Study<Diagnosis> study = check_study(frame);
  for (const CheckedStage& stage : *stages) {
    verdicts.push_back(stage.verdict);
    if (!study.found || study.stale) continue;
    const auto found = std::ranges::find(study.found->stages, stage.verdict.id, &StageVerdict::id);
    if (found != study.found->stages.end()) verdicts.back() = *found;
  }
  return verdicts;
}

std::optional<std::size_t> first_of(const std::vector<StageVerdict>& verdicts) {
  const auto first = std::ranges::find_if(
      verdicts, [](const StageVerdict& verdict) { return verdict.compared && !verdict.equal; });
  if (first == verdicts.end()) return std::nullopt;
  return static_cast<std::size_t>(first - verdicts.begin());
}

std::optional<Spot> checked_spot(Frame& frame) {
  if (const auto& focus = frame.view.focus()) return focus;
  const std::vector<CheckedStage>* stages = checked_stages(frame);
  const std::vector<StageVerdict> verdicts = check_verdicts(frame);
  const auto first = first_of(verdicts);
  if (!first || !(*stages)[*first].compared.difference) return std::nullopt;
  const Stage& stage = frame.graph.stages[*(*stages)[*first].compared.a];
  return Spot{stage.id, cell_at(stage.shape, verdicts[*first].at)};
}

VerdictWords verdict_words(const Theme& theme, const Graph& graph, const CheckedStage& stage,
                           const StageVerdict& verdict, bool first) {
  const Stage& ours = graph.stages[*stage.compared.a];
  if (!verdict.compared) return {"not compared", theme.dim};
  if (!verdict.same_shape) return {first ? "first difference · another shape" : "another shape", theme.bad};
  const bool masks = ours.mask && ours.role == Role::score && !first;
  if (verdict.equal) {
    if (!verdict.note.empty()) return {masked_words(verdict), theme.good};
    return {"equal" + (verdict.largest == 0 ? "" : ", " + short_number(verdict.largest)) + " ✓", theme.good};
  }
  if (masks)
    return verdict.same_masked ? VerdictWords{masked_words(verdict), theme.good}
                               : VerdictWords{"other cells masked", theme.warning};
  const std::string size = std::isfinite(verdict.largest) ? short_number(verdict.largest) : "∞";
  if (!first) return {(verdict.follows ? "follows, " : "differs too, ") + size, theme.warning};
  if (ours.mask && !verdict.same_masked) return {"first difference · other cells masked", theme.bad};
  if (verdict.note.starts_with("NaN")) return {"first difference · " + verdict.note, theme.bad};
  const std::string head =
      ours.shape.stack > 1 ? " in head " + std::to_string(cell_at(ours.shape, verdict.at).head) : "";
  return {"first difference · " + size + head, theme.bad};
}

}  // namespace attn
