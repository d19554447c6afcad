// Edits of the document that may be refused. Refused, they change nothing, and the person is told why.
#pragma once

#include <functional>

#include "app/fields/fields.h"
#include "app/frame/desk.h"
#include "app/frame/frame.h"

namespace attn {

// Within a frame, of the layer whose controls are drawn or of the whole document. Whether it was done.
bool attempt(Frame& frame, const std::function<void(LayerAt)>& edit);

// The same, but told under a row of the controls.
bool attempt(Frame& frame, const RefusedAt& at, const std::function<void(LayerAt)>& edit);

// The words of a field of a part ("heads.map.mean"), as many commands of a menu.
template <class Part, class Choice, std::size_t N>
void add_choices(std::vector<Command>& table, const std::string& part, const std::string& menu,
                 const ChoiceField<Choice, N>& about, Part Document::*of, Choice Part::*member,
                 const Document& now) {
  for (const auto& word : about.words)
    table.push_back(
        ticked(part + "." + std::string(about.text.key) + "." + std::string(word.word),
               std::string(word.title), menu, now.*of.*member == word.choice,
               [of, member, choice = word.choice](Desk& desk) { desk.draft.*of.*member = choice; }));
}

}  // namespace attn
