# Sets f77_arrays: the subroutines for arrays that old codes call, made of templates, for Fortran
# has none: a file for each type of element, and one for arrays of any.
set(f77_arrays)
set(templates array element memory memory_c shape string)
foreach(template IN LISTS templates)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/f77_${template}.f90.in)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(READ ${source} text_${template})
endforeach()

macro(add_f77_array name)
  string(CONFIGURE "${ARGN}" text @ONLY)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/gen/sidl-f77-arrays/f77_${name}.f90
       CONTENT "${text}" @ONLY)
  list(APPEND f77_arrays ${PROJECT_BINARY_DIR}/gen/sidl-f77-arrays/f77_${name}.f90)
endmacro()

set(PUBLIC ", borrow, borrow64, access, access64")
foreach(pair
    "bool|logical" "char|character(kind=c_char)" "dcomplex|complex(c_double)"
    "double|real(c_double)"
    "fcomplex|complex(c_float)" "float|real(c_float)" "int|integer(c_int32_t)"
    "long|integer(c_int64_t)" "opaque|integer(c_int64_t)")
  string(REGEX MATCH "(.*)[|](.*)" pair ${pair})
  set(T ${CMAKE_MATCH_1})
  set(DUMMY ${CMAKE_MATCH_2})
  set(PREFIX ${T}_)
  string(CONFIGURE "${text_memory_c}" MEMORY @ONLY)
  add_f77_array(${T} "${text_element}${text_array}${text_memory}${text_shape}")
endforeach()

# Objects and strings have no memory that a caller could see.
set(PUBLIC)
set(MEMORY)
set(T interface)
set(DUMMY "integer(c_int64_t)")
set(PREFIX interface_)
add_f77_array(interface "${text_element}${text_array}${text_shape}")
set(T string)
set(DUMMY "character(*)")
set(PREFIX string_)
add_f77_array(string "${text_string}${text_array}${text_shape}")
set(T any)
set(PREFIX)
add_f77_array(any "${text_shape}")
