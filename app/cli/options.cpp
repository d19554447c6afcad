// Options read from words, one reader for each type of field.
#include "app/cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>

#include "app/cli/option_position.h"
#include "app/words/refuse.h"
#include "app/workspaces/workspaces.h"
#include "core/attention/layer_fields.h"
#include "core/graph/field_words.h"
#include "core/operations/mask_words.h"
#include "core/system/error.h"
#include "core/text/numbers.h"

namespace attn {
namespace {

namespace field = layer_field;
using OptionWords = std::vector<std::string>;

double read_finite(const FieldText& text, const std::string& word, std::string_view takes,
                   const OptionWords& words = {}) {
  const auto number = parse_number<double>(word);
  if (!number || !std::isfinite(*number)) refuse(text.option, word, takes, words);
  return *number;
}

bool in_range(const NumberField& f, double number) {
  return number >= f.least && number <= f.most;
}

// One row for each option: what --help says, and what its words change.
struct LayerOption {
  FieldText text;
  bool repeats = false;
  bool flag = false;  // takes no word
  std::function<LayerChange(const OptionWords& words)> read;
};

template <class Member>
LayerChange set(Member LayerSpec::*member, Member value) {
  return [=](LayerSpec& layer) { layer.*member = value; };
}

// A row for each field that has an option.
struct Collector {
  std::vector<LayerOption>& options;

  void add(const FieldText& text, std::function<LayerChange(const std::string&)> read) const {
    options.push_back(
        {.text = text, .read = [read](const OptionWords& words) { return read(words.back()); }});
  }

  void operator()(const NumberField& f, double LayerSpec::*member) const {
    add(f.text, [&f, member](const std::string& word) {
      const double number = read_finite(f.text, word, taken_by(f));
      if (!in_range(f, number)) refuse(f.text.option, word, taken_by(f));
      return set(member, std::abs(number) == 0 ? 0.0 : number);  // -0 is 0
    });
  }
  void operator()(const SwitchField& f, bool LayerSpec::*member) const {
    options.push_back(
        {.text = f.text, .flag = true, .read = [member](const OptionWords&) { return set(member, true); }});
  }
  void operator()(const SeededNumberField<LayerSpec>& f, double LayerSpec::*member) const {
    add(f.number.text, [&f, member](const std::string& word) -> LayerChange {
      const std::vector<std::string> parts = split(word, ':');
      const auto number = parse_number<double>(parts[0]);
      const auto seed = parts.size() == 2 ? parse_number<std::uint64_t>(parts[1]) : std::nullopt;
      if (!number || !seed || !in_range(f.number, *number))
        refuse(f.number.text.option, word,
               "P:SEED, a probability from 0 to 1 and a whole number, as in 0.1:42");
      return [&f, member, number, seed](LayerSpec& layer) {
        layer.*member = *number;
        layer.*f.seed = *seed;
      };
    });
  }
  void operator()(const field::PositionField& f, Position LayerSpec::*member) const {
    add(f.text, [&f, member](const std::string& word) -> LayerChange {
      const Position position = read_position(f.text, word);
      return [&f, member, position](LayerSpec& layer) {
        if (layer.direct && is_added(position))
          throw Error(std::string(f.text.option) +
                          ": the file gives q, k and v, so there is no x to add an encoding to; those that "
                          "trace wrote hold it already",
                      Fault::option);
        layer.*member = position;
      };
    });
  }
  template <class Choice, std::size_t N>
  void operator()(const ChoiceField<Choice, N>& f, Choice LayerSpec::*member) const {
    add(f.text, [&f, member](const std::string& word) {
      const auto choice = f.choice_of(word);
      if (!choice) refuse(f.text.option, word, listed(f.all_words()), f.all_words());
      return set(member, *choice);
    });
  }
  void operator()(const CountField& f, std::size_t LayerSpec::*member) const {
    add(f.text, [&f, member](const std::string& word) -> LayerChange {
      const auto count = parse_number<std::size_t>(word);
      if (!count || *count < f.least || *count > f.most) refuse(f.text.option, word, taken_by(f));
      // Heads and key/value heads are split together, in read_layer_options.
      return set(member, *count);
    });
  }
  void operator()(const field::ScaleField& f, Scaling LayerSpec::*member) const {
    add(f.text, [&f, member](const std::string& word) {
      if (word == "sqrt") return set(member, Scaling{ScaleMode::sqrt, 1});
      if (word == "none") return set(member, Scaling{ScaleMode::none, 1});
      return set(member, Scaling{ScaleMode::number,
                                 read_finite(f.text, word, "sqrt, none or a number", {"sqrt", "none"})});
    });
  }
  void operator()(const field::MasksField& f, std::vector<MaskTerm> LayerSpec::*) const;
  void operator()(const auto&, auto) const {}  // sessions alone know it
};

MaskTerm read_term(const std::string& word) {
  auto term = read_mask_term(word);
  if (!term) refuse(field::masks.text.option, word, mask_words_taken(word), mask_word_candidates(word));
  return *std::move(term);
}

// Calls change(rule) for the causal rules of a layer; `option` is refused where there are none.
void change_causal(LayerSpec& layer, std::string_view option,
                   const std::function<void(CausalRule&)>& change) {
  if (!find_rule<CausalRule>(layer))
    throw Error(std::string(option) + ": there is no causal mask to change; add --mask causal",
                Fault::option);
  for (MaskTerm& term : layer.masks)
    if (auto* causal = std::get_if<CausalRule>(&term.rule)) change(*causal);
}

// The rules given take the place of the file's; a mask matrix of the file stays. Causal rules are aligned as
// the file's was.
LayerChange read_rules(const OptionWords& words) {
  std::vector<MaskTerm> terms;
  for (const std::string& word : words) {
    MaskTerm term = read_term(word);
    // Saying it twice says nothing more, whatever joins them.
    if (terms.empty() || terms.back() != term) terms.push_back(std::move(term));
  }
  return [terms](LayerSpec& layer) {
    const auto* found = find_rule<CausalRule>(layer);
    const CausalRule before = found ? *found : CausalRule();
    layer.masks = terms;
    for (MaskTerm& term : layer.masks)
      if (auto* causal = std::get_if<CausalRule>(&term.rule)) *causal = before;
  };
}

LayerChange read_align(const std::string& word) {
  const auto& f = mask_field::align;
  const auto align = f.choice_of(word);
  if (!align) refuse(f.text.option, word, listed(f.all_words()), f.all_words());
  return [align, &f](LayerSpec& layer) {
    change_causal(layer, f.text.option, [&](CausalRule& rule) { rule.align = *align; });
  };
}

LayerChange read_causal(const CountField& f, std::size_t CausalRule::*member, const std::string& word) {
  const auto count = parse_number<std::size_t>(word);
  if (!count || *count > f.most) refuse(f.text.option, word, taken_by(f));
  return [count, member, &f](LayerSpec& layer) {
    change_causal(layer, f.text.option, [&](CausalRule& rule) { rule.*member = *count; });
  };
}

void Collector::operator()(const field::MasksField& f, std::vector<MaskTerm> LayerSpec::*) const {
  options.push_back({.text = f.text, .repeats = true, .read = read_rules});
  add(mask_field::align.text, read_align);
  const auto count = [this](const CountField& of, std::size_t CausalRule::*member) {
    add(of.text, [&of, member](const std::string& word) { return read_causal(of, member, word); });
  };
  count(mask_field::offset, &CausalRule::offset);
  count(mask_field::ahead, &CausalRule::ahead);
}

// A weighting that knows what a row with no key gets takes no choice of it.
void check_empty_row(const LayerSpec& layer) {
  const WeightingText& text = weighting_text(weighting_of(layer));
  if (text.undefined) return;
  throw Error(std::string(field::empty_row.text.option) + ": " + std::string(text.word) +
                  " gives a row with no key zeros, by its formula; the choice is for " +
                  std::string(weighting_text(Weighting::softmax).word) + " alone",
              Fault::option);
}

// Weights that are made each by itself add up along nothing.
void check_softmax_over(const LayerSpec& layer) {
  if (layer.softmax_over == SoftmaxOver::keys || is_over(layer, layer.softmax_over)) return;
  throw Error(std::string(field::softmax_over.text.option) + ": " +
                  std::string(weighting_text(weighting_of(layer)).word) +
                  " computes each weight by itself; choose another --weighting",
              Fault::option);
}

void check_mask_at(const LayerSpec& layer) {
  if (!layer.masks.empty() || !layer.mask.empty() || layer.local != Local::none) return;
  throw Error(std::string(field::mask_at.text.option) + ": there is no mask to move; add --mask RULE",
              Fault::option);
}

std::vector<LayerOption> layer_options() {
  std::vector<LayerOption> options;
  visit_fields(of<LayerSpec>, [&](const auto& f, auto member) {
    if (!text_of(f).option.empty()) Collector{options}(f, member);
  });
  return options;
}

}  // namespace

void add_layer_options(CLI::App& command, LayerWords& words, const std::string& group) {
  for (const LayerOption& option : layer_options()) {
    std::string name(option.text.option);
    std::vector<std::string>& given = words[name];
    if (command.get_option_no_throw(name)) name.replace(0, 2, "--layer-");
    if (option.flag) {
      command
          .add_flag_callback(
              name, [&given] { given = {"on"}; }, std::string(option.text.sentence))
          ->group(group);
      continue;
    }
    CLI::Option* added = command.add_option(name, given, std::string(option.text.sentence))
                             ->type_name(std::string(option.text.takes))
                             ->allow_extra_args(false)
                             ->group(group);
    if (!option.repeats) added->expected(1);
  }
}

std::vector<FieldText> layer_option_texts() {
  std::vector<FieldText> texts;
  for (const LayerOption& option : layer_options()) texts.push_back(option.text);
  return texts;
}

bool any_given(const LayerWords& words) {
  return std::ranges::any_of(words, [](const auto& option) { return !option.second.empty(); });
}

LayerChange read_layer_options(const LayerWords& words) {
  std::vector<LayerChange> changes;
  LayerSpec counts;  // of heads, as the words say; 0: they don't
  counts.heads = counts.kv_heads = 0;
  for (const LayerOption& option : layer_options()) {
    const auto found = words.find(std::string(option.text.option));
    if (found == words.end() || found->second.empty()) continue;
    const LayerChange change = option.read(found->second);
    if (option.text.key == field::heads.text.key || option.text.key == field::kv_heads.text.key)
      change(counts);
    else
      changes.push_back(change);
  }
  std::vector<void (*)(const LayerSpec&)> checks;
  const auto check_if_given = [&](const FieldText& text, void (*check)(const LayerSpec&)) {
    const auto found = words.find(std::string(text.option));
    if (found != words.end() && !found->second.empty()) checks.push_back(check);
  };
  check_if_given(field::empty_row.text, check_empty_row);
  check_if_given(field::softmax_over.text, check_softmax_over);
  check_if_given(field::mask_at.text, check_mask_at);
  return [changes, checks, heads = counts.heads, kv_heads = counts.kv_heads](LayerSpec& layer) {
    if (heads != 0 || kv_heads != 0) change_heads(layer, heads, kv_heads);
    for (const LayerChange& change : changes) change(layer);
    for (const auto check : checks) check(layer);
  };
}

std::string workspace_names() {
  std::vector<std::string> names;
  for (const Workspace& workspace : workspaces()) names.emplace_back(workspace.name);
  return listed(names);
}

const Workspace& read_workspace(std::string_view word) {
  std::vector<std::string> names;
  for (const Workspace& workspace : workspaces()) {
    if (word.empty() || workspace.name == word) return workspace;
    names.emplace_back(workspace.name);
  }
  refuse("--workspace", std::string(word), listed(names), names);
}

}  // namespace attn
