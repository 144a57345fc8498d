# A list of what there is to test, known before anything is built: ./check reads it to build only what
# a filter needs, and to tell what has changed since it passed. One line per program or script: name,
# labels, targets, sources, and the files of the programs it consists of, separated by |.

function(clever_register_test name labels targets sources)
  list(TRANSFORM sources PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" REGEX "^[^/]")
  set(programs ${ARGN})
  list(TRANSFORM programs REPLACE "(.+)" "$<TARGET_FILE:\\1>")
  string(REPLACE ";" "," line "${name}|${labels}|${targets}|${sources}|${programs}")
  set_property(GLOBAL APPEND_STRING PROPERTY CLEVER_TEST_REGISTRY "${line}\n")
endfunction()

# Called once, when all folders have been read.
function(clever_write_registry)
  get_property(registry GLOBAL PROPERTY CLEVER_TEST_REGISTRY)
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/test_registry.txt CONTENT "${registry}")
endfunction()

# clever_script_test(NAME x COMMAND … LABELS … TARGETS … [TIMEOUT s] [SERIAL] [ENVIRONMENT …]): a test
# that is not a GoogleTest program. TARGETS are what must have been built. Only in the dev build: the
# other presets would show nothing new.
function(clever_script_test)
  cmake_parse_arguments(ARG "SERIAL" "NAME;TIMEOUT" "COMMAND;LABELS;TARGETS;ENVIRONMENT" ${ARGN})
  if(CLEVER_SANITIZER OR CLEVER_COVERAGE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    return()
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  add_test(NAME ${ARG_NAME} COMMAND ${ARG_COMMAND} COMMAND_EXPAND_LISTS)
  set_tests_properties(${ARG_NAME} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT})
  if(ARG_SERIAL)
    set_tests_properties(${ARG_NAME} PROPERTIES RUN_SERIAL ON)
  endif()
  if(ARG_ENVIRONMENT)
    set_tests_properties(${ARG_NAME} PROPERTIES ENVIRONMENT "${ARG_ENVIRONMENT}")
  endif()
  clever_register_test(${ARG_NAME} "${ARG_LABELS}" "${ARG_TARGETS}" "")
endfunction()
