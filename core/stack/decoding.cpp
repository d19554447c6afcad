// Steps of decoding: a graph of one token, whose keys and values are put into caches that stay.
#include "core/stack/decoding.h"

#include <algorithm>
#include <cmath>

#include "core/attention/layer_positions.h"
#include "core/stack/decoding_step.h"
#include "core/system/error.h"

namespace attn {
namespace {

// A place that a step sets.
Tensor place_number(std::size_t place) {
  return {{1, 1, 1}, {static_cast<float>(place)}};
}

Region whole_of(const Shape& shape) {
  return {{0, 0, 0}, {shape.stack, shape.rows, shape.columns}};
}

}  // namespace

std::size_t decoder_room(const StackSpec& stack) {
  const std::size_t tokens = token_count(stack.decoder);
  if (stack.position_table.empty()) return tokens;
  return std::max(tokens, stack.position_table.rows() - stack.decoder.first_position);
}

StackDecoder::StackDecoder(const StackSpec& stack, const CrossRows& cross, std::size_t room, Backend& backend)
    : stack_(stack), backend_(backend) {
  StepBuilder builder{.stack = stack_, .cross = cross, .room = room};
  builder.build();
  graph_ = std::move(builder.graph);
  input_ = builder.input, place_ = builder.place, output_ = builder.output;
  layers_ = std::move(builder.layers);
  placed_ = std::move(builder.placed);
  std::vector<StageIndex> read{output_};
  for (const StepLayer& layer : layers_) {
    if (layer.rows) read.insert(read.end(), {(*layer.rows)[0], (*layer.rows)[1]});
    if (layer.looks) read.push_back(*layer.looks);
  }
  program_ = backend_.compile(graph_, read);
}

Tensor StackDecoder::input_row(std::size_t place, std::size_t symbol) {
  const std::size_t width = stack_.embedding.columns(), position = stack_.decoder.first_position + place;
  const auto numbers = stack_.embedding.values().subspan(symbol * width, width);
  std::vector<float> row(numbers.begin(), numbers.end());
  const auto add = [&](std::span<const float> more) {
    for (std::size_t i = 0; i < width; ++i) row[i] += more[i];
  };
  if (!stack_.position_table.empty()) {
    add(stack_.position_table.values().subspan(position * width, width));
  } else if (const auto encoding = encoding_operation(stack_.position, {1, 1, width}, position)) {
    const Tensor encoded = backend_.run(*encoding, {});
    add(encoded.values());
  }
  return {{1, 1, width}, std::move(row)};
}

void StackDecoder::set_place(std::size_t place) {
  program_->set(place_, Source{place_number(place)});
  for (const auto& [stage, at] : placed_) program_->set(stage, at(place));
}

void StackDecoder::run(std::size_t place, const Tensor& row) {
  set_place(place);
  program_->set(input_, Source{row});
  program_->run_all();
}

DecodedStep StackDecoder::step(std::size_t place, const Tensor& row, Reads reads) {
  run(place, row);
  const auto read = [&](StageIndex stage) {
    return program_->read(stage, whole_of(graph_.stages[stage].shape));
  };
  DecodedStep made{.output = read(output_), .looks = {}, .rows = {}};
  if (reads == Reads::output) return made;
  for (const StepLayer& layer : layers_) {
    made.looks.push_back(layer.looks ? read(*layer.looks) : Tensor());
    made.rows.push_back(layer.rows ? std::array{read((*layer.rows)[0]), read((*layer.rows)[1])}
                                   : std::array<Tensor, 2>());
  }
  return made;
}

std::vector<double> likelihoods(const Tensor& logits) {
  const auto values = logits.values();
  const double most = *std::ranges::max_element(values);
  std::vector<double> shares;
  double sum = 0;
  for (const float value : values) sum += shares.emplace_back(std::exp(static_cast<double>(value) - most));
  for (double& share : shares) share /= sum;
  return shares;
}

double largest_difference(const Tensor& a, const Tensor& b, std::size_t row) {
  const auto other = b.values().subspan(row * b.columns(), b.columns());
  double apart = 0, largest = 0;
  for (std::size_t i = 0; i < other.size(); ++i) {
    const double theirs = other[i], ours = a.values()[i];
    if (!std::isfinite(ours) || !std::isfinite(theirs)) return HUGE_VAL;
    largest = std::max(largest, std::abs(theirs));
    apart = std::max(apart, std::abs(ours - theirs));
  }
  return largest == 0 ? apart : apart / largest;
}

double decoding_tolerance(const StackSpec& stack) {
  constexpr std::size_t kStages = 10;  // of a box, at most
  const std::size_t width = width_of(stack);
  const std::size_t memory = stack.has_encoder() ? token_count(stack.encoder) : stack.memory.rows();
  std::size_t roundings = width;  // of the logits
  const auto add_attention = [&](const LayerSpec& layer, std::size_t keys) {
    roundings += kStages + width + layer.w_q.columns() / layer.heads + keys + layer.w_v.columns();
  };
  for (const StackBlock& block : stack.decoder.blocks) {
    add_attention(block.attention, token_count(stack.decoder));
    if (block.cross) add_attention(*block.cross, memory);
    if (block.has(StackBox::feed_forward)) roundings += kStages + width + block.outer.w.rows();
  }
  return 2 * static_cast<double>(roundings) * 0x1p-24;
}

void write_on(StackSpec& stack, std::size_t kept, const std::vector<std::size_t>& symbols) {
  StackSide& side = stack.decoder;
  std::vector<float> ids(side.ids.values().begin(),
                         side.ids.values().begin() + static_cast<std::ptrdiff_t>(kept));
  side.tokens = filled_labels(std::move(side.tokens), token_count(side));
  side.tokens.resize(kept);
  for (const std::size_t symbol : symbols) {
    ids.push_back(static_cast<float>(symbol));
    side.tokens.push_back(symbol < stack.symbols.size() ? stack.symbols[symbol] : std::to_string(symbol));
  }
  const std::size_t count = ids.size();
  side.ids = Tensor({1, count, 1}, std::move(ids));
}

}  // namespace attn
