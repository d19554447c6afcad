// Refuses what exceeds a limit, with an error that names the limit.
#include "core/graph/limits.h"

#include "core/system/error.h"

namespace attn {

void check_text(const std::string& path, std::string_view text) {
  if (text.size() > limits::kMostLabelBytes)
    throw Error(path + " " + "is longer than " + std::to_string(limits::kMostLabelBytes) + " bytes");
}

void check_label_count(const std::string& path, std::size_t count) {
  if (count > limits::kMostLabels)
    throw Error(path + " " + "has more than " + std::to_string(limits::kMostLabels) + " labels");
}

void check_number_count(std::size_t count) {
  if (count > limits::kMostNumbers)
    throw Error("the matrices hold more than the " + std::to_string(limits::kMostNumbers) +
                " numbers that a document may have: use fewer tokens or heads");
}

void check_text_bytes(std::size_t bytes) {
  if (bytes > limits::kMostTextBytes)
    throw Error("the labels take more than " + std::to_string(limits::kMostTextBytes >> 20) +
                " MiB: use shorter ones");
}

void check_override_count(std::size_t count) {
  if (count > limits::kMostOverrides)
    throw Error("more than " + std::to_string(limits::kMostOverrides) +
                " computed numbers are typed over: remove some overrides first");
}

}  // namespace attn
