# libtrundle-io (io/) and the program trundle (app/); both see only the public headers of the core.
file(GLOB_RECURSE io_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/io/*.c)
file(GLOB_RECURSE app_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/app/*.c)
if(io_sources)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(yaml IMPORTED_TARGET yaml-0.1)
    pkg_check_modules(zlib IMPORTED_TARGET zlib)
    pkg_search_module(hdf5 IMPORTED_TARGET hdf5-serial hdf5) # Debian's name first: the plain one may be an MPI build
endif()

if(io_sources AND yaml_FOUND AND zlib_FOUND AND hdf5_FOUND)
    set(io_needs PkgConfig::yaml PkgConfig::zlib PkgConfig::hdf5 m)
    add_library(trundle_io_objects OBJECT ${io_sources})
    target_include_directories(trundle_io_objects PRIVATE ${PROJECT_SOURCE_DIR}/io ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(trundle_io_objects PRIVATE ${io_needs})
    add_library(trundle_io SHARED $<TARGET_OBJECTS:trundle_io_objects>)
    set_target_properties(trundle_io PROPERTIES OUTPUT_NAME trundle-io VERSION ${PROJECT_VERSION} SOVERSION 0
                          INSTALL_RPATH "$ORIGIN")
    target_compile_options(trundle_io_objects PRIVATE -fstack-protector-strong)
    target_link_libraries(trundle_io PUBLIC trundle PRIVATE ${io_needs})
    # For the tests: it shows hidden symbols, and tests/kit/check.h names an assertion that fails.
    add_library(trundle_io_static STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:trundle_io_objects>)
    target_link_libraries(trundle_io_static PUBLIC trundle_static ${io_needs})
    add_library(Trundle::trundle_io ALIAS trundle_io)
elseif(io_sources)
    message(STATUS "Without io/ and app/: libyaml ${yaml_FOUND}, zlib ${zlib_FOUND}, HDF5 ${hdf5_FOUND}")
endif()

if(app_sources AND TARGET trundle_io)
    add_executable(trundle_program ${app_sources})
    set_target_properties(trundle_program PROPERTIES OUTPUT_NAME trundle)
    target_compile_options(trundle_program PRIVATE -fstack-protector-strong)
    target_include_directories(trundle_program PRIVATE ${PROJECT_SOURCE_DIR}/app)
    target_compile_definitions(trundle_program PRIVATE _DEFAULT_SOURCE) # signals, processes, terminal
    target_link_libraries(trundle_program PRIVATE trundle_io trundle m)
endif()
