# Use ccache when it is there: a second build costs seconds. What it must be told for precompiled
# headers is not a risk here: none of them has __DATE__ or __TIME__ in it. What a file includes is
# taken from the compiler, which says it anyway: looking beforehand takes a tenth of a first build.
find_program(SHINAR_CCACHE ccache)
mark_as_advanced(SHINAR_CCACHE)
if(SHINAR_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1 ${SHINAR_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros
    ${SHINAR_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
endif()
