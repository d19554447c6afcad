// The one file of measurements: read, changed and written whole.
#include "core/measure/measure_store.h"

#include <algorithm>
#include <filesystem>

#include "core/measure/measure_file.h"
#include "core/system/error.h"
#include "core/system/file.h"

namespace attn {
namespace {

bool same(const Measured& measured, const MeasuredDevice& device, const MeasureShape& shape) {
  return measured.device == device && measured.shape == shape;
}

std::vector<Measured> read_all(const std::string& file, std::string& note) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return {};
  try {
    std::vector<std::byte> bytes;
    FileReader(file).read_rest(bytes, kMostMeasuredBytes);
    return read_measured({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  } catch (const Error& error) {
    note =
        std::string(error.what()) + " (" + file + "); they are left out, and measuring again replaces them";
    return {};
  }
}

}  // namespace

std::optional<Measured> MeasureStore::find(const MeasuredDevice& device, const MeasureShape& shape,
                                           std::string& note) const {
  if (folder_.empty()) return std::nullopt;
  for (Measured& measured : read_all(file(), note))
    if (same(measured, device, shape)) return std::move(measured);
  return std::nullopt;
}

std::string MeasureStore::keep(const Measured& measured) const {
  if (folder_.empty() || measured.points.empty()) return {};
  std::string ignored;
  std::vector<Measured> all = read_all(file(), ignored);
  const auto before = std::ranges::find_if(
      all, [&](const Measured& other) { return same(other, measured.device, measured.shape); });
  if (before != all.end()) {
    if (before->points.size() > measured.points.size()) return {};
    all.erase(before);
  }
  all.insert(all.begin(), measured);
  if (all.size() > kMostMeasured) all.resize(kMostMeasured);
  try {
    std::string text = write_measured(all);
    while (text.size() > kMostMeasuredBytes && all.size() > 1) {
      all.pop_back();
      text = write_measured(all);
    }
    make_private_folder(folder_);
    write_file(file(), text, Readers::owner);
  } catch (const Error& error) {
    return std::string("the measurements are not kept: ") + error.what();
  }
  return {};
}

}  // namespace attn
