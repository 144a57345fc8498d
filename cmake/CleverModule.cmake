# clever_module(NAME base USES io model LINK OpenSSL::Crypto ...)
#
# One folder, one target, one namespace. Every *.cc of the folder and its subfolders is compiled into
# the target clever_NAME, known as CleverAgents::NAME here and in the installed package. Beside the
# sources lie the tests:
#   x_test.cc          unit tests            -> NAME_test          labels: unit NAME asan
#   x_stress_test.cc   real-thread stress    -> NAME_stress_test   labels: stress NAME tsan
#   x_fuzz.cc          libFuzzer target      -> x_fuzz             labels: fuzz NAME asan
# With g++ every public header is also compiled alone.
#
# USES      modules this one may include; the tidy test reads the same list
# LINK      libraries used by the sources only
# TEST_LINK libraries used by the tests only
# POSTGRES  the tests use support/postgres_server.h
# ASAN      what is built with the address sanitizer: "all" (the default), "fuzzers" or "nothing"; the
#           upper modules hold no memory of their own, and their tests take long to build
# FUZZED    sources of an upper module that its fuzzers may need, and FUZZED_USES the modules that those
#           need: only they are built for them, and not all that the module and those below it hold
# TSAN      "nothing": the stress tests run without the thread sanitizer, in the dev build
include(GoogleTest)

function(clever_module)
  cmake_parse_arguments(ARG "POSTGRES" "NAME;ASAN;TSAN" "USES;LINK;TEST_LINK;FUZZED;FUZZED_USES" ${ARGN})
  set(asan asan)
  if(ARG_ASAN MATCHES "^(fuzzers|nothing)$")
    set(asan "")
  endif()
  if(ARG_ASAN STREQUAL "nothing")
    set(fuzzed OFF)
  else()
    set(fuzzed ON)
  endif()
  set(postgres "")
  if(ARG_POSTGRES)
    set(postgres POSTGRES)
  endif()
  set(target clever_${ARG_NAME})
  file(GLOB sources CONFIGURE_DEPENDS *.cc */*.cc */internal/*.cc)
  file(GLOB headers RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS *.h */*.h)
  list(FILTER headers EXCLUDE REGEX "^(internal|testing)/")
  file(GLOB tests CONFIGURE_DEPENDS *_test.cc */*_test.cc */internal/*_test.cc)
  file(GLOB fuzzers CONFIGURE_DEPENDS *_fuzz.cc)
  list(REMOVE_ITEM sources ${tests} ${fuzzers})
  set(stress_tests ${tests})
  list(FILTER stress_tests INCLUDE REGEX "_stress_test\\.cc$")
  list(FILTER tests EXCLUDE REGEX "_stress_test\\.cc$")

  if(NOT sources)
    # A static library cannot be made of headers alone.
    set(sources ${CMAKE_CURRENT_BINARY_DIR}/headers_only.cc)
    file(CONFIGURE OUTPUT ${sources} CONTENT "\n")
  endif()
  clever_unity(units ${target} ${sources})
  add_library(${target} STATIC ${units})
  add_library(CleverAgents::${ARG_NAME} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${ARG_NAME})
  target_compile_features(${target} PUBLIC cxx_std_23)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include/clever>)
  target_compile_definitions(${target} PUBLIC CLEVER_TEST_HOOKS=$<BOOL:${CLEVER_TEST_HOOKS}>)
  list(TRANSFORM ARG_USES PREPEND CleverAgents:: OUTPUT_VARIABLE uses)
  target_link_libraries(${target} PUBLIC Threads::Threads ${uses})
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:clever_options> ${ARG_LINK})

  clever_precompiled(${target} library)

  clever_check_headers(${ARG_NAME} ${headers})
  clever_export_module(${ARG_NAME} ${headers})

  if(CLEVER_TESTS)
    set(unit_wanted ON)
    set(stress_wanted OFF)
    if(CLEVER_SANITIZER STREQUAL "thread")
      set(unit_wanted OFF)
      set(stress_wanted ON)
    endif()
    set(tsan tsan)
    if(ARG_TSAN STREQUAL "nothing")
      set(tsan "")
      set(stress_wanted ON)
      if(CLEVER_SANITIZER)
        set(stress_wanted OFF)
      endif()
    endif()
    if(CLEVER_COVERAGE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      set(stress_wanted ON)
    endif()
    if(tests AND unit_wanted)
      clever_test(NAME ${ARG_NAME}_test SOURCES ${tests} LINK CleverAgents::${ARG_NAME} ${ARG_TEST_LINK}
        LABELS unit ${ARG_NAME} ${asan} ${postgres})
    endif()
    if(stress_tests AND stress_wanted)
      clever_test(NAME ${ARG_NAME}_stress_test SOURCES ${stress_tests}
        LINK CleverAgents::${ARG_NAME} ${ARG_TEST_LINK} LABELS stress ${ARG_NAME} ${tsan} ${postgres})
    endif()
    if(NOT fuzzed)
      set(fuzzers "")
    endif()
    set(fuzzed_library CleverAgents::${ARG_NAME})
    if(ARG_FUZZED AND CLEVER_SANITIZER STREQUAL "address")
      set(fuzzed_library ${target}_fuzzed)
      file(GLOB fuzzed_sources CONFIGURE_DEPENDS ${ARG_FUZZED})
      list(REMOVE_ITEM fuzzed_sources ${tests} ${stress_tests} ${fuzzers})
      list(TRANSFORM ARG_FUZZED_USES PREPEND CleverAgents::)
      clever_unity(units ${fuzzed_library} ${fuzzed_sources})
      add_library(${fuzzed_library} STATIC EXCLUDE_FROM_ALL ${units})
      target_link_libraries(${fuzzed_library} PUBLIC ${ARG_FUZZED_USES} PRIVATE clever_options ${ARG_LINK})
      clever_precompiled(${fuzzed_library} library)
    endif()
    foreach(fuzzer ${fuzzers})
      clever_fuzz_test(${ARG_NAME} ${fuzzer} ${fuzzed_library})
    endforeach()
  endif()
endfunction()

# A bounded run of a libFuzzer target (20,000 inputs, or as many as 15 s allow unless CLEVER_LONG is set), from a fixed seed and the
# texts in fuzz/, in the address sanitizer's build. There everything is instrumented, so that the fuzzer sees which branches it reaches.
function(clever_fuzz_test module fuzzer library)
  if(NOT CLEVER_SANITIZER STREQUAL "address" OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    return()
  endif()
  get_filename_component(name ${fuzzer} NAME_WE)
  add_executable(${name} ${fuzzer})
  target_compile_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(${name} PRIVATE ${library} clever_options)
  file(GLOB inputs CONFIGURE_DEPENDS fuzz/*)
  list(JOIN inputs "," inputs)
  add_test(NAME ${CLEVER_TEST_PREFIX}${name}
    COMMAND sh -c "exec \"$0\" \"$@\" \${CLEVER_LONG:+-max_total_time=0}" $<TARGET_FILE:${name}>
      -runs=20000 -max_total_time=15 -seed=1 -max_len=2048 -seed_inputs=${inputs})
  set_tests_properties(${CLEVER_TEST_PREFIX}${name} PROPERTIES LABELS "fuzz;${module};asan" TIMEOUT 600)
  clever_register_test(${name} "fuzz;${module};asan" ${name} ${fuzzer} ${name})
endfunction()

# clever_library(TARGET SOURCE…): a static library of the tests' own, compiled as the modules are.
function(clever_library target)
  clever_unity(units ${target} ${ARGN})
  add_library(${target} STATIC ${units})
  clever_precompiled(${target} library)
  target_link_libraries(${target} PRIVATE clever_options)
endfunction()

# clever_test(NAME x SOURCES … LINK … LABELS … [PROGRAMS …] [TIMEOUT s] [POSTGRES]): a GoogleTest program whose
# tests are ctest's tests. Its main() (test/explore) understands --schedule=, the replay of one
# explored schedule. PROGRAMS are targets that the test starts. With POSTGRES a server is there for
# support/postgres_server.h.
function(clever_test)
  cmake_parse_arguments(ARG "POSTGRES" "NAME;TIMEOUT" "SOURCES;LINK;LABELS;PROGRAMS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  clever_unity(units ${ARG_NAME} ${ARG_SOURCES})
  add_executable(${ARG_NAME} ${units})
  set(fixtures "")
  if(ARG_POSTGRES)
    list(APPEND ARG_LINK clever_postgres_server)
    set(fixtures "FIXTURES_REQUIRED ${CLEVER_TEST_PREFIX}postgres")
  endif()
  target_compile_options(${ARG_NAME} PRIVATE ${CLEVER_TEST_OPTIONS})
  target_link_libraries(${ARG_NAME} PRIVATE clever_options clever_explore clever_built_paths ${ARG_LINK} GTest::gmock)
  clever_precompiled(${ARG_NAME} test)
  # A sanitizer's build holds only the tests labelled for it; elsewhere its label would mislead.
  set(sanitizer_labels tsan asan)
  list(REMOVE_ITEM sanitizer_labels "${CLEVER_SANITIZER_LABEL}")
  list(REMOVE_ITEM ARG_LABELS ${sanitizer_labels})
  if(CLEVER_SANITIZER AND NOT CLEVER_SANITIZER_LABEL IN_LIST ARG_LABELS)
    set_target_properties(${ARG_NAME} PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  if(ARG_PROGRAMS)
    add_dependencies(${ARG_NAME} ${ARG_PROGRAMS})
  endif()
  clever_register_test(${ARG_NAME} "${ARG_LABELS}" "${ARG_NAME}" "${ARG_SOURCES}" ${ARG_NAME} ${ARG_PROGRAMS})
  gtest_discover_tests(${ARG_NAME} TEST_PREFIX "${CLEVER_TEST_PREFIX}${ARG_NAME}."
    DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT ${ARG_TIMEOUT})
  # PROPERTIES above would take only the first of several labels.
  set(labels_file ${CMAKE_CURRENT_BINARY_DIR}/${ARG_NAME}_labels.cmake)
  file(WRITE ${labels_file} "if(${ARG_NAME}_TESTS)\n  set_tests_properties(\${${ARG_NAME}_TESTS} "
    "PROPERTIES LABELS \"${ARG_LABELS}\" ${fixtures})\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${labels_file})
endfunction()

# Compiles each header as if it were a source of its own: it must not lean on its includer. A source
# includes its own header first, which shows the same of most; so only the build with g++, part of
# `./check long`, pays for it.
function(clever_check_headers module)
  set(checks "")
  foreach(header ${ARGN})
    string(REPLACE "/" "_" name ${header})
    set(check ${CMAKE_CURRENT_BINARY_DIR}/header_checks/${name}.cc)
    file(CONFIGURE OUTPUT ${check} CONTENT "#include \"${module}/${header}\"\n" @ONLY)
    list(APPEND checks ${check})
  endforeach()
  if(checks AND CLEVER_TESTS AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_library(${module}_header_checks OBJECT ${checks})
    target_link_libraries(${module}_header_checks PRIVATE CleverAgents::${module} clever_options)
  endif()
endfunction()

function(clever_export_module module)
  install(TARGETS clever_${module} EXPORT CleverAgentsTargets ARCHIVE DESTINATION lib COMPONENT dev)
  foreach(header ${ARGN})
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${header} DESTINATION include/clever/${module}/${folder} COMPONENT dev)
  endforeach()
endfunction()
