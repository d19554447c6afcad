// Values of fields in few words, put together.
#include "app/fields/field_states.h"

#include "core/text/text.h"

namespace attn {

std::string states(std::initializer_list<std::string> parts) {
  std::string all;
  for (const std::string& part : parts)
    if (!part.empty()) all += (all.empty() ? "" : " · ") + part;
  return all;
}

std::string state_of_several(const std::vector<std::string>& names) {
  if (names.empty()) return "none";
  return names.size() == 1 ? names[0] : names[0] + " + " + std::to_string(names.size() - 1);
}

std::string state_of(const CountField& field, std::size_t value) {
  return std::string(field.text.title) + " " + std::to_string(value);
}

std::string state_of(const NumberField& field, double value) {
  return std::string(field.text.title) + " " + brief(value);
}

std::string state_of(const SwitchField& field, bool on) {
  return on ? std::string(field.text.title) : "";
}

}  // namespace attn
