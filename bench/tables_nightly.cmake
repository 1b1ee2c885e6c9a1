# The tables of README.md whose numbers are the same on every machine: what is found now is what they say.
#   cmake -D STRATEGIES=build/strategies_bench -D HOLDFAST=build/holdfast -P bench/tables_nightly.cmake
file(READ ${CMAKE_CURRENT_LIST_DIR}/README.md readme)
# A semicolon would end an element of a list.
string(REPLACE ";" "," readme "${readme}")

function(check_table)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE table ERROR_VARIABLE progress COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE ";" "," table "${table}")
  string(REGEX MATCHALL "\n\\|[^\n]*" rows "${table}")
  list(LENGTH rows count)
  if(count LESS 5)
    message(SEND_ERROR "no table: ${ARGN}")
  endif()
  foreach(row IN LISTS rows)
    string(FIND "${readme}" "${row}\n" place)
    if(place EQUAL -1)
      message(SEND_ERROR "bench/README.md does not say:${row}")
    endif()
  endforeach()
endfunction()

check_table(${STRATEGIES} 20 50000)
check_table(${HOLDFAST} bench zoo --runs 2000 --format markdown)
