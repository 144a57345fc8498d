# clever_unity(VARIABLE TARGET SOURCE…): sets VARIABLE to what TARGET compiles in place of the sources: a
# few units that include several of them each. A header is parsed and an inline function generated once
# per unit, not once per source: that is most of a build's time. Sources that have definitions or
# dependencies of their own stay alone.
#
# What this asks of the sources: no two of a target define the same name in an unnamed namespace; the
# tidy test says so. The g++ build compiles each source by itself, which shows that it includes what it
# uses.
option(CLEVER_UNITY "Compile several sources as one unit (Clang only)" ON)
set(CLEVER_UNITY_MOST 12 CACHE STRING "How many sources a unit holds at most")

# Appends to VARIABLE what compiles these sources: a unit that is named for the first, or a lone source.
function(clever_unity_unit variable target first)
  if(NOT ARGN)
    set(${variable} ${${variable}} ${PROJECT_SOURCE_DIR}/${first} PARENT_SCOPE)
    return()
  endif()
  get_filename_component(name ${first} NAME_WE)
  string(MD5 hash ${first})
  string(SUBSTRING ${hash} 0 6 hash)
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}_${name}_${hash}.cc)
  set(text "")
  foreach(source ${first} ${ARGN})
    string(APPEND text "#include \"${source}\"\n")
  endforeach()
  file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
  set(${variable} ${${variable}} ${file} PARENT_SCOPE)
endfunction()

function(clever_unity variable target)
  if(NOT CLEVER_UNITY OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    set(${variable} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(result "")
  set(together "")
  foreach(source ${ARGN})
    get_filename_component(source ${source} ABSOLUTE)
    get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
    string(FIND ${source} ${CMAKE_BINARY_DIR}/ generated)
    if(definitions OR NOT source MATCHES "\\.cc$" OR generated EQUAL 0)
      list(APPEND result ${source})
    else()
      # Relative to the root, so that the text is the same in every clone.
      file(RELATIVE_PATH source ${PROJECT_SOURCE_DIR} ${source})
      list(APPEND together ${source})
    endif()
  endforeach()
  list(LENGTH together count)
  if(count LESS 2)
    set(${variable} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  # By folder: an edit of one file compiles its neighbours. A name's hash says whether a unit begins
  # with it, so a file that comes or goes changes its own unit and seldom another.
  list(SORT together)
  set(members "")
  foreach(source ${together})
    string(MD5 hash ${source})
    list(LENGTH members length)
    if(length EQUAL CLEVER_UNITY_MOST OR (length GREATER 3 AND hash MATCHES "^[0-3]"))
      clever_unity_unit(result ${target} ${members})
      set(members "")
    endif()
    list(APPEND members ${source})
  endforeach()
  clever_unity_unit(result ${target} ${members})
  set_source_files_properties(${result} PROPERTIES INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR})
  set(${variable} ${result} PARENT_SCOPE)
endfunction()
