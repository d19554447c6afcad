// What permuted inputs show, and when a run reached what.
#include "core/learning/evidence.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/tensor/random.h"

namespace attn {
namespace {

// Places in an order that is none of the symmetric ones.
std::vector<std::size_t> permuted_places(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = 0; i + 1 < count; ++i)
    std::swap(order[i], order[i + 1 + (std::size_t{random_bits(1, i)} * (count - i - 1) >> 24)]);
  return order;
}

std::optional<std::size_t> first_snapshot(const TrainingLog& log, bool (*reached)(double, double),
                                          double TrainingScore::*number, double than) {
  for (const auto& snapshot : log.snapshots)
    if (reached(snapshot->score.*number, than)) return snapshot->state.step;
  return std::nullopt;
}

}  // namespace

std::optional<PermutationEvidence> permutation_evidence(Backend& backend, const TrainingSpec& spec,
                                                        const std::vector<Tensor>& parameters,
                                                        std::size_t rows) {
  if (spec.model.sides == TrainingSides::causal) return std::nullopt;
  const bool decoder = spec.model.sides == TrainingSides::both;
  const std::vector<TaskRow> given = held_out_rows(spec, rows);
  const std::size_t length = length_of(spec.task), answers = answers_of(spec.task);
  const std::vector<std::size_t> order = permuted_places(length);
  std::vector<TaskRow> permuted = given;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < length; ++i) permuted[row].input[i] = given[row].input[order[i]];
  MomentMaker maker(backend, spec, rows);
  const Tensor before = maker.at(parameters, given).logits, after = maker.at(parameters, permuted).logits;
  PermutationEvidence found{.bound = bound_without_positions(spec.task, spec.model.decoder)};
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < answers; ++i)
      for (std::size_t k = 0; k < before.columns(); ++k) {
        const std::size_t from = row * answers + (decoder ? i : order[i]);
        const auto was = static_cast<double>(before[{0, from, k}]);
        const auto is = static_cast<double>(after[{0, row * answers + i, k}]);
        found.off = std::max(found.off, std::abs(is - was));
        found.largest = std::max(found.largest, std::abs(was));
      }
  return found;
}

Milestones milestones_of(const TrainingLog& log) {
  const auto below = [](double is, double than) { return is < than; };
  const auto least = [](double is, double than) { return is >= than; };
  Milestones found;
  if (const auto bound = bound_without_positions(log.spec.task, log.spec.model.decoder))
    found.below_bound = first_snapshot(log, below, &TrainingScore::loss, bound->loss);
  found.half = first_snapshot(log, least, &TrainingScore::accuracy, 0.5);
  found.nearly_all = first_snapshot(log, least, &TrainingScore::accuracy, 0.99);
  return found;
}

}  // namespace attn
