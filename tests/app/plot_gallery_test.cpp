// Plots to look at: with ATTENTION_LAB_GALLERY=FOLDER their pictures are written there, in every theme, at
// both scales. Their content is that of the workspaces which they are for.
#include <filesystem>
#include <map>

#include "core/system/file.h"
#include "tests/app/picture_lab.h"
#include "tests/app/plot_gallery.h"
#include "tests/app/plot_lab.h"

using namespace attn;
using namespace attn::tests;

namespace {

struct Framed {
  Plot plot;
  Rect area;  // at scale 1
};

using Page = std::vector<Framed>;

Page costs(const Theme& theme) {
  return {{time_plot(), {{8, 8}, {512, 452}}},
          {memory_plot(theme), {{520, 8}, {1016, 452}}},
          {decoding_plot(), {{8, 460}, {512, 632}}},
          {scatter_plot(), {{520, 460}, {760, 632}}},
          {confidence_plot(), {{768, 460}, {1016, 632}}}};
}
Page kernels(const Theme&) {
  return {{estimate_plot(), {{8, 8}, {720, 472}}},         {kernels_plot(), {{728, 8}, {1016, 236}}},
          {temperature_plot(), {{728, 244}, {1016, 472}}}, {histogram_plot(), {{8, 480}, {340, 632}}},
          {scores_plot(), {{348, 480}, {680, 632}}},       {kernels_plot(), {{688, 480}, {840, 560}}},
          {scores_plot(), {{848, 480}, {960, 540}}}};
}
Page positions(const Theme&) {
  return {{dimensions_plot(), {{8, 8}, {512, 224}}},   {wavelength_plot(), {{520, 8}, {1016, 224}}},
          {similarity_plot(), {{8, 232}, {512, 452}}}, {histogram_plot(), {{520, 232}, {1016, 452}}},
          {scores_plot(), {{8, 460}, {512, 632}}},     {temperature_plot(), {{520, 460}, {1016, 632}}}};
}

void write_page(const std::string& file, Page (*page)(const Theme&), ThemeName name, float scale,
                ImVec2 pointer) {
  Settings settings;
  settings.theme = name;
  std::map<std::string, PlotView> views;
  Offscreen* running = nullptr;
  Headless::Options options{.document = read_document("three-tokens"),
                            .settings = settings,
                            .size = {1024 * scale, 640 * scale},
                            .scale = scale};
  options.on_top = [&] {
    if (!running) return;
    const Theme theme = running->lab().theme();
    draw_over_program([&] {
      int n = 0;
      for (Framed& framed : page(theme)) {
        framed.plot.id += std::to_string(n++);
        const Rect& a = framed.area;
        draw_plot(theme, running->app().textures(), running->app().memos(), framed.plot,
                  views[framed.plot.id],
                  {{a.min.x * scale, a.min.y * scale}, {a.max.x * scale, a.max.y * scale}});
      }
    });
  };
  Offscreen screen(std::move(options));
  running = &screen;
  screen.lab().move({pointer.x * scale, pointer.y * scale});
  screen.lab().frames(3);
  write_file(file, write_png(screen.picture(), ""));
}

}  // namespace

TEST_CASE("a gallery of plots is written where a folder is named for it") {
  const char* folder = std::getenv("ATTENTION_LAB_GALLERY");
  if (!folder) return;
  const std::pair<const char*, Page (*)(const Theme&)> pages[] = {
      {"cost", costs}, {"kernels", kernels}, {"positions", positions}};
  const char* themes[] = {"dark", "light", "contrast"};
  for (const auto& [name, page] : pages)
    for (std::size_t theme = 0; theme < 3; ++theme)
      for (const float scale : {1.0f, 2.0f}) {
        const std::string file =
            std::string(folder) + "/" + name + "-" + themes[theme] + (scale > 1 ? "-2x" : "") + ".png";
        write_page(file, page, kThemes[theme], scale, {300, 330});
        CHECK(std::filesystem::exists(file));
      }
}
