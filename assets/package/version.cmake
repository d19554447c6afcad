# Which version this is, of the tag nearest behind the commit; as a script it writes app/words/version.h's function:
#   cmake -DSOURCE=TREE -DOTHERWISE=VERSION -DOUT=version.cpp -P version.cmake

# version_of(TREE OTHERWISE RESULT): v1.2.0 is 1.2.0, v1.2.0-rc1 is 1.2.0~rc1 (Debian sorts it before 1.2.0), and five
# commits later 1.2.0+5.gCOMMIT. OTHERWISE, where TREE is not the top of a repository or has no tag.
function(version_of tree otherwise result)
  cmake_path(GET tree PARENT_PATH above)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env GIT_CEILING_DIRECTORIES=${above}
      git describe --tags --long --abbrev=8 --match "v[0-9]*"
    WORKING_DIRECTORY ${tree} OUTPUT_VARIABLE described ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(version ${otherwise})
  if(described MATCHES "^v([0-9][0-9A-Za-z.-]*)-([0-9]+)-(g[0-9a-f]+)$")
    set(commits ${CMAKE_MATCH_2})
    set(commit ${CMAKE_MATCH_3})
    string(REPLACE "-" "~" version ${CMAKE_MATCH_1})
    if(commits GREATER 0)
      string(APPEND version "+${commits}.${commit}")
    endif()
  endif()
  set(${result} ${version} PARENT_SCOPE)
endfunction()

if(OUT)
  cmake_minimum_required(VERSION 3.25)
  version_of(${SOURCE} ${OTHERWISE} version)
  file(CONFIGURE OUTPUT ${OUT} CONTENT "// Made by assets/package/version.cmake.
#include \"app/words/version.h\"

const char* attn::version() {
  return \"@version@\";
}
" @ONLY)
endif()
