// What kind a position encoding is of, and a way out where RoPE finds an odd width.
#include "core/attention/position.h"

namespace attn {

bool is_added(const Position& position) {
  return std::holds_alternative<Sinusoidal>(position) || std::holds_alternative<Learned>(position);
}

std::optional<Position> repaired(const Position& position, std::size_t width) {
  const auto* rotary = std::get_if<Rotary>(&position);
  if (!rotary || (rotary->part <= width && rotary->turned(width) % 2 == 0)) return std::nullopt;
  if (width < 2) return NoPosition{};
  Rotary fits = *rotary;
  fits.part = std::min(rotary->turned(width), width) / 2 * 2;
  return fits;
}

}  // namespace attn
