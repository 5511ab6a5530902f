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
