// The rows of a check: yours, ours and their difference, stage by stage, with what is said of each. Private
// to app/workspaces/compare.
#pragma once

#include <vector>

#include "app/workspaces/compare/check_scene.h"
#include "app/workspaces/compare/rows.h"

namespace attn {

// What the results alone say of a stage of yours.
struct CheckedStage {
  ComparedStage compared = {};
  StageVerdict verdict = {};
  float range = 1, difference_range = 1;  // of the colours of yours and ours, and of what they differ by
  Tensor hidden = {}, both_hidden = {};   // what yours masks; what both mask
  Tensor ours = {}, difference = {};      // with mistakes in ours; empty: as the results have them
  std::size_t bytes() const {
    return verdict.note.capacity() + hidden.bytes() + both_hidden.bytes() + ours.bytes() + difference.bytes();
  }
};

// Of the results on screen; null before those of a check.
const std::vector<CheckedStage>* checked_stages(Frame& frame);
// With the mistakes in ours that are pointed at in the diagnosis, or kept; null while there are none.
const std::vector<CheckedStage>* mistaken_stages(Frame& frame);
// What is said of one: of the search where it is about the same numbers, else of the results alone.
std::vector<StageVerdict> check_verdicts(Frame& frame);
// The first that differs.
std::optional<std::size_t> first_of(const std::vector<StageVerdict>& verdicts);
// The number that is pointed at, pinned, or the largest difference of the first stage that differs: of ours.
std::optional<Spot> checked_spot(Frame& frame);
// "equal, 5e−7 ✓", "first difference · 3.36 in head 0", "follows, 0.43", and in which colour.
struct VerdictWords {
  std::string text;
  ImU32 ink;
};
VerdictWords verdict_words(const Theme& theme, const Graph& graph, const CheckedStage& stage,
                           const StageVerdict& verdict, bool first);

// Says of each step in the stage bar how its stage compares.
void mark_steps(Frame& frame);

struct CheckRow {
  std::size_t place = 0;  // among the stages
  const CheckedStage* stage = nullptr;
  StageVerdict verdict = {};
  bool with_mistakes = false;
  bool first = false, large = false;
  ImVec2 cell = {};  // points from one cell to the next, of a large one
  Rect area = {};    // from the content's top left corner

  Columns stages() const { return {stage->compared.b, stage->compared.a, stage->compared.difference}; }
  StageIndex ours() const { return *stage->compared.a; }
  bool has(StageIndex index) const {
    return index == stage->compared.a || index == stage->compared.b || index == stage->compared.difference;
  }
};

// Where everything lies, from the content's top left corner.
struct CheckLayout {
  std::vector<CheckRow> rows = {};
  float left = 0, right = 0;  // of the matrices; left of them their rows are named
  Rect diagnosis = {}, picture = {};
  bool beside = true;  // the diagnosis stands at the right, and scrolls by itself; else below
  float heads = 0;     // as high as what stays above the rows: where the diagnosis is below, its verdict too
  ImVec2 content = {};
};
// Of a canvas of so many pixels; `picture`: there is one.
CheckLayout check_layout(Frame& frame, ImVec2 canvas, bool picture);

// One of the three columns between two edges.
Rect check_column(const Theme& theme, Rect row, std::size_t column);
inline constexpr float kCheckHeads = 34, kCheckTitle = 21;  // points: above all rows, above a row's matrices
inline constexpr float kVerdictLine = 32;                   // above them, where the diagnosis stands below
inline constexpr float kCheckFrame = 6;                     // around the row that differs first

// At `corner` of the content.
void draw_check_row(Frame& frame, const CheckRow& row, ImVec2 corner);

}  // namespace attn
