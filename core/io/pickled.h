// Python's pickles, PyTorch's .pt and .pth among them: programs that make objects, which nobody else should
// run. They are known by their content and refused with the line that makes an .npz of them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace attn {

// `start`: the first bytes of a file.
enum class Pickle { none, torch, other };
Pickle pickle_in(std::span<const std::byte> start);

// Which file to convert, as a line for a shell: it takes state dicts, modules, lists and dicts of tensors,
// however deep, and names what is deep by its path ("model.encoder.weight").
std::string conversion_line(Pickle pickle, std::string_view path);

// The whole message.
std::string pickle_refusal(Pickle pickle, std::string_view path);

}  // namespace attn
