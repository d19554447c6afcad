// Archives of arrays, read member by member and written array by array.
#include "core/io/npz.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/document/limits.h"
#include "core/io/zip.h"
#include "core/system/content_hash.h"
#include "core/system/error.h"
#include "core/text/bytes.h"

namespace attn {
namespace {

constexpr std::string_view kExtension = ".npy";

// Where a member's numbers lie, if that is in one piece and they can stay there.
template <class T>
std::optional<std::span<const T>> in_place(const ZipMember& member, const NpyHeader& header, NumberAs as,
                                           const ArraySource& source) {
  if (!source.keeper || member.method != 0 || as != NumberAs::rounded) return std::nullopt;
  return numbers_in_place<T>(header, member.data.subspan(header.data_offset));
}

// The header is read before anything is unpacked behind it: a member may not be longer than its array.
template <class T>
BasicArray<T> read_member(const ZipMember& member, std::size_t& numbers_left, NumberAs as,
                          const ArraySource& source) {
  ZipReader reader(member);
  std::vector<std::byte> start(std::min(kMaximumNpyHeader, member.size));
  start.resize(reader.read(start));
  if (start.empty() && member.size > 0) reader.finish();  // says why there is nothing
  const NpyHeader header = parse_npy_header(start);
  if (header.file_size() != member.size)
    throw Error("its header promises " + std::to_string(header.file_size()) + " bytes, but the zip file " +
                std::to_string(member.size));
  if (header.count > numbers_left)
    throw Error("the arrays hold more than the " + std::to_string(limits::kMostNumbers) +
                " numbers that are read");
  numbers_left -= header.count;
  reader.check_size();
  if (const auto numbers = in_place<T>(member, header, as, source)) {
    check_stored(member);
    return {.shape = header.shape, .values = {}, .mapped = *numbers, .keeper = source.keeper};
  }
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

void name_origin(Array& array, const std::string& name, const ArraySource& source) {
  array.origin = std::make_shared<const TensorOrigin>(
      TensorOrigin{source.path, name, content_hash(std::as_bytes(array.numbers()))});
}

// Empty for what is no array.
std::string array_name(const ZipMember& member) {
  return member.name.ends_with(kExtension) ? member.name.substr(0, member.name.size() - kExtension.size())
                                           : "";
}

template <class T>
BasicArray<T> read_named(const ZipMember& member, const std::string& name, std::size_t& numbers_left,
                         std::string_view truth, const ArraySource& source) {
  try {
    const NumberAs as = name == truth ? NumberAs::truth : NumberAs::rounded;
    BasicArray<T> array = read_member<T>(member, numbers_left, as, source);
    return array;
  } catch (const Error& error) {
    throw Error("the array " + in_quotes(name) + ": " + error.what());
  }
}

}  // namespace

template <class T>
std::map<std::string, BasicArray<T>> parse_npz(Bytes bytes, std::string_view truth,
                                               const ArraySource& source) {
  std::map<std::string, BasicArray<T>> arrays;
  std::size_t numbers_left = limits::kMostNumbers;
  for (const ZipMember& member : zip_members(bytes)) {
    const std::string name = array_name(member);
    if (name.empty() && member.name != kExtension)
      throw Error("the member " + in_quotes(member.name) +
                  " of the zip file is not an array: its name does not end in .npy");
    if (arrays.contains(name)) throw Error("there are two arrays named " + in_quotes(name));
    BasicArray<T>& array =
        arrays.emplace(name, read_named<T>(member, name, numbers_left, truth, source)).first->second;
    if constexpr (std::is_same_v<T, float>)
      if (!source.path.empty() && array.numbers().size() >= kNumbersNamed) name_origin(array, name, source);
  }
  return arrays;
}
template std::map<std::string, Array> parse_npz<float>(Bytes, std::string_view, const ArraySource&);
template std::map<std::string, Array64> parse_npz<double>(Bytes, std::string_view, const ArraySource&);

std::optional<Array> parse_npz_array(Bytes bytes, const std::string& name, std::string_view truth,
                                     const ArraySource& source) {
  std::size_t numbers_left = limits::kMostNumbers;
  for (const ZipMember& member : zip_members(bytes))
    if (array_name(member) == name) {
      Array array = read_named<float>(member, name, numbers_left, truth, source);
      name_origin(array, name, source);
      return array;
    }
  return std::nullopt;
}

Array parse_npy_in_place(Bytes bytes, const ArraySource& source) {
  Array array;
  const NpyHeader header = checked_npy_header(bytes);
  if (const auto numbers =
          source.keeper ? numbers_in_place<float>(header, bytes.subspan(header.data_offset)) : std::nullopt)
    array = {.shape = header.shape, .values = {}, .mapped = *numbers, .keeper = source.keeper};
  else
    array = parse_npy<float>(bytes);
  name_origin(array, "", source);
  return array;
}

namespace {

// As they are in a file; `swapped` holds those of machines that store floats the other way round.
Bytes file_bytes(std::span<const float> numbers, std::vector<std::byte>& swapped) {
  if constexpr (std::endian::native == std::endian::little) return std::as_bytes(numbers);
  for (const float value : numbers) append_little(swapped, std::bit_cast<std::uint32_t>(value));
  return swapped;
}

}  // namespace

void NpzWriter::add(const std::string& name, std::span<const std::size_t> shape,
                    std::span<const std::span<const float>> pieces) {
  const std::vector<std::byte> header = npy_header(shape);
  std::vector<Bytes> bytes{header};
  std::vector<std::vector<std::byte>> swapped(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) bytes.push_back(file_bytes(pieces[i], swapped[i]));
  zip_.add(name + std::string(kExtension), bytes);
}

NpzWriter::Room NpzWriter::leave_room(const std::string& name, std::span<const std::size_t> shape) {
  const std::vector<std::byte> header = npy_header(shape);
  std::size_t count = 1;
  for (const std::size_t size : shape) count *= size;
  Room room;
  room.matrix = shape[shape.size() - 2] * shape.back();
  room.filled.resize(count / room.matrix), room.crcs.resize(count / room.matrix);
  room.header_crc = crc32_of(header);
  room.member = zip_.leave_room(name + std::string(kExtension), header.size() + count * sizeof(float));
  room.numbers = room.member.content + header.size();
  zip_.fill(room.member.content, header);
  return room;
}

void NpzWriter::fill(Room& room, std::size_t matrix, std::span<const float> numbers) const {
  std::vector<std::byte> swapped;
  const Bytes bytes = file_bytes(numbers, swapped);
  zip_.fill(room.numbers + (matrix * room.matrix + room.filled[matrix]) * sizeof(float), bytes);
  room.filled[matrix] += numbers.size();
  room.crcs[matrix] = crc32_of(bytes, room.crcs[matrix]);
}

void NpzWriter::close_room(const Room& room) {
  std::uint32_t crc = room.header_crc;
  for (const std::uint32_t of_matrix : room.crcs)
    crc = joined_crc32(crc, of_matrix, room.matrix * sizeof(float));
  zip_.close_room(room.member, crc);
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
