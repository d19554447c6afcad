// The pipeline while its results are not there: being computed, stopped, or lost with their device.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>

#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/app/bare_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Computes nothing until its gate is open, where it waits.
struct Slow : Backend {
  Slow(std::shared_future<void> gate, const std::atomic<bool>& waits)
      : gate_(std::move(gate)), waits_(waits) {}
  std::string name() const override { return "slow"; }
  Tensor run(const Operation& operation, Inputs inputs, Numbers wanted) override {
    if (waits_) gate_.wait();
    return reference_->run(operation, inputs, wanted);
  }
  std::shared_future<void> gate_;
  const std::atomic<bool>& waits_;
  std::unique_ptr<Backend> reference_ = make_reference_backend();
};

}  // namespace

TEST_CASE("before the first results inputs are shown and computed stages are outlines") {
  std::promise<void> release;
  Application::Setup setup;
  setup.document = read_document("the-cat-sat-on-mat");
  setup.devices.backend = [waits = release.get_future().share()](std::vector<std::string>&) {
    waits.wait();
    return make_reference_backend();
  };
  BareLab lab(std::move(setup));
  CHECK(lab.count("1.43") == 1);
  CHECK(lab.count("computing…") == 9);  // X + PE, Q, K, V, scores, scaled, weights, output and the arcs
  release.set_value();
  lab.app().engine().wait_idle();
  lab.frames(1);
  CHECK(lab.count("computing…") == 0);
}

TEST_CASE("a slow computation shows how far it is and can be stopped and taken up again") {
  std::promise<void> release;
  Application::Setup setup;
  setup.document = read_document(kStartExample);
  const std::atomic<bool> waits = true;
  setup.devices.backend = [&, gate = release.get_future().share()](std::vector<std::string>&) {
    return std::make_unique<Slow>(gate, waits);
  };
  BareLab lab(std::move(setup));
  while (lab.app().engine_state().computing.empty()) std::this_thread::yield();
  lab.frames(10);
  CHECK(lab.find("computing " + lab.app().engine_state().computing + "…"));
  lab.click("Stop");
  release.set_value();
  lab.app().engine().wait_idle();
  lab.frames(3);
  CHECK(lab.app().engine_state().stopped);
  CHECK_FALSE(lab.find("Stop"));
  lab.click("Compute it");
  lab.app().engine().wait_idle();
  lab.frames(3);
  CHECK(lab.app().engine_state().results->document == lab.app().document());
  CHECK_FALSE(lab.find("Compute it"));
}

TEST_CASE("numbers that are behind the document are called so and dimmed where they stand") {
  std::promise<void> release;
  std::atomic<bool> waits = false;
  Application::Setup setup;
  setup.document = read_document(kStartExample);
  setup.devices.backend = [&, gate = release.get_future().share()](std::vector<std::string>&) {
    return std::make_unique<Slow>(gate, waits);
  };
  BareLab lab(std::move(setup));
  lab.app().engine().wait_idle();
  lab.frames(10);
  const char* words = "new numbers are being computed";
  const auto place = [&](const char* text) {
    REQUIRE(lab.find(text));
    return *lab.find(text);
  };
  const auto look = [&](const std::optional<Spot>& spot, bool behind) {
    lab.app().view().pinned = lab.app().view().inspected = spot;
    lab.frames(3);
    CHECK(lab.count(words) == behind);
  };
  // Where things are that are dimmed when they are behind.
  const auto places = [&](bool behind) {
    look({}, behind);
    const Rect hint = place("Inspector"), check = place("row sum");
    CHECK_FALSE(lab.dimmed(hint));
    CHECK(lab.dimmed(check) == behind);
    look(Spot{"weights", {0, 1, 0}}, behind);
    const Rect number = place("0.7632967");
    CHECK(lab.dimmed(number) == behind);
    return std::vector{hint.min.x, hint.min.y, check.min.x, check.min.y, number.min.x, number.min.y};
  };
  const std::vector<float> before = places(false);
  waits = true;
  Document other = lab.app().document();
  other.layer().soft_cap = 1e6;  // which the number shows nothing of
  lab.app().change(other);
  lab.frames(10);
  CHECK(places(true) == before);
  release.set_value();
  lab.app().engine().wait_idle();
  lab.frames(3);
  CHECK(places(false) == before);
}

TEST_CASE("after a device has failed at work the reference is one click away") {
  struct Broken : Backend {
    std::string name() const override { return "broken"; }
    Tensor run(const Operation&, Inputs, Numbers) override {
      throw Error("the device went away", Fault::device);
    }
  };
  Application::Setup setup;
  setup.document = read_document(kStartExample);
  setup.devices.backend = [](std::vector<std::string>&) { return std::make_unique<Broken>(); };
  setup.devices.backend_for = [](const std::string& choice) {
    CHECK(choice == "reference");
    return [](std::vector<std::string>&) { return make_reference_backend(); };
  };
  BareLab lab(std::move(setup));
  lab.app().engine().wait_idle();
  lab.frames(3);
  CHECK(lab.find("the device went away"));
  lab.click("Compute on the reference");
  lab.app().engine().wait_idle();
  lab.frames(3);
  REQUIRE(lab.app().engine_state().results);
  CHECK(lab.app().engine_state().results->device == "reference");
  CHECK_FALSE(lab.find("the device went away"));
}

TEST_CASE("the menu of devices tests them again and then makes the choice anew") {
  int again_asked = 0, chosen = 0;
  Application::Setup setup;
  setup.document = read_document(kStartExample);
  setup.devices.backend = [](std::vector<std::string>&) { return make_reference_backend(); };
  setup.devices.backend_for = [&](const std::string&) {
    return [&](std::vector<std::string>&) {
      ++chosen;
      return make_reference_backend();
    };
  };
  setup.devices.survey = [&](bool again) {
    again_asked += again;
    return std::vector<DeviceChoice>{{0, again_asked > 0 ? "Device" : "Device: out of resources"}};
  };
  BareLab lab(std::move(setup));
  const auto until_idle = [&] {
    lab.app().engine().wait_idle();
    lab.frames(3);
  };
  const auto open_menu = [&] {
    for (const DrawnText& text : drawn_texts(*ImGui::GetDrawData()))
      if (text.text.starts_with("reference · ")) return lab.click(text.text);
    FAIL("there is no badge");
  };
  until_idle();
  open_menu();
  until_idle();
  CHECK(lab.find("Device: out of resources"));
  lab.click("Test all devices again");
  until_idle();
  until_idle();
  CHECK(again_asked == 1);
  CHECK(chosen == 1);
  open_menu();
  CHECK(lab.find("Device"));
}

TEST_CASE("testing all devices again keeps the device of this run and a choice made meanwhile") {
  std::promise<void> release;
  std::vector<std::string> chosen;
  Application::Setup setup;
  setup.document = read_document(kStartExample);
  setup.devices.backend = [](std::vector<std::string>&) { return make_reference_backend(); };
  setup.device = "reference";
  setup.devices.backend_for = [&](const std::string& choice) {
    chosen.push_back(choice);
    return [](std::vector<std::string>&) { return make_reference_backend(); };
  };
  setup.devices.survey = [waits = release.get_future().share()](bool) {
    waits.wait();
    return std::vector<DeviceChoice>{{0, "Device"}};
  };
  BareLab lab(std::move(setup));
  const auto retested = [&] {
    lab.app().retest_devices();
    lab.app().engine().wait_idle();
    lab.frames(1);
    lab.app().engine().wait_idle();
    return chosen.back();
  };
  const auto is_ticked = [&](const char* name) {
    const auto commands = make_commands(lab.app());
    return std::ranges::find(commands, name, &Command::name)->checked;
  };
  CHECK(is_ticked("device.reference"));
  CHECK_FALSE(is_ticked("device.auto"));
  lab.app().retest_devices();
  lab.app().use_device("auto");
  release.set_value();
  lab.app().engine().wait_idle();
  lab.frames(1);
  CHECK(chosen == std::vector<std::string>{"auto", "auto"});
  lab.app().view().device = "reference";
  CHECK(retested() == "reference");
  CHECK(lab.app().view().settings.device == "auto");  // what is for this run is not remembered
}

TEST_CASE("a document too large for the memory says so and what would fit, and Undo leads back") {
  Application::Setup setup;
  setup.document = read_document("three-tokens");
  BareLab lab(std::move(setup));
  lab.app().engine().wait_idle();
  Document large = lab.app().document();
  LayerSpec& layer = large.layer();
  constexpr std::size_t kTokens = 1'000'000;  // 4 TB for one stage
  layer.q = layer.k = layer.v = Tensor({1, kTokens, 1}, std::vector<float>(kTokens, 1.0f));
  layer.tokens.clear();
  lab.app().change(large);
  lab.app().engine().wait_idle();
  lab.frames(3);
  const EngineState state = lab.app().engine_state();
  CHECK(state.fault == Fault::memory);
  REQUIRE(state.results);
  CHECK(state.results->outputs[0].rows() == 3);  // as before
  const auto notice = [&] {
    std::string text;
    for (const DrawnText& drawn : drawn_texts(*ImGui::GetDrawData())) text += drawn.text + " ";
    return text;
  };
  CHECK(notice().find("not enough memory") != std::string::npos);
  CHECK(notice().find("would fit") != std::string::npos);
  lab.click("Undo");
  lab.app().engine().wait_idle();
  lab.frames(3);
  CHECK(lab.app().engine_state().error.empty());
  CHECK(notice().find("not enough memory") == std::string::npos);
}
