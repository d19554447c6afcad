// Counted numbers: their value and how they are written.
#include "core/text/quantity.h"

#include <algorithm>
#include <cassert>

namespace attn {
namespace {

constexpr std::string_view kThin = "\u202f";  // a narrow space that does not break

template <class Part>
std::string joined(const std::vector<Part>& parts, std::string_view between, auto&& words) {
  std::string text;
  for (const Part& part : parts) {
    if (!text.empty()) text += between;
    text += words(part);
  }
  return text.empty() ? "0" : text;
}

}  // namespace

std::string digits(Count count) {
  std::string text;
  do {
    text += static_cast<char>('0' + static_cast<int>(count % 10));
    count /= 10;
  } while (count > 0);
  std::ranges::reverse(text);
  return text;
}

std::string grouped(Count count) {
  const std::string plain = digits(count);
  std::string text;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    if (i > 0 && (plain.size() - i) % 3 == 0) text += kThin;
    text += plain[i];
  }
  return text;
}

Count CostTerm::value() const {
  assert(!factors.empty());
  Count product = 1;
  for (const CostFactor& factor : factors) product *= factor.value;
  return product;
}

std::string CostTerm::formula() const {
  return joined(factors, "·", [](const CostFactor& f) { return std::string(f.symbol); });
}

std::string CostTerm::numbers() const {
  return joined(factors, "·", [](const CostFactor& f) { return grouped(f.value); });
}

Count Quantity::value() const {
  Count sum = 0;
  for (const CostTerm& term : terms) sum += term.value();
  return sum;
}

std::string Quantity::formula() const {
  return joined(terms, " + ", [](const CostTerm& t) { return t.formula(); });
}

std::string Quantity::numbers() const {
  return joined(terms, " + ", [](const CostTerm& t) { return t.numbers(); });
}

Quantity operator+(Quantity a, const Quantity& b) {
  a.terms.insert(a.terms.end(), b.terms.begin(), b.terms.end());
  return a;
}

}  // namespace attn
