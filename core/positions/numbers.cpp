// The reference's operations in double on a few rows: small enough for every frame.
#include "core/positions/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/attention/layer_positions.h"
#include "core/reference/backend.h"

namespace attn {
namespace {

Tensor64 run(const Operation& operation, std::vector<Tensor64> inputs = {}) {
  return run_in_double(operation, inputs);
}

// One row of content for every token, or the same row for all.
Tensor64 content(const PositionsSpec& spec, std::size_t number, bool same) {
  const std::size_t rows = same ? 1 : spec.tokens;
  const Tensor64 drawn = run(LearnedTable{
      .length = rows, .columns = spec.width, .seed = 3 * spec.seed + number, .sd = kLearnedSd, .rows = rows});
  if (!same) return drawn;
  std::vector<double> all;
  for (std::size_t i = 0; i < spec.tokens; ++i)
    all.insert(all.end(), drawn.values().begin(), drawn.values().end());
  return {{1, spec.tokens, spec.width}, std::move(all)};
}

// Queries or keys with what the encoding makes of them.
Tensor64 placed(const Position& position, const Tensor64& rows, std::size_t first) {
  if (const auto encoding = encoding_operation(position, rows.shape(), first))
    return run(Add{}, {rows, run(*encoding)});
  if (const auto* rotary = std::get_if<Rotary>(&position)) return run(Rotate{*rotary, first}, {rows});
  return rows;
}

struct Pair {
  const Position& queries;
  const Position& keys;
};

// Scores ÷ √d with the bias of the first head.
Tensor64 scores(const Pair& positions, const Tensor64& q, const Tensor64& k, std::size_t first) {
  const Tensor64 pq = placed(positions.queries, q, first), pk = placed(positions.keys, k, first);
  const double factor = 1 / std::sqrt(static_cast<double>(q.columns()));
  const Tensor64 scaled =
      run(Scale{.factor = factor, .text = {}}, {run(MatMul{.transpose_right = true}, {pq, pk})});
  const std::size_t n = q.rows();
  if (std::holds_alternative<Alibi>(positions.queries))
    return run(Add{}, {scaled, run(DistanceBias{1, n, n})});
  if (const auto* t5 = std::get_if<T5Bias>(&positions.queries))
    return run(Add{}, {scaled, run(ByOffset{buckets_of(*t5), n, n}, {run(bucket_table(*t5, 1))})});
  if (const auto* relative = std::get_if<Relative>(&positions.queries)) {
    const Tensor64 vectors = run(relative_table(*relative, q.columns(), false));
    const Tensor64 products = run(MatMul{.transpose_right = true}, {pq, vectors});
    const Tensor64 bias =
        run(ByOffset{Clip{relative->clip}, n, n}, {run(Scale{.factor = factor, .text = {}}, {products})});
    return run(Add{}, {scaled, bias});
  }
  return scaled;
}

double dot(const Tensor64& a, std::size_t i, const Tensor64& b, std::size_t j) {
  double sum = 0;
  for (std::size_t c = 0; c < a.columns(); ++c) sum += a[{0, i, c}] * b[{0, j, c}];
  return sum;
}

// Each pair's part of q·R_Δk is |q||k|·cos(its own angle + Δθ); what is not turned stays.
std::vector<float> rotary_curve(const PositionsSpec& spec, const Rotary& rotary, std::size_t reach) {
  const Tensor64 q = content(spec, 0, true);
  const std::size_t turned = rotary.turned(spec.width);
  const double size = dot(q, 0, q, 0);
  double still = size;
  std::vector<double> sizes;
  for (std::size_t pair = 0; pair < turned / 2; ++pair) {
    const RotaryPair at =
        rotary_pair(rotary.pairing, turned, rotary.pairing == Pairing::half ? pair : 2 * pair);
    sizes.push_back(q[{0, 0, at.x}] * q[{0, 0, at.x}] + q[{0, 0, at.y}] * q[{0, 0, at.y}]);
    still -= sizes.back();
  }
  std::vector<float> curve(2 * reach + 1, static_cast<float>(still / size));
  for (std::size_t pair = 0; pair < sizes.size(); ++pair) {
    const double frequency = rotary_frequency(rotary, turned, pair);
    for (std::size_t o = 0; o <= reach; ++o) {
      const auto part = static_cast<float>(sizes[pair] / size * std::cos(frequency * static_cast<double>(o)));
      curve[reach + o] += part;
      if (o > 0) curve[reach - o] += part;
    }
  }
  return curve;
}

// What a key gets for its offset from the query.
using OffsetScores = std::function<double(std::ptrdiff_t)>;

OffsetScores scores_of_offsets(const PositionsSpec& spec, const Position& position, std::size_t head) {
  if (std::holds_alternative<Alibi>(position))
    return [slope = alibi_slope(head, spec.heads)](std::ptrdiff_t offset) {
      return -slope * static_cast<double>(std::abs(offset));
    };
  if (const auto* t5 = std::get_if<T5Bias>(&position))
    return [table = run(bucket_table(*t5, spec.heads)), rule = buckets_of(*t5), head](std::ptrdiff_t offset) {
      return table[{head, 0, index_of(rule, offset)}];
    };
  if (const auto* relative = std::get_if<Relative>(&position)) {
    const Tensor64 q = content(spec, 0, true);
    const double size = dot(q, 0, q, 0);
    return [q, size, table = run(relative_table(*relative, spec.width, false)), rule = Clip{relative->clip}](
               std::ptrdiff_t offset) { return dot(q, 0, table, index_of(rule, offset)) / size; };
  }
  return [](std::ptrdiff_t) { return 0.0; };
}

}  // namespace

std::vector<double> pair_frequencies(const Position& position, std::size_t width) {
  std::vector<double> all;
  if (const auto* sinusoidal = std::get_if<Sinusoidal>(&position)) {
    const SinusoidalEncoding op{.columns = width, .base = sinusoidal->base};
    for (std::size_t column = 0; column < width; column += 2) all.push_back(op.frequency(column));
  } else if (const auto* rotary = std::get_if<Rotary>(&position)) {
    const std::size_t turned = rotary->turned(width);
    for (std::size_t pair = 0; pair < turned / 2; ++pair)
      all.push_back(rotary_frequency(*rotary, turned, pair));
  }
  return all;
}

std::optional<std::size_t> pair_of(const Position& position, std::size_t width, std::size_t dimension) {
  if (dimension >= width) return std::nullopt;
  if (std::holds_alternative<Sinusoidal>(position)) return dimension / 2;
  const auto* rotary = std::get_if<Rotary>(&position);
  if (!rotary || dimension >= rotary->turned(width)) return std::nullopt;
  return rotary_pair(rotary->pairing, rotary->turned(width), dimension).pair;
}

std::vector<float> similarity_to(const Tensor& rows, std::size_t p) {
  const std::size_t d = rows.columns();
  const auto row = [&](std::size_t i) { return rows.values().subspan(i * d, d); };
  // In as many sums as a processor adds at once: one alone would wait for itself.
  const auto product = [&](std::size_t i) {
    constexpr std::size_t kSums = 8;
    std::array<double, kSums> sums{};
    const auto a = row(p), b = row(i);
    const auto add = [&](std::size_t c, double& sum) {
      sum += static_cast<double>(a[c]) * static_cast<double>(b[c]);
    };
    std::size_t c = 0;
    for (; c + kSums <= d; c += kSums)
      for (std::size_t k = 0; k < kSums; ++k) add(c + k, sums[k]);
    for (; c < d; ++c) add(c, sums[0]);
    return std::accumulate(sums.begin(), sums.end(), 0.0);
  };
  const double own = product(p);
  std::vector<float> all(rows.rows());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = own == 0 ? 0 : static_cast<float>(product(i) / own);
  return all;
}

std::vector<float> score_by_offset(const PositionsSpec& spec, const Position& position, std::size_t head,
                                   std::size_t reach) {
  if (const auto* rotary = std::get_if<Rotary>(&position)) return rotary_curve(spec, *rotary, reach);
  const OffsetScores score = scores_of_offsets(spec, position, head);
  const double here = score(0);
  std::vector<float> curve;
  const auto distance = static_cast<std::ptrdiff_t>(reach);
  for (std::ptrdiff_t offset = -distance; offset <= distance; ++offset)
    curve.push_back(static_cast<float>(1 + score(offset) - here));
  return curve;
}

double shift_residual(const Position& position, std::size_t width, std::size_t p, std::ptrdiff_t delta) {
  double most = 0;
  for (const double frequency : pair_frequencies(position, width)) {
    const double from = static_cast<double>(p) * frequency, by = static_cast<double>(delta) * frequency;
    const double to = static_cast<double>(static_cast<std::ptrdiff_t>(p) + delta) * frequency;
    const double sine = std::cos(by) * std::sin(from) + std::sin(by) * std::cos(from);
    const double cosine = std::cos(by) * std::cos(from) - std::sin(by) * std::sin(from);
    most = std::max({most, std::abs(sine - std::sin(to)), std::abs(cosine - std::cos(to))});
  }
  return most;
}

namespace {

// Queries and keys: of the content, and one of each for every token.
struct Contents {
  explicit Contents(const PositionsSpec& spec)
      : q(content(spec, 0, false)),
        k(content(spec, 1, false)),
        one_q(content(spec, 0, true)),
        one_k(content(spec, 1, true)) {}
  Tensor64 q, k, one_q, one_k;
};

// The largest change of a score from one pair of tokens to the next of the same offset.
double unevenness(const Contents& of, const Pair& positions, std::size_t first) {
  const Tensor64 s = scores(positions, of.one_q, of.one_k, first);
  double most = 0;
  for (std::size_t i = 0; i + 1 < s.rows(); ++i)
    for (std::size_t j = 0; j + 1 < s.columns(); ++j)
      most = std::max(most, std::abs(s[{0, i + 1, j + 1}] - s[{0, i, j}]));
  return most;
}

double largest_move(const Contents& of, const Position& position, std::size_t shift) {
  const Pair both{position, position};
  const Tensor64 here = scores(both, of.q, of.k, 0), there = scores(both, of.q, of.k, shift);
  double most = 0;
  for (std::size_t i = 0; i < here.values().size(); ++i)
    most = std::max(most, std::abs(here.values()[i] - there.values()[i]));
  return most;
}

PositionsFacts::Encoding fact_of(const Contents& of, const PositionsSpec& spec, const Position& position,
                                 std::size_t shift) {
  PositionsFacts::Encoding fact;
  // A table that ends before the content, or before it is shifted, has no row to compare.
  const auto* learned = std::get_if<Learned>(&position);
  const auto has_rows_from = [&](std::size_t first) {
    return !learned || first + spec.tokens <= learned->length;
  };
  if (has_rows_from(spec.shift)) fact.uneven = unevenness(of, {position, position}, spec.shift);
  if (has_rows_from(shift)) fact.moved = largest_move(of, position, shift);
  if (const auto* rotary = std::get_if<Rotary>(&position)) {
    Rotary other = *rotary;
    other.pairing = other_pairing(other.pairing);
    const Position keys = other;
    fact.mixed = unevenness(of, {position, keys}, spec.shift);
  }
  return fact;
}

}  // namespace

std::optional<std::size_t> same_encoding(const PositionsSpec& spec, const Position& encoding,
                                         const PositionsSpec& other) {
  PositionsSpec alike = other;
  alike.encodings = spec.encodings;
  const auto found = std::ranges::find(other.encodings, encoding);
  if (alike != spec || found == other.encodings.end()) return std::nullopt;
  return static_cast<std::size_t>(found - other.encodings.begin());
}

PositionsFacts facts_of(const PositionsSpec& spec, const std::optional<KnownFacts>& known) {
  constexpr std::size_t kUsualShift = 100;
  PositionsFacts facts{.shift = spec.shift > 0 ? spec.shift : kUsualShift};
  std::optional<Contents> contents;
  for (const Position& chosen : spec.encodings) {
    const auto same = known ? same_encoding(spec, chosen, known->spec) : std::nullopt;
    if (same) {
      facts.encodings.push_back(known->facts.encodings[*same]);
      continue;
    }
    if (!contents) contents.emplace(spec);
    facts.encodings.push_back(fact_of(*contents, spec, fitted(chosen, spec), facts.shift));
  }
  return facts;
}

}  // namespace attn
