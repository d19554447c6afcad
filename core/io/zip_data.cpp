// The members' bytes: inflating and checking what is read, and writing.
#include <zlib.h>

#include <algorithm>
#include <limits>

#include "core/error.h"
#include "core/io/bytes.h"
#include "core/io/zip.h"

namespace attn {
namespace {

struct Inflated {
  std::size_t size = 0;
  bool ended = false;  // the compressed data and its input ended together
};

// Fills `out`, and no more, from raw deflate data.
Inflated inflate_into(Bytes data, std::span<std::byte> out) {
  constexpr std::size_t kLargest = std::numeric_limits<uInt>::max();
  if (data.size() > kLargest || out.size() > kLargest) throw Error("it is larger than 4 GiB");
  z_stream stream{};
  // A negative window size means raw deflate, without zlib's own header.
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw Error("there is not enough memory to unpack it");
  // zlib's pointer is to non-const, but it only reads.
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = inflate(&stream, Z_FINISH);
  const Inflated result{out.size() - stream.avail_out, status == Z_STREAM_END && stream.avail_in == 0};
  inflateEnd(&stream);
  return result;
}

std::uint32_t crc_of(Bytes bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

std::vector<std::byte> zip_start(const ZipMember& member, std::size_t limit) {
  std::vector<std::byte> bytes(std::min(limit, member.size));
  if (member.method == 0)
    std::ranges::copy(member.data.first(bytes.size()), bytes.begin());
  else
    bytes.resize(inflate_into(member.data, bytes).size);
  return bytes;
}

std::vector<std::byte> zip_bytes(const ZipMember& member) {
  std::vector<std::byte> bytes(member.data.begin(),
                               member.method == 0 ? member.data.end() : member.data.begin());
  if (member.method != 0) {
    // One byte more than promised shows data that goes on, without following it there.
    bytes.resize(member.size + 1);
    const Inflated inflated = inflate_into(member.data, bytes);
    if (inflated.size != member.size || !inflated.ended)
      throw Error("its compressed data is damaged: it does not unpack to the " + std::to_string(member.size) +
                  " bytes that the zip file promises");
    bytes.resize(member.size);
  }
  if (crc_of(bytes) != member.crc) throw Error("its checksum is wrong: the file is damaged");
  return bytes;
}

std::vector<std::byte> write_zip(std::span<const std::pair<std::string, std::vector<std::byte>>> members) {
  constexpr std::uint16_t kVersion = 20, kUtf8 = 1 << 11, kStored = 0, kTime = 0, kDate = (1 << 5) | 1;
  std::vector<std::byte> file, directory;
  for (const auto& [name, bytes] : members) {
    const std::size_t offset = file.size();
    if (offset + bytes.size() >= 0xffffffffu)
      throw Error("the arrays need more than the 4 GiB that an .npz file holds: take fewer tokens or heads",
                  Fault::output);
    // What a local header and a directory entry share.
    std::vector<std::byte> common;
    for (const std::uint16_t field : {kVersion, kUtf8, kStored, kTime, kDate}) append_little(common, field);
    append_little(common, crc_of(bytes));
    append_little(common, static_cast<std::uint32_t>(bytes.size()));  // stored
    append_little(common, static_cast<std::uint32_t>(bytes.size()));  // unpacked
    append_little(common, static_cast<std::uint16_t>(name.size()));
    append_little(common, std::uint16_t{0});  // no extra field

    append_little(file, std::uint32_t{0x04034b50});
    append(file, common);
    append(file, name);
    append(file, bytes);

    append_little(directory, std::uint32_t{0x02014b50});
    append_little(directory, kVersion);
    append(directory, common);
    for (int i = 0; i < 3; ++i) append_little(directory, std::uint16_t{0});  // comment, disk, kind of content
    append_little(directory, std::uint32_t{0});                              // attributes
    append_little(directory, static_cast<std::uint32_t>(offset));
    append(directory, name);
  }
  if (members.size() >= 0xffff || file.size() + directory.size() >= 0xffffffffu)
    throw Error("an .npz file holds up to 65,534 arrays and 4 GiB", Fault::output);
  const std::size_t offset = file.size();
  append(file, directory);
  append_little(file, std::uint32_t{0x06054b50});
  append_little(file, std::uint32_t{0});  // disks
  for (int i = 0; i < 2; ++i) append_little(file, static_cast<std::uint16_t>(members.size()));
  append_little(file, static_cast<std::uint32_t>(directory.size()));
  append_little(file, static_cast<std::uint32_t>(offset));
  append_little(file, std::uint16_t{0});  // no comment
  return file;
}

}  // namespace attn
