// The weights of the pinned head at the step that is shown, and how far each matrix has moved: a click opens
// a number.
#include <algorithm>
#include <cmath>

#include "app/inspector/inspector_numbers.h"
#include "app/theme/contrast.h"
#include "app/theme/toolkit.h"
#include "app/widgets/press.h"
#include "app/widgets/tooltip.h"
#include "app/workspaces/training/scene.h"

namespace attn {
namespace {

constexpr std::array kMatrices{HeadMatrix::query, HeadMatrix::key, HeadMatrix::value};
constexpr std::array kWeightTitles{"W_Q", "W_K", "W_V"};
constexpr std::array kWeightRoles{Role::query, Role::key, Role::value};
constexpr float kWeightTitle = 20, kWeightFoot = 20, kMostWeightHeight = 120;

const MomentAttention& pinned_attention(const TrainingScene& scene) {
  return scene.seen->of->attentions[scene.attention()];
}

float largest_of(const Tensor& matrix) {
  float largest = 0;
  for (const float x : matrix.values()) largest = std::max(largest, std::abs(x));
  return largest;
}

Rect weight_cell(Rect box, const Tensor& matrix, std::size_t row, std::size_t column) {
  const float wide = box.width() / static_cast<float>(matrix.columns()),
              high = box.height() / static_cast<float>(matrix.rows());
  const ImVec2 min{box.min.x + wide * static_cast<float>(column), box.min.y + high * static_cast<float>(row)};
  return {min, {min.x + wide, min.y + high}};
}

void draw_weight_matrix(TrainingScene& scene, const HeadWeights& weights, std::size_t which, Rect area) {
  const Theme& theme = scene.theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Tensor& matrix = weights.matrices[which];
  const ImFont *bold = theme.fonts.bold, *small = theme.fonts.small;
  draw_text(list, bold, area.min, read_colour(theme, role_colour(theme, kWeightRoles[which]), theme.canvas),
            kWeightTitles[which]);
  const std::string shape = std::to_string(matrix.rows()) + "×" + std::to_string(matrix.columns());
  if (text_width(bold, kWeightTitles[which]) + text_width(small, shape) + theme.px(6) <= area.width())
    draw_text(list, small, {area.max.x - text_width(small, shape), area.min.y + theme.px(1)}, theme.dim,
              shape);
  const Rect box{{area.min.x, area.min.y + theme.px(kWeightTitle)},
                 {area.max.x, area.max.y - theme.px(kWeightFoot)}};
  draw_small_map(scene, matrix, 0, box, {MapKind::diverging, weights.ranges[which]});
  const std::string moved = "Δ " + inspector::write(weights.moved[which], {2});
  const std::string range = "±" + inspector::write(static_cast<double>(weights.ranges[which]), {2});
  draw_text(list, small, {area.min.x, box.max.y + theme.px(3)}, theme.text, moved);
  if (text_width(small, moved) + text_width(small, range) + theme.px(6) <= area.width())
    draw_text(list, small, {area.max.x - text_width(small, range), box.max.y + theme.px(3)}, theme.dim,
              range);
  TrainingView& view = scene.view();
  const bool opened = static_cast<std::size_t>(view.weights) == which;
  if (opened) {
    const Rect cell = weight_cell(box, matrix, std::min(view.weight_row, matrix.rows() - 1),
                                  std::min(view.weight_column, matrix.columns() - 1));
    list.AddRect({cell.min.x - 1, cell.min.y - 1}, {cell.max.x + 1, cell.max.y + 1}, theme.outline, 0, 0,
                 theme.px(1.5f));
  }
  const bool pressed = press_area(theme, kWeightTitles[which], box);
  if (!ImGui::IsItemHovered() && !pressed) return;
  const ImVec2 at = ImGui::GetIO().MousePos;
  const auto place = [](float share, std::size_t count) {
    return std::min(count - 1, static_cast<std::size_t>(std::max(0.0f, share) * static_cast<float>(count)));
  };
  const std::size_t row = place((at.y - box.min.y) / box.height(), matrix.rows()),
                    column = place((at.x - box.min.x) / box.width(), matrix.columns());
  if (ImGui::IsItemHovered())
    show_tooltip(std::string(kWeightTitles[which]) + "[" + std::to_string(row) + ", " +
                 std::to_string(column) +
                 "] = " + inspector::write(static_cast<double>(matrix[{0, row, column}]), {5}) +
                 "\nclick: how the optimiser moves it");
  if (!pressed) return;
  view.weights = static_cast<SeenWeights>(which);
  if (ImGui::IsItemHovered()) view.weight_row = row, view.weight_column = column;
}

}  // namespace

const HeadWeights* head_weights_of(const TrainingScene& scene) {
  if (!scene.now || !scene.seen || scene.seen->maps.empty() || scene.log().snapshots.empty()) return nullptr;
  HeadWeights& kept = scene.memo.weights;
  const std::string& attention = pinned_attention(scene).name;
  const std::size_t head = scene.head();
  if (kept.of == scene.now && kept.attention == attention && kept.head == head) return &kept;
  const TrainingModel& model = scene.run.spec->model;
  const auto parameters = parameters_of(model, scene.task());
  const auto& first = scene.log().snapshots.front()->state.parameters;
  kept = {.of = scene.now, .attention = attention, .head = head};
  for (std::size_t i = 0; i < kMatrices.size(); ++i) {
    const auto of = [&](const std::vector<Tensor>& numbers) {
      return head_weights(model, parameters, numbers, attention, head, kMatrices[i]);
    };
    kept.matrices[i] = of(scene.now->state.parameters);
    kept.moved[i] = moved(kept.matrices[i], of(first));
    kept.ranges[i] = largest_of(kept.matrices[i]);
  }
  return &kept;
}

std::optional<OpenedParameter> opened_parameter(const TrainingScene& scene) {
  const HeadWeights* weights = head_weights_of(scene);
  if (!weights) return std::nullopt;
  const TrainingView& view = scene.view();
  const auto which = static_cast<std::size_t>(view.weights);
  const Tensor& matrix = weights->matrices[which];
  const std::size_t row = std::min(view.weight_row, matrix.rows() - 1),
                    column = std::min(view.weight_column, matrix.columns() - 1);
  const TrainingModel& model = scene.run.spec->model;
  OpenedParameter opened;
  opened.cell = head_cell(model, parameters_of(model, scene.task()), weights->attention, weights->head,
                          kMatrices[which], row, column);
  opened.title = std::string(kWeightTitles[which]) + "[" + std::to_string(row) + ", " +
                 std::to_string(column) + "], " + head_name(scene, scene.attention(), scene.head());
  return opened;
}

void draw_training_weights(TrainingScene& scene, Rect area) {
  const Theme& theme = scene.theme();
  ImGui::PushID("training.weights");
  const HeadWeights* weights = head_weights_of(scene);
  Subtitle subtitle;
  if (weights)
    subtitle = {{head_name(scene, scene.attention(), scene.head()), true}, {"Δ: moved since step 0"}};
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, "weights", subtitle, area.width());
  if (weights) {
    Rect row{{area.min.x, area.min.y + theme.px(kTitleHeight)}, area.max};
    row.max.y = std::min(row.max.y, row.min.y + theme.px(kMostWeightHeight + kWeightTitle + kWeightFoot));
    for (std::size_t i = 0; i < 3; ++i)
      draw_weight_matrix(scene, *weights, i,
                         part_of(row, static_cast<float>(i) / 3, static_cast<float>(i + 1) / 3, theme.px(8)));
  }
  ImGui::PopID();
}

}  // namespace attn
