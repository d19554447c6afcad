// Animated PNG: pictures of one size, one after the other. Viewers that know no animation show the first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/io/png.h"

namespace attn {

class ApngWriter {
 public:
  // Each picture is shown for so long; behind the last comes the first again.
  explicit ApngWriter(std::uint16_t milliseconds) : milliseconds_(milliseconds) {}

  // Opaque, of the first one's size. Of the later ones only the rectangle that differs is kept, packed.
  // Throws Error(Fault::output) as write_png does.
  void add(const Picture& picture);
  // The file, with the session as write_png has it. One picture at least was added.
  std::vector<std::byte> take(std::string_view session);

 private:
  void add_control(std::size_t x, std::size_t y, std::size_t width, std::size_t height);

  std::uint16_t milliseconds_;
  std::uint32_t count_ = 0, sequence_ = 0;
  Picture last_;
  std::vector<std::byte> head_;  // signature and header
  std::vector<std::byte> body_;  // from the first picture's control chunk on
};

}  // namespace attn
