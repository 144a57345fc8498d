# clever_unity(VARIABLE TARGET SOURCE…): sets VARIABLE to what TARGET compiles in place of the sources: a
# few units that include several of them each. A header is parsed and an inline function generated once
# per unit, not once per source: that is most of a build's time. Sources that have definitions or
# dependencies of their own stay alone.
#
# What this asks of the sources: no two of a target define the same name in an unnamed namespace; the
# tidy test says so. The g++ build compiles each source by itself, which shows that it includes what it
# uses.
option(CLEVER_UNITY "Compile several sources as one unit (Clang only)" ON)
set(CLEVER_UNITY_SIZE 8 CACHE STRING "How many sources a unit holds at most")

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
    if(definitions OR NOT source MATCHES "\\.cc$" OR source MATCHES "^${CMAKE_BINARY_DIR}/")
      list(APPEND result ${source})
    else()
      list(APPEND together ${source})
    endif()
  endforeach()
  # By folder: an edit of one file compiles its neighbours.
  list(SORT together)
  list(LENGTH together count)
  math(EXPR units "(${count} + ${CLEVER_UNITY_SIZE} - 1) / ${CLEVER_UNITY_SIZE}")
  if(count LESS 2)
    set(${variable} ${result} ${together} PARENT_SCOPE)
    return()
  endif()
  math(EXPR last "${units} - 1")
  foreach(unit RANGE ${last})
    math(EXPR begin "${unit} * ${count} / ${units}")
    math(EXPR length "(${unit} + 1) * ${count} / ${units} - ${begin}")
    list(SUBLIST together ${begin} ${length} members)
    # Relative to the root, so that the text is the same in every clone.
    list(TRANSFORM members REPLACE "^${PROJECT_SOURCE_DIR}/(.*)$" "#include \"\\1\"")
    list(JOIN members "\n" text)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}_${unit}.cc)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}\n" @ONLY)
    list(APPEND result ${file})
  endforeach()
  set_source_files_properties(${result} PROPERTIES INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR})
  set(${variable} ${result} PARENT_SCOPE)
endfunction()
