// The header is told value by value (core/io/json.h) and held against the size of the file before a number is
// read.
#include "core/io/safetensors.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/document/limits.h"
#include "core/io/json.h"
#include "core/system/error.h"
#include "core/text/bytes.h"

namespace attn {
namespace {

using nlohmann::json;

constexpr std::size_t kLengthBytes = 8;
// Of a header; one of sixty thousand tensors takes half of it.
constexpr std::uint64_t kMostHeader = std::uint64_t{16} << 20;
constexpr std::size_t kMostTensors = limits::kMostLabels;
constexpr std::size_t kMostAxes = 8;

struct Dtype {
  std::string_view word;
  char kind = 0;  // as of NpyHeader; 0: its numbers are not read
  std::size_t bytes = 0;
};
constexpr std::array kDtypes{
    Dtype{"F64", 'f', 8},       Dtype{"F32", 'f', 4},       Dtype{"F16", 'f', 2},   Dtype{"BF16", 'h', 2},
    Dtype{"I64", 'i', 8},       Dtype{"I32", 'i', 4},       Dtype{"I16", 'i', 2},   Dtype{"I8", 'i', 1},
    Dtype{"U64", 'u', 8},       Dtype{"U32", 'u', 4},       Dtype{"U16", 'u', 2},   Dtype{"U8", 'u', 1},
    Dtype{"BOOL", 'b', 1},      Dtype{"F8_E4M3", 0, 1},     Dtype{"F8_E5M2", 0, 1}, Dtype{"F8_E8M0", 0, 1},
    Dtype{"F8_E4M3FNUZ", 0, 1}, Dtype{"F8_E5M2FNUZ", 0, 1}, Dtype{"C64", 0, 8}};

const Dtype* dtype_of(std::string_view word) {
  const auto found = std::ranges::find(kDtypes, word, &Dtype::word);
  return found == kDtypes.end() ? nullptr : &*found;
}

std::string of_tensor(const std::string& name) {
  std::string text = "the tensor ";
  return text += in_quotes(name);
}

// A list of whole numbers of the header, as it is read.
struct WholeNumbers {
  std::vector<std::uint64_t> numbers = {};
  bool given = false;
};

// {"NAME": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, …, "__metadata__": {"KEY": "TEXT"}}
class HeaderListener : public JsonListener {
 public:
  void scalar(json&& value) override {
    if (depth_ == 0) fail("must be an object");
    if (depth_ == 1) fail(where() + " must be an object of dtype, shape and data_offsets");
    if (in_metadata_) {
      if (!value.is_string()) fail("__metadata__ may hold only texts");
    } else if (depth_ == 3) {
      number(value);
    } else if (key_ == "dtype" && value.is_string()) {
      tensor_.dtype = value.get<std::string>();
    } else {
      fail(where() +
           (key_ == "dtype" ? ": dtype must be a text" : ": " + key_ + " must be a list of whole numbers"));
    }
  }
  void begin(bool array) override {
    const bool fits = depth_ < 2 ? !array : depth_ == 2 && array && !in_metadata_ && known();
    if (!fits && depth_ == 0) fail("must be an object");
    if (!fits && in_metadata_) fail("__metadata__ may hold only texts");
    if (!fits && depth_ == 1) fail(where() + " must be an object of dtype, shape and data_offsets");
    if (!fits) fail(where() + ": " + key_ + " holds a value that does not belong there");
    if (depth_ == 2) numbers().given = true;
    ++depth_;
  }
  void end() override {
    --depth_;
    if (depth_ == 1 && !std::exchange(in_metadata_, false)) end_tensor();
  }
  void key(std::string key) override {
    if (depth_ == 1) return begin_tensor(std::move(key));
    if (in_metadata_) return;
    key_ = std::move(key);
    const bool twice = key_ == "dtype" ? !tensor_.dtype.empty() : known() && numbers().given;
    if (key_ != "dtype" && !known()) fail(where() + " has an unexpected key " + in_quotes(key_));
    if (twice) fail(where() + " has " + key_ + " twice: keep one");
  }

  std::vector<SafeTensor> take() { return std::move(tensors_); }

 private:
  [[noreturn]] static void fail(const std::string& why) { throw Error(why); }
  std::string where() const { return of_tensor(tensor_.name); }
  bool known() const { return key_ == "shape" || key_ == "data_offsets"; }
  WholeNumbers& numbers() { return key_ == "shape" ? shape_ : offsets_; }

  void begin_tensor(std::string name) {
    if (name.size() > limits::kMostLabelBytes)
      fail("the name " + in_quotes(name) + " is longer than " + std::to_string(limits::kMostLabelBytes) +
           " bytes");
    in_metadata_ = name == "__metadata__";
    if (in_metadata_ && std::exchange(had_metadata_, true)) fail("__metadata__ is there twice: keep one");
    if (tensors_.size() == kMostTensors)
      fail("it has more than " + std::to_string(kMostTensors) + " tensors");
    tensor_ = {};
    tensor_.name = std::move(name);
    shape_ = offsets_ = {};
  }

  void number(const json& value) {
    std::vector<std::uint64_t>& list = numbers().numbers;
    if (!value.is_number_unsigned())
      fail(where() + ": " + key_ + " must hold whole numbers from 0 that fit into 64 bits");
    if (list.size() == (key_ == "shape" ? kMostAxes : 2))
      fail(where() + (key_ == "shape" ? " has more than " + std::to_string(kMostAxes) + " dimensions"
                                      : ": data_offsets must be two numbers, begin and end"));
    list.push_back(value.get<std::uint64_t>());
  }

  void end_tensor() {
    if (tensor_.dtype.empty() || !shape_.given || !offsets_.given)
      fail(where() + " lacks one of dtype, shape and data_offsets");
    if (offsets_.numbers.size() != 2) fail(where() + ": data_offsets must be two numbers, begin and end");
    const std::uint64_t begin = offsets_.numbers[0], end = offsets_.numbers[1];
    if (end < begin)
      fail(where() + " ends at byte " + std::to_string(end) + " and begins behind it, at " +
           std::to_string(begin));
    tensor_.offset = begin, tensor_.bytes = end - begin;
    tensor_.shape.assign(shape_.numbers.begin(), shape_.numbers.end());
    tensors_.push_back(std::move(tensor_));
  }

  std::vector<SafeTensor> tensors_;
  SafeTensor tensor_;
  WholeNumbers shape_, offsets_;
  std::string key_;
  std::size_t depth_ = 0;
  bool in_metadata_ = false, had_metadata_ = false;
};

// The product of the shape; none where it is too large to count. A size of 0 hides none that overflows.
std::optional<std::uint64_t> count_of(const std::vector<std::size_t>& shape) {
  std::uint64_t product = 1;
  bool empty = false;
  for (const std::uint64_t size : shape) {
    if (size == 0) empty = true;
    if (__builtin_mul_overflow(product, std::max<std::uint64_t>(size, 1), &product)) return std::nullopt;
  }
  return empty ? 0 : product;
}

// Its bytes are those that its shape takes; what is not read for other reasons is said.
void check_size(SafeTensor& tensor) {
  const Dtype* dtype = dtype_of(tensor.dtype);
  const auto count = count_of(tensor.shape);
  std::uint64_t bytes = 0;
  if (!count || (dtype && __builtin_mul_overflow(*count, dtype->bytes, &bytes)))
    throw Error(of_tensor(tensor.name) + ": its shape " + shape_text(tensor.shape) + " overflows");
  if (dtype && bytes != tensor.bytes)
    throw Error(of_tensor(tensor.name) + ": " + shape_text(tensor.shape) + " of " + tensor.dtype + " takes " +
                std::to_string(bytes) + " bytes, but its data_offsets give it " +
                std::to_string(tensor.bytes));
  if (!dtype || dtype->kind == 0)
    tensor.refusal =
        "its type " + in_quotes(tensor.dtype) + " is not read: save it as float32, float16 or bfloat16";
  else if (*count > limits::kMostNumbers)
    tensor.refusal = "its shape " + shape_text(tensor.shape) + " holds more than the " +
                     std::to_string(limits::kMostNumbers) + " numbers that are read";
}

void check_names(const std::vector<SafeTensor>& tensors) {
  std::vector<std::string_view> names;
  for (const SafeTensor& tensor : tensors) names.push_back(tensor.name);
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
    throw Error("there are two tensors named " + in_quotes(*twice));
}

// One behind the other from `begin` to the end of the file.
void check_places(std::vector<SafeTensor>& tensors, std::uint64_t begin, std::uint64_t file_size) {
  const std::uint64_t room = file_size - begin;
  for (const SafeTensor& tensor : tensors)
    if (tensor.offset > room || tensor.bytes > room - tensor.offset)
      throw Error(of_tensor(tensor.name) + " ends at byte " + std::to_string(tensor.offset + tensor.bytes) +
                  " of the numbers, but there are " + std::to_string(room));
  std::ranges::stable_sort(tensors, {}, [](const SafeTensor& t) { return std::pair(t.offset, t.bytes); });
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].offset < end)
      throw Error("the tensors " + in_quotes(tensors[i - 1].name) + " and " + in_quotes(tensors[i].name) +
                  " overlap");
    if (tensors[i].offset > end)
      throw Error("there is a hole of " + std::to_string(tensors[i].offset - end) + " bytes before " +
                  of_tensor(tensors[i].name));
    end = tensors[i].offset + tensors[i].bytes;
  }
  if (end != room)
    throw Error("its tensors take " + std::to_string(end) + " bytes, but there are " + std::to_string(room));
  for (SafeTensor& tensor : tensors) tensor.offset += begin;
}

// Where the header ends.
std::uint64_t header_end(const FilePieces& file) {
  std::array<std::byte, kLengthBytes> length{};
  if (file.size < kLengthBytes)
    throw Error("it ends inside the length of its header: byte " + std::to_string(file.size));
  file.read(0, length);
  const auto size = load_little<std::uint64_t>(length, 0);
  if (size > file.size - kLengthBytes)
    throw Error("its header would take " + std::to_string(size) + " bytes, but there are " +
                std::to_string(file.size - kLengthBytes));
  if (size > kMostHeader)
    throw Error("its header takes " + std::to_string(size) + " bytes: more than 16 MiB are not read");
  return kLengthBytes + size;
}

TextSource header_text(const FilePieces& file, std::uint64_t end) {
  return [&file, end, at = std::uint64_t{kLengthBytes}, piece = std::vector<std::byte>()]() mutable {
    piece.resize(std::min<std::uint64_t>(kTextPiece, end - at));
    file.read(at, piece);
    at += piece.size();
    return as_text(piece);
  };
}

Array numbers_of(const FilePieces& file, const SafeTensor& tensor) {
  const Dtype& dtype = *dtype_of(tensor.dtype);
  NpyHeader header{.kind = dtype.kind, .item_size = dtype.bytes, .shape = tensor.shape};
  header.count = tensor.bytes / dtype.bytes;
  std::uint64_t at = tensor.offset;
  const ByteSource source = [&](std::span<std::byte> out) {
    file.read(at, out);
    at += out.size();
  };
  return read_npy<float>(header, source, tensor.name == kTruthArray ? NumberAs::truth : NumberAs::rounded);
}

}  // namespace

std::vector<SafeTensor> list_safetensors(const FilePieces& file) {
  const std::uint64_t end = header_end(file);
  HeaderListener listener;
  try {
    read_json(header_text(file, end), listener);
  } catch (const Error& error) {
    throw Error(std::string("its header: ") + error.what());
  }
  std::vector<SafeTensor> tensors = listener.take();
  check_names(tensors);
  for (SafeTensor& tensor : tensors) check_size(tensor);
  check_places(tensors, end, file.size);
  return tensors;
}

NamedArrays read_safetensors(const FilePieces& file, std::span<const SafeTensor> tensors) {
  NamedArrays arrays;
  std::size_t numbers = 0;
  for (const SafeTensor& tensor : tensors) {
    if (!tensor.refusal.empty()) throw Error(of_tensor(tensor.name) + ": " + tensor.refusal);
    numbers += *count_of(tensor.shape);
    if (numbers > limits::kMostNumbers)
      throw Error(of_tensor(tensor.name) + ": with it there are more than the " +
                  std::to_string(limits::kMostNumbers) + " numbers that are read: choose fewer tensors");
  }
  for (const SafeTensor& tensor : tensors) arrays[tensor.name] = numbers_of(file, tensor);
  return arrays;
}

Array read_safetensor(const FilePieces& file, const std::string& name) {
  for (SafeTensor& tensor : list_safetensors(file))
    if (tensor.name == name) return std::move(read_safetensors(file, {&tensor, 1}).at(name));
  throw Error("there is no tensor " + in_quotes(name) + " in it");
}

}  // namespace attn
