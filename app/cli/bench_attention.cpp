// bench attention: what is measured, time over n next to Eigen's, a product and a norm likewise.
#include "app/cli/bench_attention.h"

#include <algorithm>

#include "app/cli/bench_eigen.h"
#include "app/words/refuse.h"
#include "app/words/version.h"
#include "core/opencl/devices.h"
#include "core/system/error.h"
#include "core/text/numbers.h"
#include "core/text/text.h"

namespace attn::bench {
namespace {

constexpr std::size_t kMostTokens = std::size_t{1} << 20, kMostWidth = 65536;

std::size_t count_of(std::string_view option, const std::string& word, std::size_t most) {
  const auto count = parse_number<std::size_t>(word);
  if (!count || *count == 0 || *count > most)
    refuse(option, word, "a whole number from 1 to " + std::to_string(most));
  return *count;
}

constexpr std::size_t kLongestProduct = 1024;
constexpr RowSubject kRowSubjects[]{
    {.subject = "full", .mechanism = "full", .eigen = kEigen},
    {.subject = kFlash, .mechanism = "flash", .eigen = kEigen},
    {.subject = "flash, causal", .mechanism = "flash", .causal = true, .build = build_causal_flash},
    {.subject = "flash, one head", .mechanism = "flash", .one_head = true},
    {.subject = "flash, weights", .mechanism = "flash-weights", .build = build_flash_weights},
    {.subject = kBackward, .mechanism = "flash-backward", .build = build_flash_backward},
    {.subject = kLinear, .mechanism = "linear"},
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
     .build = build_layer_norm},
    {.subject = "window", .mechanism = "window", .sparse = true},
    {.subject = "window, causal",
     .mechanism = "window",
     .causal = true,
     .sparse = true,
     .build = build_causal_window},
    {.subject = "strided", .mechanism = "strided", .sparse = true}};

// The words of --mechanism; empty: all rows.
using Mechanisms = std::vector<std::string>;
bool has(const Mechanisms& chosen, const RowSubject& row) {
  return chosen.empty() || std::ranges::count(chosen, row.mechanism) > 0;
}

Mechanisms mechanisms_of(const BenchRequest& request) {
  Mechanisms chosen;
  if (request.mechanism.empty()) return chosen;
  const std::vector<std::string> all = attention_bench_mechanisms();
  for (const std::string& word : split(request.mechanism, ',')) {
    if (!std::ranges::count(all, word)) refuse("--mechanism", word, listed(all), all);
    chosen.push_back(word);
  }
  return chosen;
}

// Beside the subjects. Eigen is compared with where everything is measured.
std::vector<Contender> contenders(const MeasureShape& shape, const Mechanisms& chosen) {
  MeasureShape one = shape;
  one.d = shape.d_k(), one.heads = one.kv_heads = 1;
  const auto flash = std::ranges::find(measure_subjects(), kFlash, &MeasureSubject::name);
  const bool flash_fits = flash->why_not(shape).empty();
  std::vector<Contender> all;
  if (chosen.empty()) all.push_back(eigen_contender(shape));
  for (const RowSubject& row : kRowSubjects) {
    if (!row.added() || !has(chosen, row) || (row.attends() && !flash_fits)) continue;
    MeasureSubject subject = *flash;
    subject.name = row.subject;
    if (row.build) subject.build = row.build;
    all.push_back(contender_of(subject, row.one_head ? one : shape));
    all.back().longest = row.longest;
  }
  if (chosen.empty()) all.push_back(eigen_product_contender(kLongestProduct));
  return all;
}

MeasureSpec spec_of(const BenchRequest& request, const Mechanisms& chosen) {
  MeasureSpec spec{.stages_at = 1024, .attention_alone = true, .program = version()};
  if (!request.d.empty()) spec.shape.d = count_of("--d", request.d, kMostWidth);
  if (!request.heads.empty()) spec.shape.heads = count_of("--heads", request.heads, kMostWidth);
  spec.shape.kv_heads = spec.shape.heads;
  spec.shape.feed_forward = 4 * spec.shape.d;
  if (!request.n.empty())
    for (const std::string& word : split(request.n, ','))
      spec.lengths.push_back(count_of("--n", word, kMostTokens));
  if (!spec.lengths.empty()) spec.stages_at = std::ranges::max(spec.lengths);
  if (request.quick) spec.rounds = 2, spec.longest = 64, spec.stages_at = 64;
  if (chosen.empty()) return spec;
  spec.stages_at = 0;
  spec.alone.emplace();
  for (const RowSubject& row : kRowSubjects)
    if (!row.added() && has(chosen, row)) spec.alone->emplace_back(row.subject);
  return spec;
}

}  // namespace

std::span<const RowSubject> row_subjects() {
  return kRowSubjects;
}

void attention(const BenchRequest& request, Console& console) {
  const Mechanisms chosen = mechanisms_of(request);
  const MeasureSpec spec = spec_of(request, chosen);
  check_measurable(spec.shape);
  eigen_instructions();  // what is compared with is there, before minutes have gone by
  Budget budget;
  std::vector<std::string> notes;
  const std::unique_ptr<Backend> backend = console.devices->choose(request.device, budget, notes);
  Measurement measurement(spec, contenders(spec.shape, chosen));
  while (measurement.step(*backend)) {
  }
  const Measured& measured = measurement.measured();
  const DeviceFacts facts = backend->facts();
  request.json ? print_json(measured, facts, notes, console.out)
               : print_text(measured, facts, notes, console.out);
  if (measured.state == MeasureState::ended) throw Error(measured.why, Fault::device);
}

}  // namespace attn::bench

namespace attn {

std::vector<std::string> attention_bench_mechanisms() {
  std::vector<std::string> names;
  for (const bench::RowSubject& row : bench::kRowSubjects)
    if (names.empty() || names.back() != row.mechanism) names.emplace_back(row.mechanism);
  return names;
}

}  // namespace attn
