// Reads and writes looks clause by clause; what a field takes is known to its type
// (core/graph/field_words.h).
#include "app/frame/look.h"

#include <algorithm>

#include "app/frame/visible_stages.h"
#include "core/system/error.h"
#include "core/text/numbers.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr std::string_view kStep = "step", kPinned = "pinned", kNone = "none";

// Without the spaces around it.
std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

ValueWords words_between_spaces(std::string_view text) {
  ValueWords words = split(text, ' ');
  std::erase(words, "");
  return words;
}

struct LookTarget {
  Document& document;
  View& view;
  const Workspace& workspace;
  std::span<const Workspace> workspaces;

  ValueWords names() const {
    ValueWords names;
    for (const NamedFields& fields : workspace.fields)
      std::ranges::copy(fields.names(), std::back_inserter(names));
    std::ranges::copy(field_names<LayerView>(), std::back_inserter(names));
    names.emplace_back(kStep);
    names.emplace_back(kPinned);
    return names;
  }

  bool set(std::string_view name, const ValueWords& words) const {
    for (const NamedFields& fields : workspace.fields)
      if (fields.set(document, view, name, words)) return true;
    return set_field(view.layer, name, words);
  }

  // Its own, or another workspace's that has what is looked for: a head and a number are the same in all.
  template <class Has>
  Graph graph_with(Has has) const {
    Graph own = graph_of(workspace, document);
    if (has(own)) return own;
    for (const Workspace& other : workspaces)
      if (Graph graph = graph_of(other, document); has(graph)) return graph;
    return own;
  }

  void check_head() const {
    const auto has = [&](const Graph& graph) { return view.layer.head < heads_of(graph); };
    const std::size_t heads = heads_of(graph_with(has));
    if (view.layer.head < heads) return;
    throw Error("there is no head " + std::to_string(view.layer.head) + ": there are " +
                std::to_string(heads) + ", counted from 0");
  }

  void step_to(const ValueWords& words) const {
    auto& step = view.canvases[&workspace].step;
    step.reset();
    if (words == ValueWords{std::string(kNone)}) return;
    const Graph graph = graph_of(workspace, document);
    if (words.size() == 1 && workspace.steps) step = step_of(words[0], graph, workspace.steps(graph, view));
    if (!step) refuse_words({.key = kStep}, words, "a stage that a step computes, as in scores");
    show_stage(view, graph, words[0]);
  }

  void pin(const ValueWords& words) const {
    view.pinned.reset();
    if (words == ValueWords{std::string(kNone)}) return;
    const FieldText field{.key = kPinned};
    std::vector<std::size_t> at;
    for (const std::string& word : words)
      if (const auto number = parse_number<std::size_t>(word)) at.push_back(*number);
    if (words.size() != 4 || at.size() != 3)
      refuse_words(field, words, "STAGE HEAD ROW COLUMN, counted from 0, as in scores 0 3 0");
    const Graph graph = graph_with([&](const Graph& g) { return g.find(words[0]).has_value(); });
    const auto stage = graph.find(words[0]);
    if (!stage) {
      ValueWords stages;
      for (const Stage& s : graph.stages) stages.push_back(s.id);
      refuse_words(field, {words[0]}, "", stages);
    }
    const Shape shape = graph.stages[*stage].shape;
    if (at[0] >= shape.stack || at[1] >= shape.rows || at[2] >= shape.columns)
      refuse_words(field, words, "a cell of " + words[0] + ", which is " + to_string(shape));
    view.pinned = Spot{words[0], {at[0], at[1], at[2]}};
    show_stage(view, graph, words[0]);
  }
};

// The words behind a workspace's name: fields first, then what is looked up in the graph that they make.
void look_in(const LookTarget& looking, std::string_view clause) {
  std::optional<ValueWords> step, pinned;
  const std::size_t head = looking.view.layer.head;
  for (const std::string& part : split(clause, ',')) {
    ValueWords words = words_between_spaces(part);
    if (words.empty()) continue;
    const std::string name = words.front();
    words.erase(words.begin());
    if (name == kStep)
      step = words;
    else if (name == kPinned)
      pinned = words;
    else if (!looking.set(name, words)) {
      const ValueWords names = looking.names();
      const std::string nearest = nearest_word(name, names);
      throw Error("there is no " + name + (nearest.empty() ? "." : "; did you mean " + nearest + "?") +
                  " There are " + listed(names));
    }
  }
  if (looking.view.layer.head != head) looking.check_head();
  if (pinned) looking.pin(*pinned);
  if (step) looking.step_to(*step);
}

const Workspace& workspace_named(std::string_view name, std::span<const Workspace> workspaces) {
  ValueWords names;
  for (const Workspace& workspace : workspaces) {
    if (workspace.name == name) return workspace;
    names.emplace_back(workspace.name);
  }
  throw Error("there is no workspace \"" + std::string(name) + "\"; there are " + listed(names));
}

}  // namespace

std::optional<std::string> step_of(std::string_view stage, const Graph& graph,
                                   std::span<const StepChip> steps) {
  for (const StepChip& step : steps) {
    if (step.id == stage) return step.id;
    for (const StageIndex i : step.stages)
      if (graph.stages[i].id == stage) return step.id;
  }
  return std::nullopt;
}

std::string_view looks_at(std::string_view words) {
  return trimmed(words.substr(0, words.find_first_of(":;")));
}

void look(std::string_view words, Document& document, View& view, std::span<const Workspace> workspaces) {
  Document draft = document;
  View looks = view;
  const Workspace* first = nullptr;
  for (const std::string& clause : split(words, ';')) {
    if (trimmed(clause).empty()) continue;
    const std::size_t colon = std::min(clause.find(':'), clause.size());
    const Workspace& workspace = workspace_named(trimmed(clause.substr(0, colon)), workspaces);
    if (!first) first = &workspace;
    looks.workspace = &workspace;
    try {
      look_in({draft, looks, workspace, workspaces},
              std::string_view(clause).substr(std::min(colon + 1, clause.size())));
    } catch (const Error& error) {
      throw Error(std::string(workspace.name) + ": " + error.what());
    }
  }
  if (first) looks.workspace = first;
  document = std::move(draft);
  view = std::move(looks);
}

std::string look_of(const View& view, std::span<const Workspace> workspaces) {
  std::string words(view.workspace->name);
  const auto add = [&](const Workspace& workspace, ValueWords said) {
    if (const auto canvas = view.canvases.find(&workspace);
        canvas != view.canvases.end() && canvas->second.step)
      said.push_back(std::string(kStep) + " " + *canvas->second.step);
    if (said.empty()) return;
    if (&workspace != view.workspace) words += "; " + std::string(workspace.name);
    for (std::size_t i = 0; i < said.size(); ++i) words += (i == 0 ? ": " : ", ") + said[i];
  };
  const auto own = [&](const Workspace& workspace) {
    ValueWords said;
    for (const NamedFields& fields : workspace.fields)
      std::ranges::copy(fields.said(view), std::back_inserter(said));
    return said;
  };
  ValueWords here = own(*view.workspace);
  std::ranges::copy(said_fields(view.layer), std::back_inserter(here));
  if (const auto& p = view.pinned)
    here.push_back(std::string(kPinned) + " " + p->stage + " " + std::to_string(p->cell.head) + " " +
                   std::to_string(p->cell.row) + " " + std::to_string(p->cell.column));
  add(*view.workspace, std::move(here));
  for (const Workspace& workspace : workspaces)
    if (&workspace != view.workspace) add(workspace, own(workspace));
  return words;
}

}  // namespace attn
