// regress: the arrays that it writes against sums taken here, and what it refuses.
#include <doctest/doctest.h>

#include <cmath>

#include "app/words/reporting_reference.h"
#include "core/evaluate/run.h"
#include "core/io/npz.h"
#include "core/kernels/graph.h"
#include "core/reference/backend.h"
#include "core/system/file.h"
#include "tests/app/words.h"

using namespace attn;
using namespace attn::tests;

namespace {

using Arrays = std::map<std::string, Array>;
using Sizes = std::vector<std::size_t>;

// Not in the order of x.
const std::vector<float> kX{3, 0, 1, 2, 4.5f}, kY{1, 2, 0, 5, 3};

std::string csv() {
  std::string text = "x,y\n";
  for (std::size_t i = 0; i < kX.size(); ++i)
    text += std::to_string(kX[i]) + "," + std::to_string(kY[i]) + "\n";
  return text;
}

struct Regressed {
  Outcome outcome;
  Arrays arrays;
};

Regressed regressed(const std::string& data, std::vector<std::string> words,
                    const std::string& name = "data.csv") {
  const TemporaryFolder folder;
  write_file(folder / name, data);
  words.insert(words.begin(), {"regress", folder / name});
  words.insert(words.end(), {"-o", folder / "out.npz"});
  Regressed result{run_words(words), {}};
  CHECK(result.outcome.out.empty());
  if (result.outcome.status == kDone)
    result.arrays = parse_npz<float>(read_file(folder / "out.npz"));
  else
    CHECK(folder.holds_only({name}));
  return result;
}

Arrays arrays_of(std::vector<std::string> words) {
  Regressed result = regressed(csv(), std::move(words));
  INFO(result.outcome.err);
  REQUIRE(result.outcome.status == kDone);
  return result.arrays;
}

std::string regress_refusal(const std::string& data, std::vector<std::string> words, ExitStatus status,
                            const std::string& name = "data.csv") {
  const Regressed result = regressed(data, std::move(words), name);
  CHECK(result.outcome.status == status);
  return result.outcome.err;
}

double gaussian(double q, std::size_t skip, double width) {
  double sum = 0, weighted = 0;
  for (std::size_t j = 0; j < kX.size(); ++j) {
    const double u = (q - static_cast<double>(kX[j])) / width;
    if (j == skip) continue;
    sum += std::exp(-u * u / 2), weighted += std::exp(-u * u / 2) * static_cast<double>(kY[j]);
  }
  return weighted / sum;
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

// The weighted least-squares line through the points, by its normal equations, read at q.
double line_at(double q, double width, bool boxcar) {
  double s0 = 0, s1 = 0, s2 = 0, t0 = 0, t1 = 0;
  for (std::size_t j = 0; j < kX.size(); ++j) {
    const double x = static_cast<double>(kX[j]), y = static_cast<double>(kY[j]), u = (q - x) / width;
    const double w = boxcar ? (std::abs(u) <= 1 ? 1 : 0) : std::exp(-u * u / 2);
    s0 += w, s1 += w * x, s2 += w * x * x, t0 += w * y, t1 += w * x * y;
  }
  const double determinant = s0 * s2 - s1 * s1;
  if (std::abs(determinant) < 1e-12) return t0 / s0;
  const double slope = (s0 * t1 - s1 * t0) / determinant;
  return (t0 - slope * s1) / s0 + slope * q;
}

TEST_CASE("regress writes the local line as least squares have it") {
  for (const std::string kernel : {"gaussian", "boxcar"})
    for (const double width : {0.6, 1.1, 3.0}) {
      CAPTURE(kernel);
      CAPTURE(width);
      const std::vector<std::string> words{"--kernel", kernel,        "--width", std::to_string(width),
                                           "--query",  "-0.5:5.5:25", "--local", "--device",
                                           "reference"};
      const Arrays arrays = arrays_of(words);
      CHECK(arrays.at("line").shape == Sizes{25});
      CHECK(!arrays.contains("weights"));
      for (std::size_t i = 0; i < 25; ++i) {
        const double q = static_cast<double>(arrays.at("query").values[i]),
                     line = line_at(q, width, kernel == "boxcar");
        const double found = static_cast<double>(arrays.at("line").values[i]);
        CAPTURE(q);
        CHECK((std::isnan(line) ? std::isnan(found) : found == doctest::Approx(line).epsilon(2e-5)));
      }
    }
  const Arrays both = arrays_of({"--kernel", "gaussian", "--width", "1", "--local", "--weights"});
  CHECK(both.at("weights").shape == Sizes{101, 5});
  CHECK(both.at("line").shape == Sizes{101});
  CHECK(!arrays_of({"--kernel", "gaussian", "--width", "1"}).contains("line"));
}

TEST_CASE("regress writes the estimate at each query on every device") {
  for (const char* device : {"reference", "auto"}) {
    const Arrays arrays =
        arrays_of({"--kernel", "gaussian", "--width", "0.7", "--query", "-1:6:15", "--device", device});
    CHECK(arrays.at("query").shape == Sizes{15});
    CHECK(arrays.at("estimate").shape == Sizes{15});
    CHECK(!arrays.contains("weights"));
    for (std::size_t i = 0; i < 15; ++i) {
      CHECK(arrays.at("query").values[i] == -1 + 0.5f * static_cast<float>(i));
      CHECK(std::abs(static_cast<double>(arrays.at("estimate").values[i]) -
                     gaussian(-1 + 0.5 * static_cast<double>(i), 9, 0.7)) <= 1e-5);
    }
  }
}

TEST_CASE("without a place queries go from the first point to the last") {
  const std::vector<float> query = arrays_of({"--kernel", "boxcar", "--width", "9"}).at("query").values;
  CHECK(query.size() == 101);
  CHECK(query.front() == 0);
  CHECK(query.back() == 4.5f);
}

TEST_CASE("weights have a column for each point in the order of the file") {
  const Arrays arrays =
      arrays_of({"--kernel", "triangular", "--width", "2", "--query", "1:1:1", "--weights"});
  REQUIRE(arrays.at("weights").shape == Sizes{1, 5});
  const std::vector<float> expected{0, 0.25f, 0.5f, 0.25f, 0};
  CHECK(arrays.at("weights").values == expected);
}

TEST_CASE("leave-one-out errors are the mean squares of the points left out and auto takes the least") {
  const Regressed result = regressed(csv(), {"--kernel", "gaussian", "--width", "auto", "--query", "2:2:1"});
  REQUIRE(result.outcome.status == kDone);
  const std::vector<float> widths = result.arrays.at("loo_width").values,
                           errors = result.arrays.at("loo_error").values;
  REQUIRE(widths.size() == 40);
  REQUIRE(errors.size() == 40);
  std::size_t best = 0;
  for (std::size_t w = 0; w < 40; ++w) {
    double sum = 0;
    for (std::size_t i = 0; i < kX.size(); ++i)
      sum += std::pow(static_cast<double>(kY[i]) -
                          gaussian(static_cast<double>(kX[i]), i, static_cast<double>(widths[w])),
                      2);
    // Very narrow kernels underflow in these sums, not in the program's.
    if (widths[w] > 0.1f) CHECK(errors[w] == doctest::Approx(sum / 5).epsilon(1e-4));
    if (errors[w] < errors[best]) best = w;
  }
  CHECK(result.arrays.at("estimate").values[0] ==
        doctest::Approx(gaussian(2, 9, static_cast<double>(widths[best]))).epsilon(1e-4));
  CHECK(contains(result.outcome.err, "is the least"));
}

TEST_CASE("the width of the k-th nearest point reaches as many points") {
  const Arrays arrays =
      arrays_of({"--kernel", "boxcar", "--width", "knn:2", "--query", "0.4:0.4:1", "--weights"});
  const std::vector<float> expected{0, 0.5f, 0.5f, 0, 0}, counts{1, 2, 3, 4};
  CHECK(arrays.at("weights").values == expected);
  CHECK(arrays.at("loo_width").values == counts);
}

TEST_CASE("queries without a point in reach are NaN and counted") {
  const Regressed result = regressed(csv(), {"--kernel", "boxcar", "--width", "1", "--query", "0:20:3"});
  REQUIRE(result.outcome.status == kDone);
  CHECK(result.arrays.at("estimate").values[0] == 1);
  CHECK(std::isnan(result.arrays.at("estimate").values[1]));
  CHECK(contains(result.outcome.err, "2 of 3 queries have no point in reach"));
}

TEST_CASE("points come as text or npy or npz and with several values each") {
  const std::vector<std::string> words{"--kernel", "constant", "--width", "1", "--query", "0:0:1"};
  const std::vector<float> table{0, 1, 10, 1, 3, 20};
  const Sizes sizes{2, 3};
  const Regressed npy = regressed(text_of(write_npy(sizes, table)), words, "data.bin");
  REQUIRE(npy.outcome.status == kDone);
  CHECK(npy.arrays.at("estimate").shape == Sizes{1, 3 - 1});
  CHECK(npy.arrays.at("estimate").values == std::vector<float>{2, 15});
  const Sizes two{2};
  const std::vector<std::pair<std::string, std::vector<std::byte>>> members{
      {"x", write_npy(two, std::vector<float>{0, 1})}, {"y", write_npy(two, std::vector<float>{1, 3})}};
  const Regressed npz = regressed(text_of(write_npz(members)), words, "data.npz");
  REQUIRE(npz.outcome.status == kDone);
  CHECK(npz.arrays.at("estimate").values == std::vector<float>{2});
}

TEST_CASE("arrays without numbers stand in the file with their checksums") {
  const Regressed one = regressed("1,2\n", {"--kernel", "gaussian", "--width", "knn:1", "--query", "0:1:2"});
  REQUIRE(one.outcome.status == kDone);
  CHECK(one.arrays.at("loo_width").values.empty());
}

TEST_CASE("a file that is no set of points is refused with the place") {
  const std::vector<std::string> words{"--kernel", "gaussian", "--width", "1"};
  const std::string nan = regress_refusal("1,2\n3,nan\n", words, kBadInput);
  CHECK(contains(nan, "data.csv"));
  CHECK(contains(nan, "column 1 of row 1, counted from 0 below any names, is not a number (NaN)"));
  CHECK(contains(regress_refusal("1,2\ninf,2\n", words, kBadInput),
                 "column 0 of row 1, counted from 0 below any names, is infinite"));
  CHECK(contains(regress_refusal("", words, kBadInput), "it is empty"));
  CHECK(contains(regress_refusal("1\n2\n", words, kBadInput), "1 column"));
  CHECK(contains(regress_refusal("1,2\n3,4\n5,6,7\n", words, kBadInput), "line 3: 3 cells in this row"));
  // Not decimal commas, and not a row of indices above the others.
  CHECK(
      contains(regress_refusal("1,2\n3\n", words, kBadInput), "line 2: 1 cell in this row, 2 in the first"));
  CHECK(contains(regress_refusal("1,2\n3,4,5\n", words, kBadInput), "3 cells in this row, 2 in the first"));
  CHECK(contains(regress_refusal("x,y\n1,2\n3\n", words, kBadInput), "line 3: 1 cell in this row"));
  CHECK(contains(regress_refusal("1,2\n#N/A,3\n", words, kBadInput), "line 2, column 1"));
  CHECK(regressed("1,5;2\n2;3\n", words).outcome.status == kDone);  // decimal commas between semicolons
  const std::string far = regress_refusal("1,2\n3e38,2\n", words, kBadInput);
  CHECK(contains(far, "data.csv: points: row 1: x is 3e+38, but must be from -1e9 to 1e9"));
  const Sizes none{0, 2}, cube{1, 1, 2, 2}, batch{2, 1, 2}, three{3};
  CHECK(contains(regress_refusal(text_of(write_npy(none, {})), words, kBadInput), "no points"));
  CHECK(contains(regress_refusal(text_of(write_npy(cube, std::vector<float>(4))), words, kBadInput),
                 "two dimensions"));
  CHECK(contains(regress_refusal(text_of(write_npy(batch, std::vector<float>(4))), words, kBadInput),
                 "a batch of 2"));
  const std::vector<std::pair<std::string, std::vector<std::byte>>> members{
      {"x", write_npy(three, std::vector<float>(3))}};
  CHECK(contains(regress_refusal(text_of(write_npz(members)), words, kBadInput), "the array y is missing"));
}

TEST_CASE("data are not calculated with") {
  const std::vector<std::string> words{"--kernel", "gaussian", "--width", "1"};
  for (const char* bad : {"2024-05-01", "--1", "1/2", "2*3", "sqrt(2)", "pi"}) {
    INFO(bad);
    const std::string said = regress_refusal("0,1\n" + std::string(bad) + ",2\n", words, kBadInput);
    CHECK(contains(said, "line 2, column 1: "));
    CHECK(contains(said, std::string("\"") + bad + "\" is not a plain number"));
  }
  const Regressed plain = regressed("\xef\xbb\xbf# x, y: of numpy\n# and more\n+1,2e0\n−3,.5\n", words);
  CHECK(plain.outcome.status == kDone);
  CHECK(regressed("\"x, in m\",\"y\"\n1,2\n3,4\n", words).outcome.status == kDone);
  CHECK(regressed("\"x\",\"y\"\n\"1\",1,2\n\"2\",3,4\n", words).outcome.status == kDone);
}

TEST_CASE("words that regress cannot use are refused with those that would do") {
  const auto said = [](std::vector<std::string> words) {
    return regress_refusal(csv(), std::move(words), kBadWords);
  };
  CHECK(contains(said({"--kernel", "epanechnikow", "--width", "1"}), "did you mean \"epanechnikov\"?"));
  CHECK(contains(said({"--kernel", "gaussian", "--width", "0"}), "1e-6"));
  CHECK(contains(said({"--kernel", "gaussian", "--width", "knn:0"}),
                 "knn:N, N a whole number from 1 to 100000"));
  CHECK(contains(said({"--kernel", "gaussian", "--width", "knn:10000"}), "use at most knn:"));
  CHECK(contains(said({"--kernel", "gaussian", "--width", "1", "--query", "0:5"}), "A:B:N"));
  CHECK(contains(said({"--kernel", "gaussian"}), "--width"));
  CHECK(contains(said({"--kernel", "dot", "--width", "auto"}), "dot has no width to choose"));
  CHECK(contains(regress_refusal("1,2\n", {"--kernel", "gaussian", "--width", "auto"}, kBadWords),
                 "give a width"));
}

TEST_CASE("the reference says what it has to do of much and how far it is and gets the same numbers") {
  KernelsSpec spec;
  spec.set = PointSet::own;
  spec.points = Tensor({1, 5, 2}, {3, 1, 0, 2, 1, 0, 2, 5, 4.5f, 3});
  Graph graph;
  append_kernels(graph, spec, {.pairs = false, .errors = true});
  std::ostringstream err;
  CHECK(reporting_reference(graph, err) == nullptr);
  CHECK(err.str().empty());
  const auto told = reporting_reference(graph, err, 0);
  REQUIRE(told);
  CHECK(contains(err.str(), "million multiply-adds to do"));
  const auto numbers_of = [&](Backend& backend) {
    std::vector<std::vector<std::byte>> all;  // NaN is NaN
    run_stages(backend, graph, {.done = [&](StageIndex, const Tensor& result) {
                 const auto bytes = std::as_bytes(result.values());
                 all.emplace_back(bytes.begin(), bytes.end());
               }});
    return all;
  };
  const auto plain = numbers_of(*make_reference_backend());
  CHECK_FALSE(contains(err.str(), "done"));
  CHECK(numbers_of(*told) == plain);
  CHECK(contains(err.str(), "5 % are done\n10 % are done\n"));
  CHECK(contains(err.str(), "100 % are done"));
}
