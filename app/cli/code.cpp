// code: what a workspace computes, as a program of another language or a text.
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/trace_graph.h"
#include "app/program/input.h"
#include "app/words/refuse.h"
#include "app/workspaces/workspaces.h"
#include "core/code/program.h"
#include "core/evaluate/evaluator.h"
#include "core/evaluate/run.h"
#include "core/io/code_kinds.h"
#include "core/reference/backend.h"
#include "core/system/error.h"
#include "core/system/file.h"
#include "core/text/quantity.h"
#include "core/text/text.h"

namespace attn {
namespace {

CodeKind read_kind(const std::string& word) {
  std::vector<std::string> names;
  for (const CodeKind& kind : code_kinds()) {
    if (kind.name == word) return kind;
    names.emplace_back(kind.name);
  }
  if (word.empty()) throw Error("code needs --as " + code_words(), Fault::option);
  refuse("--as", word, code_words(), names);
}

// All numbers, by the reference: small enough to be written out, they are soon computed.
std::vector<Tensor> computed(const Graph& graph, const std::vector<bool>& needed) {
  std::size_t numbers = 0;
  for (StageIndex i = 0; i < graph.stages.size(); ++i)
    if (needed[i]) numbers += graph.stages[i].shape.size();
  if (numbers > code::kMostNumbers)
    throw Error(
        "a text of " + grouped(numbers) +
        " numbers is too long to be read: choose stages with --only, or write them with trace -o FILE.npz");
  std::vector<Tensor> outputs(graph.stages.size());
  const auto reference = make_reference_backend();
  Run run{.needed = needed};
  run.done = [&](StageIndex stage, const Tensor& output) { outputs[stage] = output; };
  run_stages(*reference, graph, run);
  return outputs;
}

std::string code_text(const CodeKind& kind, const TracedGraph& traced, const std::vector<std::string>& only) {
  const Graph& graph = traced.graph;
  std::vector<std::string> ids = only;
  if (ids.empty())
    for (const Stage& stage : graph.stages)
      if (stage.traced) ids.push_back(stage.id);
  const std::vector<bool> needed = needed_stages(graph, ids);
  std::vector<Tensor> numbers;
  if (kind.reads_numbers) numbers = computed(graph, needed);
  return kind.write(graph, needed, [&](StageIndex stage) { return numbers[stage]; });
}

}  // namespace

std::string code_words() {
  std::string words;
  for (const CodeKind& kind : code_kinds()) words += (words.empty() ? "" : "|") + std::string(kind.name);
  return words;
}

void code_program(const CodeRequest& request, Console& console) {
  const TraceRequest& words = request.of;
  const CodeKind kind = read_kind(request.as);
  check_output(words.output, {words.input});
  const Workspace& workspace = read_workspace(words.workspace);
  const Document document = open_document_in(workspace, words.input, words.change);
  const std::vector<std::string> only =
      words.only.empty() ? std::vector<std::string>() : split(words.only, ',');
  // A program writes every stage, unless another road is named.
  TraceRequest asked = words;
  if (asked.mechanism.empty()) asked.mechanism = "full";
  const std::string text = code_text(kind, traced_graph(asked, workspace, document, only), only);
  if (words.output.empty()) {
    console.out << text;
    return;
  }
  auto file = std::make_unique<FileWriter>(words.output);
  file->check_room(text.size());
  file->write(std::as_bytes(std::span(text)));
  console.keep(std::move(file));
}

}  // namespace attn
