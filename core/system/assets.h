// Files embedded in the program as bytes (assets/embed.cmake): kernels, examples, shaders, the manual.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace attn {

struct Asset {
  std::string_view name;  // path inside its folder: "matmul.cl"
  std::string_view bytes;
};

// One file's text. While developing, the environment variable ATTENTION_LAB_ASSETS names the source tree's
// root, and files are read from `folder` inside it instead. Throws Error when there is no such file.
std::string asset_text(std::span<const Asset> files, std::string_view folder, std::string_view name);

// The embedded sets, each in a library of its own.
std::span<const Asset> kernel_files();    // shaders/*.cl
std::span<const Asset> shader_files();    // shaders/*.vert and *.frag
std::span<const Asset> example_files();   // assets/examples/*.json
std::span<const Asset> model_files();     // assets/stack/*.npz
std::span<const Asset> lesson_files();    // assets/lessons/*.md, in the order of the course
std::span<const Asset> word_files();      // assets/words/*.md
std::span<const Asset> language_files();  // assets/languages/CODE/*.po
std::span<const Asset> manual_files();    // assets/manual/*.md

}  // namespace attn
