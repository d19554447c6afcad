// A curve that is drawn: over each point a number, by dragging across or point by point with keys; behind it
// the curve as it is now, and once the answer is shown the one that it has become.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/inspector/inspector_numbers.h"
#include "app/lesson/exercises.h"
#include "app/theme/toolkit.h"
#include "app/widgets/strokes.h"
#include "app/widgets/words.h"
#include "core/lesson/curve_points.h"
#include "core/system/error.h"

namespace attn {
namespace {

using inspector::Flow;

constexpr float kHeight = 110, kPoint = 4.5f, kDash = 4;  // points

std::optional<CurvePoints> points_of(const LessonExercise& exercise, const LiveNumbers& live) {
  try {
    return curve_points(exercise, live);
  } catch (const Error&) {
    return std::nullopt;
  }
}

class CurvePlot {
 public:
  CurvePlot(ExercisePart& part, const CurvePoints& asked)
      : part_(part), flow_(part.flow), theme_(part.theme()), small_(theme_.fonts.small), names_(asked.names) {
    const LessonExercise& one = part.exercise;
    const float knob = flow_.px(kPoint), numbers = std::max(text_width(small_, two_digits(one.least)),
                                                            text_width(small_, two_digits(one.most)));
    area_ = {{flow_.left + numbers + flow_.px(kTableGap), flow_.y + knob},
             {flow_.right, flow_.y + knob + flow_.px(kHeight)}};
    pitch_ = area_.width() / static_cast<float>(names_.size());
  }

  // What the mouse does: from where it was to where it is, every point on its way.
  void take_drag() {
    inspector::press(flow_, "curve", area_);
    if (!ImGui::IsItemActive() || part_.answer.shown || !ImGui::IsMouseDown(0)) return;
    std::vector<double>& drawn = begin_curve(part_.exercise, part_.answer, part_.asked);
    const ImGuiIO& io = ImGui::GetIO();
    ImVec2 from{io.MousePos.x - io.MouseDelta.x, io.MousePos.y - io.MouseDelta.y};
    if (ImGui::IsItemActivated()) from = io.MousePos;
    const std::size_t first = nearest(from.x), last = nearest(io.MousePos.x);
    for (std::size_t i = std::min(first, last); i <= std::max(first, last); ++i) {
      if (i == first && i != last) continue;  // it has its number
      const float way = first == last ? 1.0f
                                      : (static_cast<float>(i) - static_cast<float>(first)) /
                                            (static_cast<float>(last) - static_cast<float>(first));
      drawn[i] = value_at(from.y + way * (io.MousePos.y - from.y));
    }
    part_.answer.point = last;
  }

  void draw(const std::vector<double>& now, const std::vector<double>& truth) {
    draw_frame();
    const bool fits = part_.answer.curve.size() == names_.size();  // else it is of another layer
    const std::vector<double> yours = fits ? part_.answer.curve : std::vector<double>();
    if (!now.empty()) dashes(now, theme_.accent);
    if (!truth.empty()) stroke(truth, theme_.good), rings(truth, theme_.good);
    if (yours.empty()) {
      rings(first_curve(part_.exercise, part_.asked), theme_.warning);
    } else {
      stroke(yours, theme_.warning);
      for (std::size_t i = 0; i < yours.size(); ++i)
        draw_disc(flow_.list, theme_, at(i, yours[i]), flow_.px(kPoint), theme_.warning);
    }
    if (!part_.answer.shown && !yours.empty())
      attn::draw_ring(flow_.list, at(part_.answer.point, yours[part_.answer.point]), flow_.px(kPoint + 3),
                      theme_.outline, flow_.px(1.5f));
    draw_names();
    draw_legend(!now.empty(), !yours.empty(), !truth.empty());
  }

 private:
  std::size_t nearest(float x) const {
    const float place = std::floor((x - area_.min.x) / pitch_);
    return static_cast<std::size_t>(std::clamp(place, 0.0f, static_cast<float>(names_.size() - 1)));
  }
  double value_at(float y) const {
    const double up = std::clamp(static_cast<double>((area_.max.y - y) / area_.height()), 0.0, 1.0);
    return part_.exercise.least + up * (part_.exercise.most - part_.exercise.least);
  }
  ImVec2 at(std::size_t i, double value) const {
    const LessonExercise& one = part_.exercise;
    const double known = std::isnan(value) ? one.least : value;
    const double up = std::clamp((known - one.least) / (one.most - one.least), 0.0, 1.0);
    return {area_.min.x + pitch_ * (static_cast<float>(i) + 0.5f),
            area_.max.y - static_cast<float>(up) * area_.height()};
  }
  std::vector<ImVec2> line(const std::vector<double>& values) const {
    std::vector<ImVec2> places;
    for (std::size_t i = 0; i < values.size(); ++i) places.push_back(at(i, values[i]));
    return places;
  }
  void stroke(const std::vector<double>& values, ImU32 ink) {
    draw_stroke(flow_.list, theme_, line(values), ink, flow_.px(2));
  }
  void dashes(const std::vector<double>& values, ImU32 ink) {
    draw_dashes(flow_.list, theme_, line(values), ink, flow_.px(1.5f), flow_.px(kDash), flow_.px(kDash));
  }
  void rings(const std::vector<double>& values, ImU32 ink) {
    for (std::size_t i = 0; i < values.size(); ++i)
      attn::draw_ring(flow_.list, at(i, values[i]), flow_.px(kPoint), ink, flow_.px(1.5f));
  }

  void draw_frame() {
    const LessonExercise& one = part_.exercise;
    flow_.list.AddRectFilled(area_.min, area_.max, theme_.canvas, flow_.px(4));
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const float x = at(i, one.least).x;
      flow_.list.AddLine({x, area_.min.y}, {x, area_.max.y}, with_alpha(theme_.border, 0.6f));
    }
    const auto number = [&](double value) {
      const std::string words = two_digits(value);
      const float y = at(0, value).y;
      flow_.list.AddLine({area_.min.x, y}, {area_.max.x, y}, theme_.border);
      draw_text(flow_.list, small_,
                {area_.min.x - flow_.px(kTableGap) - text_width(small_, words), y - font_size(small_) / 2},
                theme_.dim, words);
    };
    number(one.least), number(one.most);
    if (one.least < 0 && one.most > 0) number(0);
  }

  // Below their points: every second where all have no room. Those that are too long end in …
  void draw_names() {
    const float gap = flow_.px(kSignGap), y = area_.max.y + flow_.px(6);
    const bool all = std::ranges::all_of(
        names_, [&](const std::string& name) { return text_width(small_, name) <= pitch_ - gap; });
    const std::size_t step = all || names_.size() < 5 ? 1 : 2;
    for (std::size_t i = 0; i < names_.size(); i += step) {
      const std::string name = elided(small_, names_[i], pitch_ * static_cast<float>(step) - gap);
      const bool chosen = !part_.answer.shown && !part_.answer.curve.empty() && part_.answer.point == i;
      draw_text(flow_.list, small_, {at(i, 0).x - text_width(small_, name) / 2, y},
                chosen ? theme_.text : theme_.dim, name);
    }
    flow_.y = y + font_size(small_) + flow_.px(6);
  }

  void draw_legend(bool now, bool yours, bool truth) {
    float x = area_.min.x;
    const auto entry = [&](bool there, const char* words, ImU32 ink) {
      if (!there) return;
      draw_text(flow_.list, small_, {x, flow_.y}, ink, words);
      x += text_width(small_, words) + flow_.px(kMapGap);
    };
    entry(now, "- - now", theme_.accent);
    entry(yours, "● yours", theme_.warning);
    entry(truth, "○ as it is", theme_.good);
    if (now || yours || truth) flow_.y += font_size(small_) + flow_.px(8);
  }

  ExercisePart& part_;
  Flow& flow_;
  const Theme& theme_;
  const ImFont* small_;
  const std::vector<std::string>& names_;
  Rect area_ = {};
  float pitch_ = 1;  // from one point to the next
};

// "off by 0.06 on average, near enough; farthest at “sat”: you said 0.50, it is 0.67".
std::string distance_words(const LessonExercise& one, const std::vector<double>& yours,
                           const CurvePoints& truth) {
  const double off = mean_difference(yours, truth.values);
  std::string words =
      "off by " + two_digits(off) + " on average" + (off <= one.near ? ", near enough" : ", not near enough");
  std::size_t farthest = 0;
  const auto apart = [&](std::size_t i) { return std::abs(yours[i] - truth.values[i]); };
  for (std::size_t i = 1; i < yours.size(); ++i)
    if (apart(i) > apart(farthest)) farthest = i;
  return words + "; most at " + truth.names[farthest] + ": you drew " + two_digits(yours[farthest]) +
         ", it is " + two_digits(truth.values[farthest]);
}

std::string how_to_draw(const LessonExercise& one, std::size_t count) {
  return "drag across to draw; keys: 1–" + std::to_string(count) +
         " choose a point, ↑ ↓ move it; near: within " + two_digits(one.near) + " on average";
}

}  // namespace

void draw_curve(ExercisePart& part) {
  const LessonExercise& one = part.exercise;
  const auto asked = points_of(one, part.asked);
  if (!asked) {
    inspector::add_text(part.flow, "not computed here", part.theme().dim);
    return;
  }
  auto truth = part.answer.shown ? points_of(one, part.live) : std::nullopt;
  if (truth && truth->values.size() != asked->values.size()) truth.reset();
  CurvePlot plot(part, *asked);
  plot.take_drag();
  // Where the answer changes nothing, what is now would be the answer.
  plot.draw(one.then.empty() ? std::vector<double>() : asked->values,
            truth ? truth->values : std::vector<double>());
  const std::vector<double>& yours = part.answer.curve;
  std::string beside;
  if (yours.empty()) beside = how_to_draw(one, asked->values.size());
  if (truth && yours.size() == truth->values.size()) beside = distance_words(one, yours, *truth);
  draw_reveal(part, beside);
}

}  // namespace attn
