// Draw lists are read primitive by primitive: a quad's place in the font texture tells a glyph, a disc, a
// round corner or a plain rectangle; all else is triangles, which are put together again where they share
// corners.
#include "app/host/drawn_shapes.h"

#include <algorithm>
#include <cmath>

#include "app/host/fills.h"
#include "app/host/glyphs.h"
#include "app/host/triangles.h"
#include "app/render/textures.h"
#include "app/theme/toolkit.h"
#include "core/text/code_points.h"

namespace attn {
namespace {

constexpr unsigned kQuadIndices = 6, kRoundedQuads = 7;

bool same_place(ImVec2 a, ImVec2 b) {
  constexpr float kLess = 1e-5f;  // than a texel
  return std::abs(a.x - b.x) < kLess && std::abs(a.y - b.y) < kLess;
}

bool is_within(const Rect& inner, const Rect& outer) {
  constexpr float kBleed = 0.05f;  // pixels
  return inner.min.x >= outer.min.x - kBleed && inner.min.y >= outer.min.y - kBleed &&
         inner.max.x <= outer.max.x + kBleed && inner.max.y <= outer.max.y + kBleed;
}

Rect common(const Rect& a, const Rect& b) {
  return {{std::max(a.min.x, b.min.x), std::max(a.min.y, b.min.y)},
          {std::min(a.max.x, b.max.x), std::min(a.max.y, b.max.y)}};
}

bool has_area(const Rect& box) {
  return box.max.x > box.min.x && box.max.y > box.min.y;
}

Rect around_both(const Rect& a, const Rect& b) {
  return {{std::min(a.min.x, b.min.x), std::min(a.min.y, b.min.y)},
          {std::max(a.max.x, b.max.x), std::max(a.max.y, b.max.y)}};
}

class ShapeReader {
 public:
  ShapeReader(const ImDrawData& data, const Fonts& fonts, Rect area)
      : data_(data), fonts_(fonts), area_(area), atlas_(*ImGui::GetIO().Fonts) {}

  std::vector<DrawnShape> read() {
    for (list_at_ = 0; list_at_ < data_.CmdListsCount; ++list_at_) read_list(*data_.CmdLists[list_at_]);
    return std::move(shapes_);
  }

 private:
  void read_list(const ImDrawList& list) {
    int callback = -1;  // that sets up a picture
    for (int c = 0; c < list.CmdBuffer.Size; ++c) {
      const ImDrawCmd& command = list.CmdBuffer[c];
      if (command.UserCallback) {
        callback = Textures::shows(command) ? c : -1;
        continue;
      }
      clip_ = common(whole_pixels(command.ClipRect), area_);
      if (!has_area(clip_)) continue;
      list_ = &list, command_ = &command, command_at_ = c;
      callback >= 0 ? read_picture(callback, c) : read_command();
      end_words(), end_outline();
    }
  }

  const ImDrawIdx* index(unsigned at) const { return list_->IdxBuffer.Data + command_->IdxOffset + at; }
  const ImDrawVert* corner(unsigned at) const {
    return list_->VtxBuffer.Data + command_->VtxOffset + *index(at);
  }

  void read_picture(int callback, int command) {
    Rect box{corner(0)->pos, corner(0)->pos};
    for (unsigned i = 0; i < command_->ElemCount; ++i)
      box = around_both(box, {corner(i)->pos, corner(i)->pos});
    add({ShownPicture{list_at_, callback, command}, box, IM_COL32_WHITE});
  }

  void read_command() {
    for (unsigned at = 0; at + 3 <= command_->ElemCount;) {
      const bool quad = at + kQuadIndices <= command_->ElemCount && is_quad(index(at));
      if (const unsigned taken = quad ? read_quad(at) : 0) {
        at += taken;
        continue;
      }
      end_words();
      for (unsigned k = 0; k < (quad ? 2 : 1); ++k, at += 3) add_triangle(at);
    }
  }

  // How many indices are of a shape that begins with this quad; 0: of none that is known.
  unsigned read_quad(unsigned at) {
    const ImDrawVert* v = corner(at);
    if (const auto glyph = atlas_.glyph_at(v)) {
      add_glyph(*glyph);
      return kQuadIndices;
    }
    const bool upright = v[0].pos.y == v[1].pos.y && v[1].pos.x == v[2].pos.x && v[2].pos.y == v[3].pos.y &&
                         v[3].pos.x == v[0].pos.x;
    const bool one_colour = v[0].col == v[1].col && v[0].col == v[2].col && v[0].col == v[3].col;
    if (!upright || !one_colour) return 0;
    const Rect box = around_both({v[0].pos, v[0].pos}, {v[2].pos, v[2].pos});
    if (is_white(v[0]) && is_white(v[2])) {
      add({ShownRectangle{0, list_at_, command_at_, at + kQuadIndices}, box, v[0].col});
      return kQuadIndices;
    }
    if (is_disc(v)) {
      const float soft = box.width() * disc_edge(v);
      add({ShownDisc{},
           {{box.min.x + soft, box.min.y + soft}, {box.max.x - soft, box.max.y - soft}},
           v[0].col});
      return kQuadIndices;
    }
    return read_rounded(at);
  }

  // A rectangle whose corners are quarters of a disc: four of these, then what lies between them.
  unsigned read_rounded(unsigned at) {
    const ImDrawVert* first = corner(at);
    if (fonts_.corner.radius == 0 || !same_place(first[0].uv, fonts_.corner.uv_min)) return 0;
    if (at + kRoundedQuads * kQuadIndices > command_->ElemCount) return 0;
    for (unsigned k = 0; k < kRoundedQuads; ++k)
      if (!is_quad(index(at + k * kQuadIndices)) || corner(at + k * kQuadIndices)->col != first->col)
        return 0;
    const ImDrawVert* last = corner(at + 3 * kQuadIndices);
    if (!same_place(last[2].uv, fonts_.corner.uv_max)) return 0;
    add({ShownRectangle{fonts_.corner.radius}, {first[0].pos, last[2].pos}, first->col});
    return kRoundedQuads * kQuadIndices;
  }

  static bool is_white(const ImDrawVert& v) {
    return same_place(v.uv, ImGui::GetIO().Fonts->TexUvWhitePixel);
  }

  const DiscBrush* disc_of(const ImDrawVert* v) const {
    for (const DiscBrush& disc : fonts_.brushes.discs)
      if (disc.radius > 0 && same_place(v[0].uv, disc.uv_min) && same_place(v[2].uv, disc.uv_max))
        return &disc;
    return nullptr;
  }
  bool is_disc(const ImDrawVert* v) const { return disc_of(v) != nullptr; }
  // What its picture has around the disc, of the picture's side.
  float disc_edge(const ImDrawVert* v) const { return 0.25f / (disc_of(v)->radius + 0.5f); }

  void add_triangle(unsigned at) {
    const auto piece = seen_of({corner(at), corner(at + 1), corner(at + 2)}, fonts_.brushes);
    if (!piece) return;
    const auto [low, high] = std::minmax({*index(at), *index(at + 1), *index(at + 2)});
    const bool goes_on =
        !outline_.empty() && piece->colour == outline_colour_ && low <= high_ && high >= low_;
    if (!goes_on) end_outline();
    outline_.add(piece->corners());
    if (outline_.empty()) return;
    low_ = goes_on ? std::min(low_, low) : low, high_ = goes_on ? std::max(high_, high) : high;
    outline_colour_ = piece->colour;
  }

  void end_outline() {
    if (outline_.empty()) return;
    Loops loops = outline_.take();
    if (loops.empty()) return;
    const auto at = [](OutlinePoint p) {
      return ImVec2{static_cast<float>(p.x) / 100, static_cast<float>(p.y) / 100};
    };
    Rect box{at(loops[0][0]), at(loops[0][0])};
    for (const auto& loop : loops)
      for (const OutlinePoint p : loop) box = around_both(box, {at(p), at(p)});
    append({ShownOutline{std::move(loops)}, box, outline_colour_});
  }

  void add_glyph(const PlacedGlyph& glyph) {
    end_outline();
    if (!has_area(common(glyph.ink(), clip_))) return;
    const auto joint =
        last_glyph_ && last_glyph_->colour == glyph.colour ? between(*last_glyph_, glyph) : std::nullopt;
    if (!joint) {
      end_words();
      const ImVec2 base{glyph.pen.x, glyph.pen.y + font_ascent(glyph.font) * glyph.scale};
      words_ = {{}, glyph.font, glyph.scale, glyph.turn, unturned(base, -glyph.turn), 0, 0};
      ink_ = glyph.ink();
      first_pen_ = glyph.pen.x;
    }
    words_.text += joint.value_or("") + utf8_text(static_cast<char32_t>(glyph.glyph->Codepoint));
    words_.letters += joint && !joint->empty() ? 2 : 1;
    words_.length = glyph.end() - first_pen_;
    ink_ = around_both(ink_, glyph.ink());
    last_glyph_ = glyph;
  }

  void end_words() {
    if (!last_glyph_) return;
    const ImU32 colour = last_glyph_->colour;
    last_glyph_.reset();
    append({std::move(words_), ink_, colour});
  }

  void add(DrawnShape shape) {
    end_words(), end_outline();
    append(std::move(shape));
  }

  void append(DrawnShape shape) {
    if ((shape.colour & IM_COL32_A_MASK) == 0 || !has_area(common(shape.box, clip_))) return;
    // What reaches over the area alone is cut by the picture's edge.
    if (!is_within(shape.box, whole_pixels(command_->ClipRect))) shape.clip = clip_;
    shapes_.push_back(std::move(shape));
  }

  const ImDrawData& data_;
  const Fonts& fonts_;
  const Rect area_;
  const GlyphAtlas atlas_;
  const ImDrawList* list_ = nullptr;
  const ImDrawCmd* command_ = nullptr;
  int list_at_ = 0, command_at_ = 0;
  Rect clip_{};
  std::vector<DrawnShape> shapes_;

  Outline outline_;
  ImU32 outline_colour_ = 0;
  ImDrawIdx low_ = 0, high_ = 0;  // the corners that its triangles share

  std::optional<PlacedGlyph> last_glyph_;
  ShownWords words_{};
  Rect ink_{};
  float first_pen_ = 0;
};

}  // namespace

Rect pixels_of(const Rect& box) {
  const auto pixel = [](float x) { return std::ceil(x - 0.5f); };
  return {{pixel(box.min.x), pixel(box.min.y)}, {pixel(box.max.x), pixel(box.max.y)}};
}

const DrawnShape* backdrop_of(const std::vector<DrawnShape>& shapes, Rect area) {
  const auto covers = [&](const DrawnShape& shape) {
    const auto* rectangle = std::get_if<ShownRectangle>(&shape.what);
    return rectangle && rectangle->radius == 0 && !shape.clip && shape.colour >> IM_COL32_A_SHIFT == 255 &&
           is_within(area, pixels_of(shape.box));
  };
  const auto last = std::find_if(shapes.rbegin(), shapes.rend(), covers);
  return last == shapes.rend() ? nullptr : &*last;
}

std::vector<DrawnShape> drawn_shapes(const ImDrawData& data, const Fonts& fonts, Rect area) {
  return ShapeReader(data, fonts, area).read();
}

}  // namespace attn
