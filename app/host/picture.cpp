// glReadPixels with its rows turned over: OpenGL's first row is the lowest, a picture's the highest.
#include "app/host/picture.h"

#include <GL/glcorearb.h>

#include <algorithm>
#include <cmath>

namespace attn {

Picture read_picture(ImVec2 size, std::optional<Rect> area) {
  const Rect wanted = area.value_or(Rect{{0, 0}, size});
  const int left = static_cast<int>(std::clamp(std::floor(wanted.min.x), 0.0f, size.x));
  const int top = static_cast<int>(std::clamp(std::floor(wanted.min.y), 0.0f, size.y));
  const int right = static_cast<int>(std::clamp(std::ceil(wanted.max.x), 0.0f, size.x));
  const int bottom = static_cast<int>(std::clamp(std::ceil(wanted.max.y), 0.0f, size.y));
  Picture picture;
  picture.width = static_cast<std::size_t>(std::max(0, right - left));
  picture.height = static_cast<std::size_t>(std::max(0, bottom - top));
  picture.rgb.resize(picture.width * picture.height * 3);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(left, static_cast<int>(size.y) - bottom, right - left, bottom - top, GL_RGB, GL_UNSIGNED_BYTE,
               picture.rgb.data());
  const std::size_t row = picture.width * 3;
  for (std::size_t y = 0; y < picture.height / 2; ++y)  // OpenGL starts at the bottom
    std::swap_ranges(picture.rgb.begin() + static_cast<std::ptrdiff_t>(y * row),
                     picture.rgb.begin() + static_cast<std::ptrdiff_t>((y + 1) * row),
                     picture.rgb.end() - static_cast<std::ptrdiff_t>((y + 1) * row));
  return picture;
}

}  // namespace attn
