// Mechanisms with a score for each pair of a query and a key: full, flash, window, strided.
#include "core/cost/count_builder.h"

namespace attn {
namespace {

using Factors = CostBuilder::Factors;

struct Scores {
  CostBuilder& b;
  bool flash = b.spec.mechanism.kind == MechanismKind::flash;
  bool dense = flash || b.spec.mechanism.kind == MechanismKind::full;

  // The pairs that are computed, of every head, with what else is multiplied.
  Factors pairs(Factors before, const Factors& after) const {
    if (dense)
      before.insert(before.end(), {b.n, b.m});
    else
      before.push_back(b.pairs);
    before.insert(before.end(), after.begin(), after.end());
    return before;
  }
  Factors matrix() const { return pairs({}, {b.h}); }
  Factors queries() const { return {b.n, b.h, b.d_k}; }
  // Keys, or values, that are read: in flash once for each tile of queries.
  Factors kept() const {
    const CostFactor keys = dense ? b.m : b.number("keys", reached_keys(b.spec));
    if (flash) return {b.number("⌈n/64⌉", (b.spec.n + kFlashTile - 1) / kFlashTile), keys, b.h_kv, b.d_k};
    return {keys, b.h_kv, b.d_k};
  }

  void multiply(CostStage stage, std::string_view what) const {
    b.product(stage, what, pairs({}, {b.d_k, b.h}));
  }
  void for_each_score(CostStage stage, std::string_view what, Count operations) const {
    constexpr std::array<std::string_view, 6> kDigits{"0", "1", "2", "3", "4", "5"};
    Factors first;
    if (operations > 1) first.push_back(b.number(kDigits[static_cast<std::size_t>(operations)], operations));
    b.operations(stage, what, pairs(first, {b.h}));
  }
};

void count_operations(const Scores& s) {
  CostBuilder& b = s.b;
  s.multiply(CostStage::scores, "Q·Kᵀ");
  s.for_each_score(CostStage::scaled, "times the scale", 1);
  if (!b.spec.backward) {
    s.for_each_score(CostStage::weights, "maximum, −, exp, sum, ÷", 5);
  } else if (!s.flash) {
    s.for_each_score(CostStage::weights, "A⊙∂A, its row sum, ∂A − sum, A⊙", 4);
  } else {
    s.for_each_score(CostStage::weights, "∂A − sum, A⊙", 2);
    b.operations(CostStage::weights, "row sums of ∂O⊙O", {b.two, b.n, b.d_k, b.h});
    // What no memory kept is made again, from the rows' maxima and sums.
    CostTerm again = b.term("scores made again", s.pairs({b.two}, {b.d_k, b.h}));
    again.matrix = true;
    b.at(CostStage::scores).operations.terms.push_back(again);
    s.for_each_score(CostStage::scaled, "scaled again", 1);
    s.for_each_score(CostStage::weights, "−, exp, ÷ again", 3);
  }
  s.multiply(CostStage::head_output, "weights·V");
}

// Scores go from stage to stage through memory.
void count_memory(const Scores& s) {
  CostBuilder& b = s.b;
  const Factors scores = s.matrix();
  b.moves(CostStage::scores,
          {b.bytes("Q read", s.queries()), b.bytes("K read", s.kept()), b.bytes("written", scores)});
  b.moves(CostStage::head_output,
          {b.bytes("weights read", scores), b.bytes("V read", s.kept()), b.bytes("written", s.queries())});
  for (const CostStage stage : {CostStage::scaled, CostStage::masked, CostStage::weights}) {
    StageCost& at = b.at(stage);
    at.bytes_moved.terms.push_back(b.bytes("read", scores));
    if (b.spec.backward && stage == CostStage::weights)
      at.bytes_moved.terms.push_back(b.bytes("their gradients read", scores));
    at.bytes_moved.terms.push_back(b.bytes("written", scores));
  }
  for (const CostStage stage : {CostStage::scores, CostStage::scaled, CostStage::masked, CostStage::weights})
    b.holds(stage, "made", scores);
  b.holds_at_once("scores, then weights", scores);
}

// Scores stay in the tile. Of each row its maximum and the sum of its exponentials are kept.
void count_tiles(const Scores& s) {
  CostBuilder& b = s.b;
  const Factors rows{b.two, b.n, b.h};
  b.moves(CostStage::scores, {b.bytes("Q read", s.queries()), b.bytes("K read by each tile", s.kept())});
  b.at(CostStage::weights)
      .bytes_moved.terms.push_back(
          b.bytes(b.spec.backward ? "maxima and sums read" : "maxima and sums written", rows));
  b.moves(CostStage::head_output,
          {b.bytes("V read by each tile", s.kept()), b.bytes("written", s.queries())});
  b.at(CostStage::weights).bytes_held.terms.push_back(b.bytes("maxima and sums", rows));
  b.layer.held.terms.push_back(b.bytes("maxima and sums", rows));
}

}  // namespace

void count_scores(CostBuilder& b) {
  const Scores s{b};
  const CostFactor keys =
      b.spec.mechanism.kind == MechanismKind::window ? b.number("keys", reached_keys(b.spec)) : b.m;
  const Factors kept{keys, b.h_kv, b.d_k};
  b.holds_at_once("queries", s.queries());
  b.holds_at_once("keys", kept);
  b.holds_at_once("values", kept);
  count_operations(s);
  s.flash ? count_tiles(s) : count_memory(s);
  b.holds(CostStage::head_output, "made", s.queries());
  b.holds_at_once("outputs of the heads", s.queries());
}

}  // namespace attn
