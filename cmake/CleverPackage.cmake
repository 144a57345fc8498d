# Read by cpack once per kind of package. A tarball unpacks into a folder of its own, a .deb into /.
if(CPACK_GENERATOR STREQUAL "TGZ")
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
endif()
