// The members' bytes: inflating and checking what is read.
#include <algorithm>

#include "core/io/inflate.h"
#include "core/io/zip.h"
#include "core/system/error.h"

namespace attn {
namespace {

// Deflate makes at most 1032 bytes of one.
constexpr std::size_t kMostInflation = 1032;

void check_crc(const ZipMember& member, std::uint32_t crc) {
  if (crc != member.crc) throw Error("its checksum is wrong: the file is damaged");
}

}  // namespace

void check_stored(const ZipMember& member) {
  check_crc(member, crc32_of(member.data));
}

ZipReader::ZipReader(const ZipMember& member) : member_(member) {
  if (member.method == 0) return;
  inflater_ = std::make_unique<Inflater>(member.data, Inflater::Wrap::raw);
}

ZipReader::~ZipReader() = default;

void ZipReader::refuse() const {
  throw Error("its compressed data is damaged: it does not unpack to the " + std::to_string(member_.size) +
              " bytes that the zip file promises");
}

void ZipReader::check_size() const {
  if (inflater_ && member_.size / kMostInflation > member_.data.size()) refuse();
}

std::size_t ZipReader::read(std::span<std::byte> out) {
  out = out.first(std::min(out.size(), member_.size - taken_));
  std::size_t size = out.size();
  if (inflater_)
    size = inflater_->read(out);
  else
    std::ranges::copy(member_.data.subspan(taken_, size), out.begin());
  crc_ = crc32_of(out.first(size), crc_);
  taken_ += size;
  return size;
}

// Data that goes on is not followed.
void ZipReader::finish() {
  std::byte more{};
  if (taken_ != member_.size) refuse();
  if (inflater_ && (inflater_->read({&more, 1}) != 0 || !inflater_->exhausted())) refuse();
  check_crc(member_, crc_);
}

}  // namespace attn
