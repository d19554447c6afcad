// The workspace of kernels by name, for keys, menus and the palette.
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>

#include "app/canvas/edits.h"
#include "app/frame/desk.h"
#include "app/frame/workspace.h"
#include "app/workspaces/kernels/row.h"
#include "app/workspaces/kernels/scene.h"
#include "app/workspaces/kernels/view.h"
#include "core/document/layer_plan.h"
#include "core/kernels/fields.h"
#include "core/kernels/layer.h"
#include "core/system/error.h"

namespace attn {
namespace {

using Commands = std::vector<Command>;

void add_edit(Commands& table, std::string name, std::string title, const char* menu, Shortcut key,
              bool checked, std::function<void(KernelsSpec&, Desk&)> edit) {
  table.push_back({.name = "kernels." + std::move(name),
                   .title = std::move(title),
                   .menu = menu,
                   .shortcut = key,
                   .run = [edit = std::move(edit)](Desk& desk) { edit(desk.draft.kernels, desk); },
                   .enabled = true,
                   .checked = checked});
}

// "Epanechnikov kernel: ¾·(1 − u²)", with what it is taken for.
std::string palette_title(const KernelText& text, Kernel kernel) {
  std::string title = std::string(text.title) + ": " + std::string(text.formula);
  if (kernel == Kernel::epanechnikov || kernel == Kernel::triangular) title += " – " + std::string(text.note);
  return title;
}

// On the estimate of the shown curve, or at 0 where there is none.
void add_at_query(KernelsSpec& spec, Desk& desk) {
  KernelsView& view = desk.view.of<KernelsView>();
  const auto& results = desk.engine.results;
  float y = 0;
  if (has_numbers(results))
    if (const auto& curves = results->places.as<KernelsPlaces>()->curves; !curves.empty()) {
      const Tensor& estimate =
          results->outputs[curves[std::min(view.shown, curves.size() - 1)].estimate].whole();
      if (view.value < estimate.columns()) y = estimate[{0, looked_at_query(*results, view), view.value}];
    }
  add_point(spec, static_cast<float>(view.q), std::isfinite(y) ? y : 0.0f, view.value);
  view.selected = spec.points.rows() - 1;
}

void remove_selected(KernelsSpec& spec, Desk& desk) {
  auto& selected = desk.view.of<KernelsView>().selected;
  const std::size_t count = spec.set == PointSet::own ? spec.points.rows() : spec.count;
  if (!selected || *selected >= count) throw Error("no point is selected: click one in the plot or press N");
  remove_point(spec, *selected);
  selected.reset();
}

void take_best(KernelsSpec& spec, Desk& desk) {
  std::vector<std::optional<BestWidth>> best;
  if (has_numbers(desk.engine.results)) best = kernels_memo(desk.memos, desk.engine).best;
  if (best.empty()) throw Error("no leave-one-out errors are known yet");
  const auto& least = best[std::min(desk.view.of<KernelsView>().shown, best.size() - 1)];
  if (!least) throw Error("no width has an error: a point has no other in reach");
  set_width(spec, three_digits(least->width));
}

// To the next point of the table, ringed in the plot.
std::function<void(Desk&)> step_point(std::ptrdiff_t by) {
  return [by](Desk& desk) {
    const KernelsSpec& spec = desk.draft.kernels;
    const auto count =
        static_cast<std::ptrdiff_t>(spec.set == PointSet::own ? spec.points.rows() : spec.count);
    if (count == 0) throw Error("there are no points to select");
    auto& selected = desk.view.of<KernelsView>().selected;
    const std::ptrdiff_t at = selected ? static_cast<std::ptrdiff_t>(*selected) + by : by > 0 ? 0 : count - 1;
    selected = static_cast<std::size_t>((at + count) % count);
  };
}

void open_layer(Desk& desk) {
  const KernelsSpec& spec = desk.draft.kernels;
  if (layer_curve(spec) >= curves_of(spec).size())
    throw Error("no layer does the same: choose the Gaussian, with one width for all points");
  open_in_pipeline(desk.draft);
  if (const Workspace* shows = showing(desk.workspaces, kLayerPlan))
    desk.asks.emplace_back(ShowWorkspace{shows});
  desk.view.say("the kernel as a layer: its output is the estimate at every query; Ctrl+Z goes back");
}

void kernel_edits(Commands& table, const KernelsSpec& spec) {
  for (std::size_t i = 0; i < kKernels.size(); ++i) {
    const auto kernel = static_cast<Kernel>(i);
    add_edit(table, "kernel." + std::string(kKernels[i].word), palette_title(kKernels[i], kernel),
             "Edit/Kernels/Kernel", {}, std::ranges::count(spec.kernels, kernel) > 0,
             [kernel](KernelsSpec& s, Desk&) { toggle_kernel(s, kernel); });
  }
  for (const auto& word : kernels_field::set.words)
    add_edit(table, "set." + std::string(word.word), std::string(word.title), "Edit/Kernels/Data", {},
             spec.set == word.choice, [choice = word.choice](KernelsSpec& s, Desk& desk) {
               if (choice == PointSet::own) return own_points(s);
               s.set = choice, s.key_widths = {};
               desk.view.of<KernelsView>().value = choice == PointSet::classes ? 1 : 0;
             });
}

}  // namespace

void kernel_commands(Commands& table, const Desk& now) {
  const KernelsSpec& spec = now.draft.kernels;
  const char* menu = "Edit/Kernels";
  kernel_edits(table, spec);
  add_edit(table, "add_point", "Add a point at the query", menu, plain(GLFW_KEY_INSERT), false, add_at_query);
  add_edit(table, "remove_point", "Remove the selected point", menu, {.key = GLFW_KEY_DELETE, .shift = true},
           false, remove_selected);
  table.push_back({.name = "kernels.next_point",
                   .title = "Select the next point",
                   .menu = menu,
                   .shortcut = plain(GLFW_KEY_N),
                   .run = step_point(1)});
  table.push_back({.name = "kernels.previous_point",
                   .title = "Select the point before",
                   .menu = menu,
                   .shortcut = {.key = GLFW_KEY_N, .shift = true},
                   .run = step_point(-1)});
  add_edit(table, "use_best", "Use the width of the least leave-one-out error", menu, plain(GLFW_KEY_B),
           false, take_best);
  add_edit(table, "widths", "Four widths of one kernel at once", menu, {}, spec.widths.size() > 1,
           [](KernelsSpec& s, Desk& desk) {
             toggle_widths(s, s.kernels[std::min(desk.view.of<KernelsView>().shown, s.kernels.size() - 1)]);
           });
  add_edit(table, "neighbours", "Width by the k-th nearest point", menu, {},
           spec.width_rule == WidthRule::neighbours, [](KernelsSpec& s, Desk&) {
             s.width_rule = s.width_rule == WidthRule::fixed ? WidthRule::neighbours : WidthRule::fixed;
           });
  add_edit(table, "linear", "Local line with each estimate", menu, plain(GLFW_KEY_L), spec.linear,
           [](KernelsSpec& s, Desk&) { s.linear = !s.linear; });
  add_edit(table, "one_width", "One width for every point", menu, {}, spec.key_widths.empty(),
           [](KernelsSpec& s, Desk&) { s.key_widths = {}; });
  table.push_back({.name = "kernels.compare",
                   .title = "Show the weights of the next estimate",
                   .menu = menu,
                   .shortcut = plain(GLFW_KEY_C),
                   .run = [](Desk& desk) {
                     KernelsView& view = desk.view.of<KernelsView>();
                     const std::size_t count = std::max<std::size_t>(1, curves_of(desk.draft.kernels).size());
                     view.shown = (std::min(view.shown, count - 1) + 1) % count;
                   }});
  table.push_back({.name = "kernels.open_in_pipeline",
                   .title = "Open the kernel as a layer in the Pipeline",
                   .menu = menu,
                   .run = open_layer});
}

}  // namespace attn
