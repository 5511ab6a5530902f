/*
 * embed.c: libsidl_python, which finds classes that are implemented in Python.
 *
 * It is not linked with Python: in a program that is Python, Python's functions are those of the
 * program; in any other one they come from libpython, loaded when the first class is wanted. Either
 * way they are looked up by name, here and nowhere else.
 */
#define _GNU_SOURCE
#define PY_SSIZE_T_CLEAN
#include "sidl_python.h"

#include <Python.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sidl_process.h"

/* Python's functions, found once. */
#define FUNCTIONS(X)              \
  X(Py_IsInitialized)             \
  X(PyConfig_InitPythonConfig)    \
  X(PyConfig_SetBytesString)      \
  X(PyConfig_Clear)               \
  X(Py_InitializeFromConfig)      \
  X(PyStatus_Exception)           \
  X(PyEval_SaveThread)            \
  X(PyGILState_Ensure)            \
  X(PyGILState_Release)           \
  X(PyImport_ImportModule)        \
  X(PyObject_GetAttrString)       \
  X(PyCapsule_GetPointer)         \
  X(PySys_GetObject)              \
  X(PyUnicode_DecodeFSDefault)    \
  X(PySequence_Contains)          \
  X(PyList_Append)                \
  X(PyObject_CallFunctionObjArgs) \
  X(PyErr_Print)                  \
  X(Py_DecRef)

#define DECLARE(name) __typeof__(&name) name##_;
static struct { FUNCTIONS(DECLARE) } python;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sidl_bool is_found;
static sidl_bool is_ours; /* the interpreter */

/*
 * Around a fork: Python is not being looked for, unless by a thread that waits for what the forking
 * one holds, which is not waited for in turn.
 */
static sidl_bool is_taken;

static void before_fork(void) {
  is_taken = pthread_mutex_trylock(&lock) == 0;
}

static void in_parent(void) {
  if (is_taken) pthread_mutex_unlock(&lock);
}

static void in_child(void) {
  static const pthread_mutex_t open = PTHREAD_MUTEX_INITIALIZER;
  memcpy(&lock, &open, sizeof lock);
}

__attribute__((constructor)) static void begin(void) {
  static struct sidl_fork_handler handler = {
      .level = sidl_fork_user_code,
      .before = before_fork,
      .in_parent = in_parent,
      .in_child = in_child,
  };
  sidl_at_fork(&handler);
}

static sidl_bool find_functions(void* library) {
#define FIND(name)                                         \
  *(void**)(void*)&python.name##_ = dlsym(library, #name); \
  if (python.name##_ == NULL) return FALSE;
  FUNCTIONS(FIND)
#undef FIND
  return TRUE;
}

static sidl_bool find_python(void) {
  if (dlsym(RTLD_DEFAULT, "Py_IsInitialized") != NULL) return find_functions(RTLD_DEFAULT);
  /* global: extension modules take Python's symbols for granted */
  void* const library = dlopen(SHINAR_LIBPYTHON, RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL) {
    fprintf(stderr, "sidl: Python cannot be loaded: %s\n", dlerror());
    return FALSE;
  }
  return find_functions(library);
}

/*
 * Calls a function of shinar._embedded, with references that it takes over; up to two arguments,
 * of which NULL ends the list. NULL with a Python exception set.
 */
static PyObject* call_embedded(const char* function, PyObject* a, PyObject* b) {
  PyObject* const module = python.PyImport_ImportModule_("shinar._embedded");
  PyObject* const found = module == NULL ? NULL : python.PyObject_GetAttrString_(module, function);
  PyObject* const result =
      found == NULL ? NULL : python.PyObject_CallFunctionObjArgs_(found, a, b, NULL);
  if (found != NULL) python.Py_DecRef_(found);
  if (module != NULL) python.Py_DecRef_(module);
  if (a != NULL) python.Py_DecRef_(a);
  if (b != NULL) python.Py_DecRef_(b);
  return result;
}

static void end_python(void) {
  if (!is_ours || !python.Py_IsInitialized_()) return;
  const PyGILState_STATE state = python.PyGILState_Ensure_();
  PyObject* const done = call_embedded("end", NULL, NULL);
  if (done == NULL) python.PyErr_Print_();
  if (done != NULL) python.Py_DecRef_(done);
  python.PyGILState_Release_(state);
}

static sidl_bool start_python(void) {
  PyConfig config;
  const char* const environment = getenv("SHINAR_PYTHON");
  python.PyConfig_InitPythonConfig_(&config);
  config.install_signal_handlers = 0; /* the program has its own */
  config.parse_argv = 0;
  PyStatus status = python.PyConfig_SetBytesString_(
      &config, &config.executable, environment != NULL ? environment : SHINAR_PYTHON_EXECUTABLE);
  if (!python.PyStatus_Exception_(status)) status = python.Py_InitializeFromConfig_(&config);
  python.PyConfig_Clear_(&config);
  if (python.PyStatus_Exception_(status)) {
    fprintf(stderr, "sidl: Python does not start: %s\n",
            status.err_msg == NULL ? "?" : status.err_msg);
    return FALSE;
  }
  is_ours = TRUE;
  atexit(end_python);
  python.PyEval_SaveThread_(); /* whoever needs the lock takes it */
  return TRUE;
}

static sidl_bool ensure_python(void) {
  pthread_mutex_lock(&lock);
  if (!is_found) is_found = find_python();
  const sidl_bool ok = is_found && (python.Py_IsInitialized_() || start_python());
  pthread_mutex_unlock(&lock);
  return ok;
}

static void add_folder(const char* folder) {
  PyObject* const path = python.PySys_GetObject_("path"); /* borrowed */
  PyObject* const text = python.PyUnicode_DecodeFSDefault_(folder);
  if (path != NULL && text != NULL && python.PySequence_Contains_(path, text) == 0) {
    python.PyList_Append_(path, text);
  }
  if (text != NULL) python.Py_DecRef_(text);
}

/* The folder of a file, cut off in place. */
static char* folder_of(const void* address) {
  Dl_info info;
  if (dladdr(address, &info) == 0 || info.dli_fname == NULL) return NULL;
  char* const file = realpath(info.dli_fname, NULL);
  char* const slash = file == NULL ? NULL : strrchr(file, '/');
  if (slash != NULL) *slash = '\0';
  return file;
}

static void add_paths(const char* beside) {
  char* const own = folder_of((const void*)&lock);
  char packages[4096];
  if (beside != NULL) add_folder(beside);
  if (own != NULL &&
      snprintf(packages, sizeof packages, "%s/shinar/python", own) < (int)sizeof packages) {
    add_folder(packages);
  }
  free(own);
}

/* "demo.sub.Solver" > "class_demo_sub_Solver" */
static void attribute_name(char* to, size_t size, const char* name) {
  snprintf(to, size, "class_%s", name);
  for (char* c = to; *c != '\0'; ++c) {
    if (*c == '.') *c = '_';
  }
}

static struct sidl_class* find_class(const char* top, const char* name, const char* folder) {
  char text[1024];
  struct sidl_class* result = NULL;
  PyObject* const module = call_embedded("server", python.PyUnicode_DecodeFSDefault_(top),
                                         python.PyUnicode_DecodeFSDefault_(folder));
  attribute_name(text, sizeof text, name);
  PyObject* const capsule = module == NULL ? NULL : python.PyObject_GetAttrString_(module, text);
  if (capsule != NULL) result = python.PyCapsule_GetPointer_(capsule, "sidl_class");
  if (result == NULL) python.PyErr_Print_();
  if (capsule != NULL) python.Py_DecRef_(capsule);
  if (module != NULL) python.Py_DecRef_(module);
  return result;
}

struct sidl_class* sidl_python_class(const char* top, const char* name, const void* near) {
  if (!ensure_python()) return NULL;
  char* const beside = folder_of(near);
  const PyGILState_STATE state = python.PyGILState_Ensure_();
  add_paths(beside);
  struct sidl_class* const result = find_class(top, name, beside == NULL ? "" : beside);
  python.PyGILState_Release_(state);
  free(beside);
  return result;
}
