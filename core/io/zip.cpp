// Read from its end, as the format wants: end record, zip64 record, central directory, local headers. Every
// offset and size is held against the file before it is used. Numbers of sections are those of APPNOTE.
#include "core/io/zip.h"

#include <zlib.h>

#include <algorithm>

#include "core/system/error.h"
#include "core/text/bytes.h"

namespace attn {
namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50, kDirectoryEntry = 0x02014b50, kEndOfDirectory = 0x06054b50,
                        kZip64End = 0x06064b50, kZip64Locator = 0x07064b50;
constexpr std::size_t kEndSize = 22, kZip64EndSize = 56, kLocatorSize = 20;
constexpr std::uint32_t kSee64 = 0xffffffff;  // "the number is in the zip64 record"
constexpr std::uint16_t kSee64Short = 0xffff;

[[noreturn]] void damaged(const std::string& what) {
  throw Error("the zip file is damaged: " + what);
}

struct Directory {
  std::uint64_t offset = 0, size = 0, entries = 0;
  std::size_t end = 0;  // where the end records start: everything else lies before
};

// The end record (4.3.16) is the last thing in the file but for a comment of up to 65,535 bytes. The comment
// may hold the record's mark too: only one whose comment ends with the file is taken.
std::size_t find_end_record(Bytes file) {
  if (file.size() >= kEndSize) {
    const std::size_t first = file.size() - std::min<std::size_t>(file.size(), kEndSize + 0xffff);
    for (std::size_t at = file.size() - kEndSize + 1; at-- > first;)
      if (load_little<std::uint32_t>(file, at) == kEndOfDirectory &&
          at + kEndSize + load_little<std::uint16_t>(file, at + 20) == file.size())
        return at;
  }
  throw Error("it is not a zip file, or its end is missing: no central directory was found");
}

// NumPy and others write zip64 records into tiny files too. The locator (4.3.15) stands right before the end
// record and says where the zip64 record (4.3.14) is.
void read_zip64_end(Bytes file, std::size_t end, Directory& directory) {
  if (end < kLocatorSize || load_little<std::uint32_t>(file, end - kLocatorSize) != kZip64Locator)
    damaged("its zip64 record is missing");
  const auto at = load_little<std::uint64_t>(file, end - kLocatorSize + 8);
  if (at > end - kLocatorSize || end - kLocatorSize - at < kZip64EndSize ||
      load_little<std::uint32_t>(file, at) != kZip64End)
    damaged("its zip64 record is missing");
  directory = {.offset = load_little<std::uint64_t>(file, at + 48),
               .size = load_little<std::uint64_t>(file, at + 40),
               .entries = load_little<std::uint64_t>(file, at + 32),
               .end = static_cast<std::size_t>(at)};
}

Directory find_directory(Bytes file) {
  const std::size_t end = find_end_record(file);
  if (load_little<std::uint16_t>(file, end + 4) != 0 || load_little<std::uint16_t>(file, end + 6) != 0)
    throw Error("the zip file is one part of several: join them first");
  Directory directory{.offset = load_little<std::uint32_t>(file, end + 16),
                      .size = load_little<std::uint32_t>(file, end + 12),
                      .entries = load_little<std::uint16_t>(file, end + 10),
                      .end = end};
  if (directory.offset == kSee64 || directory.size == kSee64 || directory.entries == kSee64Short)
    read_zip64_end(file, end, directory);
  if (directory.offset > directory.end || directory.size > directory.end - directory.offset)
    damaged("its central directory, " + std::to_string(directory.size) + " bytes from byte " +
            std::to_string(directory.offset) + " on, lies outside");
  // Before anything is allocated for so many.
  if (directory.entries > directory.size / kZipEntrySize)
    damaged("its central directory is too short for " + std::to_string(directory.entries) + " members");
  return directory;
}

struct Entry {
  ZipMember member;
  std::uint64_t stored_size = 0, offset = 0;
  std::size_t data_end = 0;
};

// The extra field 1 (4.5.3) holds, in this order, only those numbers that did not fit. One that it lacks
// stays as large as it is, and is refused as lying outside the file.
void read_zip64_extra(Bytes extra, std::uint64_t& size, Entry& entry) {
  for (std::size_t at = 0; at + 4 <= extra.size();) {
    const auto id = load_little<std::uint16_t>(extra, at);
    const std::size_t length = load_little<std::uint16_t>(extra, at + 2);
    at += 4;
    if (length > extra.size() - at) break;
    if (id == 1) {
      Bytes field = extra.subspan(at, length);
      for (std::uint64_t* number : {&size, &entry.stored_size, &entry.offset}) {
        if (*number != kSee64) continue;
        if (field.size() < 8) break;
        *number = load_little<std::uint64_t>(field, 0);
        field = field.subspan(8);
      }
      return;
    }
    at += length;
  }
}

// Reads the entry (4.3.12) at `at` of the directory and moves `at` behind it.
Entry read_entry(Bytes directory, std::size_t& at, std::uint64_t index) {
  if (directory.size() - at < kZipEntrySize || load_little<std::uint32_t>(directory, at) != kDirectoryEntry)
    damaged("member " + std::to_string(index) + " is missing at byte " + std::to_string(at) +
            " of its central directory");
  const std::size_t name_size = load_little<std::uint16_t>(directory, at + 28),
                    extra_size = load_little<std::uint16_t>(directory, at + 30),
                    comment_size = load_little<std::uint16_t>(directory, at + 32);
  const std::size_t rest = directory.size() - at - kZipEntrySize;
  if (name_size + extra_size + comment_size > rest)
    damaged("member " + std::to_string(index) + " is cut off at byte " + std::to_string(at) +
            " of its central directory");

  Entry entry;
  entry.member.name = as_text(directory.subspan(at + kZipEntrySize, name_size));
  entry.member.method = load_little<std::uint16_t>(directory, at + 10);
  entry.member.crc = load_little<std::uint32_t>(directory, at + 16);
  entry.stored_size = load_little<std::uint32_t>(directory, at + 20);
  std::uint64_t size = load_little<std::uint32_t>(directory, at + 24);
  entry.offset = load_little<std::uint32_t>(directory, at + 42);
  read_zip64_extra(directory.subspan(at + kZipEntrySize + name_size, extra_size), size, entry);
  entry.member.size = size;

  const std::string name = in_quotes(entry.member.name);
  if ((load_little<std::uint16_t>(directory, at + 8) & 1) != 0)
    throw Error("the member " + name + " is encrypted: save it without a password");
  if (entry.member.method != 0 && entry.member.method != Z_DEFLATED)
    throw Error("the member " + name + " is packed with method " + std::to_string(entry.member.method) +
                ": only stored and deflated members are read");
  if (entry.member.method == 0 && entry.stored_size != size)
    damaged("the stored member " + name + " has two sizes");
  at += kZipEntrySize + name_size + extra_size + comment_size;
  return entry;
}

// Finds the data behind the local header (4.3.7), whose own sizes may be zero or wrong. Its name must be the
// directory's: other readers go by one, other writers by the other.
void locate(Bytes before_directory, Entry& entry) {
  const std::string name = in_quotes(entry.member.name);
  if (entry.offset > before_directory.size() || before_directory.size() - entry.offset < kZipLocalSize ||
      load_little<std::uint32_t>(before_directory, entry.offset) != kLocalHeader)
    damaged("the member " + name + " is not where the directory says");
  const Bytes rest = before_directory.subspan(entry.offset);
  const std::size_t name_size = load_little<std::uint16_t>(rest, 26);
  const std::size_t start = kZipLocalSize + name_size + load_little<std::uint16_t>(rest, 28);
  if (start > rest.size() || entry.stored_size > rest.size() - start)
    damaged("the member " + name + " is cut off");
  if (as_text(rest.subspan(kZipLocalSize, name_size)) != entry.member.name)
    damaged("the member " + name + " has two names");
  entry.member.data = rest.subspan(start, entry.stored_size);
  entry.data_end = entry.offset + start + entry.stored_size;
}

// A few bytes that serve as many members would multiply what a small file unpacks to.
void check_overlap(std::span<const Entry> entries) {
  std::vector<const Entry*> by_offset;
  for (const Entry& entry : entries) by_offset.push_back(&entry);
  std::ranges::sort(by_offset, {}, &Entry::offset);
  for (std::size_t i = 1; i < by_offset.size(); ++i)
    if (by_offset[i]->offset < by_offset[i - 1]->data_end)
      throw Error("the members " + in_quotes(by_offset[i - 1]->member.name) + " and " +
                  in_quotes(by_offset[i]->member.name) +
                  " of the zip file overlap: no honest file does that");
}

}  // namespace

std::vector<ZipMember> zip_members(Bytes file) {
  const Directory found = find_directory(file);
  const Bytes directory = file.subspan(found.offset, found.size);
  std::vector<Entry> entries;
  entries.reserve(found.entries);
  std::size_t at = 0;
  for (std::uint64_t i = 0; i < found.entries; ++i) entries.push_back(read_entry(directory, at, i));
  if (at != directory.size())
    damaged("its central directory holds more than its " + std::to_string(found.entries) + " members");
  for (Entry& entry : entries) locate(file.first(found.offset), entry);
  check_overlap(entries);
  std::vector<ZipMember> members;
  members.reserve(entries.size());
  for (Entry& entry : entries) members.push_back(std::move(entry.member));
  return members;
}

}  // namespace attn
