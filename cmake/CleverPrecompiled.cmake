# clever_precompiled(TARGET library|test [HEADER…]): what most sources include of the standard library,
# and tests of GoogleTest, is parsed once per build and not once per source; that halves the time of a
# build. HEADERs are the project's own that most of the target's sources include (those in support/ are
# for tests); with them it gets a file of its own. Sources still include what they use: the g++ build
# goes without.
option(CLEVER_PRECOMPILED "Use precompiled headers (Clang only)" ON)

set(CLEVER_PRECOMPILED_library <algorithm> <array> <charconv> <chrono> <deque> <filesystem> <functional>
  <map> <memory> <mutex> <optional> <set> <span> <string> <string_view> <thread> <unordered_map> <utility>
  <variant> <vector> <nlohmann/json.hpp>)
set(CLEVER_PRECOMPILED_test ${CLEVER_PRECOMPILED_library} <gtest/gtest.h> <gmock/gmock.h>)
# Without it no two builds have the same file, and ccache finds nothing.
set(CLEVER_PRECOMPILED_OPTIONS "SHELL:-Xclang -fno-pch-timestamp")

# Each kind has a target of its own that nothing uses but for its headers. Compiler flags have to agree,
# so a library's code (-fPIC) and a test's (-fPIE, not optimised) cannot share one.
if(CLEVER_PRECOMPILED AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(source ${CMAKE_BINARY_DIR}/precompiled.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT "int main() {}\n")
  add_library(clever_precompiled_library OBJECT EXCLUDE_FROM_ALL ${source})
  set(kinds library)
  if(CLEVER_TESTS)
    add_executable(clever_precompiled_test EXCLUDE_FROM_ALL ${source})
    target_compile_options(clever_precompiled_test PRIVATE ${CLEVER_TEST_OPTIONS})
    target_link_libraries(clever_precompiled_test PRIVATE GTest::gmock)
    list(APPEND kinds test)
  endif()
  foreach(kind ${kinds})
    target_precompile_headers(clever_precompiled_${kind} PRIVATE ${CLEVER_PRECOMPILED_${kind}})
    target_link_libraries(clever_precompiled_${kind} PRIVATE clever_options)
    target_compile_options(clever_precompiled_${kind} PRIVATE ${CLEVER_PRECOMPILED_OPTIONS})
  endforeach()
endif()

function(clever_precompiled target kind)
  if(NOT TARGET clever_precompiled_${kind})
    return()
  endif()
  set(headers ${ARGN})
  if(kind STREQUAL "library")
    list(FILTER headers EXCLUDE REGEX "^support/")
  endif()
  if(headers)
    list(TRANSFORM headers PREPEND ${PROJECT_SOURCE_DIR}/src/)
    list(TRANSFORM headers REPLACE /src/support/ /test/support/)
    target_precompile_headers(${target} PRIVATE ${CLEVER_PRECOMPILED_${kind}} ${headers})
    target_compile_options(${target} PRIVATE ${CLEVER_PRECOMPILED_OPTIONS})
  else()
    target_precompile_headers(${target} REUSE_FROM clever_precompiled_${kind})
  endif()
endfunction()
