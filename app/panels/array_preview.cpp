// A file of arrays, what each was taken for, and what comes of it: looked at and changed before it is opened.
#include <imgui.h>

#include <algorithm>

#include "app/panels/overlay.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/widgets/focus.h"
#include "app/widgets/items.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"
#include "core/io/dump.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr const char* kNotNeeded = "not needed";

const ArrayMeaning* meaning_of(const ArrayPreview& preview, const std::string& name) {
  if (!preview.dump) return nullptr;
  const auto found = std::ranges::find(preview.dump->names, name, &ArrayMeaning::name);
  return found == preview.dump->names.end() ? nullptr : &*found;
}

// "W_Q, transposed", "q, n h d", "not needed", or why it is not taken.
std::string meaning_words(const ArrayMeaning& meaning) {
  if (meaning.meaning.empty()) return kNotNeeded;
  std::string words = meaning.meaning;
  if (meaning.transposed) words += ", transposed";
  if (!meaning.layout.empty()) words += ", axes " + meaning.layout;
  return words;
}

// What follows is read anew; until then nothing is taken.
void ask_again(Frame& frame, ArrayChoices choices) {
  ArrayPreview& preview = frame.view.overlays.preview;
  preview.reading = true;
  frame.asks.emplace_back(PreviewFile{preview.path, std::move(choices)});
}

void choose(Frame& frame, const NameChoice& choice) {
  ArrayChoices choices = frame.view.overlays.preview.choices;
  std::erase_if(choices.names,
                [&](const std::string& words) { return name_choice(words).name == choice.name; });
  choices.names.push_back(name_words(choice));
  ask_again(frame, std::move(choices));
}

// What it may mean, the first of which is nothing.
void meaning_menu(Frame& frame, const std::string& name, const std::string& now) {
  if (!ImGui::BeginPopup("meanings")) return;
  if (selectable(kNotNeeded, now.empty())) choose(frame, {name});
  for (const std::string& meaning : dump_meanings()) {
    const bool weight = meaning.starts_with("w_");
    if (selectable(meaning, now == meaning)) choose(frame, {name, meaning});
    if (weight && selectable(meaning + ", transposed", false))
      choose(frame, {.name = name, .meaning = meaning, .transposed = true});
  }
  ImGui::EndPopup();
}

void array_row(Frame& frame, const ListedArray& array) {
  const ArrayPreview& preview = frame.view.overlays.preview;
  const Theme& theme = frame.theme;
  const ArrayMeaning* meaning = meaning_of(preview, array.name);
  const std::string refused = !array.refusal.empty() ? array.refusal : meaning ? meaning->refused : "";
  ImGui::TableNextRow();
  ImGui::PushID(array.name.c_str());
  ImGui::TableNextColumn();
  const float room = ImGui::GetContentRegionAvail().x;
  ImGui::TextUnformatted(elided(theme.fonts.body, printable(array.name), room).c_str());
  if (ImGui::IsItemHovered()) show_tooltip(printable(array.name));
  ImGui::TableNextColumn();
  ImGui::TextDisabled("%s", (array.type + (array.type.empty() ? "" : " ") + shape_text(array.shape)).c_str());
  ImGui::TableNextColumn();
  const std::string words = meaning ? meaning_words(*meaning) : kNotNeeded;
  const bool taken = meaning && !meaning->meaning.empty() && refused.empty();
  if (draw_chip(theme, {.id = "meaning",
                        .text = refused.empty() ? words : words + ": " + refused,
                        .tooltip = refused.empty() ? "what it was taken for; a click chooses something else"
                                                   : refused,
                        .on = taken,
                        .faint = !taken}))
    ImGui::OpenPopup("meanings");
  meaning_menu(frame, array.name, meaning ? meaning->meaning : "");
  ImGui::PopID();
}

void draw_arrays(Frame& frame, float height) {
  if (!ImGui::BeginTable("arrays", 3, ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg, {0, height})) return;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 3);
  ImGui::TableSetupColumn("shape", ImGuiTableColumnFlags_WidthStretch, 2);
  ImGui::TableSetupColumn("taken for", ImGuiTableColumnFlags_WidthStretch, 3);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(frame.view.overlays.preview.arrays.size()));
  while (clipper.Step())
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
      array_row(frame, frame.view.overlays.preview.arrays[static_cast<std::size_t>(row)]);
  ImGui::EndTable();
}

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string names_of(const std::vector<GivenStage>& stages) {
  std::string words;
  for (const GivenStage& stage : stages) words += (words.empty() ? "" : ", ") + stage.id;
  return words;
}

// "a layer: 4 heads over 2, 5 tokens; to be checked: scaled, weights".
std::string outcome_words(const Dump& dump) {
  const LayerSpec& layer = dump.layer;
  const std::size_t heads = head_count(layer), shared = kv_head_count(layer), n = query_count(layer),
                    m = key_count(layer);
  std::string words = "a layer: " + counted(heads, "head");
  if (shared != heads) words += " over " + std::to_string(shared);
  words +=
      ", " + (n == m ? counted(n, "token") : std::to_string(n) + " queries, " + std::to_string(m) + " keys");
  if (!dump.stages.empty()) words += "; another program’s numbers: " + names_of(dump.stages);
  return words;
}

void draw_outcome(Frame& frame) {
  const ArrayPreview& preview = frame.view.overlays.preview;
  if (!preview.dump) {
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.bad);
    say_wrapped(preview.error);
    ImGui::PopStyleColor();
    return;
  }
  say_wrapped(outcome_words(*preview.dump));
  for (const std::string& note : preview.dump->notes) {
    ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.dim);
    say_wrapped(note);
    ImGui::PopStyleColor();
  }
}

// Which one of a batch.
void draw_batch(Frame& frame) {
  const ArrayPreview& preview = frame.view.overlays.preview;
  if (!preview.dump || preview.dump->batches < 2) return;
  const std::size_t batches = preview.dump->batches, now = preview.choices.batch;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ChipRow row(frame.theme, at.x, at.x + ImGui::GetContentRegionAvail().x);
  const auto turn = [&](const char* id, const char* text, const char* tooltip, bool can, std::size_t to) {
    if (!row.add({.id = id, .text = text, .tooltip = tooltip, .faint = !can}) || !can) return;
    ArrayChoices choices = preview.choices;
    choices.batch = to;
    ask_again(frame, std::move(choices));
  };
  turn("batch before", "‹", "the one before it in the batch", now > 0, now - 1);
  row.add({.id = "batch",
           .text = "batch " + std::to_string(now) + " of " + std::to_string(batches),
           .tooltip = "the arrays hold several of a batch: one is opened",
           .on = true});
  turn("batch after", "›", "the next one of the batch", now + 1 < batches, now + 1);
}

void draw_buttons(Frame& frame, bool& open) {
  const ArrayPreview& preview = frame.view.overlays.preview;
  const bool takes = preview.dump && !preview.reading, checks = takes && !preview.dump->stages.empty();
  const bool enter = enter_pressed();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ChipRow row(frame.theme, at.x, at.x + ImGui::GetContentRegionAvail().x);
  const auto take = [&](bool check) {
    frame.asks.emplace_back(TakePreview{check});
    open = false;
  };
  if (checks && (row.add({.id = "check",
                          .text = "Check it",
                          .tooltip = "the file's numbers beside those of the layer, stage by stage (Enter)",
                          .on = true}) ||
                 enter))
    take(true);
  if (takes && (row.add({.id = "open",
                         .text = checks ? "Open the layer alone" : "Open",
                         .tooltip = "in place of the open work; Ctrl+Z goes back",
                         .on = !checks}) ||
                (enter && !checks)))
    take(false);
  if (!preview.line.empty() &&
      row.add(
          {.id = "copy line", .text = "Copy the line", .tooltip = "that makes an .npz of it", .on = true}))
    ImGui::SetClipboardText(preview.line.c_str());
  if (row.add({.id = "cancel", .text = "Cancel", .tooltip = "nothing changes (Esc)"})) open = false;
}

}  // namespace

void draw_array_preview(Frame& frame) {
  ArrayPreview& preview = frame.view.overlays.preview;
  bool open = true;
  begin_overlay(frame, "##preview", {760, 520}, open);
  begin_tab_stops();
  ImGui::PushFont(frame.theme.fonts.bold);
  say("Open " + printable(preview.path.substr(preview.path.rfind('/') + 1)));
  ImGui::PopFont();
  say_dim(preview.format + ", " + counted(preview.arrays.size(), "array") +
          (preview.reading ? ", reading…" : ""));
  const float below = frame.theme.px(170);
  draw_arrays(frame, std::max(frame.theme.px(90), ImGui::GetContentRegionAvail().y - below));
  ImGui::BeginChild("##outcome", {0, frame.theme.px(90)});
  draw_outcome(frame);
  ImGui::EndChild();
  draw_batch(frame);
  draw_buttons(frame, open);
  end_tab_stops();
  end_overlay();
  if (!open) preview.open = false;
}

}  // namespace attn
