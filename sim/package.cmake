# What `cmake --install` puts where, and the Debian packages that `cpack` makes of it: holdfast, to use; holdfast-dev, to
# add locks of one's own; where MPI was found, holdfast-mpi, to search on many machines.
include(CMakePackageConfigHelpers)
set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/holdfast)

# The manual and the completions are what the program says of itself.
set(documents ${PROJECT_BINARY_DIR}/documents)
set(document_files ${documents}/holdfast.1 ${documents}/holdfast.bash ${documents}/_holdfast ${documents}/holdfast.fish)
file(MAKE_DIRECTORY ${documents})
add_custom_command(OUTPUT ${document_files}
  COMMAND holdfast manual > ${documents}/holdfast.1
  COMMAND holdfast completions bash > ${documents}/holdfast.bash
  COMMAND holdfast completions zsh > ${documents}/_holdfast
  COMMAND holdfast completions fish > ${documents}/holdfast.fish
  DEPENDS holdfast VERBATIM)
add_custom_target(holdfast_documents ALL DEPENDS ${document_files})

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME holdfast)
install(TARGETS holdfast EXPORT holdfastTargets RUNTIME COMPONENT holdfast)
if(TARGET holdfast_mpi)
  install(TARGETS holdfast_mpi LIBRARY DESTINATION lib/holdfast COMPONENT holdfast-mpi)
endif()
install(DIRECTORY scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/holdfast
  PATTERN *_fuzz EXCLUDE PATTERN *.cpp EXCLUDE)
install(DIRECTORY algorithms DESTINATION ${CMAKE_INSTALL_DATADIR}/holdfast FILES_MATCHING PATTERN *.lua)
install(FILES ${documents}/holdfast.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${documents}/holdfast.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME holdfast)
install(FILES ${documents}/_holdfast DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${documents}/holdfast.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME holdfast-dev)
list(TRANSFORM rooms PREPEND holdfast_ OUTPUT_VARIABLE installed)
install(TARGETS ${installed} EXPORT holdfastTargets ARCHIVE COMPONENT holdfast-dev)
install(EXPORT holdfastTargets NAMESPACE holdfast:: DESTINATION ${package_directory})
install(DIRECTORY sim reports DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/holdfast FILES_MATCHING PATTERN *.hpp
  PATTERN cli EXCLUDE PATTERN package_test EXCLUDE PATTERN tidy EXCLUDE PATTERN *_test.hpp EXCLUDE)
install(FILES sim/cli/program.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/holdfast/sim/cli)
file(WRITE ${PROJECT_BINARY_DIR}/holdfastConfig.cmake.in [[
@PACKAGE_INIT@
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/holdfastTargets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/holdfast_program.cmake)
set_target_properties(holdfast::algorithms PROPERTIES HOLDFAST_LOCKS "@locks@")
set_target_properties(holdfast::cli PROPERTIES HOLDFAST_LESSONS "@PACKAGE_lessons@")
]])
set(lessons ${CMAKE_INSTALL_DATADIR}/holdfast/scenarios/lessons)
configure_package_config_file(${PROJECT_BINARY_DIR}/holdfastConfig.cmake.in ${PROJECT_BINARY_DIR}/holdfastConfig.cmake
  INSTALL_DESTINATION ${package_directory} PATH_VARS lessons NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/holdfastConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/holdfastConfig.cmake ${PROJECT_BINARY_DIR}/holdfastConfigVersion.cmake
  algorithms/holdfast_program.cmake algorithms/awaits.cmake DESTINATION ${package_directory})
unset(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME holdfast)
set(CPACK_PACKAGE_CONTACT "The holdfast authors <holdfast@localhost>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_ALL holdfast holdfast-dev)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
# What the program is linked with, in Debian 12: dpkg-shlibdeps would say the same, but is not always there.
set(CPACK_DEBIAN_HOLDFAST_PACKAGE_NAME holdfast)
set(CPACK_DEBIAN_HOLDFAST_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_HOLDFAST_PACKAGE_DEPENDS
  "libc6 (>= 2.36), libstdc++6 (>= 12), libgcc-s1, libluajit2-5.1-2 | libluajit-5.1-2, libhiredis0.14, libfmt9, libevent-core-2.1-7, libevent-extra-2.1-7")
set(CPACK_DEBIAN_HOLDFAST_PACKAGE_SUGGESTS "redis-server")
set(CPACK_COMPONENT_HOLDFAST_DESCRIPTION
  "simulation and verification of distributed locks\nRuns the code of lock algorithms under a virtual clock and a fault injector, tries every order of events within bounds, and shows the shortest story of each failure.")
set(CPACK_DEBIAN_HOLDFAST-DEV_PACKAGE_NAME holdfast-dev)
set(CPACK_DEBIAN_HOLDFAST-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_HOLDFAST-DEV_PACKAGE_DEPENDS
  "holdfast (= ${PROJECT_VERSION}), libhiredis-dev, libevent-dev, libfmt-dev, libluajit2-5.1-dev | libluajit-5.1-dev")
set(CPACK_COMPONENT_HOLDFAST-DEV_DESCRIPTION
  "locks of one's own for holdfast\nLibraries, headers and CMake functions: one C++ file becomes a lock that every command knows.")
if(TARGET holdfast_mpi)
  list(APPEND CPACK_COMPONENTS_ALL holdfast-mpi)
  set(CPACK_DEBIAN_HOLDFAST-MPI_PACKAGE_NAME holdfast-mpi)
  set(CPACK_DEBIAN_HOLDFAST-MPI_PACKAGE_SECTION devel)
  set(CPACK_DEBIAN_HOLDFAST-MPI_PACKAGE_DEPENDS "holdfast (= ${PROJECT_VERSION}), libopenmpi3, openmpi-bin")
  set(CPACK_COMPONENT_HOLDFAST-MPI_DESCRIPTION
    "one search of holdfast on many machines\nThe part that holdfast loads where mpirun has started several of it.")
endif()
include(CPack)
