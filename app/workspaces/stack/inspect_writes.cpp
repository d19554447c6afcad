// A number of the stream as the sum of all that was written to it, box by box.
#include <algorithm>
#include <cmath>

#include "app/inspector/inspector_model.h"
#include "app/inspector/inspector_numbers.h"
#include "app/widgets/bars.h"
#include "app/workspaces/stack/inspect_parts.h"
#include "core/graph/rounding.h"
#include "core/transformer/writes.h"

namespace attn {
namespace {

using namespace inspector;

constexpr std::size_t kMostWrites = 14;  // lines, until a person opens the rest
constexpr float kLeastBars = 60;         // points; below, letters are small

struct WriteColumns {
  float label = 0, number = 0;  // widths
  double least = 0, most = 0;
};

void draw_write(Flow& flow, const std::string& words, double value, const Spot& spot,
                const WriteColumns& at) {
  const Theme& theme = flow.theme();
  const Rect line = add_line(flow);
  const float gap = flow.px(8), inset = flow.px(6);
  put_elided(flow, {line.min, {line.min.x + at.label, line.max.y}}, words, theme.text);
  const Rect room{{line.min.x + at.label + gap, line.min.y + inset},
                  {line.max.x - at.number - gap, line.max.y - inset}};
  if (room.width() > flow.px(12)) draw_signed_bar(flow.list, room, value, at.least, at.most, theme);
  put(flow, line, write(value, digits_for({value}, 4)), theme.text, 1);
  press_to_open(flow, "write " + words, line, spot);
}

}  // namespace

void draw_writes(Flow& flow, const Results& results, const StackPlace& place, Cell cell) {
  const Graph& graph = results.graph;
  const StackStages& places = *results.places.as<StackStages>();
  // Of a sum whose other numbers are typed over, how it was added up before.
  const bool of_norm = place.what == StackPlace::norm;
  const StageIndex computed = computing(graph, place.stage);
  const StageIndex stream = of_norm ? graph.stages[computed].inputs.front() : place.stage;
  const std::vector<StreamWrite> writes =
      writes_of(graph, places, place.decoder, of_norm ? stream : computed);
  if (writes.empty()) return;
  const std::string called = of_norm ? "x is a sum: " : "It is a sum: ";
  const std::string heading = called + cell_text(graph.stages[stream], cell);
  add_heading(flow, heading.c_str());
  float widest = 0;
  for (const StreamWrite& each : writes) widest = std::max(widest, text_width(each.words));
  const CompactScope compact(flow, widest + text_width("−0.0000") + flow.px(kLeastBars));
  WriteColumns at;
  double sum = 0;
  std::vector<double> values;
  for (const StreamWrite& each : writes) {
    const double value =
        results.outputs[each.stage].holds(cell) ? figure_at(results, each.stage, cell).value : std::nan("");
    values.push_back(value), sum += value;
    at.label = std::max(at.label, text_width(each.words));
    at.number = std::max(at.number, text_width(write(value, digits_for({value}, 4))));
    if (std::isfinite(value)) at.least = std::min(at.least, value), at.most = std::max(at.most, value);
  }
  const std::size_t shown = shown_of("writes", writes.size(), kMostWrites);
  for (std::size_t i = writes.size() - shown; i < writes.size(); ++i)
    if (!passes_line(flow))
      draw_write(flow, writes[i].words, values[i], {graph.stages[writes[i].stage].id, cell}, at);
  const float rule = flow.right - at.number;
  flow.list.AddLine({rule, flow.y}, {flow.right, flow.y}, flow.theme().dim);
  add_fact(flow, of_norm ? "= x" : "= stream", write(sum, digits_for({sum}, 4)), flow.theme().text);
  double rest = 0;
  for (std::size_t i = 0; i + kMostWrites < values.size(); ++i) rest += values[i];
  add_more(flow, "writes", writes.size(), kMostWrites,
           "before them, together " + write(rest, digits_for({rest}, 4)));
}

}  // namespace attn
