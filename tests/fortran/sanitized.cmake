# -DFORTRAN_SANITIZE=ON: all that is built here with gcc's sanitizers (clang's know no Fortran), and so
# what it links: libsidl_fortran and libsidl_f77, built of the sources that the installation has for
# fpm. libsidl stays as it is: `make sanitize` looks after that.
option(FORTRAN_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
if(NOT FORTRAN_SANITIZE)
  return()
endif()
add_compile_options(-O0 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all)
# gfortran calculates with the bounds of arrays that are not allocated before it looks, and with the
# addresses of their components; what is read from there AddressSanitizer sees.
add_compile_options(
  "$<$<COMPILE_LANGUAGE:Fortran>:-fno-sanitize=signed-integer-overflow;-fno-sanitize=null>")
add_link_options(-fsanitize=address,undefined)

# add_sanitized(sidl_fortran fpm): the library goes where CMake takes that of the installation to be.
function(add_sanitized name package)
  file(GLOB sources ${Shinar_SIDL_DIR}/${package}/src/*.c ${Shinar_SIDL_DIR}/${package}/src/*.f90)
  add_library(${name} SHARED ${sources})
  set_target_properties(${name} PROPERTIES
    SOVERSION 0
    UNITY_BUILD OFF
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${name}
    Fortran_MODULE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/sanitized-modules)
  target_include_directories(${name} BEFORE PUBLIC ${CMAKE_CURRENT_BINARY_DIR}/sanitized-modules)
  target_compile_options(${name} PRIVATE
    "$<$<COMPILE_LANGUAGE:Fortran>:-Wno-c-binding-type;-Wno-conversion;-Wno-unused-variable>")
  target_link_libraries(${name} PRIVATE Shinar::sidl ${ARGN})
  foreach(configuration RELWITHDEBINFO RELEASE DEBUG MINSIZEREL NOCONFIG)
    set_target_properties(Shinar::${name} PROPERTIES
      IMPORTED_LOCATION_${configuration} ${CMAKE_CURRENT_BINARY_DIR}/${name}/lib${name}.so.0)
  endforeach()
  add_dependencies(Shinar::${name} ${name})
endfunction()
add_sanitized(sidl_fortran fpm)
add_sanitized(sidl_f77 fpm_f77 sidl_fortran)

# What test_fortran_sanitized.py runs.
add_executable(gone gone.f90)
add_custom_target(sanitized DEPENDS callers sidl_arrays nulls wide_bounds gone)
