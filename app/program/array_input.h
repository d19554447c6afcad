// Files of arrays as input of commands and of the window: layers in other tools' names, and another program's
// numbers.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/program/begun_file.h"
#include "app/program/input.h"
#include "core/io/dump.h"

namespace attn {

// "ignored exp, weights"; empty for nothing.
std::string note_of(const NamedArrays& left_out);

// A layer in another tool's names; what else is in the file is ignored, and noted.
Document layer_of_arrays(NamedArrays arrays, FileNotes* notes);

// Of a file that is no archive: those of safetensors that `request` has a use for, or a matrix whose file is
// named for what it is. None of any other file.
std::optional<NamedArrays> known_arrays(const BegunFile& begun, const DumpRequest& request = {});

// Another program's numbers with the layer that they are of; null where a file holds none. `change`: laid
// over the document of that layer. Throws Error naming the file.
std::shared_ptr<const Dump> read_given(const std::string& input,
                                       const std::function<void(Document&)>& change);

}  // namespace attn
