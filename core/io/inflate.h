// Deflated data, unpacked piece by piece: it takes the memory of the piece, whatever it unpacks to.
#pragma once

#include <memory>
#include <span>

#include "core/text/bytes.h"

namespace attn {

class Inflater {
 public:
  enum class Wrap { raw, zlib };

  // `data` outlives it. Throws Error when there is not enough memory.
  Inflater(Bytes data, Wrap wrap);
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // The next bytes, as many as fit; fewer only where they end, or where the data is damaged.
  std::size_t read(std::span<std::byte> out);
  // Which part of the data was taken in, 0 … 1.
  double done() const;
  // The end was reached, as the data says it; and nothing is left behind it.
  bool finished() const;
  bool exhausted() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace attn
