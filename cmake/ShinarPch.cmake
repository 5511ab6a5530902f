# What most files of C++ here include is read once, not by each of them: a third of the build.
set(shinar_common_headers
  <algorithm> <array> <atomic> <chrono> <condition_variable> <cstdint> <cstring> <deque> <functional>
  <map> <memory> <mutex> <optional> <set> <span> <string> <string_view> <thread> <unordered_map>
  <utility> <variant> <vector>)

# shinar_precompile(TARGET HEADERS…): the usual headers of the standard library, and these.
function(shinar_precompile target)
  set(headers ${shinar_common_headers} ${ARGN})
  set(in_cxx)
  foreach(header ${headers})
    string(REPLACE ">" "$<ANGLE-R>" header ${header})  # the first plain one would end the condition
    list(APPEND in_cxx $<$<COMPILE_LANGUAGE:CXX>:${header}>)
  endforeach()
  target_precompile_headers(${target} PRIVATE ${in_cxx})
endfunction()

# -DSHINAR_UNITY=ON: some libraries are compiled as one file, which takes half the time of a whole
# build and more of one after a change: for builds that begin from nothing.
option(SHINAR_UNITY "Compile the files of some libraries in C++ as one" OFF)

# shinar_unity(TARGET): the target is one of these. Its file-local names must be unique in it; as all
# its files are one, a name that is not shows at once.
function(shinar_unity target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.c$")  # generated tables, which all have the same names
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${SHINAR_UNITY} UNITY_BUILD_BATCH_SIZE 0)
  set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
