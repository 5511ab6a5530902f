# Use ccache when it is there: a second build costs seconds.
find_program(SHINAR_CCACHE ccache)
mark_as_advanced(SHINAR_CCACHE)
if(SHINAR_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${SHINAR_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${SHINAR_CCACHE})
endif()
