// Powers of the pattern, doubled until they hold all, and then as many of them as are needed.
#include "core/efficient/reach.h"

#include <algorithm>
#include <cstdint>

namespace attn {
namespace {

// Which tokens each token has met.
class Met {
 public:
  explicit Met(std::size_t tokens) : tokens_(tokens), words_((tokens + 63) / 64), bits_(tokens * words_) {}

  void add(std::size_t i, std::size_t j) { bits_[i * words_ + j / 64] |= std::uint64_t{1} << j % 64; }
  bool has(std::size_t i, std::size_t j) const { return (bits_[i * words_ + j / 64] >> j % 64 & 1) != 0; }
  bool operator==(const Met&) const = default;

  // What is met in the layers of this one and those of the other.
  Met after(const Met& first) const {
    Met all(tokens_);
    for (std::size_t i = 0; i < tokens_; ++i)
      for (std::size_t k = 0; k < tokens_; ++k)
        if (has(i, k))
          for (std::size_t w = 0; w < words_; ++w) all.bits_[i * words_ + w] |= first.bits_[k * words_ + w];
    return all;
  }
  bool holds(const PairSet& wanted) const {
    for (std::size_t i = 0; i < tokens_; ++i)
      for (std::size_t j = 0; j < tokens_; ++j)
        if (wanted.at(i, j) && !has(i, j)) return false;
    return true;
  }

 private:
  std::size_t tokens_, words_;
  std::vector<std::uint64_t> bits_;
};

bool joins_at_once(const PairSet& kept, const PairSet& wanted) {
  for (std::size_t p = 0; p < wanted.has.size(); ++p)
    if (wanted.has[p] && !kept.has[p]) return false;
  return true;
}

}  // namespace

std::size_t PairSet::count() const {
  return static_cast<std::size_t>(std::ranges::count_if(has, [](char pair) { return pair != 0; }));
}

std::optional<std::size_t> reach_of(const PairSet& kept, const PairSet& wanted, bool own_tokens) {
  if (joins_at_once(kept, wanted)) return 1;
  if (!own_tokens || kept.queries != kept.keys) return std::nullopt;
  Met one(kept.queries);
  for (std::size_t i = 0; i < kept.queries; ++i) {
    one.add(i, i);
    for (std::size_t j = 0; j < kept.keys; ++j)
      if (kept.at(i, j)) one.add(i, j);
  }
  if (one.holds(wanted)) return 1;
  std::vector<Met> powers{one};  // of 1, 2, 4, … layers
  while (!powers.back().holds(wanted)) {
    Met twice = powers.back().after(powers.back());
    if (twice == powers.back()) return std::nullopt;  // nothing more is met
    powers.push_back(std::move(twice));
  }
  // The most layers that are too few, bit by bit: one more is enough.
  powers.pop_back();
  Met met = powers.back();
  std::size_t layers = std::size_t{1} << (powers.size() - 1);
  for (std::size_t bit = powers.size() - 1; bit-- > 0;) {
    Met more = met.after(powers[bit]);
    if (more.holds(wanted)) continue;
    met = std::move(more);
    layers += std::size_t{1} << bit;
  }
  return layers + 1;
}

}  // namespace attn
