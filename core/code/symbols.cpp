// Symbols: rows of a table by their numbers, and what a prediction of one loses.
#include "core/operations/cross_entropy.h"

#include "core/code/family.h"

namespace attn::code {
namespace {

struct Prediction {
  Formula z, answers, asked, right;  // right: 1 at the answer's column

  explicit Prediction(const Given& in)
      : z(in[0]),
        answers(in[1]),
        asked(binary(Fn::at_least, answers, 0)),
        right(binary(Fn::equal, columns_counted(in[0]->shape.columns), answers)) {}
  // How many are asked, at least 1.
  Formula count() const { return binary(Fn::larger, stack_sum(column_sum(where(asked, 1, 0))), 1); }
};

}  // namespace

Formula formula(const CrossEntropy& op, const Given& in) {
  const Prediction p(in);
  const Formula largest = row_max(p.z);
  const Formula log_sum = largest + of_each(Fn::log, row_sum(of_each(Fn::exp, p.z - largest)));
  const Formula lost = where(p.asked, log_sum - row_sum(where(p.right, p.z, 0)), 0);
  return op.mean ? stack_sum(column_sum(lost)) / p.count() : lost;
}

Formula formula(const CrossEntropyGradient& op, const Given& in) {
  const Prediction p(in);
  const Formula exponentials = of_each(Fn::exp, p.z - row_max(p.z));
  const Formula away = exponentials / row_sum(exponentials) - where(p.right, 1, 0);
  const Formula g = in[2];
  return where(p.asked, away * (op.mean ? g / p.count() : g), 0);
}

Formula formula(const Embedding&, const Given& in) {
  const Formula named = binary(Fn::equal, in[1], columns_counted(in[0]->shape.rows));
  return product(where(named, 1, 0), in[0]);
}

Formula formula(const EmbeddingGradient& op, const Given& in) {
  const Formula symbols = places(op.rows, static_cast<std::ptrdiff_t>(op.first));
  const Formula named = binary(Fn::equal, symbols, transposed(in[1]));
  return product(where(named, 1, 0), in[0]);
}

template struct CodeOf<CrossEntropy>;
template struct CodeOf<CrossEntropyGradient>;
template struct CodeOf<Embedding>;
template struct CodeOf<EmbeddingGradient>;

}  // namespace attn::code
