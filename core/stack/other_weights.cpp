// The null space by its complement, a polygon by cutting half-planes off a square.
#include "core/stack/other_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/reference/row_space.h"

namespace attn {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// Keys that are asked for the direction of theirs: those that the null space leaves the most of. Of 1024 keys
// each takes about half a millisecond.
constexpr std::size_t kMostAsked = 32;

double at(const std::vector<float>& values, std::size_t i) {
  return static_cast<double>(values[i]);
}

// [Vᵀ; 1ᵀ] over the keys seen, V divided by its largest number: the null space is the same, and no row is so
// small that rounding of another hides it.
DoubleMatrix constraints(const MixedRow& row) {
  const std::size_t keys = row.seen.size();
  double most = 0;
  for (const std::size_t key : row.seen)
    for (std::size_t f = 0; f < row.width; ++f)
      most = std::max(most, std::abs(at(row.values, key * row.width + f)));
  DoubleMatrix matrix{row.width + 1, keys, std::vector<double>((row.width + 1) * keys, 1)};
  for (std::size_t f = 0; f < row.width; ++f)
    for (std::size_t j = 0; j < keys; ++j)
      matrix.values[f * keys + j] = most > 0 ? at(row.values, row.seen[j] * row.width + f) / most : 0;
  return matrix;
}

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void take_away(std::vector<double>& from, double share, std::span<const double> of) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] -= share * of[i];
}

// What is left of a direction at right angles to the rows of a basis and to another direction, of length 1.
// Twice: what rounding left the first time goes the second. Empty: nothing is left but rounding; as much of a
// key alone is 0, so that a weight of 0 there bounds nothing.
std::vector<double> left_of(std::vector<double> direction, const DoubleMatrix& basis,
                            const std::vector<double>& other) {
  const double rounding = kEpsilon * static_cast<double>(direction.size() + basis.rows);
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t r = 0; r < basis.rows; ++r) {
      const std::span of = std::span(basis.values).subspan(r * basis.columns, basis.columns);
      take_away(direction, dot(direction, of), of);
    }
    if (!other.empty()) take_away(direction, dot(direction, other), other);
    const double length = std::sqrt(dot(direction, direction));
    if (!(length > rounding)) return {};
    for (double& x : direction) x /= length;
  }
  for (double& x : direction)
    if (std::abs(x) <= rounding) x = 0;
  return direction;
}

// How far along a direction weights can go before one is 0, up and down.
std::array<double, 2> reach(const std::vector<double>& weights, const std::vector<double>& direction) {
  std::array<double, 2> found{std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::infinity()};
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (direction[j] < 0) found[0] = std::min(found[0], weights[j] / -direction[j]);
    if (direction[j] > 0) found[1] = std::min(found[1], weights[j] / direction[j]);
  }
  return found;
}

// ½Σ|a − b| at the farther end.
double moved_along(const std::vector<double>& weights, const std::vector<double>& direction) {
  const auto [up, down] = reach(weights, direction);
  double sum = 0;
  for (const double x : direction) sum += std::abs(x);
  return std::max(up, down) * sum / 2;
}

// The keys that the null space leaves the most of, ascending: 1 − Σ (row of the basis)² of their column.
std::vector<std::size_t> asked_keys(const DoubleMatrix& basis) {
  std::vector<double> left(basis.columns, 1);
  for (std::size_t i = 0; i < basis.values.size(); ++i)
    left[i % basis.columns] -= basis.values[i] * basis.values[i];
  std::vector<std::size_t> keys(basis.columns);
  std::iota(keys.begin(), keys.end(), std::size_t{0});
  std::ranges::stable_sort(keys, [&](std::size_t a, std::size_t b) { return left[a] > left[b]; });
  keys.resize(std::min(keys.size(), kMostAsked));
  std::ranges::sort(keys);
  return keys;
}

// Of all keys the free direction along which the most weight can move; empty: nothing is free.
std::vector<double> farthest_direction(const std::vector<double>& weights, const DoubleMatrix& basis,
                                       const std::vector<std::size_t>& keys,
                                       const std::vector<double>& first) {
  std::vector<double> best;
  double most = -1;
  for (const std::size_t key : keys) {
    std::vector<double> unit(basis.columns, 0);
    unit[key] = 1;
    std::vector<double> direction = left_of(std::move(unit), basis, first);
    if (direction.empty()) continue;
    const double moved = moved_along(weights, direction);
    if (moved > most) most = moved, best = std::move(direction);
  }
  return best;
}

double cross(PlanePoint a, PlanePoint b, PlanePoint c) {
  return (b.across - a.across) * (c.up - a.up) - (b.up - a.up) * (c.across - a.across);
}

// What of a polygon has weight + across·x + up·y ≥ 0 (Sutherland, Hodgman 1974).
std::vector<PlanePoint> cut(const std::vector<PlanePoint>& polygon, double weight, double across, double up) {
  std::vector<PlanePoint> left;
  const auto room = [&](PlanePoint p) { return weight + across * p.across + up * p.up; };
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const PlanePoint here = polygon[i], next = polygon[(i + 1) % polygon.size()];
    const double a = room(here), b = room(next);
    if (a >= 0) left.push_back(here);
    if ((a < 0) == (b < 0)) continue;
    const double share = a / (a - b);
    left.push_back(
        {here.across + share * (next.across - here.across), here.up + share * (next.up - here.up)});
  }
  return left;
}

// Without corners that rounding alone tells from their neighbours, and those on a straight side; none of a
// polygon that is no wider than that.
std::vector<PlanePoint> tidy(std::vector<PlanePoint> polygon, double size) {
  const double same = 64 * kEpsilon * size;
  const auto near = [&](PlanePoint a, PlanePoint b) {
    return std::hypot(a.across - b.across, a.up - b.up) <= same;
  };
  for (std::size_t i = 0; i < polygon.size() && polygon.size() > 1;)
    near(polygon[i], polygon[(i + 1) % polygon.size()])
        ? void(polygon.erase(polygon.begin() + static_cast<std::ptrdiff_t>(i)))
        : void(++i);
  for (std::size_t i = 0; i < polygon.size() && polygon.size() > 2;) {
    const PlanePoint before = polygon[(i + polygon.size() - 1) % polygon.size()],
                     behind = polygon[(i + 1) % polygon.size()];
    const double side = std::hypot(behind.across - before.across, behind.up - before.up);
    std::abs(cross(before, polygon[i], behind)) <= same* side
        ? void(polygon.erase(polygon.begin() + static_cast<std::ptrdiff_t>(i)))
        : void(++i);
  }
  return polygon.size() > 1 ? polygon : std::vector<PlanePoint>();
}

std::vector<PlanePoint> corners_of(const std::vector<double>& weights,
                                   const std::array<std::vector<double>, 2>& directions) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (directions[1].empty()) {
    const auto [up, down] = reach(weights, directions[0]);
    return tidy({{-down, 0}, {up, 0}}, sum);
  }
  // |b − a| ≤ Σ a + Σ b = 2·Σ a, and directions have length 1: this square holds all of it.
  const double far = 2 * sum;
  std::vector<PlanePoint> polygon{{-far, -far}, {far, -far}, {far, far}, {-far, far}};
  for (std::size_t j = 0; j < weights.size(); ++j)
    polygon = cut(polygon, weights[j], directions[0][j], directions[1][j]);
  return tidy(std::move(polygon), sum);
}

std::string refusal(const MixedRow& row) {
  for (const std::size_t key : row.seen) {
    if (!std::isfinite(row.weights[key])) return "a weight of this row is no number";
    if (row.weights[key] < 0) return "a weight of this row is below 0";
    for (std::size_t f = 0; f < row.width; ++f)
      if (!std::isfinite(row.values[key * row.width + f])) return "a value that it sees is no number";
  }
  return {};
}

// By key of all keys.
std::vector<double> spread(const MixedRow& row, const std::vector<double>& of_seen) {
  std::vector<double> all(of_seen.empty() ? 0 : row.weights.size(), 0);
  for (std::size_t j = 0; j < of_seen.size(); ++j) all[row.seen[j]] = of_seen[j];
  return all;
}

}  // namespace

std::size_t OtherWeights::bytes() const {
  return (directions[0].capacity() + directions[1].capacity()) * sizeof(double) +
         corners.capacity() * sizeof(PlanePoint);
}

OtherWeights other_weights(const MixedRow& row) {
  OtherWeights found{.refused = refusal(row)};
  if (!found.refused.empty() || row.seen.empty()) return found;
  const DoubleMatrix basis = row_space(constraints(row));
  found.rank = basis.rows, found.free = row.seen.size() - basis.rows;
  if (found.free == 0) return found;
  std::vector<double> weights;
  for (const std::size_t key : row.seen) weights.push_back(at(row.weights, key));
  const std::vector<std::size_t> keys = asked_keys(basis);
  std::array<std::vector<double>, 2> directions;
  directions[0] = farthest_direction(weights, basis, keys, {});
  if (found.free > 1) directions[1] = farthest_direction(weights, basis, keys, directions[0]);
  for (std::size_t i = 0; i < directions.size(); ++i) found.directions[i] = spread(row, directions[i]);
  found.corners = corners_of(weights, directions);
  double most = -1;
  for (const PlanePoint corner : found.corners)
    if (const double moved = weight_moved(row, weights_at(row, found, corner)); moved > most)
      most = moved, found.farthest = corner;
  return found;
}

std::vector<double> weights_at(const MixedRow& row, const OtherWeights& others, PlanePoint point) {
  std::vector<double> found(row.weights.begin(), row.weights.end());
  for (const std::size_t key : row.seen) {
    const auto along = [&](std::size_t i) {
      return others.directions[i].empty() ? 0 : others.directions[i][key];
    };
    found[key] = std::max(0.0, found[key] + point.across * along(0) + point.up * along(1));
  }
  return found;
}

PlanePoint point_of(const MixedRow& row, const OtherWeights& others, std::span<const double> weights) {
  std::vector<double> change(weights.begin(), weights.end());
  for (std::size_t key = 0; key < change.size(); ++key) change[key] -= at(row.weights, key);
  const auto along = [&](std::size_t i) {
    return others.directions[i].empty() ? 0 : dot(change, others.directions[i]);
  };
  return {along(0), along(1)};
}

PlanePoint nearest_other(const OtherWeights& others, PlanePoint to) {
  const std::vector<PlanePoint>& corners = others.corners;
  bool inside = corners.size() > 2;
  for (std::size_t i = 0; i < corners.size() && inside; ++i)
    inside = cross(corners[i], corners[(i + 1) % corners.size()], to) >= 0;
  if (inside) return to;
  PlanePoint best;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const PlanePoint a = corners[i], b = corners[(i + 1) % corners.size()];
    const double x = b.across - a.across, y = b.up - a.up, square = x * x + y * y;
    const double share = std::clamp(((to.across - a.across) * x + (to.up - a.up) * y) / square, 0.0, 1.0);
    const PlanePoint near{a.across + share * x, a.up + share * y};
    const double distance = std::hypot(to.across - near.across, to.up - near.up);
    if (distance < least) least = distance, best = near;
  }
  return best;
}

double weight_moved(const MixedRow& row, std::span<const double> others) {
  double sum = 0;
  for (std::size_t key = 0; key < others.size(); ++key) sum += std::abs(at(row.weights, key) - others[key]);
  return sum / 2;
}

double output_moved(const MixedRow& row, std::span<const double> others) {
  double most = 0;
  for (std::size_t f = 0; f < row.width; ++f) {
    double sum = 0;
    for (std::size_t key = 0; key < others.size(); ++key)
      sum += (others[key] - at(row.weights, key)) * at(row.values, key * row.width + f);
    most = std::max(most, std::abs(sum));
  }
  return most;
}

// With k keys, r = d_v + 1 rows and the largest value v: a direction of length 1 is at right angles to a row
// of [Vᵀ; 1ᵀ] up to max(k, r)·ε·σ₁ for the singular values that count as 0, σ₁ ≤ v·√(k·r), and (k + r)·ε
// times the length of the row, at most v·√k, for its own rounding; b is at most 2·Σa of it away, and Σ (b −
// a)·V rounds k times, products of at most v·Σa.
double output_rounding(const MixedRow& row) {
  double most = 1, sum = 0;
  for (const float value : row.values) most = std::max(most, std::abs(static_cast<double>(value)));
  for (const float weight : row.weights) sum += static_cast<double>(weight);
  const auto keys = static_cast<double>(row.seen.size()), rows = static_cast<double>(row.width + 1);
  return 4 * (keys + rows) * kEpsilon * std::sqrt(keys * rows) * most * sum;
}

}  // namespace attn
