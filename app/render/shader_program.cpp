// A program is a vertex shader and shaders of pixels, linked with the toolkit's own attribute locations, so
// that its vertex arrays serve as they are.
#include "app/render/shader_program.h"

#include <GL/glcorearb.h>
#include <imgui.h>

#include <array>
#include <string>
#include <string_view>

#include "core/system/assets.h"
#include "core/system/error.h"

namespace attn {
namespace {

GLuint compiled(const char* name) {
  const GLenum kind = std::string_view(name).ends_with(".vert") ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER;
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

// Vertex attributes stay where the current program has them.
void bind_attributes(GLuint program) {
  GLint current = 0;
  glGetIntegerv(GL_CURRENT_PROGRAM, &current);
  for (const char* name : {"Position", "UV", "Color"}) {
    const GLint location = glGetAttribLocation(static_cast<GLuint>(current), name);
    if (location >= 0) glBindAttribLocation(program, static_cast<GLuint>(location), name);
  }
}

// Column by column, as OpenGL reads matrices.
std::array<float, 16> projection() {
  const ImDrawData& data = *ImGui::GetDrawData();
  const float w = data.DisplaySize.x, h = data.DisplaySize.y, x = data.DisplayPos.x, y = data.DisplayPos.y;
  return {2 / w, 0, 0, 0, 0, -2 / h, 0, 0, 0, 0, -1, 0, -1 - 2 * x / w, 1 + 2 * y / h, 0, 1};
}

}  // namespace

ShaderProgram::~ShaderProgram() {
  if (name_ != 0) glDeleteProgram(name_);
}

void ShaderProgram::link(std::initializer_list<const char*> shaders) {
  name_ = glCreateProgram();
  for (const char* name : shaders) {
    const GLuint shader = compiled(name);
    glAttachShader(name_, shader);
    glDeleteShader(shader);  // with the program
  }
  bind_attributes(name_);
  glLinkProgram(name_);
}

void ShaderProgram::use() {
  glUseProgram(name_);
}

int ShaderProgram::at(const char* uniform) const {
  return glGetUniformLocation(name_, uniform);
}

void ShaderProgram::set_projection() const {
  glUniformMatrix4fv(at("projection"), 1, GL_FALSE, projection().data());
}

}  // namespace attn
