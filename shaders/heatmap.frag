// A matrix of finite numbers. One texel is a cell, or the pool of all cells of a pixel (core/evaluate/texels.h).
#version 330 core
uniform usampler2D texels;  // the bits of a float
noperspective in vec2 place;
noperspective in float opacity;
out vec4 colour;
vec3 mapped(float value);  // heatmap_diverging.frag or heatmap_sequential.frag

void main() {
  ivec2 count = textureSize(texels, 0);
  ivec2 texel = clamp(ivec2(place * vec2(count)), ivec2(0), count - 1);
  colour = vec4(mapped(uintBitsToFloat(texelFetch(texels, texel, 0).r)), opacity);
}
