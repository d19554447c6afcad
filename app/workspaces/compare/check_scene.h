// What the parts of a check share: another program's numbers beside ours. Private to app/workspaces/compare.
#pragma once

#include <optional>
#include <string>

#include "app/fields/fields.h"
#include "app/frame/frame.h"
#include "app/frame/studies.h"
#include "app/frame/workspace.h"
#include "core/compare/check.h"
#include "core/diagnosis/diagnosis.h"

namespace attn {

// What is found so far of the draft's check; null before the first piece. (check_study.cpp)
Study<Diagnosis> check_study(Frame& frame);
// The set of mistakes that is looked at: the one hovered in the diagnosis, else the one kept by a click
// (CheckSpec::kept), else the one that reproduces yours. (check_study.cpp)
std::optional<Tried> shown_mistakes(Frame& frame);

// Whether what is on screen is a check. (check_canvas.cpp)
bool shows_check(const Frame& frame);
// Two layers, or a file and a layer. (check_controls.cpp)
void check_chips(Frame& frame, Column column);
// The canvas: stages at the left, the diagnosis at the right, the picture of the mistake below.
// (check_canvas.cpp)
void draw_check(Frame& frame, Rect canvas);
// The list of mistakes and what the numbers say. (check_diagnosis.cpp)
void draw_diagnosis(Frame& frame, Rect area);
// What the search comes to, in one line. Whether it was pressed. (check_verdict.cpp)
bool draw_verdict_line(Frame& frame, Rect line);
// Which numbers each head reads, the two masks, the pairings, sums, or yours against ours, by the mistake
// that is shown. (check_picture.cpp)
void draw_mistake_picture(Frame& frame, Rect area);
// The left panel: file, names, the layer it should be, tolerance, what is tried, the line of the terminal.
// (check_controls.cpp)
void draw_check_controls(Frame& frame, Column column);
// The inspector: the number in both, its terms, words, fix, what remains. (check_inspect.cpp)
bool open_in_check(Frame& frame, inspector::Flow& flow, const Spot& spot);
void inspect_check(Frame& frame, inspector::Flow& flow);
// Keys and menu entries of a check. (check_commands.cpp)
void check_commands(std::vector<Command>& table, const Desk& desk);

// The fix of the mistakes that are shown, as lines of a diff of PyTorch. (check_fix.cpp)
std::string fix_text(const Tried& tried);

}  // namespace attn
