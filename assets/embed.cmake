# embed_files(TARGET NAME DIRECTORY FILES…): the files' bytes in a library TARGET that defines
# `std::span<const attn::Asset> attn::NAME()`; one loading path for kernels, shaders, examples and lessons.
function(embed_files target name directory)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${name}_embedded.cpp)
  set(assembly "")
  set(entries "")
  set(count 0)
  set(paths "")
  foreach(file IN LISTS ARGN)
    set(path ${directory}/${file})
    list(APPEND paths ${path})
    string(APPEND assembly "__asm__(\".section .rodata\\n\"\n        \"${name}_${count}_begin: .incbin \\\"${path}\\\"\\n\"\n        \"${name}_${count}_end: .byte 0\\n.previous\\n\");\nextern \"C\" const char ${name}_${count}_begin[], ${name}_${count}_end[];\n")
    string(APPEND entries "      {\"${file}\", {${name}_${count}_begin, static_cast<std::size_t>(${name}_${count}_end - ${name}_${count}_begin)}},\n")
    math(EXPR count "${count} + 1")
  endforeach()
  file(CONFIGURE OUTPUT ${generated} CONTENT
"#include \"core/system/assets.h\"
@assembly@
namespace attn {
std::span<const Asset> @name@() {
  static const Asset files[] = {
@entries@  };
  return files;
}
}  // namespace attn
" @ONLY)
  set_source_files_properties(${generated} PROPERTIES OBJECT_DEPENDS "${paths}")
  add_library(${target} STATIC ${generated})
  target_link_libraries(${target} PUBLIC own_code)
  # What the assembler reads ccache does not know of: it would answer with the files as they were.
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "")
endfunction()
