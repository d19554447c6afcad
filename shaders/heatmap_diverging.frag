// The colour map of signed numbers: from the middle towards one end or the other (app/theme/theme.h, map_colour).
#version 330 core
uniform float per_range;  // 1 ÷ the value of the last stop
uniform vec3 stops[3];    // negative, zero, positive

vec3 mapped(float value) {
  float t = value * per_range;
  return stops[1] + clamp(-t, 0, 1) * (stops[0] - stops[1]) + clamp(t, 0, 1) * (stops[2] - stops[1]);
}
