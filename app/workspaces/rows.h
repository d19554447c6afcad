// What the rows of the table are made of (workspaces.cpp): of each workspace its controls, its canvas, its
// part of the inspector, its commands, and what it does of its own. The Pipeline's are those of a layer
// (layer_controls.h), and those of the workspace that compares have a header of their own.
#pragma once

#include <optional>
#include <vector>

#include "app/frame.h"
#include "app/widgets/fields.h"

namespace attn {

namespace inspector {
struct Flow;
}

// The workspace of heads: all of a layer's maps beside each other, named, ordered and compared, and what each
// head does to the output.
void draw_heads_controls(Frame& frame, Column column);
void draw_heads(Frame& frame, Rect canvas);
// The head shown large: its name with the numbers behind it, what the output is without it, whom it is like.
void inspect_heads(Frame& frame, inspector::Flow& flow);
void heads_commands(std::vector<Command>& table, const Application& application);
// Two numbers: a head and a query.
std::optional<Spot> look_at_head(Document& document, View& view, const Results& results,
                                 const std::vector<double>& at);

// The workspace of positions: encodings side by side, and the same content under each.
void draw_positions_controls(Frame& frame, Column column);
void draw_positions(Frame& frame, Rect canvas);
// Shift, row and checks behind the number's arithmetic.
void inspect_positions(Frame& frame, inspector::Flow& flow);
// Space: the position goes on by itself.
void play_positions(View& view, const Document& document, double seconds);
void position_commands(std::vector<Command>& table, const Application& application);
// A row and a column of the encoding: its position and a dimension that is drawn from now on.
std::optional<Spot> look_at_position(Document& document, View& view, const Results& results,
                                     const std::vector<double>& at);

// The workspace of kernels: kernel regression of points that are dragged, beside attention.
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

// The workspace of the softmax: one row of scores that is dragged, on its way to weights, and why the scores
// are divided by √d_k.
void draw_softmax_controls(Frame& frame, Column column);
void draw_softmax(Frame& frame, Rect canvas);
// The row as arithmetic, how saturated it is, what it is in fewer bits, and rows that books print.
void inspect_softmax(Frame& frame, inspector::Flow& flow);
// Space: the weights at one temperature after the other.
void play_softmax(View& view, const Document& document, double seconds);
void softmax_commands(std::vector<Command>& table, const Application& application);
// Two numbers: the head and the query of the layer's row.
std::optional<Spot> look_at_layer_row(Document& document, View& view, const Results& results,
                                      const std::vector<double>& at);

// The workspace of costs: what a layer takes, counted exactly, drawn over n, and measured on this device.
void draw_cost_controls(Frame& frame, Column column);
void draw_cost(Frame& frame, Rect canvas);
// Its steps have no stages: chips that lead to a part of the canvas.
std::vector<StepChip> cost_steps(const Graph& graph, const View& view);
// The chosen number's arithmetic, where curves cross, how far memory reaches, the model.
void inspect_cost(Frame& frame, inspector::Flow& flow);
void cost_commands(std::vector<Command>& table, const Application& application);
// One number: the tokens that tables and markers stand at.
std::optional<Spot> look_at_tokens(Document& document, View& view, const Results& results,
                                   const std::vector<double>& at);

}  // namespace attn
