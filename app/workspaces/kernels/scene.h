// What the parts of the workspace of kernels share: the points, the query that is looked at, the stages that
// it is read from, and where each part lies. Private to app/workspaces/kernels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/canvas/fitted_grid.h"
#include "app/canvas/shelf.h"
#include "app/fields/slider.h"
#include "app/inspector/inspector_numbers.h"
#include "app/plot/plot.h"
#include "app/workspaces/kernels/view.h"
#include "core/kernels/graph.h"
#include "core/kernels/row.h"

namespace attn {

// Where the parts lie, from the content's top left corner.
struct KernelsAreas {
  Rect estimate, kernels, left_out, weights, layer, table;
  ImVec2 content{};
};

// The width, or the number of neighbours, whose leave-one-out error is the least.
struct BestWidth {
  double width = 0, error = 0;
};

// What is the same until the results or the query change.
struct KernelsMemo {
  std::vector<double> candidates = {};    // of the errors: widths, or numbers of neighbours
  std::vector<KernelsPiece> pieces = {};  // of the rest of the results
  std::size_t pieces_taken = 0;           // that the following hold
  std::vector<std::vector<std::pair<double, float>>> errors = {};  // of each curve by candidate: those known
  std::vector<std::optional<BestWidth>> best = {};                 // of each curve
  // Of each curve: where its estimate is known, and its values: at more queries than its stage's in time.
  std::vector<Samples> curve_x = {};
  std::vector<Tensor> curve_y = {};
  std::vector<std::size_t> gaps = {};  // of each curve: queries with no point in reach
  Samples truth_x = {}, truth_y = {};
  TensorId seen = 0;  // the points and the value that the range is of
  std::size_t value = 0;
  PlotRange range = {};  // of points, curves and truth

  // Of the query and the shown curve.
  std::size_t query = 0, shown = 0;
  bool known = false;
  QueryRow row = {};
  std::vector<std::size_t> nearest = {};  // points by weight, the heaviest first: so many as are listed
  Samples shades = {};                    // in the order of the document's points
  double base = 0, height = 0;            // that these are drawn from, in units of y
  Samples stems_x = {}, stems_y = {}, bump_x = {}, bump_y = {};

  std::size_t bytes() const {
    return bytes_of_all(candidates, pieces, errors, best, curve_x, curve_y, gaps, truth_x, truth_y,
                        row.kernels, row.shares, nearest, shades, stems_x, stems_y, bump_x, bump_y);
  }
};

// Of results: what is drawn belongs together, even while newer numbers are on their way.
struct KernelsScene {
  Frame& frame;
  const Results& results;
  const KernelsSpec& spec;
  KernelsMemo& memo;
  std::vector<KernelCurve> curves;  // empty: there are no points
  std::size_t query = 0, shown = 0, value = 0;

  KernelsView& view() const { return frame.view.of<KernelsView>(); }
  const KernelsPlaces& places() const { return *results.places.as<KernelsPlaces>(); }
  const Tensor& numbers(StageIndex stage) const { return results.outputs[stage].whole(); }
  const KernelStages& stages(std::size_t curve) const { return places().curves[curve]; }
  std::size_t queries() const { return numbers(places().queries).rows(); }
  double q() const { return static_cast<double>(numbers(places().queries).values()[query]); }
  // NaN where no point is in reach.
  double estimate(std::size_t curve) const;
  ImU32 colour(std::size_t curve) const { return series_colour(curve); }
  // "Gaussian", "σ 0.2".
  std::string title(std::size_t curve) const;
  std::size_t values() const;  // of each point
};
// None before the first results.
std::optional<KernelsScene> kernels_scene(Frame& frame);
KernelsAreas kernels_areas(const KernelsScene& scene, ImVec2 canvas);
// Of results and of what is known of their rest; the first complete.
KernelsMemo& kernels_memo(Memos& memos, const EngineState& shown);
// The query that is the nearest to the one looked at.
std::size_t looked_at_query(const Results& results, const KernelsView& view);
// The row of the query, worked out when it is another.
const QueryRow& row_of(KernelsScene& scene);

using inspector::four_digits;
// The points on screen: the document's as it is being edited, so that a dragged one stays under the pointer.
Tensor shown_points(const KernelsScene& scene);
// σ, or k where widths reach to neighbours, as if typed.
void set_width(KernelsSpec& spec, double width);
// "the best width": the shown curve's.
std::optional<BestWidth> best_width(const KernelsScene& scene);
// The layer of the document's points as the Pipeline's.
void open_in_pipeline(Document& document);

void draw_estimate(KernelsScene& scene, Rect area);
void draw_kernel_shapes(KernelsScene& scene, Rect area);
void draw_left_out(KernelsScene& scene, Rect area);
void draw_kernel_weights(KernelsScene& scene, Rect area);
void draw_same_layer(KernelsScene& scene, Rect area);
void draw_points_table(KernelsScene& scene, Rect area);

// Where the query's row of a weight map is pointed at or dragged over, the query follows.
void follow_rows(KernelsScene& scene, const std::string& stage);

}  // namespace attn
