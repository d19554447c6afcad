// What a lesson sets: keys of the session, and cells of stages.
#include <nlohmann/json.hpp>

#include "core/document/edit.h"
#include "core/document/limits.h"
#include "core/io/session.h"
#include "core/lesson/live_numbers.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

using nlohmann::json;

[[noreturn]] void refuse_set(const LessonSet& set, const std::string& why) {
  throw Error("line " + std::to_string(set.line) + ": set: " + set.name + ": " + why);
}

// The keys on the way to a value: those that are there, longest first, since a key may have points in it;
// else what stands between points.
std::vector<std::string> path_of(std::string_view name, const json& session) {
  std::vector<std::string> keys;
  const json* at = &session;
  while (!name.empty()) {
    std::string key(name.substr(0, name.find('.')));
    if (at && at->is_object())
      for (const auto& [there, value] : at->items())
        if (there.size() > key.size() && (name == there || name.starts_with(there + "."))) key = there;
    at = at && at->is_object() && at->contains(key) ? &(*at)[key] : nullptr;
    name.remove_prefix(std::min(name.size(), key.size() + 1));
    keys.push_back(std::move(key));
  }
  return keys;
}

// The document as a session says it, with one key another: null takes it away.
Document with_key(const Document& document, const LessonSet& set) {
  const json value = json::parse(set.value, nullptr, false);
  if (value.is_discarded()) refuse_set(set, "“" + set.value + "” is no JSON: words stand in \"quotes\"");
  json session = json::parse(write_session(document));
  session["version"] = kSessionVersion;  // a key may be newer than all that there are
  json patch = value;
  const std::vector<std::string> keys = path_of(set.name, session);
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) patch = json{{*key, std::move(patch)}};
  session.merge_patch(patch);
  try {
    return parse_session(session.dump());
  } catch (const Error& error) {
    refuse_set(set, error.what());
  }
}

std::vector<CellValue> cells_to_set(const LessonSet& set, const Graph& graph, const LiveNumbers& live,
                                    std::string& stage) {
  // The shape of the cells is that of reading them, of which the numbers do not matter.
  Results shapes{.document = {}, .graph = graph};
  for (const Stage& one : graph.stages) {
    const bool wanted = set.name.starts_with(one.id + "[");
    shapes.outputs.emplace_back(wanted ? Tensor(one.shape, std::vector<float>(one.shape.size())) : Tensor());
  }
  const LessonFormula name{.text = set.name, .line = set.line};
  const std::vector<LessonCells> cells = cells_of(name, {.now = &shapes});
  const std::size_t named = evaluate(name, {.now = &shapes}).values.size();
  if (cells.size() != 1) refuse_set(set, "takes the cells of one stage");
  stage = cells.front().stage;
  const LessonNumbers numbers = evaluate({.text = set.value, .line = set.line}, live);
  const std::vector<Cell> places = cells_in(cells.front(), graph.stages[*graph.find(stage)].shape);
  if (places.size() != named) refuse_set(set, "takes one number of a side, or all");
  const bool one = numbers.values.size() == 1;
  if (!one && numbers.values.size() != places.size())
    refuse_set(set, "there are " + std::to_string(places.size()) + " cells, not " +
                        std::to_string(numbers.values.size()));
  std::vector<CellValue> values;
  for (std::size_t i = 0; i < places.size(); ++i)
    values.push_back({places[i], static_cast<float>(numbers.values[one ? 0 : i])});
  return values;
}

}  // namespace

void apply(const LessonSet& set, Document& document, const Plan& plan, const LiveNumbers& live) {
  if (!set.cells) {
    document = with_key(document, set);
    return;
  }
  try {
    const Graph graph = plan.build(document, kLayerA).graph;
    std::string stage;
    const std::vector<CellValue> values = cells_to_set(set, graph, live, stage);
    Document changed = document;
    set_numbers(changed, plan, graph, stage, values);
    document = std::move(changed);
  } catch (const Error& error) {
    if (std::string_view(error.what()).starts_with("line ")) throw;
    refuse_set(set, error.what());
  }
}

}  // namespace attn
