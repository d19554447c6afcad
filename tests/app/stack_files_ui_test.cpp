// Files with a stack in the window: opened and shown, or refused by name.
#include <doctest/doctest.h>

#include "app/host/headless.h"
#include "app/program/input.h"
#include "core/document/stack_plan.h"
#include "tests/app/scratch_folder.h"
#include "tests/app/stack_files.h"
#include "tests/contains.h"

using namespace attn;
using namespace attn::tests;

TEST_CASE("a dropped file with a stack is the document's, and the window shows it") {
  const ScratchFolder folder;
  write_stack(folder / "model.npz", small_encoder());
  write_bfloats(folder / "model.safetensors", small_encoder());
  for (const char* name : {"model.npz", "model.safetensors"}) {
    CAPTURE(name);
    Headless lab({.document = read_document(kStartExample), .settings = Settings{}});
    lab.app().dropped({folder / name});
    lab.settle();
    const StackSpec& stack = lab.document().transformer;
    REQUIRE(stack.encoder.blocks.size() == 2);
    CHECK((lab.view().workspace->build == build_stack));
    CHECK(lab.document().layer().w_q == stack.encoder.blocks.front().attention.w_q);
    CHECK(stack.encoder.x == read_document(folder / "model.npz").transformer.encoder.x);
  }
}

TEST_CASE("a file whose stack lacks a parameter leaves the open work and names it") {
  const ScratchFolder folder;
  StackArrays arrays = small_encoder();
  arrays.erase("encoder.layers.1.self_attn.out_proj.weight");
  write_stack(folder / "model.npz", arrays);
  Headless lab({.document = read_document(kStartExample), .settings = Settings{}});
  lab.app().dropped({folder / "model.npz"});
  lab.settle();
  CHECK(lab.document() == read_document(kStartExample));
  CHECK(contains(lab.view().message, "encoder.layers.1.self_attn.out_proj.weight is missing"));
}
