// What differs between two sessions, key by key, and between two graphs, cell by cell.
#include "core/lesson/document_sets.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/io/session.h"
#include "core/lesson/live_numbers.h"
#include "core/lesson/write_lesson.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

using nlohmann::json;

constexpr std::size_t kMostCells = 16;      // that are named one by one; more are the whole matrix
constexpr std::size_t kMostWritten = 1600;  // bytes of a step's sets

json session_of(const Document& document) {
  json session = json::parse(write_session(document));
  session.erase("format"), session.erase("version");
  return session;
}

// A key on its way from the session down, and what it becomes; null takes it away.
struct KeyChange {
  std::vector<std::string> path;
  json value;
};

void find_changes(const json& before, const json& after, std::vector<std::string> path,
                  std::vector<KeyChange>& changes) {
  const auto below = [&](const std::string& key) {
    std::vector<std::string> longer = path;
    longer.push_back(key);
    return longer;
  };
  for (const auto& [key, was] : before.items())
    if (!after.contains(key)) changes.push_back({below(key), nullptr});
  for (const auto& [key, now] : after.items()) {
    const auto was = before.find(key);
    if (was != before.end() && was->is_object() && now.is_object())
      find_changes(*was, now, below(key), changes);
    else if (was == before.end() || *was != now)
      changes.push_back({below(key), now});
  }
}

bool is_matrix(const json& value) {
  return value.is_array() && !value.empty() && (value[0].is_array() || value[0].is_object());
}

LessonSet key_set(const KeyChange& change) {
  LessonSet set;
  for (const std::string& key : change.path) set.name += (set.name.empty() ? "" : ".") + key;
  set.value = change.value.dump();
  return set;
}

// Changes of keys below one key, as one of that: what no single one of them can be, all are at once.
std::vector<KeyChange> joined_changes(const std::vector<KeyChange>& changes) {
  std::vector<KeyChange> whole;
  for (const KeyChange& change : changes) {
    if (change.path.size() < 2) continue;
    const std::vector<std::string> path(change.path.begin(), change.path.end() - 1);
    auto same = std::ranges::find(whole, path, &KeyChange::path);
    if (same == whole.end()) same = whole.insert(whole.end(), {path, json::object()});
    same->value[change.path.back()] = change.value;
  }
  return whole;
}

class Sets {
 public:
  Sets(Document from, const Plan& plan) : at_(std::move(from)), plan_(plan) {}

  const Document& at() const { return at_; }
  std::vector<LessonSet> take() { return std::move(sets_); }
  std::size_t written() const { return written_; }

  // Whether it could be set.
  bool add(LessonSet set) {
    try {
      apply(set, at_, plan_);
    } catch (const Error&) {
      return false;
    }
    written_ += set.name.size() + set.value.size();
    sets_.push_back(std::move(set));
    return true;
  }

  // In whatever order they can be set; what is left over at the end.
  void add_keys(std::vector<KeyChange> changes) {
    while (!changes.empty() && written_ <= kMostWritten) {
      const std::size_t before = changes.size();
      std::erase_if(changes, [&](const KeyChange& change) { return add(key_set(change)); });
      if (changes.size() == before) changes = joined_changes(changes);
    }
  }

  void add_cells(const Document& after) {
    try {
      const Graph now = plan_.build(at_, kLayerA).graph, wanted = plan_.build(after, kLayerA).graph;
      for (const Stage& stage : wanted.stages)
        if (const auto same = now.find(stage.id)) add_given(now.stages[*same], stage);
    } catch (const Error&) {  // keys have to say it
    }
    if (after.overrides.size() > at_.overrides.size() + kMostCells) return;
    for (const StageOverride& typed : after.overrides)
      if (!is_typed(typed)) add(cell_set(id_of(typed), typed.value));
  }

 private:
  bool is_typed(const StageOverride& typed) const {
    return std::ranges::find(at_.overrides, typed) != at_.overrides.end();
  }

  static LessonSet cell_set(const std::string& stage, const CellValue& cell) {
    const LessonCells at{
        .stage = stage, .head = cell.cell.head, .row = cell.cell.row, .column = cell.cell.column};
    return {.name = attn::written(at), .value = shortest(cell.value), .cells = true};
  }

  // Of what the document gives, where few of its numbers are others.
  void add_given(const Stage& now, const Stage& wanted) {
    const Tensor *was = given_tensor(now.operation), *is = given_tensor(wanted.operation);
    if (!was || !is || wanted.field.empty() || was->id() == is->id()) return;
    const Shape shape = is->shape();
    if (was->shape() != shape || was->values().size() != shape.size() || is->values().size() != shape.size())
      return;
    std::vector<CellValue> cells;
    for (std::size_t h = 0; h < shape.stack; ++h)
      for (std::size_t r = 0; r < shape.rows; ++r)
        for (std::size_t c = 0; c < shape.columns; ++c) {
          const CellValue cell{{h, r, c}, (*is)[{h, r, c}]};
          if (cell == CellValue{cell.cell, (*was)[cell.cell]}) continue;
          if (cells.size() == kMostCells) return;
          cells.push_back(cell);
        }
    for (const CellValue& cell : cells) add(cell_set(wanted.id, cell));
  }

  Document at_;
  const Plan& plan_;
  std::vector<LessonSet> sets_ = {};
  std::size_t written_ = 0;
};

std::vector<KeyChange> changes_between(const Document& before, const Document& after) {
  std::vector<KeyChange> changes;
  find_changes(session_of(before), session_of(after), {}, changes);
  return changes;
}

}  // namespace

std::optional<std::vector<LessonSet>> sets_between(const Document& before, const Document& after,
                                                   const Plan& plan) {
  Sets sets(before, plan);
  std::vector<KeyChange> keys = changes_between(before, after);
  // Numbers come behind: the keys may have to be there for them, and cells may say them.
  std::erase_if(keys, [](const KeyChange& change) { return is_matrix(change.value); });
  sets.add_keys(std::move(keys));
  sets.add_cells(after);
  if (!(sets.at() == after)) sets.add_keys(changes_between(sets.at(), after));
  if (!(sets.at() == after) || sets.written() > kMostWritten) return std::nullopt;
  return sets.take();
}

}  // namespace attn
