// Numbers that come one by one, their count not known before.
#pragma once

#include <cstddef>
#include <vector>

namespace attn {

// Into pages of their own, which go back to the system as they are copied: a growing vector would hold up to
// three times what is in it.
class GatheredFloats {
 public:
  GatheredFloats() = default;
  ~GatheredFloats();
  GatheredFloats(const GatheredFloats&) = delete;
  GatheredFloats& operator=(const GatheredFloats&) = delete;

  void push_back(float value) {
    if (size_ == room_) add_block();
    last_[size_++ % kBlock] = value;
  }
  std::size_t size() const { return size_; }
  // All of them; afterwards there are none.
  std::vector<float> take();

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 18;  // numbers: 1 MiB
  void add_block();

  std::vector<float*> blocks_;
  float* last_ = nullptr;
  std::size_t size_ = 0, room_ = 0;
};

}  // namespace attn
