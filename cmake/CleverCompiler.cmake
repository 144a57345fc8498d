# Flags shared by every target of this project, as the interface target clever_options.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
foreach(language C CXX)
  set(CMAKE_${language}_FLAGS_DEBUG "-O1 -g1")
  set(CMAKE_${language}_FLAGS_RELWITHDEBINFO "-O1 -g1")
  set(CMAKE_${language}_FLAGS_RELEASE "-O2 -DNDEBUG -ffunction-sections -fdata-sections")
endforeach()

find_program(CCACHE ccache)
if(CCACHE)
  # It caches what is compiled with precompiled headers, and reads what a unit includes from the
  # compiler's own list instead of preprocessing it once more.
  set(CMAKE_C_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_NOHASHDIR=1
    CCACHE_DEPEND=1 CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${CCACHE})
  # It knows no folder of this checkout, so a second clone of the same tree finds everything; but it
  # cannot take a folder with a space out of that list, and the second clone would watch the first
  # one's headers: such a checkout shares nothing.
  if(PROJECT_SOURCE_DIR MATCHES "[ \t]")
    list(FILTER CMAKE_C_COMPILER_LAUNCHER EXCLUDE REGEX "^CCACHE_(NOHASHDIR|BASEDIR)=")
  endif()
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_C_COMPILER_LAUNCHER})
endif()
find_package(Threads REQUIRED)

add_library(clever_options INTERFACE)
set(CLEVER_CODE_OPTIONS -fno-omit-frame-pointer -fstack-protector-strong)
target_compile_options(clever_options INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast
  -Woverloaded-virtual ${CLEVER_CODE_OPTIONS})
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(clever_options INTERFACE
    -Wthread-safety -Wthread-safety-beta -Wimplicit-fallthrough -Wextra-semi -fcolor-diagnostics)
else()
  # g++ 12 has no thread-safety attributes and false positives at -O1 in its own headers.
  target_compile_options(clever_options INTERFACE
    -Wno-attributes -Wno-restrict -Wno-maybe-uninitialized -Wno-dangling-pointer -Wno-array-bounds
    -Wno-stringop-overflow -Wno-free-nonheap-object)
endif()

# Test code runs once: what the optimiser would take is more than it would save.
set(CLEVER_TEST_OPTIONS -O0)

set(CLEVER_TEST_PREFIX "")
set(CLEVER_SANITIZER_LABEL "")
if(CLEVER_SANITIZER STREQUAL "thread")
  add_compile_options(-fsanitize=thread)
  add_link_options(-fsanitize=thread)
  set(CLEVER_TEST_PREFIX "tsan.")
  set(CLEVER_SANITIZER_LABEL tsan)
elseif(CLEVER_SANITIZER STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all)
  add_link_options(-fsanitize=address,undefined)
  set(CLEVER_TEST_PREFIX "asan.")
  set(CLEVER_SANITIZER_LABEL asan)
elseif(CLEVER_SANITIZER)
  message(FATAL_ERROR "CLEVER_SANITIZER is thread, address or empty, not '${CLEVER_SANITIZER}'")
endif()
if(CLEVER_COVERAGE)
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_compile_definitions(CLEVER_COVERAGE)
  add_link_options(-fprofile-instr-generate)
endif()
