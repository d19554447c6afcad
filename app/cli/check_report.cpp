// The verdict of a check in words, tables and JSON.
#include "app/cli/check_report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/words/table.h"
#include "core/diagnosis/set_name.h"
#include "core/text/bytes.h"
#include "core/text/text.h"

namespace attn {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t kNearest = 5;  // of the mistakes that do not reproduce

std::string few_digits(double value) {
  return short_number(static_cast<float>(value));
}

std::string cell_words(const Shape& shape, std::size_t at) {
  const Cell cell = cell_at(shape, at);
  const std::string head = shape.stack > 1 ? std::to_string(cell.head) + ", " : "";
  return head + std::to_string(cell.row) + ", " + std::to_string(cell.column);
}

std::string first_words(const CheckReport& report) {
  const Diagnosis& found = report.diagnosis;
  const StageVerdict& first = found.stages[*found.first];
  if (!first.same_shape) return first.id + " has another shape: " + first.note;
  std::string words = first.id + " differs first";
  if (first.largest == 0) return words + ": " + first.note;
  const Tensor &yours = report.dump.stages[*found.first].numbers, &ours = report.ours[*found.first];
  if (first.at < yours.shape().size() && first.at < ours.values().size())
    words += ": by " + few_digits(first.largest) + " at " + cell_words(yours.shape(), first.at) +
             ", where yours is " + short_number(yours.values()[first.at]) + " and ours " +
             short_number(ours.values()[first.at]);
  return words + (first.note.empty() ? "" : " (" + first.note + ")");
}

void print_diff(std::ostream& out, std::string_view lines, const std::string& sign) {
  std::vector<std::string> all;
  for (const std::string& line : split(lines, '\n')) all.push_back("  " + sign + line);
  print_lines(out, all);
}

void print_mistakes(std::ostream& out, const Tried& tried) {
  for (std::size_t i = 0; i < tried.words.size(); ++i) {
    const Mistake* mistake = find_mistake(tried.words[i]);
    if (!mistake) continue;
    const std::string detail = tried.details[i].empty() ? "" : " (" + tried.details[i] + ")";
    print_lines(
        out, std::vector<std::string>{"", tried.words[i] + detail + ": " + std::string(mistake->sentence)});
    print_diff(out, tried.fixes[i].wrong, "- ");
    print_diff(out, tried.fixes[i].right, "+ ");
  }
}

std::string words_listed(const Tried& tried) {
  std::string words;
  for (const std::string& word : tried.words) words += (words.empty() ? "" : " + ") + word;
  return words;
}

void print_nearest(std::ostream& out, const Diagnosis& found) {
  const std::vector<const Tried*> sets = found.nearest();
  Rows rows{{"nearest of others", "leaves"}};
  std::size_t better = 0;
  for (std::size_t i = 0; i < std::min(sets.size(), kNearest); ++i) {
    rows.push_back({words_listed(*sets[i]), few_digits(sets[i]->distance)});
    better += sets[i]->distance < found.nothing_changed;
  }
  rows.insert(rows.begin() + 1 + static_cast<std::ptrdiff_t>(better),
              {"nothing changed", few_digits(found.nothing_changed)});
  out << '\n';
  print_table(out, rows, 1);
}

// What a file does not hold, where nobody said it.
std::string unsaid_words(const LayerSpec& layer) {
  std::string words;
  const auto add = [&](const char* option) { words += (words.empty() ? "" : ", ") + std::string(option); };
  if (std::holds_alternative<NoPosition>(layer.position) && layer.bias.empty()) add("--position");
  if (layer.masks.empty() && layer.mask.empty()) add("--mask");
  return words.empty() ? "" : "if yours has them, say what the file does not: " + words;
}

void print_verdict(std::ostream& out, const CheckReport& report) {
  const Diagnosis& found = report.diagnosis;
  std::vector<std::string> lines;
  if (found.equal()) {
    lines.push_back("equal, nothing to mend: no stage of yours differs by more than " +
                    brief(report.tolerance.absolute) + " + " + brief(report.tolerance.relative) + "·|ours|");
    if (const std::string unchecked = unchecked_words(report.dump); !unchecked.empty())
      lines.push_back(unchecked);
    return print_lines(out, lines);
  }
  lines.push_back(first_words(report));
  const std::vector<const Tried*> sets = found.ties();
  if (!sets.empty()) {
    lines.push_back(set_name(*sets.front()) + ": this reproduces your numbers");
  } else if (found.noise) {
    lines.push_back("differs everywhere by about " + few_digits(found.noise_size) +
                    ", no pattern: half precision or noise");
  } else {
    const std::vector<const Tried*> near = found.nearest();
    const bool closer = !near.empty() && found.helps(*near.front());
    lines.push_back("nothing known reproduces them" +
                    (closer ? "; closest: " + set_name(*near.front()) : ", or brings them closer"));
    if (const std::string unsaid = unsaid_words(report.dump.layer); !unsaid.empty()) lines.push_back(unsaid);
  }
  print_lines(out, lines);
  if (sets.empty()) return;
  print_mistakes(out, *sets.front());
  lines.clear();
  for (std::size_t i = 1; i < sets.size(); ++i)
    lines.push_back("the same numbers come of " + set_name(*sets[i]));
  if (lines.empty()) return;
  out << '\n';
  print_lines(out, lines);
}

std::string stage_verdict(const Diagnosis& found, std::size_t s) {
  const StageVerdict& stage = found.stages[s];
  std::string words = !stage.compared     ? "not compared"
                      : !stage.same_shape ? "another shape"
                      : stage.equal       ? "equal"
                      : found.first == s  ? "first difference"
                      : stage.follows     ? "follows"
                                          : "differs too";
  return words + (stage.note.empty() ? "" : ", " + stage.note);
}

void print_stages(std::ostream& out, const CheckReport& report) {
  Rows rows{{"stage", "verdict", "shape", "largest |yours − ours|", "at", "distance"}};
  for (std::size_t s = 0; s < report.diagnosis.stages.size(); ++s) {
    const StageVerdict& stage = report.diagnosis.stages[s];
    const Shape shape = report.dump.stages[s].numbers.shape();
    const bool measured = stage.same_shape && stage.compared;
    rows.push_back({stage.id, stage_verdict(report.diagnosis, s), to_string(shape),
                    measured ? few_digits(stage.largest) : "–",
                    measured && stage.largest != 0 ? cell_words(shape, stage.at) : "–",
                    measured ? few_digits(stage.distance) : "–"});
  }
  out << '\n';
  print_table(out, rows, 2);
}

void print_names(std::ostream& out, const Dump& dump) {
  if (dump.names.empty()) return;
  Rows rows{{"array", "shape", "taken for"}};
  for (const ArrayMeaning& name : dump.names) {
    std::string meaning = name.meaning.empty() ? "not needed" : name.meaning;
    if (name.transposed) meaning += ", transposed";
    if (!name.layout.empty()) meaning += ", axes " + name.layout;
    if (!name.refused.empty()) meaning = (name.meaning.empty() ? "" : name.meaning + ": ") + name.refused;
    rows.push_back({name.name, shape_text(name.shape), meaning});
  }
  out << '\n';
  print_table(out, rows, 3);
}

void print_facts(std::ostream& out, const std::vector<Fact>& facts) {
  if (facts.empty()) return;
  Rows rows{{"what your numbers say", ""}};
  for (const Fact& fact : facts) rows.push_back({fact.what, fact.value + (fact.good ? "" : "  !")});
  out << '\n';
  print_table(out, rows, 2);
}

// JSON has no ∞ and no NaN.
Json json_of(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json stages_json(const CheckReport& report) {
  Json stages = Json::array();
  for (const StageVerdict& stage : report.diagnosis.stages)
    stages.push_back({{"stage", stage.id},
                      {"equal", stage.equal && stage.same_shape},
                      {"compared", stage.compared},
                      {"largest", json_of(stage.largest)},
                      {"at", stage.at},
                      {"distance", json_of(stage.distance)},
                      {"note", stage.note}});
  return stages;
}

Json names_json(const Dump& dump) {
  Json names = Json::array();
  for (const ArrayMeaning& name : dump.names)
    names.push_back({{"array", name.name},
                     {"shape", name.shape},
                     {"names", name_words(choice_of(name))},
                     {"refused", name.refused}});
  return names;
}

}  // namespace

std::string unchecked_words(const Dump& dump) {
  std::string words;
  for (const ArrayMeaning& name : dump.names)
    if (!name.refused.empty() && is_stage_meaning(name.meaning))
      words += (words.empty() ? "not checked: " : "; ") + name.name + ": " + name.refused;
  return words;
}

void print_check(std::ostream& out, const CheckReport& report) {
  print_verdict(out, report);
  if (!report.diagnosis.equal()) print_nearest(out, report.diagnosis);
  print_stages(out, report);
  print_names(out, report.dump);
  if (!report.dump.notes.empty()) out << '\n';
  print_lines(out, report.dump.notes);
  print_facts(out, report.facts);
}

void print_check_json(std::ostream& out, const CheckReport& report) {
  const Diagnosis& found = report.diagnosis;
  const std::vector<const Tried*> sets = found.ties();
  Json ties = Json::array();
  for (std::size_t i = 1; i < sets.size(); ++i) ties.push_back(sets[i]->words);
  const Json object{{"equal", found.equal()},
                    {"first", found.first ? Json(found.stages[*found.first].id) : Json()},
                    {"mistakes", sets.empty() ? std::vector<std::string>() : sets.front()->words},
                    {"details", sets.empty() ? std::vector<std::string>() : sets.front()->details},
                    {"distance", json_of(sets.empty() ? found.nothing_changed : sets.front()->distance)},
                    {"tried", found.tried},
                    {"ties", ties},
                    {"noise", found.noise ? json_of(found.noise_size) : Json()},
                    {"stages", stages_json(report)},
                    {"names", names_json(report.dump)},
                    {"notes", report.dump.notes}};
  // Names come from files: what is not UTF-8 is replaced, what is not ASCII escaped.
  out << object.dump(2, ' ', true, Json::error_handler_t::replace) << '\n';
}

}  // namespace attn
