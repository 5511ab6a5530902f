# cmake -DINPUT=file -DHEADER=driver/name.hpp -DFUNCTION=name -DOUTPUT=file.cpp -P embed.cmake:
# a text file as a C++ function that gives its bytes.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${hex}")
string(REGEX REPLACE "((......,){16})" "\\1\n    " bytes "${bytes}")
file(WRITE ${OUTPUT} "// Made by embed.cmake from a file of the source tree.
#include \"${HEADER}\"

namespace shinar::driver {

std::string_view ${FUNCTION}() {
  static constexpr char kText[] = {
    ${bytes}
  };
  return {kText, sizeof kText};
}

}  // namespace shinar::driver
")
