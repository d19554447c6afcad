// The upper part of the diagnosis: how far the search is, and what it comes to. Private to
// app/workspaces/compare/check_*.cpp.
#pragma once

#include "app/inspector/inspector_flow.h"
#include "app/workspaces/compare/check_shown.h"

namespace attn {

// The diagnosis as it is drawn, from top to bottom.
struct DiagnosisPanel {
  Frame& frame;
  const Study<Diagnosis>& study;
  inspector::Flow flow;
  std::vector<std::string> pointed = {};  // words of the set under the pointer, or with the focus

  const Diagnosis& found() const { return *study.found; }
  const Theme& theme() const { return frame.theme; }
  // What is lagging is drawn faintly.
  ImU32 ink(ImU32 colour) const { return study.stale ? with_alpha(colour, kLagging) : colour; }
};

// Title, progress and what is to be pressed about it.
void draw_search(DiagnosisPanel& panel);
// The box; below it other sets that reproduce yours alike, and the next best one where it comes nearer.
void draw_verdict(DiagnosisPanel& panel);
// Makes a set's row something to press: the differences are shown as they would be with it, a click keeps it.
void press_set(DiagnosisPanel& panel, const std::string& id, Rect row, const Tried& tried);

}  // namespace attn
