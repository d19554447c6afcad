// A program is a vertex shader, a colour map and a shader of pixels, linked with the toolkit's own attribute
// locations, so that its vertex arrays serve as they are. Colours are uniforms: a theme compiles nothing.
#include "app/render/heatmap_program.h"

#include <GL/glcorearb.h>

#include <array>
#include <string>

#include "core/assets.h"
#include "core/error.h"
#include "core/texels.h"

namespace attn {
namespace {

constexpr int kDivergingStops = 3, kSequentialStops = 17;  // as in their shaders

GLuint compiled(GLenum kind, const char* name) {
  const std::string text = asset_text(shader_files(), "shaders", name);
  const char* source = text.c_str();
  const GLuint shader = glCreateShader(kind);
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  GLint done = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
  if (done) return shader;
  std::string log(4096, '\0');
  GLsizei length = 0;
  glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), &length, log.data());
  throw Error("the shader " + std::string(name) +
                  " does not compile: " + log.substr(0, static_cast<std::size_t>(length)),
              Fault::output);
}

// The toolkit's vertex attributes stay where its own program, the current one, has them.
void bind_attributes(GLuint program) {
  GLint toolkit = 0;
  glGetIntegerv(GL_CURRENT_PROGRAM, &toolkit);
  for (const char* name : {"Position", "UV", "Color"}) {
    const GLint location = glGetAttribLocation(static_cast<GLuint>(toolkit), name);
    if (location >= 0) glBindAttribLocation(program, static_cast<GLuint>(location), name);
  }
}

// From the toolkit's points, y downwards, to OpenGL's cube; column by column, as OpenGL reads matrices.
std::array<float, 16> projection() {
  const ImDrawData& data = *ImGui::GetDrawData();
  const float w = data.DisplaySize.x, h = data.DisplaySize.y, x = data.DisplayPos.x, y = data.DisplayPos.y;
  return {2 / w, 0, 0, 0, 0, -2 / h, 0, 0, 0, 0, -1, 0, -1 - 2 * x / w, 1 + 2 * y / h, 0, 1};
}

void set_colour(GLint location, ImU32 colour) {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour);
  glUniform3f(location, c.x, c.y, c.z);
}

}  // namespace

HeatmapProgram::~HeatmapProgram() {
  if (program_ != 0) glDeleteProgram(program_);
}

void HeatmapProgram::compile() {
  program_ = glCreateProgram();
  const auto add = [this](GLenum kind, const char* name) {
    const GLuint shader = compiled(kind, name);
    glAttachShader(program_, shader);
    glDeleteShader(shader);  // with the program
  };
  add(GL_VERTEX_SHADER, "heatmap.vert");
  add(GL_FRAGMENT_SHADER, diverging_ ? "heatmap_diverging.frag" : "heatmap_sequential.frag");
  add(GL_FRAGMENT_SHADER, fragment_);
  bind_attributes(program_);
  glLinkProgram(program_);
}

void HeatmapProgram::use(unsigned texture, const Look& look) {
  if (program_ == 0) compile();
  glUseProgram(program_);
  glActiveTexture(GL_TEXTURE1);  // the toolkit binds its own to the first unit
  glBindTexture(GL_TEXTURE_2D, texture);
  glActiveTexture(GL_TEXTURE0);
  if (const Given given = given_by(look); given != given_) set_uniforms(look), given_ = given;
}

// What uniforms follow from: they stay with the program, and to set them takes as long as to draw.
HeatmapProgram::Given HeatmapProgram::given_by(const Look& look) {
  const ImDrawData& data = *ImGui::GetDrawData();
  return {look.map.kind,
          look.theme.name,
          {look.theme.scale, look.map.range, look.size.x, look.size.y, data.DisplaySize.x, data.DisplaySize.y,
           data.DisplayPos.x, data.DisplayPos.y, data.FramebufferScale.x, data.FramebufferScale.y}};
}

void HeatmapProgram::set_uniforms(const Look& look) {
  const auto at = [this](const char* name) { return glGetUniformLocation(program_, name); };
  const ImVec2 pixels = ImGui::GetDrawData()->FramebufferScale;
  glUniformMatrix4fv(at("projection"), 1, GL_FALSE, projection().data());
  glUniform1i(at("texels"), 1);
  glUniform1ui(at("masked_texel"), kMaskedTexel);
  glUniform2f(at("size"), look.size.x * pixels.x, look.size.y * pixels.y);
  glUniform1f(at("unit"), look.theme.scale * pixels.x);
  const int count = diverging_ ? kDivergingStops : kSequentialStops;
  glUniform1f(at("per_range"), look.map.range > 0 ? 1 / look.map.range : 0);
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
