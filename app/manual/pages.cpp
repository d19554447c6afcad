// Pages are read once, when they are first asked for; before that, for its title, the first one alone.
#include "app/manual/pages.h"

#include <algorithm>
#include <sstream>

#include "app/frame/workspace.h"
#include "core/system/assets.h"
#include "core/text/find_words.h"

namespace attn {
namespace {

constexpr std::string_view kPageEnding = ".md";

constexpr std::string_view kGlossary = "glossary.md";

ManualPage read_page(std::string_view file, std::string_view text) {
  ManualPage page{.name = std::string(file.substr(0, file.size() - kPageEnding.size())),
                  .title = "",
                  .blocks = parse_markdown(text)};
  page.title = plain_text(page.blocks.front());
  return page;
}

// What stands there as "- word: meaning", each word as what its block is about.
std::string glossary_text() {
  std::istringstream lines(asset_text(word_files(), "assets/words", kGlossary));
  std::string text;
  for (std::string line; std::getline(lines, line); text += line + "\n")
    if (const auto colon = line.find(": "); line.starts_with("- ") && colon != std::string::npos)
      line = "- **" + line.substr(2, colon - 2) + "**" + line.substr(colon);
  return text;
}

ManualPage read_page(const Asset& file) {
  return read_page(file.name, asset_text(manual_files(), "assets/manual", file.name));
}

std::vector<ManualPage> read_pages() {
  std::vector<ManualPage> pages;
  for (const Asset& file : manual_files()) pages.push_back(read_page(file));
  pages.push_back(read_page(kGlossary, glossary_text()));
  return pages;
}

}  // namespace

std::span<const ManualPage> manual_pages() {
  static const std::vector<ManualPage> pages = read_pages();
  return pages;
}

const std::string& first_page_title() {
  static const std::string title = read_page(manual_files().front()).title;
  return title;
}

const ManualPage* manual_page(std::string_view name) {
  if (name.ends_with(kPageEnding)) name.remove_suffix(kPageEnding.size());
  const auto found = std::ranges::find(manual_pages(), name, &ManualPage::name);
  return found == manual_pages().end() ? nullptr : &*found;
}

const ManualPage& page_of(const Workspace& workspace) {
  const ManualPage* own = manual_page(workspace.name);
  return own ? *own : manual_pages().front();
}

std::vector<const ManualPage*> contents(std::span<const Workspace> workspaces) {
  std::vector<const ManualPage*> list{&manual_pages().front()};
  const auto add = [&](const ManualPage& page) {
    if (std::ranges::count(list, &page) == 0) list.push_back(&page);
  };
  for (const Workspace& workspace : workspaces) add(page_of(workspace));
  for (const ManualPage& page : manual_pages()) add(page);
  return list;
}

std::optional<Passage> passage_about(std::string_view word) {
  const ManualPage* page = manual_page(kGlossary);
  for (std::size_t i = 0; i < page->blocks.size(); ++i)
    if (page->blocks[i].kind == MarkdownBlock::item && lead_of(page->blocks[i]) == word)
      return Passage{page, i};
  return std::nullopt;
}

std::vector<Passage> passages(std::span<const ManualPage* const> pages, std::string_view words) {
  std::vector<Passage> found;
  for (const ManualPage* page : pages)
    for (std::size_t i = 0; i < page->blocks.size(); ++i)
      if (holds_words(plain_text(page->blocks[i]), words)) found.push_back({page, i});
  std::ranges::stable_partition(found, [&](const Passage& passage) {
    return holds_words(lead_of(passage.page->blocks[passage.block]), words);
  });
  return found;
}

}  // namespace attn
