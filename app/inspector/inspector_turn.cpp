// A number that comes from a rotation: its pair on a circle, before and after.
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "app/inspector/inspector_sections.h"
#include "app/widgets/turn.h"

namespace attn::inspector {
namespace {

constexpr float kCircle = 92;

void put_row(Flow& flow, Rect& line, const std::string& name, const std::string& value) {
  put(flow, line, name, flow.theme().dim);
  put(flow, line, value, flow.theme().text, 1);
  line.min.y = line.max.y, line.max.y += line_height(flow);
}

}  // namespace

void draw_turn(Flow& flow, const Turn& turn) {
  const Theme& theme = flow.theme();
  const float size = flow.px(kCircle), top = flow.y + flow.px(6);
  const double x = turn.gain * (turn.x * std::cos(turn.angle) - turn.y * std::sin(turn.angle));
  const double y = turn.gain * (turn.x * std::sin(turn.angle) + turn.y * std::cos(turn.angle));
  attn::draw_turn(flow.list, theme, {{flow.left, top}, {flow.left + size, top + size}},
                  {.from = std::atan2(turn.y, turn.x),
                   .angle = turn.angle,
                   .before = theme.dim,
                   .after = theme.accent,
                   .arc = theme.warning});
  const float left = flow.left + size + flow.px(12);
  Rect line{{left, top}, {flow.right, top + line_height(flow)}};
  const Digits digits = digits_for({turn.x, turn.y, x, y});
  const auto pair = [&](double a, double b) { return write(a, digits) + ", " + write(b, digits); };
  put_row(flow, line, "φ", in_radians(turn.angle));
  put_row(flow, line, "on the circle", in_degrees(turn.angle));
  put_row(flow, line, "pair", pair(turn.x, turn.y));
  put_row(flow, line, "turned", pair(x, y));
  if (turn.gain != 1) put_row(flow, line, "times", write(turn.gain));
  flow.y = std::max(top + size, line.min.y) + flow.px(4);
}

}  // namespace attn::inspector
