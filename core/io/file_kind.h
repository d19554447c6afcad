// What a file is, told by its content.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace attn {

enum class FileKind {
  // Read here.
  session,  // JSON
  npy,
  npz,  // or another zip file: core/io/zip.h says what is wrong with it
  safetensors,
  picture,  // PNG or SVG, perhaps with a session
  text,     // a table, points, or whatever else is text
  // Refused: refusal_of says why and what to do.
  empty,
  pickle,
  gguf,
  hdf5,
  matlab,
  parquet,
  arrow,
  onnx,
  spreadsheet,
  packed,  // gzip and such
  other
};

// `start`: the first 64 KiB, or the whole file where it is shorter. Its name decides where several are
// possible.
FileKind kind_of(std::span<const std::byte> start, std::string_view name);

// "it is an HDF5 file: …" for what is not read; empty for what is. `path` as a shell would be given it.
std::string refusal_of(FileKind kind, std::span<const std::byte> start, std::string_view path);

}  // namespace attn
