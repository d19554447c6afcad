// Shapes as SVG 1.1 with the few elements that browsers, librsvg and editors draw alike: base lines by
// number, one font a text, clip paths that are rectangles, no style sheet. Names are numbers behind the
// checksum of the picture: of two that stand on one page none takes the other's.
#include "app/host/svg_picture.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <tuple>

#include "app/host/svg_words.h"
#include "app/theme/toolkit.h"
#include "core/io/svg.h"
#include "core/text/base64.h"

namespace attn {
namespace {

constexpr char kPrefixMark = '\x01';  // where the prefix of names comes

class SvgWriter {
 public:
  SvgWriter(const SvgSetup& setup, ImU32 background) : setup_(setup), background_(background) {}

  void write(const DrawnShape& shape) {
    shape_ = &shape;
    std::visit([&](const auto& what) { write(what); }, shape.what);
  }

  std::string take(std::string_view session) {
    const float width = setup_.area.width(), height = setup_.area.height(), scale = setup_.scale;
    std::string clips;
    for (const auto& [clip, number] : clips_)
      clips += "<clipPath id=\"" + name_of(number) + "\">" + rectangle(clip, "") + "</clipPath>\n";
    if (!clips.empty()) clips = "<defs>\n" + clips + "</defs>\n";
    std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + millimetres(width / scale) +
                       "\" height=\"" + millimetres(height / scale) + "\" viewBox=\"0 0 " + decimal(width) +
                       " " + decimal(height) +
                       "\" font-family=\"DejaVu Sans, sans-serif\" shape-rendering=\"crispEdges\" "
                       "text-rendering=\"geometricPrecision\">\n" +
                       session_metadata(session) + clips;
    if ((background_ & IM_COL32_A_MASK) != 0)
      text += rectangle({{0, 0}, {width, height}}, paint(background_)) + "\n";
    return named(std::move(text) + body_ + "</svg>\n");
  }

 private:
  // Two decimals of a pixel from the picture's corner.
  std::string x(float at) const { return decimal(at - setup_.area.min.x); }
  std::string y(float at) const { return decimal(at - setup_.area.min.y); }
  std::string x(OutlinePoint p) const { return x(static_cast<float>(p.x) / 100); }
  std::string y(OutlinePoint p) const { return y(static_cast<float>(p.y) / 100); }

  static std::string name_of(std::size_t number) { return kPrefixMark + std::to_string(number); }

  static std::string rectangle(const Rect& box, const std::string& more) {
    return "<rect x=\"" + decimal(box.min.x) + "\" y=\"" + decimal(box.min.y) + "\" width=\"" +
           decimal(box.width()) + "\" height=\"" + decimal(box.height()) + "\"" + more + "/>";
  }

  Rect moved(const Rect& box) const {
    const ImVec2 o = setup_.area.min;
    return {{box.min.x - o.x, box.min.y - o.y}, {box.max.x - o.x, box.max.y - o.y}};
  }

  std::string clipping() {
    if (!shape_->clip) return {};
    const Rect clip = moved(*shape_->clip);
    const auto [entry, fresh] = clips_.try_emplace(clip, clips_.size() + 1);
    return " clip-path=\"url(#" + name_of(entry->second) + ")\"";
  }
  std::string fill() { return paint(shape_->colour) + clipping(); }

  void write(const ShownRectangle& rectangle_of) {
    Rect box = pixels_of(shape_->box);
    const bool round = rectangle_of.radius > 0;
    if (shape_->clip && !round) {
      const Rect& clip = *shape_->clip;
      box = {{std::max(box.min.x, clip.min.x), std::max(box.min.y, clip.min.y)},
             {std::min(box.max.x, clip.max.x), std::min(box.max.y, clip.max.y)}};
    }
    if (!(box.width() > 0 && box.height() > 0)) return;  // between the centres of two pixels
    std::string more = round ? " rx=\"" + decimal(rectangle_of.radius) + "\" shape-rendering=\"auto\"" : "";
    body_ += rectangle(moved(box), more + (round ? fill() : paint(shape_->colour))) + "\n";
  }

  void write(const ShownDisc&) {
    const Rect& box = shape_->box;
    body_ += "<circle cx=\"" + x((box.min.x + box.max.x) / 2) + "\" cy=\"" + y((box.min.y + box.max.y) / 2) +
             "\" r=\"" + decimal(box.width() / 2) + "\" shape-rendering=\"auto\"" + fill() + "/>\n";
  }

  void write(const ShownOutline& outline) {
    std::string path;
    for (const auto& loop : outline.loops) {
      path += "M" + x(loop[0]) + " " + y(loop[0]) + "l";
      for (std::size_t i = 1; i < loop.size(); ++i)
        path += (i > 1 ? " " : "") + hundredths(loop[i].x - loop[i - 1].x) + " " +
                hundredths(loop[i].y - loop[i - 1].y);
      path += "z";
    }
    body_ += "<path d=\"" + path + "\" shape-rendering=\"auto\"" + fill() + "/>\n";
  }

  void write(const ShownWords& words) {
    const Fonts& fonts = setup_.fonts;
    const bool bold = words.font == fonts.bold || words.font == fonts.title;
    const float em = font_size(words.font) * words.scale / setup_.widths.line(bold);
    const float natural = setup_.widths.width(words.text, bold) * em;
    std::string attributes = " font-size=\"" + decimal(em) + "\"";
    if (bold) attributes += " font-weight=\"bold\"";
    // Pens move by whole pixels on a screen.
    const std::string spacing = thousandths((words.length - natural) / static_cast<float>(words.letters));
    if (natural > 0 && spacing != "0") attributes += " letter-spacing=\"" + spacing + "\"";
    const std::string at_x = x(words.start.x), at_y = y(words.start.y);
    if (words.turn != 0)
      attributes +=
          " transform=\"rotate(" + std::string(words.turn > 0 ? "-90 " : "90 ") + at_x + " " + at_y + ")\"";
    const bool apart = words.turn != 0 && shape_->clip;  // a clip path would turn with its text
    attributes += apart ? paint(shape_->colour) : fill();
    if (apart) body_ += "<g" + clipping() + ">";
    body_ += "<text x=\"" + at_x + "\" y=\"" + at_y + "\"" + attributes + " xml:space=\"preserve\">" +
             xml_text(words.text) + "</text>" + (apart ? "</g>\n" : "\n");
  }

  void write(const ShownPicture& picture) {
    const Rect seen = pixels_of(shape_->box), area = setup_.area;
    const Rect box{{std::max(seen.min.x, area.min.x), std::max(seen.min.y, area.min.y)},
                   {std::min(seen.max.x, area.max.x), std::min(seen.max.y, area.max.y)}};
    if (!(box.width() > 0 && box.height() > 0)) return;
    const Rect place = moved(box);
    body_ += "<image x=\"" + decimal(place.min.x) + "\" y=\"" + decimal(place.min.y) + "\" width=\"" +
             decimal(place.width()) + "\" height=\"" + decimal(place.height()) +
             "\" preserveAspectRatio=\"none\" image-rendering=\"pixelated\"" + clipping() +
             " href=\"data:image/png;base64," + base64_of(write_png(setup_.picture_of(picture, box), "")) +
             "\"/>\n";
  }

  static std::string named(std::string text) {
    static constexpr char kDigits[] = "0123456789abcdef";
    const std::uint32_t sum = crc32_of(std::as_bytes(std::span(text)));
    std::string prefix = "a";
    for (int shift = 28; shift >= 0; shift -= 4) prefix += kDigits[(sum >> shift) & 15];
    prefix += '-';
    std::string whole;
    whole.reserve(text.size());
    for (const char c : text) c == kPrefixMark ? whole += prefix : whole += c;
    return whole;
  }

  struct ByCorners {
    bool operator()(const Rect& a, const Rect& b) const {
      return std::tie(a.min.x, a.min.y, a.max.x, a.max.y) < std::tie(b.min.x, b.min.y, b.max.x, b.max.y);
    }
  };

  const SvgSetup& setup_;
  const ImU32 background_;
  const DrawnShape* shape_ = nullptr;
  std::string body_;
  std::map<Rect, std::size_t, ByCorners> clips_;
};

}  // namespace

std::string svg_picture(const ImDrawData& data, const SvgSetup& setup, std::string_view session) {
  const std::vector<DrawnShape> shapes = drawn_shapes(data, setup.fonts, setup.area);
  const DrawnShape* const backdrop = backdrop_of(shapes, setup.area);
  SvgWriter writer(setup, setup.background.value_or(backdrop ? backdrop->colour : setup.cleared));
  for (const DrawnShape& shape : std::span(shapes).subspan(backdrop ? backdrop - shapes.data() + 1 : 0))
    writer.write(shape);
  return writer.take(session);
}

}  // namespace attn
