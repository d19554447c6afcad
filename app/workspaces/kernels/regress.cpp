// regress: kernel regression of points in a file, written as arrays.
#include <algorithm>
#include <cmath>
#include <memory>

#include "app/words/command_parser.h"
#include "app/words/refuse.h"
#include "app/words/reporting_reference.h"
#include "app/words/table.h"
#include "app/words/watched_device.h"
#include "app/words/watched_run.h"
#include "app/workspaces/kernels/row.h"
#include "core/evaluate/weigh.h"
#include "core/graph/field_words.h"
#include "core/io/npz.h"
#include "core/io/points_file.h"
#include "core/kernels/fields.h"
#include "core/kernels/graph.h"
#include "core/system/error.h"
#include "core/system/file.h"
#include "core/text/numbers.h"
#include "core/text/text.h"

namespace attn {
namespace {

// Words as given; absent ones are empty.
struct RegressRequest {
  std::string input, kernel, width, query, output;
  std::string device = "auto";
  bool weights = false, local = false;
};

// The errors read every pair of points for each candidate: half a minute on two slow cores.
constexpr std::size_t kMostLeftOutOnce = 20'000;

bool set_queries(KernelsSpec& spec, const std::string& word) {
  const std::vector<std::string> parts = split(word, ':');
  if (parts.size() != 3) return false;
  const auto first = parse_number<double>(parts[0]), last = parse_number<double>(parts[1]);
  const auto count = parse_number<std::size_t>(parts[2]);
  if (!first || !last || !count) return false;
  spec.first = *first, spec.last = *last, spec.queries = *count;
  const auto near = [](double x) { return std::abs(x) <= kernels_field::kFarthest; };
  return near(*first) && near(*last) && *count >= 1 && *count <= kernels_field::queries.most;
}

// True for `auto`.
bool set_width(KernelsSpec& spec, const std::string& word) {
  if (word == "auto") return true;
  const auto takes = "a number from 1e-6 to 1e6, auto or knn:N, N " + taken_by(kernels_field::neighbours);
  if (word.starts_with("knn:")) {
    const auto count = parse_number<std::size_t>(word.substr(4));
    if (!count || *count == 0 || *count > kernels_field::neighbours.most) refuse("--width", word, takes);
    spec.width_rule = WidthRule::neighbours, spec.neighbours = *count;
    return false;
  }
  const auto width = parse_number<double>(word);
  if (!width || !(*width >= kernels_field::kLeastWidth && *width <= kernels_field::kMostWidth))
    refuse("--width", word, takes, std::vector<std::string>{"auto", "knn:8"});
  spec.widths = {*width};
  return false;
}

Kernel read_kernel(const std::string& word) {
  const auto& field = kernels_field::kernels.each;
  const auto kernel = field.choice_of(word);
  const std::vector<std::string> words = field.all_words();
  if (!kernel) refuse("--kernel", word, listed(words), words);
  return *kernel;
}

struct Regression {
  Backend& backend;
  const Budget& budget;
  std::uint64_t in_memory;  // bytes of the output whose disk is memory
  std::ostream& err;

  // `kept`: bytes of results that are held until they are written.
  std::vector<Tensor> run(const Graph& graph, const std::vector<StageIndex>& wanted,
                          std::uint64_t kept) const {
    const auto load_of = [&](const Graph& g) {
      Load load = weigh(g, {}, Retention::until_read, backend, budget);
      load.results += kept;
      load.file = in_memory;
      return load;
    };
    check_fits(load_of(graph), free_memory(), graph, load_of);
    const auto told = backend.name() == kReference ? reporting_reference(graph, err) : nullptr;
    std::vector<Tensor> results(wanted.size());
    run_watched(
        told ? *told : backend, graph, {},
        [&](StageIndex i, const Tensor& result) {
          for (std::size_t w = 0; w < wanted.size(); ++w)
            if (wanted[w] == i) results[w] = result;
        },
        err);
    return results;
  }
};

// Candidates and their errors.
struct LeaveOneOutErrors {
  std::vector<float> widths, errors;
};

LeaveOneOutErrors leave_out(const Regression& regression, const KernelsSpec& spec) {
  LeaveOneOutErrors found;
  Graph graph;
  KernelsSpec one = spec;
  one.queries = 1;
  const KernelsPlaces places = append_kernels(graph, one, {.pairs = false, .errors = true});
  if (!places.curves[0].errors) return found;
  const Tensor errors = regression.run(graph, {*places.curves[0].errors}, 0)[0];
  found.errors.assign(errors.values().begin(), errors.values().end());
  for (const double number : candidate_numbers(sorted_points(spec), spec.width_rule))
    found.widths.push_back(static_cast<float>(number));
  return found;
}

void take_best(KernelsSpec& spec, const LeaveOneOutErrors& left_out, std::ostream& err) {
  std::size_t best = left_out.errors.size();
  for (std::size_t i = 0; i < left_out.errors.size(); ++i)
    if (std::isfinite(left_out.errors[i]) &&
        (best == left_out.errors.size() || left_out.errors[i] < left_out.errors[best]))
      best = i;
  if (best == left_out.errors.size())
    throw Error("--width auto: no width has an error, as a point has no other in reach; give a width",
                Fault::option);
  spec.widths = {static_cast<double>(left_out.widths[best])};
  err << "width " << brief(spec.widths[0]) << ", whose leave-one-out error of "
      << brief(static_cast<double>(left_out.errors[best])) << " is the least\n";
}

// Columns in the order of the file.
std::vector<float> in_file_order(const Tensor& weights, const std::vector<std::size_t>& order) {
  std::vector<float> values(weights.values().size());
  for (std::size_t row = 0; row < weights.rows(); ++row)
    for (std::size_t j = 0; j < order.size(); ++j)
      values[row * order.size() + order[j]] = weights.values()[row * order.size() + j];
  return values;
}

using Shape1 = std::vector<std::size_t>;

// What the file will hold, by name.
std::vector<std::pair<std::string, Shape1>> arrays_of(const KernelsSpec& spec, bool weights,
                                                      std::size_t candidates) {
  const std::size_t n = spec.queries, m = spec.points.rows(), c = spec.points.columns() - 1;
  const Shape1 values = c == 1 ? Shape1{n} : Shape1{n, c};
  std::vector<std::pair<std::string, Shape1>> arrays{{"query", {n}}, {"estimate", values}};
  if (spec.linear) arrays.push_back({"line", values});
  if (weights) arrays.push_back({"weights", {n, m}});
  arrays.push_back({"loo_width", {candidates}}), arrays.push_back({"loo_error", {candidates}});
  return arrays;
}

std::uint64_t size_of(const std::vector<std::pair<std::string, Shape1>>& arrays) {
  std::uint64_t size = 0;
  for (const auto& [name, shape] : arrays) size += NpzWriter::array_size(name, shape);
  return size;
}

KernelsSpec spec_of(const RegressRequest& request, bool& automatic) {
  if (request.input.empty()) throw Error("regress needs DATA, a .csv, .npy or .npz of points", Fault::option);
  if (request.output.empty()) throw Error("regress needs -o OUT.npz, the arrays to write", Fault::option);
  check_output(request.output, {request.input});
  KernelsSpec spec;
  spec.kernels = {read_kernel(request.kernel)};
  spec.linear = request.local;
  automatic = set_width(spec, request.width);
  if (automatic && !has_width(spec.kernels[0]))
    throw Error(
        "--width auto: " + request.kernel + " has no width to choose: give any number, it is not used",
        Fault::option);
  const bool given = !request.query.empty();
  if (given && !set_queries(spec, request.query))
    refuse("--query", request.query,
           "A:B:N, as in 0:5:101: A and B from -1e9 to 1e9, N " + taken_by(kernels_field::queries));
  spec.set = PointSet::own;
  spec.points = read_points(request.input);
  if (spec.points.rows() > kernels_field::kMostPoints)
    throw Error(request.input + ": it has " + std::to_string(spec.points.rows()) + " points, and at most " +
                    std::to_string(kernels_field::kMostPoints) + " are taken",
                Fault::input);
  if (spec.width_rule == WidthRule::neighbours && spec.neighbours > spec.points.rows())
    throw Error("--width knn:" + std::to_string(spec.neighbours) + " reaches beyond the " +
                    std::to_string(spec.points.rows()) +
                    " points that there are: use at most knn:" + std::to_string(spec.points.rows()),
                Fault::option);
  KernelPoints points;
  try {
    points = sorted_points(spec);
  } catch (const Error& error) {
    throw Error(request.input + ": " + error.what(), Fault::input);
  }
  if (given) return spec;
  spec.first = static_cast<double>(points.keys.values().front());
  spec.last = static_cast<double>(points.keys.values().back());
  return spec;
}

void note_gaps(const Tensor& estimate, std::ostream& err) {
  std::size_t gaps = 0;
  for (std::size_t row = 0; row < estimate.rows(); ++row) gaps += std::isnan(estimate[{0, row, 0}]);
  if (gaps > 0)
    err << gaps << " of " << estimate.rows() << " queries have no point in reach: their estimates are NaN\n";
}

// Refuses what could not be written before it is computed, and leaves no file: computing may take long, and
// be stopped. True where the disk is memory.
bool check_writable(const std::string& path, std::uint64_t size) {
  const FileWriter file(path);
  file.check_room(size);
  return file.in_memory();
}

// Estimates the values of points in a file by a kernel and writes them with the leave-one-out errors of many
// widths: the arrays query, estimate, line and weights (where asked for), loo_width, loo_error. What does not
// fit into memory or on the disk is refused before it is computed.
void regress(const RegressRequest& request, Console& console) {
  bool automatic = false;
  KernelsSpec spec = spec_of(request, automatic);
  const std::size_t m = spec.points.rows();
  const bool compared = m <= kMostLeftOutOnce;
  if (automatic && !compared)
    throw Error("--width auto leaves out every point in turn, of at most " +
                    std::to_string(kMostLeftOutOnce) + " points, and there are " + std::to_string(m) +
                    ": give a width",
                Fault::option);
  const WatchedDevice device(request.device, request.output, console);
  const std::uint64_t size = size_of(arrays_of(spec, request.weights, compared ? 40 : 0));
  const std::uint64_t in_memory = check_writable(request.output, size) ? size : 0;

  Budget budget;
  std::vector<std::string> notes;
  const std::unique_ptr<Backend> backend = device.open(budget, notes);
  print_lines(console.err, notes);
  const Regression regression{*backend, budget, in_memory, console.err};
  if (!compared)
    console.err << "leave-one-out errors are not computed of more than " << kMostLeftOutOnce << " points\n";
  const LeaveOneOutErrors left_out = compared ? leave_out(regression, spec) : LeaveOneOutErrors();
  if (automatic) take_best(spec, left_out, console.err);

  Graph graph;
  const KernelsPlaces places =
      append_kernels(graph, spec, {.pairs = request.weights || spec.linear, .errors = false});
  const KernelStages& stages = places.curves[0];
  std::vector<StageIndex> wanted{stages.estimate};
  if (spec.linear) wanted.push_back(*stages.line);
  if (request.weights) wanted.push_back(*stages.weights);
  const std::uint64_t kept = request.weights ? 2 * std::uint64_t{spec.queries} * m * sizeof(float) : 0;
  const std::vector<Tensor> results = regression.run(graph, wanted, kept);
  note_gaps(results[0], console.err);

  const Tensor queries = queries_of(spec);
  const std::vector<float> weights =
      request.weights ? in_file_order(results.back(), sorted_points(spec).order) : std::vector<float>();
  std::vector<std::span<const float>> values{queries.values(), results[0].values()};
  if (spec.linear) values.emplace_back(results[1].values());
  if (request.weights) values.emplace_back(weights);
  values.emplace_back(left_out.widths), values.emplace_back(left_out.errors);
  const auto arrays = arrays_of(spec, request.weights, left_out.errors.size());
  auto file = std::make_unique<FileWriter>(request.output);
  NpzWriter npz([&](Bytes bytes) { file->write(bytes); });
  for (std::size_t i = 0; i < arrays.size(); ++i) npz.add(arrays[i].first, arrays[i].second, {&values[i], 1});
  npz.finish();
  console.keep(std::move(file));
}

}  // namespace

void add_regress(CommandParser& parser) {
  const auto request = std::make_shared<RegressRequest>();
  Options options =
      parser.add("regress", "Estimate the values of points by a kernel", [request](Console& console) {
        regress(*request, console);
        return kDone;
      });
  RegressRequest& words = *request;
  options
      .add("DATA", words.input, "",
           "points as .csv or .npy, a row each of x and values, or .npz with x and y")
      .add("--kernel", words.kernel, "K",
           "gaussian, boxcar, constant, triangular, epanechnikov, biweight, tricube, cosine or dot")
      .required()
      .add("--width", words.width, "S|auto|knn:N",
           "the width σ; of the least leave-one-out error; as far as the N-th nearest point")
      .required()
      .add("--query", words.query, "A:B:N",
           "N places from A to B; 101 from the first point to the last when absent")
      .add("--local", words.local,
           "write the local line too: the least-squares line through the weighted points")
      .add("--weights", words.weights, "write the weight of every point at every query too")
      .add("-o,--output", words.output, "OUT.npz", "write the arrays here");
  parser.add_device(options, words.device);
  options.end_with_statuses();
}

}  // namespace attn
