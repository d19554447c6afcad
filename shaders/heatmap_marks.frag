// A matrix in which some cells are masked (hatched), NaN (a checker) or infinite (a wedge that points up or down).
// A program of its own: where there is no graphics card every pixel pays for every branch.
#version 330 core
uniform usampler2D texels;  // the bits of a float, or masked_texel
uniform uint masked_texel;
uniform vec2 size;   // of the rectangle, in pixels
uniform float unit;  // pixels of a point at scale 1
uniform vec2 range;
uniform vec3 masked, hatch, zero, bad;
uniform vec3 ink_low, ink_high;  // what reads well on the colours of the range's ends
noperspective in vec2 place;
noperspective in float opacity;
out vec4 colour;
vec3 mapped(float value);  // heatmap_diverging.frag or heatmap_sequential.frag

// Points. Checker and arrow as in app/cells/cell_draw.cpp; the hatch is closer, of lines one pixel wide.
const float kHatch = 4.5, kChecker = 5, kArrow = 5;
const float kLeastForArrow = 4;                      // pixels

vec3 hatched(vec2 pixel) {
  float spacing = kHatch * unit, offset = mod(pixel.x - pixel.y, spacing);
  return mix(masked, hatch, clamp(1 - abs(offset - spacing / 2) / sqrt(2), 0, 1));  // a line of one pixel
}

vec3 checkered(vec2 inside, vec2 cell) {
  float side = max(1, min(kChecker * unit, min(cell.x, cell.y) / 2));
  bool filled = (int(inside.x / side) + int(inside.y / side)) % 2 == 0;
  return filled ? mix(zero, bad, 0.45) : zero;
}

vec3 infinite(bool positive, vec2 inside, vec2 cell) {
  vec3 background = mapped(positive ? range.y : range.x), ink = positive ? ink_high : ink_low;
  float down = (positive ? 1 : -1) * (inside.y - cell.y / 2);  // from the middle, away from the tip
  if (min(cell.x, cell.y) < kLeastForArrow) return down > 0 ? ink : background;
  float side = min(kArrow * unit, 0.3 * min(cell.x, cell.y));
  bool wedge = down <= side / 2 + 0.25 && abs(inside.x - cell.x / 2) <= (down + side) / 1.5;
  return wedge ? ink : background;
}

void main() {
  ivec2 count = textureSize(texels, 0);
  vec2 position = place * vec2(count);
  ivec2 texel = clamp(ivec2(position), ivec2(0), count - 1);
  vec2 cell = size / vec2(count), inside = (position - vec2(texel)) * cell;
  uint bits = texelFetch(texels, texel, 0).r, magnitude = bits & 0x7fffffffu;
  vec3 shown;
  if (bits == masked_texel)
    shown = hatched(place * size);
  else if (magnitude > 0x7f800000u)
    shown = checkered(inside, cell);
  else if (magnitude == 0x7f800000u)
    shown = infinite(bits == magnitude, inside, cell);
  else
    shown = mapped(uintBitsToFloat(bits));
  colour = vec4(shown, opacity);
}
