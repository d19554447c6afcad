// The lock (flock) is on a file of its own, as that one is replaced by every write. Lock files stay:
// a removed one could be held by one window and made anew by another.
#include "app/program/recovery.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/program/input.h"
#include "app/workspaces/workspaces.h"
#include "core/document/limits.h"
#include "core/io/session.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kMostWindows = 99;
constexpr char kComputing = 'c', kNotComputing = '-';  // what the lock file holds

std::string file_of(const std::string& folder, int window) {
  return folder + "/recovery" + (window == 1 ? "" : "-" + std::to_string(window)) + ".json";
}

bool exists(const std::string& file) {
  std::error_code ignored;
  return fs::exists(file, ignored);
}

fs::file_time_type written_at(const std::string& file) {
  std::error_code ignored;
  return fs::last_write_time(file, ignored);
}

}  // namespace

std::string blocks_of(const std::string& file) {
  return fs::path(file).replace_extension().string();
}

std::vector<std::string> recovery_files(const std::string& folder) {
  std::vector<std::string> files;
  for (int window = 1; window <= kMostWindows; ++window)
    if (const std::string file = file_of(folder, window); exists(file)) files.push_back(file);
  std::ranges::stable_sort(files, std::ranges::greater(), written_at);
  return files;
}

// The session is kept as text inside, so that its own reader, with its own limits, reads it.
std::string write_recovery(const Recovery& recovery, const std::vector<StoredTensor>& kept) {
  json tensors = json::array();
  for (const StoredTensor& k : kept)
    tensors.push_back({{"part", k.part},
                       {"field", k.field},
                       {"shape", {k.shape.stack, k.shape.rows, k.shape.columns}},
                       {"blocks", k.blocks},
                       {"file", k.origin.file},
                       {"array", k.origin.array},
                       {"digest", k.origin.digest}});
  const json j{{"session", write_session(recovery.document, recovery.look)},
               {"path", recovery.path},
               {"changed", recovery.changed},
               {"name", recovery.name},
               {"size", recovery.mark.size},
               {"content", recovery.mark.content},
               {"tensors", tensors}};
  return j.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

namespace {

std::vector<StoredTensor> read_kept(const json& tensors) {
  std::vector<StoredTensor> kept;
  for (const json& tensor : tensors) {
    const auto shape = tensor.at("shape").get<std::array<std::size_t, 3>>();
    const auto text = [&](const char* key) { return tensor.value(key, std::string()); };
    kept.push_back({tensor.at("part").get<std::string>(),
                    tensor.at("field").get<std::string>(),
                    {shape[0], shape[1], shape[2]},
                    tensor.at("blocks").get<std::vector<std::string>>(),
                    {text("file"), text("array"), text("digest")}});
  }
  return kept;
}

}  // namespace

ReadRecovery read_recovery(std::string_view text) {
  const json j = json::parse(text, nullptr, false);
  ReadRecovery read;
  const auto field = [&](const char* name, auto& value) {
    const auto found = j.is_object() ? j.find(name) : j.end();
    if (found == j.end()) return;
    if (const auto* held = found->template get_ptr<const std::remove_cvref_t<decltype(value)>*>())
      value = *held;
  };
  field("session", read.session);
  field("path", read.path);
  field("changed", read.changed);
  field("name", read.name);
  field("size", read.mark.size);
  field("content", read.mark.content);
  try {
    if (j.is_object() && j.contains("tensors")) read.kept = read_kept(j["tensors"]);
  } catch (const json::exception&) {
    read.session.clear();
  }
  return read;
}

Recovery ReadRecovery::kept_here(const std::string& blocks, const ProgressCallback& progress) const {
  if (session.empty()) throw Error("the file is damaged");
  Recovery recovery{{}, path, changed, name, mark};
  recovery.document = parse_session(session, &recovery.look);
  put_back(blocks, kept, recovery.document, progress);
  check_limits(recovery.document);
  check_document(recovery.document);
  return recovery;
}

Recovery ReadRecovery::from_file(const ProgressCallback& progress) const {
  FileNotes now;
  Document document = open_document(path, progress, {}, &now);
  return {std::move(document), path, false, name, now.mark, now.look};
}

// A file that is as known holds what is kept here, which is sooner read: each stands in for the other.
Recovery ReadRecovery::work(const std::string& blocks, const ProgressCallback& progress) const {
  const bool saved = !changed && !session_path(path).empty();
  const bool as_known = saved && mark_of_file(path) == mark;
  std::optional<Recovery> read;
  try {
    if (saved) read = as_known ? kept_here(blocks, progress) : from_file(progress);
  } catch (const Error&) {
    if (as_known) read = from_file(progress);
  }
  if (read) return std::move(*read);
  // What was saved and cannot be opened from there is here alone.
  read = kept_here(blocks, progress);
  read->changed = changed || !path.empty();
  return std::move(*read);
}

// Nothing when another window holds it. Where there can be no lock (a full disk, a file system without) it is
// taken all the same: better two windows with one place than one without.
std::optional<RecoverySlot> RecoverySlot::take(std::string file) {
  const std::string lock_file = fs::path(file).replace_extension(".lock").string();
  int lock = ::open(lock_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0) lock = ::open(lock_file.c_str(), O_RDONLY | O_CLOEXEC);
  RecoverySlot slot(std::move(file), lock);
  if (lock >= 0 && ::flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return std::nullopt;
  ::chmod(slot.file_.c_str(), 0600);
  return slot;
}

std::vector<RecoverySlot> RecoverySlot::left_in(const std::string& folder) {
  std::vector<RecoverySlot> slots;
  for (std::string& file : recovery_files(folder))
    // One that another window has taken over and let go since it was listed has no file any more.
    if (auto slot = take(std::move(file)); slot && exists(slot->file())) slots.push_back(std::move(*slot));
  return slots;
}

RecoverySlot RecoverySlot::free_in(const std::string& folder) {
  make_private_folder(folder);
  for (int window = 1; window <= kMostWindows; ++window) {
    const std::string file = file_of(folder, window);
    if (exists(file)) continue;  // of another window, or what could not be set aside
    auto slot = take(file);
    if (slot && !exists(file)) return std::move(*slot);
  }
  throw Error(std::to_string(kMostWindows) + " windows are open", Fault::output);
}

RecoverySlot::RecoverySlot(RecoverySlot&& other) noexcept
    : file_(std::move(other.file_)), lock_(std::exchange(other.lock_, -1)) {}

RecoverySlot& RecoverySlot::operator=(RecoverySlot&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(lock_, other.lock_);
  return *this;
}

RecoverySlot::~RecoverySlot() {
  if (lock_ >= 0) ::close(lock_);
}

bool RecoverySlot::gone() const {
  struct stat status {};
  return lock_ >= 0 && ::fstat(lock_, &status) == 0 && status.st_nlink == 0;
}

void RecoverySlot::remove() const {
  std::error_code ignored;
  fs::remove(file_, ignored);
  fs::remove_all(blocks_of(file_), ignored);
}

bool RecoverySlot::computing() const {
  char mark = 0;
  return ::pread(lock_, &mark, 1, 0) == 1 && mark == kComputing;
}

// One that cannot be marked is computed again, as any other.
void RecoverySlot::set_computing(bool computing) const {
  const char mark = computing ? kComputing : kNotComputing;
  if (::pwrite(lock_, &mark, 1, 0) != 1) return;
}

}  // namespace attn
