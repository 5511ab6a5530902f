# shinar_warnings(TARGET): compile our own code with the warnings we promise to be free of.
option(SHINAR_WARNINGS_AS_ERRORS "Warnings of the compiler are errors" ON)

function(shinar_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic)
  if(SHINAR_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  # GCC 12 warns of "a" + std::string() with -O3: https://gcc.gnu.org/bugzilla/show_bug.cgi?id=105651
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
  endif()
endfunction()
