# Installs into a temporary prefix, moves the tree, builds and runs consumers by find_package and by pkg-config, then
# uninstalls and looks for what is left. Called with -DBUILD= -DSOURCE= -DCOMPILER= -DVERSION= -DLIBDIR= -DIO=.
set(work ${BUILD}/install-test)
set(first ${work}/first)
set(prefix "${work}/moved tree")
set(consumer ${SOURCE}/tests/install)

function(run)
    execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
    if(status)
        message(FATAL_ERROR "status ${status}: ${ARGV}\n${out}")
    endif()
    set(out "${out}" PARENT_SCOPE)
endfunction()

# Naming the component that everything has keeps this manifest apart from that of a real installation.
file(REMOVE_RECURSE ${work})
run(${CMAKE_COMMAND} --install ${BUILD} --component Unspecified --prefix ${first})
file(MAKE_DIRECTORY ${work})
file(RENAME ${first} ${prefix})

run(${CMAKE_COMMAND} -S ${consumer} -B ${work}/cmake "-DCMAKE_PREFIX_PATH=${prefix}" -DCMAKE_C_COMPILER=${COMPILER}
    -DWANTED=${VERSION})
run(${CMAKE_COMMAND} --build ${work}/cmake)
run(${work}/cmake/shared ${VERSION})
run(${work}/cmake/static ${VERSION})

if(IO)
    run(${work}/cmake/io ${VERSION})
endif()

set(ENV{PKG_CONFIG_PATH} "${prefix}/${LIBDIR}/pkgconfig")
run(pkg-config --modversion trundle)
string(STRIP "${out}" out)
if(NOT out STREQUAL VERSION)
    message(FATAL_ERROR "trundle.pc is version '${out}', not ${VERSION}")
endif()
set(ENV{LD_LIBRARY_PATH} "${prefix}/${LIBDIR}")

function(by_pkg_config package source)
    run(pkg-config --cflags --libs ${package})
    separate_arguments(flags UNIX_COMMAND "${out}")
    run(${COMPILER} ${consumer}/${source} -o ${work}/by-pkg-config ${flags} -lm)
    run(${work}/by-pkg-config ${VERSION})
endfunction()
by_pkg_config(trundle consumer.c)
if(IO)
    by_pkg_config(trundle-io consumer_io.c)
endif()

file(RENAME ${prefix} ${first})
run(${CMAKE_COMMAND} -DMANIFEST=${BUILD}/install_manifest_Unspecified.txt -P ${SOURCE}/cmake/uninstall.cmake)
file(GLOB_RECURSE left ${first}/*)
if(left OR EXISTS ${first}/include/trundle)
    message(FATAL_ERROR "left after uninstalling: ${left}")
endif()
file(REMOVE_RECURSE ${work})
