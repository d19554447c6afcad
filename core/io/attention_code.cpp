// PyTorch's documentation says what each function's arguments mean: scale is 1/√d where none is given,
// is_causal starts at the upper left and excludes attn_mask, heads share keys with enable_gqa alone.
#include "core/io/attention_code.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attention/attention_call.h"
#include "core/graph/rounding.h"
#include "core/io/mask_code.h"
#include "core/io/matrix_text.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
// e to the power of minus this is 0 in float.
constexpr double kNothing = 110;

std::string tensor_code(const Tensor& tensor) {
  if (tensor.stack() == 1) return write_matrix(tensor, 0, TextFormat::pytorch);
  std::string text = "torch.stack([";
  for (std::size_t s = 0; s < tensor.stack(); ++s)
    text += (s > 0 ? ",\n " : "") + write_matrix(tensor, s, TextFormat::pytorch);
  return text + "])";
}

// The last key that query 0 sees, where the mask is one causal rule and nothing else.
std::optional<long> causal_diagonal(const Stage& stage) {
  return stage.inputs.empty() ? causal_diagonal(stage.operation) : std::nullopt;
}

class Writer {
 public:
  Writer(const Results& results, AttentionCall call, AttentionFunction function)
      : results_(results),
        call_(std::move(call)),
        product_(function == AttentionFunction::scaled_dot_product_attention) {}

  std::optional<AttentionCode> write() {
    for (const auto& stage : {call_.bias, call_.mask})
      if (stage && !results_.outputs[*stage].here()) return std::nullopt;
    check_rows();
    if (!product_ && call_.of_products) call_.omitted = omitted_by_module(results_.graph, call_);
    AttentionCode code{.text = {}, .same = call_.omitted.empty()};
    if (!call_.of_products)
      code.text = std::string("# ") + (product_ ? "scaled_dot_product_attention" : "MultiheadAttention") +
                  " cannot compute this layer:\n";
    else if (!code.same)
      code.text = "# The layer also does what this call does not:\n";
    for (const std::string& line : call_.omitted) code.text += "#   " + printable(line) + "\n";
    code.text += notes_;
    if (call_.of_products) code.text += call_lines();
    return code;
  }

 private:
  const Stage& stage(StageIndex index) const { return results_.graph.stages[index]; }
  const Shape& shape(StageIndex index) const { return stage(index).shape; }

  // Rows whose keys are all hidden, and those where the number of a mask does not vanish next to the others.
  void check_rows() {
    if (!results_.outputs[call_.scores].here()) return;
    const Tensor& scores = results_.outputs[call_.scores].whole();
    const double fill = call_.mask ? MaskFill{call_.fill}.value() : -kInfinite;
    const double counts = fill > 0 ? -kInfinite : adds(call_.fill) ? fill / 2 : fill + kNothing;
    bool empty = false, filled = false;
    for (std::size_t s = 0; s < scores.stack(); ++s)
      for (std::size_t i = 0; i < scores.rows(); ++i) {
        const double largest = largest_kept(scores, s, i);
        empty = empty || largest == -kInfinite;
        filled = filled || largest < counts;
      }
    if (filled)
      call_.omitted.push_back(
          adds(call_.fill)
              ? "rows of masked scores alone: of numbers near " + shortest(fill) + " few digits are left"
              : "rows where " + shortest(fill) + " in place of a masked score still counts");
    else if (empty)
      note_empty();
  }
  double largest_kept(const Tensor& scores, std::size_t head, std::size_t row) const {
    const bool replaced = call_.mask && !adds(call_.fill);
    double largest = -kInfinite;
    for (std::size_t j = 0; j < scores.columns(); ++j)
      if (!replaced || !hidden({head, row, j}, scores.stack()))
        largest = std::max(largest, static_cast<double>(scores[{head, row, j}]));
    return largest;
  }
  bool hidden(Cell cell, std::size_t heads) const {
    const Tensor& mask = results_.outputs[*call_.mask].whole();
    cell.head = shared_matrix(cell.head, mask.stack(), heads);
    return mask[cell] != 0;
  }
  void note_empty() {
    const EmptyRow there = product_ ? EmptyRow::zeros : EmptyRow::nan;
    if (call_.empty_row != there)
      call_.omitted.push_back(std::string("a query without a key: its weights are ") +
                              (call_.empty_row == EmptyRow::zeros ? "0"
                               : call_.empty_row == EmptyRow::nan ? "NaN"
                                                                  : "uniform") +
                              " in the layer, " + (product_ ? "0" : "NaN") + " here");
    else if (product_)
      notes_ += "# A query without a key gets 0 (before PyTorch 2.5: NaN).\n";
  }

  bool adds_finite() const { return adds(call_.fill) && std::isfinite(MaskFill{call_.fill}.value()); }

  // The lines that make what attn_mask takes; nothing where it takes nothing.
  std::string mask_lines() const {
    std::string lines;
    if (call_.bias) lines += bias_line();
    if (!call_.mask) return lines;
    const bool alone = !call_.bias && !adds_finite();
    const MaskConvention convention = product_ || !alone ? MaskConvention::kept : MaskConvention::masked;
    lines += truth_line(convention);
    if (alone) return lines;
    const std::string fill =
        adds_finite() ? shortest(MaskFill{call_.fill}.value()) : std::string("float('-inf')");
    if (!call_.bias) return lines + "mask = torch.zeros(mask.shape).masked_fill(~mask, " + fill + ")\n";
    return lines + "mask = torch.where(mask, bias, " + (adds_finite() ? "bias + " : "torch.tensor(") + fill +
           (adds_finite() ? ")\n" : "))\n");
  }
  std::string bias_line() const {
    const Stage& bias = stage(*call_.bias);
    const std::string name = call_.mask ? "bias" : "mask";
    const auto by_distance = slopes(bias.operation);
    if (!by_distance)
      return name + " = " + tensor_code(results_.outputs[*call_.bias].whole()) + "  # " +
             printable(bias.formula) + "\n" + repeated(name, *call_.bias);
    const auto& [of_heads, first] = *by_distance;
    const Tensor numbers({1, 1, of_heads.size()}, of_heads);
    return "slopes = " + write_matrix(numbers, 0, TextFormat::pytorch) + "[0]\n" + name +
           " = -slopes[:, None, None] * (torch.arange(" + std::to_string(first) + ", " +
           std::to_string(first + static_cast<std::ptrdiff_t>(bias.shape.rows)) +
           ")[:, None] - torch.arange(" + std::to_string(bias.shape.columns) + ")).abs()\n";
  }
  std::string truth_line(MaskConvention convention) const {
    const auto diagonal = causal_diagonal(stage(*call_.mask));
    if (!diagonal)
      return mask_code(results_.outputs[*call_.mask].whole(), convention, call_.fill) +
             repeated("mask", *call_.mask);
    const Shape& size = shape(*call_.mask);
    const std::string ones = "(torch.ones(" + std::to_string(size.rows) + ", " +
                             std::to_string(size.columns) + ", dtype=torch.bool)";
    return convention == MaskConvention::kept
               ? "mask = torch.tril" + ones + diagonal_word(*diagonal) + ")  # True = kept\n"
               : "mask = torch.triu" + ones + diagonal_word(*diagonal + 1) + ")  # True = masked\n";
  }
  // Matrices that several heads share each stand for all of them: torch repeats single ones only.
  std::string repeated(const std::string& name, StageIndex index) const {
    const std::size_t stack = shape(index).stack, heads = shape(call_.q).stack;
    if (stack == 1 || stack == heads) return {};
    return name + " = " + name + ".repeat_interleave(" + std::to_string(heads / stack) + ", dim=0)\n";
  }
  static std::string diagonal_word(long diagonal) {
    return diagonal == 0 ? "" : ", diagonal=" + std::to_string(diagonal);
  }

  std::string call_lines() const {
    const bool causal =
        product_ && call_.mask && !call_.bias && !adds_finite() && causal_diagonal(stage(*call_.mask)) == 0;
    const bool masked = !causal && (call_.mask || call_.bias);
    std::string text = masked ? mask_lines() : std::string();
    const std::string mask = masked ? ", attn_mask=mask" : "";
    if (!product_) return text + module_line(mask);
    text += "# q, k, v: heads × tokens × features, the stages " + stage(call_.q).id + ", " +
            stage(call_.k).id + ", " + stage(call_.v).id + "; output: " + stage(call_.output).id + "\n";
    text += "output = torch.nn.functional.scaled_dot_product_attention(q, k, v" + mask;
    if (causal) text += ", is_causal=True";
    if (is_scaled(call_, shape(call_.q).columns)) text += ", scale=" + shortest(call_.scale);
    if (shape(call_.k).stack != shape(call_.q).stack) text += ", enable_gqa=True";
    return text + ")\n";
  }
  std::string module_line(const std::string& mask) const {
    const bool own_memory =
        projected_from(results_.graph, call_.v) != projected_from(results_.graph, call_.q);
    const std::string keys = own_memory ? "memory, memory" : "x, x";
    const std::string x = stage(projected_from(results_.graph, call_.q)).id,
                      memory = stage(projected_from(results_.graph, call_.v)).id;
    return "# x: tokens × features, the stage " + x + (own_memory ? "; memory: " + memory : "") +
           "\noutput, weights = attention(x, " + keys + mask + ")\n";
  }

  const Results& results_;
  AttentionCall call_;
  bool product_;  // scaled_dot_product_attention
  std::string notes_;
};

}  // namespace

std::optional<AttentionCode> attention_code(const Results& results, std::size_t part,
                                            AttentionFunction function) {
  std::optional<AttentionCall> call = attention_call(results.graph, part);
  if (!call) return std::nullopt;
  return Writer(results, std::move(*call), function).write();
}

}  // namespace attn
