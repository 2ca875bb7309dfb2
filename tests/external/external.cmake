# Compiles a law and its test as a user would, outside the tree: public headers and the built library, nothing else.
# Called with -DBUILD= -DSOURCE= -DCOMPILER= -DLIBRARY=.
set(work ${BUILD}/external-test)
file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})
file(COPY ${SOURCE}/tests/external/wear.c ${SOURCE}/tests/external/wear.h ${SOURCE}/tests/external/external.c
     DESTINATION ${work})
file(COPY ${SOURCE}/include/trundle DESTINATION ${work}/include)
get_filename_component(folder ${LIBRARY} DIRECTORY)
execute_process(COMMAND ${COMPILER} -std=c17 -Wall -Wextra -Werror -O2 -Iinclude wear.c external.c -o external
                        ${LIBRARY} -lm -Wl,-rpath,${folder}
                WORKING_DIRECTORY ${work} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
if(status)
    message(FATAL_ERROR "compiling: ${out}")
endif()
execute_process(COMMAND ${work}/external RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
message("${out}")
if(status)
    message(FATAL_ERROR "status ${status}")
endif()
file(REMOVE_RECURSE ${work})
