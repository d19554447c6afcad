// What bench attention has rows of, and how its rows are printed.
#pragma once

#include <limits>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/bench.h"
#include "core/backend/backend.h"
#include "core/measure/measure.h"

namespace attn::bench {

// What has rows: attention with every stage, and as one kernel: of all heads, causal, of one head, and with
// the weights written; the way back through it; linear attention; a step of decoding with n keys; n×n
// matrices multiplied, and n rows of the layer's width normalised; the sparse patterns, which one kernel
// computes without what they mask.
enum class RowWidth { of_head, of_layer, n };
struct RowSubject {
  std::string_view subject, mechanism, eigen = {};  // the last: Eigen's of the same; may be empty
  bool causal = false, one_head = false;
  bool sparse = false;  // a pattern, held against its share of flash
  RowWidth width = RowWidth::of_head;
  Graph (*build)(const MeasureShape& shape, std::size_t n,
                 LayerInputs inputs) = nullptr;  // null: the subject's own
  std::size_t longest = std::numeric_limits<std::size_t>::max();
  // Whether it is a row beside those that are measured anyway.
  bool added() const { return one_head || build; }
  bool attends() const { return width == RowWidth::of_head; }
  std::size_t columns(const MeasureShape& shape, std::size_t n) const {
    return attends() ? shape.d_k() : width == RowWidth::n ? n : shape.d;
  }
};
inline constexpr std::string_view kFlash = "flash", kBackward = "flash, backward", kLinear = "linear";
std::span<const RowSubject> row_subjects();

// With by which power the time grows, and what the device can do at best.
void print_text(const Measured& measured, const DeviceFacts& facts, const std::vector<std::string>& notes,
                std::ostream& out);
void print_json(const Measured& measured, const DeviceFacts& facts, const std::vector<std::string>& notes,
                std::ostream& out);

}  // namespace attn::bench
