// What the parts of the workspace of costs share: the counts behind curves and tables, the number that is
// opened, and where each part lies. Private to app/workspaces/cost.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/shelf.h"
#include "app/fields/fields.h"
#include "app/plot/plot.h"
#include "app/plot/short_numbers.h"
#include "app/workspaces/cost/view.h"
#include "core/cost/count.h"
#include "core/cost/crossovers.h"
#include "core/cost/plan.h"
#include "core/cost/presets.h"
#include "core/document/document.h"
#include "core/measure/measure_fit.h"
#include "core/measure/measure_graph.h"
#include "core/measure/measure_job.h"

namespace attn {

inline constexpr float kTableLine = 24;  // points: a row of the table

namespace inspector {
struct Flow;
}

// Where the parts lie, from the content's top left corner.
struct CostAreas {
  Rect time, memory, stages, table, decoding, roofline, exponents;
  ImVec2 content{};
};

// What is drawn from 16 to a million tokens.
inline constexpr double kFirstTokens = 16, kLastTokens = 1 << 20;

// Points of something that was measured: the median and the quartiles.
struct MeasuredCurve {
  Samples n = {}, median = {}, low = {}, high = {};
  std::optional<PowerFit> fit = {};
  std::size_t bytes() const { return bytes_of_all(n, median, low, high); }
};

// Counted over CostMemo::n: operations, or seconds at the device's peak once that is known.
struct CountedCurve {
  Samples operations = {}, drawn = {};
  std::size_t bytes() const { return bytes_of_all(operations, drawn); }
};

// Of one mechanism: attention of one layer, from queries, keys and values to the outputs of the heads.
struct CostCurve {
  MechanismKind kind = MechanismKind::full;
  CountedCurve cost = {};
  Samples held = {};        // bytes
  std::size_t longest = 0;  // tokens that the device's memory holds
  LayerCost at = {};        // at the study's n
  MeasuredCurve points = {};
  std::size_t bytes() const { return bytes_of_all(cost, held, points); }
};

// The stages at one n, as a bar.
struct CostBar {
  std::size_t n = 0;
  LayerCost layer = {};
};

// What is the same until the study changes: curves as long as its shape stays, the rest with n as well.
struct CostMemo {
  std::optional<CostStudy> study = {};
  Samples n = {};
  std::vector<CostCurve> curves = {};
  CountedCurve projections = {}, rest = {};  // Q K V W_O, and with the feed-forward
  std::vector<Crossover> crossings = {};
  std::optional<MechanismKind> bars_of = {};
  std::vector<CostBar> bars = {};
  Samples past = {};
  CountedCurve cached = {}, again = {}, recomputed = {};  // of the next token
  std::uint64_t memory = 0;                               // of the device in use, in bytes; 0: not known
  std::shared_ptr<const Measured> measured = {};          // of this shape; null: nothing
  double peak = 0;                                        // that `drawn` is made with; 0: operations
  std::vector<MeasuredCurve> baselines = {};              // of projections and rest, likewise
  std::vector<MeasuredCurve> tokens = {};  // of the next token, in the order of measure_subjects()
  std::size_t bytes() const {
    return bytes_of_all(n, curves, projections, rest, crossings, bars, past, cached, again, recomputed,
                        baselines, tokens);
  }
};

// Makes anew what of it is another than it has to be.
void keep_counts(CostMemo& memo, const Frame& frame);
void keep_bars(CostMemo& memo, MechanismKind kind);

// Of the document as it is being edited: counting takes no device, so that nothing is a step behind.
struct CostScene {
  Frame& frame;
  CostMemo& memo;

  CostStudy& study() const { return frame.draft.cost; }
  CostView& view() const { return frame.view.of<CostView>(); }
  std::size_t n() const { return study().n; }
  // Operations a second at best, measured; 0: not known, so that there are no times.
  double peak() const { return memo.peak; }
  const Measured* measured() const { return memo.measured.get(); }
  bool timed() const { return memo.peak > 0; }
  // The opened number's mechanism, or the first there is.
  MechanismKind shown() const;
};
// None while the shape cannot be.
std::optional<CostScene> cost_scene(Frame& frame);

ImU32 mechanism_colour(MechanismKind kind);
MeasureShape measured_shape(const CostStudy& study);
// Why a mechanism has no points; empty where it can be measured.
std::string_view why_not_measured(MechanismKind kind);
// The measured time at n: of a point, or between two of them, as on the line; none elsewhere.
struct MeasuredTime {
  double seconds = 0;
  bool between = false;
};
std::optional<MeasuredTime> measured_time(const MeasuredCurve& points, double n);
// "window 256", "strided √n".
std::string mechanism_title(const CostStudy& study, MechanismKind kind);
// Whole, with three digits, a power of two where it is near.
std::size_t round_tokens(double n);
void take_tokens(CostStudy& study, double n);
// "2d = 1 536" where a formula holds, else "n = 1 536".
std::string crossing_text(const CostStudy& study, const Crossover& crossing);

// Pins a number of the inspector.
void open_cost(View& view, OpenedCost opened);
PlotAxis tokens_axis();
PlotMarker tokens_marker(const CostScene& scene);
void follow_tokens(CostScene& scene, const PlotEvents& events);

// Runs of stages that bars and legends show as one, in their order.
struct StageRun {
  std::string_view title;
  CostStage first, last;
};
inline constexpr std::array<StageRun, 6> kStageRuns{
    {{"Q K V", CostStage::q, CostStage::v},
     {"scores", CostStage::scores, CostStage::masked},
     {"softmax", CostStage::weights, CostStage::weights},
     {"weights·V", CostStage::head_output, CostStage::head_output},
     {"W_O", CostStage::output, CostStage::output},
     {"feed-forward", CostStage::feed_forward, CostStage::feed_forward}}};
ImU32 run_colour(const Theme& theme, std::size_t run);

void draw_cost_time(CostScene& scene, Rect area);
void draw_cost_memory(CostScene& scene, Rect area);
void draw_cost_stages(CostScene& scene, Rect area);
void draw_cost_table(CostScene& scene, Rect area);
void draw_decoding(CostScene& scene, Rect area);
void draw_roofline(CostScene& scene, Rect area);
void draw_exponents(CostScene& scene, Rect area);
// The number that is opened and the other stages, in the inspector.
void draw_opened_cost(inspector::Flow& flow, CostScene& scene);
void draw_take_away(inspector::Flow& flow, CostScene& scene);
// Its button, progress and bounds, in the controls.
void measure_controls(Frame& frame, Column column);

}  // namespace attn
