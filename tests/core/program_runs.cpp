// Each program gets lines that print its variables, a line each: the name and its numbers.
#include "tests/core/program_runs.h"

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "core/reference/backend.h"
#include "core/system/file.h"
#include "core/text/text.h"
#include "tests/app/scratch_folder.h"

namespace attn::tests {
namespace {

struct Runner {
  const code::Language& language;
  const char* file;
  const char* command;  // in the folder of the file
  const char* asks;     // whether it can
  const char* shown;    // a line for each variable @
};

const Runner kRunners[] = {
    {code::kNumpy, "program.py", "/usr/bin/python3 -B program.py", "/usr/bin/python3 -c 'import numpy'",
     "print('@', *np.asarray(@, dtype=float).ravel().tolist())\n"},
    {code::kPytorch, "program.py", "/usr/bin/python3 -B program.py", "/usr/bin/python3 -c 'import torch'",
     "print('@', *torch.as_tensor(@).double().flatten().tolist())\n"},
    {code::kR, "program.R", "LC_ALL=C.UTF-8 Rscript --vanilla program.R", "command -v Rscript",
     "cat('@', format(as.numeric(aperm(array(unclass(@), c(rep(1, 3 - length(dim(@))), dim(@))), 3:1)), "
     "digits = 17, trim = TRUE), '\\n')\n"},
    {code::kOctave, "program.m", "octave-cli --no-gui --norc -q program.m", "command -v octave-cli",
     "printf('@ '); printf('%.17g ', permute(stacked(double(@), '@'), "
     "[3 2 1])); printf('\\n');\n"},
    {code::kEigen, "program.cpp",
     "g++ -std=c++17 -O0 -w -I/usr/include/eigen3 program.cpp -o program && ./program", "command -v g++",
     "std::cout << \"@ \"; for (const MatrixXd& m : @.of) for (int i = 0; i < m.rows(); ++i) for (int j = 0; "
     "j < m.cols(); ++j) std::cout << std::setprecision(17) << m(i, j) << ' '; std::cout << '\\n';\n"},
};

const Runner& runner_of(const code::Language& language) {
  for (const Runner& runner : kRunners)
    if (&runner.language == &language) return runner;
  throw std::logic_error("nothing runs " + std::string(language.name));
}

std::string filled(std::string text, const std::string& name) {
  for (std::size_t at = 0; (at = text.find('@', at)) != text.npos; at += name.size())
    text.replace(at, 1, name);
  return text;
}

std::vector<double> read_numbers(std::istringstream& line) {
  std::vector<double> numbers;
  for (std::string word; line >> word;) {
    if (word == "TRUE" || word == "FALSE") word = word == "TRUE" ? "1" : "0";
    numbers.push_back(std::strtod(word.c_str(), nullptr));
  }
  return numbers;
}

std::map<std::string, std::vector<double>> run(const Runner& runner, const std::string& text,
                                               std::string& failed) {
  const ScratchFolder folder;
  write_file(folder / runner.file, text);
  const std::string command = "cd '" + (folder / "") + "' && ( " + runner.command + " ) > out.txt 2> err.txt";
  const int status = std::system(command.c_str());
  std::map<std::string, std::vector<double>> variables;
  std::ifstream out(folder / "out.txt");
  for (std::string line; std::getline(out, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    variables[name] = read_numbers(words);
  }
  if (status != 0) {
    std::ifstream err(folder / "err.txt");
    std::stringstream said;
    said << err.rdbuf();
    failed = said.str().substr(0, 2000);
  }
  return variables;
}

bool is_near(double a, double b, double accepted) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::abs(a - b) <= accepted * std::max(1.0, std::abs(b));
}

}  // namespace

std::string difference(const std::vector<double>& numbers, std::span<const double> expected,
                       double accepted) {
  if (numbers.size() != expected.size())
    return std::to_string(numbers.size()) + " numbers, not " + std::to_string(expected.size());
  for (std::size_t e = 0; e < expected.size(); ++e)
    if (!is_near(numbers[e], expected[e], accepted))
      return "number " + std::to_string(e) + " is " + shortest(numbers[e]) + ", not " + shortest(expected[e]);
  return {};
}

namespace {

// The lines that compute a variable.
std::string lines_of(const std::string& text, const std::string& name) {
  std::string lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);)
    if (line.find(name + " ") != line.npos && lines.size() < 400) lines += line.substr(0, 300) + "\n";
  return lines;
}

}  // namespace

bool can_run(const code::Language& language) {
  return std::system((std::string(runner_of(language).asks) + " > /dev/null 2>&1").c_str()) == 0;
}

ProgramRun run_program(const Graph& graph, const std::vector<bool>& needed, const code::Language& language) {
  return run_program(graph, code::program_of(graph, needed, language), needed, language);
}

ProgramRun run_program(const Graph& graph, const code::ProgramText& program,
                       const std::vector<bool>& shown_stages, const code::Language& language,
                       const std::string& before) {
  const Runner& runner = runner_of(language);
  std::string text = before + program.text, shown;
  const std::string end(language.end);
  text.resize(text.size() - end.size());
  if (&language == &code::kOctave)  // a matrix has two sizes, as a stack of columns has
    shown =
        "function x = stacked(x, name)\n  if strcmp(name, 'output') x = reshape(x, [1 size(x)]); end\nend\n";
  for (StageIndex i = 0; i < graph.stages.size(); ++i)
    if (shown_stages[i]) shown += filled(runner.shown, program.names[i]);
  ProgramRun result{.numbers = std::vector<std::vector<double>>(graph.stages.size()), .failed = {}};
  auto variables = run(runner, text + shown + end, result.failed);
  for (StageIndex i = 0; i < graph.stages.size(); ++i)
    if (shown_stages[i]) result.numbers[i] = variables[program.names[i]];
  return result;
}

std::string differs_from_double(const Graph& graph, const code::Language& language, double accepted) {
  const std::vector<bool> needed(graph.stages.size(), true);
  const code::ProgramText program = code::program_of(graph, needed, language);
  const ProgramRun ran = run_program(graph, program, needed, language);
  if (!ran.failed.empty()) return ran.failed;
  const std::vector<Tensor64> expected = evaluate_in_double(graph);
  std::string differs;
  for (StageIndex i = 0; i < graph.stages.size() && differs.size() < 4000; ++i)
    if (const std::string how = difference(ran.numbers[i], expected[i].values(), accepted); !how.empty())
      differs += graph.stages[i].id + ", " + graph.stages[i].title + ": " + how + "\n" +
                 lines_of(program.text, program.names[i]);
  return differs;
}

}  // namespace attn::tests
