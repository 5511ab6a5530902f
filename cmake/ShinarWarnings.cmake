# shinar_warnings(TARGET): compile our own code with the warnings we promise to be free of.
function(shinar_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Werror)
endfunction()
