// Masks on a device: rules become numbers that shaders/mask.cl reads.
#include "core/opencl/family.h"

namespace attn::opencl {
namespace {

struct Rules {
  std::vector<cl_long> rules, lengths;
};

// Three numbers a rule: kind, number, and the place of its numbers by query; −1: the number is for all.
struct Encoder {
  const Mask& mask;
  Rules& out;

  void operator()(const CausalRule& rule) const {
    // The number is how many keys the diagonal lies to the right: masked where key > query + number.
    const bool low = rule.align == CausalAlign::lower_right;
    const cl_long keys = static_cast<cl_long>(mask.keys), queries = static_cast<cl_long>(mask.queries);
    out.rules.insert(out.rules.end(), {0, low ? keys - queries : 0, -1});
  }
  void operator()(const PaddingRule& rule) const {
    const bool many = rule.lengths.size() > 1;
    const std::size_t all = rule.lengths.empty() ? mask.keys : rule.lengths[0];
    out.rules.insert(out.rules.end(), {1, static_cast<cl_long>(all),
                                       many ? static_cast<cl_long>(out.lengths.size()) : cl_long{-1}});
    if (many) out.lengths.insert(out.lengths.end(), rule.lengths.begin(), rule.lengths.end());
  }
};

Rules encode(const Mask& mask) {
  Rules rules;
  for (const MaskRule& rule : mask.rules) std::visit(Encoder{mask, rules}, rule);
  return rules;
}

}  // namespace

Tensor compute(Workbench& bench, const Mask& op, Inputs inputs) {
  const bool user = !inputs.empty();
  const Shape shape = user ? inputs[0].shape() : Shape{1, op.queries, op.keys};
  return bench.compute(shape, [&](const cl::Buffer& y) {
    const Rules rules = encode(op);
    const cl_uint has_user = user;
    // Without a user's mask the kernel needs some buffer in its place; it isn't read.
    bench.launch_by_number("mask", "mask", shape.stack * shape.rows, shape.columns,
                           user ? bench.input(inputs[0]) : y, has_user, bench.table(rules.rules),
                           static_cast<cl_ulong>(op.rules.size()), bench.table(rules.lengths), y,
                           static_cast<cl_ulong>(op.queries));
  });
}

Tensor compute(Workbench& bench, const MaskFill& op, Inputs inputs) {
  const Shape shape = inputs[0].shape();
  return bench.compute(shape, [&](const cl::Buffer& y) {
    const cl_ulong group = shape.stack / inputs[1].stack();
    const cl_uint adds = op.adds();
    bench.launch_by_number("mask", "mask_fill", shape.stack, shape.rows * shape.columns,
                           bench.input(inputs[0]), bench.input(inputs[1]), y,
                           static_cast<cl_float>(op.value()), adds, group);
  });
}

template Tensor run(Workbench&, const Mask&, Inputs);
template Tensor run(Workbench&, const MaskFill&, Inputs);

}  // namespace attn::opencl
