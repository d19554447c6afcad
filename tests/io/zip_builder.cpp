// Records written field by field after APPNOTE 4.3, without a line of core/io/zip_write.cpp.
#include "tests/io/zip_builder.h"

#include <doctest/doctest.h>
#include <zlib.h>

#include "core/text/bytes.h"

namespace attn::tests {
namespace {

std::uint32_t checksum(const std::vector<std::byte>& bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

void zeros(std::vector<std::byte>& bytes, std::size_t count) {
  bytes.resize(bytes.size() + count);
}

void append_entry(std::vector<std::byte>& directory, const FakeMember& member, std::uint64_t true_offset) {
  const std::uint64_t offset = member.offset.value_or(true_offset);
  const std::uint64_t stored_size = member.stored_size.value_or(member.data.size());
  std::vector<std::byte> extra;
  if (member.zip64) {
    append_little(extra, std::uint16_t{0x5455});  // somebody else's field comes first
    append_little(extra, std::uint16_t{1});
    extra.push_back(std::byte{7});
    append_little(extra, std::uint16_t{1});
    append_little(extra, std::uint16_t{24});
    for (const std::uint64_t number : {member.size, stored_size, offset}) append_little(extra, number);
  }
  const auto shown = [&](std::uint64_t number) {
    return member.zip64 ? 0xffffffffu : static_cast<std::uint32_t>(number);
  };
  append_little(directory, std::uint32_t{0x02014b50});
  append_little(directory, std::uint16_t{45});
  append_little(directory, std::uint16_t{45});
  append_little(directory, member.flags);
  append_little(directory, member.method);
  zeros(directory, 4);  // time and date
  append_little(directory, member.crc);
  append_little(directory, shown(stored_size));
  append_little(directory, shown(member.size));
  append_little(directory, static_cast<std::uint16_t>(member.name.size()));
  append_little(directory, static_cast<std::uint16_t>(extra.size()));
  zeros(directory, 10);  // comment, disk, attributes
  append_little(directory, shown(offset));
  append(directory, member.name);
  append(directory, extra);
}

}  // namespace

std::vector<std::byte> deflate(const std::vector<std::byte>& bytes) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::vector<std::byte> packed(deflateBound(&stream, static_cast<uLong>(bytes.size())));
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  REQUIRE(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

FakeMember stored(std::string name, std::vector<std::byte> bytes) {
  FakeMember member;
  member.name = std::move(name);
  member.crc = checksum(bytes);
  member.size = bytes.size();
  member.data = std::move(bytes);
  return member;
}

FakeMember deflated(std::string name, const std::vector<std::byte>& bytes) {
  FakeMember member = stored(std::move(name), bytes);
  member.method = Z_DEFLATED;
  member.data = deflate(bytes);
  return member;
}

std::vector<std::byte> local_part(const FakeMember& member) {
  std::vector<std::byte> bytes;
  append_little(bytes, std::uint32_t{0x04034b50});
  append_little(bytes, std::uint16_t{20});
  append_little(bytes, member.flags);
  append_little(bytes, member.method);
  zeros(bytes, 16);  // time, date, checksum and sizes: only the directory's count
  append_little(bytes, static_cast<std::uint16_t>(member.name.size()));
  append_little(bytes, std::uint16_t{0});
  append(bytes, member.name);
  append(bytes, member.data);
  return bytes;
}

std::vector<std::byte> build(const FakeZip& zip) {
  std::vector<std::byte> file, directory;
  for (const FakeMember& member : zip.members) {
    append_entry(directory, member, file.size());
    append(file, local_part(member));
  }
  const std::uint64_t offset = file.size(), size = directory.size(), count = zip.members.size();
  append(file, directory);
  if (zip.zip64_end) {
    const std::uint64_t record = file.size();
    append_little(file, std::uint32_t{0x06064b50});
    append_little(file, std::uint64_t{44});
    zeros(file, 12);  // versions and disks
    for (const std::uint64_t number : {count, count, size, offset}) append_little(file, number);
    append_little(file, std::uint32_t{0x07064b50});
    zeros(file, 4);
    append_little(file, record);
    append_little(file, std::uint32_t{1});
  }
  append_little(file, std::uint32_t{0x06054b50});
  zeros(file, 4);
  for (int i = 0; i < 2; ++i) append_little(file, static_cast<std::uint16_t>(zip.zip64_end ? 0xffff : count));
  append_little(file, static_cast<std::uint32_t>(zip.zip64_end ? 0xffffffff : size));
  append_little(file, static_cast<std::uint32_t>(zip.zip64_end ? 0xffffffff : offset));
  append_little(file, static_cast<std::uint16_t>(zip.comment.size()));
  append(file, zip.comment);
  return file;
}

}  // namespace attn::tests
