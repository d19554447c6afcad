// The colour map: evenly spaced stops, linear between them (app/theme.h, map_colour).
#version 330 core
uniform vec2 range;  // the values of the first and the last stop
uniform vec3 stops[17];
uniform int stop_count;

vec3 mapped(float value) {
  float t = range.y > range.x ? clamp((value - range.x) / (range.y - range.x), 0, 1) : 0.5;
  float position = t * float(stop_count - 1);
  int first = min(int(position), stop_count - 2);
  return mix(stops[first], stops[first + 1], position - float(first));
}
