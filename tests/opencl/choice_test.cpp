// Which device is used, and what is said about it.
#include <doctest/doctest.h>

#include "core/opencl/device_choice.h"
#include "core/system/error.h"
#include "tests/opencl/opened.h"

using namespace attn;
using namespace attn::opencl;

namespace {

Device device_called(const std::string& name, std::size_t index, bool gpu, bool passed) {
  Device device;
  device.name = name;
  device.index = index;
  device.gpu = gpu;
  device.passed = passed;
  device.verdict = passed ? "passed" : "add is wrong";
  return device;
}

// A survey of the real devices, as if they had passed.
Survey real_survey() {
  Survey survey;
  for (const cl::Device& device : test_devices()) {
    const Identity identity = identity_of(device);
    survey.devices.push_back(device_called(identity.name, survey.devices.size(), is_gpu(device), true));
    survey.devices.back().platform = identity.platform;
    survey.devices.back().driver = identity.driver;
  }
  return survey;
}

Fault fault_of(const Survey& survey, const std::string& choice, std::string* message = nullptr) {
  Budget budget;
  std::vector<std::string> notes;
  try {
    choose(survey, choice, budget, notes);
  } catch (const Error& error) {
    if (message != nullptr) *message = error.what();
    return error.fault();
  }
  FAIL("chosen: ", choice);
  return {};
}

std::string last_note(const Survey& survey, const std::string& choice, std::string& name) {
  Budget budget;
  std::vector<std::string> notes;
  name = choose(survey, choice, budget, notes)->name();
  return notes.back();
}

}  // namespace

TEST_CASE("Of a device that leaves loops early it is said what the reference computes") {
  Survey survey = real_survey();
  std::string name;
  CHECK(last_note(survey, "0", name).starts_with("device: "));
  survey.devices[0].most_steps = 65535;
  for (const char* choice : {"auto", "0"})
    CHECK(last_note(survey, choice, name) ==
          survey.devices[0].name +
              " leaves loops after 65535 steps: the reference computes what takes longer ones");
  CHECK(name == survey.devices[0].name);
}

TEST_CASE("A device is chosen by number and by part of its name") {
  const Survey survey = real_survey();
  std::string name;
  CHECK(last_note(survey, "0", name) == "device: " + survey.devices[0].name + ", as asked");
  CHECK(name == survey.devices[0].name);
  std::string shouted = survey.devices[0].name.substr(1);
  for (char& c : shouted) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  last_note(survey, shouted, name);
  CHECK(name == survey.devices[0].name);
}

TEST_CASE("auto takes a device that passed and says which") {
  std::string name;
  const std::string note = last_note(real_survey(), "auto", name);
  CHECK(name != "reference");
  CHECK(note.starts_with("device: " + name));
  CHECK(note.ends_with("the best that passed its self-test"));
}

TEST_CASE("auto takes a GPU before the processor and what is gone before nothing") {
  Survey survey = real_survey();
  for (Device& device : survey.devices) device.gpu = false;  // as if, whatever they are
  const std::string processor = survey.devices[0].name;
  survey.devices.push_back(device_called("Pulled Out", 77, true, true));
  Budget budget;
  std::vector<std::string> notes;
  CHECK(choose(survey, "auto", budget, notes)->name() == processor);
  REQUIRE(notes.size() == 2);
  CHECK(notes[0] == "Pulled Out is not there for this program: start it again");
}

TEST_CASE("auto falls back on the reference when nothing passed") {
  Survey survey = real_survey();
  for (Device& device : survey.devices) {
    device.passed = false;
    device.verdict = "add is wrong";
  }
  Budget budget;
  std::vector<std::string> notes;
  CHECK(choose(survey, "auto", budget, notes)->name() == "reference");
  CHECK(notes.front() == survey.devices[0].name + " is left out: add is wrong");
  CHECK(notes.back() == "device: the reference: no OpenCL device passed its self-test");
  CHECK(fault_of(survey, "0") == Fault::device);
}

TEST_CASE("auto falls back on the reference when there is no device and passes on why") {
  Budget budget;
  std::vector<std::string> notes;
  const Survey survey{.devices = {}, .notes = {"no OpenCL driver is installed"}};
  CHECK(choose(survey, "auto", budget, notes)->name() == "reference");
  CHECK(notes == std::vector<std::string>{"no OpenCL driver is installed",
                                          "device: the reference: there is no OpenCL device"});
}

TEST_CASE("Missing devices and unknown words are told apart") {
  Survey survey;
  survey.devices.push_back(device_called("GeForce RTX", 0, true, false));
  std::string message;
  CHECK(fault_of(survey, "7", &message) == Fault::device);
  CHECK(message.find("there is no device 7: 1 found") != std::string::npos);
  CHECK(fault_of(survey, "refrence", &message) == Fault::option);
  CHECK(message.find("did you mean reference?") != std::string::npos);
  CHECK(fault_of(survey, "geforce", &message) == Fault::device);
  CHECK(fault_of(survey, "", &message) == Fault::option);
}
