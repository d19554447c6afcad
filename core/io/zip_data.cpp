// The members' bytes: inflating and checking what is read.
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
  if (crc32_of(bytes) != member.crc) throw Error("its checksum is wrong: the file is damaged");
  return bytes;
}

}  // namespace attn
