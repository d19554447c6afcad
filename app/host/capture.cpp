// The frame just drawn is read back from the framebuffer and saved with its session under a free name.
#include "app/host/capture.h"

#include <algorithm>
#include <cmath>

#include "app/host/picture.h"
#include "app/host/sheet.h"
#include "app/host/svg_picture.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {
namespace {

// The pixels of an area of the layout.
Rect in_framebuffer(const Rect& area) {
  const ImVec2 pixels = ImGui::GetIO().DisplayFramebufferScale;
  return {{area.min.x * pixels.x, area.min.y * pixels.y}, {area.max.x * pixels.x, area.max.y * pixels.y}};
}

}  // namespace

Rect whole_area(std::optional<Rect> area) {
  const ImDrawData& data = *ImGui::GetDrawData();
  const Rect all{data.DisplayPos,
                 {data.DisplayPos.x + data.DisplaySize.x, data.DisplayPos.y + data.DisplaySize.y}};
  const Rect wanted = area.value_or(all);
  return {{std::max(std::floor(wanted.min.x), all.min.x), std::max(std::floor(wanted.min.y), all.min.y)},
          {std::min(std::ceil(wanted.max.x), all.max.x), std::min(std::ceil(wanted.max.y), all.max.y)}};
}

Picture frame_on(const JustDrawn& drawn, std::optional<Rect> area, ImU32 background) {
  ImDrawData& data = *ImGui::GetDrawData();
  const Rect whole = whole_area(area);
  const std::vector<DrawnShape> shapes = drawn_shapes(data, drawn.fonts, whole);
  const DrawnShape* const backdrop = backdrop_of(shapes, whole);
  const ShownRectangle below = backdrop ? std::get<ShownRectangle>(backdrop->what) : ShownRectangle{};
  const auto wanted = [&](int list, int command, ImDrawCmd& part) {
    if (list != below.list || command != below.command)
      return std::pair(list, command) > std::pair(below.list, below.command);
    if (!part.UserCallback) part.IdxOffset += below.behind, part.ElemCount -= below.behind;
    return true;
  };
  Picture picture = drawn_alone(data, drawn.size, in_framebuffer(whole), wanted);
  if (background >> IM_COL32_A_SHIFT == 0) return picture;
  for (std::size_t i = 0; i < picture.rgb.size(); ++i) {
    const unsigned alpha = picture.alpha[i / 3], behind = (background >> (8 * (i % 3))) & 0xff;
    picture.rgb[i] = static_cast<std::uint8_t>((picture.rgb[i] * alpha + behind * (255 - alpha) + 127) / 255);
  }
  picture.alpha.clear();
  return picture;
}

std::string frame_as_svg(const JustDrawn& drawn, std::optional<Rect> area, std::optional<ImU32> background,
                         std::string_view session) {
  std::string note;
  const LetterWidths widths(find_font_files(note));
  ImDrawData& data = *ImGui::GetDrawData();
  const auto picture_of = [&](const ShownPicture& picture, Rect box) {
    return drawn_alone(data, drawn.size, in_framebuffer(box), [&](int list, int command, ImDrawCmd&) {
      return list == picture.list && (command == picture.callback || command == picture.command);
    });
  };
  return svg_picture(data,
                     {.area = whole_area(area),
                      .scale = drawn.scale,
                      .cleared = ImGui::ColorConvertFloat4ToU32(ImGui::GetStyle().Colors[ImGuiCol_WindowBg]),
                      .background = background,
                      .fonts = drawn.fonts,
                      .widths = widths,
                      .picture_of = picture_of},
                     session);
}

void save_capture(Application& app, const JustDrawn& drawn) {
  const std::optional<SavePicture> capture = app.take_capture();
  if (!capture) return;
  try {
    const std::string path = free_picture_path(pictures_folder(), capture->svg ? ".svg" : ".png");
    if (capture->svg) {
      write_file(path, frame_as_svg(drawn, capture->area, std::nullopt, app.session()));
    } else {
      const auto area = capture->area ? std::optional(in_framebuffer(*capture->area)) : std::nullopt;
      write_file(path, std::span<const std::byte>(write_png(read_picture(drawn.size, area), app.session())));
    }
    app.say("picture saved: " + path);
  } catch (const Error& error) {
    app.say(error.what(), true);
  }
}

}  // namespace attn
