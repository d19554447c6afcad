// The workspace of kernels by name, for keys, menus and the palette.
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>

#include "app/application.h"
#include "app/workspaces/edits.h"
#include "app/workspaces/kernels_scene.h"
#include "app/workspaces/rows.h"
#include "core/attention/pipeline.h"
#include "core/error.h"
#include "core/kernels/kernels_fields.h"
#include "core/kernels/kernels_layer.h"

namespace attn {
namespace {

using Commands = std::vector<Command>;

void add_edit(Commands& table, std::string name, std::string title, const char* menu, Shortcut key,
              bool checked, std::function<void(KernelsSpec&, Application&)> edit) {
  table.push_back(
      {"kernels." + std::move(name), std::move(title), menu, key,
       edit_command([edit = std::move(edit)](Document& d, Application& app) { edit(d.kernels, app); }), true,
       checked});
}

// "Epanechnikov kernel: ¾·(1 − u²)", with what it is taken for.
std::string palette_title(const KernelText& text, Kernel kernel) {
  std::string title = std::string(text.title) + ": " + std::string(text.formula);
  if (kernel == Kernel::epanechnikov || kernel == Kernel::triangular) title += " – " + std::string(text.note);
  return title;
}

// On the estimate of the shown curve, or at 0 where there is none.
void add_at_query(KernelsSpec& spec, Application& app) {
  KernelsView& view = app.view().kernels;
  const auto& results = app.shown().results;
  float y = 0;
  if (has_numbers(results))
    if (const auto& curves = results->places.as<KernelsPlaces>()->curves; !curves.empty()) {
      const Tensor& estimate = results->outputs[curves[std::min(view.shown, curves.size() - 1)].estimate];
      if (view.value < estimate.columns()) y = estimate[{0, looked_at_query(*results, view), view.value}];
    }
  add_point(spec, static_cast<float>(view.q), std::isfinite(y) ? y : 0.0f, view.value);
  view.selected = spec.points.rows() - 1;
}

void remove_selected(KernelsSpec& spec, Application& app) {
  auto& selected = app.view().kernels.selected;
  const std::size_t count = spec.set == PointSet::own ? spec.points.rows() : spec.count;
  if (!selected || *selected >= count) throw Error("no point is selected: click one in the plot or press N");
  remove_point(spec, *selected);
  selected.reset();
}

void take_best(KernelsSpec& spec, Application& app) {
  std::vector<std::optional<BestWidth>> best;
  if (has_numbers(app.shown().results)) best = kernels_memo(app.memos(), app.shown()).best;
  if (best.empty()) throw Error("no leave-one-out errors are known yet");
  const auto& least = best[std::min(app.view().kernels.shown, best.size() - 1)];
  if (!least) throw Error("no width has an error: a point has no other in reach");
  set_width(spec, three_digits(least->width));
}

// To the next point of the table, ringed in the plot.
std::function<void(Application&)> step_point(std::ptrdiff_t by) {
  return [by](Application& app) {
    const KernelsSpec& spec = app.document().kernels;
    const auto count =
        static_cast<std::ptrdiff_t>(spec.set == PointSet::own ? spec.points.rows() : spec.count);
    if (count == 0) return app.say("there are no points to select", true);
    auto& selected = app.view().kernels.selected;
    const std::ptrdiff_t at = selected ? static_cast<std::ptrdiff_t>(*selected) + by : by > 0 ? 0 : count - 1;
    selected = static_cast<std::size_t>((at + count) % count);
  };
}

void open_layer(Application& app) {
  const KernelsSpec& spec = app.document().kernels;
  if (layer_curve(spec) >= curves_of(spec).size())
    return app.say("no layer does the same: choose the Gaussian, with one width for all points", true);
  Document document = app.document();
  open_in_pipeline(document);
  app.change(document);
  for (const Workspace& workspace : app.workspaces())
    if (workspace.build == kPipelinePlan.build) app.show(workspace);
  app.say("the kernel as a layer: its output is the estimate at every query; Ctrl+Z goes back");
}

void kernel_edits(Commands& table, const KernelsSpec& spec) {
  for (std::size_t i = 0; i < kKernels.size(); ++i) {
    const auto kernel = static_cast<Kernel>(i);
    add_edit(table, "kernel." + std::string(kKernels[i].word), palette_title(kKernels[i], kernel),
             "Edit/Kernels/Kernel", {}, std::ranges::count(spec.kernels, kernel) > 0,
             [kernel](KernelsSpec& s, Application&) { toggle_kernel(s, kernel); });
  }
  for (const auto& word : kernels_field::set.words)
    add_edit(table, "set." + std::string(word.word), std::string(word.title), "Edit/Kernels/Data", {},
             spec.set == word.choice, [choice = word.choice](KernelsSpec& s, Application& app) {
               if (choice == PointSet::own) return own_points(s);
               s.set = choice, s.key_widths = {};
               app.view().kernels.value = choice == PointSet::classes ? 1 : 0;
             });
}

}  // namespace

void kernel_commands(Commands& table, const Application& app) {
  const KernelsSpec& spec = app.document().kernels;
  const char* menu = "Edit/Kernels";
  kernel_edits(table, spec);
  add_edit(table, "add_point", "Add a point at the query", menu, plain(GLFW_KEY_INSERT), false, add_at_query);
  add_edit(table, "remove_point", "Remove the selected point", menu, {.key = GLFW_KEY_DELETE, .shift = true},
           false, remove_selected);
  table.push_back({"kernels.next_point", "Select the next point", menu, plain(GLFW_KEY_N), step_point(1)});
  table.push_back({"kernels.previous_point",
                   "Select the point before",
                   menu,
                   {.key = GLFW_KEY_N, .shift = true},
                   step_point(-1)});
  add_edit(table, "use_best", "Use the width of the least leave-one-out error", menu, plain(GLFW_KEY_B),
           false, take_best);
  add_edit(table, "widths", "Four widths of one kernel at once", menu, {}, spec.widths.size() > 1,
           [](KernelsSpec& s, Application& a) {
             toggle_widths(s, s.kernels[std::min(a.view().kernels.shown, s.kernels.size() - 1)]);
           });
  add_edit(table, "neighbours", "Width by the k-th nearest point", menu, {},
           spec.width_rule == WidthRule::neighbours, [](KernelsSpec& s, Application&) {
             s.width_rule = s.width_rule == WidthRule::fixed ? WidthRule::neighbours : WidthRule::fixed;
           });
  add_edit(table, "linear", "Local line beside each estimate", menu, plain(GLFW_KEY_L), spec.linear,
           [](KernelsSpec& s, Application&) { s.linear = !s.linear; });
  add_edit(table, "one_width", "One width for every point", menu, {}, spec.key_widths.empty(),
           [](KernelsSpec& s, Application&) { s.key_widths = {}; });
  table.push_back({"kernels.compare", "Show the weights of the next estimate", menu, plain(GLFW_KEY_C),
                   [](Application& a) {
                     KernelsView& view = a.view().kernels;
                     const std::size_t count =
                         std::max<std::size_t>(1, curves_of(a.document().kernels).size());
                     view.shown = (std::min(view.shown, count - 1) + 1) % count;
                   }});
  table.push_back(
      {"kernels.open_in_pipeline", "Open the kernel as a layer in the Pipeline", menu, {}, open_layer});
}

}  // namespace attn
