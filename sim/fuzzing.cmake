# Fuzz targets: one program for each function of sim/fuzz_test/targets.hpp, with libFuzzer, and a test that runs it for
# HOLDFAST_FUZZ_SECONDS (of the environment; 30 unless it says otherwise), from the committed corpus on.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_FLAGS -fsanitize=fuzzer)
check_cxx_source_compiles("extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }"
  HOLDFAST_HAS_LIBFUZZER)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT HOLDFAST_HAS_LIBFUZZER)
  message(FATAL_ERROR "HOLDFAST_FUZZ needs clang with its runtime (Debian: clang-19 and libclang-rt-19-dev)")
endif()

foreach(target scenario trace baseline words address resp shell request rule program table)
  add_executable(fuzz_${target} sim/fuzz_test/entry.cpp sim/fuzz_test/targets.cpp)
  target_compile_definitions(fuzz_${target} PRIVATE HOLDFAST_FUZZ_TARGET=${target})
  target_link_libraries(fuzz_${target} PRIVATE holdfast_cli holdfast_options nlohmann_json::nlohmann_json)
  target_link_options(fuzz_${target} PRIVATE -fsanitize=fuzzer)
  set(seeds ${PROJECT_SOURCE_DIR}/sim/fuzz_test/corpus/${target})
  if(target STREQUAL "scenario")
    list(APPEND seeds ${PROJECT_SOURCE_DIR}/scenarios/lessons)
  endif()
  # New inputs go to a directory of the build; what ends the program is kept beside it.
  set(found ${PROJECT_BINARY_DIR}/corpus/${target})
  file(MAKE_DIRECTORY ${found})
  list(JOIN seeds "' '" seeds)
  add_test(NAME fuzz.${target} COMMAND sh -c "exec '$<TARGET_FILE:fuzz_${target}>' -artifact_prefix='${found}.' \
    -max_total_time=\${HOLDFAST_FUZZ_SECONDS:-30} -max_len=20000 -timeout=25 -rss_limit_mb=3000 -print_final_stats=1 \
    '${found}' '${seeds}'")
  set_tests_properties(fuzz.${target} PROPERTIES LABELS fuzz TIMEOUT 4000)
endforeach()
