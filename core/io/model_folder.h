// A trained model as Hugging Face's libraries lay models out: a folder with the configuration, the parameters
// and the symbols.
#pragma once

#include <string>
#include <vector>

#include "core/learning/training.h"

namespace attn {

struct FolderFile {
  std::string name;
  std::vector<std::byte> bytes;
};

// config.json has the keys of their configurations for what they have, and `attention_lab` for what they have
// not: the task, the step, residual and scale. model.safetensors has PyTorch's names. vocab.json: the
// symbols' numbers. https://huggingface.co/docs/transformers/main_classes/configuration
std::vector<FolderFile> model_folder(const TrainingSpec& spec, const std::vector<Tensor>& parameters,
                                     std::size_t step);

}  // namespace attn
