// Computes a twentieth of the rows at a time, and says after each how far it is.
#include "app/words/reporting_reference.h"

#include <cmath>
#include <numeric>
#include <vector>

#include "core/checks/comparison.h"
#include "core/reference/backend.h"

namespace attn {
namespace {

constexpr std::size_t kPieces = 20;

class ReportingReference final : public Backend {
 public:
  explicit ReportingReference(std::ostream& err) : err_(err) {}

  std::string name() const override { return kReference; }
  Tensor run(const Operation& operation, Inputs inputs, Numbers wanted) override {
    std::vector<Shape> shapes;
    for (const Tensor& input : inputs) shapes.push_back(input.shape());
    const Shape shape = result_shape(operation, shapes);
    const std::size_t rows = shape.stack * shape.rows;
    const bool row_by_row = traits(operation, shapes, shape).long_rows;
    if (!row_by_row || rows < kPieces) return reference_->run(operation, inputs, wanted);
    std::vector<float> values;
    values.reserve(shape.size());
    for (std::size_t piece = 0; piece < kPieces; ++piece) {
      const std::size_t first = piece * rows / kPieces, end = (piece + 1) * rows / kPieces;
      std::vector<std::size_t> chosen(end - first);
      std::iota(chosen.begin(), chosen.end(), first);
      const Tensor numbers = run_rows(operation, inputs, chosen);
      values.insert(values.end(), numbers.values().begin(), numbers.values().end());
      err_ << (piece + 1) * 100 / kPieces << " % are done\n" << std::flush;
    }
    return {shape, std::move(values)};
  }

 private:
  std::unique_ptr<Backend> reference_ = make_reference_backend();
  std::ostream& err_;
};

}  // namespace

std::unique_ptr<Backend> reporting_reference(const Graph& graph, std::ostream& err, double untold) {
  double operations = 0;
  for (StageIndex i = 0; i < graph.stages.size(); ++i) operations += operation_count(graph, i);
  if (operations < untold) return nullptr;
  err << "the reference has about " << std::llround(operations / 1e6)
      << " million multiply-adds to do, which takes a while; Ctrl+C stops it\n"
      << std::flush;
  return std::make_unique<ReportingReference>(err);
}

}  // namespace attn
