// A program while it is written, a stage at a time. For core/code/*.cpp only.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "core/code/program.h"

namespace attn::code {

// What a program ends with.
struct Ends {
  std::optional<StageIndex> weights, output;
};
// The last output that is needed, and the weights of its layer, or the last that there are.
Ends ends_of(const Graph& graph, const std::vector<bool>& needed);

class ProgramWriter {
 public:
  ProgramWriter(const Graph& graph, const Ends& ends, const Language& language);

  // The line of a stage behind its comment, or its matrix; before it constants and what is used twice, under
  // names of their own. Throws Error, naming the stage.
  void write(StageIndex stage);
  // Lines that make these stages in another way, with names asked for before.
  void add(const std::string& lines) { lines_ += lines; }

  const std::string& name(StageIndex stage);
  const std::vector<std::string>& names() const { return names_; }
  bool is_truth(StageIndex stage) const { return truths_[stage]; }
  std::string text() const;

 private:
  struct Spelled {
    std::string text;
    Binding binds = Binding::atom;
  };

  void write_formula(StageIndex stage);
  Given inputs_of(const Stage& stage) const;
  StageIndex input_stage(const Node& node) const { return graph_.stages[stage_].inputs[node.first]; }
  std::string own_name(const std::string& id);
  void assign(const std::string& name, const std::string& what, std::string_view declare);
  Spelled named(const Formula& formula, const std::string& called, const std::string& what);
  void count(const Formula& formula);
  Spelled spelled(const Formula& formula);
  Spelled by_table(const Node& node);
  std::string placed(char what, const Node& node, const std::vector<std::string>& operands,
                     const std::string& indices) const;
  std::string listed(const std::vector<std::size_t>& columns) const;
  std::string indices_name(const Node& node);
  std::string number(double value) const;
  std::string number(float value) const;
  std::string pointed(std::string text) const;
  template <class Number>
  std::string literal(const Shape& shape, const Number& number_at);
  std::vector<const Helper*> called() const;

  const Graph& graph_;
  const Ends ends_;
  const Language& language_;
  std::vector<std::string> names_;  // by stage
  std::vector<bool> truths_;        // stages that hold true or false
  std::set<std::string, std::less<>> used_;
  StageIndex stage_ = 0;             // that is written
  std::map<const Node*, int> uses_;  // of its formula's nodes
  std::map<const Node*, std::string> parts_;
  std::size_t numbers_ = 0;  // written out so far
  std::string lines_;
};

// Throws Error where so many numbers make too long a text.
void check_size(std::size_t numbers);

}  // namespace attn::code
