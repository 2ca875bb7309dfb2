# CMake toolchain: Debian's clang and wasi-libc, for a module without an operating system.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_C_COMPILER_LAUNCHER $ENV{CMAKE_C_COMPILER_LAUNCHER})
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
