// The device badge: device, last compute time, distance from the reference. A click opens the choice of
// devices.
#include "app/panels/device_badge.h"

#include <algorithm>
#include <cmath>

#include "app/inspector/checks_panel.h"
#include "app/inspector/inspector_numbers.h"
#include "app/panels/panels.h"
#include "app/theme/contrast.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/items.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/words.h"
#include "core/measure/measure_job.h"

namespace attn {
namespace {

// A distance that the digits on screen show. It may be accepted in proportion to large numbers, but is no
// "all is well".
constexpr double kVisible = 1e-3;
constexpr float kRoomyBadge = 90, kReason = 120;  // points of width

// Why a device is not in use, and what the one in use failed at: the results, or what comes behind them.
// Empty: nothing.
std::vector<std::string> troubles_of(const EngineState& engine) {
  std::vector<std::string> troubles;
  const auto add = [&](const std::string& trouble) {
    if (std::ranges::count(troubles, trouble) == 0) troubles.push_back(trouble);
  };
  if (!engine.device_error.empty()) add(engine.device_error);
  if (engine.fault == Fault::device) add(engine.error);
  if (engine.deferred && engine.deferred->fault == Fault::device) add(engine.deferred->error);
  return troubles;
}

// PoCL calls a processor "pthread-skylake-avx512-AMD EPYC" (newer ones "cpu-…"): the kind of thread, LLVM's
// name of the architecture in small letters, the model.
std::string device_words(const std::string& name) {
  if (name == "reference") return name;
  if (!name.starts_with("pthread-") && !name.starts_with("cpu-")) return "OpenCL · " + name;
  for (std::size_t dash = name.find('-'); dash + 1 < name.size(); dash = name.find('-', dash + 1)) {
    const char first = name[dash + 1];
    if (first >= 'A' && first <= 'Z') return "OpenCL · PoCL " + name.substr(dash + 1);
    if (name.find('-', dash + 1) == std::string::npos) break;
  }
  return "OpenCL · PoCL";
}

// For a badge with little room: whose device, without its model.
std::string brief_name(const std::string& name) {
  const std::string words = device_words(name);
  if (words.starts_with("OpenCL · PoCL")) return "PoCL";
  const std::string model = words.substr(words.rfind("· ") == std::string::npos ? 0 : words.rfind("· ") + 3);
  return model.substr(0, model.find(' '));
}

// The workspace shows counts: there is no number of the device to compare.
bool computes_nothing(const EngineState& engine) {
  return engine.results && engine.results->graph.stages.empty();
}

std::string distance_words(const EngineState& engine) {
  if (computes_nothing(engine)) return "";
  const Comparison* comparison = engine.comparison.get();
  if (!comparison) return engine.results ? "comparing…" : "";
  if (comparison->is_reference) return "";
  if (!comparison->reason.empty()) return "not compared";
  const std::string rows =
      comparison->rows == 0 ? "" : " in " + std::to_string(comparison->rows_compared) + " rows";
  if (comparison->largest == 0) return "equal to the reference" + rows;
  return "≤ " + write_bound(comparison->largest) + " from reference" + rows;
}

// "row sum 1.5 in row 1": the first check that does not hold, the distance aside; empty: all do.
std::string broken_check(const EngineState& engine) {
  if (!engine.checks) return {};
  for (const inspector::CheckLine& line : inspector::check_lines(engine, {}))
    if (line.verdict == inspector::CheckLine::bad && !line.distance) return line.name + ": " + line.value;
  return {};
}

Badge::Health health_of(const EngineState& engine, bool check_fails) {
  if (engine.testing && !check_fails) return Badge::starting;
  const Comparison* comparison = engine.comparison.get();
  if (comparison && !comparison->accepted()) return Badge::fault;
  if (check_fails) return Badge::doubtful;
  if (engine.device == "reference") return Badge::reference;
  if (computes_nothing(engine)) return Badge::good;
  if (!comparison || !comparison->reason.empty()) return Badge::starting;
  return comparison->largest <= kVisible ? Badge::good : Badge::doubtful;
}

std::string tooltip_of(const EngineState& engine) {
  std::string text;
  const auto add = [&](const std::string& line) {
    if (!line.empty()) text += (text.empty() ? "" : "\n") + line;
  };
  if (engine.testing) add("Devices are being tested. Until one has passed, the reference computes.");
  for (const std::string& trouble : troubles_of(engine)) add(trouble);
  for (const std::string& note : engine.notes) add(note);
  if (const Comparison* comparison = engine.comparison.get()) {
    add(comparison->reason);
    if (comparison->reason.empty() && !computes_nothing(engine)) {
      const std::string stage = engine.results->graph.stages[comparison->largest_stage].title;
      const bool large = comparison->largest > kVisible;
      add("Farthest from the reference: " + inspector::write_distance(comparison->largest) + " in " + stage +
          (!comparison->accepted() ? ", more than is accepted."
           : large                 ? ": accepted, as its numbers are large."
                                   : "."));
    }
  }
  add("Click to compute on another device.");
  return text;
}

// As much as there is room for. What is wrong is said as far as it goes: its mark alone says little.
std::string badge_text(const Badge& badge, const ImFont* font, float room, float reason) {
  if (text_width(font, badge.text) <= room || (badge.health == Badge::fault && room >= reason))
    return elided(font, badge.text, room);
  if (text_width(font, badge.brief) <= room) return badge.brief;
  return elided(font, badge.brief.substr(badge.brief.rfind(' ') + 1), room);
}

// The devices as the command table knows them; they come from a survey on the worker.
void draw_menu(Frame& frame) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.theme.px(10), frame.theme.px(8)});
  if (ImGui::BeginPopup("devices")) {
    for (const Command& command : frame.table) {
      if (!command.name.starts_with("device.") || command.name == "device.survey") continue;
      if (command.name == "device.retest") ImGui::Separator();
      const std::string item = command.title + "##" + command.name;
      if (menu_item(item, nullptr, command.checked, command.enabled)) frame.commands.push_back(command.name);
    }
    if (!frame.engine.surveyed) say_dim("looking for devices…");
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace

std::string health_mark(Badge::Health health) {
  return health == Badge::good ? " ✓" : health == Badge::fault ? " ✗" : health == Badge::doubtful ? " !" : "";
}

ImU32 health_colour(const Theme& theme, Badge::Health health) {
  switch (health) {
    case Badge::good:
      return theme.good;
    case Badge::reference:
    case Badge::doubtful:
      return theme.warning;
    case Badge::fault:
      return theme.bad;
    case Badge::starting:
      break;
  }
  return theme.dim;
}

std::string write_seconds(double seconds) {
  const auto two_digits = [](double value) {
    const int decimals = value >= 10 ? 0 : value >= 1 ? 1 : 2;
    return inspector::write(value, {decimals, false});
  };
  if (seconds >= 1) return two_digits(seconds) + " s";
  if (seconds >= 1e-4) return two_digits(seconds * 1e3) + " ms";
  return inspector::write(std::round(seconds * 1e6), {0, false}) + " µs";
}

std::string write_bound(double distance) {
  if (!std::isfinite(distance)) return "∞";
  int power = static_cast<int>(std::floor(std::log10(distance)));
  double digit = std::ceil(distance / std::pow(10.0, power) - 1e-9);  // 3e-8 is 3.0000000000000004 of 1e-8
  if (digit >= 10) digit = 1, ++power;
  if (power >= -3 && power <= 3)
    return inspector::write(digit * std::pow(10.0, power), {power < 0 ? -power : 0, false});
  return inspector::write(digit, {0, false}) + "e" + (power < 0 ? "−" : "") + std::to_string(std::abs(power));
}

Badge badge_of(const EngineState& engine, bool timeless, double peak) {
  Badge badge;
  if (engine.device.empty()) {
    badge.text = badge.brief = "starting the device…";
    return badge;
  }
  badge.text = device_words(engine.device);
  const auto set_health = [&](Badge::Health health) {
    badge.health = health;
    badge.brief = brief_name(engine.device) + health_mark(health);
  };
  if (engine.testing) badge.text += " · testing devices…";
  badge.tooltip = tooltip_of(engine);
  const auto add = [&](const std::string& words) {
    if (!words.empty()) badge.text += " · " + words;
  };
  if (const auto troubles = troubles_of(engine); !troubles.empty()) {
    set_health(Badge::fault);
    add(badge.reason = troubles.front());
    return badge;
  }
  if (peak > 0) add("peak " + inspector::write(peak / 1e9, {0, false}) + " GF/s");
  if (engine.results && !timeless && !computes_nothing(engine)) add(write_seconds(engine.results->seconds));
  const std::string broken = broken_check(engine);
  add(broken.empty() ? distance_words(engine) : broken);
  set_health(health_of(engine, !broken.empty()));
  if (badge.health == Badge::fault) badge.reason = distance_words(engine) + ", more than is accepted";
  return badge;
}

BadgeInk badge_ink(const Theme& theme, Badge::Health health, bool hovered) {
  const ImU32 colour = health_colour(theme, health), fill = mix(theme.bar, colour, hovered ? 0.22f : 0.12f);
  return {fill, with_alpha(colour, 0.6f), read_colour(theme, colour, fill)};
}

void draw_device_badge(Frame& frame, Rect area) {
  const Theme& theme = frame.theme;
  const Measured* measured = frame.measured_shape ? frame.measuring.measured.get() : nullptr;
  const Badge badge = badge_of(frame.engine, frame.view.timeless, measured ? measured->peak() : 0);
  const float padding = theme.px(area.width() < theme.px(kRoomyBadge) ? 5 : 12),
              room = std::max(theme.px(20), area.width() - 2 * padding);
  const ImFont* font = theme.fonts.small;
  const std::string text = badge_text(badge, font, room, theme.px(kReason));
  const float width = text_width(font, text) + 2 * padding;
  const Rect pill{{area.max.x - width, area.min.y}, area.max};

  begin_tab_stops();
  ImGui::SetCursorScreenPos(pill.min);
  bool pressed = ImGui::InvisibleButton("device", {pill.width(), pill.height()});
  pressed = pressed_by_enter() || pressed;
  const bool hovered = ImGui::IsItemHovered();
  end_tab_stops();
  if (hovered) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    show_tooltip(badge.text + (badge.tooltip.empty() ? "" : "\n") + badge.tooltip);
  }
  const BadgeInk ink = badge_ink(theme, badge.health, hovered);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(pill.min, pill.max, ink.fill, pill.height() / 2);
  list.AddRect(pill.min, pill.max, ink.border, pill.height() / 2, 0, theme.px(1));
  const float drop = (pill.height() - font_size(font)) / 2;
  draw_text(list, font, {pill.min.x + padding, pill.min.y + drop}, ink.text, text);
  draw_focus_ring(theme, pill.height() / 2);
  if (pressed) {
    if (!frame.engine.surveyed) frame.commands.push_back("device.survey");
    ImGui::OpenPopup("devices");
  }
  ImGui::SetNextWindowPos({pill.max.x, pill.max.y + theme.px(4)}, ImGuiCond_Appearing, {1, 0});
  draw_menu(frame);
}

}  // namespace attn
