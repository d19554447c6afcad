// The header of a .npy file: a magic, a version, and a Python dictionary as text.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <utility>

#include "core/document/limits.h"
#include "core/io/npy.h"
#include "core/system/error.h"
#include "core/text/bytes.h"

namespace attn {
namespace {

// Reads the one dictionary that NumPy writes: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class DictionaryReader {
 public:
  // `offset`: of the text in the file.
  DictionaryReader(std::string_view text, std::size_t offset) : rest_(text), end_(offset + text.size()) {}

  void read(NpyHeader& header) {
    bool has_type = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted_text();
      expect(':');
      if (key == "descr" && !std::exchange(has_type, true))
        read_type(header);
      else if (key == "fortran_order" && !std::exchange(has_order, true))
        header.fortran_order = boolean();
      else if (key == "shape" && !std::exchange(has_shape, true))
        header.shape = shape();
      else
        throw Error("its header has an unexpected key " + in_quotes(key));
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (!rest_.empty())
      throw Error("its header goes on after the dictionary, at byte " + std::to_string(at()));
    if (!has_type || !has_order || !has_shape)
      throw Error("its header lacks one of descr, fortran_order and shape");
  }

 private:
  std::size_t at() const { return end_ - rest_.size(); }
  [[noreturn]] void damaged(const std::string& what) const {
    throw Error("its header is damaged at byte " + std::to_string(at()) + ": " + what);
  }

  void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }

  bool accept(char c) {
    skip_space();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!accept(c)) damaged(std::string("expected ") + c);
  }

  std::string_view quoted_text() {
    skip_space();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    if (quote != '\'' && quote != '"') damaged("expected a text in quotes");
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) damaged("a text has no end");
    const std::string_view text = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return text;
  }

  bool boolean() {
    skip_space();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    damaged("fortran_order is neither True nor False");
  }

  std::vector<std::size_t> shape() {
    std::vector<std::size_t> sizes;
    expect('(');
    while (!accept(')')) {
      skip_space();
      std::size_t size = 0;
      const auto [end, status] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
      if (status != std::errc()) damaged("the shape must be whole numbers that fit");
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      accept('L');  // Python 2 wrote 3L
      sizes.push_back(size);
      // NumPy 1 has no more; 2 has up to 64, which no layer has.
      if (sizes.size() > 32) throw Error("it has more than 32 dimensions");
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return sizes;
  }

  void read_type(NpyHeader& header);

  std::string_view rest_;
  std::size_t end_;  // where the text ends in the file
};

const char* refusal(char kind) {
  switch (kind) {
    case 'O':
      return "object arrays are not supported: they hold Python objects, not numbers; save it as float32";
    case 'c':
      return "complex numbers are not supported: save the real part";
    case 'U':
    case 'S':
    case 'a':
      return "text arrays are not supported: only numbers are read";
    case 'V':
      return "structured and raw arrays are not supported: save each field as an array of its own";
    case 'M':
    case 'm':
      return "dates and times are not supported: save them as numbers";
    default:
      return nullptr;
  }
}

void DictionaryReader::read_type(NpyHeader& header) {
  skip_space();
  if (!rest_.empty() && (rest_.front() == '[' || rest_.front() == '('))
    throw Error("structured arrays are not supported: save each field as an array of its own");
  const std::string_view type = quoted_text();
  std::string_view code = type;
  if (!code.empty() && std::string_view("<>|=").find(code.front()) != std::string_view::npos) {
    header.big_endian = code.front() == '>';
    code.remove_prefix(1);
  }
  if (!code.empty())
    if (const char* reason = refusal(code.front())) throw Error(reason);
  static constexpr std::string_view kKnown[] = {"b1", "i1", "i2", "i4", "i8", "u1",
                                                "u2", "u4", "u8", "f2", "f4", "f8"};
  if (std::ranges::find(kKnown, code) == std::end(kKnown))
    throw Error("the type " + in_quotes(type) +
                " is not supported: use bool, int8 to int64, uint8 to uint64, or float16 to float64");
  header.kind = code[0];
  header.item_size = static_cast<std::size_t>(code[1] - '0');
}

// The product, with every size at least 1 counted, so that an empty array can't hide a size that overflows.
std::size_t checked_count(std::span<const std::size_t> shape) {
  std::size_t product = 1;
  bool empty = false;
  for (const std::size_t size : shape) {
    if (size == 0) empty = true;
    if (size > limits::kMostNumbers / product)
      throw Error("its shape " + shape_text(shape) + " holds more than the " +
                  std::to_string(limits::kMostNumbers) + " numbers that are read");
    product *= std::max<std::size_t>(size, 1);
  }
  return empty ? 0 : product;
}

[[noreturn]] void cut_short(Bytes start) {
  throw Error("it ends inside its header, at byte " + std::to_string(start.size()));
}

}  // namespace

NpyHeader parse_npy_header(Bytes start) {
  constexpr std::string_view kMagic = "\x93NUMPY";
  if (!as_text(start).starts_with(kMagic))
    throw Error("it is not a .npy array: its first bytes are not \\x93NUMPY");
  if (start.size() < 10) cut_short(start);
  const auto version = std::to_integer<unsigned>(start[6]);
  if (version < 1 || version > 3)
    throw Error("its .npy version " + std::to_string(version) + " is not known: 1, 2 and 3 are");
  // Version 2 has a length of four bytes instead of two; 3 is 2 with UTF-8, which only field names need.
  const std::size_t text_offset = version == 1 ? 10 : 12;
  if (start.size() < text_offset) cut_short(start);
  const std::size_t length =
      version == 1 ? load_little<std::uint16_t>(start, 8) : load_little<std::uint32_t>(start, 8);
  if (length > kMaximumNpyHeader - text_offset)
    throw Error("its header of " + std::to_string(length) + " bytes is too long to be one");
  if (length > start.size() - text_offset) cut_short(start);

  NpyHeader header;
  DictionaryReader(as_text(start.subspan(text_offset, length)), text_offset).read(header);
  header.count = checked_count(header.shape);
  header.data_offset = text_offset + length;
  return header;
}

std::string shape_text(std::span<const std::size_t> shape) {
  if (shape.empty()) return "one number";
  std::string text;
  for (const std::size_t size : shape) text += (text.empty() ? "" : "×") + std::to_string(size);
  return text;
}

}  // namespace attn
