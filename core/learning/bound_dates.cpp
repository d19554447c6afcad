// What the best without positions could be of dates. The bag of a source tells the month, by its letters, and
// the six digits of year and day, in no order; what is written tells some of these digits in their order. All
// dates are counted, by their digits as a number: ten million rows would be too many to sort.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/learning/task.h"

namespace attn {
namespace {

constexpr std::size_t kDateDigits = 6, kNumbers = 1'000'000;
constexpr double kMonths = 12, kAnswers = static_cast<double>(kDateAnswers);

// Six digits of year and day, or what is known of them, as a number, with its chance.
struct Digits {
  std::uint32_t number;
  double chance;
};

std::vector<Digits> dates_of_month(std::size_t month, std::size_t first_year, std::size_t years) {
  std::vector<Digits> dates;
  for (std::size_t year = first_year; year < first_year + years; ++year) {
    const std::size_t days = days_of_month(month, year);
    const double chance = 1 / (kMonths * static_cast<double>(years) * static_cast<double>(days));
    for (std::size_t day = 1; day <= days; ++day)
      dates.push_back({static_cast<std::uint32_t>(100 * year + day), chance});
  }
  return dates;
}

// With the last `count` digits ascending, where all but the first of them are already.
std::uint32_t with_sorted_end(std::uint32_t number, std::size_t count) {
  std::uint32_t unit = 1;  // of the first of them
  for (std::size_t i = 1; i < count; ++i) unit *= 10;
  const std::uint32_t digit = number / unit % 10;
  for (; unit > 1; unit /= 10) {
    const std::uint32_t next = number / (unit / 10) % 10;
    if (next >= digit) break;
    number += (next - digit) * unit - (next - digit) * (unit / 10);  // they change places
  }
  return number;
}

double entropy(const std::vector<Digits>& all) {
  double sum = 0;
  for (const Digits& of : all) sum -= of.chance * std::log(of.chance);
  return sum;
}

// From what is known when all digits are written to what is when none is: digits in their order, and those
// behind them ascending. What the likeliest next digits add up to is on its way.
struct BagOfDigits {
  std::vector<Digits> bags;
  double likeliest = 0;  // right answers of the six, times their chance
};
BagOfDigits bag_of_digits(std::vector<Digits> dates) {
  BagOfDigits bag{std::move(dates), 1 / kMonths};  // the last digit is the one that is left
  std::vector<std::uint32_t> places(kNumbers, 0);  // in `known`, from 1 on; 0: it is not there
  for (std::size_t left = 2; left <= kDateDigits; ++left) {
    std::vector<Digits> known;
    std::vector<double> most;
    for (const Digits& of : bag.bags) {
      const std::uint32_t number = with_sorted_end(of.number, left);
      std::uint32_t& place = places[number];
      if (place == 0)
        known.push_back({number, 0}), most.push_back(0), place = static_cast<std::uint32_t>(known.size());
      known[place - 1].chance += of.chance;
      most[place - 1] = std::max(most[place - 1], of.chance);
    }
    for (const Digits& of : known) places[of.number] = 0;
    for (const double chance : most) bag.likeliest += chance;
    bag.bags = std::move(known);
  }
  return bag;
}

// Blank slots are all alike: each is answered by any of the ten.
void add_slots(std::size_t month, const std::vector<Digits>& bags, TrainingBound& to) {
  for (const Digits& of : bags) {
    std::array<double, 11> counts{};
    counts.back() = 2;  // hyphens
    ++counts[month / 10], ++counts[month % 10];
    std::uint32_t rest = of.number;
    for (std::size_t i = 0; i < kDateDigits; ++i, rest /= 10) ++counts[rest % 10];
    double logs = 0, most = 0;
    for (const double count : counts)
      if (count > 0) logs += count * std::log(count), most = std::max(most, count);
    to.loss += of.chance * (std::log(kAnswers) - logs / kAnswers);
    to.accuracy += of.chance * most / kAnswers;
  }
}

}  // namespace

TrainingBound bound_of_dates(std::size_t first_year, std::size_t years, TrainingDecoder decoder) {
  // Months of as many days have the same digits.
  const std::array<std::vector<std::size_t>, 3> alike{{{2}, {4, 6, 9, 11}, {1, 3, 5, 7, 8, 10, 12}}};
  TrainingBound bound{.loss = 0, .accuracy = 0};
  if (decoder == TrainingDecoder::written) bound.accuracy = 4 / kAnswers;  // hyphens and the month
  for (const std::vector<std::size_t>& months : alike) {
    const std::vector<Digits> dates = dates_of_month(months.front(), first_year, years);
    const BagOfDigits bag = bag_of_digits(dates);
    if (decoder == TrainingDecoder::written) {
      // What all answers of a date say beyond its bag, place after place.
      const double count = static_cast<double>(months.size());
      bound.loss += count * (entropy(dates) - entropy(bag.bags)) / kAnswers;
      bound.accuracy += count * bag.likeliest / kAnswers;
    } else {
      for (const std::size_t month : months) add_slots(month, bag.bags, bound);
    }
  }
  return bound;
}

}  // namespace attn
