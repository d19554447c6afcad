// Masks on a device: rules become numbers that shaders/mask.cl reads.
#include "core/opencl/family.h"

namespace attn::opencl {
namespace {

// As shaders/mask.cl reads them.
enum EncodedRule : cl_long { kCausal, kPadding, kWindow, kStrided, kRandom, kPrefix, kBlocks };
constexpr Steps kRounds = 10;  // of a random rank
constexpr cl_long kNegated = 1, kAll = 2, kYields = 4;

struct Rules {
  std::vector<cl_long> rules, tables;
  std::size_t count = 0;
  bool has_global = false;
};

// What a rule is on the device: its kind, two numbers, and the place of its numbers by query; −1: the first
// number is for all.
struct Encoded {
  EncodedRule kind;
  cl_long number = 0, second = 0, place = -1;
};

// Of the queries, and behind them of the keys.
std::vector<std::ptrdiff_t> places(const Mask& mask) {
  std::vector<std::ptrdiff_t> all;
  for (std::size_t i = 0; i < mask.rows().count; ++i) all.push_back(mask.place(i).place());
  for (std::size_t j = 0; j < mask.keys; ++j) all.push_back(static_cast<std::ptrdiff_t>(j));
  return all;
}

struct Encoder {
  const Mask& mask;
  std::vector<cl_long>& tables;

  static cl_long number(std::uint64_t n) { return static_cast<cl_long>(n); }
  cl_long place() const { return number(tables.size()); }

  Encoded operator()(const CausalRule& rule) const {
    // The number is how many keys the diagonal lies to the right: masked where key > place + number.
    return {kCausal, last_key(rule, mask.place(0)) - mask.place(0).place()};
  }
  Encoded operator()(const PaddingRule& rule) const {
    if (rule.lengths.size() <= 1)
      return {kPadding, number(rule.lengths.empty() ? mask.keys : rule.lengths[0])};
    const cl_long at = place();
    const auto first = rule.lengths.begin() + static_cast<std::ptrdiff_t>(mask.rows().first);
    tables.insert(tables.end(), first, first + static_cast<std::ptrdiff_t>(mask.rows().count));
    return {kPadding, 0, 0, at};
  }
  Encoded operator()(const WindowRule& rule) const { return {kWindow, number(rule.width)}; }
  Encoded operator()(const StridedRule& rule) const { return {kStrided, number(rule.stride)}; }
  Encoded operator()(const GlobalRule&) const { return {}; }  // said by the tables' beginning
  Encoded operator()(const RandomRule& rule) const {
    const cl_long at = place();
    for (std::size_t row = 0; row < mask.rows().count; ++row)
      tables.push_back(
          number(random_limit(rule, random_ranks(rule.seed, mask.place(row).place(), mask.keys))));
    return {kRandom, 0, number(rule.seed), at};
  }
  Encoded operator()(const PrefixRule& rule) const { return {kPrefix, number(rule.length)}; }
  // The number of each query's block, and behind them those of the keys.
  Encoded operator()(const BlocksRule& rule) const {
    const cl_long at = place();
    const std::size_t rows = mask.rows().count;
    for (const auto& blocks : {blocks_of(rule, mask.place(0).place(), rows), blocks_of(rule, 0, mask.keys)})
      tables.insert(tables.end(), blocks.begin(), blocks.end());
    return {kBlocks, 0, at + number(rows), at};
  }
};

bool names_tokens(const MaskTerm& term) {
  return std::holds_alternative<GlobalRule>(term.rule);
}

Rules encode(const Mask& mask) {
  Rules out;
  out.has_global = std::ranges::any_of(mask.rules, names_tokens);
  if (out.has_global)
    for (const std::ptrdiff_t place : places(mask))
      out.tables.push_back(is_global(mask.rules, place) ? 1 : 0);
  for (const MaskTerm& term : mask.rules) {
    if (names_tokens(term)) continue;
    const Encoded rule = std::visit(Encoder{mask, out.tables}, term.rule);
    const bool all = out.count > 0 && term.join == Join::all;
    const cl_long flags =
        (term.negated ? kNegated : 0) | (all ? kAll : 0) | (yields_to_global(term.rule) ? kYields : 0);
    out.rules.insert(out.rules.end(), {rule.kind, flags, rule.number, rule.second, rule.place});
    ++out.count;
  }
  return out;
}

}  // namespace

Tensor compute(Workbench& bench, const Mask& op, Inputs inputs) {
  const bool user = !inputs.empty();
  const Shape shape = user ? inputs[0].shape() : Shape{1, op.rows().count, op.keys};
  return bench.compute(shape, [&](const cl::Buffer& y) {
    const Rules rules = encode(op);
    const cl_uint has_user = user;
    const Extent extent{shape.stack * shape.rows, shape.columns, rules.count * (1 + kRounds)};
    // Without a user's mask the kernel needs some buffer in its place; it isn't read.
    bench.launch_by_number("mask", "mask", extent, user ? bench.input(inputs[0]) : y, has_user,
                           bench.table(rules.rules), static_cast<cl_ulong>(rules.count),
                           bench.table(rules.tables), static_cast<cl_uint>(rules.has_global), y,
                           static_cast<cl_ulong>(shape.rows), static_cast<cl_long>(op.place(0).place()));
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
