// Attention as one operation: softmax(scale·Q·Kᵀ + bias, masked)·V with no score kept, only what comes out,
// the logarithm of each row's sum, and the weights where they are wanted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/operations/flash_tiles.h"
#include "core/operations/mask_runs.h"
#include "core/operations/softmax.h"

namespace attn {

// Inputs Q (h×n×d), K (g×m×d), V (g×m×c), each of the g shared by consecutive heads; then those of these that
// there are: numbers by offset (S×1×index_count), a bias (S×n×m), a mask (S×n×m, nonzero = masked), S
// dividing h. Result h×n×(c + 1): the outputs, and behind them in each row the log-sum-exp of what the
// softmax reads, +1 in the sum where it is softmax-1; with `weights` h×n×(c + 1 + m): the weights are last.
//
// A score is scale·q·k, capped to cap·tanh(score ÷ cap) where there is a cap, plus its biases, and −∞ where
// it is masked. A masked key has no part in the output whatever it holds, NaN too, and its weight is 0; a row
// whose scores are all −∞ becomes what `empty_row` says. By tiles with a running maximum and sum on devices
// (Milakov, Gimelshein 2018; Dao et al. 2022), in two passes by the reference. Devices compute scores in
// float: beyond 3.4·10^38, the sums of their terms too, they are ±∞ or NaN there, and numbers in the
// reference.
struct FlashAttention {
  static constexpr const char* kName = "flash_attention";
  static constexpr std::size_t kMostWidth = 256;  // of d and of c
  double scale = 1;
  double cap = 0;         // 0: none
  bool with_one = false;  // softmax-1
  EmptyRow empty_row = EmptyRow::zeros;
  std::vector<MaskTerm> masks = {};  // what they mask is not touched
  std::ptrdiff_t first = 0;          // the place of query 0
  bool alibi = false;                // −alibi_slope(head)·|distance| is added
  std::optional<OffsetRule> offsets = {};
  bool bias = false, masked = false;
  bool weights = false;
  // On a device that can, where the rules leave no query keys apart; none: its own.
  std::optional<FlashTiles> tiles = {};
  bool operator==(const FlashAttention&) const = default;
};

// Why heads of this width are too wide for it: "heads are 257 wide; it takes at most 256". Empty: they are
// not.
std::string too_wide_for_flash(std::size_t width);

// Which of the inputs they are; 0: there is none.
struct FlashInputs {
  explicit FlashInputs(const FlashAttention& op);
  std::size_t offsets = 0, bias = 0, mask = 0;
  std::size_t count = 3;
};

// The pairs of a query and a key that the rules leave, of one head.
KeptPairs kept_of(const FlashAttention& op, Shapes inputs);

}  // namespace attn
