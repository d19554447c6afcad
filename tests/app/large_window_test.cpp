// 8,192 tokens in 8 heads and 16,384 in one, on a device, in a window: the mouse over it, links, edits, a
// painted mask, and memory.
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <thread>

#include "app/frame/links.h"
#include "app/host/headless.h"
#include "core/opencl/devices.h"
#include "core/opencl/watched.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

constexpr std::size_t kHeadWidth = 64;

// Scores are about as large as 1: every key has its part of the weights.
Document document_of_many(std::size_t tokens, std::size_t heads) {
  const std::size_t width = heads * kHeadWidth;
  std::vector<float> weights;
  for (std::size_t i = 0; i < width * width; ++i)
    weights.push_back(random_normal(2, i) / std::sqrt(static_cast<float>(width)));
  Document document;
  LayerSpec& layer = document.layer();
  layer.x = drawn({1, tokens, width}, 1);
  for (Tensor* w : {&layer.w_q, &layer.w_k, &layer.w_v}) *w = Tensor({1, width, width}, weights);
  layer.heads = layer.kv_heads = heads;
  set_causal(layer, CausalAlign::lower_right);
  return document;
}

// The most that the process has had since forget_peak(), in MiB.
void forget_peak() {
  std::ofstream("/proc/self/clear_refs") << "5\n";
}
double peak() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (double kib = 0; word == "VmHWM:" && status >> kib) return kib / 1024;
  return 1e9;
}

class LargeWindow : public Headless {
 public:
  LargeWindow(std::size_t tokens, std::size_t heads,
              std::shared_ptr<Budget> budget = std::make_shared<Budget>())
      : Headless({.document = document_of_many(tokens, heads),
                  .settings = Settings{},
                  .backend = opencl::watched(std::make_shared<opencl::Devices>(), "auto", budget),
                  .budget = budget,
                  .wait = false}),
        tokens_(tokens) {}

  std::shared_ptr<const Results> now() { return app().engine_state().results; }
  template <class Condition>
  void until(const char* what, Condition condition) {
    INFO(what);
    for (int i = 0; i < 4000; ++i) {
      frame();
      if (condition()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    FAIL("it did not come");
  }
  void outputs_come() {
    until("outputs",
          [&] { return now() && now()->document == document() && now()->result("output").here(); });
  }
  ImVec2 at(const std::string& stage, std::size_t row, std::size_t column) {
    const auto cells = item(stage + "/cells");
    INFO(stage);
    REQUIRE(cells);
    const auto part = [&](std::size_t i) {
      return (static_cast<float>(i) + 0.5f) / static_cast<float>(tokens_);
    };
    return {cells->min.x + cells->width() * part(column), cells->min.y + cells->height() * part(row)};
  }
  // Points there, until the number is here.
  Cell look(const std::string& stage, std::size_t row, std::size_t column) {
    move(at(stage, row, column));
    frames(2);
    REQUIRE(view().hovered);
    const Cell cell = view().hovered->cell;
    until("the number", [&] { return now()->result(stage).holds(cell); });
    return cell;
  }
  // Points at a weight and takes its row: it adds up to 1.
  Cell look_at_row_sum(std::size_t row, std::size_t column) {
    const Cell cell = look("weights", row, column);
    double sum = 0;
    for (std::size_t key = 0; key < tokens_; ++key)
      sum += static_cast<double>(now()->result("weights")[{cell.head, cell.row, key}]);
    CHECK(sum == doctest::Approx(1).epsilon(1e-6));
    return cell;
  }

 private:
  std::size_t tokens_;
};

}  // namespace

TEST_CASE("8,192 tokens in 8 heads are looked at, edited and undone in less than 1 GiB" *
          doctest::test_suite("long")) {
  forget_peak();
  const double before_all = peak();
  LargeWindow lab(8192, 8);
  lab.outputs_come();
  REQUIRE(lab.app().engine_state().device != kReference);
  CHECK(lab.now()->result("weights").kept() != Kept::here);
  const StageIndex weights = lab.now()->graph.find("weights").value();
  CHECK(lab.now()->summaries[weights].pools);

  const Cell hovered = lab.look_at_row_sum(5000, 300);
  const Links links = make_links(*lab.now(), {"weights", hovered}, lab.view());
  REQUIRE(links.sources.contains("masked"));
  CHECK(links.sources.at("masked").size() == 8192);  // its row
  CHECK(links.sources.at("masked").front().row == hovered.row);
  CHECK(links.targets.contains("head_output"));
  lab.click(lab.at("weights", 5000, 300));
  lab.frames(2);
  REQUIRE(lab.view().pinned);
  const Spot pinned = *lab.view().pinned;
  CHECK(lab.shows("attends to"));
  lab.look("scores", 7000, 100);
  CHECK(lab.now()->result("weights").holds(pinned.cell));

  const Document before = lab.document();
  Document edited = before;
  set_number(edited, "x", {0, 0, 0}, 3);
  lab.app().change(edited);
  lab.until("the edited number", [&] {
    return lab.now()->document == edited && lab.now()->output("x")[{0, 0, 0}] == 3;
  });
  CHECK(lab.now()->summaries[weights].of_before < 8192);  // the old picture, dimmed
  lab.key(GLFW_KEY_Z, {.control = true});
  lab.outputs_come();
  CHECK(lab.document() == before);
  CHECK(peak() - before_all < 1024);

  // A painted mask is a matrix of its own, of 256 MiB.
  lab.click_item("paint");
  const Cell painted = lab.look("scores", 7000, 100);
  lab.until("its weight", [&] { return lab.now()->result("weights").holds(painted); });
  CHECK(lab.now()->result("weights")[painted] > 0);
  lab.click(lab.at("scores", 7000, 100));
  lab.until("the mask", [&] { return !(lab.document() == before) && lab.now()->document == lab.document(); });
  lab.app().engine().look({painted.row});
  lab.until("its row", [&] { return lab.now()->result("weights").holds(painted); });
  CHECK(lab.now()->result("weights")[painted] == 0);
  lab.key(GLFW_KEY_Z, {.control = true});
  lab.outputs_come();
  CHECK(lab.document() == before);
  CHECK(peak() - before_all < 1024 + 2 * 256);  // the mask, and the device’s
}

TEST_CASE("16,384 tokens in one head are looked at in less than 1 GiB" * doctest::test_suite("long")) {
  forget_peak();
  const double before_all = peak();
  LargeWindow lab(16384, 1);
  lab.outputs_come();
  CHECK(lab.now()->result("weights").kept() != Kept::here);
  lab.look_at_row_sum(16000, 9000);
  CHECK(peak() - before_all < 1024);
}
