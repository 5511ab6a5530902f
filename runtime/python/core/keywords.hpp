// keywords.hpp: what may be given to a call by name besides the method's arguments.
#ifndef SHINAR_PYTHON_KEYWORDS_HPP
#define SHINAR_PYTHON_KEYWORDS_HPP

#include <string>

#include "core.hpp"

struct sidl_rmi_Deadline__sepv;

namespace sidl_python {

// Whether a name is that of a keyword of calls: not if the method has an argument of that name.
bool is_keyword(const struct sidl_method_info& method, PyObject* name, const char* word);

// What the caller may have meant by a name: ": did you mean 'norm'?", or nothing.
std::string suggestion(const std::string& name, const py::list& known);

// The keywords `deadline`, in seconds, and `strict`: what holds for the thread in the time of a
// call. A method that has an argument of such a name has no such keyword.
class keywords {
 public:
  keywords(const struct sidl_method_info& method, PyObject* const* args, Py_ssize_t count,
           PyObject* names);
  ~keywords();
  keywords(const keywords&) = delete;
  keywords& operator=(const keywords&) = delete;

  // How many of a call's names they are.
  Py_ssize_t given() const { return given_; }

 private:
  void set(PyObject* seconds);

  const struct sidl_rmi_Deadline__sepv* statics_ = nullptr;  // null: there is nothing to restore
  int64_t previous_ = -1;
  bool was_strict_ = strict;
  Py_ssize_t given_ = 0;
};

}  // namespace sidl_python

#endif
