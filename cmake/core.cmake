# The library: all of src/ once as objects, from them libtrundle.so and libtrundle.a.
file(GLOB_RECURSE core_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.c)
set(trundle_openmp OFF)
if(NOT TRUNDLE_CORE_ONLY)
    find_package(OpenMP QUIET COMPONENTS C)
    set(trundle_openmp ${OpenMP_C_FOUND})
    message(STATUS "OpenMP: ${trundle_openmp}")
endif()

add_library(trundle_objects OBJECT ${core_sources})
target_include_directories(trundle_objects PUBLIC ${PROJECT_SOURCE_DIR}/include PRIVATE ${PROJECT_SOURCE_DIR}/src)
# A kernel is one file (src/lanes/isa.h). trundle_objects has it for every machine; on x86 it is compiled again for AVX2 and for
# AVX-512, and the library picks one at run time. Sweeps are also compiled in floats.
set(kernel_sources src/solvers/sweep_problem/sweep_kernel.c src/steppers/springs/springs_kernel.c
    src/steppers/track/track_kernel.c src/steppers/worlds/ball_kernel.c)
check_c_source_compiles("#ifndef __x86_64__\n#error\n#endif\nint main(void) { return 0; }" TRUNDLE_X86_64)
set(kernel_objects)
function(add_kernel name source)
    add_library(${name} OBJECT ${source})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(${name} PRIVATE ${ARGN})
    set(kernel_objects ${kernel_objects} $<TARGET_OBJECTS:${name}> PARENT_SCOPE)
endfunction()
add_kernel(trundle_sweep_kernel_f32_generic src/solvers/sweep_problem/sweep_kernel.c SIMD_FLOAT)
if(TRUNDLE_X86_64)
    add_kernel(trundle_sweep_kernel_f32_avx2 src/solvers/sweep_problem/sweep_kernel.c SIMD_FLOAT SIMD_ISA=1)
    add_kernel(trundle_sweep_kernel_f32_avx512 src/solvers/sweep_problem/sweep_kernel.c SIMD_FLOAT SIMD_ISA=2)
    foreach(source ${kernel_sources})
        get_filename_component(kernel ${source} NAME_WE)
        add_kernel(trundle_${kernel}_avx2 ${source} SIMD_ISA=1)
        add_kernel(trundle_${kernel}_avx512 ${source} SIMD_ISA=2)
    endforeach()
    # sweeps hold more numbers than 16 registers: allocated by priority, gcc moves a tenth fewer of them to memory and back
    target_compile_options(trundle_sweep_kernel_avx2 PRIVATE $<$<C_COMPILER_ID:GNU>:-fira-algorithm=priority>)
endif()
# One body's step: vectors of three, stored in pairs and read singly soon after, wait for their stores, so they stay single;
# and the structs it clears are small, where the string instruction that gcc takes for them begins slowly.
set(one_body_options -fno-tree-slp-vectorize)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    list(APPEND one_body_options "-mmemset-strategy=unrolled_loop:512:noalign,libcall:-1:noalign")
endif()
set_source_files_properties(
    src/solvers/one_contact/one_contact.c src/step/lot/body_on_plane.c src/steppers/moreau/step_moreau.c
    PROPERTIES COMPILE_OPTIONS "$<$<C_COMPILER_ID:GNU>:${one_body_options}>")

add_library(trundle SHARED $<TARGET_OBJECTS:trundle_objects> ${kernel_objects})
add_library(trundle_static STATIC $<TARGET_OBJECTS:trundle_objects> ${kernel_objects})
set_target_properties(trundle PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0 INSTALL_RPATH "")
set_target_properties(trundle_static PROPERTIES OUTPUT_NAME trundle)
target_link_libraries(trundle PRIVATE m)
target_link_libraries(trundle_static PUBLIC m)
foreach(library trundle trundle_static)
    target_include_directories(${library} INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    add_library(Trundle::${library} ALIAS ${library})
endforeach()
if(trundle_openmp)
    target_link_libraries(trundle_objects PRIVATE OpenMP::OpenMP_C)
    target_link_libraries(trundle PRIVATE OpenMP::OpenMP_C)
    target_link_libraries(trundle_static PRIVATE OpenMP::OpenMP_C)
endif()
