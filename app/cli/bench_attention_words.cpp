// bench attention in words and as JSON: rows, what the device can do at best, and by which power time grows.
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/bench_attention.h"
#include "app/cli/bench_eigen.h"
#include "app/cli/bench_share.h"
#include "app/words/table.h"
#include "core/measure/measure_fit.h"
#include "core/text/text.h"

namespace attn::bench {
namespace {

using Json = nlohmann::ordered_json;

double rate_of(const MeasuredPoint& point) {
  return point.seconds.median() > 0 ? point.operations / point.seconds.median() : 0;
}

double share(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

// What is read and written in a second, of what is copied.
double share_of_bandwidth(const MeasuredPoint& point, const Measured& measured) {
  return share(share(point.bytes, point.seconds.median()), measured.bandwidth());
}

// Three digits, or as many as the number has before the point.
std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value >= 100 && value < 1e7 ? "%.0f" : "%.3g", value);
  return text;
}

// Eigen's point is null where Eigen does not the same.
template <class Visit>
void for_each_row(const Measured& measured, Visit visit) {
  for (const RowSubject& row : row_subjects())
    for (const MeasuredPoint* point : measured.of(row.subject))
      visit(row, point, measured.find(row.eigen, point->n));
}

std::string fit_words(const PowerFit& fit) {
  char text[128];
  std::snprintf(text, sizeof text, "n^%.2f ± %.2f from n = %.0f to %.0f", fit.exponent, fit.error, fit.first,
                fit.last);
  return text + std::string(fit.holds ? "" : " (these points lie on no straight line)");
}

// The time of one subject by that of another, wherever both were measured.
void print_ratios(const char* words, const Measured& measured, std::string_view one, std::string_view other,
                  std::ostream& out) {
  bool any = false;
  for (const MeasuredPoint* point : measured.of(one))
    if (const MeasuredPoint* by = measured.find(other, point->n)) {
      out << (any ? ", " : "\n" + std::string(words) + ": ") << number(ratio(*point, *by))
          << " at n = " << point->n;
      any = true;
    }
  if (any) out << "\n";
}

void print_points(const Measured& measured, std::ostream& out) {
  std::vector<std::vector<std::string>> rows{{"", "n", "median, ms", "quartiles", "runs", "GF/s", "of peak",
                                              "of bandwidth", "Eigen, ms", "times as fast"}};
  for_each_row(measured, [&](const RowSubject& row, const MeasuredPoint* point, const MeasuredPoint* eigen) {
    const Timings& s = point->seconds;
    rows.push_back(
        {std::string(row.subject), std::to_string(point->n), number(1e3 * s.median()),
         number(1e3 * s.quantile(0.25)) + " – " + number(1e3 * s.quantile(0.75)),
         std::to_string(s.values.size()), number(1e-9 * rate_of(*point)),
         number(share(rate_of(*point), measured.peak())), number(share_of_bandwidth(*point, measured)),
         eigen ? number(1e3 * eigen->seconds.median()) : "–", eigen ? number(ratio(*eigen, *point)) : "–"});
  });
  print_table(out, rows, 1);
  print_ratios("the way back, in times of flash", measured, kBackward, kFlash, out);
  print_ratios("linear, times as fast as flash", measured, kFlash, kLinear, out);
  print_shares(measured, out);
}

void print_stages(const Measured& measured, std::ostream& out) {
  if (measured.stages.empty()) return;
  out << "\nStages of a layer at n = " << measured.stages_n << "\n";
  std::vector<std::vector<std::string>> rows{
      {"stage", "median, ms", "GF/s", "operations a byte", "of what peak and bandwidth allow"}};
  for (const MeasuredStage& stage : measured.stages)
    rows.push_back({stage.name + ", " + stage.title, number(1e3 * stage.seconds.median()),
                    number(1e-9 * stage.rate()), number(stage.intensity()),
                    number(share(stage.rate(), measured.roof(stage.intensity())))});
  print_table(out, rows, 1);
}

}  // namespace

void print_text(const Measured& measured, const DeviceFacts& facts, const std::vector<std::string>& notes,
                std::ostream& out) {
  const MeasureShape& shape = measured.shape;
  out << "Attention of " << shape.heads << (shape.heads == 1 ? " head of " : " heads of ") << shape.d_k()
      << " on " << printable(measured.device.name + ", " + measured.device.version) << "\n";
  print_points(measured, out);
  out << "\npeak: " << number(1e-9 * measured.peak())
      << " GF/s, multiplying and adding\nbandwidth: " << number(1e-9 * measured.bandwidth())
      << " GB/s, copying\n";
  if (measured.steadiness() < kSteady)
    out << "The peak of a round fell to " << number(measured.steadiness())
        << " of the best: other programs use the device, and these times are longer than they would be "
           "alone.\n";
  for (const std::string_view subject : {std::string_view("full"), kFlash, kLinear, std::string_view(kEigen)})
    if (const auto fit = fit_power(measured, subject))
      out << "time of " << subject << ": " << fit_words(*fit) << "\n";
  if (!facts.flash_choice.rows.empty()) out << "tiles of flash: " << to_text(facts.flash_tiles) << "\n";
  out << "Eigen: in float on all cores, with " << eigen_instructions() << "\n";
  print_stages(measured, out);
  out << "\n";
  for (const NotMeasured& left : measured.not_measured)
    out << left.subject << (left.n > 0 ? " from n = " + std::to_string(left.n) + " on: not measured: " : ": ")
        << printable(left.why) << "\n";
  if (!measured.why.empty()) out << printable(measured.why) << "\n";
  print_lines(out, notes);
}

namespace {

Json spread(const Timings& samples) {
  return {{"median_ms", 1e3 * samples.median()},
          {"low_ms", 1e3 * samples.quantile(0.25)},
          {"high_ms", 1e3 * samples.quantile(0.75)},
          {"runs", samples.values.size()}};
}

Json fit_json(const Measured& measured, std::string_view subject) {
  const auto fit = fit_power(measured, subject);
  if (!fit) return nullptr;
  return {{"value", fit->exponent}, {"error", fit->error},   {"from", fit->first},
          {"to", fit->last},        {"points", fit->points}, {"holds", fit->holds}};
}

Json rows_json(const Measured& measured) {
  Json rows = Json::array();
  const MeasureShape& shape = measured.shape;
  for_each_row(measured, [&](const RowSubject& of, const MeasuredPoint* point, const MeasuredPoint* eigen) {
    Json row{{"mechanism", of.mechanism},
             {"n", point->n},
             {"d_k", of.columns(shape, point->n)},
             {"heads", of.one_head || !of.attends() ? 1 : shape.heads},
             {"causal", of.causal}};
    row.update(spread(point->seconds));
    row["gflops"] = 1e-9 * rate_of(*point);
    row["share_of_peak"] = share(rate_of(*point), measured.peak());
    row["share_of_bandwidth"] = share_of_bandwidth(*point, measured);
    row["eigen_ms"] = eigen ? Json(1e3 * eigen->seconds.median()) : Json();
    row["ratio_to_eigen"] = eigen ? Json(ratio(*eigen, *point)) : Json();
    const MeasuredPoint* flash = measured.find(kFlash, point->n);
    if (of.subject == kBackward || of.subject == kLinear)
      row["ratio_to_flash"] = flash ? Json(ratio(*point, *flash)) : Json();
    if (const auto times = of.sparse ? times_of_share(measured, *point) : std::nullopt)
      row["times_of_share"] = *times;
    rows.push_back(std::move(row));
  });
  return rows;
}

}  // namespace

void print_json(const Measured& measured, const DeviceFacts& facts, const std::vector<std::string>& notes,
                std::ostream& out) {
  Json stages = Json::array(), left = Json::array();
  for (const MeasuredStage& stage : measured.stages) {
    Json row{{"name", stage.name}, {"operations", stage.operations}, {"bytes", stage.bytes}};
    row.update(spread(stage.seconds));
    row["gflops"] = 1e-9 * stage.rate();
    row["share_of_roof"] = share(stage.rate(), measured.roof(stage.intensity()));
    stages.push_back(std::move(row));
  }
  for (const NotMeasured& n : measured.not_measured)
    left.push_back({{"subject", n.subject}, {"from_n", n.n}, {"why", n.why}});
  out << Json{{"device", measured.device.name},
              {"version", measured.device.version},
              {"d", measured.shape.d},
              {"heads", measured.shape.heads},
              {"peak_gflops", 1e-9 * measured.peak()},
              {"bandwidth_gbps", 1e-9 * measured.bandwidth()},
              {"steadiness", measured.steadiness()},
              {"flash_tiles", facts.flash_choice.rows.empty() ? Json() : Json(to_text(facts.flash_tiles))},
              {"rows", rows_json(measured)},
              {"exponent", fit_json(measured, "full")},
              {"flash_exponent", fit_json(measured, kFlash)},
              {"linear_exponent", fit_json(measured, kLinear)},
              {"eigen_exponent", fit_json(measured, kEigen)},
              {"eigen_instructions", eigen_instructions()},
              {"stages_n", measured.stages_n},
              {"stages", stages},
              {"not_measured", left},
              {"why", measured.why},
              {"notes", notes}}
             .dump(2, ' ', true, Json::error_handler_t::replace)
      << '\n';
}

}  // namespace attn::bench
