# What CPack asks for each package that it makes: the version that was compiled, and the time that all files in it bear,
# so that a commit gives the same bytes again.
file(STRINGS ${CPACK_VERSION_FILE} line REGEX "return")
string(REGEX REPLACE "^.*\"(.*)\".*$" "\\1" CPACK_PACKAGE_VERSION "${line}")

if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(COMMAND git log -1 --format=%ct WORKING_DIRECTORY ${CPACK_SOURCE_TREE}
    OUTPUT_VARIABLE time OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT time)
    string(TIMESTAMP time %s)
  endif()
  set(ENV{SOURCE_DATE_EPOCH} ${time})
endif()

if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
else() # unpacked anywhere
  set(CPACK_PACKAGING_INSTALL_PREFIX /)
  set(CPACK_PACKAGE_FILE_NAME attention-lab-${CPACK_PACKAGE_VERSION}-${CPACK_SYSTEM_NAME}-${CMAKE_HOST_SYSTEM_PROCESSOR})
endif()
