# -DSHINAR_SANITIZE=address,undefined builds everything under the named sanitizers; what they find
# ends the program. -O1 -g1: such builds are slow to make and are not kept for long. Locks are
# checked as well (protocols/core/checked_mutex.hpp).
set(SHINAR_SANITIZE "" CACHE STRING "Comma-separated sanitizers to build with, or empty")
if(SHINAR_SANITIZE)
  add_compile_options(-O1 -g1 -fsanitize=${SHINAR_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_compile_definitions(SHINAR_CHECK_LOCKS)
  add_link_options(-fsanitize=${SHINAR_SANITIZE})
  if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    # An object's functions are called through pointers that know less of its type.
    add_compile_options(-fno-sanitize=function)
  endif()
endif()
