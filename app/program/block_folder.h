// BlockFolder: the numbers of large tensors in a folder, block by block, each block once, by its content.
// What is written after an edit is what the edit changed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/system/progress_callback.h"

namespace attn {

// Where a tensor stands in a document, the names of the blocks with its numbers, front to back, and the array
// of a file that it is still.
struct StoredTensor {
  std::string part, field;  // "layer", "x"
  Shape shape = {};
  std::vector<std::string> blocks = {};
  TensorOrigin origin = {};  // without a file where it is none
};

class BlockFolder {
 public:
  explicit BlockFolder(std::string folder) : folder_(std::move(folder)) {}
  const std::string& path() const { return folder_; }

  // Takes the large tensors out of `document`: they become what a new document has there. Writes the blocks
  // that are not in the folder yet. Throws Error(Fault::output).
  std::vector<StoredTensor> take_out(Document& document);
  // Removes the blocks that were not named last: once what names those is written.
  void drop_others() const;

 private:
  std::vector<std::string> keep(const Tensor& tensor);

  std::string folder_;
  std::map<TensorId, std::vector<std::string>> named_;  // by the last document's tensors
};

// Puts back what was taken out. Throws Error where a block is missing or damaged, or when it is given up.
void put_back(const std::string& folder, const std::vector<StoredTensor>& tensors, Document& document,
              const ProgressCallback& progress = {});

}  // namespace attn
