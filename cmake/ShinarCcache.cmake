# Use ccache when it is there: a second build costs seconds. What it must be told for precompiled
# headers is not a risk here: none of them has __DATE__ or __TIME__ in it.
find_program(SHINAR_CCACHE ccache)
mark_as_advanced(SHINAR_CCACHE)
if(SHINAR_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${SHINAR_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${SHINAR_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
endif()
