// A block is a file of floats as this machine has them, called by the hash of its bytes.
#include "app/program/block_folder.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>

#include "core/document/document_fields.h"
#include "core/document/limits.h"
#include "core/system/content_hash.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLarge = 4096;                    // numbers; smaller ones are text
constexpr std::size_t kOfBlock = std::size_t{1} << 18;  // numbers: 1 MiB

// Calls visit(part, field, tensor, usual) for every tensor of a (const) document and what a new one has.
template <class AnyDocument, class Visit>
void visit_with_usual(AnyDocument& document, Visit&& visit) {
  visit_all(document, [&](std::string_view part, auto& fields) {
    const std::remove_cvref_t<decltype(fields)> usual;
    visit_fields(of<std::remove_cvref_t<decltype(fields)>>, [&](const auto& field, auto member) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, TensorField>)
        visit(part, text_of(field).key, fields.*member, usual.*member);
    });
  });
}

bool is_name(const std::string& text) {
  return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

// `between` is called between two blocks, and may throw.
Tensor read_tensor(const std::string& folder, const StoredTensor& kept,
                   const std::function<void()>& between) {
  const auto [stack, rows, columns] = kept.shape;
  const std::size_t most = limits::kMostNumbers;
  if (stack > most || rows > most || columns > most || rows * columns > most || stack * rows * columns > most)
    throw Error("the recovery's " + kept.part + "." + kept.field + " is too large");
  std::vector<float> values(kept.shape.size());
  std::size_t at = 0;  // bytes
  for (const std::string& name : kept.blocks) {
    between();
    const std::vector<std::byte> bytes =
        is_name(name) ? read_file(folder + "/" + name) : std::vector<std::byte>();
    if (bytes.size() > values.size() * sizeof(float) - at || content_hash(bytes) != name)
      throw Error(folder + "/" + name + " is damaged");
    std::memcpy(reinterpret_cast<std::byte*>(values.data()) + at, bytes.data(), bytes.size());
    at += bytes.size();
  }
  if (at != values.size() * sizeof(float)) throw Error("numbers are missing in " + folder);
  if (kept.origin.file.empty()) return {kept.shape, std::move(values)};
  return {kept.shape, std::move(values), std::make_shared<const TensorOrigin>(kept.origin)};
}

}  // namespace

// A tensor that was there is not hashed again; its blocks are looked for all the same, as the folder may have
// been removed.
std::vector<std::string> BlockFolder::keep(const Tensor& tensor) {
  const auto known = named_.find(tensor.id());
  std::vector<std::string> names = known == named_.end() ? std::vector<std::string>() : known->second;
  const std::span<const float> values = tensor.values();
  for (std::size_t i = 0; i * kOfBlock < values.size(); ++i) {
    const std::size_t start = i * kOfBlock;
    const auto bytes = std::as_bytes(values.subspan(start, std::min(kOfBlock, values.size() - start)));
    if (i == names.size()) names.push_back(content_hash(bytes));
    const std::string file = folder_ + "/" + names[i];
    std::error_code unknown;
    if (fs::exists(file, unknown)) continue;
    make_private_folder(folder_);
    write_file(file, bytes, Readers::owner);
  }
  return names;
}

std::vector<StoredTensor> BlockFolder::take_out(Document& document) {
  std::vector<StoredTensor> kept;
  std::map<TensorId, std::vector<std::string>> named;
  visit_with_usual(document,
                   [&](std::string_view part, std::string_view field, Tensor& tensor, const Tensor& usual) {
                     if (tensor.shape().size() < kLarge) return;
                     const std::vector<std::string>& names = named[tensor.id()] = keep(tensor);
                     kept.push_back({std::string(part), std::string(field), tensor.shape(), names,
                                     tensor.origin() ? *tensor.origin() : TensorOrigin()});
                     tensor = usual;
                   });
  named_ = std::move(named);
  return kept;
}

void BlockFolder::drop_others() const {
  std::set<std::string> used;
  for (const auto& [id, names] : named_) used.insert(names.begin(), names.end());
  std::error_code failed;
  std::vector<fs::path> others;
  for (fs::directory_iterator it(folder_, failed); !failed && it != fs::directory_iterator();
       it.increment(failed))
    if (const std::string name = it->path().filename(); is_name(name) && !used.contains(name))
      others.push_back(it->path());
  for (const fs::path& file : others) fs::remove(file, failed);
  if (used.empty()) fs::remove(folder_, failed);  // where nothing else is in it
}

void put_back(const std::string& folder, const std::vector<StoredTensor>& tensors, Document& document,
              const ProgressCallback& progress) {
  std::size_t blocks = 0, read = 0;
  for (const StoredTensor& kept : tensors) blocks += kept.blocks.size();
  const auto between = [&] { go_on(progress, static_cast<double>(read++) / static_cast<double>(blocks)); };
  visit_with_usual(document,
                   [&](std::string_view part, std::string_view field, Tensor& tensor, const Tensor&) {
                     for (const StoredTensor& kept : tensors)
                       if (kept.part == part && kept.field == field)
                         tensor = read_tensor(folder, kept, between);
                   });
}

}  // namespace attn
