// The deferred graphs of kernel regression: estimates of some queries each, then errors, every eighth width
// first.
#include "core/kernels/deferred.h"

#include <algorithm>

#include "core/kernels/builder.h"

namespace attn {
namespace {

// What the pieces are made from.
struct PieceInputs {
  KernelsSpec spec;
  KernelPoints points;
  Tensor queries, candidates;
};

// Before the last stage, what it reads.
StageIndex source(Graph& graph, const char* id, const Tensor& tensor) {
  return graph.add({.id = id, .title = id, .formula = "given", .operation = Source{tensor}});
}

Tensor rows_of(const Tensor& column, std::size_t first, std::size_t count) {
  const auto values = column.values().subspan(first, count);
  return {{1, count, 1}, {values.begin(), values.end()}};
}

Graph estimate_graph(const PieceInputs& given, const KernelCurve& curve, const KernelsPiece& piece) {
  Graph graph;
  graph.add_step({.title = "estimate", .says = "of some queries"});
  const StageIndex queries = source(graph, "queries", rows_of(given.queries, piece.first, piece.count));
  const StageIndex keys = source(graph, "keys", given.points.keys);
  const StageIndex values = source(graph, "values", given.points.values);
  KernelsBuilder b{.graph = graph, .spec = given.spec, .wanted = {}};
  b.places.queries = queries, b.places.keys = keys, b.places.sorted = given.points;
  const StageIndex width = append_width(b, curve);
  graph.add({.id = "estimate",
             .title = "estimate",
             .formula = {},
             .operation = KernelEstimate{curve.kernel},
             .inputs = {queries, keys, values, width}});
  return graph;
}

Graph error_graph(const PieceInputs& given, const KernelCurve& curve, std::size_t candidate) {
  Graph graph;
  const StageIndex keys = source(graph, "keys", given.points.keys);
  const StageIndex values = source(graph, "values", given.points.values);
  const Shape shape = given.candidates.shape();
  const std::size_t size = shape.rows * shape.columns;
  const auto widths = given.candidates.values().subspan(candidate * size, size);
  append_mean_errors(graph, curve.kernel, keys, values,
                     Tensor({1, shape.rows, shape.columns}, {widths.begin(), widths.end()}));
  return graph;
}

// 0, 8, 16, …, then those between: a curve is seen before all of it is known.
std::vector<std::size_t> from_coarse_to_fine(std::size_t count) {
  std::vector<std::size_t> order;
  for (std::size_t apart = 8; apart > 0; apart /= 2)
    for (std::size_t i = 0; i < count; i += apart)
      if (apart == 8 || i % (2 * apart) != 0) order.push_back(i);
  return order;
}

}  // namespace

std::size_t queries_apart(const KernelsSpec& spec, std::size_t points) {
  const std::size_t pairs = spec.queries * points * curves_of(spec).size();
  return std::max<std::size_t>(1, (pairs + kMostAtOnce - 1) / kMostAtOnce);
}

Tensor every_query(const Tensor& queries, std::size_t apart) {
  if (apart == 1) return queries;
  std::vector<float> values;
  for (std::size_t i = 0; i < queries.rows(); i += apart) values.push_back(queries.values()[i]);
  if ((queries.rows() - 1) % apart != 0) values.push_back(queries.values().back());
  const std::size_t count = values.size();
  return {{1, count, 1}, std::move(values)};
}

std::vector<KernelsPiece> kernels_pieces(const KernelsSpec& spec, std::size_t points,
                                         std::size_t candidates) {
  std::vector<KernelsPiece> pieces;
  const std::vector<KernelCurve> curves = curves_of(spec);
  if (points == 0) return pieces;
  const std::size_t each = std::max<std::size_t>(1, kMostAtOnce / points);
  if (queries_apart(spec, points) > 1)
    for (std::size_t first = 0; first < spec.queries; first += each)
      for (std::size_t curve = 0; curve < curves.size(); ++curve)
        pieces.push_back({.curve = curve, .first = first, .count = std::min(each, spec.queries - first)});
  if (points <= kMostLeftOut || points > kMostCompared) return pieces;
  const std::size_t kernels =
      spec.kernels.size() > 1 ? curves.size() : std::min<std::size_t>(1, curves.size());
  for (const std::size_t candidate : from_coarse_to_fine(candidates))
    for (std::size_t curve = 0; curve < kernels; ++curve)
      pieces.push_back({.curve = curve, .candidate = candidate});
  return pieces;
}

std::vector<DeferredGraph> deferred_kernels(const Document& document, const Places& places) {
  const KernelsSpec& spec = document.kernels;
  const std::size_t m = spec.set == PointSet::own ? spec.points.rows() : spec.count;
  const bool errors = m > kMostLeftOut && m <= kMostCompared;
  if (m == 0 || (!errors && queries_apart(spec, m) == 1)) return {};
  const KernelPoints& points = places.as<KernelsPlaces>()->sorted;
  auto given = std::make_shared<PieceInputs>(
      PieceInputs{.spec = spec, .points = points, .queries = queries_of(spec), .candidates = {}});
  if (errors) given->candidates = candidates_of(given->points, spec.width_rule);
  std::vector<DeferredGraph> deferred;
  const std::vector<KernelCurve> curves = curves_of(spec);
  for (const KernelsPiece& piece : kernels_pieces(spec, m, given->candidates.stack())) {
    const KernelCurve curve = curves[piece.curve];
    const std::string title(kernel_text(curve.kernel).title);
    if (piece.candidate)
      deferred.push_back({"leave-one-out error, " + title,
                          [given, curve, piece] { return error_graph(*given, curve, *piece.candidate); }});
    else
      deferred.push_back(
          {"estimate, " + title, [given, curve, piece] { return estimate_graph(*given, curve, piece); }});
  }
  return deferred;
}

}  // namespace attn
