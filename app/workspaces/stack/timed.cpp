// What `bench stack` measures: an edit in the middle of a large stack, all of its maps and measures, a step
// of decoding.
#include <algorithm>
#include <chrono>
#include <limits>

#include "app/workspaces/stack/row.h"
#include "app/workspaces/stack/view.h"
#include "core/measure/measured_layer.h"
#include "core/stack/decoding.h"
#include "core/stack/decoding_cost.h"
#include "core/transformer/made.h"

namespace attn {
namespace {

struct TimedSizes {
  std::size_t layers, heads, width, tokens;
};
constexpr TimedSizes kTimedStack{12, 12, 768, 128}, kQuickStack{4, 2, 32, 16};

TimedSizes sizes_of_bench(bool quick) {
  return quick ? kQuickStack : kTimedStack;
}

// A decoder whose tokens are rows of features, without a head.
StackSpec timed_stack(const TimedSizes& sizes) {
  StackSpec stack;
  stack.sides = StackSides::decoder;
  stack.activation = ActivationKind::gelu;
  stack.decoder.x = measured_numbers({1, sizes.tokens, sizes.width});
  stack.decoder.normed = true;
  return made_stack(stack, {sizes.layers, sizes.heads, 4 * sizes.width}, 1);
}

void edit_middle_layer(Document& document, View&, int i) {
  std::vector<StackBlock>& blocks = document.transformer.decoder.blocks;
  Tensor& weights = blocks[blocks.size() / 2].attention.w_q;
  weights = with_value(weights, {0, 8, 4}, static_cast<float>(i) / 40);
}

void edit_first_token(Document& document, View&, int i) {
  Tensor& x = document.transformer.decoder.x;
  x = with_value(x, {0, 8, 4}, static_cast<float>(i) / 40);
}

void look_at_next_row(Document& document, View& view, int i) {
  view.of<StackView>().row = static_cast<std::size_t>(i) % document.transformer.decoder.x.rows();
}

void colour_otherwise(Document&, View& view, int i) {
  view.settings.weight_colours = i % 2 == 0 ? WeightColours::cividis : WeightColours::viridis;
}

template <class Work>
double best_seconds(int rounds, const Work& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < rounds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

}  // namespace

std::vector<TimedEdit> timed_stack_edits(bool quick) {
  constexpr double kEdit = 200, kAll = 400, kDrawn = 16.7;  // milliseconds
  const TimedSizes sizes = sizes_of_bench(quick);
  Document document;
  document.transformer = timed_stack(sizes);
  // High enough for all maps.
  const ImVec2 window{1600, 1400};
  const auto drawn = [&](const char* what, auto* edit) {
    return TimedEdit{.what = what, .target = kDrawn, .document = document, .edit = edit, .window = window};
  };
  return {{.what = quick ? "small stack, a weight of layer 2 edited"
                         : "stack, 12 layers × 12 heads, d 768, n 128, a weight of layer 6 edited",
           .target = kEdit,
           .document = document,
           .edit = edit_middle_layer,
           .waits = true},
          {.what = "stack, all maps and measures, X edited",
           .target = kAll,
           .document = document,
           .edit = edit_first_token,
           .window = window,
           .waits = true},
          drawn(quick ? "small stack, all maps in other colours" : "stack, all of 144 maps in other colours",
                colour_otherwise),
          drawn("stack, another row looked at in all maps", look_at_next_row)};
}

// Each sample is the shortest step of a few by the shortest copy of a few: what else the machine does makes
// both longer.
std::vector<TimedWork> timed_stack_work(Backend& backend, int samples, bool quick) {
  constexpr double kMostOfReading = 1.5;
  constexpr int kSteps = 8, kCopies = 4;
  const TimedSizes sizes = sizes_of_bench(quick);
  const StackSpec stack = timed_stack(sizes);
  TimedWork row{
      .what = "stack, a step of decoding ÷ reading its weights", .times = {}, .target = kMostOfReading};
  const Drill copy = backend.drill(DrillKind::copy);
  if (!copy.run) return {};
  StackDecoder decoder(stack, CrossRows(sizes.layers), sizes.tokens, backend);
  const auto values = stack.decoder.x.values();
  std::size_t place = 0;
  const auto step = [&] {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(place * sizes.width);
    const Tensor token({1, 1, sizes.width}, {from, from + static_cast<std::ptrdiff_t>(sizes.width)});
    decoder.step(place, token, StackDecoder::Reads::output);
    place = (place + 1) % sizes.tokens;
  };
  step(), copy.run(1);
  for (int i = 0; i < samples; ++i) {
    const double bandwidth = copy.unit / best_seconds(kCopies, [&] { copy.run(1); });
    row.times.push_back(best_seconds(kSteps, step) * bandwidth / DecodingCost(stack).weights);
  }
  copy.check();
  return {row};
}

}  // namespace attn
