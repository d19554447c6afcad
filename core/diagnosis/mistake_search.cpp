// Sets of mistakes, and which of them need not be tried: those that cannot reproduce yours.
//
// Ours and yours are alike up to the stage that differs first. So no set is tried
//  - with a mistake that alone brings a stage before that one out of tolerance. Another mistake would have to
//    undo it exactly; of the known ones only two that set the same field do that, of which the later one
//    alone is what is left, and that was tried.
//  - in which none changes the stage that differs first: it would differ as it does now.
//  - with one that leaves every number of ours as it is, bit by bit: in this layer it does nothing.
//  - that rounds to a format whose numbers yours are not.
// Numbers of a temperature or of dropout are told from the layer with the rest of the set: whether such a
// mistake does anything alone says nothing, they are always tried, behind all others.
#include "core/diagnosis/mistake_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/system/error.h"

namespace attn {
namespace {

constexpr std::size_t kMostKept = 8;  // of the nearest sets that do not reproduce yours
constexpr std::size_t kMostTogether = 3;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

const Mistake& mistake_at(std::size_t index) {
  return known_mistakes()[index];
}

// What a layer that makes no graph leaves: it cannot be what yours is.
std::optional<MeasuredLayer> measured_or_none(StageMeter& meter, Backend& backend, const LayerSpec& layer,
                                              std::optional<double> give_up_above = {}) {
  try {
    return meter.measure(backend, layer, give_up_above);
  } catch (const Error& error) {
    if (error.fault() != Fault::input && error.fault() != Fault::option) throw;
    return std::nullopt;
  }
}

void take(Tried& tried, const std::optional<MeasuredLayer>& measured) {
  tried.distance = measured ? measured->distance : kInfinite;
  tried.stages = measured ? measured->stages : std::vector<double>{};
  tried.reproduces = measured && measured->reproduces;
}

// Of as many stages as were measured of both, but for rounding: a fitted temperature comes out the same
// whatever scale it is fitted beside.
bool same_distances(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double kSame = 1e-6;
  const std::size_t count = std::min(a.size(), b.size());
  const auto same = [](double x, double y) { return x == y || std::abs(x - y) <= kSame; };
  return count > 0 && std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(count), b.begin(), same);
}

// Their places in the list, the last first.
std::vector<std::size_t> order_of(const Tried& tried) {
  std::vector<std::size_t> places;
  for (const std::string& word : tried.words)
    places.insert(places.begin(), static_cast<std::size_t>(find_mistake(word) - known_mistakes().data()));
  return places;
}

// Those that reproduce yours first, in the order of the list: a temperature that is what a known scale is
// stands behind it. Then the nearest.
bool stands_before(const Tried& a, const Tried& b) {
  if (a.reproduces != b.reproduces) return a.reproduces;
  return a.reproduces ? order_of(a) < order_of(b) : a.distance < b.distance;
}

void number_reproducing(Diagnosis& found, const std::vector<Tried>& list) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].reproduces) found.reproducing.push_back(i);
}

Fix fix_of(const Mistake& mistake, const MistakenLayer& made) {
  return made.fix.value_or(Fix{std::string(mistake.wrong), std::string(mistake.right)});
}

}  // namespace

MistakeSearch::MistakeSearch(const DiagnosisRequest& request, StageMeter& meter, MeasuredLayer ours,
                             std::size_t first)
    : request_(request), meter_(meter), ours_(std::move(ours)), first_(first) {
  const GivenNumbers numbers = meter.numbers_of(ours_);
  forms_of_.resize(known_mistakes().size());
  for (std::size_t m = 0; m < known_mistakes().size(); ++m)
    for (MistakenLayer& made : mistake_at(m).forms(request.ours, numbers)) {
      forms_of_[m].push_back(forms_.size());
      Tried tried{.words = {std::string(mistake_at(m).word)},
                  .details = {made.detail},
                  .fixes = {fix_of(mistake_at(m), made)}};
      forms_.push_back({m, std::move(made), std::move(tried)});
    }
}

void MistakeSearch::try_alone(Backend& backend, Form& form) {
  const auto measured = measured_or_none(meter_, backend, form.made.layer);
  take(form.tried, measured);
  form.tried.layer = form.made.layer;
  if (!measured) return;
  bool breaks = false, idle = true;
  for (std::size_t s = 0; s < measured->numbers.size(); ++s) {
    // One that gives a stage another shape than yours has differs there, whatever the others do.
    const bool misshapes = measured->numbers[s].empty() && !ours_.numbers[s].empty();
    breaks = breaks || misshapes || (s < first_ && !measured->within[s]);
    const bool same = measured->numbers[s] == ours_.numbers[s];
    idle = idle && same;
    if (s == first_) form.touches = !same;
  }
  form.joins = !breaks && !idle && meter_.are_of(form.made.layer.precision);
}

void MistakeSearch::end_singles(Diagnosis& found) {
  for (std::size_t m = 0; m < forms_of_.size(); ++m) {
    if (forms_of_[m].empty()) {
      if (!mistake_at(m).told) found.not_here.emplace_back(mistake_at(m).word);
      continue;
    }
    const auto nearer = [&](std::size_t a, std::size_t b) {
      const Tried &x = forms_[a].tried, &y = forms_[b].tried;
      return x.reproduces != y.reproduces ? x.reproduces : x.distance < y.distance;
    };
    found.singles.push_back(forms_[*std::ranges::min_element(forms_of_[m], nearer)].tried);
  }
  std::ranges::stable_sort(found.singles, stands_before);
  number_reproducing(found, found.singles);
  for (const Form& form : forms_)
    if (form.joins) level_.push_back({{form.mistake}, form.tried, form.touches});
}

// What mistakes of each kind, behind the last of each set, make with it.
void MistakeSearch::plan(Diagnosis& found) {
  tasks_.clear();
  for (std::size_t s = 0; s < level_.size(); ++s)
    for (std::size_t m = level_[s].mistakes.back() + 1; m < forms_of_.size(); ++m) {
      const bool told = mistake_at(m).told;
      Task task{s, m, kInfinite, 0};
      if (told) task = {s, m, level_[s].tried.distance, 1};
      for (const std::size_t f : forms_of_[m]) {
        if (told || !forms_[f].joins || !(forms_[f].touches || level_[s].touches)) continue;
        task.rank = std::min(task.rank, level_[s].tried.distance + forms_[f].tried.distance);
        ++task.expected;
      }
      if (task.expected == 0) continue;
      found.to_try += task.expected;
      tasks_.push_back(task);
    }
  std::ranges::stable_sort(tasks_, std::ranges::greater(), &Task::rank);
}

// Makes the layers of the next task; false: there is none.
bool MistakeSearch::next_task(Backend& backend, Diagnosis& found) {
  if (tasks_.empty()) return false;
  task_ = tasks_.back();
  tasks_.pop_back();
  const Set& set = level_[task_.set];
  const Mistake& mistake = mistake_at(task_.mistake);
  GivenNumbers numbers;
  if (mistake.told) numbers = meter_.numbers_of(meter_.measure(backend, set.tried.layer));
  std::vector<MistakenLayer> made = mistake.forms(set.tried.layer, numbers);
  const std::vector<std::size_t>& alone = forms_of_[task_.mistake];
  // The same ways as alone, in the same order, or others of which nothing is known.
  const bool known = !mistake.told && made.size() == alone.size();
  for (std::size_t i = 0; i < made.size(); ++i) {
    const Form* form = known ? &forms_[alone[i]] : nullptr;
    if (form && (!form->joins || !(form->touches || set.touches))) continue;
    pending_.push_back({std::move(made[i]), form});
  }
  found.to_try += pending_.size();
  found.to_try -= task_.expected;
  return true;
}

void MistakeSearch::keep(Diagnosis& found, Tried tried) const {
  std::vector<Tried>& list = found.together;
  const auto same = std::ranges::find(list, tried.words, &Tried::words);
  if (same != list.end()) {
    if (stands_before(*same, tried) || (same->reproduces && tried.reproduces)) return;
    list.erase(same);
  }
  list.insert(std::ranges::upper_bound(list, tried, stands_before), std::move(tried));
  if (list.size() > kMostKept && !list.back().reproduces) list.pop_back();
}

void MistakeSearch::try_pending(Backend& backend, Diagnosis& found) {
  Pending pending = std::move(pending_.back());
  pending_.pop_back();
  ++found.tried;
  const Set& set = level_[task_.set];
  Set made{set.mistakes,
           {.words = set.tried.words, .details = set.tried.details, .fixes = set.tried.fixes},
           set.touches};
  made.mistakes.push_back(task_.mistake);
  made.tried.words.emplace_back(mistake_at(task_.mistake).word);
  made.tried.details.push_back(pending.made.detail);
  made.tried.fixes.push_back(fix_of(mistake_at(task_.mistake), pending.made));
  made.touches = made.touches || !pending.alone || pending.alone->touches;
  std::optional<double> worst;
  if (found.together.size() >= kMostKept) worst = found.together.back().distance;
  const auto measured = measured_or_none(meter_, backend, pending.made.layer, worst);
  take(made.tried, measured);
  made.tried.layer = std::move(pending.made.layer);
  if (!measured) return;
  // One of them does nothing beside the others, or they undo each other: what is left was tried.
  const std::vector<double>& stages = made.tried.stages;
  const auto alone = [&](std::size_t f) { return same_distances(stages, forms_[f].tried.stages); };
  if (measured->complete &&
      (same_distances(stages, ours_.stages) || same_distances(stages, set.tried.stages) ||
       std::ranges::any_of(forms_of_[task_.mistake], alone)))
    return;
  if (measured->complete) keep(found, made.tried);
  if (request_.three && size_ < kMostTogether) larger_.push_back(std::move(made));
}

void MistakeSearch::end_level(Diagnosis& found) const {
  number_reproducing(found, found.together);
}

bool MistakeSearch::step(Backend& backend, Diagnosis& found) {
  if (size_ == 1) {
    found.to_try = forms_.size();
    if (next_form_ < forms_.size()) {
      try_alone(backend, forms_[next_form_++]);
      ++found.tried;
      return true;
    }
    end_singles(found);
    if (!found.reproducing.empty() || !request_.pairs) return false;
    ++size_;
    plan(found);
    return true;
  }
  if (!pending_.empty()) {
    try_pending(backend, found);
    return true;
  }
  if (next_task(backend, found)) return true;
  end_level(found);
  if (!found.reproducing.empty() || !request_.three || size_ == kMostTogether) return false;
  ++size_;
  level_ = std::move(larger_);
  larger_.clear();
  plan(found);
  return true;
}

}  // namespace attn
