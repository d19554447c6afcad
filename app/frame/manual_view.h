// The manual as it is open: the page, what is looked for in it, and the way back.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

// A page and how far it was scrolled, in pixels.
struct ManualPlace {
  std::string page;
  float scroll = 0;
};

struct ManualView {
  bool open = false;
  ManualPlace at;                         // as it was last drawn
  std::optional<std::size_t> block = {};  // that was asked for: marked
  bool moved = false;                     // it is still to be scrolled to the block, else as `at` says
  std::vector<ManualPlace> back = {};     // where one came from
  std::string words = {};                 // that are looked for
  std::size_t choice = 0;                 // of what was found

  void show(std::string_view page, std::optional<std::size_t> wanted = {}) {
    std::vector<ManualPlace> way = std::move(back);
    open ? way.push_back(at) : way.clear();
    *this = {.open = true,
             .at = {.page = std::string(page)},
             .block = wanted,
             .moved = true,
             .back = std::move(way)};
  }
  void go_back() {
    if (back.empty()) return;
    at = std::move(back.back());
    back.pop_back();
    block.reset();
    moved = true;
  }
};

}  // namespace attn
