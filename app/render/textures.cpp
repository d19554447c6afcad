// Large matrices as textures: made when first drawn, kept while the limit allows, coloured by a shader.
#include "app/render/textures.h"

#include <GL/glcorearb.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <span>

#include "app/render/heatmap_program.h"
#include "app/render/texel_blocks.h"
#include "app/theme/hash.h"
#include "app/theme/toolkit.h"
#include "core/evaluate/texels.h"

namespace attn {
namespace {

constexpr std::size_t kUsualLimit = std::size_t{256} << 20;  // bytes
constexpr std::uint64_t kShownFor = 1;  // frames: what the last one showed may be in this one too

// What a texture was made from.
struct Key {
  TensorId values, mask;
  std::size_t head, width, height;
  auto operator<=>(const Key&) const = default;
};

struct Texture {
  GLuint name = 0;
  std::size_t bytes = 0;
  std::uint64_t used = 0;  // frame
  bool marks = false;      // some cells are masked or not finite
  TexelBlocks blocks = {};
};

// As the program's shader reads it: a matrix bit by bit, a picture as colours.
struct Format {
  GLint kept;
  GLenum given, type;
};
constexpr Format kMatrix{GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT};
constexpr Format kPicture{GL_RGBA8, GL_RGBA, GL_UNSIGNED_INT_8_8_8_8_REV};

GLuint upload(std::size_t width, std::size_t height, std::span<const std::uint32_t> bits, Format format) {
  GLuint name = 0;
  glGenTextures(1, &name);
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_2D, name);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, format.kept, static_cast<GLsizei>(width), static_cast<GLsizei>(height), 0,
               format.given, format.type, bits.data());
  glActiveTexture(GL_TEXTURE0);
  return name;
}

// Texels along a side of `cells` cells and `pixels` pixels: one a cell, at most one a pixel, at most what the
// device takes.
std::size_t texels_along(std::size_t cells, float pixels) {
  constexpr std::size_t kLargest = 8192;
  const auto shown = static_cast<std::size_t>(std::max(1.0f, std::round(pixels)));
  return std::min({cells, shown, kLargest});
}

}  // namespace

struct Textures::Impl {
  // A matrix, or a picture, in a draw list that is yet to be drawn.
  struct Call {
    Impl* textures;
    Heatmap heatmap;
    HeatmapProgram::Appearance look;
    std::shared_ptr<const Pixels> pixels = {};
  };

  const bool opengl;
  // Of finite numbers and of others, by whether the colour map is a diverging one.
  HeatmapProgram plain[2]{{"heatmap.frag", false}, {"heatmap.frag", true}};
  HeatmapProgram marked[2]{{"heatmap_marks.frag", false}, {"heatmap_marks.frag", true}};
  HeatmapProgram pictures{"pixels.frag", false};
  std::map<Key, Texture> textures;
  std::size_t bytes = 0, limit = kUsualLimit;
  std::uint64_t frame = 0;
  std::deque<Call> calls;

  // Parts of a texture: `from` and `to` from 0 to 1.
  struct Part {
    ImVec2 from, to;
  };

  // Rectangles, which without OpenGL are all there is of it.
  void add(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour, Call call,
           const std::vector<Part>& parts) {
    if (max.x <= min.x || max.y <= min.y) return;
    if (!opengl) return list.AddRectFilled(min, max, colour);
    leave_reset(list);
    calls.push_back(std::move(call));
    list.AddCallback(&run, &calls.back());
    const auto at = [&](ImVec2 part) {
      return ImVec2{min.x + part.x * (max.x - min.x), min.y + part.y * (max.y - min.y)};
    };
    for (const Part& part : parts)  // the shader has its own texture
      list.AddImage(font_texture(), at(part.from), at(part.to), part.from, part.to, colour);
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
  }

  // Of pictures in a row only the last puts the toolkit's state back: to do that takes as long as to draw
  // one.
  static void leave_reset(ImDrawList& list) {
    ImVector<ImDrawCmd>& commands = list.CmdBuffer;
    if (commands.Size < 2 || commands.back().ElemCount > 0) return;
    ImDrawCmd* const last = &commands[commands.Size - 2];
    if (last->UserCallback == ImDrawCallback_ResetRenderState) commands.erase(last);
  }

  // When the draw list gets there: the toolkit's context is current, its state is set or that of a picture.
  static void run(const ImDrawList*, const ImDrawCmd* command) {
    const Call& call = *static_cast<const Call*>(command->UserCallbackData);
    // Without a graphics card reading what lies below takes time. Until the state is reset, see draw().
    call.heatmap.opacity == 1 && !call.pixels ? glDisable(GL_BLEND) : glEnable(GL_BLEND);
    if (call.pixels) {
      call.textures->pictures.use(call.textures->texture_of(*call.pixels).name, call.look);
      return;
    }
    const Texture& texture = call.textures->texture_of(call);
    const std::size_t diverging = call.look.map.kind == MapKind::diverging ? 1 : 0;
    Impl& impl = *call.textures;
    (texture.marks ? impl.marked : impl.plain)[diverging].use(texture.name, call.look);
  }

  const Texture& texture_of(const Call& call) {
    const Heatmap& h = call.heatmap;
    const ImVec2 pixels = ImGui::GetDrawData()->FramebufferScale;
    const bool here = !h.values.empty();
    const Shape shape = here ? h.values.shape() : h.shape;
    const std::size_t width = texels_along(shape.columns, call.look.size.x * pixels.x);
    const std::size_t height = texels_along(shape.rows, call.look.size.y * pixels.y);
    Texture& texture = textures[{here ? h.values.id() : h.pools->id, h.mask.id(), h.head, width, height}];
    texture.used = frame;
    if (texture.name == 0) {
      const Texels texels = here ? make_texels(h.values, h.mask, h.head, width, height, h.pools.get())
                                 : make_texels(shape, h.head, width, height, *h.pools);
      keep(texture, texels.width, texels.height, texels.bits, kMatrix);
      texture.marks = !texels.all_finite();
      texture.blocks = TexelBlocks(texels);
    }
    return texture;
  }

  const Texture& texture_of(const Pixels& pixels) {
    constexpr std::size_t kNoHead = std::numeric_limits<std::size_t>::max();  // no matrix has as many
    const Key key{pixels.content, 0, kNoHead, pixels.width, pixels.height};
    if (!textures.contains(key)) take_over(key, pixels.colours);
    Texture& texture = textures[key];
    texture.used = frame;
    if (texture.name == 0) keep(texture, pixels.width, pixels.height, pixels.colours, kPicture);
    return texture;
  }

  // A picture takes the place of one of its size that is no longer shown: new memory costs as much as to fill
  // it.
  void take_over(const Key& key, std::span<const std::uint32_t> colours) {
    const auto old = std::ranges::find_if(textures, [&](const std::pair<const Key, Texture>& entry) {
      const auto& [of, texture] = entry;
      return of.head == key.head && of.width == key.width && of.height == key.height &&
             texture.used + kShownFor < frame;
    });
    if (old == textures.end()) return;
    auto node = textures.extract(old);
    node.key() = key;
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, node.mapped().name);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, static_cast<GLsizei>(key.width), static_cast<GLsizei>(key.height),
                    kPicture.given, kPicture.type, colours.data());
    glActiveTexture(GL_TEXTURE0);
    textures.insert(std::move(node));
  }

  void keep(Texture& texture, std::size_t width, std::size_t height, std::span<const std::uint32_t> bits,
            Format format) {
    texture.name = upload(width, height, bits, format);
    texture.bytes = bits.size_bytes();
    bytes += texture.bytes;
  }

  void drop(std::map<Key, Texture>::iterator texture) {
    glDeleteTextures(1, &texture->second.name);
    bytes -= texture->second.bytes;
    textures.erase(texture);
  }

  // The least recently used ones, never what the last frame showed.
  void trim() {
    while (bytes > limit) {
      const auto oldest = std::ranges::min_element(
          textures, {}, [](const std::pair<const Key, Texture>& entry) { return entry.second.used; });
      if (oldest->second.used == frame) return;
      drop(oldest);
    }
  }
};

Textures::Textures(bool opengl) : impl_(new Impl{.opengl = opengl, .textures = {}, .calls = {}}) {}

Textures::~Textures() {
  while (!impl_->textures.empty()) impl_->drop(impl_->textures.begin());
}

void Textures::draw(ImDrawList& list, ImVec2 min, ImVec2 max, const Heatmap& heatmap, const Theme& theme) {
  if (heatmap.values.values().empty() && !heatmap.pools) return;
  const HeatmapProgram::Appearance look{
      .size = {max.x - min.x, max.y - min.y}, .map = heatmap.map, .theme = theme};
  impl_->add(list, min, max, with_alpha(theme.cell_zero, heatmap.opacity),
             {.textures = impl_.get(), .heatmap = heatmap, .look = look}, {{{0, 0}, {1, 1}}});
}

void Textures::draw(ImDrawList& list, ImVec2 min, ImVec2 max, std::shared_ptr<const Pixels> pixels,
                    const Theme& theme) {
  const HeatmapProgram::Appearance look{.size = {max.x - min.x, max.y - min.y}, .map = {}, .theme = theme};
  std::vector<Impl::Part> parts;
  const auto along = [](std::size_t at, std::size_t count) {
    return static_cast<float>(at) / static_cast<float>(count);
  };
  for (const Pixels::Strip& strip : pixels->strips)
    parts.push_back({{along(strip.left, pixels->width), along(strip.top, pixels->height)},
                     {along(strip.right, pixels->width), along(strip.bottom, pixels->height)}});
  if (parts.empty()) return;
  constexpr float kPlain = 0.2f;  // without OpenGL: what lies behind may be words
  impl_->add(list, min, max, with_alpha(theme.text, impl_->opengl ? 1 : kPlain),
             {.textures = impl_.get(), .heatmap = {}, .look = look, .pixels = std::move(pixels)}, parts);
}

bool Textures::shows(const ImDrawCmd& callback) {
  return callback.UserCallback == &Impl::run;
}

std::uint64_t Textures::content(const ImDrawCmd& callback, ImVec2 from, ImVec2 to) {
  const Impl::Call& call = *static_cast<const Impl::Call*>(callback.UserCallbackData);
  if (call.pixels) return mixed(call.pixels->content, call.pixels->width);
  const Texture& texture = call.textures->texture_of(call);
  const ColourMap& map = call.look.map;
  const Theme& theme = call.look.theme;
  const auto bits = [](float number) -> std::uint64_t { return std::bit_cast<std::uint32_t>(number); };
  std::uint64_t hash = texture.blocks.between(from, to);
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(texture.marks), static_cast<std::uint64_t>(map.kind), bits(map.range),
        bits(map.decades), static_cast<std::uint64_t>(theme.name), bits(theme.scale)})
    hash = mixed(hash, part);
  return hash;  // the opacity and the place are the rectangle's
}

void Textures::limit(std::size_t bytes) {
  impl_->limit = bytes;
}

std::size_t Textures::bytes() const {
  return impl_->bytes;
}

void Textures::end_frame() {
  if (impl_->opengl) impl_->trim();
  impl_->calls.clear();
  ++impl_->frame;
}

}  // namespace attn
