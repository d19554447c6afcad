// The session is text of an element in a namespace of its own: finding it takes no reader of XML, and nothing
// that one would have to be kept from doing.
#include "core/io/svg.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "core/io/packed_text.h"
#include "core/system/error.h"
#include "core/text/base64.h"
#include "core/text/code_points.h"

namespace attn {
namespace {

constexpr std::string_view kNamespace = "urn:attention-lab:session";

// Characters that are none of XML's: controls, surrogates, and two that are no characters.
bool is_of_xml(std::string_view character) {
  if (character.size() == 1) {
    const auto c = static_cast<unsigned char>(character[0]);
    return c < 0x80 && (c >= 0x20 || c == '\t' || c == '\n' || c == '\r');
  }
  return character != "\xef\xbf\xbe" && character != "\xef\xbf\xbf";
}

std::size_t skip_space(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

// What stands between the tags of the first element `name` of any prefix, from `at` on.
std::optional<std::string_view> content_of(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1)) {
    const std::size_t end = text.find_first_of(" \t\r\n/>", at + 1);
    if (end == text.npos) return std::nullopt;
    const std::string_view tag = text.substr(at + 1, end - at - 1);
    if (tag != name && !tag.ends_with(":" + std::string(name))) continue;
    const std::size_t open = text.find('>', end);
    if (open == text.npos || text[open - 1] == '/') return std::nullopt;
    const std::size_t close = text.find("</" + std::string(tag), open);
    if (close == text.npos) throw Error("the picture is cut short: its " + std::string(name) + " has no end");
    return text.substr(open + 1, close - open - 1);
  }
  return std::nullopt;
}

}  // namespace

std::string session_metadata(std::string_view session) {
  if (session.empty()) return {};
  return "<metadata><al:session xmlns:al=\"" + std::string(kNamespace) + "\">" +
         base64_of(packed_text(session)) + "</al:session></metadata>\n";
}

std::string xml_text(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const std::string_view character = first_character(text);
    text.remove_prefix(character.size());
    if (character == "&")
      escaped += "&amp;";
    else if (character == "<")
      escaped += "&lt;";
    else if (character == ">")
      escaped += "&gt;";
    else if (character == "\"")
      escaped += "&quot;";
    else
      escaped += is_of_xml(character) ? character : std::string_view("\xef\xbf\xbd");
  }
  return escaped;
}

bool is_svg(Bytes start) {
  std::string_view text = as_text(start);
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  for (std::size_t at = skip_space(text, 0); at < text.size() && text[at] == '<';) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("<svg") || rest.starts_with("<svg:svg")) return true;
    const bool comment = rest.starts_with("<!--");
    if (!comment && !rest.starts_with("<?") && !rest.starts_with("<!DOCTYPE")) return false;
    const std::size_t end = rest.find(comment ? "-->" : ">");
    if (end == rest.npos) return false;
    at = skip_space(text, at + end + (comment ? 3 : 1));
  }
  return false;
}

TextSource session_in_svg(Bytes file, ProgressCallback progress) {
  const std::string_view text = as_text(file);
  std::optional<std::string_view> content;
  if (text.find(kNamespace) != text.npos)
    if (const auto metadata = content_of(text, "metadata")) content = content_of(*metadata, "session");
  if (!content)
    throw Error(
        text.find("</svg") == text.npos
            ? "the picture is cut short: it has no end"
            : "this picture carries no session; only pictures saved by Attention Lab do (F12, render)");
  auto packed = bytes_in_base64(*content);
  if (!packed) throw Error("its session is damaged: it is no base64");
  const auto kept = std::make_shared<const std::vector<std::byte>>(std::move(*packed));
  return [kept, unpacked = unpacked_text(*kept, std::move(progress))] { return unpacked(); };
}

}  // namespace attn
