// Where a check's stages, its diagnosis and its picture lie: rows are strips until there is room for numbers.
#include "app/workspaces/compare/check_rows.h"

#include <algorithm>
#include <cmath>

#include "app/cells/cell_layout.h"
#include "app/frame/present_view.h"
#include "app/frame/visible_stages.h"
#include "app/theme/toolkit.h"

namespace attn {
namespace {

// Points.
constexpr float kStrip = 40, kBelowRow = 8,
                kAroundCells = 38;  // a strip, below a row, names and legend of cells
constexpr float kLargestChecked = 30, kCellInSight = 21, kLeastChecked = 16, kWideCell = 44;
constexpr float kPicture = 158, kHighestPicture = 240, kHighestStrip = 72;  // where there is room
constexpr float kRoomBeside = 760, kLeastDiagnosis = 640;
constexpr float kStages = 0.665f;  // of the width
constexpr float kMargin = 16, kWidestName = 92, kColumnGap = 12;
constexpr float kMostOfCanvas = 0.5f;  // that a large matrix is high

bool was_asked(const CheckRow& row, const Frame& frame, bool open) {
  const auto& asked = frame.view.of<CompareView>().open;
  const auto found = asked.find(frame.graph.stages[row.ours()].id);
  return found != asked.end() && found->second == open;
}

class CheckRows {
 public:
  CheckRows(Frame& frame, ImVec2 canvas, bool picture) : frame_(frame), theme_(frame.theme), canvas_(canvas) {
    layout_.beside = canvas.x >= theme_.px(kRoomBeside);
    const float stages = layout_.beside ? canvas.x * kStages : canvas.x;
    layout_.left = theme_.px(kMargin) + names_width();
    layout_.right = stages - theme_.px(kMargin);
    layout_.heads = theme_.px(kCheckHeads + (layout_.beside ? 0 : kVerdictLine));
    picture_ = picture ? theme_.px(kPicture) : 0;
    const auto& stages_of = *checked_stages(frame);
    const auto verdicts = check_verdicts(frame);
    const auto first = first_of(verdicts);
    const auto* mistaken = mistaken_stages(frame);
    for (std::size_t i = 0; i < stages_of.size(); ++i)
      if (on_screen(frame.graph.stages[*stages_of[i].compared.a], frame.view))
        layout_.rows.push_back({.place = i,
                                .stage = mistaken ? &(*mistaken)[i] : &stages_of[i],
                                .verdict = mistaken ? (*mistaken)[i].verdict : verdicts[i],
                                .with_mistakes = mistaken != nullptr,
                                .first = first == i});
    keep_presented();
  }

  CheckLayout lay_out() {
    for (CheckRow& row : layout_.rows)
      row.large = (row.first || presents(frame_.view) || was_asked(row, frame_, true)) &&
                  row.stage->compared.difference && !was_asked(row, frame_, false);
    open_what_fits();
    float cell = kLargestChecked;
    while (cell > kLeastChecked && height(cell) > room()) cell -= 1;
    if (height(cell) > room()) cell = kCellInSight;
    take_spare_room(room() - height(cell));
    place(cell * frame_.canvas().zoom);
    return std::move(layout_);
  }

 private:
  float room() const { return canvas_.y - picture_; }

  // While the window presents: the stage of the step.
  void keep_presented() {
    const StepChip* step = presents(frame_.view) ? frame_.step() : nullptr;
    const auto is_other = [&](const CheckRow& row) {
      return std::ranges::none_of(step->stages, [&](StageIndex stage) { return row.has(stage); });
    };
    if (step && !std::ranges::all_of(layout_.rows, is_other)) std::erase_if(layout_.rows, is_other);
  }

  // The picture grows first, then strips.
  void take_spare_room(float spare) {
    const float grown =
        picture_ > 0 ? std::clamp(theme_.px(kHighestPicture) - picture_, 0.0f, std::max(0.0f, spare)) : 0;
    picture_ += grown;
    const auto strips = std::ranges::count(layout_.rows, false, &CheckRow::large);
    if (spare > grown && strips > 0)
      strip_ = std::min(kHighestStrip, kStrip + (spare - grown) / theme_.px(1) / static_cast<float>(strips));
  }

  // Of the rows' names, left of the matrices.
  float names_width() const {
    float widest = theme_.px(10);
    for (const Stage& stage : frame_.graph.stages)
      if (stage.rows.labels && stage.rows.along == Axis::queries)
        for (const std::string& name : *stage.rows.labels)
          if (widest < theme_.px(kWidestName)) widest = std::max(widest, text_width(theme_.fonts.body, name));
    return std::min(widest, theme_.px(kWidestName)) + theme_.px(kLabelGap);
  }

  // As wide as its column lets it be; of many rows as high as there is room.
  ImVec2 cell_of(const CheckRow& row, float most) const {
    const Shape& shape = frame_.graph.stages[row.ours()].shape;
    const Rect column = check_column(theme_, {{layout_.left, 0}, {layout_.right, 1}}, 1);
    const float width =
        column.width() / theme_.px(1) / static_cast<float>(std::max<std::size_t>(1, shape.columns));
    const float high =
        canvas_.y / theme_.px(1) * kMostOfCanvas / static_cast<float>(std::max<std::size_t>(1, shape.rows));
    const bool many = shape.rows > kMostCells;
    return {std::min(width, kWideCell * frame_.canvas().zoom), std::min({most, high, many ? width : most})};
  }

  float height_of(const CheckRow& row, float cell) const {
    const float rows = static_cast<float>(frame_.graph.stages[row.ours()].shape.rows);
    const float body = row.large ? kAroundCells + cell_of(row, cell).y * rows : strip_;
    return theme_.px(kCheckTitle + body + kBelowRow + (row.first ? 2 * kCheckFrame : 0));
  }

  float height(float cell) const {
    float sum = layout_.heads;
    for (const CheckRow& row : layout_.rows) sum += height_of(row, cell);
    return sum;
  }

  // Weights first, then what follows the first difference, then the rest.
  void open_what_fits() {
    const auto rank = [&](const CheckRow& row) {
      const Stage& stage = frame_.graph.stages[row.ours()];
      return stage.role == Role::weights ? 0 : stage.role == Role::score && !row.verdict.equal ? 1 : 2;
    };
    for (int wanted = 0; wanted < 2; ++wanted)
      for (CheckRow& row : layout_.rows) {
        if (row.large || rank(row) != wanted || was_asked(row, frame_, false)) continue;
        if (!row.stage->compared.difference || !row.verdict.compared) continue;
        if (wanted == 1 && row.verdict.same_masked && frame_.graph.stages[row.ours()].mask) continue;
        row.large = true;
        if (height(kLeastChecked) > room()) row.large = false;
      }
  }

  void place(float cell) {
    float y = layout_.heads;
    for (CheckRow& row : layout_.rows) {
      row.cell = cell_of(row, cell);
      const float high = height_of(row, cell);
      row.area = {{layout_.left, y}, {layout_.right, y + high - theme_.px(kBelowRow)}};
      y += high;
    }
    const float bottom = std::max(y, room());
    layout_.picture = {{theme_.px(kMargin), bottom}, {layout_.right, bottom + picture_}};
    y += picture_;
    const float margin = theme_.px(kMargin);
    if (layout_.beside)
      layout_.diagnosis = {{layout_.right + 2 * margin, theme_.px(8)},
                           {canvas_.x - margin, canvas_.y - theme_.px(8)}};
    else
      layout_.diagnosis = {{margin, y + margin},
                           {canvas_.x - margin, y + margin + theme_.px(kLeastDiagnosis)}};
    const float bottom_of_all = layout_.beside ? y : layout_.diagnosis.max.y + theme_.px(8);
    layout_.content = {canvas_.x, std::max(canvas_.y, bottom_of_all)};
  }

  Frame& frame_;
  const Theme& theme_;
  ImVec2 canvas_;
  float picture_ = 0, strip_ = kStrip;  // pixels; points
  CheckLayout layout_ = {};
};

}  // namespace

CheckLayout check_layout(Frame& frame, ImVec2 canvas, bool picture) {
  return CheckRows(frame, canvas, picture).lay_out();
}

Rect check_column(const Theme& theme, Rect row, std::size_t column) {
  const float gap = theme.px(kColumnGap), width = (row.width() - 2 * gap) / kColumns;
  const float left = row.min.x + static_cast<float>(column) * (width + gap);
  return {{left, row.min.y}, {left + width, row.max.y}};
}

}  // namespace attn
