// The matrix grid: numbers in coloured cells, read and edited in place.
#pragma once

#include <optional>
#include <string>

#include "app/cells/grid_edits.h"
#include "app/frame/frame.h"
#include "app/widgets/words.h"

namespace attn {

struct Grid {
  std::string stage;        // id: what a Spot on it names
  std::string title;        // "scores"
  Subtitle subtitle;        // "QKᵀ · 5×5"
  Role role = Role::plain;  // of the stage
  Role hue = Role::plain;   // of the title
  StageResult values;       // of a large stage those of some rows; not kept: not computed yet
  Shape shape;              // theirs, or the stage's
  Summary summary;          // theirs
  StageResult mask;      // nonzero cells are hatched; not kept: none. Fewer matrices than heads are shared.
  std::size_t head = 0;  // which matrix is shown
  // Weight on keys that the mask hides, in this head, else where there is most: its number is told where no
  // cell can. None: there is none, or the checks are not known yet.
  std::optional<MaskedWeight> leak = {};
  ColourMap map;
  bool own_range = false;     // of other heads the map reaches as far as their own numbers
  bool offers_range = false;  // nearly black: other ranges are offered next to the colour bar
  Axis rows, columns;
  bool row_labels = true, column_labels = true;
  bool compact = false;                     // little room: a title, and of weights a colour bar
  bool close = false;                       // the title stands right above the cells: no columns are labelled
  bool numbers = true;                      // in cells that have room for them
  bool fills = false;                       // a double-click lets it alone fill the canvas
  ImVec2 position;                          // top left of the title, in pixels
  float cell_width = 38, cell_height = 28;  // at scale 1 and zoom 1
  float zoom = 1;                           // of the canvas it stands on
  bool input = false;                       // numbers belong to the document; else typing makes an override
  GridEdits edits;
  float title_until = 0;  // pixel that the title may reach; 0: as far as the matrix does
  bool titled = true;     // else whoever shows it says what it is
  // A column of a comparison. No number but 0 reads as 0, and what is masked carries its number; in the
  // difference of two, where both mask, a dash.
  enum ComparedAs { alone, layer, difference } compared = alone;
  int decimals = 0;   // at most so many, two at least, in letters as large as they can be; 0: as many as fit
  float opacity = 1;  // later stages are dimmed while stepping

  // There is something to draw: numbers, or a picture of what is not kept.
  bool drawn() const { return values.kept() != Kept::not_kept || summary.pools; }
};

// The whole extent in pixels: title, column labels, row labels, cells.
ImVec2 grid_size(const Grid& grid, const Frame& frame);
// Where one cell lies: links, arcs and tests ask.
Rect cell_rect(const Grid& grid, const Frame& frame, std::size_t row, std::size_t column);

// Draws the grid and lets the mouse and keys at it: hover, pin, scrub, select, type, paste, token labels.
void draw_grid(Frame& frame, const Grid& grid);

// The numbers of the head that is shown, with the labels of its rows and columns. All of them are here.
NumbersWriter numbers_of(const Grid& grid);

// Gives the grid the map that its stage's numbers are shown with: shares and masks 0 … 1 in viridis, weights
// as far as the settings say, others symmetric around 0 over all heads, or the range the view has locked.
void set_colour_map(const Frame& frame, const Stage& stage, Grid& grid);
// The map of another head of the same stage.
ColourMap map_of_head(const Grid& grid, std::size_t head);

}  // namespace attn
