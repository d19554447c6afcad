// Tiles in turn, round by round: what else the machine does meets all of them, and each one's best time
// counts.
#include "core/opencl/flash_tuning.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "core/checks/comparison.h"
#include "core/opencl/cases/numbers.h"
#include "core/operations/flash.h"
#include "core/reference/backend.h"
#include "core/system/error.h"

namespace attn::opencl {
namespace {

constexpr double kMostSeconds = 1;  // a run may end after it
constexpr int kTuningRounds = 6, kLeastTuningRounds = 3;
constexpr double kClearly = 0.95;  // of the time of the present ones

// The present ones first.
std::vector<FlashTiles> all_tiles(const DeviceFacts& facts) {
  std::vector<FlashTiles> all{facts.flash_tiles};
  for (const std::size_t rows : facts.flash_choice.rows)
    for (const std::size_t keys : facts.flash_choice.keys)
      if (FlashTiles{rows, keys} != facts.flash_tiles) all.push_back({rows, keys});
  return all;
}

struct FlashWork {
  FlashAttention op;
  std::vector<Tensor> inputs;

  FlashWork(FlashAttention what, std::size_t heads, std::size_t n, std::size_t m, std::size_t d)
      : op(std::move(what)) {
    inputs = {numbers({heads, n, d}, Kind::ordinary, 1), numbers({heads, m, d}, Kind::ordinary, 2),
              numbers({heads, m, d}, Kind::ordinary, 3)};
  }
};

// A row and a few keys more than the largest tiles have; all rows but the last see fewer keys.
class FlashCheck {
 public:
  explicit FlashCheck(Backend& device)
      : device_(device),
        work_({.scale = 0.02, .masks = {{CausalRule{}}}, .weights = true}, 2, 49, 389, 3),
        expected_(make_reference_backend()->run(work_.op, work_.inputs)) {}

  bool is_right(const FlashTiles& tiles) {
    work_.op.tiles = tiles;
    return std::ranges::equal(device_.run(work_.op, work_.inputs).values(), expected_.values(),
                              [](float a, float b) { return distance(a, b) <= accepted_distance(b); });
  }

 private:
  Backend& device_;
  FlashWork work_;
  Tensor expected_;
};

}  // namespace

FlashTiles tuned_flash(Backend& device, const std::function<double()>& clock) {
  const double start = clock();
  std::vector<FlashTiles> all = all_tiles(device.facts());
  if (all.size() < 2) return all[0];
  FlashCheck check(device);
  if (!check.is_right(all[0]))
    throw Error("flash_attention is wrong in tiles of " + to_text(all[0]), Fault::device);
  std::erase_if(all, [&](const FlashTiles& tiles) { return !check.is_right(tiles); });

  FlashWork work({.scale = 0.125}, 4, 768, 768, 64);
  std::vector<double> least(all.size(), std::numeric_limits<double>::infinity());
  for (int round = 0; round < kTuningRounds; ++round)
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double before = clock();
      if (before - start > kMostSeconds) {
        if (round < kLeastTuningRounds) return all[0];
        break;
      }
      work.op.tiles = all[i];
      device.run(work.op, work.inputs, Numbers::there);
      device.finish();
      least[i] = std::min(least[i], clock() - before);
    }
  const auto best = std::ranges::min_element(least);
  return *best < kClearly * least[0] ? all[static_cast<std::size_t>(best - least.begin())] : all[0];
}

}  // namespace attn::opencl
