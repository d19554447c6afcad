// Files told by their content, and documents that can be computed.
#include "app/program/input.h"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "app/program/array_input.h"
#include "app/program/begun_file.h"
#include "app/program/lesson_state.h"
#include "app/program/stack_input.h"
#include "app/workspaces/workspaces.h"
#include "core/document/limits.h"
#include "core/io/file_kind.h"
#include "core/io/foreign_layer.h"
#include "core/io/npz.h"
#include "core/io/png.h"
#include "core/io/points_file.h"
#include "core/io/svg.h"
#include "core/system/assets.h"
#include "core/system/error.h"
#include "core/text/text.h"

namespace attn {
namespace {

constexpr std::string_view kExampleEnding = ".json";

// A hundred thousand points take a few of these as text.
constexpr std::size_t kMostPointBytes = std::size_t{64} << 20;

bool begins_session(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && text[first] == '{';
}

// Which words show a file of points, where a layer was asked for.
std::string not_a_layer() {
  return "these are points and no layer: --workspace " +
         std::string(taking(workspaces(), ImportKind::points)->name) +
         " shows them, and regress estimates from them; of a layer give an .npz with q, k and v, or with x "
         "and "
         "its projections";
}

Document parse_document(BegunFile& begun, const ProgressCallback& progress, FileNotes* notes, FileUse use) {
  const std::string_view text = as_text(begun.bytes);
  std::string* const look = notes ? &notes->look : nullptr;
  const FileKind kind = kind_of(begun.bytes, begun.path);
  if (const std::string refusal = refusal_of(kind, begun.bytes, begun.path);
      !refusal.empty() && kind != FileKind::other)
    throw Error(refusal);
  // A zip file's first bytes are a local header's mark, or an empty one's end record's.
  if (text.starts_with("PK")) {
    const Bytes bytes = begun.whole_archive(progress, use);
    if (look_like_points(bytes)) throw Error(not_a_layer());
    NamedArrays left_out,
        arrays = parse_npz<float>(bytes, kTruthArray, {full_path(begun.path), begun.mapped});
    if (hold_stack(arrays)) return stack_of_arrays(std::move(arrays), notes);
    if (!hold_layer(arrays)) return layer_of_arrays(std::move(arrays), notes);
    Document document{.layers = {layer_from_arrays(std::move(arrays), &left_out)}};
    if (notes) notes->left_out = note_of(left_out);
    check_limits(document);
    return document;
  }
  std::string unread;
  if (kind == FileKind::safetensors)
    if (auto arrays = stack_in_safetensors(begun.path, &unread)) {
      Document document = stack_of_arrays(std::move(*arrays), notes);
      if (notes && !unread.empty()) notes->left_out += notes->left_out.empty() ? unread : "; " + unread;
      return document;
    }
  if (auto arrays = known_arrays(begun)) return layer_of_arrays(std::move(*arrays), notes);
  if (is_png(begun.bytes)) {
    begun.read_rest(progress);
    return read_session(session_in_png(begun.bytes, progress), look);
  }
  if (is_svg(begun.bytes)) {
    begun.read_rest(progress);
    return read_session(session_in_svg(begun.bytes, progress), look);
  }
  if (look_like_points(begun.bytes)) throw Error(not_a_layer());
  if (is_lesson_file(begun.path))
    throw Error("it is a lesson: --lesson plays it, and lessons --check says whether it holds");
  if (!begins_session(text))
    throw Error(
        "this is neither a session, nor a file of arrays (.npz, .npy, .safetensors), nor a picture (.png, "
        ".svg) "
        "that carries a session, nor points");
  return read_session(begun.text(progress), look, session_files(begun.path, use));
}

}  // namespace

std::optional<Tensor> read_points_input(const std::string& path, const ProgressCallback& progress) {
  auto begun = BegunFile::begin(path);
  if (!begun) return std::nullopt;
  const std::vector<std::byte>& bytes = begun->bytes;
  const bool archive = as_text(bytes).starts_with("PK");
  std::error_code unknown;
  if (archive && std::filesystem::file_size(path, unknown) > kMostPointBytes) return std::nullopt;
  if (archive) begun->read_rest(progress, kMostPointBytes);  // its list stands at the end
  if (!look_like_points(bytes)) return std::nullopt;
  if (!archive) begun->read_rest(progress, kMostPointBytes);
  try {
    return parse_points(bytes);
  } catch (const Error& error) {
    throw Error(path + ": " + error.what(), Fault::input);
  }
}

std::string session_path(const std::string& input) {
  try {
    const auto begun = BegunFile::begin(input);
    return begun && begins_session(as_text(begun->bytes)) ? full_path(input) : "";
  } catch (const Error&) {
    return {};
  }
}

SessionFiles session_files(const std::string& path, FileUse use) {
  return {std::filesystem::path(full_path(path)).parent_path().string(), use == FileUse::mapped};
}

std::string full_path(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path full = std::filesystem::absolute(path, failed);
  return failed ? path : full.string();
}

Document new_document() {
  Document document;
  LayerSpec& layer = document.layer();
  layer.x = layer.w_q = layer.w_k = layer.w_v = Tensor({1, 2, 2}, {1, 0, 0, 1});
  return document;
}

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

std::vector<std::string> examples() {
  std::vector<std::string> names;
  for (const Asset& file : example_files())
    if (file.name.ends_with(kExampleEnding))
      names.emplace_back(file.name.substr(0, file.name.size() - kExampleEnding.size()));
  return names;
}

std::string example_says(const std::string& name) {
  std::istringstream lines(asset_text(word_files(), "assets/words", "examples.md"));
  const std::string begin = "- " + name + ": ";
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(begin)) return line.substr(begin.size());
  return {};
}

std::string example_of(const Document& document) {
  static const std::vector<std::pair<std::string, Document>> all = [] {
    std::vector<std::pair<std::string, Document>> read;
    for (const std::string& name : examples()) read.emplace_back(name, read_document(name));
    return read;
  }();
  for (const auto& [name, example] : all)
    if (example == document) return name;
  return {};
}

std::string example_names() {
  std::string list;
  for (const std::string& name : examples()) list += (list.empty() ? "" : ", ") + name;
  return list;
}

namespace {

using Check = std::function<void(const Document&)>;  // throws where the document cannot be computed

// Why it cannot; empty when it can.
std::string fault_of(const Document& document, const Check& check) {
  try {
    check(document);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

// `document` is the input's.
Document changed(Document document, const std::string& input, const Check& check,
                 const std::function<void(Document&)>& change) {
  const Document as_given = document;
  try {
    if (change) change(document);
    check(document);
    return document;
  } catch (const Error& error) {
    // The file's fault only if it has the same without the change.
    if (fault_of(as_given, check) == error.what()) throw Error(input + ": " + error.what(), Fault::input);
    throw Error(error.what(), Fault::option);
  }
}

}  // namespace

Document open_document(const std::string& input, const ProgressCallback& progress, const StartChange& change,
                       FileNotes* notes, FileUse use) {
  FileNotes own;
  FileNotes& of = notes ? *notes : own;
  return changed(read_document(input, progress, &of, use), input, check_document, [&](Document& document) {
    if (change) change(document, of.look);
  });
}

Document open_compared(const std::string& input, const LayerSpec& a, const ProgressCallback& progress) {
  auto arrays = read_arrays(input, progress);
  if (!arrays) return open_document(input, progress);
  try {
    Document document = foreign_layer(a, std::move(*arrays));
    check_limits(document);
    check_document(document);
    return document;
  } catch (const Error& error) {
    throw Error(input + ": " + error.what(), Fault::input);
  }
}

Document open_document_in(const Workspace& workspace, const std::string& input,
                          const std::function<void(Document&)>& change, FileNotes* notes) {
  if (auto dump = workspace.takes == ImportKind::layer ? read_given(input, change) : nullptr) {
    Document document;
    View view;
    workspace.take(document, view, {.dump = std::move(dump), .path = full_path(input)});
    return document;
  }
  const auto points = workspace.takes == ImportKind::points ? read_points_input(input) : std::nullopt;
  const auto build = [&](const Document& document) { workspace.build(document, kLayerA); };
  if (!points) return changed(read_document(input, {}, notes), input, build, change);
  Document document = read_document(kStartExample);
  View view;
  workspace.take(document, view, {.points = *points});
  return changed(std::move(document), input, build, change);
}

Document read_document(const std::string& input, const ProgressCallback& progress, FileNotes* notes,
                       FileUse use) {
  std::error_code ignored;
  if (!std::filesystem::exists(input, ignored)) {
    const std::vector<std::string> names = examples();
    for (const std::string& name : names)
      if (name == input)
        return parse_session(
            asset_text(example_files(), "assets/examples", name + std::string(kExampleEnding)),
            notes ? &notes->look : nullptr);
    const std::string nearest = nearest_word(input, names);
    throw Error(input + ": there is no such file" +
                (nearest.empty() ? "; the built-in examples are " + example_names()
                                 : "; did you mean the built-in example " + nearest + "?"));
  }
  BegunFile begun(input);
  try {
    Document document = parse_document(begun, progress, notes, use);
    if (notes) notes->mark = begun.mark();
    return document;
  } catch (const Error& error) {
    const std::string said = error.what();  // a file of arrays may have said already which it is
    throw Error(said.starts_with(input + ": ") ? said : input + ": " + said);
  }
}

}  // namespace attn
