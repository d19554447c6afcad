// The inspector of the workspace of stacks: what is shown in words, a number of a norm or of the stream
// opened, where the row looks, and where that leads.
#include <algorithm>

#include "app/frame/desk.h"
#include "app/inspector/inspector_model.h"
#include "app/inspector/inspector_numbers.h"
#include "app/workspaces/stack/inspect_parts.h"
#include "app/workspaces/stack/row.h"
#include "core/document/stack_edit.h"
#include "core/graph/rounding.h"
#include "core/transformer/made.h"

namespace attn {
namespace {

using namespace inspector;

constexpr const char* kOpenNumber = "stack.open_number";
constexpr const char* kOpenBox = "stack.open";  // in the Pipeline

std::string inspect_counted(std::size_t count, const std::string& one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

std::string inspect_side_words(const StackScene& scene, bool decoder) {
  const SideStages& side = *scene.places().side(decoder);
  return (decoder ? "a decoder of " : "an encoder of ") + inspect_counted(side.blocks.size(), "layer") +
         " over " + inspect_counted(scene.stage(side.input).shape.rows, "token");
}

// "an encoder of 4 layers over 11 tokens and a decoder of 4 layers over 10 tokens, 32 features wide, …".
std::string inspect_built_words(const StackScene& scene) {
  const StackSpec& stack = scene.spec();
  std::string words;
  for (const bool decoder : {false, true})
    if (scene.places().side(decoder))
      words += (words.empty() ? "" : " and ") + inspect_side_words(scene, decoder);
  words += ", " + inspect_counted(width_of(stack), "feature") + " wide, " +
           inspect_counted(sizes_of(stack).heads, "head");
  const std::string kind(stack_field::norm_kind.titles()[stack_field::norm_kind.index_of(stack.norm_kind)]);
  if (stack.norm_at == NormAt::none)
    words += ", no norm";
  else
    words += ", " + kind + (stack.norm_at == NormAt::before ? " before" : " after") + " every box";
  words += stack.residual ? ", with residuals" : ", no residual";
  words.front() = static_cast<char>(std::toupper(words.front()));
  return words + ".";
}

std::string two_digits(double value) {
  return write(value, digits_for({value}, 2));
}

// What the shown layer does to the stream.
void draw_layer_facts(Flow& flow, const StackScene& scene) {
  const StackMemo& memo = scene.memo;
  const LayerMeasures& now = memo.layers[scene.layer];
  const double before = scene.layer == 0 ? memo.norm_in : memo.layers[scene.layer - 1].norm;
  const Theme& theme = flow.theme();
  const std::string of_layer =
      (scene.decoder() ? "Decoder, layer " : "Encoder, layer ") + std::to_string(scene.layer);
  add_heading(flow, of_layer.c_str());
  const auto& boxes = scene.side().blocks[scene.layer].boxes;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const std::string box(stack_view_field::box.titles()[stack_view_field::box.index_of(boxes[i].box)]);
    const auto& share = memo.added[scene.layer][i];
    add_fact(flow, box + " adds", share ? two_digits(*share) + " of the stream" : std::string("nothing: off"),
             theme.text);
  }
  add_fact(flow, "length of the stream", two_digits(now.norm), theme.text);
  if (before > 0) add_fact(flow, "grown by", "× " + two_digits(now.norm / before), theme.text);
  add_fact(flow, "likeness of tokens", now.alike ? two_digits(*now.alike) : std::string("–"), theme.text);
  add_fact(flow, "rank residual", now.rank_residual ? two_digits(*now.rank_residual) : std::string("–"),
           theme.text);
}

// The row of scores that a number of attention is of: its own, or the one that its weights were made of.
std::optional<Spot> inspected_scores(const Frame& frame) {
  if (!has_numbers(frame.engine.results)) return std::nullopt;
  const Results& results = *frame.results;
  const auto& spot = frame.view.inspected;
  const auto stage = spot ? results.graph.find(spot->stage) : std::nullopt;
  const bool of_row = stage && results.graph.stages[*stage].columns.along == Axis::keys;
  const auto row = of_row ? attention_of(results, *spot, frame.view.layer.head) : std::nullopt;
  if (!row || !row->query) return std::nullopt;
  for (const bool decoder : {false, true})
    if (const SideStages* side = results.places.as<StackStages>()->side(decoder))
      for (const BlockStages& block : side->blocks)
        for (const BoxStages& box : block.boxes)
          if (box.layer && box.layer->weights == row->weights && results.outputs[box.layer->weighed].here())
            return Spot{results.graph.stages[box.layer->weighed].id, {row->head, *row->query, 0}};
  return std::nullopt;
}

// The layer's row there is A's: one of the stack is taken as a row of one's own.
void open_scores(Frame& frame, const Workspace& rows, const Spot& row) {
  const Results& results = *frame.results;
  const StageIndex index = *results.graph.find(row.stage);
  const Tensor& scores = results.outputs[index].whole();
  const std::size_t keys = scores.columns(), first = (row.cell.head * scores.rows() + row.cell.row) * keys;
  Labels labels;
  for (std::size_t key = 0; key < keys; ++key)
    labels.push_back(label(results.graph.stages[index].columns, key));
  rows.take_scores(frame.draft, scores.values().subspan(first, keys), std::move(labels));
  frame.asks.emplace_back(ShowWorkspace{&rows});
}

void draw_shown_words(Flow& flow, const StackScene& scene) {
  ImGui::PushFont(flow.theme().fonts.bold);
  put(flow, add_line(flow), "Stack", flow.theme().text);
  ImGui::PopFont();
  add_text(flow, inspect_built_words(scene), flow.theme().dim);
  draw_layer_facts(flow, scene);
  const auto found = std::ranges::find(flow.frame.table, kOpenNumber, &Command::name);
  if (found == flow.frame.table.end()) return;
  flow.y += flow.px(4);
  if (add_chips(flow, "open number", {"open a number"},
                found->title + " (" + to_string(found->shortcut) + ")"))
    flow.frame.commands.push_back(kOpenNumber);
}

}  // namespace

void inspect_stack(Frame& frame, Flow& flow) {
  const auto scene = stack_scene(frame);
  if (!scene) return;
  const Results& results = *frame.results;
  ImGui::PushID("stack");
  const auto& spot = frame.view.inspected;
  const auto stage = spot && exists(results, *spot) ? results.graph.find(spot->stage) : std::nullopt;
  const auto place = stage ? stack_place(results, *stage) : std::nullopt;
  if (!stage) draw_shown_words(flow, *scene);
  if (place) draw_head_legs(flow, results, *stage, spot->cell, scene->head);
  // The row of the opened number, in its layer; else of what is looked at.
  const SideStages& side = place ? *scene->places().side(place->decoder) : scene->side();
  const BlockStages& block = side.blocks[place ? place->block : scene->layer];
  const bool other_side = place && place->decoder != scene->decoder();
  const BoxStages* box = block.find(other_side ? StackBox::attention : scene->box());
  // Of a number of attention the panel shows the row by itself.
  const bool told = stage && !place && attention_of(results, *spot, frame.view.layer.head);
  if (box && box->layer && !told) {
    const std::size_t heads = scene->stage(box->layer->weights).shape.stack;
    draw_row_keys(flow, results, box->layer->weights, std::min(scene->head, heads - 1),
                  place ? spot->cell.row : scene->row);
  }
  ImGui::PopID();
}

bool open_stack_number(Frame& frame, Flow& flow, const Spot& spot) {
  const auto scene = stack_scene(frame);
  if (!scene) return false;
  const Results& results = *frame.results;
  const StageIndex stage = *results.graph.find(spot.stage);
  const auto place = stack_place(results, stage);
  if (!place || is_typed(results.graph.stages[stage].operation, spot.cell)) return false;
  const auto& inputs = results.graph.stages[computing(results.graph, stage)].inputs;
  const StageIndex read = inputs.empty() ? stage : inputs.front();
  if (!results.outputs[stage].here() || !results.outputs[read].here()) return false;
  ImGui::PushID("stack number");
  if (place->what == StackPlace::norm)
    draw_norm_number(flow, results, {scene->spec().norm_kind, scene->spec().epsilon}, stage, spot.cell);
  else
    add_text(flow, results.graph.stages[stage].formula, flow.theme().text);
  draw_writes(flow, results, *place, spot.cell);
  ImGui::PopID();
  return true;
}

void lead_on_stack(Frame& frame, Flow& flow) {
  const auto found = std::ranges::find(frame.table, kOpenBox, &Command::name);
  const auto takes = std::ranges::find_if(frame.workspaces, [](const Workspace& w) { return w.take_scores; });
  const auto row = takes == frame.workspaces.end() ? std::nullopt : inspected_scores(frame);
  std::vector<std::string> labels;
  if (row) labels.push_back("row in " + std::string(takes->title));
  if (found != frame.table.end()) labels.push_back("box in Pipeline");
  if (!labels.empty()) {
    add_heading(flow, "Open");
    const auto pressed =
        add_chips(flow, "open", labels,
                  row ? "The row's scores become the row there, one step of undo; or the lit box "
                        "opens as the Pipeline shows a layer."
                      : found->title);
    if (pressed && (*pressed > 0 || !row)) frame.commands.push_back(kOpenBox);
    if (pressed && *pressed == 0 && row) open_scores(frame, *takes, *row);
  }
  inspect_gradient_by_depth(frame, flow);
}

}  // namespace attn
