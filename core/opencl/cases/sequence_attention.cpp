// Attention of sequences around vectors of 4 to 16 keys and numbers, and few queries: to themselves and to
// others, causal and not, with ALiBi and with numbers that are added by offset.
#include "core/operations/sequence_attention.h"

#include <algorithm>
#include <cmath>

#include "core/opencl/cases/family.h"
#include "core/opencl/cases/flash.h"
#include "core/operations/sequence_row.h"

namespace attn::opencl {
namespace {

struct SequenceSize {
  std::size_t sequences, queries, keys, heads, head;
  bool self;
};

std::vector<SequenceSize> sequence_sizes(Scope scope) {
  switch (scope) {
    case Scope::self_test:
      return {{2, 9, 9, 2, 5, true}, {2, 5, 18, 1, 17, false}};
    case Scope::comparison:
      return {{1, 1, 1, 1, 1, true},    {3, 4, 4, 2, 4, true},   {2, 17, 17, 3, 16, true},
              {1, 33, 33, 1, 20, true}, {2, 9, 9, 2, 5, true},   {2, 5, 18, 1, 17, false},
              {2, 1, 7, 2, 3, false},   {1, 19, 6, 1, 8, false}, {1, 5, 256, 1, 64, false}};
    case Scope::shapes:
      return {{2, 9, 9, 2, 5, true}, {2, 5, 18, 1, 17, false}, {1, 6, 3, 1, 4, false}};
    case Scope::long_grids:
      return {{520, 2, 2, 33, 1, true}};
    case Scope::benchmark:
      return {{32, 32, 32, 4, 16, true}};
  }
  return {};
}

std::vector<Tensor> sequence_inputs(const SequenceSize& s, Kind kind, std::uint64_t seed,
                                    const std::optional<OffsetRule>& offsets = {}) {
  const std::size_t width = s.heads * s.head, rows = s.sequences * s.queries;
  std::vector<Tensor> inputs;
  if (s.self)
    inputs = {up_to_one({1, rows, 3 * width}, kind, seed)};
  else
    inputs = {up_to_one({1, rows, width}, kind, seed),
              up_to_one({1, s.sequences * s.keys, 2 * width}, kind, seed + 1)};
  if (offsets) inputs.push_back(up_to_one({1, rows, s.heads * index_count(*offsets)}, kind, seed + 3));
  return inputs;
}

struct Addition {
  const char* words;
  bool alibi = false;
  std::optional<OffsetRule> offsets = {};
};
std::vector<Addition> additions() {
  return {
      {.words = ""},
      {.words = ", ALiBi", .alibi = true},
      {.words = ", clipped offsets", .offsets = Clip{3}},
      {.words = ", buckets of offsets", .offsets = Buckets{.count = 6, .max_distance = 12, .causal = false}}};
}

template <class Add>
void over_sequences(Scope scope, Add add) {
  std::uint64_t seed = 8000;
  for (const SequenceSize& s : sequence_sizes(scope))
    for (const bool causal : {false, true})
      for (const Addition& added : additions())
        add(std::to_string(s.sequences) + " of " + std::to_string(s.queries) + " to " +
                std::to_string(s.keys) + ", " + std::to_string(s.heads) + " heads of " +
                std::to_string(s.head) + (s.self ? ", self" : "") + (causal ? ", causal" : "") + added.words,
            SequenceAttention{.sequences = s.sequences,
                              .heads = s.heads,
                              .scale = 10 / std::sqrt(static_cast<double>(s.head)),
                              .causal = causal,
                              .alibi = added.alibi,
                              .offsets = added.offsets},
            s, seed += 5);
}

// Scores of thousands, off by whole numbers in float.
void add_overgrown(std::vector<Case>& cases, Scope scope, bool back) {
  if (scope != Scope::comparison) return;
  const SequenceSize size{2, 9, 9, 2, 5, true};
  const SequenceAttention op{.sequences = 2, .heads = 2, .scale = 3e6};
  std::vector<Tensor> inputs = sequence_inputs(size, Kind::ordinary, 9100);
  if (!back) return cases.push_back({"overgrown scores", op, std::move(inputs)});
  inputs.push_back(up_to_one({1, 18, 10}, Kind::ordinary, 9101));
  cases.push_back({"overgrown scores", SequenceGradient{op, 0}, std::move(inputs)});
}

std::vector<Case> sequence_cases(Scope scope) {
  std::vector<Case> cases;
  over_sequences(scope, [&](const std::string& words, const SequenceAttention& op, const SequenceSize& s,
                            std::uint64_t seed) {
    cases.push_back({words, op, sequence_inputs(s, Kind::ordinary, seed, op.offsets)});
  });
  add_overgrown(cases, scope, false);
  return cases;
}

std::vector<Case> sequence_back_cases(Scope scope) {
  std::vector<Case> cases;
  over_sequences(scope, [&](const std::string& words, const SequenceAttention& op, const SequenceSize& s,
                            std::uint64_t seed) {
    std::vector<Tensor> inputs = sequence_inputs(s, Kind::ordinary, seed, op.offsets);
    const std::size_t all = inputs.size();
    for (std::size_t of = 0; of < all; ++of) {
      inputs.resize(all);
      inputs.push_back(up_to_one({1, s.sequences * s.queries, s.heads * s.head}, Kind::ordinary, seed + 2));
      cases.push_back({words + ", of input " + std::to_string(of), SequenceGradient{op, of}, inputs});
    }
  });
  add_overgrown(cases, scope, true);
  return cases;
}

constexpr double kNoWeight = 5e-18;  // at most: it becomes 0 (weight_below of sequence_attention.cl)

// How far the weights of a row may be off, relative, each: a score by the roundings of its sum of floats
// (Higham 2002, section 3.1) and of what is done to it, an exponential by 2^-21.3 (flash_tiles.cl), their sum
// by its roundings.
double weights_error(const SequenceAttention& op, std::span<const Tensor> inputs,
                     const SequenceRow<float>& row, std::size_t of_query, std::size_t column) {
  const auto& s = row.sides;
  const auto q = inputs[0].values().subspan(of_query * s.query_row + column, s.head);
  double largest = 0;
  for (std::size_t j = 0; j < row.weights.size(); ++j) {
    const auto k = row.numbers(inputs, j, s.first_key);
    double size = 0;
    for (std::size_t i = 0; i < s.head; ++i)
      size += std::abs(static_cast<double>(q[i]) * static_cast<double>(k[i]));
    double bias = op.alibi ? static_cast<double>(s.keys + s.queries) : 0;
    if (op.offsets)
      bias += std::abs(static_cast<double>(inputs.back().values()[row.added_place(op, of_query, j)]));
    largest = std::max(largest, op.scale * size * static_cast<double>(s.head + 4) + 4 * bias);
  }
  return 2.1 * largest * kUnit + 2 * 0x1p-21 + static_cast<double>(row.weights.size() + 8) * kUnit;
}

// How far a weight may be off then. Scores that are themselves off by more than a tenth, as those of a model
// whose numbers grow beyond all bounds, leave it anything from 0 to 1.
constexpr double kMostRelative = 0.1;
double weight_error(double weight, double off) {
  return off < kMostRelative ? weight * off : 1;
}

// What all numbers of a result may be off, in one pass over the queries: `to` by input, or of the output.
struct SequenceErrors {
  std::vector<double> output;
  std::vector<std::vector<double>> inputs;
};

// Of one query in one head. dO·v is off by the roundings of its sum, dS by that and by what weights are off,
// twice in their mean; sums over keys and queries are those of floats.
void add_errors(const SequenceAttention& op, std::span<const Tensor> inputs, std::span<const float> g,
                std::size_t of_query, std::size_t column, SequenceErrors& to) {
  const SequenceRow<float> row(op, inputs, of_query, column);
  const auto& s = row.sides;
  const double off = weights_error(op, inputs, row, of_query, column), d = static_cast<double>(s.head);
  const double keys = static_cast<double>(s.keys + 4) * kUnit,
               queries = static_cast<double>(s.queries + 4) * kUnit;
  const auto q = inputs[0].values().subspan(of_query * s.query_row + column, s.head);
  std::vector<double> sizes;
  double mean = 0;
  for (std::size_t j = 0; j < row.weights.size(); ++j) {
    const auto v = row.values(inputs, j);
    double size = 0;
    for (std::size_t i = 0; i < s.head; ++i) {
      to.output[of_query * s.width + column + i] +=
          std::abs(static_cast<double>(v[i])) *
          (weight_error(row.weights[j], off) + row.weights[j] * keys + kNoWeight);
      if (!g.empty()) size += std::abs(static_cast<double>(g[i]) * static_cast<double>(v[i]));
    }
    sizes.push_back(size), mean += row.weights[j] * size;
  }
  if (g.empty()) return;
  for (std::size_t j = 0; j < row.weights.size(); ++j) {
    const auto k = row.numbers(inputs, j, s.first_key);
    const double of_score = row.weights[j] * (sizes[j] + mean), size = op.scale * of_score;
    const double of_weights = off < kMostRelative ? 2 * off * of_score : 2 * std::ranges::max(sizes);
    const double to_score =
        of_weights + of_score * ((2 * d + 8) * kUnit + keys) + kNoWeight * (sizes[j] + 2 * mean);
    const double flow = op.scale * to_score;
    if (op.offsets) to.inputs.back()[row.added_place(op, of_query, j)] += to_score + of_score * keys;
    double* dq = to.inputs[0].data() + of_query * s.query_row + column;
    double* dk = to.inputs[s.of_keys].data() + (row.sequence * s.keys + j) * s.key_row + s.first_key + column;
    for (std::size_t i = 0; i < s.head; ++i) {
      dq[i] += (flow + size * keys) * std::abs(static_cast<double>(k[i]));
      dk[i] += (flow + size * queries) * std::abs(static_cast<double>(q[i]));
      dk[s.width + i] += std::abs(static_cast<double>(g[i])) *
                         (weight_error(row.weights[j], off) + row.weights[j] * queries + kNoWeight);
    }
  }
}

// Of the queries of one sequence.
SequenceErrors sequence_errors(const SequenceAttention& op, std::span<const Tensor> inputs, const Tensor& g,
                               std::size_t sequence) {
  SequenceErrors errors;
  for (const Tensor& input : inputs) errors.inputs.emplace_back(input.shape().size());
  const std::size_t width = SequenceSides(op, SequenceRow<float>::shapes_of(inputs)).width,
                    head = width / op.heads;
  errors.output.resize(inputs[0].rows() * width);
  const std::size_t queries = inputs[0].rows() / op.sequences;
  for (std::size_t row = sequence * queries; row < (sequence + 1) * queries; ++row)
    for (std::size_t column = 0; column < width; column += head)
      add_errors(op, inputs,
                 g.empty() ? std::span<const float>() : g.values().subspan(row * width + column, head), row,
                 column, errors);
  return errors;
}

std::vector<double> some_of(const std::vector<double>& all, std::size_t row,
                            std::span<const double> reference, const Arithmetic& arithmetic) {
  std::vector<double> tolerances;
  for (std::size_t j = 0; j < reference.size(); ++j)
    tolerances.push_back(all[row * reference.size() + j] + spacing_at(reference[j], arithmetic));
  return tolerances;
}

std::vector<double> sequence_tolerances(const Case& c, std::size_t, std::size_t row,
                                        std::span<const double> reference, const Arithmetic& arithmetic) {
  const auto& op = std::get<SequenceAttention>(c.operation);
  return some_of(sequence_errors(op, c.inputs, {}, row / (c.inputs[0].rows() / op.sequences)).output, row,
                 reference, arithmetic);
}
std::vector<double> sequence_back_tolerances(const Case& c, std::size_t, std::size_t row,
                                             std::span<const double> reference,
                                             const Arithmetic& arithmetic) {
  const auto& op = std::get<SequenceGradient>(c.operation);
  const auto inputs = std::span(c.inputs).first(c.inputs.size() - 1);
  const std::size_t sequence = row / (inputs[op.of].rows() / op.forward.sequences);
  return some_of(sequence_errors(op.forward, inputs, c.inputs.back(), sequence).inputs[op.of], row, reference,
                 arithmetic);
}

// Only rows are asked for, as whoever compares does.
double not_by_cell(const Case&, Cell, double, const Arithmetic&) {
  return 0;
}

}  // namespace

Declaration declared(Of<SequenceAttention>) {
  return {SequenceAttention::kName, sequence_cases, not_by_cell, sequence_tolerances};
}
Declaration declared(Of<SequenceGradient>) {
  return {SequenceGradient::kName, sequence_back_cases, not_by_cell, sequence_back_tolerances};
}

template Declaration declaration<SequenceAttention>();
template Declaration declaration<SequenceGradient>();

}  // namespace attn::opencl
