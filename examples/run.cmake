# Runs an example and compares what it prints with a file: cmake -DPROGRAM=... -DARGUMENT=... -DEXPECTED=... -P run.cmake
# Paths of plug-ins are shortened to their names.
execute_process(COMMAND ${PROGRAM} ${ARGUMENT} OUTPUT_VARIABLE found ERROR_VARIABLE said RESULT_VARIABLE code)
if(ARGUMENT)
    get_filename_component(name ${ARGUMENT} NAME)
    string(REPLACE ${ARGUMENT} ${name} found "${found}")
endif()
file(READ ${EXPECTED} wanted)
if(NOT code EQUAL 0 OR NOT found STREQUAL wanted)
    message(FATAL_ERROR "${PROGRAM}: exit code ${code}\n${said}found:\n${found}\nwanted:\n${wanted}")
endif()
