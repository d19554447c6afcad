// Blocks of anonymous memory: an allocator would keep what is freed, and the peak would be twice the numbers.
#include "core/io/gathered.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <span>

namespace attn {

void GatheredFloats::add_block() {
  blocks_.reserve(blocks_.size() + 1);
  void* pages =
      ::mmap(nullptr, kBlock * sizeof(float), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  blocks_.push_back(last_ = static_cast<float*>(pages));
  room_ += kBlock;
}

std::vector<float> GatheredFloats::take() {
  std::vector<float> values;
  values.reserve(size_);
  for (float*& block : blocks_) {
    const std::span<const float> numbers(block, std::min(kBlock, size_ - values.size()));
    values.insert(values.end(), numbers.begin(), numbers.end());
    ::munmap(block, kBlock * sizeof(float));
    block = nullptr;
  }
  blocks_.clear();
  size_ = room_ = 0;
  return values;
}

GatheredFloats::~GatheredFloats() {
  for (float* block : blocks_) ::munmap(block, kBlock * sizeof(float));
}

}  // namespace attn
