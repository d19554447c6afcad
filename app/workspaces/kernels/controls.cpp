// The controls of the workspace of kernels.
#include <algorithm>
#include <cmath>

#include "app/fields/field_rows.h"
#include "app/fields/field_states.h"
#include "app/fields/slider.h"
#include "app/widgets/chips.h"
#include "app/workspaces/kernels/row.h"
#include "app/workspaces/kernels/scene.h"
#include "app/workspaces/kernels/view.h"
#include "core/kernels/fields.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr double kMostNoise = 3;  // of the track; more is typed

void data_controls(Frame& frame, Column column) {
  KernelsSpec& spec = frame.draft.kernels;
  const bool own = spec.set == PointSet::own;
  const std::string state =
      states({state_of(kernels_field::set, spec.set), std::to_string(own ? spec.points.rows() : spec.count),
              own ? "" : state_of(kernels_field::noise, spec.noise)});
  if (!foldable_section(frame, column, {.title = "Data", .state = state, .open = true})) return;
  PointSet set = spec.set;
  if (field_row(frame, column, "kernels", kernels_field::set, set)) {
    if (set == PointSet::own)
      own_points(spec);
    else
      spec.set = set, spec.key_widths = {};
    frame.view.of<KernelsView>().value = set == PointSet::classes ? 1 : 0;
    frame.view.of<KernelsView>().selected.reset();
  }
  if (spec.set == PointSet::own) {
    value_row(frame, column, {"kernels.own", "points", "as in the table"},
              std::to_string(spec.points.rows()));
  } else {
    std::size_t count = spec.count;
    field_row(frame, column, "kernels", kernels_field::count, count);
    count_track(frame, column, "kernels.count slider", kernels_field::count, count,
                kernels_field::kMostPoints);
    if (count != spec.count) spec.count = count, spec.key_widths = {};
    field_row(frame, column, "kernels", kernels_field::noise, spec.noise);
    if (const auto wanted = number_track(frame, column, "kernels.noise slider", kernels_field::noise,
                                         spec.noise, 0, kMostNoise, false))
      spec.noise = std::round(*wanted * 100) / 100;
    field_row(frame, column, "kernels", kernels_field::seed, spec.seed);
  }
  ChipRow row(frame.theme, column.left, column.right);
  if (row.add({.id = "open points",
               .text = "open CSV…",
               .tooltip = "x, y as .csv, .npy or .npz; a file may be dropped here too"}))
    frame.commands.push_back("file.open");
  if (row.add({.id = "paste points", .text = "paste", .tooltip = "rows of x, y from the clipboard"}))
    frame.commands.push_back("edit.paste");
}

void kernel_controls(Frame& frame, Column column) {
  KernelsSpec& spec = frame.draft.kernels;
  const std::string state = state_of(kernels_field::kernels, spec.kernels);
  if (!foldable_section(frame, column, {.title = "Kernel", .state = state, .open = true})) return;
  {
    ChipRow row(frame.theme, column.left, column.right);
    for (std::size_t i = 0; i < kKernels.size(); ++i) {
      const KernelText& text = kKernels[i];
      const auto kernel = static_cast<Kernel>(i);
      const std::string note = text.note.empty() ? "" : "\n" + std::string(text.note);
      if (row.add({.id = "kernel " + std::string(text.word),
                   .text = kernel == Kernel::dot ? "exp q·k" : std::string(text.title),
                   .tooltip = std::string(text.title) + ": κ(u) = " + std::string(text.formula) + ", " +
                              std::string(text.support) + note,
                   .on = std::ranges::count(spec.kernels, kernel) > 0}))
        toggle_kernel(spec, kernel);
    }
  }
  const auto shown = [&](Kernel kernel) { return std::ranges::count(spec.kernels, kernel) > 0; };
  if (shown(Kernel::epanechnikov) || shown(Kernel::triangular))
    hint(frame, column,
         "Epanechnikov: " + std::string(kernel_text(Kernel::epanechnikov).formula) + "; " +
             std::string(kernel_text(Kernel::epanechnikov).note));
}

void widths_row(Frame& frame, Column column) {
  KernelsSpec& spec = frame.draft.kernels;
  if (spec.widths.size() < 2 || spec.kernels.size() > 1) return;
  for (std::size_t i = 1; i < spec.widths.size(); ++i) {
    const std::string id = "kernels.width " + std::to_string(i + 1);
    const FieldRow row{id, "σ " + std::to_string(i + 1), std::string(kernels_field::width.text.sentence)};
    if (const auto wanted = number_row(frame, column, row, box_of(kernels_field::width, spec.widths[i])))
      spec.widths[i] = *wanted;
    refusal(frame, column, id);
  }
}

// From a hundredth of the points' range to twice it.
void width_slider(Frame& frame, Column column, const std::optional<KernelsScene>& scene) {
  KernelsSpec& spec = frame.draft.kernels;
  double least = 0.02, most = 10;
  if (scene && !scene->curves.empty()) {
    const auto keys = scene->places().sorted.keys.values();
    const double range = static_cast<double>(keys.back()) - static_cast<double>(keys.front());
    if (range > 0) least = range / 200, most = 2 * range;
  }
  if (const auto wanted = number_track(frame, column, "kernels.width slider", kernels_field::width,
                                       spec.widths[0], least, most, true))
    spec.widths[0] = *wanted;
}

void width_controls(Frame& frame, Column column, const std::optional<KernelsScene>& scene) {
  KernelsSpec& spec = frame.draft.kernels;
  const bool neighbours = spec.width_rule == WidthRule::neighbours;
  std::vector<std::string> widths;
  for (const double width : spec.widths) widths.push_back(state_of(kernels_field::width, width));
  const std::string state =
      neighbours ? state_of(kernels_field::neighbours, spec.neighbours) : state_of_several(widths);
  if (!foldable_section(frame, column, {.title = "Width", .state = state, .open = true})) return;
  if (neighbours) {
    field_row(frame, column, "kernels", kernels_field::neighbours, spec.neighbours);
    count_track(frame, column, "kernels.neighbours slider", kernels_field::neighbours, spec.neighbours,
                scene && !scene->curves.empty() ? scene->places().sorted.keys.rows() : 1);
  } else {
    field_row(frame, column, "kernels", kernels_field::width, spec.widths[0]);
    width_slider(frame, column, scene);
    widths_row(frame, column);
  }
  {
    ChipRow row(frame.theme, column.left, column.right);
    const auto best = scene ? best_width(*scene) : std::nullopt;
    if (best &&
        row.add({.id = "best width",
                 .text = "best: " + brief(three_digits(best->width)),
                 .tooltip = "take the width whose leave-one-out error of the shown kernel is the least"}))
      set_width(spec, three_digits(best->width));
    if (row.add({.id = "k nearest",
                 .text = "k nearest",
                 .tooltip = std::string(kernels_field::width_rule.text.sentence),
                 .on = neighbours}))
      spec.width_rule = neighbours ? WidthRule::fixed : WidthRule::neighbours;
    if (!neighbours && row.add({.id = "four widths",
                                .text = "four widths",
                                .tooltip = "one kernel with σ 0.1, 0.2, 0.5 and 1 at once",
                                .on = spec.widths.size() > 1 && spec.kernels.size() == 1}))
      frame.commands.push_back("kernels.widths");
  }
  hint(frame, column, "best: the least leave-one-out error");
  const auto selected = frame.view.of<KernelsView>().selected;
  if (neighbours || !selected || !scene || *selected >= shown_points(*scene).rows()) return;
  const double factor =
      *selected < spec.key_widths.rows() ? static_cast<double>(spec.key_widths.values()[*selected]) : 1;
  const FieldRow row{"kernels.key width", "σ × of point " + std::to_string(*selected),
                     "what σ is multiplied by for this point alone"};
  if (const auto wanted = number_row(
          frame, column, row,
          {.value = factor, .least = 1e-3, .most = 1e3, .per_pixel = 0.005, .takes = "from 0.001 to 1000"}))
    set_key_width(spec, *selected, static_cast<float>(*wanted));
  refusal(frame, column, row.id);
}

void query_controls(Frame& frame, Column column, const std::optional<KernelsScene>& scene) {
  KernelsSpec& spec = frame.draft.kernels;
  KernelsView& view = frame.view.of<KernelsView>();
  const auto [low, high] = std::minmax(spec.first, spec.last);
  const double q = std::clamp(view.q, low, high);
  const std::string shown = brief(three_digits(scene ? scene->q() : q));
  const std::string state = states({"q " + shown, brief(low) + "…" + brief(high)});
  if (!foldable_section(frame, column, {.title = "Query", .state = state})) return;
  if (const auto wanted =
          slider_row(frame, column, {"kernels.q", "q", "where the estimate is opened"},
                     {.value = q, .least = low, .most = high, .whole = false, .shown = shown}))
    view.q = *wanted;
  field_row(frame, column, "kernels", kernels_field::first, spec.first);
  field_row(frame, column, "kernels", kernels_field::last, spec.last);
  field_row(frame, column, "kernels", kernels_field::queries, spec.queries);
}

void value_chips(Frame& frame, ChipRow& row, const KernelsScene& scene) {
  const std::size_t values = scene.curves.empty() ? 1 : scene.values();
  for (std::size_t value = 0; value < std::min<std::size_t>(values, 6); ++value)
    if (values > 1 && row.add({.id = "value " + std::to_string(value),
                               .text = "value " + std::to_string(value),
                               .tooltip = "of each point: drawn; the others are dashed",
                               .on = scene.value == value}))
      frame.view.of<KernelsView>().value = value;
}

void look_controls(Frame& frame, Column column, const std::optional<KernelsScene>& scene) {
  KernelsView& view = frame.view.of<KernelsView>();
  struct Choice {
    Chip chip;
    bool& on;
  };
  const Choice choices[] = {
      {{.id = "show truth", .text = "true curve", .tooltip = "what the points were drawn around"},
       view.truth},
      {{.id = "show weights",
        .text = "weights",
        .tooltip = "the kernel, its stems and the points' colours at the query"},
       view.weights},
      {{.id = "show line", .text = "local line", .tooltip = std::string(kernels_field::linear.text.sentence)},
       frame.draft.kernels.linear}};
  std::vector<std::string> shown;
  for (const Choice& choice : choices)
    if (choice.on) shown.push_back(choice.chip.text);
  if (!foldable_section(frame, column, {.title = "Show", .state = state_of_several(shown)})) return;
  ChipRow row(frame.theme, column.left, column.right);
  for (const Choice& choice : choices) switch_chip(row, choice.chip, choice.on);
  if (scene) value_chips(frame, row, *scene);
}

}  // namespace

void draw_kernels_controls(Frame& frame, Column column) {
  const auto scene = kernels_scene(frame);
  if (frame.draft.kernels.widths.empty()) frame.draft.kernels.widths = KernelsSpec().widths;
  data_controls(frame, column);
  kernel_controls(frame, column);
  width_controls(frame, column, scene);
  query_controls(frame, column, scene);
  look_controls(frame, column, scene);
}

}  // namespace attn
