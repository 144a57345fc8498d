# clever_precompiled(TARGET library|test): what most sources include of the standard library, and tests
# of GoogleTest, is parsed once per build and not once per unit. Sources still include what they use: the
# g++ build goes without.
#
# The file holds headers of the system alone, and the compiler works in / when it writes it: no path of
# this checkout is in it. So two clones have the same file, and ccache finds what is compiled with it.
option(CLEVER_PRECOMPILED "Use precompiled headers (Clang only)" ON)

set(CLEVER_PRECOMPILED_library algorithm array atomic charconv chrono condition_variable deque filesystem functional map memory mutex
  optional set span stop_token string string_view thread unordered_map utility variant vector)
set(CLEVER_PRECOMPILED_test ${CLEVER_PRECOMPILED_library} gtest/gtest.h gmock/gmock.h)

# Compiler flags have to agree, so a library's code (-fPIC) and a test's (-fPIE, not optimised) cannot
# share one file.
function(clever_make_precompiled kind)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  separate_arguments(flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
  get_directory_property(options COMPILE_OPTIONS)
  list(APPEND flags ${CMAKE_CXX23_STANDARD_COMPILE_OPTION} ${options} ${CLEVER_CODE_OPTIONS} ${ARGN})
  set(includes "")
  foreach(header ${CLEVER_PRECOMPILED_${kind}})
    list(APPEND includes -include ${header})
  endforeach()
  set(file ${CMAKE_BINARY_DIR}/precompiled/${kind}.pch)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/precompiled)
  # nlohmann's header stands for a source of our own, whose path would be stored.
  add_custom_command(OUTPUT ${file}
    COMMAND ${CMAKE_COMMAND} -E chdir / ${CMAKE_CXX_COMPILER} ${flags} -Xclang -fno-pch-timestamp
      -fpch-instantiate-templates -MD -MT ${file} -MF ${file}.d ${includes}
      -x c++-header ${CLEVER_JSON_INCLUDE}/nlohmann/json.hpp -o ${file}
    DEPFILE ${file}.d VERBATIM COMMAND_EXPAND_LISTS COMMENT "Precompiling headers: ${kind}")
  add_custom_target(clever_precompiled_${kind} DEPENDS ${file})
endfunction()

if(CLEVER_PRECOMPILED AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  find_path(CLEVER_JSON_INCLUDE nlohmann/json.hpp REQUIRED)
  clever_make_precompiled(library -fPIC)
  if(CLEVER_TESTS)
    clever_make_precompiled(test -fPIE ${CLEVER_TEST_OPTIONS}
      $<TARGET_PROPERTY:GTest::gtest,INTERFACE_COMPILE_OPTIONS>)
  endif()
endif()

function(clever_precompiled target kind)
  if(NOT TARGET clever_precompiled_${kind})
    return()
  endif()
  add_dependencies(${target} clever_precompiled_${kind})
  target_compile_options(${target} PRIVATE
    "SHELL:-include-pch \"${CMAKE_BINARY_DIR}/precompiled/${kind}.pch\"")
endfunction()
