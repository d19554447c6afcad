// Arrays by the names that tools give them.
#include "app/program/array_input.h"

#include <algorithm>
#include <utility>

#include "core/document/limits.h"
#include "core/io/array_file.h"
#include "core/io/file_kind.h"
#include "core/io/npz.h"
#include "core/system/error.h"

namespace attn {

std::string note_of(const NamedArrays& left_out) {
  std::string names;
  for (const auto& [name, array] : left_out) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "" : "ignored " + names;
}

Document layer_of_arrays(NamedArrays arrays, FileNotes* notes) {
  Dump dump = read_dump(std::move(arrays));
  Document document{.layers = {std::move(dump.layer)}};
  std::string ignored;
  for (const ArrayMeaning& array : dump.names)
    if (array.meaning.empty() || std::ranges::count(dump.stages, array.meaning, &GivenStage::id) > 0)
      ignored += (ignored.empty() ? "ignored " : ", ") + array.name;
  if (notes) notes->left_out = ignored;
  check_limits(document);
  return document;
}

std::optional<NamedArrays> known_arrays(const BegunFile& begun, const DumpRequest& request) {
  const FileKind kind = kind_of(begun.bytes, begun.path);
  const bool named = (kind == FileKind::npy || kind == FileKind::text) && names_an_array(begun.path);
  if (kind != FileKind::safetensors && !named) return std::nullopt;
  return std::move(read_array_file(begun.path, wanted_arrays(request))->numbers);
}

std::optional<NamedArrays> read_arrays(const std::string& input, const ProgressCallback& progress,
                                       const DumpRequest& request) {
  auto begun = BegunFile::begin(input);
  if (!begun) return std::nullopt;
  if (kind_of(begun->bytes, input) != FileKind::npz) return known_arrays(*begun, request);
  try {
    begun->read_rest(progress);
    return parse_npz<float>(begun->bytes, kTruthArray);
  } catch (const Error& error) {
    throw Error(input + ": " + error.what(), Fault::input);
  }
}

std::shared_ptr<const Dump> read_given(const std::string& input,
                                       const std::function<void(Document&)>& change) {
  const DumpRequest request{.change = [&](LayerSpec& layer) {
    Document document{.layers = {layer}};
    if (change) change(document);
    layer = std::move(document.layer());
  }};
  auto arrays = read_arrays(input, {}, request);
  if (!arrays) return nullptr;
  try {
    auto dump = std::make_shared<const Dump>(read_dump(std::move(*arrays), request));
    return dump->stages.empty() ? nullptr : std::move(dump);
  } catch (const Error& error) {
    if (error.fault() == Fault::option) throw;
    throw Error(input + ": " + error.what(), Fault::input);
  }
}

}  // namespace attn
