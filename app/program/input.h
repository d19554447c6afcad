// What a person opens, on the command line or in the window: a session, a picture that carries one, an .npz
// or the name of a built-in example.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/io/dump.h"
#include "core/io/session.h"
#include "core/system/file_mark.h"
#include "core/system/progress_callback.h"

namespace attn {

struct Workspace;

// What is to be known of a file besides its document.
struct FileNotes {
  std::string left_out = {};  // what of it a layer has no use for, for a person
  FileMark mark = {};         // of the file as it was read
  std::string look = {};      // that a session carries; empty: none
};

// Whether numbers may stay in the file (core/system/mapped_file.h); not before a fork.
enum class FileUse { copied, mapped };

// What the file is, is told by its content. Throws Error(Fault::input) naming the file, the array and the
// reason. What it is not, it is not read to the end of.
Document read_document(const std::string& input, const ProgressCallback& progress = {},
                       FileNotes* notes = nullptr, FileUse use = FileUse::copied);

// Laid over a document that is opened with this look, which may be empty.
using StartChange = std::function<void(Document& document, const std::string& look)>;

// The same, of a document that every workspace can compute: what cannot is refused here, where the file's
// name is known. `change` is laid over it, as below.
Document open_document(const std::string& input, const ProgressCallback& progress = {},
                       const StartChange& change = {}, FileNotes* notes = nullptr,
                       FileUse use = FileUse::copied);

// The same for a command that computes or draws this workspace. A file of points stands in the first example,
// where the workspace shows points. `change` is laid over the document (the options of the command); an error
// that it alone causes is Fault::option, without the file's name.
Document open_document_in(const Workspace& workspace, const std::string& input,
                          const std::function<void(Document&)>& change = {}, FileNotes* notes = nullptr);

// The same, to be compared with layer `a`: of an archive, its matrices with the choices of `a`, and the
// results that it holds typed over their stages (core/io/foreign_layer.h).
Document open_compared(const std::string& input, const LayerSpec& a, const ProgressCallback& progress = {});

// The arrays of an .npz; those of .safetensors that `request` has a use for, and the one of an .npy or a
// table whose file is named for what it is (weights.npy); none of any other input. Throws Error(Fault::input)
// naming the file.
std::optional<NamedArrays> read_arrays(const std::string& input, const ProgressCallback& progress = {},
                                       const DumpRequest& request = {});

// The points of a file that holds points and nothing else; none of any other file. Throws
// Error(Fault::input) naming the file, the place and the reason, as for a number that is not finite.
std::optional<Tensor> read_points_input(const std::string& path, const ProgressCallback& progress = {});

// What the session at `path` may name its matrices by.
SessionFiles session_files(const std::string& path, FileUse use);

// The full path of a session file, which can be saved back to; empty for an archive, a picture or an example.
std::string session_path(const std::string& input);

// `path` itself where the working folder is gone.
std::string full_path(const std::string& path);

// What the window opens on the first time: numbers that can be read and followed, nothing switched on but the
// causal mask.
inline constexpr const char* kStartExample = "the-cat-sat-on-mat-causal";

// Two rows of two numbers, as nobody has asked for anything yet: X and its projections are identities.
Document new_document();

// What a file is called, and a work by the session, the archive, the picture or the example that it is from.
std::string file_name(const std::string& path);

// The names of the built-in examples.
std::vector<std::string> examples();
// A line about one, from assets/words/examples.md; empty: there is none.
std::string example_says(const std::string& name);
// The one that a document is, unedited; empty: none.
std::string example_of(const Document& document);

// "the-cat-sat-on-mat, three-tokens": for help and messages.
std::string example_names();

}  // namespace attn
