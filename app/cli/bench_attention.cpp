// bench attention: time over n next to Eigen's, a product and a norm likewise, what the device can do at
// best, and by which power the time grows.
#include <algorithm>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>

#include "app/cli/bench.h"
#include "app/cli/bench_eigen.h"
#include "app/words/refuse.h"
#include "app/words/table.h"
#include "core/measure/measure_fit.h"
#include "core/opencl/devices.h"
#include "core/system/error.h"
#include "core/text/numbers.h"
#include "core/text/text.h"

namespace attn::bench {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t kMostTokens = std::size_t{1} << 20, kMostWidth = 65536;

std::size_t count_of(std::string_view option, const std::string& word, std::size_t most) {
  const auto count = parse_number<std::size_t>(word);
  if (!count || *count == 0 || *count > most)
    refuse(option, word, "a whole number from 1 to " + std::to_string(most));
  return *count;
}

// What has rows: attention with every stage, and as one kernel: of all heads, causal, of one head, and with
// the weights written; the way back through it; a step of decoding with n keys; n×n matrices multiplied, and
// n rows of the layer's width normalised.
enum class RowWidth { of_head, of_layer, n };
struct RowSubject {
  std::string_view subject, mechanism, eigen = {};  // the last: Eigen's of the same; may be empty
  bool causal = false, one_head = false;
  RowWidth width = RowWidth::of_head;
  Graph (*build)(const MeasureShape& shape, std::size_t n,
                 LayerInputs inputs) = nullptr;  // null: the subject's own
  std::size_t longest = std::numeric_limits<std::size_t>::max();
  // Whether it is a row beside those that are measured anyway.
  bool added() const { return one_head || build; }
  bool attends() const { return width == RowWidth::of_head; }
  std::size_t columns(const MeasureShape& shape, std::size_t n) const {
    return attends() ? shape.d_k() : width == RowWidth::n ? n : shape.d;
  }
};
constexpr std::string_view kFlash = "flash", kBackward = "flash, backward";
constexpr std::size_t kLongestProduct = 1024;
constexpr RowSubject kRowSubjects[]{
    {.subject = "full", .mechanism = "full", .eigen = kEigen},
    {.subject = kFlash, .mechanism = "flash", .eigen = kEigen},
    {.subject = "flash, causal", .mechanism = "flash", .causal = true, .build = build_causal_flash},
    {.subject = "flash, one head", .mechanism = "flash", .one_head = true},
    {.subject = "flash, weights", .mechanism = "flash-weights", .build = build_flash_weights},
    {.subject = kBackward, .mechanism = "flash-backward", .build = build_flash_backward},
    {.subject = "decode", .mechanism = "decode", .build = build_decode},
    {.subject = "matmul",
     .mechanism = "matmul",
     .eigen = kEigenProduct,
     .width = RowWidth::n,
     .build = build_product,
     .longest = kLongestProduct},
    {.subject = "LayerNorm",
     .mechanism = "layer_norm",
     .width = RowWidth::of_layer,
     .build = build_layer_norm}};

std::vector<Contender> contenders(const MeasureShape& shape) {
  MeasureShape one = shape;
  one.d = shape.d_k(), one.heads = one.kv_heads = 1;
  const auto flash = std::ranges::find(measure_subjects(), kFlash, &MeasureSubject::name);
  const bool flash_fits = flash->why_not(shape).empty();
  std::vector<Contender> all{eigen_contender(shape)};
  for (const RowSubject& row : kRowSubjects) {
    if (!row.added() || (row.attends() && !flash_fits)) continue;
    MeasureSubject subject = *flash;
    subject.name = row.subject;
    if (row.build) subject.build = row.build;
    all.push_back(contender_of(subject, row.one_head ? one : shape));
    all.back().longest = row.longest;
  }
  all.push_back(eigen_product_contender(kLongestProduct));
  return all;
}

MeasureSpec spec_of(const BenchRequest& request) {
  MeasureSpec spec{.stages_at = 1024, .attention_alone = true, .program = ATTENTION_LAB_VERSION};
  if (!request.d.empty()) spec.shape.d = count_of("--d", request.d, kMostWidth);
  if (!request.heads.empty()) spec.shape.heads = count_of("--heads", request.heads, kMostWidth);
  spec.shape.kv_heads = spec.shape.heads;
  spec.shape.feed_forward = 4 * spec.shape.d;
  if (!request.n.empty())
    for (const std::string& word : split(request.n, ','))
      spec.lengths.push_back(count_of("--n", word, kMostTokens));
  if (request.quick) spec.rounds = 2, spec.longest = 64, spec.stages_at = 64;
  return spec;
}

// The time of `one` by that of `other`, in the rounds that measured both: whatever else ran then met both.
double ratio(const MeasuredPoint& one, const MeasuredPoint& other) {
  Timings ratios;
  for (std::size_t i = 0; i < std::min(one.seconds.values.size(), other.seconds.values.size()); ++i)
    ratios.values.push_back(one.seconds.values[i] / other.seconds.values[i]);
  return ratios.median();
}

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
  for (const RowSubject& row : kRowSubjects)
    for (const MeasuredPoint* point : measured.of(row.subject))
      visit(row, point, measured.find(row.eigen, point->n));
}

std::string fit_words(const PowerFit& fit) {
  char text[128];
  std::snprintf(text, sizeof text, "n^%.2f ± %.2f from n = %.0f to %.0f", fit.exponent, fit.error, fit.first,
                fit.last);
  return text + std::string(fit.holds ? "" : " (these points lie on no straight line)");
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
  for (const MeasuredPoint* back : measured.of(kBackward))
    if (const MeasuredPoint* flash = measured.find(kFlash, back->n))
      out << (back == measured.of(kBackward).front() ? "\nthe way back, in times of flash:" : ",") << " "
          << number(ratio(*back, *flash)) << " at n = " << back->n;
  if (!measured.of(kBackward).empty()) out << "\n";
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
  for (const char* subject : {"full", "flash", kEigen})
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
    if (of.subject == kBackward) row["ratio_to_flash"] = flash ? Json(ratio(*point, *flash)) : Json();
    rows.push_back(std::move(row));
  });
  return rows;
}

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
              {"flash_exponent", fit_json(measured, "flash")},
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

}  // namespace

void attention(const BenchRequest& request, Console& console) {
  const MeasureSpec spec = spec_of(request);
  check_measurable(spec.shape);
  eigen_instructions();  // what is compared with is there, before minutes have gone by
  Budget budget;
  std::vector<std::string> notes;
  const std::unique_ptr<Backend> backend = console.devices->choose(request.device, budget, notes);
  Measurement measurement(spec, contenders(spec.shape));
  while (measurement.step(*backend)) {
  }
  const Measured& measured = measurement.measured();
  const DeviceFacts facts = backend->facts();
  request.json ? print_json(measured, facts, notes, console.out)
               : print_text(measured, facts, notes, console.out);
  if (measured.state == MeasureState::ended) throw Error(measured.why, Fault::device);
}

}  // namespace attn::bench
