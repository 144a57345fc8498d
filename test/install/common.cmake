# Helpers of the install tests: each runs in a folder of its own, emptied first.
function(scratch name)
  set(scratch ${BUILD}/test/install/${name} PARENT_SCOPE)
  file(REMOVE_RECURSE ${BUILD}/test/install/${name})
  file(MAKE_DIRECTORY ${BUILD}/test/install/${name})
endfunction()

# run(COMMAND…): fails the test with what the command said; its standard output is left in `output`.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT status STREQUAL "0")
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: ${status}\n${output}${errors}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect_text text regex)
  if(NOT "${text}" MATCHES "${regex}")
    message(FATAL_ERROR "expected ${regex} in:\n${text}")
  endif()
endfunction()

function(expect_file path)
  file(SIZE ${path} size)
  if(size EQUAL 0)
    message(FATAL_ERROR "${path} is empty")
  endif()
endfunction()
