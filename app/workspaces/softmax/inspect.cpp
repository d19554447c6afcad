// What the inspector says of the row: its arithmetic, rows that books print, how saturated it is, and what it
// is in fewer bits.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/inspector/inspector_flow.h"
#include "app/inspector/inspector_numbers.h"
#include "app/workspaces/softmax/row.h"
#include "app/workspaces/softmax/scene.h"
#include "core/document/edit.h"
#include "core/document/layer_plan.h"
#include "core/softmax/book.h"
#include "core/softmax/numbers.h"
#include "core/text/text.h"

namespace attn {
namespace {

using namespace inspector;

std::string fixed(double value, int decimals) {
  return write(value, {decimals, false});
}

// As shares are read, or as a power of ten where it is next to nothing or huge.
std::string share(double value, int decimals = 4) {
  const double size = std::abs(value);
  return size == 0 || (size >= 1e-3 && size < 1e6) ? fixed(value, decimals) : write(value);
}

// Right edges as shares of the width: z, − max, exp, weight; where it is narrow there is no z, which stands
// at its bar.
constexpr std::array<float, 4> kSoftmaxEdges{0.4f, 0.6f, 0.8f, 1}, kNarrowSoftmaxEdges{0, 0.48f, 0.74f, 1};
constexpr float kLeastForScores = 240;

void draw_cells(Flow& flow, const std::string& label, const std::array<std::string, 4>& words, ImU32 colour) {
  const Rect line = add_line(flow);
  const bool narrow = flow.width() < flow.px(kLeastForScores);
  const float room = flow.width() * 0.24f;
  put_elided(flow, {line.min, {line.min.x + room, line.max.y}}, label, colour);
  for (std::size_t i = narrow ? 1 : 0; i < words.size(); ++i) {
    const float edge = (narrow ? kNarrowSoftmaxEdges : kSoftmaxEdges)[i];
    put(flow, {line.min, {line.min.x + edge * line.width(), line.max.y}}, words[i], colour, 1);
  }
}

void draw_head(Flow& flow, const SoftmaxScene& scene, std::size_t key) {
  const Theme& theme = flow.theme();
  const Spot spot = scene.spot(scene.places().softmax.weights, key);
  ImGui::PushFont(theme.fonts.bold);
  const Rect line = add_line(flow);
  const std::string weight = shortest(static_cast<float>(scene.memo.weights[key]));
  const Rect title{line.min, {line.max.x - text_width(weight) - flow.px(8), line.max.y}};
  put_elided(flow, title, "a[" + scene.name(key) + "]", theme.text);
  ImGui::PopFont();
  put(flow, line, weight, theme.dim, 1);
  press_to_open(flow, "largest", line, spot);
  const std::size_t left = scene.memo.saturation.left;
  add_text(flow,
           left == 0 ? "every key is masked: there is no weight to share"
                     : "the largest of " + std::to_string(left) + (left == 1 ? " weight" : " weights"),
           theme.dim, theme.fonts.small);
}

void draw_row(Flow& flow, const SoftmaxScene& scene) {
  const Theme& theme = flow.theme();
  const SoftmaxPlaces& l = scene.places();
  const auto at = [&](StageIndex stage, std::size_t key) {
    return static_cast<double>(scene.numbers(stage)[{0, 0, key}]);
  };
  const CompactScope compact(flow, flow.px(250));
  ImGui::PushFont(theme.fonts.small);
  draw_cells(flow, "", {scene.spec.temperature == 1 ? "z" : "z ÷ T", "− max", "exp", "weight"}, theme.faint);
  std::vector<std::size_t> keys = scene.memo.heaviest;
  std::ranges::sort(keys);
  std::vector<double> scores;
  for (const std::size_t key : keys)
    scores.insert(scores.end(), {at(l.tempered, key), at(*l.softmax.shifted, key)});
  const Digits digits = column_digits(scores, 2);
  double listed = 0;
  for (const std::size_t key : keys) {
    draw_cells(flow, scene.name(key),
               {write(at(l.tempered, key), digits), write(at(*l.softmax.shifted, key), digits),
                write(at(*l.softmax.shares, key), {4, false}), write(scene.memo.weights[key], {4, false})},
               looked_at(scene) == key ? theme.text : theme.dim);
    listed += scene.memo.weights[key];
  }
  const std::size_t left = scene.memo.saturation.left;
  const auto shown = static_cast<std::size_t>(
      std::ranges::count_if(keys, [&](std::size_t key) { return at(l.tempered, key) != -HUGE_VAL; }));
  if (shown < left)
    draw_cells(flow, std::to_string(left - shown) + " more",
               {"", "", "", write(std::max(0.0, 1 - listed), {4, false})}, theme.dim);
  ImGui::PopFont();
}

void draw_sums(Flow& flow, const SoftmaxScene& scene) {
  const Theme& theme = flow.theme();
  add_fact(flow, scene.spec.temperature == 0 ? "ties at the largest" : "sum of exp", share(scene.memo.sum, 5),
           theme.text);
  if (scene.spec.temperature != 0) add_fact(flow, "log-sum-exp", share(scene.memo.log_sum, 5), theme.text);
}

std::string numbers_of(const std::vector<double>& numbers, int decimals) {
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : "  ") + fixed(number, decimals);
  return text;
}

// The book's row that is on screen, else the last.
std::size_t shown_book(const SoftmaxScene& scene) {
  const auto books = book_rows();
  const auto scores = scene.numbers(scene.places().scores).values();
  for (std::size_t i = 0; i < books.size(); ++i)
    if (std::ranges::equal(books[i].scores, scores)) return i;
  return books.size() - 1;
}

void draw_books(Flow& flow, SoftmaxScene& scene) {
  const Theme& theme = flow.theme();
  const auto books = book_rows();
  const BookRow& book = books[shown_book(scene)];
  add_heading(flow, "Check the book");
  const int decimals = book.printed[0] == std::round(book.printed[0] * 100) / 100 ? 2 : 4;
  add_text(flow, std::string(book.title) + " is often printed as", theme.dim, theme.fonts.small);
  add_text(flow, numbers_of(book.printed, decimals) + "; it is", theme.dim, theme.fonts.small);
  const std::vector<double> scores(book.scores.begin(), book.scores.end());
  add_text(flow, numbers_of(softmax_of(scores), 4), theme.warning);
  std::vector<std::string> chips;
  for (const BookRow& each : books) {
    std::string chip;
    for (const float score : each.scores)
      chip += (chip.empty() ? "" : " ") + brief(static_cast<double>(score));
    chips.push_back(std::move(chip));
  }
  if (const auto chosen = add_chips(flow, "books", chips, "these scores as your own row"))
    take_book_row(scene.draft(), books[*chosen]);
}

void draw_saturation(Flow& flow, const SoftmaxScene& scene) {
  const Theme& theme = flow.theme();
  const Saturation& s = scene.memo.saturation;
  add_heading(flow, "Saturation");
  add_fact(flow, "gap to the second", s.left < 2 ? "no second" : four_digits(s.gap), theme.text);
  add_fact(flow, "1 − a_max", s.left == 0 ? "1" : share(s.rest), theme.text);
  const bool within = s.rest <= s.rest_bound * (1 + 1e-6) + 1e-12;
  add_fact(flow, "bound (n−1)·exp(−gap)", share(s.rest_bound) + (within ? " ✓" : ""),
           within ? theme.good : theme.bad);
  add_fact(flow, "entropy", fixed(s.entropy, 4) + " of " + fixed(s.most_entropy, 4), theme.text);
  add_fact(flow, "largest gradient a(1 − a)", share(s.gradient), theme.text);
  const bool bounded = s.norm <= kJacobianBound + 1e-12;
  const bool tempered = scene.spec.temperature != 1;
  add_fact(flow, tempered ? "norm of ∂a/∂(z/T)" : "norm of the Jacobian",
           four_digits(s.norm) + (bounded ? " ≤ ½ ✓" : ""), bounded ? theme.good : theme.bad);
}

void draw_format_facts(Flow& flow, const SoftmaxScene& scene) {
  const Theme& theme = flow.theme();
  const SoftmaxSpec& spec = scene.spec;
  const FormatStages& f = scene.places().format;
  const std::string title =
      std::string("In ") + name(spec.format) + (spec.subtract_maximum ? ", with − max" : ", without − max");
  add_heading(flow, title.c_str());
  add_fact(flow, "first score that overflows", write(first_overflow(spec.format), {4, false}), theme.text);
  const auto scores = scene.numbers(scene.places().tempered).values();
  const auto key = spec.subtract_maximum ? std::nullopt : overflowing_key(scores, spec.format);
  const bool finite = std::ranges::none_of(scores, [&](float z) {
    return z == HUGE_VALF || std::isnan(rounded(spec.format, static_cast<double>(z))) ||
           rounded(spec.format, static_cast<double>(z)) == HUGE_VAL;
  });
  add_fact(flow, "this row",
           !finite ? "a score is ∞ or no number"
           : key   ? "exp of “" + scene.name(*key) + "” is ∞"
                   : "no overflow ✓",
           key || !finite ? theme.bad : theme.good);
  const double sum = static_cast<double>(scene.numbers(f.sum).values()[0]);
  const double exact = sum_of_numbers(scene.numbers(f.shares).values());
  add_fact(flow, spec.summation == SumOrder::pairs ? "Σ exp, by pairs" : "Σ exp, in order", write(sum),
           theme.text);
  if (std::isfinite(exact))
    add_fact(flow, "the sum's rounding", write_distance(std::abs(sum - exact)), theme.text);
  const double shift = f.maximum ? static_cast<double>(scene.numbers(*f.maximum).values()[0]) : 0;
  const double naive = rounded(spec.format, std::log(sum) + shift);
  add_fact(flow, "log-sum-exp there", write(naive), std::isfinite(naive) ? theme.text : theme.bad);
  const auto weights = scene.numbers(f.weights).values();
  const bool broken = std::ranges::any_of(weights, [](float w) { return std::isnan(w); });
  if (broken)
    add_text(flow,
             scene.memo.saturation.left == 0 ? "0 ÷ 0: every key is masked, so no weight is a number"
             : std::isinf(sum) ? "∞ ÷ ∞: the weights that overflow are no numbers, the others become 0"
             : std::isnan(sum) ? "∞ − ∞: a score is infinite already, or no number, and so are the weights"
                               : "0 ÷ 0: every exp underflows, so no weight is a number",
             theme.bad, theme.fonts.small);
  else
    add_text(flow, "what comes out: weights that add up to " + four_digits(sum_of_numbers(weights)),
             theme.dim, theme.fonts.small);
}

// What was typed here over scores of the layer stands in the Pipeline too.
void draw_typed(Flow& flow, const SoftmaxScene& scene) {
  if (!scene.places().from) return;
  const LayerRow& from = *scene.places().from;
  std::vector<Cell> typed;
  for (const StageOverride& o : overrides_of(scene.frame.draft, kLayerPlan))
    if (o.stage == from.stage && o.value.cell.head == from.head && o.value.cell.row == from.query)
      typed.push_back(o.value.cell);
  if (typed.empty()) return;
  add_heading(flow, "Your numbers in the layer");
  for (std::size_t i = 0; i < std::min<std::size_t>(typed.size(), 8); ++i) {
    const Cell cell = typed[i];
    add_fact(flow, cell.column < scene.keys() ? scene.name(cell.column) : std::to_string(cell.column),
             write(static_cast<double>(shown_scores(scene)[std::min(cell.column, scene.keys() - 1)])),
             flow.theme().text);
  }
  if (add_chips(flow, "typed", {"as computed"}, "Restores the layer's own scores of this row."))
    for (const Cell cell : typed) remove_override(flow.frame.draft, kLayerPlan, from.stage, cell);
}

bool opens_softmax(const SoftmaxScene& scene) {
  const auto& spot = scene.frame.view.inspected;
  return spot && open_softmax(scene.results, *spot).has_value();
}

}  // namespace

void inspect_softmax(Frame& frame, Flow& flow) {
  auto scene = softmax_scene(frame);
  if (!scene) return;
  if (frame.view.inspected) flow.y += flow.px(10);
  if (!opens_softmax(*scene)) {
    draw_head(flow, *scene, scene->memo.heaviest[0]);
    draw_row(flow, *scene);
  }
  draw_sums(flow, *scene);
  draw_books(flow, *scene);
  draw_saturation(flow, *scene);
  draw_format_facts(flow, *scene);
  draw_typed(flow, *scene);
}

}  // namespace attn
