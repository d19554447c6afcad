// A picture that the program has made itself: its pixels as they are.
#version 330 core
uniform usampler2D texels;  // red in the lowest byte, then green, blue and opacity
noperspective in vec2 place;
noperspective in vec4 ink;
out vec4 colour;

void main() {
  ivec2 count = textureSize(texels, 0);
  uint bits = texelFetch(texels, clamp(ivec2(place * vec2(count)), ivec2(0), count - 1), 0).r;
  colour = vec4((uvec4(bits) >> uvec4(0u, 8u, 16u, 24u)) & 255u) / 255.0 * vec4(1, 1, 1, ink.a);
}
