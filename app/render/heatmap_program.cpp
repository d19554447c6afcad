// A program is a vertex shader, a colour map and a shader of pixels. Colours are uniforms: a theme compiles
// nothing.
#include "app/render/heatmap_program.h"

#include <GL/glcorearb.h>

#include <array>

#include "core/evaluate/texels.h"

namespace attn {
namespace {

constexpr int kDivergingStops = 3, kSequentialStops = 17;  // as in their shaders

void set_colour(GLint location, ImU32 colour) {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour);
  glUniform3f(location, c.x, c.y, c.z);
}

}  // namespace

void HeatmapProgram::use(unsigned texture, const Appearance& look) {
  if (!program_.linked())
    program_.link(
        {"toolkit.vert", diverging_ ? "heatmap_diverging.frag" : "heatmap_sequential.frag", fragment_});
  program_.use();
  glActiveTexture(GL_TEXTURE1);  // the toolkit binds its own to the first unit
  glBindTexture(GL_TEXTURE_2D, texture);
  glActiveTexture(GL_TEXTURE0);
  if (const Uniforms given = given_by(look); given != given_) set_uniforms(look), given_ = given;
}

// What uniforms follow from: they stay with the program, and to set them takes as long as to draw.
HeatmapProgram::Uniforms HeatmapProgram::given_by(const Appearance& look) {
  const ImDrawData& data = *ImGui::GetDrawData();
  return {look.map.kind,
          look.theme.name,
          {look.theme.scale, look.map.range, look.map.decades, look.size.x, look.size.y, data.DisplaySize.x,
           data.DisplaySize.y, data.DisplayPos.x, data.DisplayPos.y, data.FramebufferScale.x,
           data.FramebufferScale.y}};
}

void HeatmapProgram::set_uniforms(const Appearance& look) {
  const auto at = [this](const char* name) { return program_.at(name); };
  const ImVec2 pixels = ImGui::GetDrawData()->FramebufferScale;
  program_.set_projection();
  glUniform1i(at("texels"), 1);
  glUniform1ui(at("masked_texel"), kMaskedTexel);
  glUniform2f(at("size"), look.size.x * pixels.x, look.size.y * pixels.y);
  glUniform1f(at("unit"), look.theme.scale * pixels.x);
  const int count = diverging_ ? kDivergingStops : kSequentialStops;
  glUniform1f(at("per_range"), look.map.range > 0 ? 1 / look.map.range : 0);
  glUniform1f(at("decades"), look.map.decades);
  glUniform2f(at("range"), diverging_ ? -look.map.range : 0, look.map.range);
  std::array<float, 3 * kSequentialStops> stops{};
  for (int i = 0; i < count; ++i) {
    // The colour of a map whose range is the number of steps on its one side, at step i.
    const ColourMap steps{look.map.kind, diverging_ ? 1.0f : static_cast<float>(count - 1)};
    const ImVec4 c = ImGui::ColorConvertU32ToFloat4(
        map_colour(look.theme, steps, static_cast<float>(diverging_ ? i - 1 : i)));
    const std::size_t first = 3 * static_cast<std::size_t>(i);
    stops[first] = c.x, stops[first + 1] = c.y, stops[first + 2] = c.z;
  }
  glUniform3fv(at("stops"), count, stops.data());
  const float range = look.map.range;
  set_colour(at("ink_low"), ink_on(map_colour(look.theme, look.map, -range)));
  set_colour(at("ink_high"), ink_on(map_colour(look.theme, look.map, range)));
  set_colour(at("masked"), look.theme.masked);
  set_colour(at("hatch"), look.theme.hatch);
  set_colour(at("zero"), look.theme.cell_zero);
  set_colour(at("bad"), look.theme.bad);
}

}  // namespace attn
