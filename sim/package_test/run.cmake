# cmake -D BUILD=DIRECTORY -D COMPILER=PATH -D FLAGS=LIST -P run.cmake
# Installs the build in DIRECTORY to a place of its own, then configures, builds and runs the stranger's project there.
set(place ${BUILD}/package_test)
file(REMOVE_RECURSE ${place})
string(REPLACE ";" " " flags "${FLAGS}")

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${result}\n${output}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${place}/installed)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${place}/build -G Ninja
  -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${flags}
  -D CMAKE_PREFIX_PATH=${place}/installed)
run(${CMAKE_COMMAND} --build ${place}/build)
run(${place}/build/stranger)
