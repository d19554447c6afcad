// Formulas by the table of a language, and numbers as it writes them.
#include "core/code/program_writer.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/system/error.h"
#include "core/text/quantity.h"
#include "core/text/text.h"

namespace attn::code {
namespace {

bool holds_truth(const Node& node) {
  switch (node.fn) {
    case Fn::above:
    case Fn::at_least:
    case Fn::equal:
    case Fn::differs:
    case Fn::both:
    case Fn::either:
      return true;
    default:
      return false;
  }
}

bool is_zero(const Formula& formula) {
  return formula->fn == Fn::number && formula->value == 0;
}

bool takes_indices(Fn fn) {
  return fn == Fn::by_index || fn == Fn::by_one_index;
}

// With the sizes of a matrix in it.
std::string sized(std::string_view text, const Shape& shape) {
  std::string sizes(text);
  if (const auto at = sizes.find("%N"); at != sizes.npos) sizes.replace(at, 2, std::to_string(shape.rows));
  if (const auto at = sizes.find("%M"); at != sizes.npos) sizes.replace(at, 2, std::to_string(shape.columns));
  return sizes;
}

bool has_word(std::string_view text, std::string_view word) {
  const auto goes_on = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
  };
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !goes_on(text[at - 1])) && (end == text.size() || !goes_on(text[end]))) return true;
  }
  return false;
}

}  // namespace

void check_size(std::size_t numbers) {
  if (numbers <= kMostNumbers) return;
  throw Error("a program with " + grouped(numbers) + " numbers written out would be " +
              std::to_string(numbers / 100'000) +
              " MB of text: write them with trace -o FILE.npz instead, which NumPy reads");
}

Ends ends_of(const Graph& graph, const std::vector<bool>& needed) {
  Ends ends;
  for (StageIndex i = 0; i < graph.stages.size(); ++i) {
    const Stage& stage = graph.stages[i];
    if (!needed[i] || !stage.traced) continue;
    if (stage.role == Role::output) ends.output = i;
    if (stage.role == Role::weights) ends.weights = i;
  }
  // Of several that mean weights, those that the layer's output is made of.
  if (const auto own = ends.output ? graph.weights_of(*ends.output) : std::nullopt; own && needed[*own])
    ends.weights = own;
  return ends;
}

ProgramWriter::ProgramWriter(const Graph& graph, const Ends& ends, const Language& language)
    : graph_(graph),
      ends_(ends),
      language_(language),
      names_(graph.stages.size()),
      truths_(graph.stages.size()) {
  used_.insert(language.taken.begin(), language.taken.end());
  if (ends.weights) names_[*ends.weights] = *used_.insert("weights").first;
  if (ends.output) names_[*ends.output] = *used_.insert("output").first;
}

void ProgramWriter::write(StageIndex index) try {
  const Stage& stage = graph_.stages[index];
  std::string says = stage.title == stage.id ? stage.formula : stage.title + ": " + stage.formula;
  if (says.empty()) says = stage.id;
  lines_ += std::string(language_.comment) + printable(says) + ", " + to_string(stage.shape) + "\n";
  const Tensor* given = given_tensor(stage.operation);
  if (!given) return write_formula(index);
  assign(name(index), literal(stage.shape, [&](std::size_t i) { return number(given->values()[i]); }),
         language_.declare);
} catch (const Error& error) {
  throw Error(graph_.stages[index].id + ": " + error.what());
}

void ProgramWriter::write_formula(StageIndex index) {
  const Stage& stage = graph_.stages[index];
  stage_ = index;
  const Formula formula = formula_of(stage.operation, inputs_of(stage));
  assert(formula->shape == stage.shape);
  truths_[index] = holds_truth(*formula);
  parts_.clear();
  uses_.clear();
  count(formula);
  const std::string text = spelled(formula).text;
  assign(name(index), text, language_.declare);
}

const std::string& ProgramWriter::name(StageIndex stage) {
  std::string& name = names_[stage];
  if (name.empty()) name = own_name(graph_.stages[stage].id);
  return name;
}

std::string ProgramWriter::text() const {
  std::string functions;
  for (const Helper* helper : called()) functions += "\n" + std::string(helper->text);
  return std::string(language_.begin) + functions + std::string(language_.body) + "\n" + lines_ +
         std::string(ends_.weights ? language_.weights : "") +
         std::string(ends_.output ? language_.output : "") + std::string(language_.end);
}

Given ProgramWriter::inputs_of(const Stage& stage) const {
  Given in;
  for (const StageIndex input : stage.inputs)
    in.push_back(code::input(in.size(), graph_.stages[input].shape));
  return in;
}

// Letters, digits and _, and not taken.
std::string ProgramWriter::own_name(const std::string& id) {
  std::string name = id;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "s" + name;
  while (!used_.insert(name).second) name += "_";
  return name;
}

void ProgramWriter::assign(const std::string& name, const std::string& what, std::string_view declare) {
  lines_ += std::string(declare) + name + std::string(language_.assign) + what + std::string(language_.ends);
}

// How often each node is read: what is read twice gets a name.
void ProgramWriter::count(const Formula& formula) {
  if (++uses_[&*formula] > 1) return;
  for (const Formula& operand : formula->of) count(operand);
}

ProgramWriter::Spelled ProgramWriter::named(const Formula& formula, const std::string& called,
                                            const std::string& what) {
  const std::string part = own_name(name(stage_) + "_" + called);
  assign(part, what, language_.declare);
  return {parts_[&*formula] = part};
}

ProgramWriter::Spelled ProgramWriter::spelled(const Formula& formula) {
  if (const auto known = parts_.find(&*formula); known != parts_.end()) return {known->second};
  const Node& node = *formula;
  if (node.fn == Fn::number) return {number(node.value)};
  if (node.fn == Fn::input) return {name(input_stage(node))};
  if (node.fn == Fn::constant)
    return named(formula, node.called,
                 literal(node.shape, [&](std::size_t i) { return number(node.numbers[i]); }));
  const bool asks_truth = node.fn == Fn::differs && is_zero(node.of[1]) && node.of[0]->fn == Fn::input;
  if (asks_truth && truths_[input_stage(*node.of[0])]) return spelled(node.of[0]);
  Spelled text = by_table(node);
  return uses_[&node] > 1 ? named(formula, "part", text.text) : text;
}

ProgramWriter::Spelled ProgramWriter::by_table(const Node& node) {
  const Spelling& spelling = language_.spellings.at(node.fn);
  std::vector<std::string> operands;
  for (std::size_t i = 0; i < node.of.size(); ++i) {
    const Spelled operand = spelled(node.of[i]);
    const bool loose = operand.binds > (i == 0 ? spelling.left : spelling.right);
    operands.push_back(loose ? "(" + operand.text + ")" : operand.text);
  }
  const std::string indices = takes_indices(node.fn) ? indices_name(node) : std::string();
  std::string text;
  for (const char* c = spelling.text; *c; ++c)
    if (*c == '%')
      text += placed(*++c, node, operands, indices);
    else
      text += *c;
  return {text, spelling.binds};
}

std::string ProgramWriter::placed(char what, const Node& node, const std::vector<std::string>& operands,
                                  const std::string& indices) const {
  const std::size_t count = node.fn == Fn::matrices ? node.shape.stack
                            : node.fn == Fn::rows   ? node.shape.rows
                                                    : node.shape.columns;
  switch (what) {
    case 'S':
      return std::to_string(node.shape.stack);
    case 'N':
      return std::to_string(node.shape.rows);
    case 'M':
      return std::to_string(node.shape.columns);
    case 'F':
      return std::to_string(node.first);
    case 'G':
      return std::to_string(node.first + 1);
    case 'E':
      return std::to_string(node.first + count);
    case 'L':
      return listed(node.listed);
    case 'I':
      return indices;
    case 'P':
      return std::string(language_.module);
    default:
      return operands.at(static_cast<std::size_t>(what - '0'));
  }
}

std::string ProgramWriter::listed(const std::vector<std::size_t>& columns) const {
  std::string text(language_.list_begin);
  for (std::size_t i = 0; i < columns.size(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(columns[i] + language_.list_first);
  return text + std::string(language_.list_end);
}

// A matrix of indices, counted from 0, before the line.
std::string ProgramWriter::indices_name(const Node& node) {
  const std::string indices = own_name(name(stage_) + "_indices");
  std::string text = sized(language_.indices_begin, node.shape);
  for (std::size_t i = 0; i < node.listed.size(); ++i) {
    const bool row = i % node.shape.columns == 0;
    if (i > 0) text += row ? language_.next_row : std::string_view(", ");
    if (row) text += language_.row_begin;
    text += std::to_string(node.listed[i]);
    if ((i + 1) % node.shape.columns == 0) text += language_.row_end;
  }
  check_size(numbers_ += node.listed.size());
  assign(indices, text + std::string(language_.indices_end), language_.declare.empty() ? "" : "const auto ");
  return indices;
}

std::string ProgramWriter::number(double value) const {
  if (std::isnan(value)) return std::string(language_.nan);
  if (std::isinf(value)) return (value < 0 ? "-" : "") + std::string(language_.infinity);
  return pointed(shortest(value));
}
std::string ProgramWriter::number(float value) const {
  return std::isfinite(value) ? pointed(shortest(value)) : number(static_cast<double>(value));
}
std::string ProgramWriter::pointed(std::string text) const {
  return language_.point && text.find_first_of(".e") == text.npos ? text + ".0" : text;
}

template <class Number>
std::string ProgramWriter::literal(const Shape& shape, const Number& number_at) {
  check_size(numbers_ += shape.size());
  std::string text(language_.stack_begin);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const Cell cell = cell_at(shape, i);
    const bool row = cell.column == 0, matrix = row && cell.row == 0;
    if (i > 0) text += matrix ? language_.next_matrix : row ? language_.next_row : std::string_view(", ");
    if (matrix) text += sized(language_.matrix_begin, shape);
    if (row) text += language_.row_begin;
    text += number_at(i);
    const bool row_ends = cell.column + 1 == shape.columns;
    if (row_ends) text += language_.row_end;
    if (row_ends && cell.row + 1 == shape.rows) text += language_.matrix_end;
  }
  return text + std::string(language_.stack_end);
}

// The functions that the lines call, and those that these call, in the order of the language.
std::vector<const Helper*> ProgramWriter::called() const {
  std::set<const Helper*> found;
  const auto is_called = [&](const Helper& helper) {
    return has_word(lines_, helper.name) || has_word(language_.output, helper.name) ||
           std::ranges::any_of(found, [&](const Helper* by) { return has_word(by->text, helper.name); });
  };
  for (bool grows = true; grows;) {
    grows = false;
    for (const Helper& helper : language_.helpers)
      if (!found.contains(&helper) && is_called(helper)) grows = found.insert(&helper).second;
  }
  std::vector<const Helper*> in_order;
  for (const Helper& helper : language_.helpers)
    if (found.contains(&helper)) in_order.push_back(&helper);
  return in_order;
}

}  // namespace attn::code
