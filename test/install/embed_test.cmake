# Installs the package, builds examples/embed against it and runs it.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
scratch(embed)

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${scratch}/prefix --component dev)
file(GLOB_RECURSE private ${scratch}/prefix/include/*internal*)
if(private)
  message(FATAL_ERROR "private headers were installed: ${private}")
endif()

set(configure ${CMAKE_COMMAND} -G Ninja -DCMAKE_CXX_COMPILER=${COMPILER}
  -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld -DCMAKE_PREFIX_PATH=${scratch}/prefix)
run(${configure} -S ${SOURCE}/examples/embed -B ${scratch}/build)
run(${CMAKE_COMMAND} --build ${scratch}/build)

file(WRITE ${scratch}/abc abc)
file(WRITE ${scratch}/empty "")
run(${scratch}/build/digests ${scratch}/empty ${scratch}/abc)
expect_text("${output}" "^e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  [^\n]*/empty\n")
expect_text("${output}" "\nba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  [^\n]*/abc\n$")

execute_process(COMMAND ${scratch}/build/digests ${scratch}/missing
  RESULT_VARIABLE status ERROR_VARIABLE errors)
if(NOT status EQUAL 1)
  message(FATAL_ERROR "a missing file gave exit status ${status}")
endif()
expect_text("${errors}" "digests: .*cannot read .*/missing")

# Every public header compiles from the installed folder, and every library links, without the others'
# private parts; a component that does not exist is refused by name.
file(GLOB_RECURSE headers RELATIVE ${scratch}/prefix/include/clever ${scratch}/prefix/include/clever/*.h)
list(TRANSFORM headers REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE includes)
list(JOIN includes "" includes)
file(WRITE ${scratch}/all/main.cc "${includes}int main() {}\n")
file(WRITE ${scratch}/all/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(all LANGUAGES CXX)
find_package(CleverAgents REQUIRED)
add_executable(everything main.cc)
foreach(module \${_clever_modules})
  target_link_libraries(everything PRIVATE CleverAgents::\${module})
endforeach()
")
run(${configure} -S ${scratch}/all -B ${scratch}/all/build)
run(${CMAKE_COMMAND} --build ${scratch}/all/build)

file(WRITE ${scratch}/wrong/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(wrong LANGUAGES CXX)
find_package(CleverAgents REQUIRED COMPONENTS bass)
")
execute_process(COMMAND ${configure} -S ${scratch}/wrong -B ${scratch}/wrong/build
  RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE errors)
if(status EQUAL 0)
  message(FATAL_ERROR "find_package accepted a component that does not exist")
endif()
expect_text("${errors}" "has no component 'bass'")
