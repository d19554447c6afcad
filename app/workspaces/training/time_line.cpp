// The line of time with a tick for each snapshot, and the pinned head at moments between which its map moves
// most, each joined to its tick.
#include <algorithm>
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/press.h"
#include "app/widgets/strokes.h"
#include "app/widgets/tooltip.h"
#include "app/workspaces/training/scene.h"

namespace attn {
namespace {

constexpr std::size_t kMoments = 8;
constexpr float kLeft = 44, kTrackHeight = 24, kTick = 6, kLines = 30, kCaption = 20, kMost = 96, kLeast = 36;

using Snapshots = std::vector<std::shared_ptr<const TrainingSnapshot>>;

struct TimeTrack {
  Rect box;
  float y = 0;
  std::size_t last = 1;
  float at(std::size_t step) const {
    return box.min.x + box.width() * static_cast<float>(step) / static_cast<float>(last);
  }
  double step(float x) const {
    return std::clamp(static_cast<double>((x - box.min.x) / box.width()), 0.0, 1.0) *
           static_cast<double>(last);
  }
};

// How far the pinned head's map came from one snapshot to the next, added up; 0 where it is not known yet.
std::vector<double> movement(const TrainingScene& scene, const Snapshots& snapshots) {
  std::vector<double> all(snapshots.size(), 0);
  std::shared_ptr<const MomentMaps> before;
  for (std::size_t i = 0; i < snapshots.size(); ++i) {
    const auto maps = maps_at(scene, *snapshots[i]);
    double moved = 0;
    if (maps && before && maps->maps.size() > scene.attention()) {
      const Tensor &a = before->maps[scene.attention()], &b = maps->maps[scene.attention()];
      const std::size_t cells = a.rows() * a.columns(), first = scene.head() * cells;
      for (std::size_t k = first; k < first + cells; ++k)
        moved += std::abs(static_cast<double>(b.values()[k]) - static_cast<double>(a.values()[k]));
    }
    all[i] = (i > 0 ? all[i - 1] : 0) + moved;
    if (maps) before = maps;
  }
  return all;
}

// The first, the last, the present one, and between them such that the map has moved as far from each to the
// next.
std::vector<std::size_t> chosen_moments(const TrainingScene& scene, const Snapshots& snapshots) {
  std::vector<std::size_t> chosen;
  if (snapshots.empty()) return chosen;
  const auto add = [&](std::size_t place) {
    if (std::ranges::count(chosen, place) == 0) chosen.push_back(place);
  };
  add(0), add(snapshots.size() - 1);
  for (std::size_t i = 0; i < snapshots.size(); ++i)
    if (snapshots[i] == scene.now) add(i);
  const std::vector<double> moved = movement(scene, snapshots);
  for (std::size_t parts = kMoments - 1; parts < 4 * kMoments && chosen.size() < kMoments; ++parts)
    for (std::size_t k = 1; k < parts && chosen.size() < kMoments; ++k) {
      const double wanted = moved.back() * static_cast<double>(k) / static_cast<double>(parts);
      const auto found = std::ranges::lower_bound(moved, wanted);
      if (moved.back() > 0) add(static_cast<std::size_t>(found - moved.begin()));
    }
  for (std::size_t i = 0; i < snapshots.size() && chosen.size() < std::min(kMoments, snapshots.size()); ++i)
    add(i * snapshots.size() / std::min(kMoments, snapshots.size()));
  std::ranges::sort(chosen);
  return chosen;
}

void draw_track(TrainingScene& scene, const TimeTrack& track) {
  const Theme& theme = scene.theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.body;
  ImGui::SetCursorScreenPos({track.box.min.x, track.box.min.y});
  ImGui::InvisibleButton("time", {track.box.width(), track.box.height()});
  draw_focus_ring(theme, theme.px(4));
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (wants_tooltip() && !ImGui::IsItemActive())
    show_tooltip("drag to any snapshot; ← → go from one to the next, Shift+→ takes a single step");
  if (ImGui::IsItemActive() && ImGui::IsMouseDown(0)) take_step(scene, track.step(ImGui::GetIO().MousePos.x));
  const float half = theme.px(1.5f), now = track.at(scene.step), end = track.at(scene.run.end());
  list.AddRectFilled({track.box.min.x, track.y - half}, {track.box.max.x, track.y + half}, theme.chip, half);
  list.AddRectFilled({track.box.min.x, track.y - half}, {end, track.y + half},
                     with_alpha(scene.colour(scene.run), 0.35f), half);
  list.AddRectFilled({track.box.min.x, track.y - half}, {now, track.y + half}, scene.colour(scene.run), half);
  for (const auto& snapshot : scene.log().snapshots) {
    const float x = std::round(track.at(snapshot->state.step));
    const bool past = snapshot->state.step <= scene.step;
    list.AddRectFilled({x - theme.px(0.5f), track.y - theme.px(kTick)},
                       {x + theme.px(0.5f), track.y + theme.px(kTick)},
                       past ? scene.colour(scene.run) : theme.dim);
  }
  const std::string words = "step " + std::to_string(scene.step);
  const float wide = text_width(font, words) + theme.px(14);
  const float left = std::clamp(now - wide / 2, track.box.min.x, track.box.max.x - wide);
  const Rect box{{left, track.box.min.y}, {left + wide, track.box.max.y}};
  list.AddRectFilled(box.min, box.max, theme.bar, theme.px(5));
  list.AddRect(box.min, box.max, theme.outline, theme.px(5), 0, theme.px(1));
  draw_text(list, font, {left + theme.px(7), track.y - font_size(font) / 2}, theme.text, words);
}

std::string moment_words(const MomentMaps* maps, const TrainingScene& scene, std::size_t step) {
  std::string words = std::to_string(step);
  if (!maps) return words;
  const auto share = maps->shares[scene.attention()][scene.head()];
  return share ? words + " · " + inspector::write(*share, {2}) : words;
}

void draw_moment(TrainingScene& scene, const TimeTrack& track, Rect box, const TrainingSnapshot& snapshot) {
  const Theme& theme = scene.theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::size_t step = snapshot.state.step;
  const bool now = scene.now.get() == &snapshot;
  const float middle = (box.min.x + box.max.x) / 2, tick = std::round(track.at(step));
  const std::array<ImVec2, 4> line{ImVec2{tick, track.y + theme.px(kTick)}, ImVec2{tick, track.box.max.y},
                                   ImVec2{middle, box.min.y - theme.px(7)},
                                   ImVec2{middle, box.min.y - theme.px(2)}};
  draw_stroke(list, theme, line, now ? theme.text : theme.faint, theme.px(now ? 1.5f : 1));
  const auto maps = maps_at(scene, snapshot);
  if (maps)
    draw_small_map(scene, maps->maps[scene.attention()], scene.head(), box, {scene.frame.theme.weights, 1});
  else
    list.AddRectFilled(box.min, box.max, theme.chip);
  if (now)
    list.AddRect({box.min.x - theme.px(2), box.min.y - theme.px(2)},
                 {box.max.x + theme.px(2), box.max.y + theme.px(2)}, theme.outline, theme.px(2), 0,
                 theme.px(1.5f));
  const ImFont* font = theme.fonts.small;
  const std::string words = moment_words(maps.get(), scene, step);
  draw_text(list, font, {middle - text_width(font, words) / 2, box.max.y + theme.px(5)},
            now ? theme.text : theme.dim, words);
  const std::string id = "moment " + std::to_string(step);
  if (press_area(theme, id.c_str(), box, "the pinned head at step " + std::to_string(step)))
    show_step(scene.frame.view, step);
}

}  // namespace

void draw_training_time(TrainingScene& scene, Rect area) {
  const Theme& theme = scene.theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushID("training.time");
  const float left = area.min.x + theme.px(kLeft);
  TimeTrack track{.box = {{left, area.min.y}, {area.max.x, area.min.y + theme.px(kTrackHeight)}},
                  .y = area.min.y + theme.px(kTrackHeight / 2),
                  .last = scene.last};
  const ImFont* font = theme.fonts.small;
  draw_text(list, font, {area.min.x, track.y - font_size(font) / 2}, theme.dim, "time");
  const float top = track.box.max.y + theme.px(kLines);
  const float room = area.max.y - top - theme.px(kCaption), pitch = track.box.width() / kMoments;
  const float side = std::min({room, pitch - theme.px(10), theme.px(kMost)});
  if (scene.seen && !scene.seen->maps.empty() && side >= theme.px(kLeast)) {
    draw_text(list, font, {area.min.x, top}, theme.dim, head_name(scene, scene.attention(), scene.head()));
    const Snapshots snapshots = scene.log().snapshots;
    const std::vector<std::size_t> chosen = chosen_moments(scene, snapshots);
    const Tensor& map = scene.seen->maps[scene.attention()];
    const auto rows = static_cast<float>(map.rows()), columns = static_cast<float>(map.columns());
    const float wide = side * std::min(1.0f, columns / rows), high = side * std::min(1.0f, rows / columns);
    const float between =
        chosen.size() > 1 ? (track.box.width() - wide) / static_cast<float>(chosen.size() - 1) : 0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const float x = std::round(left + between * static_cast<float>(i));
      draw_moment(scene, track, {{x, top}, {x + wide, top + high}}, *snapshots[chosen[i]]);
    }
  }
  draw_track(scene, track);
  ImGui::PopID();
}

}  // namespace attn
