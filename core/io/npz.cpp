// Archives of arrays, read member by member and written array by array.
#include "core/io/npz.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/document/limits.h"
#include "core/io/zip.h"
#include "core/system/error.h"
#include "core/text/bytes.h"

namespace attn {
namespace {

constexpr std::string_view kExtension = ".npy";

// The header is read before anything is unpacked behind it: a member may not be longer than its array.
template <class T>
BasicArray<T> read_member(const ZipMember& member, std::size_t& numbers_left, NumberAs as) {
  ZipReader reader(member);
  std::vector<std::byte> start(std::min(kMaximumNpyHeader, member.size));
  start.resize(reader.read(start));
  const NpyHeader header = parse_npy_header(start);
  if (header.file_size() != member.size)
    throw Error("its header promises " + std::to_string(header.file_size()) + " bytes, but the zip file " +
                std::to_string(member.size));
  if (header.count > numbers_left)
    throw Error("the arrays hold more than the " + std::to_string(limits::kMostNumbers) +
                " numbers that are read");
  numbers_left -= header.count;
  reader.check_size();
  Bytes first = Bytes(start).subspan(header.data_offset);
  const auto more = [&](std::span<std::byte> piece) {
    const std::size_t known = std::min(first.size(), piece.size());
    std::ranges::copy(first.first(known), piece.begin());
    first = first.subspan(known);
    const std::span<std::byte> rest = piece.subspan(known);
    if (reader.read(rest) < rest.size()) reader.finish();  // says why there is no more
  };
  BasicArray<T> array = read_npy<T>(header, more, as);
  reader.finish();
  return array;
}

}  // namespace

template <class T>
std::map<std::string, BasicArray<T>> parse_npz(Bytes bytes, std::string_view truth) {
  std::map<std::string, BasicArray<T>> arrays;
  std::size_t numbers_left = limits::kMostNumbers;
  for (const ZipMember& member : zip_members(bytes)) {
    if (!member.name.ends_with(kExtension))
      throw Error("the member " + in_quotes(member.name) +
                  " of the zip file is not an array: its name does not end in .npy");
    const std::string name = member.name.substr(0, member.name.size() - kExtension.size());
    if (arrays.contains(name)) throw Error("there are two arrays named " + in_quotes(name));
    try {
      const NumberAs as = name == truth ? NumberAs::truth : NumberAs::rounded;
      arrays.emplace(name, read_member<T>(member, numbers_left, as));
    } catch (const Error& error) {
      throw Error("the array " + in_quotes(name) + ": " + error.what());
    }
  }
  return arrays;
}
template std::map<std::string, Array> parse_npz<float>(Bytes, std::string_view);
template std::map<std::string, Array64> parse_npz<double>(Bytes, std::string_view);

void NpzWriter::add(const std::string& name, std::span<const std::size_t> shape,
                    std::span<const std::span<const float>> pieces) {
  const std::vector<std::byte> header = npy_header(shape);
  std::vector<Bytes> bytes{header};
  std::vector<std::vector<std::byte>> swapped;  // of machines that store floats the other way round
  swapped.reserve(pieces.size());               // `bytes` looks into them: they must not move
  for (const std::span<const float> piece : pieces) {
    if constexpr (std::endian::native == std::endian::little) {
      bytes.push_back(std::as_bytes(piece));
    } else {
      swapped.emplace_back();
      for (const float value : piece) append_little(swapped.back(), std::bit_cast<std::uint32_t>(value));
      bytes.push_back(swapped.back());
    }
  }
  zip_.add(name + std::string(kExtension), bytes);
}

std::uint64_t NpzWriter::array_size(const std::string& name, std::span<const std::size_t> shape) {
  std::uint64_t content = sizeof(float);
  for (const std::size_t size : shape) content *= size;
  return ZipWriter::member_size(name + std::string(kExtension), content + npy_header(shape).size());
}

std::vector<std::byte> write_npz(
    std::span<const std::pair<std::string, std::vector<std::byte>>> npy_members) {
  std::vector<std::byte> file;
  ZipWriter zip([&](Bytes bytes) { append(file, bytes); });
  for (const auto& [name, npy] : npy_members) zip.add(name + std::string(kExtension), std::array{Bytes(npy)});
  zip.finish();
  return file;
}

}  // namespace attn
