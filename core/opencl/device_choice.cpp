// The order of preference, and the way down it: a device that cannot be opened after all is a note, and the
// next is tried, down to the reference, which also steps in for one that fails at work. A device asked for by
// name is that one or an error.
#include "core/opencl/device_choice.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "core/evaluate/fallback.h"
#include "core/opencl/backend.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn::opencl {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string kind(const Device& device) {
  return device.gpu ? "a GPU" : "the processor";
}

// Best first: GPUs before processors, then the faster.
std::vector<Device> by_preference(std::vector<Device> devices) {
  std::stable_sort(devices.begin(), devices.end(), [](const Device& a, const Device& b) {
    return a.gpu != b.gpu ? a.gpu : a.milliseconds < b.milliseconds;
  });
  return devices;
}

// The survey's list was made by other processes, each of which met one driver alone.
std::unique_ptr<Backend> open(const Device& device, Budget& budget, DriverCalls* calls) {
  name_device(calls, device.name);
  const DriverCall call(calls);
  std::string problem;
  try {
    const Identity identity{device.name, device.platform, device.driver};
    std::size_t before = 0;
    for (const cl::Device& found : list_devices(problem))
      if (identity_of(found) == identity && before++ == device.twin) {
        Variant variant = best_variant(found);
        variant.most_steps = device.most_steps;
        variant.flash_tiles = device.flash_tiles;
        return with_monitored_calls(make_backend(found, variant, budget), calls);
      }
  } catch (const cl::Error& error) {
    problem = error_text(error.err()) + " (" + error.what() + ")";
  }
  throw Error(device.name + " is not there for this program: start it again" +
                  (problem.empty() ? "" : ": " + problem),
              Fault::device);
}

void note_limit(const Device& device, std::vector<std::string>& notes) {
  if (device.most_steps == kEndless) return;
  notes.push_back(device.name + " leaves loops after " + std::to_string(device.most_steps) +
                  " steps: the reference computes what takes longer ones");
}

std::unique_ptr<Backend> best(const Survey& survey, Budget& budget, std::vector<std::string>& notes,
                              DriverCalls* calls) {
  for (const Device& device : by_preference(survey.devices)) {
    if (!device.passed) {
      notes.push_back(device.name + " is left out: " + device.verdict);
      continue;
    }
    try {
      auto backend = open(device, budget, calls);
      notes.push_back("device: " + device.name + ", " + kind(device) +
                      ": the best that passed its self-test");
      note_limit(device, notes);
      return with_fallback(std::move(backend));
    } catch (const Error& error) {
      notes.push_back(error.what());
    }
  }
  notes.push_back(survey.devices.empty() ? "device: the reference: there is no OpenCL device"
                                         : "device: the reference: no OpenCL device passed its self-test");
  return make_reference_backend();
}

// The device that a number or part of a name means; the first that passed, where a name means several.
const Device& asked_for(const Survey& survey, const std::string& choice) {
  std::size_t number = 0;
  const char* end = choice.data() + choice.size();
  const auto [last, error] = std::from_chars(choice.data(), end, number);
  if (error == std::errc() && last == end) {
    if (number < survey.devices.size()) return survey.devices[number];
    throw Error("there is no device " + choice + ": " + std::to_string(survey.devices.size()) +
                    " found; see attention-lab devices",
                Fault::device);
  }
  const Device* match = nullptr;
  std::vector<std::string> words{"auto", kReference};
  for (const Device& device : survey.devices) {
    words.push_back(device.name);
    if (!choice.empty() && lower(device.name).find(lower(choice)) != std::string::npos)
      if (match == nullptr || (device.passed && !match->passed)) match = &device;
  }
  if (match != nullptr) return *match;
  const std::string nearest = nearest_word(choice, words);
  throw Error(
      "no device is called \"" + choice + "\": " +
          (nearest.empty() ? "use auto, reference, a number or part of a name; see attention-lab devices"
                           : "did you mean " + nearest + "?"),
      Fault::option);
}

}  // namespace

std::unique_ptr<Backend> choose(const Survey& survey, const std::string& choice, Budget& budget,
                                std::vector<std::string>& notes, DriverCalls* calls) {
  notes.insert(notes.end(), survey.notes.begin(), survey.notes.end());
  if (choice == "auto") return best(survey, budget, notes, calls);
  const Device& device = asked_for(survey, choice);
  if (!device.passed) throw Error(device.name + " cannot be used: " + device.verdict, Fault::device);
  auto backend = open(device, budget, calls);
  notes.push_back("device: " + device.name + ", as asked");
  note_limit(device, notes);
  return backend;
}

}  // namespace attn::opencl
