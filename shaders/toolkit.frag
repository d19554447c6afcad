// What the toolkit draws: glyphs and, with the font's white texel, shapes. The font's texture is white everywhere: only
// its opacity is asked.
#version 330 core
uniform sampler2D font;
noperspective in vec2 place;
flat in vec3 tint;
noperspective in float opacity;
out vec4 colour;

void main() { colour = vec4(tint, opacity * texture(font, place).a); }
