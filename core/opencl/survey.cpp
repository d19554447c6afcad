// Questions to the child process (probe.cpp) and what its silence means. Verdicts of the ledger are taken
// where they still hold; what may have been the cache's or the machine's fault is asked again.
#include "core/opencl/survey.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/opencl/child.h"

namespace attn::opencl {
namespace {

using Json = nlohmann::json;

constexpr int kTries = 2;  // tests that don't come to an end, before that is taken for an answer

Child ask(const Cache& cache, const Surroundings& surroundings, const std::string& command) {
  return run_child(surroundings.probe, {"probe", command}, {{"POCL_CACHE_DIR", cache.kernels().string()}},
                   surroundings.limit);
}

// The report is the last line; drivers may have printed before it.
Json last_line(const std::string& output) {
  const std::size_t end = output.find_last_not_of('\n');
  if (end == std::string::npos) return {};
  const std::size_t start = output.find_last_of('\n', end);
  return Json::parse(output.substr(start + 1, end - start), nullptr, false);
}

// What the child said; none when it didn't come to its end or what it said makes no sense.
std::optional<Json> report_of(const Child& child, const char* required) {
  const Json report = last_line(child.output);
  if (child.end != Child::End::exited || child.code != 0 || !report.is_object() || !report.contains(required))
    return std::nullopt;
  return report;
}

std::string failure_of(const Child& child) {
  const bool silent = child.end == Child::End::exited && child.code == 0;
  return "the self-test " + (silent ? std::string("gave no answer") : child.ending());
}

std::vector<Device> list(const Cache& cache, const Surroundings& surroundings,
                         std::vector<std::string>& notes) {
  const Child child = ask(cache, surroundings, "list");
  const std::optional<Json> report = report_of(child, "devices");
  if (!report) {
    notes.push_back("the devices cannot be listed: " + surroundings.probe + " " +
                    (child.end == Child::End::exited && child.code == 0 ? "gave no answer" : child.ending()));
    return {};
  }
  std::vector<Device> devices;
  try {
    for (const Json& row : report->at("devices"))
      devices.push_back({.index = devices.size(),
                         .name = row.at("name"),
                         .platform = row.at("platform"),
                         .driver = row.at("driver"),
                         .gpu = row.at("gpu"),
                         .verdict = {}});
    if (const std::string problem = report->value("problem", ""); !problem.empty()) notes.push_back(problem);
  } catch (const Json::exception&) {
    notes.push_back("the devices cannot be listed: " + surroundings.probe +
                    " gave an answer that makes no sense");
  }
  return devices;
}

Verdict verdict_of(const Device& device, const Child& child) {
  Verdict verdict{.index = device.index,
                  .name = device.name,
                  .platform = device.platform,
                  .driver = device.driver,
                  .text = {}};
  try {
    if (const std::optional<Json> report = report_of(child, "passed")) {
      report->at("passed").get_to(verdict.passed);
      report->at("verdict").get_to(verdict.text);
      report->at("largest_error").get_to(verdict.largest_error);
      report->at("milliseconds").get_to(verdict.milliseconds);
      return verdict;
    }
  } catch (const Json::exception&) {
    verdict.passed = false;
  }
  verdict.answered = false;
  verdict.text = failure_of(child);
  return verdict;
}

// One device's test. What may be the cache's fault, or a busy machine's, gets a second chance.
Verdict test(Cache& cache, const Surroundings& surroundings, const Device& device,
             std::vector<std::string>& notes) {
  const std::string number = std::to_string(device.index);
  Child child = ask(cache, surroundings, number);
  // A crash may be PoCL's over a file that was damaged since the ledger was looked at: once more without any.
  if (child.end == Child::End::signalled && !list_files(cache.kernels()).empty()) {
    notes.push_back(device.name + ": " + failure_of(child) +
                    "; PoCL's kernel cache is cleared for another try");
    cache.clear();
    child = ask(cache, surroundings, number);
  }
  // Operations were right, only compiling was slow: less is left each time, until a test gets no further.
  for (std::size_t said = 0; child.end == Child::End::timed_out && child.output.size() > said;) {
    said = child.output.size();
    child = ask(cache, surroundings, number);
  }
  return verdict_of(device, child);
}

const Verdict* find(const Ledger& ledger, const Device& device) {
  for (const Verdict& v : ledger.verdicts)
    if (v.index == device.index && v.name == device.name && v.platform == device.platform &&
        v.driver == device.driver)
      return &v;
  return nullptr;
}

bool settled(const Verdict* verdict) {
  return verdict != nullptr && (verdict->answered || verdict->tries >= kTries);
}

bool all_settled(const Ledger& ledger, const std::vector<Device>& devices) {
  return std::all_of(devices.begin(), devices.end(),
                     [&](const Device& d) { return settled(find(ledger, d)); });
}

void tell(Device& device, const Verdict& verdict) {
  device.passed = verdict.passed;
  device.verdict = verdict.text;
  device.largest_error = verdict.largest_error;
  device.milliseconds = verdict.milliseconds;
}

// Tests what has no verdict yet; keeps all verdicts. The cache is ours alone.
Ledger test_all(Cache& cache, const Surroundings& surroundings, const std::optional<Ledger>& known,
                Survey& survey) {
  Ledger ledger;
  for (const Device& device : survey.devices) {
    const Verdict* before = known ? find(*known, device) : nullptr;
    Verdict verdict = settled(before) ? *before : test(cache, surroundings, device, survey.notes);
    if (!settled(before) && before != nullptr) verdict.tries = before->tries + 1;
    ledger.verdicts.push_back(std::move(verdict));
  }
  cache.save(ledger.verdicts, survey.notes);
  return ledger;
}

}  // namespace

Survey survey(Cache& cache, const Surroundings& surroundings) {
  Survey survey;
  survey.devices = list(cache, surroundings, survey.notes);
  if (survey.devices.empty()) return survey;
  std::string problem;
  std::optional<Ledger> ledger = cache.trusted(problem);
  if (!ledger || !all_settled(*ledger, survey.devices)) {
    cache.claim(survey.notes);
    problem.clear();
    ledger = cache.trusted(problem);  // again: until the claim, another program may have done the work
    if (!problem.empty())
      survey.notes.push_back(problem + ": the cache is cleared and the devices tested again");
    if (!ledger) cache.clear();
    ledger = test_all(cache, surroundings, ledger, survey);
  }
  for (Device& device : survey.devices)
    if (const Verdict* verdict = find(*ledger, device)) tell(device, *verdict);
  return survey;
}

}  // namespace attn::opencl
