// Textures: large matrices as one texture each, coloured by a fragment shader (shaders/heatmap.frag), so that
// a new range, map or theme uploads nothing; and pictures that others have made, pixel by pixel. Without
// OpenGL (the headless host) the calls are accepted and draw a plain rectangle.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "app/theme/theme.h"
#include "core/evaluate/texels.h"

namespace attn {

class Textures {
 public:
  explicit Textures(bool opengl);
  ~Textures();
  Textures(const Textures&) = delete;
  Textures& operator=(const Textures&) = delete;

  struct Heatmap {
    Tensor values;                            // the matrix `head` of it is drawn; empty: pools alone are
    Tensor mask;                              // nonzero is hatched; may be empty
    Shape shape = {};                         // of the values where they are not here
    std::shared_ptr<const Pools> pools = {};  // of values and mask; null: the cells are read
    std::size_t head = 0;
    ColourMap map;
    float opacity = 1;
  };

  // Adds the matrix to the draw list, stretched over min … max; cells smaller than a pixel are max-pooled by
  // magnitude. NaN shows a checker, ±∞ an arrow-like wedge, masked cells hatching.
  void draw(ImDrawList& list, ImVec2 min, ImVec2 max, const Heatmap& heatmap, const Theme& theme);

  // A picture that its owner has made.
  struct Pixels {
    std::uint64_t content = 0;  // tells it from all others
    std::size_t width = 0, height = 0;
    std::vector<ImU32> colours;  // row after row from the top
    struct Strip {
      std::size_t left, right, top, bottom;
    };
    std::vector<Strip> strips;  // what is not transparent, without overlaps: only that is drawn
  };

  // Adds the picture to the draw list, stretched over min … max.
  void draw(ImDrawList& list, ImVec2 min, ImVec2 max, std::shared_ptr<const Pixels> pixels,
            const Theme& theme);

  // Whether this callback is one of draw().
  static bool shows(const ImDrawCmd& callback);
  // Tells what such a callback shows between two corners, 0 to 1 over the whole, from all else that was ever
  // shown in that place. Its texture is made: OpenGL is current.
  static std::uint64_t content(const ImDrawCmd& callback, ImVec2 from, ImVec2 to);

  // Forgets the least recently shown textures beyond the limit, never those of the frame that was just drawn;
  // called once after each drawn frame.
  void end_frame();

  void limit(std::size_t bytes);
  std::size_t bytes() const;  // held on the device

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace attn
