// Features, the state, and what is read of it.
#include "core/efficient/linear_play.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/operations/feature_directions.h"
#include "core/operations/features_row.h"
#include "core/operations/matmul.h"

namespace attn {
namespace {

constexpr double kNoOutput = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kWorkAtOnce = std::size_t{1} << 20;  // products of a piece

double dot_of(const double* a, const double* b, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

std::span<const float> row_of(const Tensor& tensor, std::size_t matrix, std::size_t row) {
  return tensor.values().subspan(tensor.index({matrix, row, 0}), tensor.columns());
}

// φ of a row that is multiplied by `factor` first.
void feature_row(FeatureKind kind, std::span<const float> x, double factor, const Tensor& directions,
                 std::span<double> to) {
  const double root = std::sqrt(static_cast<double>(to.size()));
  for (std::size_t r = 0; r < to.size(); ++r)
    to[r] = kind == FeatureKind::random ? std::exp(random_exponent(factor, x, directions, r).value()) / root
                                        : feature_of(kind, factor * static_cast<double>(x[r]));
}

std::size_t key_head(const LinearTask& task) {
  return shared_matrix(task.head, task.k.stack(), task.q.stack());
}

Tensor directions_of(const LinearTask& task) {
  if (task.kind != FeatureKind::random) return {};
  return random_directions(task.q.columns(), task.directions, task.seed);
}

LinearFeatures empty_features(const LinearTask& task) {
  return {.width = task.features(),
          .queries = std::vector<double>(task.queries() * task.features()),
          .keys = std::vector<double>(task.keys() * task.features())};
}

// Queries first, the keys behind them.
void make_row(const LinearTask& task, const Tensor& directions, std::size_t row, LinearFeatures& features) {
  const double factor = task.kind == FeatureKind::random ? std::sqrt(task.scale) : 1;
  const std::size_t n = task.queries();
  const std::span<const float> x =
      row < n ? row_of(task.q, task.head, row) : row_of(task.k, key_head(task), row - n);
  double* to = row < n ? &features.queries[row * features.width] : &features.keys[(row - n) * features.width];
  feature_row(task.kind, x, factor, directions, {to, features.width});
}

// NaN where one is.
double largest_distance(const double* a, const double* b, std::size_t count) {
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double distance = std::abs(a[i] - b[i]);
    if (std::isnan(distance)) return distance;
    largest = std::max(largest, distance);
  }
  return largest;
}

// Softmax over the keys that it sees, times the values.
void read_exact(const LinearTask& task, std::size_t query, double* to) {
  const std::size_t seen = task.seen[query];
  const std::span<const float> q = row_of(task.q, task.head, query);
  std::vector<double> weights(seen);
  double most = -std::numeric_limits<double>::infinity(), sum = 0;
  for (std::size_t j = 0; j < seen; ++j) {
    const std::span<const float> k = row_of(task.k, key_head(task), j);
    for (std::size_t i = 0; i < q.size(); ++i)
      weights[j] += task.scale * static_cast<double>(q[i]) * static_cast<double>(k[i]);
    most = std::max(most, weights[j]);
  }
  for (double& weight : weights) sum += weight = std::exp(weight - most);
  for (std::size_t j = 0; j < seen; ++j)
    for (std::size_t c = 0; c < task.columns(); ++c) to[c] += weights[j] / sum * task.value(j, c);
}

// Inclusive, row by row, each doubling what the rows before have gathered.
void sum_prefixes(std::vector<double>& rows, std::size_t count, std::size_t width) {
  for (std::size_t step = 1; step < count; step *= 2)
    for (std::size_t row = count; row-- > step;)
      for (std::size_t i = 0; i < width; ++i) rows[row * width + i] += rows[(row - step) * width + i];
}

}  // namespace

std::size_t LinearTask::last() const {
  return seen.empty() ? 0 : *std::ranges::max_element(seen);
}

double LinearTask::value(std::size_t key, std::size_t column) const {
  return static_cast<double>(v[{key_head(*this), key, column}]);
}

std::optional<std::vector<std::size_t>> first_keys(const std::vector<MaskTerm>& masks, std::size_t queries,
                                                   std::size_t keys) {
  std::vector<std::size_t> seen;
  for (std::size_t query = 0; query < queries; ++query) {
    const MaskPlace place{queries, keys, query, 0, first_place(masks, queries, keys)};
    const std::vector<char> masked = MaskRow(masks, place).masked();
    const auto hidden = std::ranges::find_if(masked, [](char hides) { return hides != 0; });
    if (std::find(hidden, masked.end(), 0) != masked.end()) return std::nullopt;
    seen.push_back(static_cast<std::size_t>(hidden - masked.begin()));
  }
  return seen;
}

LinearFeatures features_of(const LinearTask& task) {
  const Tensor directions = directions_of(task);
  LinearFeatures features = empty_features(task);
  for (std::size_t row = 0; row < task.queries() + task.keys(); ++row)
    make_row(task, directions, row, features);
  return features;
}

void add_key(const LinearTask& task, const LinearFeatures& features, std::size_t key, RecurrentState& state) {
  const double* phi = features.key(key);
  const std::size_t columns = task.columns();
  std::vector<double> v(columns);
  for (std::size_t c = 0; c < columns; ++c) v[c] = task.value(key, c);
  for (std::size_t r = 0; r < features.width; ++r) {
    for (std::size_t c = 0; c < columns; ++c) state.s[r * columns + c] += phi[r] * v[c];
    state.z[r] += phi[r];
  }
}

RecurrentState state_after(const LinearTask& task, const LinearFeatures& features, std::size_t keys,
                           std::span<const RecurrentState> kept) {
  RecurrentState state{.s = std::vector<double>(features.width * task.columns()),
                       .z = std::vector<double>(features.width)};
  std::size_t key = 0;
  if (!kept.empty()) {
    const std::size_t last = std::min(keys / kKeptStates, kept.size() - 1);
    state = kept[last], key = last * kKeptStates;
  }
  for (; key < keys; ++key) add_key(task, features, key, state);
  return state;
}

std::vector<double> implied_weights(const LinearTask& task, const LinearFeatures& features) {
  std::vector<double> weights(task.queries() * task.keys());
  for (std::size_t i = 0; i < task.queries(); ++i) {
    double* row = &weights[i * task.keys()];
    double sum = 0;
    for (std::size_t j = 0; j < task.seen[i]; ++j)
      sum += row[j] = dot_of(features.query(i), features.key(j), features.width);
    for (std::size_t j = 0; j < task.seen[i]; ++j) row[j] = sum == 0 ? kNoOutput : row[j] / sum;
  }
  return weights;
}

LinearPlayer::LinearPlayer(LinearTask task) : task_(std::make_shared<const LinearTask>(std::move(task))) {
  const std::size_t n = task_->queries(), numbers = n * task_->columns();
  state_ = {.s = std::vector<double>(task_->features() * task_->columns()),
            .z = std::vector<double>(task_->features())};
  readings_ = {.outputs = std::vector<double>(numbers),
               .exact = std::vector<double>(numbers),
               .divisors = std::vector<double>(n),
               .errors = std::vector<double>(n)};
  readers_.resize(task_->last() + 1);
  for (std::size_t query = 0; query < n; ++query) readers_[task_->seen[query]].push_back(query);
}

bool LinearPlayer::step() {
  if (!features_) {
    make_features();
  } else if (!are_read()) {
    const std::size_t each = 2 * features_->width * task_->columns() + task_->keys() * task_->q.columns();
    for (std::size_t work = 0; work < kWorkAtOnce && !are_read(); work += each) take_key();
    if (are_read()) begin_check();
  } else if (!check_) {
    check_column(next_column_);
    if (next_column_++ == task_->columns()) check_ = checked_;
  }
  return check_.has_value();
}

void LinearPlayer::make_features() {
  if (next_row_ == 0) directions_ = directions_of(*task_), made_ = empty_features(*task_);
  const std::size_t rows = task_->queries() + task_->keys(), each = task_->q.columns() * made_.width;
  for (std::size_t work = 0; work < kWorkAtOnce && next_row_ < rows; work += each)
    make_row(*task_, directions_, next_row_++, made_);
  if (next_row_ == rows) features_ = std::make_shared<const LinearFeatures>(std::move(made_));
}

void LinearPlayer::take_key() {
  if (next_key_ > 0) add_key(*task_, *features_, next_key_ - 1, state_);
  if (next_key_ % kKeptStates == 0) readings_.kept.push_back(state_);
  for (const std::size_t query : readers_[next_key_]) read(query);
  ++next_key_;
}

void LinearPlayer::read(std::size_t query) {
  if (task_->seen[query] == 0) return;
  const double* phi = features_->query(query);
  const std::size_t columns = task_->columns(), first = query * columns;
  const double divisor = dot_of(phi, state_.z.data(), features_->width);
  readings_.divisors[query] = divisor;
  double* output = &readings_.outputs[first];
  for (std::size_t r = 0; r < features_->width; ++r)
    for (std::size_t c = 0; c < columns; ++c) output[c] += phi[r] * state_.s[r * columns + c];
  for (std::size_t c = 0; c < columns; ++c) output[c] = divisor == 0 ? kNoOutput : output[c] / divisor;
  double* exact = &readings_.exact[first];
  read_exact(*task_, query, exact);
  readings_.errors[query] = largest_distance(output, exact, columns);
}

// Features are 0 or more: a sum of n·r products is off by at most (n + r + 1)·u of what they come to without
// signs, which is z·max|v| above and z below the line. A quotient is then off by (2(n + r + 1) + 1)·u·max|v|,
// and two of them by twice that; u = ε/2.
void LinearPlayer::begin_check() {
  double most = 0;
  for (std::size_t key = 0; key < task_->last(); ++key)
    for (std::size_t c = 0; c < task_->columns(); ++c) most = std::max(most, std::abs(task_->value(key, c)));
  const double terms = static_cast<double>(task_->last() + task_->features() + 1);
  checked_.accepted = (2 * terms + 1) * std::numeric_limits<double>::epsilon() * most;
  divisors_.assign(task_->queries(), 0);
}

// Column 0 is z, the others the values'.
void LinearPlayer::check_column(std::size_t column) {
  const std::size_t width = features_->width, count = task_->last();
  std::vector<double> sums(features_->keys.begin(),
                           features_->keys.begin() + static_cast<std::ptrdiff_t>(count * width));
  if (column > 0)
    for (std::size_t key = 0; key < count; ++key)
      for (std::size_t r = 0; r < width; ++r) sums[key * width + r] *= task_->value(key, column - 1);
  sum_prefixes(sums, count, width);
  for (std::size_t query = 0; query < task_->queries(); ++query) {
    const std::size_t seen = task_->seen[query];
    if (seen == 0) continue;
    const double sum = dot_of(features_->query(query), &sums[(seen - 1) * width], width);
    if (column == 0) {
      divisors_[query] = sum;
      continue;
    }
    const double output = readings_.outputs[query * task_->columns() + column - 1];
    const double distance = std::abs(sum / divisors_[query] - output);
    if (std::isfinite(distance)) checked_.distance = std::max(checked_.distance, distance);
  }
}

}  // namespace attn
