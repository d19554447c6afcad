// The program with no command: the window; without a display, a picture of it.
#include "app/cli/commands.h"
#include "app/cli/numbers.h"
#include "app/cli/refuse.h"
#include "app/host/window.h"
#include "app/input.h"
#include "app/start.h"
#include "core/opencl/devices.h"

namespace attn {
namespace {

constexpr const char* kPicture = "attention-lab.png";

float read_ui_scale(const std::string& word) {
  if (word.empty()) return 1;
  const auto scale = parse_number<float>(word);
  if (!scale || !(*scale >= 0.5f && *scale <= 4)) refuse("--ui-scale", word, "a number from 0.5 to 4");
  return *scale;
}

void draw_picture_instead(const LabRequest& request, const std::string& why, std::ostream& out,
                          std::ostream& err) {
  RenderRequest picture;
  picture.input = request.input.empty() ? kStartExample : request.input;
  picture.output = kPicture;
  picture.scale = request.ui_scale;
  if (!request.device.empty()) picture.device = request.device;
  render(picture, err);
  out << "No window could be opened (" << why << "), so " << picture.input << " was drawn to " << kPicture
      << " in this folder. See attention-lab --help for what works without a display.\n";
}

// For the choice of devices; one that failed its self-test is named with the reason.
std::vector<DeviceChoice> list_choices() {
  std::vector<DeviceChoice> choices;
  for (const opencl::Device& device : opencl::survey_devices().devices)
    choices.push_back({device.index, device.passed ? device.name : device.name + ": " + device.verdict});
  return choices;
}

}  // namespace

void open_lab(const LabRequest& request, std::ostream& out, std::ostream& err) {
  const float ui_scale = read_ui_scale(request.ui_scale);
  std::string why;
  const std::unique_ptr<Window> window = Window::open(why);
  if (!window) {
    if (request.drawn) throw Error("no window could be opened: " + why, Fault::output);
    draw_picture_instead(request, why, out, err);
    return;
  }
  Store store = Store::from_environment();
  const std::string device = request.device.empty() ? store.load_settings().device : request.device;
  Application::Setup setup = start_setup(request.input, std::move(store));
  setup.backend_for = [budget = setup.budget](const std::string& choice) -> BackendFactory {
    return [choice, budget](std::vector<std::string>& notes) {
      return opencl::choose_backend(choice, *budget, notes);
    };
  };
  setup.backend = setup.backend_for(device);
  setup.survey = list_choices;
  window->run(std::move(setup), ui_scale, request.drawn);
}

}  // namespace attn
