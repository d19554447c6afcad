// What the parts of the workspace of the softmax share: the row, the key that is looked at, the stages that
// they are read from, and where each part lies. Private to app/workspaces/softmax.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/fitted_grid.h"
#include "app/canvas/shelf.h"
#include "app/inspector/inspector_numbers.h"
#include "app/plot/plot.h"
#include "app/workspaces/softmax/view.h"
#include "core/softmax/graph.h"
#include "core/softmax/numbers.h"
#include "core/softmax/row.h"

namespace attn {

// Where the parts lie, from the content's top left corner.
struct SoftmaxAreas {
  Rect scores, weights, jacobian, curves, entropy, products, largest, widths, share, steps, instead, format,
      keys;
  ImVec2 content{};
};

// Of the numbers of one tensor, worked out when it is another.
struct Bins {
  TensorId of = 0;
  Samples x = {}, density = {};
  double width = 0;  // of a bin
  double most = 0;   // the highest
  Moments moments = {};
  double over = 0;  // the part of the numbers that are over kMuch
  std::size_t bytes() const { return bytes_of_all(x, density); }
};
inline constexpr double kMuch = 0.9;

struct ProductFigures {
  Bins raw, scaled, raw_largest, scaled_largest;
  std::vector<std::pair<TensorId, double>> sd = {};  // of each width
  std::size_t bytes() const { return bytes_of_all(raw, scaled, raw_largest, scaled_largest, sd); }
};

// What is the same until the results change; products and curves only until their tensors do.
struct SoftmaxMemo {
  std::shared_ptr<const Labels> names = std::make_shared<Labels>();  // of all keys
  Tensor hidden = {};  // 1 where a key is hidden; empty: none is
  std::vector<double> tempered = {}, weights = {};
  std::vector<std::size_t> heaviest = {};  // keys, by weight: as many as are listed
  Saturation saturation = {};
  double log_sum = 0, sum = 0;  // of the tempered scores: ln Σ exp, Σ exp(z − max)
  double row_sums = 0;          // of the Jacobian: the furthest from 0
  TensorId curves = 0;          // that the norms are of
  Samples temperatures = {}, entropy = {}, norms_t = {}, norms = {};
  ProductFigures products = {};
  std::size_t bytes() const {
    return bytes_of_all(*names, hidden, tempered, weights, heaviest, temperatures, entropy, norms_t, norms,
                        products);
  }
};
// Of results that are complete.
SoftmaxMemo& softmax_memo(Memos& memos, const std::shared_ptr<const Results>& results);

// Of results: what is drawn belongs together, even while newer numbers are on their way.
struct SoftmaxScene {
  Frame& frame;
  const Results& results;
  const SoftmaxSpec& spec;
  SoftmaxMemo& memo;

  SoftmaxView& view() const { return frame.view.of<SoftmaxView>(); }
  SoftmaxSpec& draft() const { return frame.draft.softmax; }
  const SoftmaxPlaces& places() const { return *results.places.as<SoftmaxPlaces>(); }
  const Stage& stage(StageIndex stage) const { return results.graph.stages[stage]; }
  const Tensor& numbers(StageIndex stage) const { return results.outputs[stage].whole(); }
  std::size_t keys() const { return numbers(places().scores).columns(); }
  const std::string& name(std::size_t key) const { return (*memo.names)[key]; }
  Spot spot(StageIndex index, std::size_t key) const { return {stage(index).id, {0, 0, key}}; }
  bool is_layer() const { return spec.source == RowSource::layer; }
};
// None before the first results.
std::optional<SoftmaxScene> softmax_scene(Frame& frame);

// The scores on screen: as they are being edited, so that a dragged one stays under the pointer.
std::vector<float> shown_scores(const SoftmaxScene& scene);
bool is_hidden(const SoftmaxScene& scene, std::size_t key);
// The key that is pointed at or pinned, in whichever part.
std::optional<std::size_t> looked_at(const SoftmaxScene& scene);
// What a sample of a plot stands for is pointed at, and pinned by a click; a second one lets it go.
void follow_sample(SoftmaxScene& scene, const PlotEvents& events, const std::function<Spot(PlotSpot)>& spot);

// While playing the row of the curves whose weights are shown; else none: those of the row's temperature.
std::optional<std::size_t> swept_row(const SoftmaxScene& scene);
// Today's, or the one that is swept over.
double shown_temperature(const SoftmaxScene& scene);
void set_temperature(SoftmaxSpec& spec, double temperature);
void turn_temperature(SoftmaxSpec& spec, double notches);
PlotMarker temperature_marker(const SoftmaxScene& scene);

// Edits of keys. Those of the layer's row become the person's own first.
void add_shown_key(Document& document, const Results& shown);
void remove_shown_key(Document& document, const Results& shown, std::size_t key);
void take_row(Document& document, const Results& shown);
// Typing the selected key's score in the controls.
void type_score(View& view, const std::string& score);
inline constexpr const char* kScoreField = "softmax.score";

using inspector::four_digits;

void draw_score_bars(SoftmaxScene& scene, Rect area);
void draw_weight_bars(SoftmaxScene& scene, Rect area);
void draw_row_jacobian(SoftmaxScene& scene, Rect area);
void draw_temperatures(SoftmaxScene& scene, Rect area);
void draw_entropy(SoftmaxScene& scene, Rect area);
void draw_products(SoftmaxScene& scene, Rect area);
void draw_largest(SoftmaxScene& scene, Rect area);
void draw_widths(SoftmaxScene& scene, Rect area);
void draw_share(SoftmaxScene& scene, Rect area);
void draw_row_steps(SoftmaxScene& scene, Rect area);
void hand_over_typed(SoftmaxScene& scene);
void draw_instead(SoftmaxScene& scene, Rect area);
void draw_format(SoftmaxScene& scene, Rect area);
void draw_keys_table(SoftmaxScene& scene, Rect area);
// How many strips each of the three has.
std::array<std::size_t, 3> strip_counts(const SoftmaxScene& scene);
float strips_height(const Theme& theme, float width, std::size_t count, std::size_t keys);

}  // namespace attn
