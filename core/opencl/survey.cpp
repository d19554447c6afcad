// What is asked of which driver, and what its answer or its silence means. Answers of the ledger are taken
// where they still hold; what may have been the cache's or the machine's fault is asked again.
#include "core/opencl/survey.h"

#include <algorithm>
#include <iterator>

#include "core/opencl/questions.h"

namespace attn::opencl {
namespace {

constexpr int kTries = 2;     // crashes or hangs, before that is taken for an answer
constexpr int kPatience = 3;  // times the limits, at a second try

// Kernels are compiled one after the other: a test says when a case is right, and has the limit anew.
constexpr int kInAll = 12;  // times the limit, for a test that keeps saying so

// One device as its driver lists it.
struct ListedDevice {
  Device device;
  const Driver* driver;
  std::size_t place;  // in that driver's list
};

// Who doesn't list devices keeps everybody waiting at the start.
bool costs_once(const Silence& silence) {
  return silence.ending == Ending::hung;
}
bool costs_once(const Verdict&) {
  return false;
}

template <class Answer>
bool settled(const Answer* answer) {
  if (answer == nullptr || answer->ending == Ending::passing) return false;
  return answer->ending == Ending::answered || answer->tries >= kTries || costs_once(*answer);
}

// What took too long before gets more time.
int patience_after(const Verdict* before) {
  return before != nullptr && before->ending == Ending::hung ? kPatience : 1;
}

const Verdict* find(const Ledger& ledger, const Device& device) {
  for (const Verdict& v : ledger.verdicts)
    if (v.twin == device.twin && v.name == device.name && v.platform == device.platform &&
        v.driver == device.driver)
      return &v;
  return nullptr;
}

const Silence* find(const Ledger& ledger, const Driver& driver) {
  for (const Silence& s : ledger.silences)
    if (s.driver == driver.name && s.fingerprint == driver.fingerprint) return &s;
  return nullptr;
}

Device device_from(const Json& row) {
  Device device;
  row.at("name").get_to(device.name);
  row.at("platform").get_to(device.platform);
  row.at("driver").get_to(device.driver);
  row.at("gpu").get_to(device.gpu);
  return device;
}

// The devices of one driver; none when it gave no list.
std::optional<std::vector<ListedDevice>> list(const SurveyContext& context, const Driver& driver,
                                              Silence& silence, std::string& problem) {
  const Child child = ask(context, driver, "list");
  try {
    if (const std::optional<Json> report = report_of(child, "devices")) {
      std::vector<ListedDevice> listed;
      for (const Json& row : report->at("devices"))
        listed.push_back({.device = device_from(row), .driver = &driver, .place = listed.size()});
      problem = report->value("problem", "");
      return listed;
    }
  } catch (const Json::exception&) {  // a list of something else
  }
  Failure failure = failure_of(context, child);
  silence = {.driver = driver.name,
             .fingerprint = driver.fingerprint,
             .text = std::move(failure.text),
             .ending = failure.ending};
  return std::nullopt;
}

// What this start finds, before anything is tested.
struct DeviceListing {
  std::vector<Driver> drivers;
  std::vector<ListedDevice> devices;
  std::vector<Silence> silences;
  bool new_silence = false;  // that the ledger doesn't have
};

void number(std::vector<ListedDevice>& devices) {
  for (std::size_t i = 0; i < devices.size(); ++i) {
    Device& device = devices[i].device;
    device.index = i;
    for (std::size_t before = 0; before < i; ++before) {
      const Device& other = devices[before].device;
      device.twin +=
          other.name == device.name && other.platform == device.platform && other.driver == device.driver;
    }
  }
}

// Asks every driver alone, save those that are known to crash or hang.
DeviceListing list_all(const SurveyContext& context, const Ledger& known) {
  DeviceListing listing{
      .drivers = installed_drivers(context.surroundings.vendors), .devices = {}, .silences = {}};
  std::vector<std::string> problems;
  for (const Driver& driver : listing.drivers) {
    const Silence* before = find(known, driver);
    Silence silence;
    if (settled(before)) {
      silence = *before;
    } else if (auto listed = list(context, driver, silence, problems.emplace_back())) {
      std::ranges::move(*listed, std::back_inserter(listing.devices));
      continue;
    } else {
      if (before != nullptr) silence.tries = before->tries + 1;
      listing.new_silence = listing.new_silence || silence.ending != Ending::passing;
    }
    context.notes.push_back(driver.name + " is left out: listing its devices " + silence.text);
    listing.silences.push_back(std::move(silence));
  }
  // Why a driver has none is of no interest where another has one.
  std::erase(problems, "");
  if (listing.devices.empty()) std::ranges::move(problems, std::back_inserter(context.notes));
  number(listing.devices);
  return listing;
}

Verdict verdict_of(const SurveyContext& context, const Device& device, const Child& child) {
  Verdict verdict{.twin = device.twin,
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
      verdict.most_steps = report->value("most_steps", kEndless);
      verdict.flash_tiles = {report->value("flash_rows", std::size_t{0}),
                             report->value("flash_keys", std::size_t{0})};
      // A kernel that doesn't compile may lack no more than room on the disk.
      const bool computed = report->value("computed", true);
      const std::string reason = computed ? "" : context.trouble();
      if (!reason.empty()) verdict.text += " (" + reason + ")";
      if (!reason.empty() || report->value("passing", false)) verdict.ending = Ending::passing;
      return verdict;
    }
  } catch (const Json::exception&) {
    verdict.passed = false;
  }
  Failure failure = failure_of(context, child);
  verdict.ending = failure.ending;
  verdict.text = "the self-test " + failure.text;
  return verdict;
}

Child run_test(const SurveyContext& context, const ListedDevice& listed, int patience) {
  return ask(context, *listed.driver, std::to_string(listed.place),
             {.silence = patience, .in_all = patience * kInAll});
}

// One device's test. What may be the cache's fault, or a busy machine's, gets a second chance.
Verdict test(const SurveyContext& context, const ListedDevice& listed, int patience) {
  Child child = run_test(context, listed, patience);
  // A crash may be PoCL's over a file that was damaged since the ledger was looked at: once more without any.
  if (child.end == Child::End::signalled && !list_files(context.cache.kernels()).empty()) {
    context.notes.push_back(listed.device.name + ": the self-test " + child.ending() +
                            "; PoCL's kernel cache is cleared for another try");
    context.cache.clear();
    child = run_test(context, listed, patience);
  }
  if (child.end == Child::End::timed_out && patience == 1 && context.surroundings.busy()) {
    context.notes.push_back(
        listed.device.name +
        ": the self-test took longer than its limit, as the machine is busy: once more, with " +
        std::to_string(kPatience) + " times as much time");
    child = run_test(context, listed, kPatience);
  }
  return verdict_of(context, listed.device, child);
}

bool all_settled(const Ledger& ledger, const DeviceListing& listing) {
  return !listing.new_silence && std::ranges::all_of(listing.devices, [&](const ListedDevice& l) {
    return settled(find(ledger, l.device));
  });
}

void tell(Device& device, const Verdict& verdict) {
  device.passed = verdict.passed;
  device.verdict = verdict.text;
  device.largest_error = verdict.largest_error;
  device.milliseconds = verdict.milliseconds;
  device.most_steps = verdict.most_steps;
  device.flash_tiles = verdict.flash_tiles;
}

// Tests what has no verdict yet. The cache is ours alone.
Ledger test_all(const SurveyContext& context, const Ledger& known, const DeviceListing& listing) {
  Ledger answers{.verdicts = {}, .silences = listing.silences, .files = {}};
  for (const ListedDevice& listed : listing.devices) {
    const Verdict* before = find(known, listed.device);
    Verdict verdict = settled(before) ? *before : test(context, listed, patience_after(before));
    if (!settled(before) && before != nullptr) verdict.tries = before->tries + 1;
    if (verdict.ending == Ending::hung && !settled(&verdict))
      verdict.text += "; it is run again at the next start, with more time";
    answers.verdicts.push_back(std::move(verdict));
  }
  return answers;
}

Ledger without_passing(Ledger ledger) {
  const auto passing = [](const auto& answer) { return answer.ending == Ending::passing; };
  std::erase_if(ledger.verdicts, passing);
  std::erase_if(ledger.silences, passing);
  return ledger;
}

Survey told(const DeviceListing& listing, const Ledger& answers, const Cache& cache,
            std::vector<std::string> notes) {
  Survey survey{.devices = {}, .notes = std::move(notes)};
  for (const ListedDevice& listed : listing.devices) {
    survey.devices.push_back(listed.device);
    if (const Verdict* verdict = find(answers, listed.device)) tell(survey.devices.back(), *verdict);
  }
  if (listing.silences.empty()) return survey;
  std::vector<Driver> sound = listing.drivers;
  std::erase_if(sound, [&](const Driver& driver) {
    return std::ranges::count(listing.silences, driver.name, &Silence::driver) > 0;
  });
  survey.vendors = folder_of(sound, cache.drivers());
  return survey;
}

}  // namespace

Survey survey(Cache& cache, const Surroundings& surroundings) {
  std::vector<std::string> notes;
  const SurveyContext context{cache, surroundings, notes};
  std::string problem;
  std::optional<Ledger> ledger = cache.known(problem);
  const Ledger before = ledger.value_or(Ledger());
  const DeviceListing listing = list_all(context, before);
  if (problem.empty() && all_settled(before, listing)) return told(listing, before, cache, std::move(notes));
  cache.claim(notes);
  problem.clear();
  ledger = cache.known(problem);  // again: until the claim, another program may have done the work
  if (!problem.empty()) notes.push_back(problem + ": the cache is cleared and the devices tested again");
  if (!ledger || !problem.empty()) cache.clear();
  const Ledger answers = test_all(context, ledger ? *ledger : before, listing);
  cache.save(without_passing(answers), notes);
  return told(listing, answers, cache, std::move(notes));
}

Survey survey_again(Cache& cache, const Surroundings& surroundings) {
  std::vector<std::string> notes;
  Cache empty(surroundings.temporary);
  const SurveyContext context{empty, surroundings, notes};
  const DeviceListing listing = list_all(context, {});
  const Ledger answers = test_all(context, {}, listing);
  cache.replace_answers(without_passing(answers), notes);
  return told(listing, answers, cache, std::move(notes));
}

}  // namespace attn::opencl
