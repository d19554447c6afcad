// nlohmann's parser with a callback that watches depth and keys, which it does not limit itself; and its
// messages in our words, with a place that an editor shows too.
#include "core/io/json.h"

#include <algorithm>
#include <set>
#include <vector>

#include "core/error.h"
#include "core/io/bytes.h"

namespace attn {
namespace {

using nlohmann::json;

// "line 3, column 14" of the byte at `offset`.
std::string place(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
  const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto characters = std::ranges::count_if(
      before.substr(start), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
  return "line " + std::to_string(line) + ", column " + std::to_string(characters + 1);
}

// What is wrong, without the library's prefix, and without what it read last: that may be the whole file. Of
// "[json.exception.parse_error.101] parse error at line 1, column 9: … - invalid literal; last read: 'n'"
// that is "invalid literal".
std::string complaint(std::string_view what) {
  if (const std::size_t prefix = what.find("] "); prefix != std::string_view::npos)
    what.remove_prefix(prefix + 2);
  if (const std::size_t reason = what.find(" - "); reason != std::string_view::npos)
    what.remove_prefix(reason + 3);
  what = what.substr(0, std::min<std::size_t>(what.find("; last read"), 200));
  return std::string(what);
}

// Follows the parser through the text. Left to itself it keeps the last of two equal keys.
class Watch {
 public:
  bool operator()(json::parse_event_t event, const json& parsed) {
    switch (event) {
      case json::parse_event_t::object_start:
      case json::parse_event_t::array_start:
        if (levels_.size() == kMaximumJsonDepth)
          throw Error("the text nests deeper than " + std::to_string(kMaximumJsonDepth) + " levels");
        levels_.emplace_back();
        break;
      case json::parse_event_t::object_end:
      case json::parse_event_t::array_end:
        levels_.pop_back();
        break;
      case json::parse_event_t::key:
        levels_.back().key = parsed.get_ref<const std::string&>();
        if (!levels_.back().keys.insert(levels_.back().key).second)
          throw Error(path() + " is there twice: keep one");
        break;
      case json::parse_event_t::value:
        break;
    }
    return true;
  }

 private:
  struct Nesting {
    std::string key;
    std::set<std::string> keys;
  };

  std::string path() const {
    std::string text;
    for (const Nesting& level : levels_)
      if (!level.key.empty()) text += (text.empty() ? "" : ".") + level.key;
    return in_quotes(text);
  }

  std::vector<Nesting> levels_;
};

}  // namespace

json parse_json(std::string_view text) {
  if (text.size() > kMaximumJsonBytes)
    throw Error("the text is larger than " + std::to_string(kMaximumJsonBytes >> 20) + " MiB");
  Watch watch;
  try {
    return json::parse(text.begin(), text.end(),
                       [&](int, json::parse_event_t event, json& parsed) { return watch(event, parsed); });
  } catch (const json::parse_error& error) {
    throw Error(place(text, error.byte > 0 ? error.byte - 1 : 0) + ": " + complaint(error.what()));
  } catch (const json::exception& error) {
    throw Error(complaint(error.what()));
  }
}

std::string json_string(std::string_view text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace attn
