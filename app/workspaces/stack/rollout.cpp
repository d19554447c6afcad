// The last layer's attention, mean of its heads, beside what has come through all layers.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/cells/cell_layout.h"
#include "app/render/textures.h"
#include "app/theme/toolkit.h"
#include "app/widgets/focus.h"
#include "app/widgets/tooltip.h"
#include "app/workspaces/stack/rows_maps.h"

namespace attn {
namespace {

constexpr std::size_t kMeasuredNames = 32;
constexpr float kTokenNames = 30, kTokenGap = 5, kNameReach = 2, kOneLetter = 14, kColumnNames = 18,
                kMapWords = 22;
constexpr float kRangeBar = 34, kRangeBarHeight = 5;
constexpr int kRangeSteps = 22;

// What is the same until the weights of the last layer, or the rollout, are others.
struct LastMemo {
  TensorId weights = 0, rollout = 0;
  Tensor mean = {};
  double most = 0;  // of both maps
  std::size_t bytes() const { return mean.bytes(); }
};

Tensor mean_of_heads(const Tensor& weights) {
  const std::size_t cells = weights.rows() * weights.columns();
  std::vector<float> mean(cells);
  for (std::size_t i = 0; i < cells; ++i) {
    double sum = 0;
    for (std::size_t head = 0; head < weights.stack(); ++head)
      sum += static_cast<double>(weights.values()[head * cells + i]);
    mean[i] = static_cast<float>(sum / static_cast<double>(weights.stack()));
  }
  return {{1, weights.rows(), weights.columns()}, std::move(mean)};
}

// Of the side that is shown, to itself; none: `why` says.
std::optional<StageIndex> rollout_of(const StackScene& scene) {
  if (scene.rows == StackRows::cross) return std::nullopt;
  const StackStages& places = scene.places();
  return scene.decoder() && places.encoder ? places.decoder_rollout : places.rollout;
}

double most_of(const Tensor& numbers) {
  double most = 0;
  for (const float value : numbers.values()) most = std::max(most, static_cast<double>(value));
  return most;
}

const LastMemo& last_memo(const StackScene& scene) {
  const LayerStages* attention = scene.attention(scene.layers() - 1);
  const auto rollout = rollout_of(scene);
  const Tensor weights = attention ? scene.numbers(attention->weights) : Tensor();
  const Tensor product = rollout ? scene.numbers(*rollout) : Tensor();
  LastMemo& memo = scene.frame.memos.of<LastMemo>();
  if (memo.weights == weights.id() && memo.rollout == product.id()) return memo;
  memo = {.weights = weights.id(), .rollout = product.id()};
  if (!weights.empty()) memo.mean = mean_of_heads(weights);
  memo.most = std::max(most_of(memo.mean), most_of(product));
  return memo;
}

// Null: attention is off in the last layer.
const Tensor* last_mean(const StackScene& scene) {
  const LastMemo& memo = last_memo(scene);
  return memo.mean.empty() ? nullptr : &memo.mean;
}

// Both maps at one range.
ColourMap common_map(const StackScene& scene) {
  return weights_map(scene.frame.theme, last_memo(scene).most);
}

// A matrix of tokens and where it stands.
struct TokenMap {
  const Tensor& values;
  const Axis &rows, &columns;
  SmallMap map;
  const char* id;
  std::string about = {};  // behind the weight under the pointer
};

// Of the names along an axis, as far as they are written; of many, the first and the last: the longest
// indices.
float widest_name(const Theme& theme, const Axis& axis, std::size_t count) {
  float widest = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (i < kMeasuredNames || i + kMeasuredNames >= count)
      widest = std::max(widest, text_width(theme.fonts.small, axis_label(axis, i)));
  return std::min(widest, theme.px(kTokenNames));
}

// Under the title, with room for names at the left and below, and for a line of words.
SmallMap place_map(const Theme& theme, Rect area, const Axis& rows, const Shape& shape) {
  const float left = area.min.x + widest_name(theme, rows, shape.rows) + theme.px(kTokenGap),
              top = area.min.y + theme.px(kTitleHeight);
  const float side = std::min(area.max.x - left, area.max.y - top - theme.px(kColumnNames + kMapWords));
  return small_map(theme, {left, top}, std::max(side, theme.px(40)), shape);
}

// Every how manieth name has room.
std::size_t name_stride(float pitch, float needed) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(needed / std::max(pitch, 0.01f))));
}

void draw_row_names(const StackScene& scene, const TokenMap& token) {
  const Theme& theme = scene.frame.theme;
  const ImFont* font = theme.fonts.small;
  const float pitch = token.map.box.height() / static_cast<float>(token.map.rows);
  const std::size_t step = name_stride(pitch, font_size(font) * 0.85f);
  for (std::size_t i = 0; i < token.map.rows; ++i) {
    if (i % step != 0 && i != scene.row) continue;
    if (step > 1 && i != scene.row && (i > scene.row ? i - scene.row : scene.row - i) < step) continue;
    const Rect row = token.map.row(i);
    const std::string name = elided(font, axis_label(token.rows, i), theme.px(kTokenNames));
    draw_text(*ImGui::GetWindowDrawList(), font,
              {row.min.x - theme.px(kTokenGap) - text_width(font, name),
               (row.min.y + row.max.y - font_size(font)) / 2},
              i == scene.row ? theme.text : theme.dim, name);
  }
}

void draw_column_names(const StackScene& scene, const TokenMap& token) {
  const Theme& theme = scene.frame.theme;
  const ImFont* font = theme.fonts.small;
  const float pitch = token.map.box.width() / static_cast<float>(token.map.columns);
  const float widest = widest_name(theme, token.columns, token.map.columns);
  const float apart = widest > theme.px(kOneLetter) ? theme.px(kTokenGap) : 0;
  const std::size_t step = name_stride(pitch, widest + apart);
  for (std::size_t j = 0; j < token.map.columns; j += step) {
    const std::string name =
        elided(font, axis_label(token.columns, j), pitch * static_cast<float>(step) + theme.px(kNameReach));
    const float middle = token.map.box.min.x + pitch * (static_cast<float>(j) + 0.5f);
    const bool itself = token.columns.along == Axis::keys && scene.rows != StackRows::cross && j == scene.row;
    draw_text(*ImGui::GetWindowDrawList(), font,
              {middle - text_width(font, name) / 2, token.map.box.max.y + theme.px(2)},
              itself ? theme.text : theme.dim, name);
  }
}

// A click looks at the row under the pointer; the cell that was clicked.
std::optional<Cell> press_token_map(StackScene& scene, const TokenMap& token) {
  const Rect& box = token.map.box;
  const ImVec2 mouse = ImGui::GetMousePos();
  const Cell cell = token.map.at(mouse, 0);
  ImGui::SetCursorScreenPos(box.min);
  const bool clicked = ImGui::InvisibleButton(token.id, {box.width(), box.height()});
  draw_focus_ring(scene.frame.theme, scene.frame.theme.px(3));
  if (!ImGui::IsItemHovered()) return std::nullopt;
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (clicked) look_at_row(scene, cell.row);
  if (wants_tooltip())
    show_tooltip(quoted_token(token.rows, cell.row) + " → " + quoted_token(token.columns, cell.column) +
                 ": " + weight_text(static_cast<double>(token.values[cell])) + token.about +
                 "\nclick: this row everywhere");
  return clicked ? std::optional(cell) : std::nullopt;
}

std::optional<Cell> draw_token_map(StackScene& scene, const TokenMap& token) {
  const Theme& theme = scene.frame.theme;
  const Rect& box = token.map.box;
  scene.frame.textures.draw(*ImGui::GetWindowDrawList(), box.min, box.max,
                            {.values = token.values,
                             .mask = {},
                             .shape = token.values.shape(),
                             .map = common_map(scene),
                             .opacity = scene.frame.view.lags() ? kLagging : 1},
                            theme);
  const std::optional<Cell> clicked = press_token_map(scene, token);
  if (scene.row < token.map.rows) outline_row(theme, token.map.row(scene.row), kMapOutline, "");
  draw_row_names(scene, token);
  draw_column_names(scene, token);
  return clicked;
}

void draw_words_for(const Theme& theme, Rect area, const std::string& words) {
  const ImFont* font = theme.fonts.small;
  draw_text(*ImGui::GetWindowDrawList(), font, {area.min.x, area.min.y + theme.px(kTitleHeight + 2)},
            theme.dim, wrapped(font, words, area.width()));
}

// Below the map's names.
float words_top(const Theme& theme, const SmallMap& map) {
  return map.box.max.y + theme.px(kColumnNames + 2);
}

void draw_range_bar(const StackScene& scene, ImVec2 at, const ColourMap& map) {
  const Theme& theme = scene.frame.theme;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImFont* font = theme.fonts.small;
  const float width = std::round(theme.px(kRangeBar) / kRangeSteps * kRangeSteps);
  const float top = at.y + (font_size(font) - theme.px(kRangeBarHeight)) / 2;
  for (int i = 0; i < kRangeSteps; ++i) {
    const auto from = static_cast<float>(i) / kRangeSteps, to = static_cast<float>(i + 1) / kRangeSteps;
    list.AddRectFilled({at.x + width * from, top}, {at.x + width * to, top + theme.px(kRangeBarHeight)},
                       map_colour(theme, map, map.range * (from + to) / 2));
  }
  draw_text(list, font, {at.x + width + theme.px(kTableGap), at.y}, theme.dim, weights_range(map));
}

// "row “a”: itself 0.06 → 0.16": in the last layer, and through all of them.
std::string itself_words(const StackScene& scene, const Tensor& rollout, const Axis& rows) {
  const Cell self{0, scene.row, scene.row};
  const std::string row = "row ", itself = ": itself ";
  const Tensor* mean = last_mean(scene);
  const std::string last = mean ? weight_text(static_cast<double>((*mean)[self]), 2) + " → " : "";
  return row + quoted_token(rows, scene.row) + itself + last +
         weight_text(static_cast<double>(rollout[self]), 2);
}

}  // namespace

void draw_last_layer(StackScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, "last layer", {{"mean", true}},
             area.width());
  const Tensor* mean = last_mean(scene);
  if (!mean) return draw_words_for(theme, area, "Attention is off in the last layer.");
  const Stage& weights = scene.stage(scene.attention(scene.layers() - 1)->weights);
  const TokenMap token{.values = *mean,
                       .rows = weights.rows,
                       .columns = weights.columns,
                       .map = place_map(theme, area, weights.rows, mean->shape()),
                       .id = "last layer",
                       .about = "\nmean of " + std::to_string(weights.shape.stack) + " heads"};
  draw_token_map(scene, token);
  draw_range_bar(scene, {token.map.box.min.x, words_top(theme, token.map)}, common_map(scene));
}

std::string why_no_rollout(StackRows rows, std::size_t tokens) {
  if (rows == StackRows::cross)
    return "cross-attention mixes the tokens of two sides, and a rollout is of one alone: "
           "let the rows show the encoder or the decoder";
  if (tokens > kMostRolloutTokens)
    return "there are " + std::to_string(tokens) + " tokens, and it multiplies matrices of up to " +
           std::to_string(kMostRolloutTokens) + "×" + std::to_string(kMostRolloutTokens);
  return "attention is off in every layer";
}

void draw_rollout(StackScene& scene, Rect area) {
  const Theme& theme = scene.frame.theme;
  draw_title(*ImGui::GetWindowDrawList(), theme, area.min, theme.text, "rollout", {{"all layers", true}},
             area.width());
  const auto rollout = rollout_of(scene);
  if (!rollout) {
    std::string why = why_no_rollout(scene.rows, scene.stage(scene.side().input).shape.rows) + ".";
    why.front() = static_cast<char>(std::toupper(why.front()));
    return draw_words_for(theme, area, why);
  }
  const Stage& stage = scene.stage(*rollout);
  const Tensor& values = scene.numbers(*rollout);
  const TokenMap token{.values = values,
                       .rows = stage.rows,
                       .columns = stage.columns,
                       .map = place_map(theme, area, stage.rows, values.shape()),
                       .id = "rollout",
                       .about = "\nA_L ··· A₁, each ½ mean of heads + ½ I"};
  if (const auto clicked = draw_token_map(scene, token)) scene.frame.view.pinned = Spot{stage.id, *clicked};
  const ImFont* font = theme.fonts.small;
  const std::string words = itself_words(scene, values, stage.rows);
  draw_text(*ImGui::GetWindowDrawList(), font,
            {std::max(area.min.x - theme.px(kWideGap), token.map.box.max.x - text_width(font, words)),
             words_top(theme, token.map)},
            theme.dim, words);
}

}  // namespace attn
