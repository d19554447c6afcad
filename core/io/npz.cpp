#include "core/io/npz.h"

#include "core/error.h"
#include "core/io/bytes.h"
#include "core/io/zip.h"

namespace attn {
namespace {

constexpr std::string_view kExtension = ".npy";

// The header is read before anything is unpacked behind it: a member may not be longer than its array.
Array read_member(const ZipMember& member, std::size_t& numbers_left) {
  const NpyHeader header = parse_npy_header(zip_start(member, kMaximumNpyHeader));
  if (header.file_size() != member.size)
    throw Error("its header promises " + std::to_string(header.file_size()) + " bytes, but the zip file " +
                std::to_string(member.size));
  if (header.count > numbers_left)
    throw Error("the arrays hold more than the " + std::to_string(kMaximumNumbers) +
                " numbers that are read");
  numbers_left -= header.count;
  return parse_npy(zip_bytes(member));
}

}  // namespace

std::map<std::string, Array> parse_npz(Bytes bytes) {
  std::map<std::string, Array> arrays;
  std::size_t numbers_left = kMaximumNumbers;
  for (const ZipMember& member : zip_members(bytes)) {
    if (!member.name.ends_with(kExtension))
      throw Error("the member " + in_quotes(member.name) +
                  " of the zip file is not an array: its name does not end in .npy");
    const std::string name = member.name.substr(0, member.name.size() - kExtension.size());
    if (arrays.contains(name)) throw Error("there are two arrays named " + in_quotes(name));
    try {
      arrays.emplace(name, read_member(member, numbers_left));
    } catch (const Error& error) {
      throw Error("the array " + in_quotes(name) + ": " + error.what());
    }
  }
  return arrays;
}

std::vector<std::byte> write_npz(
    std::span<const std::pair<std::string, std::vector<std::byte>>> npy_members) {
  std::vector<std::pair<std::string, std::vector<std::byte>>> files;
  for (const auto& [name, npy] : npy_members) files.emplace_back(name + std::string(kExtension), npy);
  return write_zip(files);
}

}  // namespace attn
