// Block below block. What is out of sight is measured, and its links stay stops of Tab.
#include "app/manual/page.h"

#include <algorithm>
#include <numeric>

#include "app/manual/span_layout.h"
#include "app/theme/toolkit.h"
#include "app/widgets/press.h"
#include "app/widgets/words.h"

namespace attn {
namespace {

// Points.
constexpr float kBlockGap = 10, kItemGap = 6, kHeadingGap = 8, kMarkWidth = 24, kCellGap = 16, kRowGap = 5,
                kCodePad = 10;

// A page while it is drawn.
struct Sheet {
  Frame& frame;
  ImDrawList& list;
  float left, width, y;
  int links = 0, codes = 0;
  std::string pressed = {};

  const Theme& theme() const { return frame.theme; }
  float px(float points) const { return theme().px(points); }
};

void follow(Sheet& sheet, const std::string& link) {
  if (manual_page(link)) {
    sheet.pressed = link;
    return;
  }
  ImGui::SetClipboardText(link.c_str());
  sheet.frame.view.say("copied: " + link);
}

void draw_piece(Sheet& sheet, const TextPiece& piece, ImVec2 corner, ImU32 colour) {
  const Theme& theme = sheet.theme();
  const ImFont* font = font_of(theme.fonts, *piece.span);
  const ImVec2 at{corner.x + piece.at.x, corner.y + piece.at.y};
  const Rect box{at, {at.x + piece.width, at.y + font_size(font)}};
  const std::string& link = piece.span->link;
  if (!link.empty()) {
    const std::string id = "link" + std::to_string(sheet.links++);
    const std::string tooltip = manual_page(link) ? "" : "copies " + link;
    if (press_area(theme, id.c_str(), box, tooltip)) follow(sheet, link);
    colour = theme.accent;
    sheet.list.AddLine({box.min.x, box.max.y}, box.max, with_alpha(colour, 0.5f));
  }
  if (!ImGui::IsRectVisible(box.min, box.max)) return;
  if (piece.span->code)
    sheet.list.AddRectFilled({box.min.x - sheet.px(2), box.min.y - sheet.px(1)},
                             {box.max.x + sheet.px(2), box.max.y + sheet.px(1)}, theme.chip, sheet.px(3));
  draw_as_is(sheet.list, font, at, colour, piece.text);
}

// Returns how high they are.
float draw_spans(Sheet& sheet, const Spans& spans, ImVec2 at, float width, ImU32 colour) {
  const SpanLayout layout = lay_out(sheet.theme(), spans, width);
  for (const TextPiece& piece : layout.pieces) draw_piece(sheet, piece, at, colour);
  return layout.height;
}

void draw_heading(Sheet& sheet, const MarkdownBlock& block) {
  const Theme& theme = sheet.theme();
  const ImFont* font = block.level == 1 ? theme.fonts.large : theme.fonts.bold;
  draw_text(sheet.list, font, {sheet.left, sheet.y}, theme.text,
            elided(font, plain_text(block), sheet.width));
  sheet.y += font_size(font) + sheet.px(kHeadingGap);
}

void draw_item(Sheet& sheet, const MarkdownBlock& block) {
  const Theme& theme = sheet.theme();
  const float indent = sheet.px(kMarkWidth), gap = sheet.px(kWordGap);
  const float mark = text_width(theme.fonts.body, block.mark);
  draw_text(sheet.list, theme.fonts.body, {sheet.left + indent - gap - mark, sheet.y}, theme.dim, block.mark);
  sheet.y +=
      draw_spans(sheet, block.spans, {sheet.left + indent, sheet.y}, sheet.width - indent, theme.text) +
      sheet.px(kItemGap);
}

void draw_code(Sheet& sheet, const MarkdownBlock& block) {
  const float pad = sheet.px(kCodePad);
  Spans plain = block.spans;  // on a ground of its own
  plain.front().code = false;
  const float height = lay_out(sheet.theme(), plain, sheet.width - 2 * pad).height + 2 * pad;
  const Rect box{{sheet.left, sheet.y}, {sheet.left + sheet.width, sheet.y + height}};
  sheet.list.AddRectFilled(box.min, box.max, sheet.theme().chip, sheet.px(4));
  const std::string id = "code" + std::to_string(sheet.codes++);
  if (press_area(sheet.theme(), id.c_str(), box, "copies these lines")) {
    ImGui::SetClipboardText(plain_text(block).c_str());
    sheet.frame.view.say("copied these lines");
  }
  draw_spans(sheet, plain, {sheet.left + pad, sheet.y + pad}, sheet.width - 2 * pad, sheet.theme().text);
  sheet.y += height + sheet.px(kBlockGap);
}

// As wide as what stands in them; where that is too much, none but the narrow ones is.
std::vector<float> column_widths(const Sheet& sheet, const MarkdownBlock& table) {
  std::vector<float> widths(table.rows.front().size());
  for (const std::vector<Spans>& row : table.rows)
    for (std::size_t i = 0; i < std::min(row.size(), widths.size()); ++i)
      widths[i] = std::max(widths[i], lay_out(sheet.theme(), row[i], 1e6f).width);
  const float gaps = sheet.px(kCellGap) * static_cast<float>(widths.size() - 1);
  float room = sheet.width - gaps;
  if (std::accumulate(widths.begin(), widths.end(), 0.0f) <= room) return widths;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    widths[i] = std::min(widths[i], i + 1 == widths.size() ? room : 0.36f * room);
    room -= widths[i];
  }
  return widths;
}

void draw_table(Sheet& sheet, const MarkdownBlock& table) {
  const Theme& theme = sheet.theme();
  const std::vector<float> widths = column_widths(sheet, table);
  for (const std::vector<Spans>& row : table.rows) {
    const bool names = &row == &table.rows.front();
    float x = sheet.left, height = 0;
    for (std::size_t i = 0; i < std::min(row.size(), widths.size()); ++i) {
      height = std::max(height,
                        draw_spans(sheet, row[i], {x, sheet.y}, widths[i], names ? theme.dim : theme.text));
      x += widths[i] + sheet.px(kCellGap);
    }
    sheet.y += height + sheet.px(kRowGap) / 2;
    sheet.list.AddLine({sheet.left, sheet.y}, {sheet.left + sheet.width, sheet.y},
                       with_alpha(theme.border, names ? 1.0f : 0.5f));
    sheet.y += sheet.px(kRowGap);
  }
  sheet.y += sheet.px(kBlockGap);
}

void draw_block(Sheet& sheet, const MarkdownBlock& block) {
  const Theme& theme = sheet.theme();
  switch (block.kind) {
    case MarkdownBlock::heading:
      return draw_heading(sheet, block);
    case MarkdownBlock::item:
      return draw_item(sheet, block);
    case MarkdownBlock::code:
      return draw_code(sheet, block);
    case MarkdownBlock::table:
      return draw_table(sheet, block);
    case MarkdownBlock::paragraph:
    case MarkdownBlock::picture: {
      const ImU32 colour = block.kind == MarkdownBlock::picture ? theme.dim : theme.text;
      sheet.y +=
          draw_spans(sheet, block.spans, {sheet.left, sheet.y}, sheet.width, colour) + sheet.px(kBlockGap);
    }
  }
}

}  // namespace

std::string draw_page(Frame& frame, const ManualPage& page, float width) {
  const ManualView& manual = frame.view.overlays.manual;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float mark = frame.theme.px(kWordGap);  // room for it
  Sheet sheet{frame, *ImGui::GetWindowDrawList(), at.x + mark, width - mark, at.y};
  for (std::size_t i = 0; i < page.blocks.size(); ++i) {
    const float top = sheet.y;
    const bool marked = manual.block == i && i > 0;
    if (manual.moved && marked)
      ImGui::SetScrollFromPosY(top - ImGui::GetWindowPos().y - frame.theme.px(kBlockGap), 0);
    draw_block(sheet, page.blocks[i]);
    if (marked)
      sheet.list.AddRectFilled({at.x, top}, {at.x + frame.theme.px(3), sheet.y - frame.theme.px(kItemGap)},
                               frame.theme.accent);
  }
  ImGui::SetCursorScreenPos({at.x, sheet.y});
  ImGui::Dummy({width, 0});
  return sheet.pressed;
}

}  // namespace attn
