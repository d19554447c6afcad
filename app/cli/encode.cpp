// encode: the numbers of a position encoding alone, as an array.
#include <cmath>

#include "app/cli/commands.h"
#include "app/cli/option_position.h"
#include "app/words/refuse.h"
#include "app/words/table.h"
#include "app/words/watched_device.h"
#include "core/attention/layer_fields.h"
#include "core/evaluate/weigh.h"
#include "core/io/npy.h"
#include "core/opencl/watched.h"
#include "core/system/error.h"
#include "core/text/numbers.h"

namespace attn {
namespace {

constexpr std::size_t kMost = std::size_t{1} << 24;  // rows or columns: beyond it a slip of the hand

std::size_t read_count(const char* option, const std::string& word, std::size_t least) {
  if (word.empty() && least == 0) return 0;
  const auto count = parse_number<std::size_t>(word);
  if (!count || *count < least || *count > kMost)
    refuse(option, word, "a whole number from " + std::to_string(least) + " to " + std::to_string(kMost));
  return *count;
}

struct Sizes {
  std::size_t length, width, shift;
};

// Where biases have a matrix for each head, vectors a row for each token or offset.
std::vector<std::size_t> sides_of(const Position& position, const Sizes& s) {
  if (std::holds_alternative<Alibi>(position) || std::holds_alternative<T5Bias>(position))
    return {s.width, s.length, s.length};
  return {std::holds_alternative<Relative>(position) ? 2 * s.length - 1 : s.length, s.width};
}

// Of an array; the largest number where its bytes cannot be counted.
std::uint64_t bytes_of(const std::vector<std::size_t>& sides) {
  double bytes = sizeof(float);
  for (const std::size_t side : sides) bytes *= static_cast<double>(side);
  return bytes < 0x1p60 ? static_cast<std::uint64_t>(bytes) : std::uint64_t{1} << 60;
}

// Bytes that the numbers are looked up in or turned from.
struct SourceBytes {
  Sizes s;

  std::uint64_t operator()(const Rotary&) const { return bytes_of({s.length, s.width}); }
  std::uint64_t operator()(const Relative& e) const { return bytes_of({2 * e.clip + 1, s.width}); }
  std::uint64_t operator()(const T5Bias& e) const { return bytes_of({s.width, e.buckets}); }
  std::uint64_t operator()(const auto&) const { return 0; }
};

void check_memory(const Position& position, const Sizes& sizes, const Backend& backend,
                  const FileWriter& file) {
  const auto load_of = [&](std::size_t length) {
    const Sizes s{length, sizes.width, sizes.shift};
    const std::uint64_t size = bytes_of(sides_of(position, s));
    const std::uint64_t results = size + std::visit(SourceBytes{s}, position);
    return Load{.results = results,
                .copies = backend.copies_here() ? results : 0,
                .file = file.in_memory() ? size : 0};
  };
  check_fits(load_of(sizes.length), free_memory(), sizes.length, load_of);
}

// Row p holds the cosine and the sine of each pair, where the pair's two features stand: what RoPE makes of
// (1, 0).
Tensor pairs_of_one(const Rotary& rotary, const Sizes& s) {
  std::vector<float> values(s.length * s.width);
  for (std::size_t row = 0; row < s.length; ++row)
    for (std::size_t column = 0; column < rotary.turned(s.width); ++column)
      values[row * s.width + column] =
          rotary_pair(rotary.pairing, rotary.turned(s.width), column).x == column ? 1.0f : 0.0f;
  return {{1, s.length, s.width}, std::move(values)};
}

// What makes the numbers, each on the result of the one before it.
struct OperationsOf {
  Sizes s;
  using Operations = std::vector<Operation>;

  Operations operator()(const NoPosition&) const {
    throw Error("it has no numbers; use another encoding", Fault::option);
  }
  Operations operator()(const Sinusoidal& e) const {
    return {SinusoidalEncoding{s.length, s.width, e.base, s.shift}};
  }
  Operations operator()(const Learned& e) const {
    return {LearnedTable{.length = e.length,
                         .columns = s.width,
                         .seed = e.seed,
                         .sd = kLearnedSd,
                         .first = s.shift,
                         .rows = s.length}};
  }
  Operations operator()(const Rotary& e) const { return {Rotate{e, s.shift}}; }
  Operations operator()(const Alibi&) const { return {DistanceBias{s.width, s.length, s.length}}; }
  Operations operator()(const Relative& e) const {
    const std::size_t rows = 2 * e.clip + 1;
    return {
        LearnedTable{.length = rows, .columns = s.width, .seed = e.seed, .sd = kRelativeSd, .rows = rows}};
  }
  Operations operator()(const T5Bias& e) const {
    return {
        LearnedTable{
            .stack = s.width, .length = 1, .columns = e.buckets, .seed = e.seed, .sd = kBucketSd, .rows = 1},
        ByOffset{Buckets{e.buckets, e.max_distance, e.causal}, s.length, s.length}};
  }
};

// Throws Error(Fault::option) for what does not fit the sizes, before any device is met.
std::vector<Operation> operations_of(const std::string& kind, const Position& position, const Sizes& s) {
  try {
    std::vector<Operation> operations = std::visit(OperationsOf{s}, position);
    std::vector<Shape> shapes;
    if (std::holds_alternative<Rotary>(position)) shapes = {{1, s.length, s.width}};
    for (const Operation& operation : operations) shapes = {result_shape(operation, shapes)};
    return operations;
  } catch (const Error& error) {
    throw Error("encode " + kind + ": " + error.what(), Fault::option);
  }
}

// The vector of each offset from 1 − length to length − 1.
Tensor by_offset(const Relative& e, const Sizes& s, const Tensor& table) {
  std::vector<float> values;
  values.reserve((2 * s.length - 1) * s.width);
  for (std::size_t i = 0; i < 2 * s.length - 1; ++i) {
    const auto offset = static_cast<std::ptrdiff_t>(i + 1) - static_cast<std::ptrdiff_t>(s.length);
    const auto row = table.values().subspan(index_of(Clip{e.clip}, offset) * s.width, s.width);
    values.insert(values.end(), row.begin(), row.end());
  }
  return {{1, 2 * s.length - 1, s.width}, std::move(values)};
}

Tensor compute(Backend& backend, const std::vector<Operation>& operations, const Position& position,
               const Sizes& s) {
  std::vector<Tensor> inputs;
  if (const auto* rotary = std::get_if<Rotary>(&position)) inputs = {pairs_of_one(*rotary, s)};
  for (const Operation& operation : operations) inputs = {backend.run(operation, inputs)};
  const auto* relative = std::get_if<Relative>(&position);
  return relative ? by_offset(*relative, s, inputs[0]) : inputs[0];
}

// Sets the base of an encoding that has one.
void set_base(Position& position, const std::string& word) {
  if (word.empty()) return;
  const auto base = parse_number<double>(word);
  if (!base || !std::isfinite(*base) || *base <= 0) refuse("--base", word, "a number over 0");
  if (auto* sinusoidal = std::get_if<Sinusoidal>(&position))
    sinusoidal->base = *base;
  else if (auto* rotary = std::get_if<Rotary>(&position))
    rotary->base = *base;
  else
    throw Error("--base: " + std::string(position_text(position).word) + " has no base; leave it out",
                Fault::option);
}

}  // namespace

void encode(const EncodeRequest& request, Console& console) {
  FieldText text = layer_field::position.text;
  text.option = "encode";
  Position position = read_position(text, request.kind);
  set_base(position, request.base);
  const Sizes sizes{read_count("--length", request.length, 1), read_count("--width", request.width, 1),
                    read_count("--shift", request.shift, 0)};
  if (request.output.empty()) throw Error("encode needs -o OUT.npy, the array to write", Fault::option);
  const std::vector<Operation> operations = operations_of(request.kind, position, sizes);
  const std::vector<std::size_t> sides = sides_of(position, sizes);
  const std::vector<std::byte> header = npy_header(sides);
  const WatchedDevice device(request.device, request.output, console);
  auto file = std::make_unique<FileWriter>(request.output);  // refused before the devices are tested
  file->check_room(header.size() + bytes_of(sides));
  Budget budget;
  std::vector<std::string> notes;
  const auto backend = opencl::watched(device.open(budget, notes), opencl::WhenWrong::refuse);
  print_lines(console.err, notes);
  check_memory(position, sizes, *backend, *file);
  const Tensor numbers = compute(*backend, operations, position, sizes);
  file->write(header);
  file->write(std::as_bytes(numbers.values()));
  console.keep(std::move(file));
}

}  // namespace attn
