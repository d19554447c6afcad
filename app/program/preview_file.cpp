// Which arrays of a file are read, and what they mean together.
#include "app/program/preview_file.h"

#include <utility>

#include "app/program/begun_file.h"
#include "app/program/stack_input.h"
#include "core/document/layer_plan.h"
#include "core/document/limits.h"
#include "core/io/pickled.h"
#include "core/system/error.h"

namespace attn {
namespace {

// A matrix whose name says nothing is one of points, as the workspace of kernels has them.
bool is_points(const ArrayFile& file) {
  const ListedArray& only = file.arrays.front();
  return file.arrays.size() == 1 && file.format != "npz" && file.format != "safetensors" &&
         only.shape.size() <= 2 && file.numbers.empty();
}

Dump checked_dump(NamedArrays arrays, DumpRequest request, const LayerSpec& open) {
  request.layer = open;
  Dump dump = read_dump(std::move(arrays), request);
  const Document document{.layers = {dump.layer}};
  check_limits(document);
  build_layer(document);
  return dump;
}

// What nobody should run: it is said what to do, and nothing is opened.
std::optional<ArrayPreview> preview_pickle(const std::string& path) {
  const auto begun = BegunFile::begin(path);
  const Pickle pickle = begun ? pickle_in(begun->bytes) : Pickle::none;
  if (pickle == Pickle::none) return std::nullopt;
  return ArrayPreview{.open = true,
                      .path = path,
                      .format = "a pickle",
                      .error = pickle_refusal(pickle, path),
                      .line = conversion_line(pickle, path)};
}

}  // namespace

std::optional<ArrayPreview> preview_file(const std::string& path, const ArrayChoices& choices,
                                         const LayerSpec& open) {
  if (auto pickle = preview_pickle(path)) return pickle;
  const DumpRequest request{.names = choices.names, .batch = choices.batch};
  bool stack = false;
  const auto wanted = [&, others = wanted_arrays(request)](const std::vector<ListedArray>& arrays) {
    stack = hold_stack(arrays);
    return stack ? std::vector<std::string>() : others(arrays);
  };
  auto file = read_array_file(path, wanted, true);
  if (stack || !file || file->arrays.empty() || is_points(*file)) return std::nullopt;
  ArrayPreview preview{.open = true,
                       .path = path,
                       .format = file->format,
                       .arrays = std::move(file->arrays),
                       .choices = choices};
  try {
    preview.dump = std::make_shared<const Dump>(checked_dump(std::move(file->numbers), request, open));
  } catch (const Error& error) {
    preview.error = error.what();
  }
  return preview;
}

}  // namespace attn
