// The words of a lesson that was recorded: its title and goal, and of each step the title and the sentences.
#include <imgui.h>

#include <imgui_stdlib.h>

#include <algorithm>

#include "app/frame/recording_view.h"
#include "app/language/speech.h"
#include "app/panels/overlay.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/focus.h"
#include "app/widgets/items.h"
#include "app/widgets/words.h"
#include "core/lesson/write_lesson.h"
#include "core/system/error.h"

namespace attn {
namespace {

constexpr float kFieldLabel = 52, kStepList = 190;  // points

void draw_field(Frame& frame, const char* label, const char* id, const char* hint, std::string& text) {
  ImGui::AlignTextToFramePadding();
  say_dim(label);
  ImGui::SameLine(frame.theme.px(kFieldLabel));
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint(id, spoken(hint).c_str(), &text);
}

void check(RecordedStep& step) {
  try {
    read_step_words(step.title, step.words);
    step.error.clear();
  } catch (const Error& error) {
    step.error = error.what();
  }
}

void draw_list(Frame& frame) {
  RecordingView& recording = frame.view.of<RecordingView>();
  for (std::size_t i = 0; i < recording.steps.size(); ++i) {
    const RecordedStep& step = recording.steps[i];
    const std::string number = std::to_string(i + 1) + "  ";
    const float room = ImGui::GetContentRegionAvail().x;
    const std::string title = elided(frame.theme.fonts.body, number + step.title, room) + "##" + number;
    if (!step.error.empty()) ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.bad);
    if (selectable(title, i == recording.chosen)) recording.chosen = i;
    if (!step.error.empty()) ImGui::PopStyleColor();
  }
}

// What was recorded, as the file has it.
std::string keys_of(const RecordedStep& step) {
  const std::string keys = written_keys(step.keys);
  return step.beside ? "open: a session beside the lesson\n" + keys : keys;
}

void draw_step(Frame& frame, RecordedStep& step) {
  const Theme& theme = frame.theme;
  ImGui::SetNextItemWidth(-1);
  bool edited = ImGui::InputTextWithHint("##step", spoken("what the step is called").c_str(), &step.title);
  const std::string keys = keys_of(step);
  const float width = ImGui::GetContentRegionAvail().x, line = ImGui::GetTextLineHeightWithSpacing();
  const float error =
      step.error.empty()
          ? 0
          : ImGui::CalcTextSize(spoken(step.error).c_str(), nullptr, false, width).y + theme.px(4);
  const float room = ImGui::GetContentRegionAvail().y;
  const float wanted = ImGui::CalcTextSize(spoken(keys).c_str(), nullptr, false, width).y + line / 2;
  const float below = std::min(wanted, room / 3);
  edited |= ImGui::InputTextMultiline("##words", &step.words, {-1, room - below - error - theme.px(10)});
  if (edited) check(step);
  if (!step.error.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, theme.bad);
    say_wrapped(step.error);
    ImGui::PopStyleColor();
  }
  ImGui::BeginChild("##keys", {0, 0}, false, kFocusableChild);
  ImGui::PushStyleColor(ImGuiCol_Text, theme.dim);
  say_wrapped(keys);
  ImGui::PopStyleColor();
  ImGui::EndChild();
}

void draw_ways_on(Frame& frame, bool& open) {
  RecordingView& recording = frame.view.of<RecordingView>();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ChipRow row(frame.theme, at.x, at.x + ImGui::GetContentRegionAvail().x);
  if (recording.leaving) {
    if (row.add({.id = "keep", .text = "Keep it", .tooltip = {}, .on = true})) recording.leaving = false;
    if (row.add(
            {.id = "discard", .text = "Throw the lesson away", .tooltip = "its steps and words are lost"}))
      frame.commands.push_back("recording.discard");
    return;
  }
  const bool wrong = std::ranges::any_of(recording.steps, [](const auto& one) { return !one.error.empty(); });
  if (row.add({.id = "save",
               .text = "Save…",
               .tooltip = wrong ? "the steps in red cannot be read yet" : "as a file that plays",
               .on = true}))
    frame.commands.push_back("recording.save");
  if (row.add({.id = "on", .text = "Record more steps", .tooltip = "what is written stays"})) open = false;
  if (row.add({.id = "leave", .text = "Throw away…", .tooltip = {}})) recording.leaving = true;
}

}  // namespace

void draw_lesson_words(Frame& frame) {
  const Theme& theme = frame.theme;
  RecordingView& recording = frame.view.of<RecordingView>();
  bool& open = recording.writing;
  if (recording.steps.empty()) return void(open = false);
  begin_overlay(frame, "##lesson words", {860, 620}, open);
  begin_tab_stops();
  ImGui::PushFont(theme.fonts.bold);
  say("The words of the lesson");
  ImGui::PopFont();
  draw_field(frame, "title", "##title", "what it is called", recording.title);
  draw_field(frame, "goal", "##goal", "what one can say or do afterwards, in a sentence", recording.goal);
  say_dim("Lines are joined; an empty line begins a paragraph. {weights[0,0,2]:4} is that number.");
  const float below = chip_size(theme, "Save…").y + theme.px(22);
  recording.chosen = std::min(recording.chosen, recording.steps.size() - 1);
  ImGui::BeginChild("##steps", {theme.px(kStepList), -below}, true, kFocusableChild);
  draw_list(frame);
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("##step words", {0, -below}, true, kFocusableChild);
  ImGui::PushID(static_cast<int>(recording.chosen));
  draw_step(frame, recording.steps[recording.chosen]);
  ImGui::PopID();
  ImGui::EndChild();
  ImGui::Dummy({0, theme.px(2)});
  draw_ways_on(frame, open);
  end_tab_stops();
  end_overlay();
}

}  // namespace attn
