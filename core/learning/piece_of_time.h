// How long one piece of a run's work may take.
#pragma once

#include <chrono>

namespace attn {

// From here on.
class PieceOfTime {
 public:
  bool over() const {
    constexpr double kSeconds = 0.004;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count() >= kSeconds;
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace attn
