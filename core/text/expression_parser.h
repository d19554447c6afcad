// The parser of expressions, over values of any kind: one number (core/text/expression.h), or many that are
// read from what is computed (core/lesson/live_numbers.h).
//
// `Values` says what a value is and what is done with it:
//   Value                                    default: what stands for one behind an error
//   Value number(double)
//   Value sign(Value)                        −x
//   Value root(Value)                        √x
//   Value operate(Operator, Value, Value)
//   std::optional<Value> named(string_view)  a variable, by its name in lower case
//   Value call(name, vector<Value>)          a function
//   static constexpr bool kConditions        comparisons, and, or, not; names may hold points
//   Value cells(name, vector<Slice>)         NAME[…]: with kConditions alone
// Any of them may set `error`, in words; the text ends there.
#pragma once

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/text/bytes.h"
#include "core/text/expression_parts.h"

namespace attn::expression {

// Recursive descent: either → both → not → comparison → sum → product → sign → power → value. The first error
// wins; after it every step returns a default value.
template <class Values>
class Parser {
 public:
  using Value = typename Values::Value;

  Parser(std::string_view text, Values& values) : text_(text), values_(values) {}

  std::variant<Value, TextError> parse() {
    Value value = whole();
    skip_spaces();
    if (at_ < text_.size()) fail("unexpected " + in_quotes(text_.substr(at_)));
    if (error_) return *error_;
    return value;
  }

 private:
  static constexpr std::string_view kMinus = "\u2212";
  static constexpr int kMaximumDepth = 200;  // of brackets, so that no text overflows the stack

  Value whole() {
    if constexpr (Values::kConditions)
      return either();
    else
      return sum();
  }

  Value either() {
    Value value = both();
    while (take_word("or")) value = operate(Operator::either, std::move(value), both());
    return value;
  }

  Value both() {
    Value value = negated();
    while (take_word("and")) value = operate(Operator::both, std::move(value), negated());
    return value;
  }

  Value negated() {
    if (!take_word("not")) return comparison();
    if (++depth_ > kMaximumDepth) return fail("too many signs or brackets inside each other");
    Value value = operate(Operator::equal, negated(), values_.number(0));
    --depth_;
    return value;
  }

  Value comparison() {
    constexpr std::array<std::pair<std::string_view, Operator>, 8> kSigns{{{"<=", Operator::less_equal},
                                                                           {"≤", Operator::less_equal},
                                                                           {">=", Operator::more_equal},
                                                                           {"≥", Operator::more_equal},
                                                                           {"==", Operator::equal},
                                                                           {"!=", Operator::unequal},
                                                                           {"<", Operator::less},
                                                                           {">", Operator::more}}};
    Value value = sum();
    for (const auto& [sign, what] : kSigns)
      if (take(sign)) return operate(what, std::move(value), sum());
    return value;
  }

  Value sum() {
    Value value = product();
    for (;;)
      if (take("+"))
        value = operate(Operator::add, std::move(value), product());
      else if (take_minus())
        value = operate(Operator::subtract, std::move(value), product());
      else
        return value;
  }

  Value product() {
    Value value = sign();
    for (;;)
      if (take("*") || take("×") || take("·"))
        value = operate(Operator::multiply, std::move(value), sign());
      else if (take("/") || take("÷"))
        value = operate(Operator::divide, std::move(value), sign());
      else
        return value;
  }

  // Every way to nest (brackets, signs, roots, powers) comes through here, where the depth is counted.
  Value sign() {
    if (++depth_ > kMaximumDepth) return fail("too many signs or brackets inside each other");
    Value value = take_minus() ? values_.sign(sign()) : take("+") ? sign() : power();
    --depth_;
    return value;
  }

  // The exponent is a sign again, so that 2^-3 is read and 2^3^2 is 2^9; −2^2 is −4, as sign() is above.
  Value power() {
    Value base = primary();
    return take("^") || take("**") ? operate(Operator::power, std::move(base), sign()) : base;
  }

  Value primary() {
    skip_spaces();
    if (at_ == text_.size()) return fail(text_.empty() || at_ == 0 ? "type a number" : "a number is missing");
    if (take("(")) {
      Value value = whole();
      if (!take(")")) return fail("a closing bracket ) is missing");
      return value;
    }
    if (is_digit(text_[at_]) || text_[at_] == '.') return number();
    if (is_letter(text_[at_])) return word();
    return fail("a number is missing before " + in_quotes(text_.substr(at_)));
  }

  Value number() {
    double value = 0;
    const char* end = text_.data() + text_.size();
    const auto [stop, status] = std::from_chars(text_.data() + at_, end, value);
    if (status == std::errc::result_out_of_range) return fail("the number is out of range");
    if (status != std::errc()) return fail(in_quotes(text_.substr(at_)) + " is no number");
    at_ = static_cast<std::size_t>(stop - text_.data());
    // Between arguments a comma is right; elsewhere it is a decimal comma.
    if (at_ < text_.size() && text_[at_] == ',' && depth_in_call_ == 0)
      return fail("write decimals with a point, not a comma");
    return values_.number(value);
  }

  Value word() {
    const std::size_t start = at_;
    if (text_.substr(at_).starts_with("√")) {
      at_ += std::string_view("√").size();
      return values_.root(sign());
    }
    while (at_ < text_.size() && in_name(text_[at_]) && !at_operator()) ++at_;
    const std::string_view as_written = text_.substr(start, at_ - start);
    const std::string name = lower(as_written);
    if (auto value = values_.named(name)) return checked(std::move(*value), start);
    for (const Variable& c : kConstants)
      if (c.name == name) return values_.number(c.value);
    if (take("(")) return call(name, start);
    if constexpr (Values::kConditions) return cells(as_written, start);
    at_ = start;
    return fail(in_quotes(name) + " is no number");
  }

  Value call(const std::string& name, std::size_t start) {
    ++depth_in_call_;
    std::vector<Value> arguments;
    arguments.push_back(whole());
    while (take(",")) arguments.push_back(whole());
    --depth_in_call_;
    if (!take(")")) return fail("a closing bracket ) is missing");
    return error_ ? Value() : checked(values_.call(name, std::move(arguments)), start);
  }

  Value cells(std::string_view name, std::size_t start) {
    std::vector<Slice<Value>> slices;
    if (take("[")) {
      ++depth_in_call_;
      do slices.push_back(slice());
      while (take(","));
      --depth_in_call_;
      if (!take("]")) return fail("a closing bracket ] is missing");
    }
    return error_ ? Value() : checked(values_.cells(name, std::move(slices)), start);
  }

  Slice<Value> slice() {
    Slice<Value> slice;
    if (!at(":")) slice.first = sum();
    slice.range = take(":");
    if (slice.range && !at(",") && !at("]")) slice.end = sum();
    return slice;
  }

  Value operate(Operator what, Value a, Value b) {
    return error_ ? Value() : checked(values_.operate(what, std::move(a), std::move(b)), at_);
  }

  // Or fails, at that place, with what the values have to say.
  Value checked(Value value, std::size_t place) {
    if (values_.error.empty()) return value;
    at_ = place;
    return fail(values_.error);
  }

  // Bytes of any UTF-8 character beyond ASCII count as letters: π and ∞ are words. Operators among them (−,
  // ×, · and ÷) are told apart by at_operator().
  static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (static_cast<unsigned char>(c) >= 0x80);
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool in_name(char c) { return is_letter(c) || is_digit(c) || (Values::kConditions && c == '.'); }

  static std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
  }

  bool at_operator() const {
    const std::string_view rest = text_.substr(at_);
    for (const std::string_view one : {kMinus, std::string_view("×"), std::string_view("·"),
                                       std::string_view("÷"), std::string_view("≤"), std::string_view("≥")})
      if (rest.starts_with(one)) return true;
    return false;
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool at(std::string_view token) {
    skip_spaces();
    return text_.substr(at_).starts_with(token);
  }

  bool take(std::string_view token) {
    if (!at(token)) return false;
    if (token == "*" && text_.substr(at_).starts_with("**")) return false;  // a power
    at_ += token.size();
    return true;
  }

  bool take_word(std::string_view word) {
    if (!at(word)) return false;
    const std::size_t end = at_ + word.size();
    if (end < text_.size() && in_name(text_[end])) return false;
    at_ = end;
    return true;
  }

  bool take_minus() { return take("-") || take(kMinus); }

  Value fail(std::string message) {
    if (!error_) error_ = TextError{std::move(message), at_};
    at_ = text_.size();  // nothing more is read
    return Value();
  }

  std::string_view text_;
  Values& values_;
  std::size_t at_ = 0;
  int depth_ = 0, depth_in_call_ = 0;
  std::optional<TextError> error_;
};

}  // namespace attn::expression
