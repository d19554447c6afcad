// What became of the work's file on the disk, and what can be done: above the canvas, while it is so.
#include "app/canvas/notice.h"
#include "app/panels/panels.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"

namespace attn {
namespace {

std::string words_of(const FileLine& line) {
  if (line.about == FileLine::gone) return line.name + " is no longer on the disk. Save to write it again.";
  return (line.refused ? "Not saved: " : "") + line.name +
         " was changed on the disk since it was opened here. Both can be kept.";
}

void draw_ways_out(Frame& frame, float left, float right) {
  FileLine& line = frame.view.file;
  ChipRow row(frame.theme, left, right);
  const auto way = [&](const Chip& chip, const char* command) {
    if (std::exchange(line.focus, false)) {
      focus_next_item();
      show_focus();
    }
    if (row.add(chip)) frame.commands.push_back(command);
  };
  if (line.about == FileLine::gone) {
    way({.id = "save", .text = "Save it again", .tooltip = {}, .on = true}, "file.save");
  } else {
    way({.id = "keep both",
         .text = "Save under another name…",
         .tooltip = "the file on the disk stays as it is",
         .on = true},
        "file.keep_both");
    way({.id = "theirs",
         .text = "Open the one on the disk",
         .tooltip = "your unsaved work stays among the recent files"},
        "file.open_theirs");
    way({.id = "overwrite", .text = "Overwrite it", .tooltip = "what it holds on the disk is lost"},
        "file.overwrite");
  }
  if (row.add({.id = "later", .text = "Not now", .tooltip = "saving asks again"})) line.closed = true;
}

}  // namespace

float draw_file_line(Frame& frame, Rect canvas) {
  const FileLine& line = frame.view.file;
  if (!line.open()) return 0;
  ImGui::PushID("file");
  const float height = draw_band(frame.theme, canvas, words_of(line), frame.theme.warning,
                                 [&](float left, float right) { draw_ways_out(frame, left, right); });
  ImGui::PopID();
  return height;
}

}  // namespace attn
