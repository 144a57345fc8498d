# The .deb and the tarball: contents and dependencies.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
scratch(packages)

run(cpack --config ${BUILD}/CPackConfig.cmake -B ${scratch})
file(GLOB debs ${scratch}/*.deb)
file(GLOB tarballs ${scratch}/*.tar.gz)
list(LENGTH debs deb_count)
list(LENGTH tarballs tarball_count)
if(NOT deb_count EQUAL 1 OR NOT tarball_count EQUAL 1)
  message(FATAL_ERROR "expected one .deb and one .tar.gz: ${debs} ${tarballs}")
endif()

set(files bin/agents share/bash-completion/completions/agents
  share/fish/vendor_completions.d/agents.fish share/man/man1/agents.1)

run(dpkg-deb --contents ${debs})
foreach(file ${files} share/zsh/vendor-completions/_agents)
  expect_text("${output}" " \\./usr/${file}\n")
endforeach()
if(output MATCHES "/include/|\\.a\n|site-functions")
  message(FATAL_ERROR "the .deb holds what it should not:\n${output}")
endif()
run(dpkg-deb --info ${debs})
expect_text("${output}" "\n Package: cleveragents\n")
expect_text("${output}" "\n Version: ${VERSION}\n")
expect_text("${output}" "\n Depends: [^\n]*libc6 \\(>= ")
expect_text("${output}" "\n Depends: [^\n]*git")

run(${CMAKE_COMMAND} -E tar tf ${tarballs})
foreach(file ${files} share/zsh/site-functions/_agents)
  expect_text("${output}" "/${file}\n")
endforeach()

run(dpkg-deb --extract ${debs} ${scratch}/root)
run(${scratch}/root/usr/bin/agents version)
expect_text("${output}" "${VERSION}")
