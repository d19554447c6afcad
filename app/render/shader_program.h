// OpenGL programs in place of the toolkit's own, linked for its vertices. Only while drawing.
#pragma once

#include <initializer_list>

namespace attn {

class ShaderProgram {
 public:
  ShaderProgram() = default;
  ~ShaderProgram();
  ShaderProgram(const ShaderProgram&) = delete;
  ShaderProgram& operator=(const ShaderProgram&) = delete;

  // Of shaders/*.vert and *.frag, the vertex shader first. The toolkit's own program is the current one, or
  // another of these: vertex arrays serve them all. Throws Error(Fault::output) where one does not compile.
  void link(std::initializer_list<const char*> shaders);
  bool linked() const { return name_ != 0; }

  // Makes it the current one.
  void use();
  // Of a uniform; -1 where no shader reads it.
  int at(const char* uniform) const;
  // Sets `projection`: from the toolkit's points, y downwards, to OpenGL's cube.
  void set_projection() const;

 private:
  unsigned name_ = 0;
};

}  // namespace attn
