// The colour map of numbers from 0 on: evenly spaced stops, linear between them (app/theme/theme.h, map_colour).
#version 330 core
uniform float per_range;  // 1 ÷ the value of the last stop
uniform vec3 stops[17];

vec3 mapped(float value) {
  float position = clamp(value * per_range, 0, 1) * 16;
  int first = min(int(position), 15);
  return mix(stops[first], stops[first + 1], position - float(first));
}
