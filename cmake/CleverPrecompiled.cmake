# clever_precompiled(TARGET library|test): what most sources include of the standard library, and tests
# of GoogleTest, is parsed once per build and not once per source; that halves the time of a build.
# Sources still include what they use: the g++ build goes without.
option(CLEVER_PRECOMPILED "Use precompiled headers (Clang only)" ON)

set(common <algorithm> <array> <charconv> <chrono> <deque> <filesystem> <functional> <map> <memory> <mutex>
    <optional> <set> <span> <string> <string_view> <thread> <unordered_map> <utility> <variant> <vector>
    <nlohmann/json.hpp>)

# Each kind has a target of its own that nothing uses but for its headers. Compiler flags have to agree,
# so a library's code (-fPIC) and a test's (-fPIE, not optimised) cannot share one.
if(CLEVER_PRECOMPILED AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(source ${CMAKE_BINARY_DIR}/precompiled.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT "int main() {}\n")
  add_library(clever_precompiled_library OBJECT EXCLUDE_FROM_ALL ${source})
  target_precompile_headers(clever_precompiled_library PRIVATE ${common})
  set(kinds library)
  if(CLEVER_TESTS)
    add_executable(clever_precompiled_test EXCLUDE_FROM_ALL ${source})
    target_precompile_headers(clever_precompiled_test PRIVATE ${common} <gtest/gtest.h> <gmock/gmock.h>)
    target_compile_options(clever_precompiled_test PRIVATE ${CLEVER_TEST_OPTIONS})
    target_link_libraries(clever_precompiled_test PRIVATE GTest::gmock)
    list(APPEND kinds test)
  endif()
  foreach(kind ${kinds})
    target_link_libraries(clever_precompiled_${kind} PRIVATE clever_options)
    # Without it no two builds have the same file, and ccache finds nothing.
    target_compile_options(clever_precompiled_${kind} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endforeach()
endif()

function(clever_precompiled target kind)
  if(TARGET clever_precompiled_${kind})
    target_precompile_headers(${target} REUSE_FROM clever_precompiled_${kind})
  endif()
endfunction()
