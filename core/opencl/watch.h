// Watch: a device's results held against the reference while it works, stage by stage. Each is compared with
// what the reference makes of the very same inputs, so that nothing adds up and what is wrong is found where
// it went wrong.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/reference/operations.h"

namespace attn::opencl {

// What comparing a number costs next to a multiply-add of the reference.
inline constexpr double kNumber = 20;

// `count` of so many rows, ascending: the first, the last, and one by chance in each part between them; all
// where there are no more. A single one is any of them, by chance.
std::vector<std::size_t> spread_rows(std::size_t rows, std::size_t count, std::uint64_t seed);

// The rows of a result that are looked at, and of each these columns; all of it where there are none, or
// where all are made for some.
struct Looked {
  std::vector<std::size_t> rows;
  reference::ColumnChoice columns = {};
};

// Throws Error(Fault::device), naming the cell and both numbers, when one of these numbers of a result is not
// what the operation makes of the inputs. The largest |device − reference|. `result`: what it is called.
double look_at_rows(const std::string& device, const std::string& result, const Operation& operation,
                    Inputs inputs, const Tensor& output, const Looked& at);

class Watch {
 public:
  // Everything is compared where the reference can do that with kMostComparedOperations; else some rows of
  // each stage, its first and last among them.
  explicit Watch(const Graph& graph);
  // Goes on with another graph, one of several that make a large one some rows at a time: `share` of what is
  // compared of them all is for this. `place`: behind the names of its stages, where they are wrong.
  void go_on_with(const Graph& graph, double share, const std::string& place);

  // Throws Error(Fault::device), naming the stage, the cell and both numbers, when `output` is not what the
  // stage makes of the inputs. `device`: whose it is.
  void look(const std::string& device, StageIndex stage, Inputs inputs, const Tensor& output);

  // "compared with the reference: all numbers, the farthest 1.2e-07 from it (scores)".
  std::string summary() const;

 private:
  std::vector<std::size_t> choose_rows(StageIndex stage) const;

  void begin(double share);

  const Graph* graph_;
  double share_ = 0;        // of one stage where not all is compared: multiply-adds of the reference
  std::size_t fewest_ = 0;  // rows of a stage, whatever they cost
  std::string place_ = {};
  bool all_ = true;
  std::size_t seen_ = 0, rows_ = 0;  // rows compared, and all
  double largest_ = 0;               // |device − reference|
  std::string largest_stage_ = {};
};

}  // namespace attn::opencl
