// The vertices of Dear ImGui's draw lists, and its projection. Nothing lies behind anything: between corners
// all is linear on the screen, and without a division for every pixel; within a triangle only the opacity changes, where
// the toolkit softens an edge.
#version 330 core
uniform mat4 projection;
in vec2 Position;  // the toolkit's names
in vec2 UV;        // of a matrix 0 to 1, row 0 on top
in vec4 Color;     // of a matrix only its opacity counts
noperspective out vec2 place;
flat out vec3 tint;
noperspective out float opacity;

void main() {
  place = UV;
  tint = Color.rgb;
  opacity = Color.a;
  gl_Position = projection * vec4(Position, 0, 1);
}
