# The basic types as elements of arrays in Fortran: name, declaration in Fortran, and in the
# subroutines for Fortran 77. Logicals and characters are no C types: what modern Fortran needs for
# them is written by hand.
set(element_types
  "bool||logical"
  "char||character(kind=c_char)"
  "int|integer(c_int32_t)|integer(c_int32_t)"
  "long|integer(c_int64_t)|integer(c_int64_t)"
  "float|real(c_float)|real(c_float)"
  "double|real(c_double)|real(c_double)"
  "fcomplex|complex(c_float_complex)|complex(c_float)"
  "dcomplex|complex(c_double_complex)|complex(c_double)"
  "opaque|type(c_ptr)|integer(c_int64_t)")

# Sets <prefix>_T, <prefix>_MODERN and <prefix>_F77 to the columns of a row.
function(read_element_type prefix row)
  string(REGEX MATCH "^([^|]*)[|]([^|]*)[|]([^|]*)$" row "${row}")
  set(${prefix}_T "${CMAKE_MATCH_1}" PARENT_SCOPE)
  set(${prefix}_MODERN "${CMAKE_MATCH_2}" PARENT_SCOPE)
  set(${prefix}_F77 "${CMAKE_MATCH_3}" PARENT_SCOPE)
endfunction()

# Their codes (enum sidl_array_type): those of sidl_kinds.def. Each type has a row above but string,
# whose elements have no declaration that interfaces share.
set(kinds_file ${PROJECT_SOURCE_DIR}/runtime/c/include/sidl_kinds.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${kinds_file})
set(element_codes)
file(STRINGS ${kinds_file} kinds REGEX "^SIDL_(BOOL|NUMBER|STRING|LOCAL)\\([a-z]+, [0-9]+, [0-9]+,")
foreach(kind IN LISTS kinds)
  string(REGEX MATCH "^SIDL_([A-Z]+)\\(([a-z]+), [0-9]+, ([0-9]+)," kind "${kind}")
  set(sort ${CMAKE_MATCH_1})
  set(name ${CMAKE_MATCH_2})
  list(APPEND element_codes "${name}|${CMAKE_MATCH_3}")
  if(NOT sort STREQUAL "STRING" AND NOT "${element_types}" MATCHES "(^|;)${name}[|]")
    message(FATAL_ERROR "The basic type ${name} of ${kinds_file} has no row in "
                        "${CMAKE_CURRENT_LIST_FILE}.")
  endif()
endforeach()

# Makes <output> of the template <source>, in which the lines between "!@each" and "!@end" are
# repeated for each type that has a declaration in Fortran, those between "!@each_code" and "!@end"
# for each code.
function(expand_element_types source output)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(READ ${source} rest)
  set(text)
  while(rest MATCHES "!@(each|each_code)\n")
    set(which ${CMAKE_MATCH_1})
    string(FIND "${rest}" "!@${which}\n" begin)
    string(SUBSTRING "${rest}" 0 ${begin} before)
    string(LENGTH "!@${which}\n" length)
    math(EXPR begin "${begin} + ${length}")
    string(SUBSTRING "${rest}" ${begin} -1 rest)
    string(FIND "${rest}" "!@end\n" end)
    string(SUBSTRING "${rest}" 0 ${end} block)
    math(EXPR end "${end} + 6")
    string(SUBSTRING "${rest}" ${end} -1 rest)
    string(APPEND text "${before}")
    if(which STREQUAL "each")
      foreach(row IN LISTS element_types)
        read_element_type(element "${row}")
        if(element_MODERN)
          string(REPLACE "@T@" "${element_T}" one "${block}")
          string(REPLACE "@DECLARATION@" "${element_MODERN}" one "${one}")
          string(APPEND text "${one}")
        endif()
      endforeach()
    else()
      foreach(row IN LISTS element_codes)
        string(REGEX MATCH "^(.*)[|](.*)$" row "${row}")
        string(REPLACE "@T@" "${CMAKE_MATCH_1}" one "${block}")
        string(REPLACE "@CODE@" "${CMAKE_MATCH_2}" one "${one}")
        string(APPEND text "${one}")
      endforeach()
    endif()
  endwhile()
  file(CONFIGURE OUTPUT ${output} CONTENT "${text}${rest}" @ONLY)
endfunction()
