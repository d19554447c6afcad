// The colour map of signed numbers: from the middle towards one end or the other, by their size or its logarithm
// (app/theme/theme.h, map_colour).
#version 330 core
uniform float per_range;  // 1 ÷ the value of the last stop
uniform float decades;    // 0: by the size itself
uniform vec3 stops[3];    // negative, zero, positive

vec3 mapped(float value) {
  float t = value * per_range, size = abs(t);
  if (decades > 0) size = size > 0 ? 1 + log2(size) * 0.30103 / decades : 0;
  return mix(stops[1], t < 0 ? stops[0] : stops[2], clamp(size, 0, 1));
}
