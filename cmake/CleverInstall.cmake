# What is installed, in two components:
#   runtime   agents, its completions and manual pages
#   dev       the CMake package CleverAgents: public headers and one library per module
# and the packages that CPack makes of the runtime. Included last, when all modules are known.
include(CMakePackageConfigHelpers)
clever_write_registry()

# ---- dev ----------------------------------------------------------------------------------------
# The consumer of a static library links what that library links; the package config finds it, for
# the components that were asked for and what they use.
function(clever_package_of library variable)
  string(REGEX REPLACE "::.*" "" package ${library})
  set(${variable} ${package} PARENT_SCOPE)
endfunction()

function(clever_module_needs)
  set(lines "")
  get_property(directories DIRECTORY ${PROJECT_SOURCE_DIR}/src PROPERTY SUBDIRECTORIES)
  foreach(directory ${directories})
    get_filename_component(module ${directory} NAME)
    if(NOT TARGET clever_${module})
      continue()
    endif()
    set(uses "")
    set(packages "")
    get_target_property(libraries clever_${module} LINK_LIBRARIES)
    foreach(library ${libraries})
      if(library MATCHES "^CleverAgents::(.*)$")
        list(APPEND uses ${CMAKE_MATCH_1})
      elseif(library MATCHES "^[A-Za-z0-9_]+::")
        clever_package_of(${library} package)
        list(APPEND packages ${package})
      endif()
    endforeach()
    list(REMOVE_DUPLICATES packages)
    string(APPEND lines "set(_clever_${module}_uses ${uses})\nset(_clever_${module}_needs ${packages})\n")
    list(APPEND modules ${module})
  endforeach()
  set(CLEVER_MODULES "${modules}" PARENT_SCOPE)
  set(CLEVER_MODULE_NEEDS "${lines}" PARENT_SCOPE)
endfunction()

clever_module_needs()
set(package_directory lib/cmake/CleverAgents)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/CleverAgentsConfig.cmake.in
  ${CMAKE_BINARY_DIR}/CleverAgentsConfig.cmake INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/CleverAgentsConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/CleverAgentsConfig.cmake
  ${CMAKE_BINARY_DIR}/CleverAgentsConfigVersion.cmake
  DESTINATION ${package_directory} COMPONENT dev)
install(EXPORT CleverAgentsTargets NAMESPACE CleverAgents:: DESTINATION ${package_directory}
  COMPONENT dev)

# ---- runtime ------------------------------------------------------------------------------------
if(NOT TARGET agents OR CLEVER_SANITIZER OR CLEVER_COVERAGE)
  return()
endif()
# `cmake --install` installs what was built, and does not start a build of its own.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
install(TARGETS agents RUNTIME DESTINATION bin COMPONENT runtime)

# The program writes its own completions and manual pages: they cannot fall behind it.
set(generated ${CMAKE_BINARY_DIR}/generated)
add_custom_command(OUTPUT ${generated}/done
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${generated}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${generated}/man
  COMMAND agents completion bash > ${generated}/agents.bash
  COMMAND agents completion zsh > ${generated}/_agents
  COMMAND agents completion fish > ${generated}/agents.fish
  COMMAND agents manual --output ${generated}/man > ${generated}/manual.log
  COMMAND ${CMAKE_COMMAND} -E touch ${generated}/done
  DEPENDS agents VERBATIM COMMENT "Writing completions and manual pages")
add_custom_target(agents_files ALL DEPENDS ${generated}/done)

install(FILES ${generated}/agents.bash DESTINATION share/bash-completion/completions RENAME agents
  COMPONENT runtime)
install(FILES ${generated}/agents.fish DESTINATION share/fish/vendor_completions.d COMPONENT runtime)
# Debian's zsh reads vendor-completions under /usr, and site-functions everywhere else.
install(CODE "
  set(folder site-functions)
  if(CMAKE_INSTALL_PREFIX MATCHES \"/usr$\")
    set(folder vendor-completions)
  endif()
  file(INSTALL \"${generated}/_agents\"
    DESTINATION \"\${CMAKE_INSTALL_PREFIX}/share/zsh/\${folder}\")" COMPONENT runtime)
install(DIRECTORY ${generated}/man/ DESTINATION share/man/man1 COMPONENT runtime
  FILES_MATCHING PATTERN "*.1")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/cleveragents RENAME copyright
  COMPONENT runtime)

# ---- packages -----------------------------------------------------------------------------------
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME cleveragents)
set(CPACK_PACKAGE_VENDOR CleverAgents)
set(CPACK_PACKAGE_CONTACT "The CleverAgents contributors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_COMPONENTS_ALL runtime)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/CleverPackage.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS git)
# Loaded when a PostgreSQL database is opened, or HTTP is spoken, and only then.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libpq5, libcurl4")
include(CPack)
