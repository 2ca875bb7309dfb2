# What "cmake --install" puts where: headers, libraries, .pc files, the package Trundle, the program, its data.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Trundle)

set(shared_libraries trundle)
set(pc_names trundle)
set(not_built io.h plugins.h study.h)
if(TARGET trundle_io)
    list(APPEND shared_libraries trundle_io)
    list(APPEND pc_names trundle-io)
    set(not_built)
endif()
file(GLOB headers CONFIGURE_DEPENDS include/trundle/*.h)
foreach(header IN LISTS not_built)
    list(REMOVE_ITEM headers ${PROJECT_SOURCE_DIR}/include/trundle/${header})
endforeach()
install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/trundle)

# Two export sets: only the static library drags OpenMP into its user's link line.
install(TARGETS ${shared_libraries} EXPORT TrundleTargets)
install(TARGETS trundle_static EXPORT TrundleStaticTargets)
install(EXPORT TrundleTargets NAMESPACE Trundle:: DESTINATION ${package_dir})
install(EXPORT TrundleStaticTargets NAMESPACE Trundle:: DESTINATION ${package_dir})
configure_package_config_file(cmake/TrundleConfig.cmake.in ${PROJECT_BINARY_DIR}/TrundleConfig.cmake
                              INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(TrundleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TrundleConfig.cmake ${PROJECT_BINARY_DIR}/TrundleConfigVersion.cmake
        DESTINATION ${package_dir})

# The .pc files find their prefix from their own place, so that the installed tree can be moved.
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
set(pc_private "-lm")
if(trundle_openmp)
    string(APPEND pc_private " ${OpenMP_C_FLAGS}")
endif()
foreach(name IN LISTS pc_names)
    configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

install(DIRECTORY examples/c DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
if(TARGET trundle_program)
    install(TARGETS trundle_program)
    install(DIRECTORY bench DESTINATION ${CMAKE_INSTALL_DATADIR}/trundle FILES_MATCHING PATTERN "*.yaml")
    install(FILES build/playground.html DESTINATION ${CMAKE_INSTALL_DATADIR}/trundle OPTIONAL) # of make playground
    install(FILES viewer/report.html DESTINATION ${CMAKE_INSTALL_DATADIR}/trundle/viewer)
    install(DIRECTORY scenes papers DESTINATION ${CMAKE_INSTALL_DATADIR}/trundle OPTIONAL)
endif()

add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
                  -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake)
