// A file of arrays as it is looked at before it is opened: what was understood, changed by a click, a batch
// that is turned, taken by Enter, left by Esc.
#include <cstring>
#include <fstream>

#include "core/compare/figures.h"
#include "core/kernels/graph.h"
#include "tests/app/check_lab.h"
#include "tests/app/scratch_folder.h"

using namespace attn;
using namespace attn::tests;

namespace {

using Members = std::vector<std::pair<std::string, std::vector<std::byte>>>;
using Lengths = std::vector<std::size_t>;

// A layer of 4 heads with the weights that it computes without its scale, `copies` times along a batch axis.
Members dump_members(std::size_t copies = 1) {
  LayerSpec theirs = unscaled(checked_layer());
  theirs.tokens.clear();
  Members members;
  const auto add = [&](const char* name, const Tensor& tensor, Lengths shape, std::size_t times) {
    std::vector<float> numbers;
    if (times > 1) shape.insert(shape.begin(), times);
    for (std::size_t i = 0; i < times; ++i)
      for (const float value : tensor.values()) numbers.push_back(value + static_cast<float>(i));
    members.emplace_back(name, write_npy(shape, numbers));
  };
  add("x", theirs.x, {5, 16}, copies);
  add("w_q", theirs.w_q, {16, 16}, 1), add("w_k", theirs.w_k, {16, 8}, 1);
  add("w_v", theirs.w_v, {16, 8}, 1), add("w_o", theirs.w_o, {16, 16}, 1);
  add("attn_probs", evaluated({.layers = {theirs}}).output("weights"), {4, 5, 5}, copies);
  return members;
}

class PreviewLab : public Headless {
 public:
  explicit PreviewLab(Document document = read_document(kStartExample))
      : Headless({.document = std::move(document)}) {}
  const ArrayPreview& preview() { return view().overlays.preview; }
  void drop(const std::string& path) {
    app().dropped({path});
    look();
  }
  void press(const std::string& id) {
    const auto box = item(id);
    INFO(id);
    REQUIRE(box);
    click(centre(*box));
    look();
  }
  void press_key(int code, Modifiers modifiers = {}) {
    key(code, modifiers);
    look();
  }
  const ArrayMeaning* meaning(const std::string& name) {
    REQUIRE(preview().dump);
    const auto& names = preview().dump->names;
    const auto found = std::ranges::find(names, name, &ArrayMeaning::name);
    return found == names.end() ? nullptr : &*found;
  }

 private:
  // What was read is on screen, and computed.
  void look() {
    frame();
    app().wait_for_reading(std::chrono::seconds(10));
    settle();
    frames(3);
  }
};

std::string write_dump_file(const ScratchFolder& folder, const Members& members) {
  const std::string path = folder / "dump.npz";
  write_file(path, write_npz(members));
  return path;
}

// https://huggingface.co/docs/safetensors: the length of a header of JSON, the header, the numbers.
void write_tensors(const std::string& path, const std::vector<std::string>& names) {
  std::string header = "{", numbers;
  for (const std::string& name : names) {
    const std::size_t at = numbers.size();
    for (const float value : {1.0f, 0.0f, 0.0f, 1.0f})
      numbers.append(reinterpret_cast<const char*>(&value), sizeof value);
    header += (at == 0 ? "\"" : ",\"") + name + R"(":{"dtype":"F32","shape":[2,2],"data_offsets":[)" +
              std::to_string(at) + "," + std::to_string(numbers.size()) + "]}";
  }
  header += "}";
  const std::uint64_t length = header.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  std::ofstream(path, std::ios::binary) << bytes << header << numbers;
}

}  // namespace

TEST_CASE("a dropped dump says what it was taken for and replaces nothing yet; Esc leaves everything") {
  const ScratchFolder folder;
  PreviewLab lab;
  const Document before = lab.document();
  lab.drop(write_dump_file(folder, dump_members()));
  CHECK(lab.preview().open);
  CHECK(lab.document() == before);
  CHECK(lab.shows("Open dump.npz"));
  CHECK(lab.shows("npz, 6 arrays"));
  CHECK(lab.find_text("attn_probs"));
  CHECK(lab.find_text("weights"));
  CHECK(lab.shows("a layer: 4 heads over 2, 5 tokens; another program’s numbers: weights"));
  CHECK(lab.find_text("Check it"));
  lab.press_key(GLFW_KEY_ESCAPE);
  CHECK_FALSE(lab.preview().open);
  CHECK(lab.document() == before);
  CHECK(lab.app().history().steps().size() == 1);
}

TEST_CASE("Enter checks the dump in Compare with its names, and one step of undo goes back") {
  const ScratchFolder folder;
  PreviewLab lab;
  const Document before = lab.document();
  const std::string path = write_dump_file(folder, dump_members());
  lab.drop(path);
  lab.press_key(GLFW_KEY_ENTER);
  CHECK_FALSE(lab.preview().open);
  CHECK(lab.app().workspace().name == kComparePlan.name);
  const CheckSpec& check = lab.document().check;
  CHECK(check.on);
  CHECK(check.file == std::vector<std::string>{path});
  CHECK(std::ranges::count(check.names, "attn_probs=weights") == 1);
  REQUIRE(given_stages(check).size() == 1);
  CHECK(given_stages(check)[0].id == "weights");
  CHECK(lab.document().layer().heads == 4);
  CHECK(lab.shows("first difference"));
  CHECK(lab.app().title() == "dump.npz – Attention Lab");
  lab.press_key(GLFW_KEY_Z, {.control = true});
  CHECK(lab.document() == before);
}

TEST_CASE("a click gives an array another meaning; what no layer comes of is said and not taken") {
  const ScratchFolder folder;
  PreviewLab lab;
  const Document before = lab.document();
  lab.drop(write_dump_file(folder, dump_members()));
  REQUIRE(lab.meaning("attn_probs"));
  CHECK(lab.meaning("attn_probs")->meaning == "weights");
  lab.press("attn_probs/meaning");
  lab.press("not needed");
  CHECK(lab.preview().open);
  CHECK(lab.preview().choices.names == std::vector<std::string>{"attn_probs="});
  // The weights alone said that there are 4 heads, over 2.
  CHECK_FALSE(lab.preview().dump);
  CHECK_FALSE(lab.preview().error.empty());
  CHECK_FALSE(lab.find_text("Check it"));
  lab.press_key(GLFW_KEY_ENTER);
  CHECK(lab.document() == before);
}

TEST_CASE("of a batch of three the one that is turned to is opened") {
  const ScratchFolder folder;
  PreviewLab lab;
  lab.drop(write_dump_file(folder, dump_members(3)));
  CHECK(lab.find_text("batch 0 of 3"));
  lab.press("batch before");  // there is none
  CHECK(lab.preview().choices.batch == 0);
  lab.press("batch after");
  lab.press("batch after");
  CHECK(lab.find_text("batch 2 of 3"));
  lab.press("batch after");
  CHECK(lab.preview().choices.batch == 2);
  lab.press("check");
  REQUIRE(lab.document().check.on);
  CHECK(lab.document().layer().x[{0, 0, 0}] == checked_layer().x[{0, 0, 0}] + 2);
}

TEST_CASE("tensors of .safetensors are listed with their shapes") {
  const ScratchFolder folder;
  const std::string path = folder / "model.safetensors";
  write_tensors(path, {"x", "w_q", "w_k", "w_v", "step"});
  PreviewLab lab;
  lab.drop(path);
  CHECK(lab.preview().open);
  CHECK(lab.shows("safetensors, 5 arrays"));
  CHECK(lab.find_text("w_q"));
  CHECK(lab.find_text("F32 2×2"));
  CHECK(lab.find_text("step"));
  lab.press("open");
  CHECK(lab.document().layer().w_q == Tensor({1, 2, 2}, {1, 0, 0, 1}));
  CHECK_FALSE(lab.document().check.on);
}

TEST_CASE("a .pt is refused with the line that converts it") {
  const ScratchFolder folder;
  const std::string path = folder / "model.pt";
  write_file(path,
             std::string("PK\x03\x04") + std::string(26, '\0') + "archive/data.pkl");  // as torch.save begins
  PreviewLab lab;
  const Document before = lab.document();
  lab.drop(path);
  REQUIRE(lab.preview().open);
  INFO(lab.preview().error);
  CHECK(lab.preview().error.find("model.pt") != std::string::npos);
  lab.click_item("copy line");
  CHECK(std::string(ImGui::GetClipboardText()) == lab.preview().line);
  CHECK(lab.preview().line.find("torch.load") != std::string::npos);
  lab.key(GLFW_KEY_ENTER);  // nothing can be opened
  CHECK(lab.document() == before);
  lab.key(GLFW_KEY_ESCAPE);
  CHECK_FALSE(lab.preview().open);
}

TEST_CASE("a table of points goes into Kernels as before") {
  const ScratchFolder folder;
  const std::string path = folder / "points.csv";
  std::ofstream(path) << "x,y\n1,2\n3,4\n8,1\n";
  PreviewLab lab;
  lab.drop(path);
  CHECK_FALSE(lab.preview().open);
  CHECK(lab.app().workspace().name == kKernelsPlan.name);
  CHECK(lab.document().kernels.points == Tensor({1, 3, 2}, {1, 2, 3, 4, 8, 1}));
}

TEST_CASE("numbers without inputs are held against the layer that is open") {
  const ScratchFolder folder;
  LayerSpec ours = checked_layer();
  const Results theirs = evaluated({.layers = {unscaled(ours)}});
  Members members;
  members.emplace_back("weights", write_npy(Lengths{4, 5, 5}, theirs.output("weights").values()));
  members.emplace_back("output", write_npy(Lengths{5, 16}, theirs.output("output").values()));
  PreviewLab lab(Document{.layers = {ours}});
  lab.drop(write_dump_file(folder, members));
  CHECK(lab.shows("another program’s numbers: weights, output"));
  lab.press_key(GLFW_KEY_ENTER);
  CHECK(lab.document().layer() == ours);
  CHECK(lab.document().check.on);
  CHECK(given_stages(lab.document().check).size() == 2);
  CHECK(lab.shows("first difference"));
}
