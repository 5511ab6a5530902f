// In: SIDL names.
// Out: what they are called in Python.
#pragma once

#include <string>
#include <string_view>

namespace shinar::backends::python {

// "None" > "None_", and "None_" > "None__": words of Python.
std::string python_name(std::string_view name);

std::string enumerator_name(std::string_view name);
std::string method_name(std::string_view name);

}  // namespace shinar::backends::python
