# cmake -D BUILD=DIRECTORY -D SOURCE=DIRECTORY -D COMPILER=PATH -D FLAGS=LIST -P run.cmake
# Installs the build in DIRECTORY to a place of its own, then configures, builds and runs the stranger's project there:
# with find_package(), and with add_subdirectory() as far as it goes without building everything again.
set(place ${BUILD}/package_test)
file(REMOVE_RECURSE ${place})
string(REPLACE ";" " " flags "${FLAGS}")

# run(CODE TEXT COMMAND…): the command must end with this code, and what it says must match the pattern.
function(run code text)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors
    WORKING_DIRECTORY ${place})
  if(NOT result EQUAL code OR NOT "${output}${errors}" MATCHES "${text}")
    message(FATAL_ERROR "${ARGN}: ${result}, expected ${code} and \"${text}\"\n${output}${errors}")
  endif()
endfunction()

file(MAKE_DIRECTORY ${place})
run(0 "" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${place}/installed)
set(configure ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -G Ninja
  -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${flags})
run(0 "" ${configure} -B ${place}/build -D CMAKE_PREFIX_PATH=${place}/installed)
run(0 "" ${CMAKE_COMMAND} --build ${place}/build)
run(0 "careless: violated, careful: holds" ${place}/build/stranger)

# Every command knows the stranger's lock, and the others.
set(program ${place}/build/my-holdfast)
run(1 "mutual-exclusion" ${program} check careless --faults none)
run(1 "never ran[^:]*:\n +careless.cpp:11  if \\(reply.is\\(7\\)\\) co_await Redis" ${program} check careless --faults none)
run(0 "careless.*token" ${program} compare --only careless,token --faults none)
run(0 "careless" ${program} list algorithms)
run(0 "pause" ${program} list scenarios)
run(0 "never refuses" ${program} explain careless)
run(0 "saved" ${program} baseline save main --only careless --faults none)

# Mistakes are told before they can be run: real time, state outside of the world, a coroutine that captures.
file(WRITE ${place}/mistaken.cpp [[
#include <chrono>

#include "sim/core/redis_client.hpp"

namespace holdfast::algorithms {
namespace {

int calls = 0;

class Mistaken final : public Lock {
 public:
  Task<Attempt> acquire(Env& env, std::string key, Mode) override {
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    if (++calls % 3 == 0 || now % 2 == 0) co_return Attempt::refused("not now");
    const Reply reply = co_await [&env, key]() -> Task<Reply> {
      const Reply answer = co_await Redis(env.store()).get(key);
      co_return answer;
    }();
    Grant grant("mine");
    co_return Attempt(grant);
  }
  Task<Release> release(Env&, std::string, Grant) override { co_return Release::released; }
};

}  // namespace

Card mistaken() {
  Card card;
  card.id = "mistaken";
  card.make = [](const Params&) -> std::unique_ptr<Lock> { return std::make_unique<Mistaken>(); };
  return card;
}

}  // namespace holdfast::algorithms
]])
run(0 "" ${configure} -B ${place}/build -D MISTAKE=${place}/mistaken.cpp)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${place}/build RESULT_VARIABLE result OUTPUT_VARIABLE output)
foreach(rule "mistaken.cpp:8: static-state" "mistaken.cpp:13: real-time" "mistaken.cpp:15: coroutine-lambda")
  if(result EQUAL 0 OR NOT output MATCHES "${rule}")
    message(FATAL_ERROR "the build ended with ${result} and does not say \"${rule}\":\n${output}")
  endif()
endforeach()

run(0 "" ${configure} -B ${place}/inside -D HOLDFAST_SOURCE=${SOURCE})
run(0 "my-holdfast.main.cpp.o" ninja -C ${place}/inside -t commands my-holdfast)

# The Debian package of the program: what people look for is where they look.
find_program(DPKG_DEB dpkg-deb)
if(DPKG_DEB)
  run(0 "holdfast_[0-9.]+_[a-z0-9]+.deb generated" ${CMAKE_CPACK_COMMAND} --config ${BUILD}/CPackConfig.cmake
    -D CPACK_PACKAGE_DIRECTORY=${place}/packages)
  file(GLOB package ${place}/packages/holdfast_*.deb)
  foreach(file bin/holdfast share/man/man1/holdfast.1 share/bash-completion/completions/holdfast)
    run(0 "/usr/${file}" dpkg-deb -c ${package})
  endforeach()
  run(0 "libhiredis0.14.*libfmt9" dpkg-deb -f ${package} Depends)
  # Unpacked somewhere, the program works, with all that it reads; and the other package is found by CMake.
  file(GLOB developer_package ${place}/packages/holdfast-dev_*.deb)
  foreach(file ${package} ${developer_package})
    run(0 "" ${DPKG_DEB} -x ${file} ${place}/root)
  endforeach()
  set(unpacked ${place}/root/usr/bin/holdfast)
  run(0 "simulates redis-server" ${unpacked} version)
  run(0 "pause" ${unpacked} list scenarios)
  run(0 "✘" ${unpacked} lesson 1 --answers)
  run(1 "mutual-exclusion" ${unpacked} check set-nx-px-as-printed --faults none)
  run(0 "" ${configure} -B ${place}/from_package -D CMAKE_PREFIX_PATH=${place}/root/usr)
  file(STRINGS ${place}/from_package/CMakeCache.txt found REGEX "^holdfast_DIR:PATH=${place}/root/usr/")
  if(NOT found)
    message(FATAL_ERROR "the developer's package was not found")
  endif()
else()
  message("dpkg-deb is not installed: no Debian package was made")
endif()
