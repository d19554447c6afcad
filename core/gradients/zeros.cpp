// Reasons are read off the numbers: of the weights, of what flows to them, of what the loss asks.
#include "core/gradients/zeros.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/checks/dictionary.h"
#include "core/gradients/weights_flow.h"

namespace attn {
namespace {

std::string row_words(const Axis& axis, std::size_t row) {
  const bool named = axis.labels && row < axis.labels->size() && !(*axis.labels)[row].empty();
  return "row " + (named ? "“" + (*axis.labels)[row] + "”" : std::to_string(row));
}

class Zeros {
 public:
  Zeros(const Results& results, const GradientsPlaces& places)
      : results_(results),
        graph_(results.graph),
        places_(places),
        d_output_(places.gradients.find(places.layer.output)),
        mixing_(mixing_weights(graph_, places.part)) {
    if (const auto d_scores = places.gradients.find(places.layer.weighed)) flow_ = flow_of(*d_scores);
    if (flow_ && !(here(flow_->d_scores) && here(flow_->weights) && here(flow_->d_weights))) flow_.reset();
  }

  std::vector<ExactZeros> find() {
    add_whole_stages();
    if (flow_) add_masked();
    const auto rows = static_cast<std::ptrdiff_t>(found_.size());
    for (const StageIndex token : places_.tokens) add_tokens(token);
    if (flow_ && !all_zero()) add_rows();
    std::ranges::stable_sort(found_.begin() + rows, found_.end(), {},
                             [](const ExactZeros& zero) { return zero.cell.row; });
    return std::move(found_);
  }

 private:
  const Stage& stage(StageIndex i) const { return graph_.stages[i]; }
  bool here(StageIndex i) const { return results_.outputs[i].here(); }
  float at(StageIndex i, Cell cell) const { return results_.outputs[i][cell]; }
  bool row_is_zero(StageIndex i, std::size_t head, std::size_t row) const {
    for (std::size_t j = 0; j < results_.outputs[i].columns(); ++j)
      if (at(i, {head, row, j}) != 0) return false;
    return true;
  }
  // Rows of the scores are queries; over queries they are keys.
  bool by_query() const { return flow_ && stage(flow_->scores).rows.along == Axis::queries; }

  // Of rows without a key that become ones or NaN gradients go step by step: what they are of is the same.
  std::optional<WeightsFlow> flow_of(StageIndex d_scores) const {
    if (const auto flow = weights_flow(graph_, d_scores)) return flow;
    for (StageIndex i = places_.layer.weighed; i <= places_.layer.output; ++i)
      if (stage(i).role == Role::weights && stage(i).scores == places_.layer.weighed)
        if (const auto d_weights = places_.gradients.find(i))
          return WeightsFlow{d_scores, places_.layer.weighed, *d_weights, i};
    return std::nullopt;
  }

  // Its stage was told of.
  bool all_zero() const { return !stage(flow_->d_scores).zero.empty(); }

  // Those that are shown, together where they have one reason.
  void add_whole_stages() {
    std::map<std::string, std::size_t> place;
    for (const auto* shown : {&places_.attention, &places_.projected, &places_.tokens, &places_.parameters})
      for (const StageIndex i : *shown) {
        const StageIndex gradient = *places_.gradients.find(i);
        const std::string& why = stage(gradient).zero;
        if (why.empty()) continue;
        const auto [at, fresh] = place.try_emplace(why, found_.size());
        if (fresh)
          found_.push_back({.what = stage(gradient).title, .why = why, .stage = gradient, .cell = {}});
        else
          found_[at->second].what += ", " + stage(gradient).title;
      }
  }

  bool masked(Cell cell) const {
    const auto mask = stage(flow_->scores).mask;
    if (!mask || !here(*mask)) return at(flow_->scores, cell) == -HUGE_VALF;
    if (results_.outputs[*mask].stack() == 1) cell.head = 0;
    return at(*mask, cell) != 0;
  }

  void add_masked() {
    ExactZeros masked_scores{.what = "masked scores", .why = {}, .stage = flow_->d_scores, .cell = {}};
    const Shape& shape = results_.outputs[flow_->d_scores].shape();
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const Cell cell = cell_at(shape, i);
      if (!masked(cell)) continue;
      if (masked_scores.of++ == 0) masked_scores.cell = cell;
      masked_scores.zeros += at(flow_->d_scores, cell) == 0;
    }
    if (masked_scores.of > 0) found_.push_back(std::move(masked_scores));
  }

  // Why the loss asks nothing of a row of the output; empty: it does.
  std::string unasked(std::size_t row) const {
    if (!d_output_ || !here(*d_output_) || !row_is_zero(*d_output_, 0, row)) return {};
    const StageIndex asked = places_.asked;
    if (places_.kind == LossKind::cross_entropy && at(asked, {0, row, 0}) < 0) return "no label";
    if (places_.kind == LossKind::mean_square) {
      bool target = false;
      for (std::size_t j = 0; j < results_.outputs[asked].columns(); ++j)
        target = target || !std::isnan(at(asked, {0, row, j}));
      return target ? "its output is its target" : "no target";
    }
    return "the loss asks nothing of it";
  }

  // Why a row of dS is 0.
  std::string of_scores(std::size_t head, std::size_t row) const {
    std::size_t left = 0, weighing = 0, saturated = 0;
    bool flows = false, alike = true;
    float earned = 0;
    const bool sum = keeps_sum(graph_, flow_->weights);
    const std::size_t keys = results_.outputs[flow_->weights].columns();
    for (std::size_t j = 0; j < keys; ++j) {
      const Cell cell{head, row, j};
      const float weight = at(flow_->weights, cell), d = at(flow_->d_weights, cell);
      left += at(flow_->scores, cell) != -HUGE_VALF && (!masked(cell) || weight != 0);
      saturated += weight == 0 || weight == 1 || (!sum && d == 0);
      if (weight == 0) continue;
      if (weighing++ == 0) earned = d;
      flows = flows || d != 0, alike = alike && d == earned;
    }
    if (left == 0) return "every key masked";
    if (weighing == 0) return "every weight is 0";
    if (!flows) {
      const std::string asks = by_query() ? unasked(row) : std::string();
      return asks.empty() ? "no weight of it moves the loss" : asks;
    }
    if (sum && left == 1) return "one key: its weight stays 1";
    if (saturated == keys) return sum ? "saturated: one weight is 1" : "saturated: weights of 0 or 1";
    if (sum && alike) return "its keys would earn the same";
    return "too small for a float";
  }

  // The same of all heads: what is said of each, once.
  std::string of_all_heads(std::size_t row) const {
    std::string why;
    for (std::size_t head = 0; head < results_.outputs[flow_->d_scores].stack(); ++head) {
      if (!row_is_zero(flow_->d_scores, head, row)) return {};
      const std::string here = of_scores(head, row);
      if (why.find(here) == std::string::npos) why += (why.empty() ? "" : ", ") + here;
    }
    return why;
  }

  // Who sees a key, where none of those is asked; empty: somebody who is.
  std::string unseen(std::size_t key, bool own) const {
    if (!mixing_ || !here(*mixing_)) return {};
    bool others = false, itself = false;
    const StageResult& weights = results_.outputs[*mixing_];
    for (std::size_t head = 0; head < weights.stack(); ++head)
      for (std::size_t row = 0; row < weights.rows(); ++row) {
        if (at(*mixing_, {head, row, key}) == 0) continue;
        if (unasked(row).empty()) return {};
        (own && row == key ? itself : others) = true;
      }
    if (others) return "seen only where nothing is asked";
    return itself ? "seen by no one else" : "seen by no one";
  }

  // Rows of the gradients of X and of M. X alone makes keys as well.
  void add_tokens(StageIndex token) {
    const StageIndex gradient = *places_.gradients.find(token);
    if (!here(gradient) || !stage(gradient).zero.empty()) return;
    const bool queries = stage(token).rows.along == Axis::queries;
    const bool keys = !queries || places_.tokens.size() == 1;
    for (std::size_t row = 0; row < results_.outputs[gradient].rows(); ++row) {
      if (!row_is_zero(gradient, 0, row)) continue;
      std::string why = queries ? unasked(row) : std::string();
      if (queries && why.empty() && by_query() && !all_zero()) why = of_all_heads(row);
      if (const std::string seen = keys ? unseen(row, queries) : std::string(); !seen.empty())
        why += (why.empty() ? "" : ", ") + seen;
      if (why.empty()) why = "what flows to it adds up to 0";
      if (queries) told_.push_back(row);
      found_.push_back({row_words(stage(token).rows, row), std::move(why), gradient, {0, row, 0}});
    }
  }

  // Rows of dS, but for those of tokens that were told of.
  void add_rows() {
    const StageResult& d_scores = results_.outputs[flow_->d_scores];
    for (std::size_t row = 0; row < d_scores.rows(); ++row) {
      if (by_query() && std::ranges::count(told_, row) > 0) continue;
      const std::string what = row_words(stage(flow_->scores).rows, row);
      if (std::string why = of_all_heads(row); !why.empty()) {
        found_.push_back({what, std::move(why), flow_->d_scores, {0, row, 0}});
        continue;
      }
      for (std::size_t head = 0; head < d_scores.stack(); ++head)
        if (row_is_zero(flow_->d_scores, head, row))
          found_.push_back({what + " of head " + std::to_string(head),
                            of_scores(head, row),
                            flow_->d_scores,
                            {head, row, 0}});
    }
  }

  const Results& results_;
  const Graph& graph_;
  const GradientsPlaces& places_;
  std::optional<StageIndex> d_output_, mixing_;
  std::optional<WeightsFlow> flow_ = {};
  std::vector<std::size_t> told_ = {};  // rows of X
  std::vector<ExactZeros> found_ = {};
};

}  // namespace

std::vector<ExactZeros> exact_zeros(const Results& results, const GradientsPlaces& places) {
  return Zeros(results, places).find();
}

}  // namespace attn
