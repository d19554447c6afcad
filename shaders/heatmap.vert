// A matrix as one rectangle of Dear ImGui's draw list: its vertex format, its projection.
#version 330 core
uniform mat4 projection;
in vec2 Position;  // the toolkit's names
in vec2 UV;        // 0 to 1 over the matrix, row 0 on top
in vec4 Color;     // only its opacity counts
out vec2 place;
out float opacity;

void main() {
  place = UV;
  opacity = Color.a;
  gl_Position = projection * vec4(Position, 0, 1);
}
