// Stages whose names say too little, told by their numbers.
#include <algorithm>
#include <cmath>

#include "core/io/dump_parts.h"

namespace attn::dump {
namespace {

TakenStage* find(std::vector<TakenStage>& stages, std::string_view id) {
  const auto found = std::ranges::find(stages, id, &TakenStage::id);
  return found == stages.end() ? nullptr : &*found;
}

// One row of queries, keys or values of all heads side by side: given, or projected in double.
std::vector<double> row_of(const LayerSpec& layer, char letter, std::size_t row) {
  const auto of = [&](const Tensor& q, const Tensor& k, const Tensor& v) -> const Tensor& {
    return letter == 'q' ? q : letter == 'k' ? k : v;
  };
  std::vector<double> numbers;
  if (layer.direct) {
    const Tensor& given = of(layer.q, layer.k, layer.v);
    for (std::size_t h = 0; h < given.stack(); ++h)
      for (std::size_t c = 0; c < given.columns(); ++c) numbers.push_back(given[{h, row, c}]);
    return numbers;
  }
  const Tensor& source = layer.memory.empty() ? layer.x : layer.memory;
  const Tensor &x = of(layer.x, source, source), &w = of(layer.w_q, layer.w_k, layer.w_v),
               &b = of(layer.b_q, layer.b_k, layer.b_v);
  for (std::size_t c = 0; c < w.columns(); ++c) {
    double sum = b.empty() ? 0 : b[{0, 0, c}];
    for (std::size_t f = 0; f < x.columns(); ++f) sum += static_cast<double>(x[{0, row, f}]) * w[{0, f, c}];
    numbers.push_back(sum);
  }
  return numbers;
}

bool near(double a, double b, double size) {
  return std::abs(a - b) <= 1e-3 * size;
}

double length_of(std::span<const double> numbers) {
  double sum = 0;
  for (const double number : numbers) sum += number * number;
  return std::sqrt(sum);
}

// As many heads as rows: which axis is which, the projection tells.
void tell_square(std::vector<TakenStage>& stages, const LayerSpec& layer, std::vector<std::string>& notes) {
  for (const char letter : {'q', 'k', 'v'}) {
    TakenStage* stage = find(stages, std::string(1, letter));
    if (layer.direct || !stage || !stage->item->meaning.layout.empty() ||
        stage->numbers.stack() != stage->numbers.rows())
      continue;
    const Tensor& given = stage->numbers;
    const std::size_t size = given.rows(), width = given.columns();
    const std::vector<double> row = row_of(layer, letter, size - 1);
    if (size == 1 || row.size() != size * width) continue;
    bool as_given = true, turned = true;
    for (std::size_t at = 0; at < row.size(); ++at) {
      const Cell cell{at / width, size - 1, at % width};
      as_given &= near(given[cell], row[at], length_of(row));
      turned &= near(given[{cell.row, cell.head, cell.column}], row[at], length_of(row));
    }
    if (as_given || !turned) continue;
    std::vector<float> swapped;
    for (std::size_t at = 0; at < given.shape().size(); ++at) {
      const Cell cell = cell_at(given.shape(), at);
      swapped.push_back(given[{cell.row, cell.head, cell.column}]);
    }
    stage->numbers = Tensor(given.shape(), std::move(swapped));
    stage->item->meaning.layout = "nhd";
    notes.push_back(stage->id + ": tokens before heads, as its projection tells");
  }
}

// As long as before they were turned, head by head, but otherwise: of the last row, which is turned farthest.
bool are_rotated(const LayerSpec& layer, const Tensor& given, char letter) {
  const std::size_t row = given.rows() - 1, width = given.columns();
  const std::vector<double> own = row_of(layer, letter, row);
  if (own.size() != given.stack() * width) return false;
  bool turned = false;
  for (std::size_t h = 0; h < given.stack(); ++h) {
    std::vector<double> theirs;
    for (std::size_t c = 0; c < width; ++c) theirs.push_back(given[{h, row, c}]);
    const std::span<const double> ours(own.data() + h * width, width);
    const double length = length_of(ours);
    if (!near(length_of(theirs), length, length)) return false;
    for (std::size_t c = 0; c < width; ++c) turned |= !near(theirs[c], ours[c], length);
  }
  return turned;
}

void tell_rotated(std::vector<TakenStage>& stages, const LayerSpec& layer, std::vector<std::string>& notes) {
  if (layer.direct || !std::holds_alternative<Rotary>(layer.position)) return;
  for (const char letter : {'q', 'k'}) {
    const std::string id(1, letter), rotated = id + "_rotated";
    TakenStage* stage = find(stages, id);
    if (!stage || stage->item->forced || find(stages, rotated) || !are_rotated(layer, stage->numbers, letter))
      continue;
    stage->id = rotated;
    notes.push_back(id + " is taken as rotated: it is as long as ours before RoPE, and turned");
  }
}

// Whether these are q·k, before any scale: of some queries, in the first head and the last.
bool are_products(const LayerSpec& layer, const Tensor& scores) {
  const std::size_t heads = scores.stack(), n = scores.rows(), m = scores.columns();
  for (const std::size_t i : {std::size_t{0}, n / 2, n - 1})
    for (const std::size_t j : {std::size_t{0}, m / 2, m - 1}) {
      const std::vector<double> q = row_of(layer, 'q', i), k = row_of(layer, 'k', j);
      const std::size_t width = q.size() / heads;
      if (width == 0 || k.size() % width != 0 || k.size() == 0) return false;
      const std::size_t shared = heads / (k.size() / width);
      for (const std::size_t h : {std::size_t{0}, heads - 1}) {
        const std::span<const double> a(q.data() + h * width, width), b(k.data() + h / shared * width, width);
        double sum = 0;
        for (std::size_t c = 0; c < width; ++c) sum += a[c] * b[c];
        if (!near(sum, scores[{h, i, j}], std::max(length_of(a) * length_of(b), 1e-30))) return false;
      }
    }
  return true;
}

// `scores` are those that most code goes on with, scaled; masked where some are far below; or q·k as such.
void tell_scores(std::vector<TakenStage>& stages, const LayerSpec& layer, std::vector<std::string>& notes) {
  TakenStage* scores = find(stages, "scores");
  if (!scores || scores->item->forced || find(stages, "scaled")) return;
  const bool masked =
      std::ranges::any_of(scores->numbers.values(), [](float value) { return value <= kMasked; });
  if (masked) {
    if (find(stages, "masked")) return;
    scores->id = "masked";
    notes.emplace_back("scores are taken as masked: some are far below the others");
  } else if (!are_products(layer, scores->numbers)) {
    scores->id = "scaled";
    notes.emplace_back("scores are taken as scaled");
  } else {
    notes.emplace_back("scores are taken as q·k, before any scale");
  }
}

}  // namespace

void tell_stages(std::vector<TakenStage>& stages, const LayerSpec& layer, std::vector<std::string>& notes) {
  tell_square(stages, layer, notes);
  tell_rotated(stages, layer, notes);
  tell_scores(stages, layer, notes);
}

}  // namespace attn::dump
