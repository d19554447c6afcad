// What the toolkit draws: glyphs and, with the font's white texel, shapes.
#version 330 core
uniform sampler2D font;
noperspective in vec2 place;
noperspective in vec4 ink;
out vec4 colour;

void main() { colour = ink * texture(font, place); }
