// Attention of a batch of sequences: against the same by other operations, central differences, what is
// explained, reached and refused.
#include <doctest/doctest.h>

#include <cmath>

#include "core/operations/backward.h"
#include "tests/operations/differences.h"
#include "tests/operations/opened_numbers.h"

using namespace attn;
using namespace attn::tests;

namespace {

// Columns from `first` on of some rows, by heads.
Tensor64 by_heads(const Tensor64& x, std::size_t row, std::size_t rows, std::size_t first, std::size_t width,
                  std::size_t heads) {
  std::vector<double> values;
  for (std::size_t head = 0; head < heads; ++head)
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < width / heads; ++j)
        values.push_back(x[{0, row + i, first + head * width / heads + j}]);
  return {{heads, rows, width / heads}, std::move(values)};
}

// Of one sequence by flash attention.
Tensor64 by_flash(const SequenceAttention& op, const Tensor64& q, const Tensor64& kv, std::size_t sequence) {
  const bool self = q.id() == kv.id();
  const std::size_t width = self ? q.columns() / 3 : q.columns(), first = self ? width : 0;
  const std::size_t queries = q.rows() / op.sequences, keys = kv.rows() / op.sequences;
  FlashAttention flash{.scale = op.scale, .alibi = op.alibi};
  if (op.causal) flash.masks = {{CausalRule{}}};
  const Tensor64 found =
      run_in_double(flash, std::vector{by_heads(q, sequence * queries, queries, 0, width, op.heads),
                                       by_heads(kv, sequence * keys, keys, first, width, op.heads),
                                       by_heads(kv, sequence * keys, keys, first + width, width, op.heads)});
  const std::size_t head = width / op.heads;
  std::vector<double> merged;
  for (std::size_t i = 0; i < queries; ++i)
    for (std::size_t j = 0; j < width; ++j) merged.push_back(found[{j / head, i, j % head}]);
  return {{1, queries, width}, std::move(merged)};
}

void check_by_flash(const SequenceAttention& op, const Tensor64& q, const Tensor64& kv) {
  const std::vector<Tensor64> inputs = q.id() == kv.id() ? std::vector{q} : std::vector{q, kv};
  const Tensor64 found = run_in_double(op, inputs);
  const std::size_t queries = q.rows() / op.sequences;
  for (std::size_t sequence = 0; sequence < op.sequences; ++sequence) {
    const Tensor64 expected = by_flash(op, q, kv, sequence);
    for (std::size_t i = 0; i < expected.values().size(); ++i)
      CHECK(found.values()[sequence * queries * found.columns() + i] ==
            doctest::Approx(expected.values()[i]).epsilon(1e-12));
  }
}

// The same scores with what is added written into each query and key: q·k of longer heads.
void check_added(SequenceAttention op, const OffsetRule& rule) {
  const std::size_t n = 5, head = 2, sequences = op.sequences, heads = op.heads, count = index_count(rule);
  const Tensor64 x = random_in_double({1, sequences * n, 3 * heads * head}, 20),
                 added = random_in_double({1, sequences * n, heads * count}, 21);
  op.offsets = rule;
  const Tensor64 found = run_in_double(op, std::vector{x, added});
  for (std::size_t row = 0; row < sequences * n; ++row)
    for (std::size_t r = 0; r < heads; ++r) {
      std::vector<double> weights;
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) {
        const std::size_t i = row % n, key = row / n * n + j;
        if (op.causal && j > i) break;
        double score = 0;
        for (std::size_t c = 0; c < head; ++c)
          score += op.scale * x[{0, row, r * head + c}] * x[{0, key, (heads + r) * head + c}];
        const auto offset = static_cast<std::ptrdiff_t>(j) - static_cast<std::ptrdiff_t>(i);
        sum += weights.emplace_back(std::exp(score + added[{0, row, r * count + index_of(rule, offset)}]));
      }
      for (std::size_t c = 0; c < head; ++c) {
        double expected = 0;
        for (std::size_t j = 0; j < weights.size(); ++j)
          expected += weights[j] / sum * x[{0, row / n * n + j, (2 * heads + r) * head + c}];
        CHECK(found[{0, row, r * head + c}] == doctest::Approx(expected).epsilon(1e-12));
      }
    }
}

SequenceAttention sequence_op(bool causal, bool alibi) {
  return {.sequences = 2, .heads = 2, .scale = 0.7, .causal = causal, .alibi = alibi};
}

}  // namespace

TEST_CASE("attention of sequences is that of each by itself") {
  const Tensor64 self = random_in_double({1, 10, 12}, 1), q = random_in_double({1, 6, 4}, 2),
                 kv = random_in_double({1, 14, 8}, 3);
  for (const bool alibi : {false, true}) {
    for (const bool causal : {false, true}) check_by_flash(sequence_op(causal, alibi), self, self);
    check_by_flash(sequence_op(false, alibi), q, kv);
  }
}

TEST_CASE("attention of sequences adds to scores what each row has for the key’s offset") {
  for (const bool causal : {false, true}) {
    check_added(sequence_op(causal, false), Clip{2});
    check_added(sequence_op(causal, false), Buckets{.count = 4, .max_distance = 4, .causal = causal});
  }
}

TEST_CASE("what flows back through attention of sequences is what central differences say") {
  const Tensor64 self = random_in_double({1, 6, 12}, 4), q = random_in_double({1, 4, 4}, 5),
                 kv = random_in_double({1, 6, 8}, 6);
  for (const bool causal : {false, true}) {
    const SequenceAttention op = sequence_op(causal, causal);
    const Tensor64 g = random_in_double({1, 6, 4}, 7), of_q = random_in_double({1, 4, 4}, 8);
    check_differences(op, {self}, 0, g, run_in_double(SequenceGradient{op, 0}, std::vector{self, g}));
    for (const std::size_t of : {0, 1})
      check_differences(op, {q, kv}, of, of_q,
                        run_in_double(SequenceGradient{op, of}, std::vector{q, kv, of_q}));
    SequenceAttention adding = sequence_op(causal, false);
    adding.offsets = Clip{1};
    const Tensor64 added = random_in_double({1, 6, 6}, 13);
    for (const std::size_t of : {0, 1})
      check_differences(adding, {self, added}, of, g,
                        run_in_double(SequenceGradient{adding, of}, std::vector{self, added, g}));
  }
}

TEST_CASE("every number of attention of sequences is opened and followed where it goes") {
  const Tensor64 self = random_in_double({1, 6, 12}, 9), q = random_in_double({1, 4, 4}, 10),
                 kv = random_in_double({1, 6, 8}, 11), g = random_in_double({1, 6, 4}, 12);
  for (const bool causal : {false, true}) {
    const SequenceAttention op = sequence_op(causal, causal);
    check_opened(op, {to_float(self)}), check_opened(op, {to_float(q), to_float(kv)});
    check_opened(SequenceGradient{op, 0}, {to_float(self), to_float(g)});
    check_products(op, {to_float(self)});
  }
  SequenceAttention adding = sequence_op(false, false);
  adding.offsets = Clip{1};
  const Tensor64 added = random_in_double({1, 6, 6}, 14);
  check_reached(adding, {self, added});
  adding.causal = true;
  check_opened(adding, {to_float(self), to_float(added)});
  check_opened(SequenceGradient{adding, 1}, {to_float(self), to_float(added), to_float(g)});
  check_reached(sequence_op(false, false), {self}), check_reached(sequence_op(false, false), {q, kv});
}

TEST_CASE("sequences that do not fit are refused") {
  CHECK(why_refused(SequenceAttention{.sequences = 2, .heads = 2}, {{1, 5, 12}}) ==
        "attention of sequences of 5×12: the sequences must be equally long");
  CHECK(why_refused(SequenceAttention{.sequences = 1, .heads = 3}, {{1, 5, 12}}) ==
        "attention of sequences of 5×12: the heads must divide the width");
  CHECK(why_refused(SequenceAttention{}, {{1, 5, 4}, {1, 5, 9}}) ==
        "attention of sequences of 5×4: queries, keys and values must be of one width");
  CHECK(why_refused(SequenceAttention{}, {{1, 5, 195}}) ==
        "attention of sequences of 5×195: heads are at most 64 wide");
  CHECK(why_refused(SequenceAttention{}, {{1, 257, 3}}) ==
        "attention of sequences of 257×3: a sequence has at most 256 tokens");
  CHECK(why_refused(SequenceAttention{.offsets = Clip{1}}, {{1, 5, 3}, {1, 5, 4}}) ==
        "attention of sequences of 5×3: what is added by offset must be 5×3");
  CHECK_FALSE(why_refused(SequenceGradient{}, {{1, 5, 12}, {1, 5, 3}}).empty());
}
