// Names as objects, and the files that they lead to.
#include "core/io/session_named.h"

#include <algorithm>
#include <filesystem>

#include "core/document/limits.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn::session {
namespace {

namespace fs = std::filesystem;

constexpr const char *kFile = "file", *kArray = "array", *kShape = "shape", *kDigest = "digest";

// What an object says.
struct Name {
  std::string file, array, digest;
  std::vector<std::size_t> shape;

  // "the array "w_q" of weights.npz".
  std::string words() const { return (array.empty() ? "" : "the array " + in_quotes(array) + " of ") + file; }
};

Name read_name(const json& value, const std::string& path) {
  Name name;
  ObjectReader object(value, path);
  read(object.need(kFile), object.path(kFile), name.file);
  if (const json* array = object.find(kArray)) read(*array, object.path(kArray), name.array);
  if (const json* digest = object.find(kDigest)) read(*digest, object.path(kDigest), name.digest);
  if (const json* shape = object.find(kShape)) read(*shape, object.path(kShape), name.shape);
  object.refuse_unknown();
  return name;
}

// stack × rows × columns of as many numbers; axes that are left out are 1.
std::optional<Shape> shape_of(std::vector<std::size_t> sizes, std::size_t count) {
  if (sizes.empty() || sizes.size() > 3 || count == 0) return std::nullopt;
  sizes.insert(sizes.begin(), 3 - sizes.size(), 1);
  for (const std::size_t size : sizes)
    if (size == 0 || size > limits::kMostNumbers) return std::nullopt;
  const Shape shape{sizes[0], sizes[1], sizes[2]};
  if (shape.rows * shape.columns > limits::kMostNumbers || shape.size() != count) return std::nullopt;
  return shape;
}

// The first is where it says, the other beside the session.
std::vector<std::string> places(const std::string& folder, const std::string& file) {
  std::vector<std::string> places{(fs::path(folder) / file).lexically_normal().string()};
  const std::string beside = (fs::path(folder) / fs::path(file).filename()).lexically_normal().string();
  if (beside != places[0]) places.push_back(beside);
  return places;
}

}  // namespace

std::string NamedTensors::name_of(const Tensor& tensor) {
  const TensorOrigin* origin = tensor.origin();
  if (!origin || files_.folder.empty() || tensor.shape().size() < kNumbersNamed) return {};
  try {
    if (arrays_.read(origin->file, origin->array).origin->digest != origin->digest) return {};
  } catch (const Error&) {
    return {};
  }
  named_ = true;
  std::error_code unknown;
  const fs::path near = fs::relative(origin->file, files_.folder, unknown);
  const Shape shape = tensor.shape();
  std::string text = "{\"file\": " + json_string(near.empty() ? origin->file : near.string());
  if (!origin->array.empty()) text += ", \"array\": " + json_string(origin->array);
  text += ", \"shape\": [" + std::to_string(shape.stack) + ", " + std::to_string(shape.rows) + ", " +
          std::to_string(shape.columns) + "]";
  return text + ", \"digest\": " + json_string(origin->digest) + "}";
}

Tensor NamedTensors::find(const json& named, const std::string& path) {
  const Name name = read_name(named, path);
  if (files_.folder.empty())
    fail(path, "names " + name.file + ": only a session that is a file may name others");
  std::string why;
  for (const std::string& place : places(files_.folder, name.file)) {
    std::error_code unknown;
    if (!fs::is_regular_file(place, unknown)) continue;
    try {
      Array array = arrays_.read(place, name.array);
      if (!name.digest.empty() && array.origin->digest != name.digest) {
        why =
            "which holds other numbers than when the session was saved: put the file back as it was, there "
            "or "
            "beside the session; to take the numbers of now, leave its \"digest\" out of the session";
        continue;
      }
      const auto shape = shape_of(name.shape.empty() ? array.shape : name.shape, array.numbers().size());
      if (!shape) {
        why = "which has the shape " + shape_text(array.shape);
        continue;
      }
      if (array.keeper) return {*shape, array.mapped, array.keeper, array.origin};
      return {*shape, std::move(array.values), array.origin};
    } catch (const Error& error) {
      if (why.empty()) why = std::string("which cannot be read: ") + error.what();
    }
  }
  if (why.empty())
    why = "which is neither there nor beside the session: put the file back, or beside the session";
  fail(path, "is " + name.words() + ", " + why);
}

}  // namespace attn::session
