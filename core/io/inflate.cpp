// zlib counts in 32 bits: data and pieces go in and out in slices.
#include "core/io/inflate.h"

#include <zlib.h>

#include <algorithm>

#include "core/system/error.h"

namespace attn {
namespace {

constexpr std::size_t kSlice = std::size_t{1} << 30;

}  // namespace

struct Inflater::State {
  z_stream stream{};
  std::size_t size = 0;  // of the data
  Bytes rest;            // that zlib has not been given yet
  bool finished = false, damaged = false;
};

Inflater::Inflater(Bytes data, Wrap wrap) : state_(std::make_unique<State>()) {
  state_->rest = data;
  state_->size = data.size();
  // A negative window size means raw deflate, without zlib's own header.
  if (inflateInit2(&state_->stream, wrap == Wrap::raw ? -MAX_WBITS : MAX_WBITS) != Z_OK)
    throw Error("there is not enough memory to unpack it");
}

Inflater::~Inflater() {
  inflateEnd(&state_->stream);
}

std::size_t Inflater::read(std::span<std::byte> out) {
  z_stream& stream = state_->stream;
  std::size_t size = 0;
  while (size < out.size() && !state_->finished && !state_->damaged) {
    if (stream.avail_in == 0) {
      const Bytes slice = state_->rest.first(std::min(kSlice, state_->rest.size()));
      // zlib's pointer is to non-const, but it only reads.
      stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(slice.data()));
      stream.avail_in = static_cast<uInt>(slice.size());
      state_->rest = state_->rest.subspan(slice.size());
    }
    const std::size_t room = std::min(kSlice, out.size() - size);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + size);
    stream.avail_out = static_cast<uInt>(room);
    const int status = inflate(&stream, Z_NO_FLUSH);
    size += room - stream.avail_out;
    state_->finished = status == Z_STREAM_END;
    // Z_BUF_ERROR: there is no more to go on with.
    state_->damaged = status != Z_OK && status != Z_STREAM_END;
  }
  return size;
}

double Inflater::done() const {
  const std::size_t left = state_->rest.size() + state_->stream.avail_in;
  return 1 - static_cast<double>(left) / static_cast<double>(std::max<std::size_t>(1, state_->size));
}

bool Inflater::finished() const {
  return state_->finished;
}

bool Inflater::exhausted() const {
  return state_->finished && state_->stream.avail_in == 0 && state_->rest.empty();
}

}  // namespace attn
