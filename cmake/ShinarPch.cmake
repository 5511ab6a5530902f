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

# -DSHINAR_UNITY=ON: most libraries and programs are compiled as one file, which takes a third of the
# time of a whole build and more of one after a change: for builds that begin from nothing.
option(SHINAR_UNITY "Compile the files of most libraries and programs in C++ as one" OFF)

# shinar_unity(TARGET [PARTS number | BY_FOLDER]): the target is one of these. Its file-local names
# must be unique in it; as all its files are one, a name that is not shows at once.
#   PARTS      that many files, so that what takes long is not waited for by all processors but one
#   BY_FOLDER  a file for each folder: names must be unique in that only
function(shinar_unity target)
  cmake_parse_arguments(PARSE_ARGV 1 unity BY_FOLDER PARTS "")
  if(NOT SHINAR_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set(tables ${sources})  # generated ones, which all have the same names
  list(FILTER tables INCLUDE REGEX "\\.c$")
  set_source_files_properties(${tables} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  if(unity_BY_FOLDER)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
    get_target_property(target_folder ${target} SOURCE_DIR)
    foreach(source IN LISTS sources)
      get_filename_component(source ${source} ABSOLUTE BASE_DIR ${target_folder})
      get_filename_component(folder ${source} DIRECTORY)
      get_filename_component(folder "${folder}" NAME)
      set_source_files_properties(${source} TARGET_DIRECTORY ${target}
                                  PROPERTIES UNITY_GROUP "${folder}")
    endforeach()
    return()
  endif()
  # One file reads each header once anyway.
  set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  if(unity_PARTS)
    list(FILTER sources EXCLUDE REGEX "\\.c$")
    list(LENGTH sources count)
    math(EXPR size "(${count} + ${unity_PARTS} - 1) / ${unity_PARTS}")
    set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE ${size})
  endif()
endfunction()
