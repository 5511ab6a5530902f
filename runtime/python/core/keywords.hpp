// keywords.hpp: keyword arguments of calls besides the method's own.
#ifndef SHINAR_PYTHON_KEYWORDS_HPP
#define SHINAR_PYTHON_KEYWORDS_HPP

#include <string>

#include "core.hpp"

struct sidl_rmi_Deadline__sepv;

namespace sidl_python {

// Whether a name is such a keyword: not if the method has an argument of that name.
bool is_keyword(const struct sidl_method_info& method, PyObject* name, const char* word);

// ": did you mean 'norm'?", or an empty text.
std::string suggestion(const std::string& name, const py::list& known);

// The keywords `deadline`, in seconds, and `strict`: settings of the thread during a call. A method
// with an argument of such a name does not have the keyword.
class keywords {
 public:
  keywords(const struct sidl_method_info& method, PyObject* const* args, Py_ssize_t count,
           PyObject* names);
  ~keywords();
  keywords(const keywords&) = delete;
  keywords& operator=(const keywords&) = delete;

  // How many of a call's names are keywords.
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
