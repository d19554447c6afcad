// A check as the terminal's command: the choices of the layer that no file says.
#include "app/workspaces/compare/check_names.h"
#include "core/attention/layer_fields.h"
#include "core/operations/mask_words.h"
#include "core/text/numbers.h"
#include "core/text/text.h"

namespace attn {
namespace {

// In quotes where a shell would take it apart.
std::string shell_word(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_of(" \t\n'\"\\$`&|;<>()*?[]{}~#!") == word.npos;
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string number_word(double value) {
  return shortest(static_cast<float>(value));
}

// What the option of a field takes for a value.
std::string option_word(const NumberField&, double value) {
  return number_word(value);
}
std::string option_word(const CountField&, std::uint64_t value) {
  return std::to_string(value);
}
template <class Choice, std::size_t N>
std::string option_word(const ChoiceField<Choice, N>& field, Choice value) {
  return std::string(field.word_of(value));
}

// "rope:half:base=500000", settings that are not the usual ones by their keys.
std::string position_word(const Position& position) {
  std::string word(position_text(position).word);
  std::visit(
      [&]<class Kind>(const Kind& kind) {
        visit_fields(of<Kind>, [&](const auto& field, auto member) {
          if (kind.*member == Kind().*member) return;
          if constexpr (requires { option_word(field, kind.*member); })
            word += ":" + std::string(field.text.key) + "=" + option_word(field, kind.*member);
        });
      },
      position);
  return word;
}

struct LineOf {
  std::string line = {};
  const LayerSpec& layer;
  const LayerSpec usual = {};

  void add(std::string_view option, const std::string& word) {
    line += " " + std::string(option) + (word.empty() ? "" : " " + shell_word(word));
  }
  void operator()(const layer_field::PositionField& field, Position LayerSpec::*member) {
    if (layer.*member != usual.*member) add(field.text.option, position_word(layer.*member));
  }
  void operator()(const layer_field::MasksField& field, std::vector<MaskTerm> LayerSpec::*member) {
    for (const MaskTerm& term : layer.*member) add(field.text.option, mask_word(term));
  }
  void operator()(const layer_field::ScaleField& field, Scaling LayerSpec::*member) {
    const Scaling& scale = layer.*member;
    if (scale == usual.*member) return;
    add(field.text.option, scale.mode == ScaleMode::none   ? "none"
                           : scale.mode == ScaleMode::sqrt ? "sqrt"
                                                           : number_word(scale.number));
  }
  void operator()(const SwitchField& field, bool LayerSpec::*member) {
    if (!field.text.option.empty() && layer.*member != usual.*member) add(field.text.option, "");
  }
  void operator()(const auto& field, auto member) {
    if constexpr (requires { option_word(field, layer.*member); })
      if (!field.text.option.empty() && layer.*member != usual.*member)
        add(field.text.option, option_word(field, layer.*member));
  }
};

}  // namespace

std::string check_command_line(const Document& document) {
  const std::vector<std::string>& file = document.check.file;
  LineOf options{.layer = document.layer()};
  visit_fields(of<LayerSpec>, [&](const auto& field, auto member) { options(field, member); });
  return "attention-lab check " + shell_word(file.empty() ? "FILE.npz" : file[0]) + options.line;
}

}  // namespace attn
