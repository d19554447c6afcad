// Decoding token by token with a KV cache: the rows of K and V of every layer are kept, only those of the new
// token are computed.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/transformer/graph.h"

namespace attn {

// Why the stack is not decoded so: "an encoder alone sees all of its tokens at once". Empty: it is.
std::string decoding_obstacle(const StackSpec& stack);

// The most tokens that its decoder can have: as many as the table of learned positions leaves, else those
// that it has.
std::size_t decoder_room(const StackSpec& stack);

// Keys and values of the memory, h×m×d, of each of the decoder's blocks: made once. Empty: it has none.
using CrossRows = std::vector<std::array<Tensor, 2>>;

// What a step makes.
struct DecodedStep {
  Tensor output;              // 1×1×V: logits, or, of a stack without a head, the row that comes out
  std::vector<Tensor> looks;  // of each layer: its cross-attention, h×1×m; empty: it has none
  std::vector<std::array<Tensor, 2>>
      rows;  // of each layer: the new row of K and of V, g×1×d; empty: it is off
};

// Of a layer in the graph of a step: the new rows of K and V; its cross-attention's weights.
struct StepLayer {
  std::optional<std::array<StageIndex, 2>> rows = {};
  std::optional<StageIndex> looks = {};
};

// A stage whose operation is another one at each place.
struct PlacedStage {
  StageIndex stage;
  std::function<Operation(std::size_t place)> at;
};

// A decoder with room for so many tokens. `stack` has no obstacle.
class StackDecoder {
 public:
  StackDecoder(const StackSpec& stack, const CrossRows& cross, std::size_t room, Backend& backend);

  // What goes in at a place for a symbol, with its position, 1×1×d.
  Tensor input_row(std::size_t place, std::size_t symbol);
  // Puts the token at this place behind those before it; what stood there and behind is forgotten. `reads`:
  // what to read back besides the output.
  enum class Reads { output, all };
  DecodedStep step(std::size_t place, const Tensor& row, Reads reads = Reads::all);
  // The same `step` without reading anything back.
  void run(std::size_t place, const Tensor& row);

 private:
  void set_place(std::size_t place);

  StackSpec stack_;
  Backend& backend_;
  Graph graph_;
  StageIndex input_ = 0, place_ = 0, output_ = 0;
  std::vector<StepLayer> layers_;
  std::vector<PlacedStage> placed_;
  std::unique_ptr<Program> program_;
};

// A number of the row as likely as its softmax says, in double.
std::vector<double> likelihoods(const Tensor& logits);
// max |a − b| ÷ max |b|; of a row of b.
double largest_difference(const Tensor& a, const Tensor& b, std::size_t row);

// As far as both ways may lie apart, relative to the largest number: every stage of a box and every term of
// its sums rounded once to 2⁻²⁴ of numbers about as large as those that come out, both ways.
double decoding_tolerance(const StackSpec& stack);

// The document's decoder with its first `kept` tokens and these symbols behind them.
void write_on(StackSpec& stack, std::size_t kept, const std::vector<std::size_t>& symbols);

}  // namespace attn
