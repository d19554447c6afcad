// zlib, at its fastest one way and piece by piece the other.
#include "core/io/packed_text.h"

#include <zlib.h>

#include <memory>

#include "core/document/limits.h"
#include "core/io/inflate.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {

std::vector<std::byte> packed_text(std::string_view session) {
  uLongf size = compressBound(session.size());
  std::vector<std::byte> packed(size);
  const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                               reinterpret_cast<const Bytef*>(session.data()), session.size(), Z_BEST_SPEED);
  if (status != Z_OK)
    throw Error("there is not enough memory to pack the session into the picture", Fault::output);
  packed.resize(size);
  return packed;
}

TextSource unpacked_text(Bytes data, ProgressCallback progress) {
  struct Unpacking {
    explicit Unpacking(Bytes packed) : inflater(packed, Inflater::Wrap::zlib) {}
    Inflater inflater;
    std::vector<std::byte> window = std::vector<std::byte>(kTextPiece);
    std::size_t size = 0;
  };
  return [unpacking = std::make_shared<Unpacking>(data), progress = std::move(progress)] {
    go_on(progress, unpacking->inflater.done());
    const std::size_t size = unpacking->inflater.read(unpacking->window);
    unpacking->size += size;
    if (unpacking->size > kMostFileBytes) throw Error("its session is too large");
    if (size == 0 && !unpacking->inflater.finished()) throw Error("its session is damaged");
    return as_text(Bytes(unpacking->window).first(size));
  };
}

}  // namespace attn
