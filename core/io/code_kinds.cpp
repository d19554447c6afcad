// Programs by the tables of core/code, texts by stages_text.h.
#include "core/io/code_kinds.h"

#include "core/code/program.h"

namespace attn {
namespace {

using Needed = std::vector<bool>;

template <const code::Language& language>
CodeKind program() {
  return {.name = language.name,
          .title = language.title,
          .write = [](const Graph& graph, const Needed& needed, const NumbersOf&) {
            return code::program_of(graph, needed, language).text;
          }};
}

}  // namespace

std::vector<CodeKind> code_kinds() {
  return {program<code::kPytorch>(),
          {.name = "pytorch-sdpa",
           .title = "PyTorch SDPA",
           .write = [](const Graph& graph, const Needed&,
                       const NumbersOf&) { return code::program_by_function(graph).text; }},
          {.name = "pytorch-mha",
           .title = "PyTorch MHA",
           .write = [](const Graph& graph, const Needed&,
                       const NumbersOf&) { return code::program_by_module(graph).text; }},
          program<code::kNumpy>(),
          program<code::kJax>(),
          program<code::kKeras>(),
          program<code::kR>(),
          program<code::kOctave>(),
          program<code::kEigen>(),
          {.name = "latex", .title = "LaTeX", .reads_numbers = true, .write = stages_latex},
          {.name = "markdown", .title = "Markdown", .reads_numbers = true, .write = stages_markdown}};
}

}  // namespace attn
