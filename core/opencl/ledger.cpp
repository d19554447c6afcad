// The ledger as JSON, and the list of PoCL's files that goes into it.
#include "core/opencl/ledger.h"

#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "core/opencl/context.h"

namespace attn::opencl {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

Json to_json(const Verdict& v) {
  return {{"index", v.index},
          {"name", v.name},
          {"platform", v.platform},
          {"driver", v.driver},
          {"passed", v.passed},
          {"verdict", v.text},
          {"largest_error", v.largest_error},
          {"milliseconds", v.milliseconds},
          {"answered", v.answered},
          {"tries", v.tries}};
}

Verdict verdict_from(const Json& j) {
  Verdict v;
  j.at("index").get_to(v.index);
  j.at("name").get_to(v.name);
  j.at("platform").get_to(v.platform);
  j.at("driver").get_to(v.driver);
  j.at("passed").get_to(v.passed);
  j.at("verdict").get_to(v.text);
  j.at("largest_error").get_to(v.largest_error);
  j.at("milliseconds").get_to(v.milliseconds);
  j.at("answered").get_to(v.answered);
  j.at("tries").get_to(v.tries);
  return v;
}

}  // namespace

bool is_leftover(const std::string& name) {
  return name.starts_with("tempfile_");
}

std::map<std::string, Ledger::File> list_files(const fs::path& folder) {
  std::map<std::string, Ledger::File> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    struct stat status {};
    if (lstat(it->path().c_str(), &status) != 0 || S_ISDIR(status.st_mode)) continue;
    const std::string name = it->path().filename();
    if (name == "last_accessed" || is_leftover(name))
      continue;  // time stamps, and files that PoCL never reads
    files[fs::relative(it->path(), folder).string()] = {
        static_cast<std::uintmax_t>(status.st_size),
        static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec};
  }
  return files;
}

std::string to_text(const Ledger& ledger) {
  Json verdicts = Json::array(), files = Json::object();
  for (const Verdict& v : ledger.verdicts) verdicts.push_back(to_json(v));
  for (const auto& [path, file] : ledger.files) files[path] = {file.size, file.modified};
  const Json whole{{"kernels", kernel_hash()}, {"verdicts", verdicts}, {"files", files}};
  // Replaced: bytes of a driver's name that are no UTF-8, which would throw.
  return whole.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<Ledger> parse_ledger(const std::string& text, std::string& problem) {
  try {
    const Json whole = Json::parse(text);
    if (whole.at("kernels") != kernel_hash())
      return std::nullopt;  // made by another version: nothing is wrong
    Ledger ledger;
    for (const Json& verdict : whole.at("verdicts")) ledger.verdicts.push_back(verdict_from(verdict));
    for (const auto& [path, file] : whole.at("files").items())
      ledger.files[path] = {file.at(0).get<std::uintmax_t>(), file.at(1).get<std::int64_t>()};
    return ledger;
  } catch (const Json::exception&) {
    problem = "the list of tested devices is damaged";
    return std::nullopt;
  }
}

}  // namespace attn::opencl
