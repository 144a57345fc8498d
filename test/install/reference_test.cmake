# docs/reference/commands.md is what `agents manual --reference docs/reference/commands.md` writes.
execute_process(COMMAND ${AGENTS} manual --reference ${SCRATCH} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(READ ${SCRATCH} made)
file(READ ${PAGE} kept)
if(NOT made STREQUAL kept)
  message(FATAL_ERROR "docs/reference/commands.md is not what `agents manual --reference docs/reference/commands.md` writes")
endif()
