// Large matrices as textures: made when first drawn, kept while the limit allows, coloured by a shader.
#include "app/render/textures.h"

#include <GL/glcorearb.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <map>

#include "app/host/hash.h"
#include "app/render/heatmap_program.h"
#include "core/texels.h"

namespace attn {
namespace {

constexpr std::size_t kUsualLimit = std::size_t{256} << 20;  // bytes

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
};

GLuint upload(const Texels& texels) {
  GLuint name = 0;
  glGenTextures(1, &name);
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_2D, name);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R32UI, static_cast<GLsizei>(texels.width),
               static_cast<GLsizei>(texels.height), 0, GL_RED_INTEGER, GL_UNSIGNED_INT, texels.bits.data());
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
  // A matrix in a draw list that is yet to be drawn.
  struct Call {
    Impl* textures;
    Heatmap heatmap;
    HeatmapProgram::Look look;
  };

  const bool opengl;
  // Of finite numbers and of others, by whether the colour map is a diverging one.
  HeatmapProgram plain[2]{{"heatmap.frag", false}, {"heatmap.frag", true}};
  HeatmapProgram marked[2]{{"heatmap_marks.frag", false}, {"heatmap_marks.frag", true}};
  std::map<Key, Texture> textures;
  std::size_t bytes = 0, limit = kUsualLimit;
  std::uint64_t frame = 0;
  std::deque<Call> calls;

  // When the draw list gets there: the toolkit's context is current, its state is set.
  static void run(const ImDrawList*, const ImDrawCmd* command) {
    const Call& call = *static_cast<const Call*>(command->UserCallbackData);
    const Texture& texture = call.textures->texture_of(call);
    const std::size_t diverging = call.look.map.kind == MapKind::diverging ? 1 : 0;
    Impl& impl = *call.textures;
    // Without a graphics card reading what lies below takes time. Until the state is reset, see draw().
    if (call.heatmap.opacity == 1) glDisable(GL_BLEND);
    (texture.marks ? impl.marked : impl.plain)[diverging].use(texture.name, call.look);
  }

  const Texture& texture_of(const Call& call) {
    const Heatmap& h = call.heatmap;
    const ImVec2 pixels = ImGui::GetDrawData()->FramebufferScale;
    const std::size_t width = texels_along(h.values.columns(), call.look.size.x * pixels.x);
    const std::size_t height = texels_along(h.values.rows(), call.look.size.y * pixels.y);
    Texture& texture = textures[{h.values.id(), h.mask.id(), h.head, width, height}];
    texture.used = frame;
    if (texture.name == 0) {
      const Texels texels = make_texels(h.values, h.mask, h.head, width, height, h.pools.get());
      texture.name = upload(texels);
      texture.marks = !texels.all_finite();
      texture.bytes = texels.bits.size() * sizeof texels.bits[0];
      bytes += texture.bytes;
    }
    return texture;
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
  if (heatmap.values.values().empty() || max.x <= min.x || max.y <= min.y) return;
  const ImU32 plain = with_alpha(theme.cell_zero, heatmap.opacity);
  if (!impl_->opengl) {
    list.AddRectFilled(min, max, plain);
    return;
  }
  impl_->calls.push_back(
      {.textures = impl_.get(),
       .heatmap = heatmap,
       .look = {.size = {max.x - min.x, max.y - min.y}, .map = heatmap.map, .theme = theme}});
  list.AddCallback(&Impl::run, &impl_->calls.back());
  list.AddImage(ImGui::GetIO().Fonts->TexID, min, max, {0, 0}, {1, 1},
                plain);  // the shader has its own texture
  list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

std::uint64_t Textures::content(const ImDrawCmd& callback) {
  if (callback.UserCallback != &Impl::run) return 0;
  const Impl::Call& call = *static_cast<const Impl::Call*>(callback.UserCallbackData);
  const Heatmap& h = call.heatmap;
  const Theme& theme = call.look.theme;
  const auto bits = [](float number) -> std::uint64_t { return std::bit_cast<std::uint32_t>(number); };
  std::uint64_t hash = 1;
  for (const std::uint64_t part :
       {h.values.id(), h.mask.id(), std::uint64_t{h.head}, static_cast<std::uint64_t>(h.map.kind),
        bits(h.map.range), static_cast<std::uint64_t>(theme.name), bits(theme.scale)})
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
