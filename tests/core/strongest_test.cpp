// The strongest links of weights against all of them sorted.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "core/evaluate/summary.h"
#include "tests/random_layer.h"

using namespace attn;
using namespace attn::tests;

namespace {

using Link = Strongest::Link;

std::vector<Link> sorted_links(const Tensor& values, std::size_t matrix) {
  std::vector<Link> links;
  for (std::size_t row = 0; row < values.rows(); ++row)
    for (std::size_t column = 0; column < values.columns(); ++column)
      if (const float v = values[{matrix, row, column}]; v > 0) links.push_back({row, column, v});
  std::ranges::stable_sort(links, [](const Link& a, const Link& b) { return a.value > b.value; });
  return links;
}

// From the definition: the first of every row, then whichever are left, up to the most that are drawn.
std::set<std::pair<std::size_t, std::size_t>> expected(const std::vector<Link>& sorted) {
  std::set<std::pair<std::size_t, std::size_t>> chosen;
  std::set<std::size_t> rows;
  for (const Link& link : sorted)
    if (chosen.size() < kMostLinks && rows.insert(link.row).second) chosen.insert({link.row, link.column});
  for (const Link& link : sorted)
    if (chosen.size() < kMostLinks) chosen.insert({link.row, link.column});
  return chosen;
}

void check_against_sorting(const Tensor& values) {
  const std::vector<Strongest> found = strongest_of(values);
  REQUIRE(found.size() == values.stack());
  for (std::size_t matrix = 0; matrix < values.stack(); ++matrix) {
    const std::vector<Link> sorted = sorted_links(values, matrix);
    std::set<std::pair<std::size_t, std::size_t>> chosen;
    for (const Link& link : found[matrix].links) {
      CHECK(values[{matrix, link.row, link.column}] == link.value);
      chosen.insert({link.row, link.column});
    }
    CHECK(chosen == expected(sorted));
    CHECK(chosen.size() == found[matrix].links.size());
    CHECK(found[matrix].of == sorted.size());
    CHECK(std::ranges::is_sorted(found[matrix].links, std::greater<>(), &Link::value));
  }
}

}  // namespace

TEST_CASE("the strongest links are the largest of every row and then the largest of all") {
  Random random(71);
  for (const Shape shape : {Shape{3, 40, 70}, Shape{2, 300, 129}, Shape{1, 33, 1000}})
    check_against_sorting(normal(random, shape));
}

TEST_CASE("of equal weights the first of each row is a strong link") {
  check_against_sorting(Tensor({1, 64, 64}, std::vector<float>(4096, 1.0f / 64)));
}

TEST_CASE("a matrix of zeros has no strong link and a small one none either") {
  const std::vector<Strongest> zeros = strongest_of(Tensor({1, 64, 64}, std::vector<float>(4096, 0)));
  REQUIRE(zeros.size() == 1);
  CHECK(zeros[0].links.empty());
  CHECK(zeros[0].of == 0);
  CHECK(strongest_of(Tensor({2, 32, 32}, std::vector<float>(2048, 1))).empty());
}

TEST_CASE("what is not finite is no link and hides none") {
  std::vector<float> values(64 * 64, 0);
  values[5] = std::numeric_limits<float>::quiet_NaN(), values[6] = std::numeric_limits<float>::infinity();
  values[7] = 0.5f, values[64] = 0.25f;
  const std::vector<Strongest> found = strongest_of(Tensor({1, 64, 64}, values));
  REQUIRE(found[0].links.size() == 2);
  CHECK(found[0].links[0].column == 7);
  CHECK(found[0].links[1].row == 1);
}
