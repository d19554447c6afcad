// Which encodings are looked at, and how they fit the workspace's width and training length.
#include "core/positions/part.h"

#include <algorithm>

#include "core/attention/position_fields.h"

namespace attn {
namespace {

auto find_kind(const PositionsSpec& spec, std::size_t kind) {
  return std::ranges::find(spec.encodings, kind, [](const Position& p) { return p.index(); });
}

}  // namespace

Position fitted(const Position& position, const PositionsSpec& spec) {
  Position fits = repaired(position, spec.width).value_or(position);
  if (auto* learned = std::get_if<Learned>(&fits)) learned->length = spec.trained;
  if (auto* rotary = std::get_if<Rotary>(&fits)) rotary->trained = spec.trained;
  return fits;
}

std::optional<Rotary> turning_pairs(const PositionsSpec& spec) {
  for (const Position& position : spec.encodings) {
    const Position fits = fitted(position, spec);
    if (const auto* rotary = std::get_if<Rotary>(&fits)) return *rotary;
    if (const auto* sinusoidal = std::get_if<Sinusoidal>(&fits); sinusoidal && spec.width > 1)
      return Rotary{.base = sinusoidal->base, .part = spec.width - spec.width % 2};
  }
  return std::nullopt;
}

Pairing other_pairing(Pairing pairing) {
  return pairing == Pairing::half ? Pairing::neighbour : Pairing::half;
}

void show_encoding(PositionsSpec& spec, std::size_t kind) {
  const auto found = find_kind(spec, kind) - spec.encodings.begin();
  if (spec.encodings.empty())
    spec.encodings.push_back(position_at(kind));
  else if (found < std::ssize(spec.encodings))
    std::swap(spec.encodings[0], spec.encodings[static_cast<std::size_t>(found)]);
  else
    spec.encodings[0] = position_at(kind);
}

void draw_dimension(PositionsSpec& spec, std::size_t dimension) {
  const auto place = std::ranges::lower_bound(spec.dimensions, dimension);
  if (place == spec.dimensions.end() || *place != dimension) spec.dimensions.insert(place, dimension);
}

void toggle_encoding(PositionsSpec& spec, std::size_t kind) {
  const auto found = find_kind(spec, kind);
  if (found == spec.encodings.end())
    spec.encodings.push_back(position_at(kind));
  else if (spec.encodings.size() > 1)
    spec.encodings.erase(found);
}

bool has_encoding(const PositionsSpec& spec, std::size_t kind) {
  return find_kind(spec, kind) != spec.encodings.end();
}

}  // namespace attn
