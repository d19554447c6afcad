// Painting of wanted weights: each edit works on the rows as numbers and puts a new tensor in their place.
#include "core/gradients/wanted.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr double kShareOfNotch = 0.05;

std::string name_of(const Axis& axis, std::size_t index) {
  const bool labelled = axis.labels && index < axis.labels->size();
  return labelled ? "“" + (*axis.labels)[index] + "”" : std::string(axis.name) + " " + std::to_string(index);
}

// Rows of shares, on the way to a new tensor.
struct Shares {
  Shares(const GradientsSpec& spec, const PaintedHead& of) : head(of) {
    const Tensor now = wanted_of(spec, of);
    values.assign(now.values().begin(), now.values().end());
  }
  std::span<float> row(std::size_t query) { return std::span(values).subspan(query * head.keys, head.keys); }
  // Adds up to 1 again; a row without weight asks nothing.
  void even_out(std::size_t query) {
    const double sum = std::accumulate(row(query).begin(), row(query).end(), 0.0);
    if (sum > 0)
      for (float& share : row(query)) share = static_cast<float>(static_cast<double>(share) / sum);
  }
  Tensor take() { return {head.shape(), std::move(values)}; }

  const PaintedHead& head;
  std::vector<float> values = {};
};

std::size_t key_of(WantedPattern pattern, std::size_t query) {
  switch (pattern) {
    case WantedPattern::previous:
      return query == 0 ? 0 : query - 1;
    case WantedPattern::itself:
      return query;
    case WantedPattern::next:
      return query + 1;
  }
  return query;
}

const char* word_of(WantedPattern pattern) {
  switch (pattern) {
    case WantedPattern::previous:
      return "the token before";
    case WantedPattern::itself:
      return "the token itself";
    case WantedPattern::next:
      return "the next token";
  }
  return "";
}

void check_unmasked(const PaintedHead& head, Cell cell) {
  if (head.masked(cell.row, cell.column))
    throw Error(name_of(head.columns, cell.column) + " is masked from " + name_of(head.rows, cell.row) +
                ": it can get no weight there");
}

}  // namespace

Tensor wanted_of(const GradientsSpec& spec, const PaintedHead& head) {
  if (spec.wanted.shape() == head.shape()) return spec.wanted;
  return {head.shape(), std::vector<float>(head.shape().size(), 0)};
}

std::size_t rows_asked(const Tensor& wanted) {
  std::size_t asked = 0;
  for (std::size_t query = 0; query < wanted.rows(); ++query)
    asked += std::ranges::any_of(wanted.values().subspan(query * wanted.columns(), wanted.columns()),
                                 [](float share) { return share != 0; });
  return asked;
}

std::string wanted_refusal(const Tensor& wanted, const PaintedHead& head) {
  for (std::size_t i = 0; i < wanted.values().size(); ++i) {
    const float share = wanted.values()[i];
    const Cell cell = cell_at(wanted.shape(), i);
    if (!(share >= 0 && share <= 1))
      return "wanted weights are shares from 0 to 1, and one of " + name_of(head.rows, cell.row) + " is " +
             shortest(share) + ": paint that row anew";
    if (share > 0 && head.masked(cell.row, cell.column))
      return name_of(head.columns, cell.column) + " is masked from " + name_of(head.rows, cell.row) +
             " now: take its weight away with the right button";
  }
  return {};
}

void paint_wanted(GradientsSpec& spec, const PaintedHead& head, std::span<const Cell> cells, bool on) {
  Shares shares(spec, head);
  std::vector<std::pair<std::size_t, std::size_t>> painted;
  for (const Cell& cell : cells)
    if (!head.masked(cell.row, cell.column)) painted.emplace_back(cell.row, cell.column);
  if (painted.empty() && !cells.empty()) check_unmasked(head, cells.front());
  std::ranges::sort(painted);
  for (auto at = painted.begin(); at != painted.end();) {
    const std::size_t query = at->first;
    const std::span<float> row = shares.row(query);
    const float heaviest = std::ranges::max(row), weight = !on ? 0 : heaviest > 0 ? heaviest : 1;
    for (; at != painted.end() && at->first == query; ++at) row[at->second] = weight;
    shares.even_out(query);
  }
  spec.wanted = shares.take();
}

void turn_share(GradientsSpec& spec, const PaintedHead& head, Cell cell, double notches) {
  check_unmasked(head, cell);
  Shares shares(spec, head);
  const std::span<float> row = shares.row(cell.row);
  const double now = static_cast<double>(row[cell.column]);
  const double others = std::accumulate(row.begin(), row.end(), 0.0) - now;
  if (others <= 0) {
    if (now <= 0 && notches < 0) return;  // nothing to take away
    if (now > 0)
      throw Error(name_of(head.rows, cell.row) +
                  " has all its weight on one key: paint another one first, then share it out");
    row[cell.column] = 1;  // the first of its row gets all
  } else {
    // Whole steps, so that a wheel turned up and down again comes back.
    const double share = std::clamp(std::round((now + kShareOfNotch * notches) * 1e4) / 1e4, 0.0, 1.0);
    for (float& other : row) other = static_cast<float>(static_cast<double>(other) * (1 - share) / others);
    row[cell.column] = static_cast<float>(share);
  }
  spec.wanted = shares.take();
}

void paint_pattern(GradientsSpec& spec, const PaintedHead& head, WantedPattern pattern) {
  std::vector<float> values(head.shape().size(), 0);
  bool any = false;
  for (std::size_t query = 0; query < head.queries; ++query) {
    const std::size_t key = key_of(pattern, query);
    if (key >= head.keys || head.masked(query, key)) continue;
    values[query * head.keys + key] = 1;
    any = true;
  }
  if (!any)
    throw Error(std::string("every query has ") + word_of(pattern) +
                " masked: take the mask off, or paint another pattern");
  spec.wanted = Tensor(head.shape(), std::move(values));
}

}  // namespace attn
