# What `./run install --prefix DIR` puts there, and nothing else.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
scratch(prefix)

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${scratch}/p --component runtime)
foreach(file bin/agents share/bash-completion/completions/agents share/zsh/site-functions/_agents
    share/fish/vendor_completions.d/agents.fish share/man/man1/agents.1 share/doc/cleveragents/copyright)
  expect_file(${scratch}/p/${file})
endforeach()
if(EXISTS ${scratch}/p/include OR EXISTS ${scratch}/p/lib)
  message(FATAL_ERROR "the runtime brings headers or libraries along")
endif()

run(${scratch}/p/bin/agents version)
expect_text("${output}" "[0-9]+\\.[0-9]+\\.[0-9]+")
run(bash -n ${scratch}/p/share/bash-completion/completions/agents)
run(zsh -n ${scratch}/p/share/zsh/site-functions/_agents)
run(fish --no-execute ${scratch}/p/share/fish/vendor_completions.d/agents.fish)
