// Counted numbers with the arithmetic behind them: sums of products of named factors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn {

// What the largest shape that is taken comes to has some 120 bits.
using Count = unsigned __int128;

std::string digits(Count count);   // "25769803776"
std::string grouped(Count count);  // "25 769 803 776", with narrow no-break spaces

struct CostFactor {
  std::string_view symbol;  // "n", "d_k"; of a constant its digits
  Count value = 0;
};

// One product, as the inspector opens it.
struct CostTerm {
  std::string_view what;            // "Q·Kᵀ", "W_Q read"
  std::vector<CostFactor> factors;  // never empty
  bool matrix = false;              // of multiply-adds of a product of two matrices that the tokens make

  Count value() const;
  std::string formula() const;  // "2·n·n·d_k·h"
  std::string numbers() const;  // "2·4 096·4 096·64·12"
};

// A sum of terms; none: 0.
struct Quantity {
  std::vector<CostTerm> terms;

  Count value() const;
  std::string formula() const;  // "n·d + d·d", "0"
  std::string numbers() const;
};

Quantity operator+(Quantity a, const Quantity& b);

}  // namespace attn
