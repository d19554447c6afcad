// Measuring this device from the controls: begin, stop, how far it is, and what became of it.
#include <algorithm>
#include <cmath>

#include "app/fields/field_rows.h"
#include "app/plot/plot_numbers.h"
#include "app/theme/toolkit.h"
#include "app/widgets/chips.h"
#include "app/workspaces/cost/scene.h"
#include "app/workspaces/cost/view.h"

namespace attn {
namespace {

constexpr float kProgressBar = 22;
constexpr std::size_t kLeastLongest = 256;

void draw_progress_bar(Frame& frame, Column column, const MeasureProgress& progress) {
  const Theme& theme = frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = column.right - column.left, height = theme.px(kProgressBar);
  list.AddRectFilled({column.left, at.y}, {column.right, at.y + height}, theme.chip, theme.px(3));
  list.AddRectFilled({column.left, at.y},
                     {column.left + width * static_cast<float>(progress.share()), at.y + height},
                     theme.accent_soft, theme.px(3));
  const ImFont* font = theme.fonts.small;
  const float y = at.y + (height - font_size(font)) / 2;
  const std::string left = frame.view.timeless ? "" : time_left_text(progress.seconds_left);
  const float wide = text_width(font, left);
  const std::string doing = progress.doing.empty() ? "waiting for its turn" : progress.doing;
  draw_text(list, font, {column.left + theme.px(8), y}, theme.text,
            elided(font, doing, width - wide - theme.px(24)));
  draw_text(list, font, {column.right - theme.px(8) - wide, y}, theme.dim, left);
  ImGui::SetCursorScreenPos({column.left, at.y + height + theme.px(6)});
}

void longest_row(Frame& frame, Column column) {
  std::vector<std::string> names;
  std::vector<std::size_t> lengths;
  for (std::size_t n = kLeastLongest; n <= static_cast<std::size_t>(kLastTokens); n *= 2)
    names.push_back(grouped(n)), lengths.push_back(n);
  const auto now = std::ranges::find(lengths, frame.view.of<CostView>().longest);
  const auto chosen = choice_row(
      frame, column,
      {"cost.longest", "longest n",
       "what would not fit into the memory, or take longer than two seconds a run, is left out as well"},
      names, static_cast<std::size_t>(now - lengths.begin()));
  if (chosen) frame.view.of<CostView>().longest = lengths[*chosen];
}

// What became of it, in words; of a lost device why.
std::string outcome(const Measuring& measuring, const Measured& measured) {
  const std::string points =
      grouped(measured.points.size()) + (measured.points.size() == 1 ? " point" : " points");
  switch (measured.state) {
    case MeasureState::waiting:
    case MeasureState::running:
      return points + " so far";
    case MeasureState::done:
      return points + ", kept for " + measured.device.name;
    case MeasureState::stopped:
      return points + " until it was stopped, kept for " + measured.device.name;
    case MeasureState::ended:
      return measured.why + "; " + points + " until then stay";
  }
  return measuring.note;
}

}  // namespace

void measure_controls(Frame& frame, Column column) {
  const Measuring& measuring = frame.measuring;
  const bool of_shape = measuring.measured && measuring.measured->shape == measured_shape(frame.draft.cost);
  const std::string state = measuring.running ? "measuring…"
                            : of_shape        ? grouped(measuring.measured->points.size()) + " points"
                                              : "";
  if (!foldable_section(frame, column, {.title = "Measure on this device", .state = state, .open = true}))
    return;
  if (measuring.running) draw_progress_bar(frame, column, measuring.progress);
  longest_row(frame, column);
  {
    ChipRow row(frame.theme, column.left, column.right);
    if (measuring.running) {
      if (row.add({.id = "stop measuring", .text = "stop", .tooltip = "S: the points so far stay"}))
        frame.commands.emplace_back("cost.stop");
    } else if (row.add({.id = "measure",
                        .text = "measure",
                        .tooltip = "M: times of this shape in float32, from n = 16 to the longest, with the "
                                   "peak and the bandwidth of the device"})) {
      frame.commands.emplace_back("cost.measure");
    }
  }
  if (of_shape)
    hint(frame, column, outcome(measuring, *measuring.measured));
  else if (!measuring.running)
    hint(frame, column, "nothing is measured of this shape yet: M begins, S stops and keeps what there is");
  if (!measuring.note.empty()) hint(frame, column, measuring.note);
}

}  // namespace attn
