// The menu of a plot.
#include "app/plot/plot_parts.h"
#include "app/theme/toolkit.h"
#include "app/widgets/items.h"

namespace attn {
namespace {

void axis_item(const char* name, const PlotAxis& axis, bool log, std::optional<bool>& chosen,
               std::optional<PlotRange>& range) {
  if (axis.names || !menu_item(name, nullptr, log)) return;
  chosen = !log;
  range.reset();  // of the other kind
}

void series_items(const PlotScene& scene, PlotView& view) {
  if (scene.layout.legend.entries.empty() && view.hidden.empty()) return;
  if (!begin_menu("Show")) return;
  std::set<std::string> listed;
  for (const Series& series : scene.plot.series) {
    if (series.name.empty() || !listed.insert(series.name).second) continue;
    if (menu_item(series.name, nullptr, !view.hidden.contains(series.name))) toggle_hidden(view, series.name);
  }
  ImGui::Separator();
  if (menu_item("all of them", nullptr, false, !view.hidden.empty())) view.hidden.clear();
  ImGui::EndMenu();
}

}  // namespace

void draw_plot_menu(const PlotScene& scene, PlotView& view, const PlotFit& fit, PlotEvents& events) {
  if (!ImGui::BeginPopup("menu")) return;
  if (scene.plot.menu) {
    scene.plot.menu();
    ImGui::Separator();
  }
  if (menu_item("Copy the data", "Ctrl+C")) ImGui::SetClipboardText(plot_table(scene.plot, view).c_str());
  if (menu_item("Save as a picture…")) events.picture = SavePicture{scene.layout.area};
  if (menu_item("Save as SVG…")) events.picture = SavePicture{scene.layout.area, true};
  if (menu_item("Save the numbers as CSV")) events.numbers = NumbersFormat::csv;
  if (menu_item("Save the numbers as npz")) events.numbers = NumbersFormat::npz;
  ImGui::Separator();
  axis_item("Logarithmic x axis", scene.plot.x, scene.layout.x.log(), view.log_x, view.x);
  axis_item("Logarithmic y axis", scene.plot.y, scene.layout.y.log(), view.log_y, view.y);
  if (menu_item("Lock the range", nullptr, view.locked)) {
    view.locked = !view.locked;
    if (view.locked)
      view.x = scene.layout.x.range(), view.y = scene.layout.y.range();
    else
      fit_plot(view, fit);
  }
  if (menu_item("Fit to the data", "F")) fit_plot(view, fit);
  series_items(scene, view);
  ImGui::EndPopup();
}

}  // namespace attn
