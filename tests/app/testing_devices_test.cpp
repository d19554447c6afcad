// While devices are tested: the reference computes and shows, what is too much for it waits.
#include <doctest/doctest.h>

#include <future>

#include "core/measure/measured_layer.h"
#include "core/reference/backend.h"
#include "tests/app/bare_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

// The reference by another name.
struct Tested : Backend {
  explicit Tested(std::string name) : name_(std::move(name)) {}
  std::string name() const override { return name_; }
  Tensor run(const Operation& operation, Inputs inputs, Numbers wanted) override {
    return reference_->run(operation, inputs, wanted);
  }
  std::string name_;
  std::unique_ptr<Backend> reference_ = make_reference_backend();
};

BackendFactory tested(const std::string& name) {
  return [name](std::vector<std::string>&) { return std::make_unique<Tested>(name); };
}

// A program whose devices are tested until end().
struct Testing {
  std::promise<void> ended;
  int surveys = 0;
  std::unique_ptr<BareLab> lab;

  explicit Testing(Document document) {
    Application::Setup setup;
    setup.document = std::move(document);
    setup.devices = {.test = [waits = ended.get_future().share()] { waits.wait(); },
                     .backend = tested("device"),
                     .backend_for = tested,
                     .survey =
                         [this](bool) {
                           ++surveys;
                           return std::vector<DeviceChoice>{{0, "Device"}};
                         }};
    lab = std::make_unique<BareLab>(std::move(setup));
  }
  Application& app() const { return lab->app(); }
  bool badge_begins(const std::string& words) const {
    for (const DrawnText& text : drawn_texts(*ImGui::GetDrawData()))
      if (text.text.starts_with(words)) return true;
    return false;
  }
  // By then frames have taken up that the test is over, and what was computed since.
  void end() {
    ended.set_value();
    while (app().shown().testing) lab->frames(1);
    app().engine().wait_idle();
    lab->frames(3);
  }
};

}  // namespace

TEST_CASE("the first frame has the reference's numbers and says that devices are tested") {
  Testing testing(read_document(kStartExample));
  REQUIRE(testing.app().shown().results);
  CHECK(testing.app().shown().results->device == "reference");
  CHECK(testing.badge_begins("reference · testing devices…"));
  testing.lab->frames(3);
  CHECK(testing.lab->count("computing…") == 0);
  const Tensor before = testing.app().shown().results->output("output");
  testing.end();
  CHECK(testing.app().shown().results->device == "device");
  CHECK(testing.app().shown().results->output("output") == before);
  CHECK(testing.badge_begins("OpenCL · device"));
}

TEST_CASE("edits are computed while devices are tested") {
  Testing testing(read_document(kStartExample));
  Document edited = read_document(kStartExample);
  edited.layer().temperature = 3;
  testing.app().change(edited);
  testing.app().engine().wait_idle();
  testing.lab->frames(2);
  CHECK(testing.app().shown().results->document == edited);
  CHECK(testing.app().shown().testing);
  testing.end();
}

TEST_CASE("a layer that the reference would take long for waits for a device") {
  const Document large = measured_layer(512, 512, 8);
  Testing testing(large);
  testing.lab->frames(20);
  CHECK_FALSE(testing.app().shown().results);
  CHECK(testing.app().shown().busy);
  CHECK(testing.lab->find("testing devices…"));
  SUBCASE("and is computed there") {
    testing.end();
    REQUIRE(testing.app().shown().results);
    CHECK(testing.app().shown().results->device == "device");
    CHECK_FALSE(testing.app().shown().busy);
  }
  SUBCASE("unless a small one takes its place") {
    testing.app().change(read_document(kStartExample));
    testing.app().engine().wait_idle();
    testing.lab->frames(2);
    CHECK(testing.app().shown().results->document == read_document(kStartExample));
    CHECK_FALSE(testing.app().shown().busy);
    testing.end();
    CHECK(testing.app().shown().results->document == read_document(kStartExample));
  }
}

TEST_CASE("a device that is chosen while all are tested is used when that is over") {
  Testing testing(read_document(kStartExample));
  testing.app().use_device("other");
  testing.lab->frames(2);
  CHECK(testing.app().shown().results->device == "reference");
  testing.end();
  CHECK(testing.app().shown().results->device == "other");
}

TEST_CASE("devices are listed when they have been tested") {
  Testing testing(read_document(kStartExample));
  testing.app().survey_devices();
  testing.lab->frames(3);
  CHECK(testing.surveys == 0);
  CHECK_FALSE(testing.app().shown().surveyed);
  testing.end();
  CHECK(testing.surveys == 1);
  CHECK(testing.app().shown().devices.size() == 1);
}

TEST_CASE("a program that is left while devices are tested does not wait for their verdict with its work") {
  Testing testing(read_document(kStartExample));
  testing.app().request_quit();
  CHECK(testing.app().quit_requested());
  testing.end();
}
