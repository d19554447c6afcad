// nlohmann's parser over pieces of text, with the limits that it does not set itself; its messages in our
// words, with a place that an editor shows too.
#include "core/io/json.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/system/error.h"

namespace attn {
namespace {

using nlohmann::json;

// The characters of a text, one after the other, and where in it the next one stands.
class Characters {
 public:
  explicit Characters(const TextSource& source) : source_(source) {}

  // The next piece is only fetched when it is asked for: what the parser has just read is still there then.
  bool at_end() {
    if (at_ == end_) next_piece();
    return at_ == end_;
  }
  char operator*() const {
    // To nlohmann a zero byte is the end of the text, whatever comes behind.
    if (*at_ == '\0') throw Error(place(position()) + ": a zero byte, which no text has");
    return *at_;
  }
  void operator++() { ++at_; }
  // The parser has let go of what it read of the text so far.
  void heard() { heard_ = position(); }
  std::size_t position() const { return before_ + static_cast<std::size_t>(at_ - piece_.data()); }

  // "line 3, column 14" of the byte at `position`, which is in this piece.
  std::string place(std::size_t position) const {
    const std::string_view seen = piece_.substr(0, position - std::min(before_, position));
    const std::size_t line = line_ + static_cast<std::size_t>(std::ranges::count(seen, '\n'));
    const std::size_t start = seen.rfind('\n') + 1;  // npos + 1 is 0
    const std::size_t column = characters(seen.substr(start)) + (start == 0 ? column_ : 0);
    return "line " + std::to_string(line) + ", column " + std::to_string(column + 1);
  }

 private:
  // Pieces no longer than the gap that is allowed, so that it is looked at between them.
  void next_piece() {
    before_ += piece_.size();
    line_ += static_cast<std::size_t>(std::ranges::count(piece_, '\n'));
    const std::size_t start = piece_.rfind('\n') + 1;
    column_ = characters(piece_.substr(start)) + (start == 0 ? column_ : 0);
    if (before_ - heard_ > kMaximumJsonGap)
      throw Error("line " + std::to_string(line_) + ": more than " + std::to_string(kMaximumJsonGap >> 20) +
                  " MiB without a single value");
    if (rest_.empty()) rest_ = source_();
    piece_ = rest_.substr(0, kTextPiece);
    rest_.remove_prefix(piece_.size());
    at_ = piece_.data();
    end_ = at_ + piece_.size();
  }

  static std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
  }

  const TextSource& source_;
  std::string_view rest_, piece_;              // of what the source gave; what is being read of it
  const char *at_ = nullptr, *end_ = nullptr;  // in the piece
  std::size_t before_ = 0, heard_ = 0;         // bytes before the piece
  std::size_t line_ = 1, column_ = 0;          // where the piece starts, in characters
};

// What nlohmann reads from; one that has no characters is the end.
struct CharacterIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  Characters* characters = nullptr;

  char operator*() const { return **characters; }
  CharacterIterator& operator++() {
    ++*characters;
    return *this;
  }
  bool operator==(const CharacterIterator&) const { return characters->at_end(); }
};

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

// From nlohmann's events to the listener's.
class Events : public nlohmann::json_sax<json> {
 public:
  Events(Characters& characters, JsonListener& listener) : characters_(characters), listener_(listener) {}

  bool null() override { return scalar(nullptr); }
  bool boolean(bool value) override { return scalar(value); }
  bool number_integer(number_integer_t value) override { return scalar(value); }
  bool number_unsigned(number_unsigned_t value) override { return scalar(value); }
  bool number_float(number_float_t value, const string_t&) override { return scalar(value); }
  bool string(string_t& value) override { return scalar(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // JSON has none
  bool start_object(std::size_t) override { return begin(false); }
  bool start_array(std::size_t) override { return begin(true); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }
  bool key(string_t& key) override {
    characters_.heard();
    listener_.key(std::move(key));
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const json::exception& error) override {
    throw Error(characters_.place(position > 0 ? position - 1 : 0) + ": " + complaint(error.what()));
  }

 private:
  bool scalar(json&& value) {
    characters_.heard();
    listener_.scalar(std::move(value));
    return true;
  }
  bool begin(bool array) {
    if (++depth_ > kMaximumJsonDepth)
      throw Error(characters_.place(characters_.position() - 1) + ": the text nests deeper than " +
                  std::to_string(kMaximumJsonDepth) + " levels");
    listener_.begin(array);
    return true;
  }
  bool end() {
    --depth_;
    listener_.end();
    return true;
  }

  Characters& characters_;
  JsonListener& listener_;
  std::size_t depth_ = 0;
};

}  // namespace

void read_json(const TextSource& source, JsonListener& listener) {
  Characters characters(source);
  // Each version of the library has words of its own for that.
  if (characters.at_end()) throw Error(characters.place(0) + ": the text is empty");
  Events events(characters, listener);
  try {
    json::sax_parse(CharacterIterator{&characters}, CharacterIterator{&characters}, &events);
  } catch (const json::exception& error) {
    throw Error(complaint(error.what()));
  }
}

std::string json_string(std::string_view text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace attn
