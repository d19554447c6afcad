// The open work, and what its place is taken from: recoveries of this and other windows, and sessions that
// were set aside. Nothing is removed before it lies elsewhere, and nothing is overwritten that was not read.
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <new>

#include "app/program/store_place.h"
#include "core/io/session.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUnsaved = "unsaved";  // the folder of what was set aside
constexpr std::size_t kLongestName = 200;    // bytes, of the 255 that file systems allow

std::string text_of(const std::string& file) {
  const auto bytes = read_file(file);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool holds(const std::string& file, const std::string& text) {
  std::error_code unknown;
  if (fs::file_size(file, unknown) != text.size()) return false;  // it is not read for nothing
  try {
    return text_of(file) == text;
  } catch (const Error&) {
    return false;
  }
}

// "mine, unsaved 2024-02-29 13.45.10": of the moment it was set aside, in local time.
std::string name_of_set_aside(const std::string& path, const char* what) {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  char when[32];
  std::strftime(when, sizeof when, "%Y-%m-%d %H.%M.%S", &local);
  std::string stem = path.empty() ? "untitled" : fs::path(path).stem().string();
  if (stem.size() > kLongestName) {
    std::size_t end = kLongestName;
    while (end > 0 && (static_cast<unsigned char>(stem[end]) & 0xc0) == 0x80) --end;  // no half a character
    stem.resize(end);
  }
  return stem + ", " + what + " " + when;
}

}  // namespace

std::string Store::free_file_aside(const std::string& name) const {
  const std::string begin = std::string(kUnsaved) + "/" + name;
  std::string file = begin + ".json";
  std::error_code unknown;
  for (int i = 2; fs::exists(fs::path(state_) / file, unknown); ++i)
    file = begin + " " + std::to_string(i) + ".json";
  return file;
}

bool Store::set_aside(const Recovery& work) {
  if (!work.changed || state_.empty()) return false;
  const std::string text = write_session(work.document);
  const std::vector<std::string> recent = recent_files();
  const auto kept = std::ranges::find_if(
      recent, [&](const std::string& file) { return was_set_aside(file) && holds(file, text); });
  if (kept != recent.end()) {
    add_recent_file(*kept);
    return true;
  }
  const std::string file = free_file_aside(name_of_set_aside(work.path, "unsaved"));
  if (!write_state(file, text)) return false;
  add_recent_file((fs::path(state_) / file).string());
  return true;
}

bool Store::was_set_aside(const std::string& path) const {
  return !state_.empty() && fs::path(path).parent_path() == fs::path(state_) / kUnsaved;
}

// Work that another has the place of.
void Store::keep(const RecoverySlot& slot, const Recovery& work, RecoveredWork& recovered) {
  if (work.changed && !set_aside(work)) {
    recovered.notes.push_back("unsaved work of last time stays in " + slot.file() + ": " + note_);
    recovered.trouble = true;
    return;
  }
  if (work.changed) recovered.notes.push_back("unsaved work of last time is among the recent files");
  slot.remove();
}

// Its session, as text that can be mended; else the file as it is: moving needs no room on the disk. Never
// among the recent files, which come and go.
void Store::keep_unreadable(const RecoverySlot& slot, const ReadRecovery& read, const std::string& why,
                            RecoveredWork& recovered) {
  const std::string file = free_file_aside(name_of_set_aside(read.path, "unreadable"));
  std::string kept = (fs::path(state_) / file).string();
  std::error_code failed;
  const std::string blocks = blocks_of(slot.file());
  if (!read.session.empty() && read.kept.empty() && write_state(file, read.session)) {
    fs::remove(slot.file(), failed);
  } else {
    fs::create_directory(fs::path(kept).parent_path(), failed);
    fs::rename(slot.file(), kept, failed);
    if (failed)
      kept = slot.file();
    else
      fs::rename(blocks, blocks_of(kept), failed);
  }
  recovered.notes.push_back("the work of last time cannot be opened (" + why + "); it is kept in " + kept);
  recovered.trouble = true;
}

std::string RecoveredWork::said() const {
  std::string said;
  for (const std::string& note : notes) said += (said.empty() ? "" : "; ") + note;
  return said;
}

RecoveredWork Store::take_recovered_work(bool open, const ProgressCallback& progress) {
  RecoveredWork recovered;
  if (state_.empty()) return recovered;
  std::vector<RecoverySlot> slots = RecoverySlot::left_in(state_);
  if (const auto own = place_->held())  // where there are no locks
    std::erase_if(slots, [&](const RecoverySlot& slot) { return slot.file() == own->file(); });
  bool given_up = false;
  for (std::size_t i = 0; i < slots.size() && !given_up; ++i) {
    RecoverySlot& slot = slots[i];
    const auto watched = [&](double done) {
      done = (static_cast<double>(i) + done) / static_cast<double>(slots.size());
      return given_up = given_up || (progress && progress(done));
    };
    ReadRecovery read;
    try {
      read = read_recovery(text_of(slot.file()));
      Recovery work = read.work(blocks_of(slot.file()), watched);
      go_on(watched, 1);
      if (!open || recovered.work) {
        keep(slot, work, recovered);
        continue;
      }
      recovered.work = std::move(work);
      recovered.computing = slot.computing();
      recovered.slot = std::make_shared<const RecoverySlot>(std::move(slot));
    } catch (const std::bad_alloc&) {
      keep_unreadable(slot, read, "not enough memory", recovered);
    } catch (const Error& error) {
      if (!watched(1)) keep_unreadable(slot, read, error.what(), recovered);
    }
  }
  return recovered;
}

// Of saved work the file that was saved is read as well, or instead.
bool Store::left_more_than(std::uintmax_t most) const {
  std::uintmax_t size = 0;
  const auto add = [&](const fs::path& file) {
    std::error_code none;
    const std::uintmax_t bytes = fs::file_size(file, none);
    if (!none) size += bytes;
  };
  for (const std::string& file : state_.empty() ? std::vector<std::string>() : recovery_files(state_)) {
    add(file);
    std::error_code failed;
    for (fs::directory_iterator it(blocks_of(file), failed); !failed && it != fs::directory_iterator();
         it.increment(failed))
      add(it->path());
    if (size > most) return true;
    try {
      add(read_recovery(text_of(file)).path);
    } catch (const Error&) {  // that is told when it is read
    }
  }
  return size > most;
}

std::shared_ptr<const RecoverySlot> Store::take_over(const RecoveredWork& recovered) {
  return place_->take(recovered.slot);
}

std::optional<Recovery> Store::load_recovery() const {
  if (state_.empty()) return std::nullopt;
  for (const std::string& file : recovery_files(state_)) {
    // Its window may write a newer one meanwhile, and drop what only the older one names.
    for (int attempt = 0; attempt < 2; ++attempt) {
      try {
        return read_recovery(text_of(file)).work(blocks_of(file));
      } catch (const Error&) {
      }
    }
  }
  return std::nullopt;
}

void Store::save_recovery(const Recovery& recovery) {
  if (state_.empty()) return;
  try {
    const auto slot = place_->slot(state_);
    BlockFolder& blocks = place_->blocks(*slot);
    Recovery rest = recovery;
    const std::vector<StoredTensor> kept = blocks.take_out(rest.document);
    write_file(slot->file(), write_recovery(rest, kept), Readers::owner);
    blocks.drop_others();
    note_.clear();
  } catch (const Error& error) {
    note_ = error.what();
  } catch (const std::bad_alloc&) {
    note_ = "not enough memory";
  }
}

void Store::set_computing(bool computing) {
  place_->set_computing(computing);
}

}  // namespace attn
