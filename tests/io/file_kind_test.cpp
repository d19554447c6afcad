// Files told by their first bytes; those that are refused say what to do, and the line that converts a pickle
// does.
#include "core/io/file_kind.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "core/io/npz.h"
#include "core/io/pickled.h"
#include "core/system/file.h"
#include "tests/app/scratch_folder.h"
#include "tests/io/io_testing.h"
#include "tests/io/zip_builder.h"

namespace attn::tests {
namespace {

FileKind kind_of_text(std::string_view text, std::string_view name = "file") {
  return kind_of(bytes_of(text), name);
}

TEST_CASE("files that are read are told by their content, whatever their names") {
  CHECK(kind_of(fixture("f4.npy"), "a.csv") == FileKind::npy);
  CHECK(kind_of(fixture("stored.npz"), "a.pt") == FileKind::npz);
  CHECK(kind_of(fixture("none.npz"), "a") == FileKind::npz);
  CHECK(kind_of(fixture("types.safetensors"), "a") == FileKind::safetensors);
  CHECK(kind_of_text("damaged", "a.SafeTensors") == FileKind::safetensors);
  CHECK(kind_of_text("\x89PNG\r\n\x1a\n") == FileKind::picture);
  CHECK(kind_of_text(" \n{\"format\"") == FileKind::session);
  CHECK(kind_of_text("1,2\n") == FileKind::text);
  CHECK(kind_of_text("\xef\xbb\xbf{") == FileKind::text);
  CHECK(kind_of_text("") == FileKind::empty);
  CHECK(refusal_of(FileKind::npz, {}, "a").empty());
}

TEST_CASE("files of other programs are refused with what they are and what to do") {
  using namespace std::string_view_literals;
  struct Foreign {
    std::string_view start;
    const char *what, *how;
  };
  for (const Foreign& f :
       {Foreign{"GGUF\3\0\0\0"sv, "GGUF", "safetensors"}, Foreign{"\x89HDF\r\n\x1a\n\0"sv, "HDF5", "h5py"},
        Foreign{"MATLAB 5.0 MAT-file, Platform"sv, "MATLAB", "loadmat"},
        Foreign{"PAR1\x15\0"sv, "Parquet", "to_csv"}, Foreign{"ARROW1\0\0"sv, "Arrow", "to_csv"},
        Foreign{"\x08\x07\x12\x07pytorch\0"sv, "ONNX", "numpy.savez"},
        Foreign{"\x1f\x8b\x08\0"sv, "gzip", "unpack"},
        Foreign{"\x80\x04\x95\x0f\0\0\0\0\0\0\0}"sv, "pickle", "python3 -c"},
        Foreign{"\0\0\0\0"sv, "none of the files", "npz"},
        Foreign{"PK\3\4..[Content_Types].xml"sv, "spreadsheet", "CSV"},
        Foreign{"PK\3\4..archive/data.pklFB"sv, "PyTorch", "torch.load"}, Foreign{""sv, "empty", "empty"}}) {
    CAPTURE(f.what);
    const std::vector<std::byte> start = bytes_of(f.start);
    CHECK(mentions(refusal_of(kind_of(start, "a b"), start, "a b"), {f.what, f.how}));
  }
}

TEST_CASE("a name is one word of the shell that converts it") {
  const std::string line = conversion_line(Pickle::torch, "it's $(touch x) `y`.pt");
  CHECK(line.ends_with(R"( 'it'\''s $(touch x) `y`.pt' 'it'\''s $(touch x) `y`.npz')"));
  CHECK(conversion_line(Pickle::torch, "a.d/model").ends_with(" 'a.d/model' 'a.d/model.npz'"));
  CHECK(conversion_line(Pickle::torch, "a\n.pt").ends_with(" 'FILE.pt' 'FILE.npz'"));
  // Between the double quotes nothing is the shell's.
  const std::string code = line.substr(12, line.find("\" '") - 12);
  CHECK(code.find_first_of("$`\"\\!") == std::string::npos);
}

// Whether python3, with `import`, runs this code in the folder.
bool runs(const ScratchFolder& folder, const std::string& code) {
  write_file(folder / "make.py", code);
  return std::system(("cd '" + folder / "" + "' && /usr/bin/python3 -B make.py").c_str()) == 0;
}

void check_converted(const ScratchFolder& folder, const std::string& name,
                     const std::vector<std::string>& arrays) {
  CAPTURE(name);
  const std::vector<std::byte> bytes = read_file(folder / name);
  CHECK(kind_of(bytes, name) == FileKind::pickle);
  const std::string line = conversion_line(pickle_in(bytes), folder / name);
  REQUIRE(std::system(("PATH=/usr/bin " + line).c_str()) == 0);  // the python3 that has the packages
  const auto read =
      parse_npz<float>(read_file((folder / name).substr(0, (folder / name).rfind('.')) + ".npz"));
  std::vector<std::string> names;
  for (const auto& [key, array] : read) names.push_back(key);
  CHECK(names == arrays);
  CHECK(read.begin()->second.values == std::vector<float>{1, 2.5f});
}

TEST_CASE("the line that converts a pickle of arrays does") {
  const ScratchFolder folder;
  REQUIRE(runs(
      folder,
      "import pickle, numpy\n"
      "for p in (2, 4):\n"
      "  pickle.dump({'q': numpy.array([1, 2.5])}, open(f'{p}.pkl', 'wb'), p)\n"
      "pickle.dump([numpy.array([1, 2.5]), {'b': (numpy.zeros(2), 'text')}], open('it\\'s.pkl', 'wb'))\n"));
  for (const char* name : {"2.pkl", "4.pkl"}) check_converted(folder, name, {"q"});
  check_converted(folder, "it's.pkl", {"0", "1.b.0"});
}

TEST_CASE("the line that converts a PyTorch file does, where torch is installed" *
          doctest::test_suite("long")) {
  const ScratchFolder folder;
  if (!runs(folder, "import importlib.util, sys\nsys.exit(importlib.util.find_spec('torch') is None)\n"))
    return;
  REQUIRE(runs(folder,
               "import torch\n"
               "t = torch.tensor([1, 2.5])\n"
               "model = {'q.weight': t.bfloat16().requires_grad_(), 'all': [t.double(), t]}\n"
               "torch.save({'epoch': 1, 'model': model}, 'checkpoint.pth')\n"
               "torch.save(t.half(), 'legacy.pt', _use_new_zipfile_serialization=False)\n"
               "m = torch.nn.LayerNorm(2); m.bias.data = t; m.weight.data = t\n"
               "torch.save(m, 'module.pt')\n"));
  check_converted(folder, "checkpoint.pth", {"model.all.0", "model.all.1", "model.q.weight"});
  check_converted(folder, "legacy.pt", {"array"});
  check_converted(folder, "module.pt", {"bias", "weight"});
}

}  // namespace
}  // namespace attn::tests
