// Which tiles flash attention goes by: that the fastest right ones win, that the choice is kept, and that
// every one of a processor's is right.
#include "core/opencl/flash_tuning.h"

#include <doctest/doctest.h>

#include <map>

#include "core/checks/comparison.h"
#include "core/opencl/backend.h"
#include "core/opencl/cases/numbers.h"
#include "core/opencl/flash_tiles.h"
#include "core/opencl/self_test.h"
#include "core/operations/flash.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "tests/opencl/opened.h"
#include "tests/opencl/surroundings.h"

using namespace attn;
using namespace attn::opencl;

namespace {

// Computes as the reference does, and takes as long as it is told.
class Tiled final : public Backend {
 public:
  std::string name() const override { return "tiled"; }
  DeviceFacts facts() const override { return {.flash_tiles = {2, 8}, .flash_choice = choice}; }

  Tensor run(const Operation& operation, Inputs inputs, Numbers wanted) override {
    const FlashTiles tiles = std::get<FlashAttention>(operation).tiles.value();
    ++runs;
    now += seconds.contains(tiles.rows) ? seconds[tiles.rows] : 1e-3;
    if (wanted == Numbers::there) return Tensor::on_device({1, 1, 1}, std::make_shared<int>());
    const Tensor right = reference_->run(operation, inputs);
    if (tiles.rows != wrong_rows) return right;
    std::vector<float> values(right.values().begin(), right.values().end());
    values.back() += 1e-3f;  // the last weight
    return {right.shape(), std::move(values)};
  }

  FlashTiles tuned() {
    return tuned_flash(*this, [this] { return now; });
  }

  FlashTileChoice choice{{1, 2, 3}, {4, 8}};
  std::map<std::size_t, double> seconds;  // of a run, by rows
  std::size_t wrong_rows = 0, runs = 0;
  double now = 0;

 private:
  std::unique_ptr<Backend> reference_ = make_reference_backend();
};

TEST_CASE("The fastest tiles of flash attention are taken, unless they are hardly faster") {
  Tiled device;
  device.seconds[3] = 0.5e-3;
  CHECK(device.tuned() == FlashTiles{3, 4});
  device.seconds[3] = 0.99e-3;
  CHECK(device.tuned() == FlashTiles{2, 8});
}

TEST_CASE("Tiles that are wrong are not taken, however fast") {
  Tiled device;
  device.seconds = {{1, 0.8e-3}, {3, 0.5e-3}};
  device.wrong_rows = 3;
  CHECK(device.tuned() == FlashTiles{1, 4});
  device.wrong_rows = 2;
  CHECK_THROWS_WITH_AS(device.tuned(), "flash_attention is wrong in tiles of 2,8", Error);
}

TEST_CASE("A device that is slow, or has no other tiles, keeps its own, in less than 2 s") {
  Tiled device;
  device.seconds = {{1, 0.1}, {2, 0.1}, {3, 0.05}};
  CHECK(device.tuned() == FlashTiles{2, 8});
  CHECK(device.now < 2);
  Tiled single;
  single.choice = {{2}, {8}};
  CHECK(single.tuned() == FlashTiles{2, 8});
  CHECK(single.runs == 0);
}

TEST_CASE("The tiles that a device was tuned to are remembered, and found again where the list is damaged") {
  const auto tuned_to = [](const char* rows) {
    return std::string("echo '{\"passed\": true, \"verdict\": \"passed\", \"largest_error\": 1e-7, ") +
           "\"milliseconds\": 2, \"flash_rows\": " + rows + ", \"flash_keys\": 128}'";
  };
  Place place;
  place.set_probe(tuned_to("48"));
  for (int start = 0; start < 2; ++start)
    CHECK(place.start().devices.at(0).flash_tiles == FlashTiles{48, 128});
  CHECK(place.asked() == 1);
  std::filesystem::resize_file(place.ledger(), std::filesystem::file_size(place.ledger()) / 2);
  place.set_probe(tuned_to("12"));
  CHECK(place.start().devices.at(0).flash_tiles == FlashTiles{12, 128});
  CHECK(place.asked() == 2);
}

TEST_CASE("A device is tuned where nothing can be kept, and one that says nothing of tiles has its own") {
  Place place;
  Place::write(place.folder() / "cache", "a file, not a folder");
  place.set_probe(
      "echo '{\"passed\": true, \"verdict\": \"passed\", \"largest_error\": 0, \"milliseconds\": 2, "
      "\"flash_rows\": 6, \"flash_keys\": 64}'");
  const Survey survey = place.start();
  CHECK(survey.devices.at(0).flash_tiles == FlashTiles{6, 64});
  CHECK(has_note(survey, "cannot be written"));
  place.set_probe(kPass);
  CHECK(place.start().devices.at(0).flash_tiles == FlashTiles{});
}

TEST_CASE("Tiles that a ledger names and the kernels do not have are the kernels' own") {
  for (const bool groups : {false, true}) {
    const FlashTiles own = flash_tiles({.groups = groups});
    CHECK(flash_choice({.groups = groups}).has(own));
    CHECK(flash_tiles({.groups = groups, .flash_tiles = {7, 1000}}) == own);
  }
  CHECK(flash_tiles({.flash_tiles = {48, 384}}) == FlashTiles{48, 384});
}

TEST_CASE("Flash attention is right in all tiles that a processor has, and refuses others") {
  const auto reference = make_reference_backend();
  const std::vector<Tensor> inputs{numbers({2, 49, 5}, Kind::ordinary, 1),
                                   numbers({1, 389, 5}, Kind::ordinary, 2),
                                   numbers({1, 389, 18}, Kind::ordinary, 3)};
  for (const cl::Device& device : test_devices()) {
    Variant variant{.groups = false, .double_sums = best_variant(device).double_sums};
    variant.most_steps = most_steps_of(device, variant);
    Budget budget;
    const auto backend = make_backend(device, variant, budget);
    for (FlashAttention op :
         {FlashAttention{.scale = 0.01}, FlashAttention{.scale = 0.01, .masks = {{CausalRule{}}}},
          FlashAttention{.scale = 0.01, .masks = {{WindowRule{100}}}, .weights = true}}) {
      const Tensor expected = reference->run(op, inputs);
      for (const std::size_t rows : flash_choice(variant).rows)
        for (const std::size_t keys : flash_choice(variant).keys) {
          op.tiles = FlashTiles{rows, keys};
          const Tensor result = backend->run(op, inputs);
          CHECK_MESSAGE(
              std::ranges::equal(result.values(), expected.values(),
                                 [](float a, float b) { return distance(a, b) <= accepted_distance(b); }),
              to_text(*op.tiles));
        }
    }
    CHECK_THROWS_AS(backend->run(FlashAttention{.tiles = FlashTiles{16, 64}}, inputs), Error);
  }
}

}  // namespace
