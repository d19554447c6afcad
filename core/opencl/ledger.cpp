// The ledger as JSON, and the list of PoCL's files that goes into it.
#include "core/opencl/ledger.h"

#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/opencl/context.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn::opencl {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr int kForm = 4;  // of the ledger on disk

Json to_json(const Verdict& v) {
  return {{"twin", v.twin},
          {"name", v.name},
          {"platform", v.platform},
          {"driver", v.driver},
          {"passed", v.passed},
          {"verdict", v.text},
          {"largest_error", v.largest_error},
          {"milliseconds", v.milliseconds},
          {"most_steps", v.most_steps},
          {"flash_rows", v.flash_tiles.rows},
          {"flash_keys", v.flash_tiles.keys},
          {"ending", static_cast<int>(v.ending)},
          {"tries", v.tries}};
}

Json to_json(const Silence& s) {
  return {{"driver", s.driver},
          {"fingerprint", s.fingerprint},
          {"text", s.text},
          {"ending", static_cast<int>(s.ending)},
          {"tries", s.tries}};
}

Ending ending_from(const Json& j) {
  return static_cast<Ending>(std::clamp(j.at("ending").get<int>(), 0, static_cast<int>(Ending::passing)));
}

Verdict verdict_from(const Json& j) {
  Verdict v;
  j.at("twin").get_to(v.twin);
  j.at("name").get_to(v.name);
  j.at("platform").get_to(v.platform);
  j.at("driver").get_to(v.driver);
  j.at("passed").get_to(v.passed);
  j.at("verdict").get_to(v.text);
  j.at("largest_error").get_to(v.largest_error);
  j.at("milliseconds").get_to(v.milliseconds);
  j.at("most_steps").get_to(v.most_steps);
  j.at("flash_rows").get_to(v.flash_tiles.rows);
  j.at("flash_keys").get_to(v.flash_tiles.keys);
  v.ending = ending_from(j);
  j.at("tries").get_to(v.tries);
  return v;
}

Silence silence_from(const Json& j) {
  Silence s;
  j.at("driver").get_to(s.driver);
  j.at("fingerprint").get_to(s.fingerprint);
  j.at("text").get_to(s.text);
  s.ending = ending_from(j);
  j.at("tries").get_to(s.tries);
  return s;
}

// Empty when it cannot be read: no content that a ledger lists.
std::string content_of(const fs::path& file) {
  std::error_code gone;
  if (!fs::is_regular_file(file, gone)) return {};  // a pipe would be waited for
  try {
    const std::vector<std::byte> bytes = read_file(file.string());
    const auto* data = reinterpret_cast<const Bytef*>(bytes.data());
    char text[48];
    std::snprintf(text, sizeof text, "%zu %08lx", bytes.size(), crc32_z(0, data, bytes.size()));
    return text;
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

bool is_leftover(const std::string& name) {
  return name.starts_with("tempfile_");
}

std::map<std::string, std::string> list_files(const fs::path& folder) {
  std::map<std::string, std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename();
    // A time stamp, and files that PoCL never reads.
    std::error_code gone;
    if (it->is_directory(gone) || name == "last_accessed" || is_leftover(name)) continue;
    files[it->path().lexically_relative(folder).string()] = content_of(it->path());
  }
  return files;
}

std::string to_text(const Ledger& ledger) {
  Json verdicts = Json::array(), silences = Json::array();
  for (const Verdict& v : ledger.verdicts) verdicts.push_back(to_json(v));
  for (const Silence& s : ledger.silences) silences.push_back(to_json(s));
  const Json whole{{"form", kForm},
                   {"kernels", kernel_hash()},
                   {"verdicts", verdicts},
                   {"silences", silences},
                   {"files", ledger.files}};
  // Replaced: bytes of a driver's name that are no UTF-8, which would throw.
  return whole.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<Ledger> parse_ledger(const std::string& text, std::string& problem) {
  try {
    const Json whole = Json::parse(text);
    if (whole.at("kernels") != kernel_hash() || whole.value("form", 1) != kForm)
      return std::nullopt;  // made by another version: nothing is wrong
    Ledger ledger;
    for (const Json& verdict : whole.at("verdicts")) ledger.verdicts.push_back(verdict_from(verdict));
    for (const Json& silence : whole.at("silences")) ledger.silences.push_back(silence_from(silence));
    whole.at("files").get_to(ledger.files);
    return ledger;
  } catch (const Json::exception&) {
    problem = "the list of tested devices is damaged";
    return std::nullopt;
  }
}

}  // namespace attn::opencl
