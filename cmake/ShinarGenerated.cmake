# shinar_generated_headers(<variable> <folder>...): the headers that an earlier build generated there.
#
# As BYPRODUCTS of the command that runs sidlc they make ninja look at them again after it ran, so
# that what includes a header that changed is compiled in the same build and not in the next one.
# In a fresh build there are none, and none are needed: everything is compiled anyway.
function(shinar_generated_headers variable)
  set(patterns)
  foreach(folder IN LISTS ARGN)
    list(APPEND patterns ${folder}/*.h ${folder}/*.hxx)
  endforeach()
  file(GLOB headers CONFIGURE_DEPENDS ${patterns})
  set(${variable} ${headers} PARENT_SCOPE)
endfunction()
