// Mechanisms that mix tokens, and their gradients, as plain loops over numbers that count: what the reference
// does not compute. One head at a time.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "core/cost/count.h"
#include "tests/core/counted.h"

namespace attn::tests {

using Row = std::vector<Counted>;
using Rows = std::vector<Row>;
using Tallies = std::map<CostStage, Tally>;

// What is done while it lives belongs to a stage.
class Meter {
 public:
  Meter(Tallies& tallies, CostStage stage) : sum_(tallies[stage]), before_(tally) {}
  ~Meter() { sum_ += tally - before_; }
  Meter(const Meter&) = delete;

 private:
  Tally& sum_;
  Tally before_;
};

inline Counted dot(const Row& a, const Row& b) {
  Counted sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
inline void add_times(Row& to, const Row& row, Counted factor) {
  for (std::size_t i = 0; i < row.size(); ++i) to[i] += row[i] * factor;
}
inline Rows zeros(const Rows& like) {
  return Rows(like.size(), Row(like.empty() ? 0 : like[0].size()));
}

struct Mixing {
  Rows q, k, v;
};

// Attention over the pairs for which `reached` holds; keys count through the past too, queries stand last.
struct ScoresLoop {
  using Reached = std::function<bool(std::size_t i, std::size_t j)>;
  Reached reached;
  Counted scale = 0.5;
  Rows weights = {}, output = {};
  Row maxima = {}, sums = {};

  std::vector<std::size_t> keys(const Mixing& x, std::size_t i) const {
    std::vector<std::size_t> list;
    for (std::size_t j = 0; j < x.k.size(); ++j)
      if (reached(i + x.k.size() - x.q.size(), j)) list.push_back(j);
    return list;
  }

  void forward(const Mixing& x, Tallies& tallies) {
    weights.assign(x.q.size(), {}), output = zeros(x.q), maxima = sums = Row(x.q.size());
    for (std::size_t i = 0; i < x.q.size(); ++i) {
      const auto list = keys(x, i);
      Row& row = weights[i];
      {
        const Meter meter(tallies, CostStage::scores);
        for (const std::size_t j : list) row.push_back(dot(x.q[i], x.k[j]));
      }
      {
        const Meter meter(tallies, CostStage::scaled);
        for (Counted& score : row) score *= scale;
      }
      {
        const Meter meter(tallies, CostStage::weights);
        maxima[i] = -1e300;
        for (const Counted score : row)
          if (score > maxima[i]) maxima[i] = score;
        for (Counted& score : row) score = exp(score - maxima[i]);
        for (const Counted e : row) sums[i] += e;
        for (Counted& e : row) e = e / sums[i];
      }
      const Meter meter(tallies, CostStage::head_output);
      for (std::size_t a = 0; a < list.size(); ++a) add_times(output[i], x.v[list[a]], row[a]);
    }
  }

  // Gradients of Σ G⊙output. `again`: scores and weights are not kept.
  Mixing backward(const Mixing& x, const Rows& g, bool again, Tallies& tallies) const {
    Mixing d{zeros(x.q), zeros(x.k), zeros(x.v)};
    for (std::size_t i = 0; i < x.q.size(); ++i) {
      const auto list = keys(x, i);
      const Row row = again ? made_again(x, i, tallies) : weights[i];
      Row gradient(list.size());
      {
        const Meter meter(tallies, CostStage::head_output);
        for (std::size_t a = 0; a < list.size(); ++a) gradient[a] = dot(g[i], x.v[list[a]]);
        for (std::size_t a = 0; a < list.size(); ++a) add_times(d.v[list[a]], g[i], row[a]);
      }
      {
        const Meter meter(tallies, CostStage::weights);
        const Counted sum = again ? dot(g[i], output[i]) : dot(gradient, row);
        for (std::size_t a = 0; a < list.size(); ++a) gradient[a] = row[a] * (gradient[a] - sum);
      }
      {
        const Meter meter(tallies, CostStage::scaled);
        for (Counted& score : gradient) score *= scale;
      }
      const Meter meter(tallies, CostStage::scores);
      for (std::size_t a = 0; a < list.size(); ++a) add_times(d.q[i], x.k[list[a]], gradient[a]);
      for (std::size_t a = 0; a < list.size(); ++a) add_times(d.k[list[a]], x.q[i], gradient[a]);
    }
    return d;
  }

  Row made_again(const Mixing& x, std::size_t i, Tallies& tallies) const {
    Row row;
    {
      const Meter meter(tallies, CostStage::scores);
      for (const std::size_t j : keys(x, i)) row.push_back(dot(x.q[i], x.k[j]));
    }
    {
      const Meter meter(tallies, CostStage::scaled);
      for (Counted& score : row) score *= scale;
    }
    const Meter meter(tallies, CostStage::weights);
    for (Counted& score : row) score = exp(score - maxima[i]) / sums[i];
    return row;
  }
};

// φ(Q)(φ(K)ᵀV) ÷ φ(Q)Σφ(K) of one head with keys and values of its own.
struct LinearLoop {
  Rows phi_q = {}, phi_k = {}, state = {}, output = {};
  Row sum = {}, below = {};

  static Rows features(const Rows& x) {
    Rows result = x;
    for (Row& row : result)
      for (Counted& number : row) number = number.value > 0 ? number + 1.0 : exp(number);
    return result;
  }
  static void through_features(Rows& gradient, const Rows& x, const Rows& phi) {
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t c = 0; c < x[i].size(); ++c)
        gradient[i][c] *= x[i][c].value > 0 ? Counted(1) : phi[i][c];
  }

  void forward(const Mixing& x, Tallies& tallies) {
    {
      const Meter meter(tallies, CostStage::weights);
      phi_q = features(x.q), phi_k = features(x.k);
    }
    const Meter meter(tallies, CostStage::head_output);
    const std::size_t r = x.q[0].size();
    state = Rows(r, Row(x.v[0].size())), sum = Row(r), output = zeros(x.q), below = Row(x.q.size());
    for (std::size_t j = 0; j < x.k.size(); ++j)
      for (std::size_t c = 0; c < r; ++c) {
        add_times(state[c], x.v[j], phi_k[j][c]);
        sum[c] += phi_k[j][c];
      }
    for (std::size_t i = 0; i < x.q.size(); ++i) {
      for (std::size_t c = 0; c < r; ++c) add_times(output[i], state[c], phi_q[i][c]);
      below[i] = dot(phi_q[i], sum);
      for (Counted& number : output[i]) number = number / below[i];
    }
  }

  Mixing backward(const Mixing& x, const Rows& g, Tallies& tallies) const {
    Mixing d{zeros(x.q), zeros(x.k), zeros(x.v)};
    {
      const Meter meter(tallies, CostStage::head_output);
      Rows d_state = zeros(state);
      Row d_sum(sum.size());
      for (std::size_t i = 0; i < x.q.size(); ++i) {
        Row above = g[i];
        for (Counted& number : above) number = number / below[i];
        Counted d_below = 0;
        for (std::size_t e = 0; e < above.size(); ++e) d_below = d_below - above[e] * output[i][e];
        for (std::size_t c = 0; c < sum.size(); ++c) {
          d.q[i][c] = dot(above, state[c]);
          add_times(d_state[c], above, phi_q[i][c]);
        }
        add_times(d.q[i], sum, d_below);
        add_times(d_sum, phi_q[i], d_below);
      }
      for (std::size_t j = 0; j < x.k.size(); ++j)
        for (std::size_t c = 0; c < sum.size(); ++c) {
          d.k[j][c] = dot(x.v[j], d_state[c]);
          d.k[j][c] += d_sum[c];
          add_times(d.v[j], d_state[c], phi_k[j][c]);
        }
    }
    const Meter meter(tallies, CostStage::weights);
    through_features(d.q, x.q, phi_q);
    through_features(d.k, x.k, phi_k);
    return d;
  }
};

// h_t = tanh(projected_t + W·h_{t−1}), from h = 0.
struct RecurrentLoop {
  Rows matrix;  // d×d, a row for each number of h_t
  Rows states = {};

  void forward(const Rows& projected, Tallies& tallies) {
    const Meter meter(tallies, CostStage::head_output);
    states = projected;
    Row last(matrix.size());
    for (Row& state : states) {
      for (std::size_t a = 0; a < state.size(); ++a)
        for (std::size_t b = 0; b < last.size(); ++b) state[a] += matrix[a][b] * last[b];
      for (Counted& number : state) number = tanh(number);
      last = state;
    }
  }

  // Gradients of what was projected; those of the matrix go to `d_matrix`.
  Rows backward(Rows g, Rows& d_matrix, Tallies& tallies) const {
    const Meter meter(tallies, CostStage::head_output);
    d_matrix = zeros(matrix);
    const Row none(matrix.size());
    Row start(matrix.size());
    for (std::size_t t = states.size(); t-- > 0;) {
      for (std::size_t a = 0; a < none.size(); ++a) g[t][a] *= Counted(1) - states[t][a] * states[t][a];
      Row& before = t > 0 ? g[t - 1] : start;
      for (std::size_t a = 0; a < none.size(); ++a) {
        add_times(d_matrix[a], t > 0 ? states[t - 1] : none, g[t][a]);
        add_times(before, matrix[a], g[t][a]);
      }
    }
    return g;
  }
};

}  // namespace attn::tests
