// The OpenGL programs that colour matrices, made of shaders/heatmap*. Only while drawing.
#pragma once

#include <array>
#include <optional>
#include <tuple>

#include "app/render/shader_program.h"
#include "app/theme/theme.h"

namespace attn {

class HeatmapProgram {
 public:
  // Of the pixels' shader `fragment`: "heatmap.frag" or "heatmap_marks.frag"; for diverging colour maps or
  // for the others. Where there is no graphics card, a frame of many maps takes half the time for the
  // difference.
  HeatmapProgram(const char* fragment, bool diverging) : fragment_(fragment), diverging_(diverging) {}

  struct Appearance {
    ImVec2 size;  // of the rectangle, in pixels
    ColourMap map;
    Theme theme;
  };

  // Makes the program and the texture the ones that the toolkit's next rectangle is drawn with. Called
  // between the toolkit's own draws; it restores its state itself when asked
  // (ImDrawCallback_ResetRenderState).
  void use(unsigned texture, const Appearance& look);

 private:
  using Uniforms = std::tuple<MapKind, ThemeName, std::array<float, 11>>;
  static Uniforms given_by(const Appearance& look);
  void set_uniforms(const Appearance& look);
  const char* fragment_;
  bool diverging_;
  ShaderProgram program_;
  std::optional<Uniforms> given_;
};

}  // namespace attn
