// The parser of expressions: recursive descent, every number a double.
#include "core/text/expression.h"

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/text/bytes.h"
#include "core/text/special.h"

namespace attn {
namespace {

constexpr std::string_view kMinus = "\u2212";
constexpr int kMaximumDepth = 200;  // of brackets, so that no text overflows the stack

constexpr std::array kConstants{Variable{"pi", std::numbers::pi},
                                Variable{"π", std::numbers::pi},
                                Variable{"e", std::numbers::e},
                                Variable{"inf", kInfinity},
                                Variable{"infinity", kInfinity},
                                Variable{"∞", kInfinity},
                                Variable{"nan", kNan}};

struct Function {
  std::string_view name;
  double (*of)(double);
};

constexpr std::array kFunctions{Function{"sin", [](double x) { return std::sin(x); }},
                                Function{"cos", [](double x) { return std::cos(x); }},
                                Function{"tan", [](double x) { return std::tan(x); }},
                                Function{"exp", [](double x) { return std::exp(x); }},
                                Function{"log", [](double x) { return std::log(x); }},
                                Function{"sqrt", [](double x) { return std::sqrt(x); }},
                                Function{"abs", [](double x) { return std::abs(x); }}};

// Bytes of any UTF-8 character beyond ASCII count as letters: π and ∞ are words. Operators among them (−, ×,
// · and ÷) are told apart by at_operator().
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (static_cast<unsigned char>(c) >= 0x80);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

// Recursive descent: sum → product → sign → power → value. The first error wins; after it every step returns
// 0.
class Parser {
 public:
  Parser(std::string_view text, const std::vector<Variable>& variables)
      : text_(text), variables_(variables) {}

  NumberOrError parse() {
    const double value = sum();
    skip_spaces();
    if (at_ < text_.size()) fail("unexpected " + in_quotes(text_.substr(at_)));
    if (error_) return *error_;
    return value;
  }

 private:
  double sum() {
    double value = product();
    for (;;)
      if (take("+"))
        value += product();
      else if (take_minus())
        value -= product();
      else
        return value;
  }

  double product() {
    double value = sign();
    for (;;)
      if (take("*") || take("×") || take("·"))
        value *= sign();
      else if (take("/") || take("÷"))
        value /= sign();
      else
        return value;
  }

  // Every way to nest (brackets, signs, roots, powers) comes through here, where the depth is counted.
  double sign() {
    if (++depth_ > kMaximumDepth) return fail("too many signs or brackets inside each other");
    double value = 0;
    if (take_minus())
      value = -sign();
    else if (take("+"))
      value = sign();
    else
      value = power();
    --depth_;
    return value;
  }

  // The exponent is a sign again, so that 2^-3 is read and 2^3^2 is 2^9; −2^2 is −4, as sign() is above.
  double power() {
    const double base = primary();
    return take("^") || take("**") ? std::pow(base, sign()) : base;
  }

  double primary() {
    skip_spaces();
    if (at_ == text_.size()) return fail(text_.empty() || at_ == 0 ? "type a number" : "a number is missing");
    if (take("(")) {
      const double value = sum();
      if (!take(")")) return fail("a closing bracket ) is missing");
      return value;
    }
    if (is_digit(text_[at_]) || text_[at_] == '.') return number();
    if (is_letter(text_[at_])) return word();
    return fail("a number is missing before " + in_quotes(text_.substr(at_)));
  }

  double number() {
    double value = 0;
    const char* end = text_.data() + text_.size();
    const auto [stop, status] = std::from_chars(text_.data() + at_, end, value);
    if (status == std::errc::result_out_of_range) return fail("the number is out of range");
    if (status != std::errc()) return fail(in_quotes(text_.substr(at_)) + " is no number");
    at_ = static_cast<std::size_t>(stop - text_.data());
    // Between arguments a comma is right; elsewhere it is a decimal comma.
    if (at_ < text_.size() && text_[at_] == ',' && depth_in_call_ == 0)
      return fail("write decimals with a point, not a comma");
    return value;
  }

  double word() {
    const std::size_t start = at_;
    if (text_.substr(at_).starts_with("√")) {
      at_ += std::string_view("√").size();
      return std::sqrt(sign());
    }
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_])) && !at_operator()) ++at_;
    const std::string name = lower(text_.substr(start, at_ - start));
    for (const Variable& v : variables_)
      if (v.name == name) return v.value;
    for (const Variable& c : kConstants)
      if (c.name == name) return c.value;
    if (take("(")) return call(name, start);
    at_ = start;
    return fail(in_quotes(name) + " is no number");
  }

  double call(const std::string& name, std::size_t start) {
    ++depth_in_call_;
    std::vector<double> arguments{sum()};
    while (take(",")) arguments.push_back(sum());
    --depth_in_call_;
    if (!take(")")) return fail("a closing bracket ) is missing");
    for (const Function& f : kFunctions)
      if (f.name == name && arguments.size() == 1) return f.of(arguments[0]);
    const bool largest = name == "max";
    if (largest || name == "min") {
      double best = arguments[0];
      for (const double a : arguments)
        if (std::isnan(a) || (largest ? a > best : a < best)) best = a;
      return best;
    }
    at_ = start;
    return fail("no function " + in_quotes(name) + " of " + std::to_string(arguments.size()) +
                (arguments.size() == 1 ? " number" : " numbers"));
  }

  bool at_operator() const {
    const std::string_view rest = text_.substr(at_);
    return rest.starts_with(kMinus) || rest.starts_with("×") || rest.starts_with("·") ||
           rest.starts_with("÷");
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool take(std::string_view token) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(token)) return false;
    if (token == "*" && text_.substr(at_).starts_with("**")) return false;  // a power
    at_ += token.size();
    return true;
  }

  bool take_minus() { return take("-") || take(kMinus); }

  double fail(std::string message) {
    if (!error_) error_ = TextError{std::move(message), at_};
    at_ = text_.size();  // nothing more is read
    return 0;
  }

  std::string_view text_;
  const std::vector<Variable>& variables_;
  std::size_t at_ = 0;
  int depth_ = 0, depth_in_call_ = 0;
  std::optional<TextError> error_;
};

}  // namespace

NumberOrError parse_number_expression(std::string_view text, const std::vector<Variable>& variables) {
  return Parser(text, variables).parse();
}

std::variant<float, TextError> parse_float_expression(std::string_view text,
                                                      const std::vector<Variable>& variables) {
  const NumberOrError result = parse_number_expression(text, variables);
  if (const TextError* error = std::get_if<TextError>(&result)) return *error;
  const double value = std::get<double>(result);
  // Half a step above the largest float is where rounding reaches infinity.
  if (std::isfinite(value) && !std::isfinite(static_cast<float>(value)))
    return TextError{"too large: the largest number is 3.4e38", 0};
  return static_cast<float>(value);
}

}  // namespace attn
