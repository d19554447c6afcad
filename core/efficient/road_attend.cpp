// Attention by plain loops in double: of some pairs, by tiles, and linear.
#include <algorithm>
#include <cmath>

#include "core/efficient/road_features.h"
#include "core/efficient/roads.h"

namespace attn {
namespace {

constexpr double kNoRoadScore = -std::numeric_limits<double>::infinity();
constexpr double kNoRoadNumber = std::numeric_limits<double>::quiet_NaN();

double road_score(const RoadHead& head, std::size_t i, std::size_t j) {
  double product = 0;
  for (std::size_t c = 0; c < head.width; ++c)
    product += head.q[i * head.width + c] * head.k[j * head.width + c];
  double score = head.op.scale * product;
  if (head.op.cap != 0) score = head.op.cap * std::tanh(score / head.op.cap);
  return head.bias.empty() ? score : score + head.bias[i * head.keys + j];
}

void collect_value(const RoadHead& head, std::size_t i, std::size_t j, double weight, Attended& found) {
  for (std::size_t c = 0; c < head.value_width; ++c)
    found.output[i * head.value_width + c] += weight * head.v[j * head.value_width + c];
}

Attended nothing_attended(const RoadHead& head) {
  return {std::vector<double>(head.queries * head.keys),
          std::vector<double>(head.queries * head.value_width)};
}

// A row without a key: as the layer says.
void leave_row_empty(const RoadHead& head, std::size_t i, Attended& found) {
  if (head.op.empty_row == EmptyRow::zeros) return;
  const bool uniform = head.op.empty_row == EmptyRow::uniform;
  const double weight = uniform ? 1 / static_cast<double>(head.keys) : kNoRoadNumber;
  for (std::size_t j = 0; j < head.keys; ++j) {
    found.weights[i * head.keys + j] = weight;
    collect_value(head, i, j, weight, found);
  }
}

}  // namespace

Attended attend(const RoadHead& head, const PairSet& kept) {
  Attended found = nothing_attended(head);
  for (std::size_t i = 0; i < head.queries; ++i) {
    double* row = &found.weights[i * head.keys];
    double largest = head.op.with_one ? 0 : kNoRoadScore, sum = 0;
    for (std::size_t j = 0; j < head.keys; ++j)
      if (kept.at(i, j)) {
        row[j] = road_score(head, i, j);
        largest = row[j] > largest || std::isnan(row[j]) ? row[j] : largest;
      }
    if (largest == kNoRoadScore) {
      std::fill(row, row + head.keys, 0.0);
      leave_row_empty(head, i, found);
      continue;
    }
    if (head.op.with_one) sum = std::exp(-largest);
    for (std::size_t j = 0; j < head.keys; ++j)
      if (kept.at(i, j)) sum += row[j] = std::exp(row[j] - largest);
    for (std::size_t j = 0; j < head.keys; ++j)
      if (kept.at(i, j)) collect_value(head, i, j, row[j] /= sum, found);
  }
  return found;
}

Attended attend_by_tiles(const RoadHead& head, std::size_t columns) {
  Attended found = nothing_attended(head);
  for (std::size_t i = 0; i < head.queries; ++i) {
    double* row = &found.weights[i * head.keys];
    double* output = &found.output[i * head.value_width];
    double m = head.op.with_one ? 0 : kNoRoadScore, l = head.op.with_one ? 1 : 0;
    for (std::size_t first = 0; first < head.keys; first += columns) {
      const std::size_t last = std::min(head.keys, first + columns);
      double largest = m;
      for (std::size_t j = first; j < last; ++j)
        if (head.allowed.at(i, j)) {
          row[j] = road_score(head, i, j);
          largest = row[j] > largest || std::isnan(row[j]) ? row[j] : largest;
        }
      if (largest == kNoRoadScore) continue;
      const double factor = std::exp(m - largest);  // 0 where nothing was before
      for (std::size_t c = 0; c < head.value_width; ++c) output[c] *= factor;
      l *= factor, m = largest;
      for (std::size_t j = first; j < last; ++j)
        if (head.allowed.at(i, j)) {
          const double weight = std::exp(row[j] - m);
          l += weight;
          collect_value(head, i, j, weight, found);
        }
    }
    if (m == kNoRoadScore) {
      std::fill(row, row + head.keys, 0.0);
      leave_row_empty(head, i, found);
      continue;
    }
    for (std::size_t j = 0; j < head.keys; ++j)
      if (head.allowed.at(i, j)) row[j] = std::exp(row[j] - m) / l;
    for (std::size_t c = 0; c < head.value_width; ++c) output[c] /= l;
  }
  return found;
}

Attended attend_linear(const RoadHead& head, FeatureKind kind, const Tensor& directions) {
  const double scale = feature_scale(kind, head.op.scale);
  const std::vector<double> q = features_of_rows(kind, head.q, head.width, scale, directions);
  const std::vector<double> k = features_of_rows(kind, head.k, head.width, scale, directions);
  const std::size_t count = q.size() / head.queries;
  Attended found = nothing_attended(head);
  for (std::size_t i = 0; i < head.queries; ++i) {
    double* row = &found.weights[i * head.keys];
    double z = 0;
    bool sees = false;
    for (std::size_t j = 0; j < head.keys; ++j) {
      if (!head.allowed.at(i, j)) continue;
      sees = true;
      for (std::size_t r = 0; r < count; ++r) row[j] += q[i * count + r] * k[j * count + r];
      z += row[j];
    }
    if (!sees) continue;  // output 0, as of a row without a key
    // All features 0: there is no output.
    for (std::size_t j = 0; j < head.keys; ++j)
      if (head.allowed.at(i, j))
        collect_value(head, i, j, row[j] = z == 0 ? kNoRoadNumber : row[j] / z, found);
  }
  return found;
}

}  // namespace attn
