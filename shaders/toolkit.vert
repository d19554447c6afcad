// The vertices of Dear ImGui's draw lists, and its projection. Nothing lies behind anything: between corners
// all is linear on the screen, and without a division for every pixel.
#version 330 core
uniform mat4 projection;
in vec2 Position;  // the toolkit's names
in vec2 UV;        // of a matrix 0 to 1, row 0 on top
in vec4 Color;     // of a matrix only its opacity counts
noperspective out vec2 place;
noperspective out vec4 ink;

void main() {
  place = UV;
  ink = Color;
  gl_Position = projection * vec4(Position, 0, 1);
}
