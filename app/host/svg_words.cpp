// Decimals are those of whole numbers.
#include "app/host/svg_words.h"

#include <cmath>

namespace attn {
namespace {

// number ÷ 10^decimals, without zeros at the end.
std::string fixed_point(std::int64_t number, int decimals) {
  std::string digits = std::to_string(number < 0 ? -number : number);
  const auto places = static_cast<std::size_t>(decimals);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  digits.insert(digits.size() - places, 1, '.');
  while (digits.back() == '0') digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
  return number < 0 ? "-" + digits : digits;
}

}  // namespace

std::string hundredths(std::int64_t number) {
  return fixed_point(number, 2);
}

std::string decimal(float number) {
  return fixed_point(std::llround(static_cast<double>(number) * 100), 2);
}

std::string thousandths(float number) {
  return fixed_point(std::llround(static_cast<double>(number) * 1000), 3);
}

std::string millimetres(float points) {
  return fixed_point(std::llround(static_cast<double>(points) * 25.4 / 96 * 100), 2) + "mm";
}

std::string paint(ImU32 colour) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = " fill=\"#";
  for (const int shift : {IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT})
    for (const int half : {4, 0}) text += kDigits[(colour >> (shift + half)) & 15];
  text += '"';
  const ImU32 alpha = colour >> IM_COL32_A_SHIFT;
  if (alpha < 255) text += " fill-opacity=\"" + thousandths(static_cast<float>(alpha) / 255) + "\"";
  return text;
}

}  // namespace attn
