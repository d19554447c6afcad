# Once packages are made. CPack leaves traces of the disk in them: the order in which it lists files, and in
# Installed-Size what it takes for a folder.
execute_process(COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/repack.sh ${CPACK_PACKAGE_FILES} COMMAND_ERROR_IS_FATAL ANY)
