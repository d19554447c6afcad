// Marks at the start of files. https://en.wikipedia.org/wiki/List_of_file_signatures lists most.
#include "core/io/file_kind.h"

#include <algorithm>
#include <array>

#include "core/io/pickled.h"
#include "core/io/png.h"
#include "core/io/svg.h"
#include "core/text/bytes.h"

namespace attn {
namespace {

using namespace std::string_view_literals;

struct Mark {
  std::string_view bytes;
  FileKind kind;
};
constexpr std::array kMarks{Mark{"\x93NUMPY"sv, FileKind::npy},
                            Mark{"GGUF"sv, FileKind::gguf},
                            Mark{"FUGG"sv, FileKind::gguf},  // of big-endian machines
                            Mark{"\x89HDF\r\n\x1a\n"sv, FileKind::hdf5},
                            Mark{"MATLAB 5.0 MAT-file"sv, FileKind::matlab},
                            Mark{"MATLAB 7.3 MAT-file"sv, FileKind::matlab},
                            Mark{"PAR1"sv, FileKind::parquet},
                            Mark{"ARROW1"sv, FileKind::arrow},
                            Mark{"FEA1"sv, FileKind::arrow},
                            Mark{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, FileKind::spreadsheet},
                            Mark{"\x1f\x8b"sv, FileKind::packed},
                            Mark{"BZh"sv, FileKind::packed},
                            Mark{"\xfd"
                                 "7zXZ\0"sv,
                                 FileKind::packed},
                            Mark{"7z\xbc\xaf\x27\x1c"sv, FileKind::packed},
                            Mark{"\x28\xb5\x2f\xfd"sv, FileKind::packed}};

bool ends_with(std::string_view name, std::string_view ending) {
  return name.size() >= ending.size() &&
         std::ranges::equal(name.substr(name.size() - ending.size()), ending, {}, [](char c) {
           return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
         });
}

// The length of a header, then its brace. A length in one of whose upper bytes is something is no length.
bool is_safetensors(Bytes start) {
  return start.size() > 8 && std::to_integer<char>(start[8]) == '{' &&
         load_little<std::uint64_t>(start, 0) < (std::uint64_t{1} << 32);
}

// A protocol buffer that begins with the version of ONNX's format and the name of the program that made it.
bool is_onnx(std::string_view text) {
  return text.size() > 2 && text[0] == '\x08' && text[1] > 0 && text[1] < 32 &&
         (text[2] == '\x12' || text[2] == '\x1a');
}

bool is_text(std::string_view text) {
  return text.find('\0') == text.npos || text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
}

FileKind kind_of_zip(std::string_view text) {
  if (pickle_in(std::as_bytes(std::span(text))) != Pickle::none) return FileKind::pickle;
  const std::string_view first = text.substr(0, 4096);
  if (first.find("[Content_Types].xml") != first.npos ||
      first.find("mimetypeapplication/vnd.oasis") != first.npos)
    return FileKind::spreadsheet;
  return FileKind::npz;
}

}  // namespace

FileKind kind_of(std::span<const std::byte> start, std::string_view name) {
  const std::string_view text = as_text(start);
  if (text.empty()) return FileKind::empty;
  if (text.starts_with("PK")) return kind_of_zip(text);
  if (is_png(start) || is_svg(start)) return FileKind::picture;
  for (const Mark& mark : kMarks)
    if (text.starts_with(mark.bytes)) return mark.kind;
  if (is_safetensors(start) || ends_with(name, ".safetensors")) return FileKind::safetensors;
  if (pickle_in(start) != Pickle::none) return FileKind::pickle;
  if (is_onnx(text)) return FileKind::onnx;
  if (!is_text(text)) return FileKind::other;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && text[first] == '{' ? FileKind::session : FileKind::text;
}

std::string refusal_of(FileKind kind, std::span<const std::byte> start, std::string_view path) {
  switch (kind) {
    case FileKind::empty:
      return "the file is empty";
    case FileKind::pickle:
      return pickle_refusal(pickle_in(start), path);
    case FileKind::gguf:
      return "it is a GGUF file, whose tensors are packed for llama.cpp: open the .safetensors that it was "
             "made of";
    case FileKind::hdf5:
      return "it is an HDF5 file: read it with h5py and write its arrays with numpy.savez";
    case FileKind::matlab:
      return "it is a MATLAB file: read it with scipy.io.loadmat (h5py where it is of version 7.3) and write "
             "its "
             "arrays with numpy.savez";
    case FileKind::parquet:
      return "it is a Parquet file: read it with pandas.read_parquet and write it with to_csv";
    case FileKind::arrow:
      return "it is an Arrow or Feather file: read it with pandas.read_feather and write it with to_csv";
    case FileKind::onnx:
      return "it is an ONNX model: write its initializers with onnx.numpy_helper.to_array and numpy.savez";
    case FileKind::spreadsheet:
      return "it is a spreadsheet: save the sheet as CSV";
    case FileKind::packed:
      return "it is packed (gzip, bzip2, xz, 7z or zstd): unpack it first";
    case FileKind::other:
      return "it is none of the files that are read: a session, .npy, .npz, .safetensors, CSV, TSV, or a "
             "picture "
             "(.png, .svg) that carries a session";
    default:
      return {};
  }
}

}  // namespace attn
