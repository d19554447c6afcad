// A stage's result: the whole, or parts of it.
#include "core/evaluate/stage_result.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace attn {

StageResult::StageResult(Tensor numbers) : shape_(numbers.shape()) {
  if (numbers.empty()) return;
  const bool all = numbers.held() || numbers.rows_here() == RowRange{0, shape_.rows};
  kept_ = numbers.held() ? Kept::on_device : all ? Kept::here : Kept::in_part;
  if (all)
    whole_ = std::move(numbers);
  else
    parts_ = {std::move(numbers)};
}

StageResult::StageResult(const Shape& shape, std::vector<Tensor> parts)
    : kept_(parts.empty() ? Kept::not_kept : Kept::in_part), shape_(shape), parts_(std::move(parts)) {}

const Tensor& StageResult::whole() const {
  if (!here()) throw std::logic_error("a stage's numbers were read that are not all here");
  return whole_;
}

const Tensor* StageResult::with_row(std::size_t row) const {
  if (here()) return &whole_;
  const auto found = std::ranges::find_if(parts_, [&](const Tensor& part) {
    const RowRange rows = part.rows_here();
    return row >= rows.first && row - rows.first < rows.count;
  });
  return found == parts_.end() ? nullptr : &*found;
}

std::size_t StageResult::bytes() const {
  std::size_t bytes = whole_.bytes();
  for (const Tensor& part : parts_) bytes += part.bytes();
  return bytes;
}

}  // namespace attn
