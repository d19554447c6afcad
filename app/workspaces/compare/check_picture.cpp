// The picture of the mistakes that are looked at: which one, and what all have in common.
#include "app/workspaces/compare/check_picture.h"

#include <algorithm>
#include <array>

#include "app/inspector/inspector_model.h"
#include "app/theme/contrast.h"
#include "app/theme/toolkit.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

constexpr float kHalfGap = 36, kCaptionHeight = 20, kWordsHeight = 20, kPictureEnd = 5;  // points

// Of several mistakes the one whose picture says most.
MistakePicture picture_of(const Tried& tried) {
  constexpr std::array kOrder{MistakePicture::mask, MistakePicture::axis, MistakePicture::pairing};
  for (const MistakePicture wanted : kOrder)
    for (const std::string& word : tried.words)
      if (const Mistake* mistake = find_mistake(word); mistake && mistake->picture == wanted) return wanted;
  return MistakePicture::scatter;
}

// The number that is pinned or pointed at, else where the first stage that differs does so most.
Cell cell_looked_at(const Frame& frame, const Results& results, const std::optional<StageVerdict>& first) {
  if (const auto& spot = frame.view.focus()) {
    const auto stage = results.graph.find(spot->stage);
    if (stage && holds(results.graph.stages[*stage].shape, spot->cell)) return spot->cell;
  }
  const auto stage = first ? results.graph.find(first->id) : std::nullopt;
  return stage && first->same_shape ? cell_at(results.graph.stages[*stage].shape, first->at) : Cell{};
}

void draw_picture(PictureScene& scene, Rect area) {
  if (draws_heads(scene)) return draw_heads_picture(scene, area);
  switch (picture_of(scene.tried)) {
    case MistakePicture::mask:
      return draw_mask_picture(scene, area);
    case MistakePicture::axis:
      return draw_axis_picture(scene, area);
    case MistakePicture::pairing:
      return draw_pairing_picture(scene, area);
    case MistakePicture::heads:
    case MistakePicture::scatter:
      return draw_scatter_picture(scene, area);
  }
}

}  // namespace

std::string PictureScene::query(std::size_t row) const {
  return inspector::quoted(stage(places().scores).rows, row);
}

std::string PictureScene::key(std::size_t column) const {
  return inspector::quoted(stage(places().scores).columns, column);
}

PictureHalves picture_halves(const PictureScene& scene, Rect area, const std::string& title,
                             const std::string& yours, const std::string& ours, float most) {
  const Theme& theme = scene.theme();
  draw_title(scene.list(), theme, area.min, theme.text, title, {}, area.width());
  const float top = area.min.y + theme.px(kTitleHeight), middle = (area.min.x + area.max.x) / 2;
  const float body = top + theme.px(kCaptionHeight),
              bottom = std::min(area.max.y - theme.px(kPictureEnd + kWordsHeight), body + most),
              end = bottom + theme.px(kWordsHeight);
  const PictureHalves halves{{{area.min.x, body}, {middle - theme.px(kHalfGap) / 2, bottom}},
                             {{middle + theme.px(kHalfGap) / 2, body}, {area.max.x, bottom}},
                             {{area.min.x, bottom}, {area.max.x, end}}};
  const auto caption = [&](Rect half, ImU32 colour, const std::string& text) {
    const ImFont* font = theme.fonts.small;
    draw_text(scene.list(), font, {half.min.x, top}, colour, elided(font, text, half.width()));
  };
  caption(halves.yours, theme.key, yours);
  caption(halves.ours, theme.query, ours);
  return halves;
}

void draw_picture_words(const PictureScene& scene, Rect line, const std::string& words) {
  const Theme& theme = scene.theme();
  const ImFont* font = theme.fonts.small;
  draw_text(scene.list(), font, {line.min.x, line.max.y - font_size(font) - theme.px(1)},
            read_colour(theme, theme.warning, theme.canvas), elided(font, words, line.width()));
}

PictureWindow window_around(std::size_t of, std::size_t most, std::size_t at) {
  const std::size_t count = std::min(of, std::max<std::size_t>(1, most));
  const std::size_t before = std::min(at, count / 2);
  return {std::min(at - before, of - count), count};
}

void draw_mistake_picture(Frame& frame, Rect area) {
  const Results* results = check_results(frame);
  const auto tried = shown_mistakes(frame);
  if (!results || !tried || results->graph.parts.empty() || !results->graph.parts.front().stages) return;
  const Study<Mistaken> mistaken = study_mistaken(frame, *tried);
  const Study<Diagnosis> study = check_study(frame);
  PictureScene scene{frame, *results, *tried};
  if (mistaken.found && !mistaken.stale) scene.mistaken = mistaken.found->results.get();
  if (study.found->first && *study.found->first < study.found->stages.size())
    scene.first = study.found->stages[*study.found->first];
  scene.cell = cell_looked_at(frame, *results, scene.first);
  ImGui::PushID("mistake picture");
  draw_picture(scene, area);
  ImGui::PopID();
}

}  // namespace attn
