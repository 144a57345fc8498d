# docs/reference.md is what the program says of itself: `agents manual --reference docs/reference.md`
# writes it anew.
execute_process(COMMAND ${AGENTS} manual --reference ${SCRATCH} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(READ ${SCRATCH} made)
file(READ ${PAGE} kept)
if(NOT made STREQUAL kept)
  message(FATAL_ERROR "docs/reference.md is not what `agents manual --reference docs/reference.md` writes")
endif()
