# shinar_tests(<folder>): what tests/<folder> builds belongs to the target test_programs, not to `all`:
# who only wants to use Shinar need not wait for it. A source package may lack the folder. Unit tests
# are built by who runs them: `make test` does so in the builds with sanitizers alone.
add_custom_target(test_programs)
function(shinar_tests folder)
  set(source ${PROJECT_SOURCE_DIR}/tests/${folder})
  if(NOT EXISTS ${source}/CMakeLists.txt)
    return()
  endif()
  add_subdirectory(${source} ${PROJECT_BINARY_DIR}/tests/${folder} EXCLUDE_FROM_ALL)
  get_property(targets DIRECTORY ${source} PROPERTY BUILDSYSTEM_TARGETS)
  list(FILTER targets EXCLUDE REGEX "^(protocols|runtime|par)_tests$")
  if(targets)
    add_dependencies(test_programs ${targets})
  endif()
endfunction()
