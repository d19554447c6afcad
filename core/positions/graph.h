// The graph of the workspace of positions: the shown encoding as a map with its similarities, the same
// queries and keys under each encoding, one query with keys far away, and one bag of tokens in two orders.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/document/plan.h"
#include "core/positions/part.h"

namespace attn {

// The encoding of a part of the graph.
struct PositionsPart {
  Position position;                     // fitted
  std::size_t encoding = 0;              // in PositionsSpec::encodings
  std::string prefix, title;             // of its stages; what a person calls it
  std::string why = {};                  // why there is none: "no row for position 48"
  std::optional<std::size_t> part = {};  // in Graph::parts
  std::size_t first = 0;                 // the position of its first token
  bool reordered = false;                // of two orders the second
};

// Which part of the graph is which. Parts come in this order.
struct PositionsPlaces {
  std::size_t map = 0, alike = 1;      // the shown encoding, and its rows with each other
  std::size_t rest = 2;                // the rows of the others that have any
  std::size_t turns = 3;               // where each position turns (1, 0) of each pair
  std::size_t content = 4;             // queries, keys, values
  std::vector<PositionsPart> rows;     // the encodings with a row a position; the shown one is not in `rest`
  std::vector<PositionsPart> scores;   // of every encoding
  std::optional<PositionsPart> mixed;  // RoPE's, but for the keys, turned in the other pairing
  std::size_t difference = 0;          // a stage for each of the scores that there are: less the content's
  std::vector<PositionsPart> far;  // of every encoding, RoPE in every stretch: one query, keys in front of it
  std::size_t first_order = 0;
  std::vector<PositionsPart> order;  // without position and with the shown one, each in two orders
  std::size_t order_difference = 0;  // a stage for each two of them
};
PositionsPlaces places_of(const PositionsSpec& spec);

// How many rows the map of the shown encoding has, and what they and its columns stand for.
std::size_t map_rows(const PositionsSpec& spec);
// Whether it has a row for each position: sinusoidal, learned, RoPE.
bool has_rows(const Position& position);
// Positions that have a row: all but those behind the end of a learned table.
std::size_t rows_of(const Position& position, std::size_t length);

// Its places are PositionsPlaces.
Built build_positions(const Document& document, Address = kLayerA);
Graph given_positions(const Document& document);

inline constexpr Plan kPositionsPlan{"positions", build_positions, given_positions};

// Positions from 0 on whose similarities with each other are shown: as many rows as columns of them.
inline constexpr std::size_t kMostAlike = 1024;
// The largest part of a bias that is shown as a matrix: it is the same for every offset.
inline constexpr std::size_t kMostBias = 128;

}  // namespace attn
