// The folder and its lock (flock). Nobody waits for the lock alone: a program that cannot have it at once
// works in a temporary folder, which costs it compiling and others nothing.
#include "core/opencl/cache.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "core/system/disk_space.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn::opencl {
namespace {

namespace fs = std::filesystem;

// How long another program may test devices before we stop waiting for its verdicts: more than a test takes
// that compiles everything, or one that hangs at once (Surroundings::limit).
constexpr int kPatienceMilliseconds = 25'000, kStepMilliseconds = 25;

constexpr const char* kBusy = "another program has been testing devices for too long";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Without this PoCL's folder gains an empty file at every start. Young ones may be another program's work.
void sweep(const fs::path& folder) {
  std::error_code error;
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::minutes(10);
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone;
    if (is_leftover(it->path().filename()) && fs::last_write_time(it->path(), gone) < long_ago)
      fs::remove(it->path(), gone);
  }
}

// Temporary folders, with letters of mkdtemp's in the place of the Xs. Their lock is held alone for as long
// as they are used.
constexpr std::string_view kTemporary = "attention-lab-XXXXXX", kBeforeLetters = "attention-lab-";
constexpr const char* kLock = "lock";

// Those of programs that were killed: nobody holds the lock. What has none is another's.
void sweep_temporary(const fs::path& root) {
  std::error_code error;
  for (fs::directory_iterator it(root, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename();
    std::error_code gone;
    if (name.size() != kTemporary.size() || !name.starts_with(kBeforeLetters) || it->is_symlink(gone))
      continue;
    const int lock = open((it->path() / kLock).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (lock < 0) continue;
    if (flock(lock, LOCK_EX | LOCK_NB) == 0) fs::remove_all(it->path(), gone);
    close(lock);
  }
}

// The lock of a new temporary folder; −1 where there are no file handles left for one: then it is not swept
// up either. False where another program swept it up before it was locked.
bool lock_temporary(const fs::path& folder, int& lock) {
  lock = open((folder / kLock).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  std::error_code gone;
  if (lock < 0 || (flock(lock, LOCK_EX | LOCK_NB) == 0 && fs::exists(folder / kLock, gone))) return true;
  close(std::exchange(lock, -1));
  return false;
}

std::string cannot_be_written(const fs::path& folder, const std::string& why) {
  return "the cache folder " + folder.string() + " cannot be written (" + why + ")";
}

}  // namespace

Surroundings read_surroundings() {
  Surroundings s;
  const fs::path home = variable("HOME"), temporary = variable("TMPDIR");
  // The XDG rules: a relative path is to be ignored.
  if (const fs::path cache = variable("XDG_CACHE_HOME"); cache.is_absolute())
    s.cache_home = cache;
  else if (home.is_absolute())
    s.cache_home = home / ".cache";
  s.temporary = temporary.empty() ? "/tmp" : temporary;
  s.vendors = variable("OCL_ICD_VENDORS");
  s.probe = variable("ATTENTION_LAB_PROBE");
  // Whatever the program is called, and whichever lies in its folder: the one that runs.
  if (s.probe.empty()) s.probe = "/proc/self/exe";
  return s;
}

Cache::Cache(const Surroundings& surroundings, std::vector<std::string>& notes)
    : temporary_root_(surroundings.temporary) {
  if (surroundings.cache_home.empty()) {
    use_temporary(notes, "neither XDG_CACHE_HOME nor HOME is set");
    return;
  }
  folder_ = surroundings.cache_home / "attention-lab";
  std::error_code error, ignored;
  fs::create_directories(kernels(), error);
  // By the XDG rules the owner's alone: what is in it is run. Older versions made it for all to read.
  if (!error)
    fs::permissions(folder_, fs::perms::group_all | fs::perms::others_all, fs::perm_options::remove, ignored);
  if (error || !open_lock())
    use_temporary(notes, cannot_be_written(folder_, error ? error.message() : std::strerror(errno)));
  else if (!lock_shared())
    use_temporary(notes, kBusy);
  else
    sweep(kernels());
}

Cache::Cache(const fs::path& temporary_root) : temporary_root_(temporary_root) {
  make_temporary("devices are tested in a temporary folder");
}

Cache::~Cache() {
  try {
    list_new();
  } catch (const std::exception&) {  // then they are compiled again
  }
  if (lock_ >= 0) close(lock_);
  std::error_code ignored;
  if (temporary_) fs::remove_all(folder_, ignored);
}

bool Cache::open_lock() {
  // PoCL finds no device when it cannot write, so it is asked of the very folder.
  if (access(kernels().c_str(), R_OK | W_OK | X_OK) != 0) return false;
  // Closed in children: the lock belongs to the open file, and a child that outlives us would hold it on.
  lock_ = open((folder_ / kLock).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  return lock_ >= 0;
}

bool Cache::lock_shared() {
  for (int waited = 0; flock(lock_, LOCK_SH | LOCK_NB) != 0; waited += kStepMilliseconds) {
    if (waited >= kPatienceMilliseconds) return false;
    poll(nullptr, 0, kStepMilliseconds);
  }
  return true;
}

bool Cache::lock_alone() {
  return flock(lock_, LOCK_EX | LOCK_NB) == 0;
}

void Cache::use_temporary(std::vector<std::string>& notes, const std::string& why) {
  make_temporary(why);
  notes.push_back(why + ": kernels are compiled into a temporary folder, and again at the next start");
}

void Cache::make_temporary(const std::string& why) {
  if (lock_ >= 0) close(lock_);
  lock_ = -1;
  sweep_temporary(temporary_root_);
  std::string name;
  do {
    name = (temporary_root_ / kTemporary).string();
    if (mkdtemp(name.data()) == nullptr)
      throw Error(why + ", and no temporary folder can be made in " + temporary_root_.string() + " (" +
                      std::strerror(errno) + "): set TMPDIR to a folder that can be written",
                  Fault::device);
  } while (!lock_temporary(name, lock_));
  folder_ = name;
  temporary_ = true;
  sound_ = false;
  std::error_code ignored;
  fs::create_directories(kernels(), ignored);
}

std::optional<Ledger> Cache::read(std::string& problem) const {
  std::error_code error;
  if (!fs::exists(ledger_file(), error)) return std::nullopt;
  try {
    const auto bytes = read_file(ledger_file().string());
    return parse_ledger({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, problem);
  } catch (const Error& failure) {
    problem = failure.what();
    return std::nullopt;
  }
}

std::optional<Ledger> Cache::check(std::string& problem, bool& unlisted) {
  std::optional<Ledger> ledger = read(problem);
  sound_ = false;
  if (!ledger) return std::nullopt;
  const auto files = list_files(kernels());
  sound_ = std::ranges::includes(files, ledger->files);
  unlisted = sound_ && files.size() > ledger->files.size();
  if (sound_) return ledger;
  problem = "PoCL's cache of compiled kernels has changed since the devices were tested";
  // Devices are tested again to fill it; who hung would only hang again.
  std::erase_if(ledger->verdicts, [](const Verdict& v) { return v.ending != Ending::hung; });
  return ledger;
}

std::optional<Ledger> Cache::known(std::string& problem) {
  bool unlisted = false;
  std::optional<Ledger> ledger = check(problem, unlisted);
  if (!unlisted || temporary_) return ledger;
  remove_unlisted();
  return check(problem, unlisted);
}

// When it cannot be done alone, another program is running: what that compiled it renamed into place whole,
// and no power cut came since. The ledger is read again, since without a lock for a moment it may have
// changed.
void Cache::remove_unlisted() {
  if (alone_ || lock_alone()) {
    std::string problem;
    bool unlisted = false;
    const std::optional<Ledger> ledger = check(problem, unlisted);
    std::error_code ignored;
    if (unlisted)
      for (const auto& [path, content] : list_files(kernels()))
        if (!ledger->files.contains(path)) fs::remove(kernels() / path, ignored);
  }
  if (!alone_ && !lock_shared()) make_temporary(kBusy);
}

void Cache::claim(std::vector<std::string>& notes) {
  sound_ = false;
  if (temporary_) return;
  // flock gives the shared lock up before it takes the other. Of two programs that want to change the cache
  // one is refused and leaves the folder; whatever changed in between, survey() reads the ledger again.
  if (!lock_alone())
    use_temporary(notes, "the cache needs repair or new kernels, and another program is using it");
  else if (const int error = room_error(kernels(), kRoom); error == 0)
    alone_ = true;
  else
    use_temporary(notes, is_want_of_room(error)
                             ? "there is no room left in the cache folder " + folder_.string()
                             : cannot_be_written(folder_, std::strerror(error)));
}

void Cache::clear() {
  std::error_code ignored;
  fs::remove_all(kernels(), ignored);
  fs::create_directories(kernels(), ignored);
}

void Cache::save(Ledger ledger, std::vector<std::string>& notes) {
  if (temporary_) return;
  ledger.files = list_files(kernels());
  write(ledger, notes);
  sound_ = true;
  alone_ = false;
  // Instead of alone: the changes are made, others may start. One that changes it all again and again has
  // taken the folder from us.
  if (!lock_shared()) use_temporary(notes, kBusy);
}

void Cache::replace_answers(const Ledger& answers, std::vector<std::string>& notes) {
  std::string ignored;
  Ledger ledger = answers;
  if (const std::optional<Ledger> before = read(ignored)) ledger.files = before->files;
  if (!temporary_) write(ledger, notes);
}

void Cache::write(const Ledger& ledger, std::vector<std::string>& notes) const {
  try {
    write_file(ledger_file().string(), to_text(ledger));
  } catch (const Error& error) {
    notes.push_back(std::string("the verdicts on devices are not kept: ") + error.what());
  }
}

// Kernels for sizes that no test uses: loaded once, they are as good as the others. Another program that does
// the same at the same moment makes one of them forget its own, which the next start removes.
void Cache::list_new() {
  if (temporary_ || !sound_) return;
  std::string ignored;
  std::vector<std::string> notes;
  std::optional<Ledger> ledger = read(ignored);
  if (!ledger) return;
  const std::size_t before = ledger->files.size();
  ledger->files.merge(list_files(kernels()));
  if (ledger->files.size() > before) write(*ledger, notes);
}

}  // namespace attn::opencl
