// A file with another program's attention: its arrays, told by the names that tools give them, as a layer and
// the stages that were computed of it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/diagnosis/given.h"
#include "core/io/layer_npz.h"
#include "core/io/name_choice.h"

namespace attn {

// What an array was taken for.
struct ArrayMeaning {
  std::string name;                     // in the file
  std::vector<std::size_t> shape = {};  // there
  // Of a layer's tensors or stages ("w_q", "weights"), "qkv" for a packed weight or bias, "lengths", "heads"
  // and other numbers that choose; empty: not needed.
  std::string meaning = {};
  bool transposed = false;   // on reading: out×in, as PyTorch has weights
  std::string layout = {};   // of its axes where they were moved: "nhd", "bhnd"; empty: as ours
  std::string refused = {};  // why it is not used though its name is known: its shape
};

struct DumpRequest {
  // In place of what a name would mean: "NAME=MEANING", with .T behind a weight that is to be transposed and
  // :nhd for other axes; an empty meaning: not needed. As `--names` takes them.
  std::vector<std::string> names = {};
  std::size_t batch = 0;  // which one of a batch axis
  // The layer that stages are of where the file has no inputs; none: the file must have them.
  std::optional<LayerSpec> layer = {};
  std::function<void(LayerSpec&)> change = {};  // options laid over the layer that shapes tell; may be empty
};

struct Dump {
  LayerSpec layer;                       // ours: inputs, and what shapes and numbers of the file tell
  std::vector<GivenStage> stages = {};   // yours, in the order of a layer
  std::vector<ArrayMeaning> names = {};  // in the order of the file
  std::size_t batches = 1;               // along the batch axis; 1: none, or one alone
  std::vector<std::string> notes = {};   // what was decided, for a person
};

// Throws Error naming the array and the reason where no layer comes of it; an array of a known name whose
// shape does not fit is refused by name, and the rest goes on.
Dump read_dump(NamedArrays arrays, const DumpRequest& request = {});

// Of the arrays of these names those that read_dump has a use for, as far as names tell: of several
// attentions those of the first. A file that holds gigabytes need not be read for more.
std::vector<std::string> arrays_to_read(std::span<const std::string> names, const DumpRequest& request = {});

// The words of ArrayMeaning::meaning that a person may choose from.
std::vector<std::string> dump_meanings();
// Whether one is a stage, which is checked.
bool is_stage_meaning(std::string_view meaning);
// As --names and CheckSpec::names say it.
NameChoice choice_of(const ArrayMeaning& meaning);

}  // namespace attn
