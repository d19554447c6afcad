// Settings: how the program looks, and where it computes. Remembered from one start to the next.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace attn {

enum class ThemeName { dark, light, high_contrast };
enum class WeightColours { viridis, cividis };
// What the colours of a map of weights reach to: 1, the largest of its head, or the largest of all heads.
enum class WeightRange { one, own, shared };

// Points that a side panel can be wide.
inline constexpr float kLeastPanel = 120, kMostPanel = 600;

// Which sections of the controls are open, as the person left them: by the workspace's name, then by title.
struct OpenSections {
  std::map<std::string, std::map<std::string, bool, std::less<>>, std::less<>> left = {};
  bool all = false;  // those that nobody opened or closed are open
  bool operator==(const OpenSections&) const = default;
};

struct Settings {
  ThemeName theme = ThemeName::dark;
  WeightColours weight_colours = WeightColours::viridis;
  WeightRange weight_range = WeightRange::one;
  float ui_scale = 1;  // on top of the monitor's
  bool reduce_motion = false;
  bool show_history = false;
  bool show_controls = true, show_inspector = true;   // the side panels
  float controls_width = 264, inspector_width = 322;  // at scale 1
  std::string device = "auto";
  std::string language = {};  // a code ("de"); empty: the one of the environment
  OpenSections sections = {};
  bool operator==(const Settings&) const = default;
};

}  // namespace attn
