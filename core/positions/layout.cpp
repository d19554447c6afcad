// Which parts the graph of positions has, by what is looked at: the builder and the panels both ask.
#include <algorithm>

#include "core/attention/position_fields.h"
#include "core/positions/graph.h"

namespace attn {
namespace {

PositionsPart part_of(const PositionsSpec& spec, std::size_t encoding, const std::string& where) {
  const Position& position = spec.encodings[encoding];
  const PositionText& text = position_text(position);
  return {.position = fitted(position, spec),
          .encoding = encoding,
          .prefix = where + std::string(text.word) + ".",
          .title = std::string(text.title)};
}

// Why the positions up to `last` cannot all have their encoding; empty: they can.
std::string missing_row(const Position& position, std::size_t last) {
  const auto* learned = std::get_if<Learned>(&position);
  return learned && last > learned->length ? "no row for position " + std::to_string(learned->length) : "";
}

// RoPE as it is, and in every stretch by as much as the keys are beyond the training length.
std::vector<PositionsPart> stretched(const PositionsPart& plain, const PositionsSpec& spec) {
  std::vector<PositionsPart> parts{plain};
  const auto* rotary = std::get_if<Rotary>(&plain.position);
  if (!rotary) return parts;
  const double factor = std::max(1.0, static_cast<double>(spec.reach) / static_cast<double>(spec.trained));
  for (const auto& word : position_field::stretch.words) {
    if (word.choice == rotary->stretch || word.choice == Stretch::none) continue;
    Rotary wider = *rotary;
    wider.stretch = word.choice, wider.factor = factor;
    parts.push_back(plain);
    parts.back().position = wider;
    parts.back().prefix.insert(parts.back().prefix.size() - 1, "_" + std::string(word.word));
    parts.back().title += " " + std::string(word.title);
  }
  return parts;
}

std::vector<PositionsPart> order_parts(const PositionsSpec& spec) {
  std::vector<PositionsPart> parts;
  std::vector<Position> shown{NoPosition()};
  if (!std::holds_alternative<NoPosition>(spec.encodings[0])) shown.push_back(spec.encodings[0]);
  for (const Position& position : shown)
    for (const std::string way : {"a", "b"}) {
      const PositionText& text = position_text(position);
      parts.push_back({.position = fitted(position, spec),
                       .prefix = "order." + std::string(text.word) + "." + way + ".",
                       .title = std::string(text.title) + ", order " + (way == "a" ? "A" : "B"),
                       .reordered = way == "b"});
    }
  return parts;
}

}  // namespace

bool has_rows(const Position& position) {
  return is_added(position) || std::holds_alternative<Rotary>(position);
}

std::size_t rows_of(const Position& position, std::size_t length) {
  const auto* learned = std::get_if<Learned>(&position);
  return learned ? std::min(length, learned->length) : length;
}

std::size_t map_rows(const PositionsSpec& spec) {
  if (spec.encodings.empty()) return 0;
  const Position shown = fitted(spec.encodings[0], spec);
  if (has_rows(shown)) return rows_of(shown, spec.length);
  if (const auto* relative = std::get_if<Relative>(&shown)) return 2 * relative->clip + 1;
  return std::holds_alternative<NoPosition>(shown) ? 0 : std::min(spec.length, kMostBias);
}

PositionsPlaces places_of(const PositionsSpec& spec) {
  PositionsPlaces places;
  std::size_t next = places.content + 1;
  const auto place = [&](std::vector<PositionsPart>& parts, std::size_t positions) {
    for (PositionsPart& p : parts) {
      p.why = missing_row(p.position, positions);
      if (p.why.empty()) p.part = next++;
    }
  };
  for (std::size_t i = 0; i < spec.encodings.size(); ++i) {
    PositionsPart part = part_of(spec, i, "");
    if (has_rows(part.position)) places.rows.push_back(part);
    part.first = spec.shift;
    places.scores.push_back(part);
    // A learned table ends, so do its keys: there is always a row for each.
    for (PositionsPart& far : stretched(part_of(spec, i, "far."), spec)) places.far.push_back(std::move(far));
  }
  place(places.scores, spec.shift + spec.tokens);
  const auto turns = [](const PositionsPart& p) { return std::holds_alternative<Rotary>(p.position); };
  if (const auto rope = std::ranges::find_if(places.scores, turns); rope != places.scores.end()) {
    places.mixed = *rope;
    places.mixed->prefix = "mixed.", places.mixed->title = "RoPE, mixed";
    places.mixed->part = next++;
  }
  places.difference = next++;
  place(places.far, 0);
  places.first_order = next;
  places.order = spec.encodings.empty() ? std::vector<PositionsPart>() : order_parts(spec);
  place(places.order, spec.tokens);
  places.order_difference = next++;
  return places;
}

}  // namespace attn
