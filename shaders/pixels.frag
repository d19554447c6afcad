// A picture that the program has made itself: its pixels as they are.
#version 330 core
uniform sampler2D texels;
noperspective in vec2 place;
noperspective in float opacity;
out vec4 colour;

void main() { colour = texture(texels, place) * vec4(1, 1, 1, opacity); }
