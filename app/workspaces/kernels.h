// The workspace of kernels: kernel regression of points that are dragged, beside attention.
#pragma once

#include <optional>
#include <vector>

#include "app/frame.h"
#include "app/widgets/fields.h"

namespace attn {

namespace inspector {
struct Flow;
}

void draw_kernels_controls(Frame& frame, Column column);
void draw_kernels(Frame& frame, Rect canvas);
// The estimate at the query as arithmetic, the layer that does the same, and what to check.
void inspect_kernels(Frame& frame, inspector::Flow& flow);
// Space: the query goes on by itself.
void play_kernels(View& view, const Document& document, double seconds);
void kernel_commands(std::vector<Command>& table, const Application& application);
void take_kernel_points(Document& document, View& view, const Tensor& points);
// One number: the place of the query.
std::optional<Spot> look_at_query(Document& document, View& view, const Results& results,
                                  const std::vector<double>& at);

}  // namespace attn
