// The pages of the manual, as they are embedded (assets/manual) and, last, the glossary (assets/words); and
// what is found in them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/manual/markdown.h"

namespace attn {

struct Workspace;

struct ManualPage {
  std::string name, title;  // "heads", "Heads"
  std::vector<MarkdownBlock> blocks;
};

// Every page; the first says what attention is.
std::span<const ManualPage> manual_pages();
// What the first page is called, without reading the others.
const std::string& first_page_title();
// Null where there is none of that name. A link's "heads.md" is one.
const ManualPage* manual_page(std::string_view name);
// The workspace's, which bears its name; the first where it has none.
const ManualPage& page_of(const Workspace& workspace);
// As they are listed: the first, those of the workspaces in the order of their tabs, the others.
std::vector<const ManualPage*> contents(std::span<const Workspace> workspaces);

struct Passage {
  const ManualPage* page;
  std::size_t block;
};
// What the glossary says of a word, by its heading there; none: nothing.
std::optional<Passage> passage_about(std::string_view word);
// The blocks that hold all words; first those that are about them.
std::vector<Passage> passages(std::span<const ManualPage* const> pages, std::string_view words);

}  // namespace attn
