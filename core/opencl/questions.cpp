// The child is given the driver, and the folder for its kernels, by its environment.
#include "core/opencl/questions.h"

#include <algorithm>
#include <csignal>

#include "core/opencl/trouble.h"

namespace attn::opencl {
namespace {

// The report is the last line; drivers may have printed before it.
Json last_line(const std::string& output) {
  const std::size_t end = output.find_last_not_of('\n');
  if (end == std::string::npos) return {};
  const std::size_t start = output.find_last_of('\n', end);
  return Json::parse(output.substr(start + 1, end - start), nullptr, false);
}

// Ended from outside: memory or time was short, or somebody ended it.
bool was_ended(const Child& child) {
  const auto signals = {SIGKILL, SIGXFSZ, SIGXCPU, SIGTERM, SIGINT, SIGHUP};
  return child.end == Child::End::signalled && std::ranges::count(signals, child.code) > 0;
}

}  // namespace

std::string SurveyContext::trouble() const {
  return passing_trouble({cache.kernels(), surroundings.temporary});
}

Child ask(const SurveyContext& context, const Driver& driver, const std::string& command,
          const Patience& patience) {
  std::map<std::string, std::string> variables{{"POCL_CACHE_DIR", context.cache.kernels().string()}};
  const auto vendors = folder_of({driver}, context.cache.drivers());
  if (!vendors.empty()) variables["OCL_ICD_VENDORS"] = vendors.string();
  return run_child(context.surroundings.probe, {"probe", command},
                   {.variables = std::move(variables),
                    .limit = patience.in_all * context.surroundings.limit,
                    .silence = patience.silence * context.surroundings.limit});
}

std::optional<Json> report_of(const Child& child, const char* required) {
  const Json report = last_line(child.output);
  if (!child.succeeded() || !report.is_object() || !report.contains(required)) return std::nullopt;
  return report;
}

Failure failure_of(const SurveyContext& context, const Child& child) {
  Failure failure{.text = child.succeeded() ? "gave no answer" : child.ending()};
  if (child.end == Child::End::timed_out) failure.ending = Ending::hung;
  std::string reason = context.trouble();
  if (reason.empty() && failure.ending == Ending::hung && context.surroundings.busy())
    reason = "the machine is busy with other things";
  if (!reason.empty()) {
    failure.ending = Ending::passing;
    failure.text += " (" + reason + ")";
  }
  if (was_ended(child) || child.end == Child::End::not_started) failure.ending = Ending::passing;
  return failure;
}

}  // namespace attn::opencl
