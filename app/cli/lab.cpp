// The program with no command: the window.
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/measured_store.h"
#include "app/host/window.h"
#include "app/program/lesson_state.h"
#include "app/program/start.h"
#include "app/words/refuse.h"
#include "core/opencl/devices.h"
#include "core/opencl/watched.h"
#include "core/system/error.h"
#include "core/text/numbers.h"

namespace attn {
namespace {

std::optional<float> read_ui_scale(const std::string& word) {
  if (word.empty()) return std::nullopt;
  const auto scale = parse_number<float>(word);
  if (!scale || !(*scale >= 0.5f && *scale <= 4)) refuse("--ui-scale", word, "a number from 0.5 to 4");
  return *scale;
}

// For the choice of devices; one that failed its self-test is named with the reason.
std::vector<DeviceChoice> list_choices(opencl::Devices& devices, bool again) {
  using opencl::Verdicts;
  std::vector<DeviceChoice> choices;
  for (const opencl::Device& device : devices.survey(again ? Verdicts::renewed : Verdicts::kept).devices)
    choices.push_back({device.index, device.passed ? device.name : device.name + ": " + device.verdict});
  return choices;
}

}  // namespace

void open_lab(const LabRequest& words, const Console& console) {
  LabRequest request = words;
  if (request.lesson.empty() && is_lesson_file(request.input))
    std::swap(request.lesson, request.input);  // its steps open what they play on
  const std::optional<float> ui_scale = read_ui_scale(request.ui_scale);
  // What is wrong with them is said before there is a window.
  if (!request.language.empty()) read_language(request.language);
  if (!request.lesson.empty()) read_lesson(request.lesson);
  std::string why;
  const std::unique_ptr<Window> window = Window::open(why);
  if (!window)
    throw Error("no window could be opened (" + why + "); without one, attention-lab render " +
                    (request.input.empty() ? "" : request.input + " ") + "-o NAME.png draws a picture of " +
                    (request.input.empty() ? "the open work" : "it"),
                Fault::output);
  Store store = Store::from_environment();
  const bool asked = !request.input.empty() || !request.lesson.empty() || request.change || request.drawn;
  const bool first = !asked && store.begin_first_start();
  const std::string device = request.device.empty() ? store.load_settings().device : request.device;
  Application::Setup setup = start_setup(request.input, std::move(store), request.change);
  setup.devices.test = [devices = console.devices] { devices->survey(); };
  setup.devices.backend_for = [devices = console.devices, budget = setup.budget](const std::string& choice) {
    return opencl::watched(devices, choice, budget);
  };
  setup.devices.backend = setup.devices.backend_for(device);
  if (!request.device.empty()) setup.device = request.device;
  if (!request.language.empty()) setup.language = request.language;
  setup.usual_language = language_of_environment();
  setup.devices.survey = [devices = console.devices](bool again) { return list_choices(*devices, again); };
  setup.measures = measures_of_this_machine();
  window->run(std::move(setup), ui_scale,
              [first = first, lesson = request.lesson, drawn = request.drawn](Application& app) mutable {
                if (std::exchange(first, false)) begin_tour(app);
                if (!lesson.empty()) app.play_lesson(std::exchange(lesson, {}));
                if (drawn) drawn(app);
              });
}

}  // namespace attn
