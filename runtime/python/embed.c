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
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "other_python.h"
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
  X(PyGILState_Check)             \
  X(PyOS_BeforeFork)              \
  X(PyOS_AfterFork_Parent)        \
  X(PyOS_AfterFork_Child)         \
  X(PyImport_ImportModule)        \
  X(PyObject_GetAttrString)       \
  X(PyCapsule_GetPointer)         \
  X(PySys_GetObject)              \
  X(PyUnicode_DecodeFSDefault)    \
  X(PySequence_Contains)          \
  X(PyList_Append)                \
  X(PyObject_CallFunctionObjArgs) \
  X(PyErr_PrintEx)                \
  X(PyRun_SimpleStringFlags)      \
  X(Py_DecRef)

#define DECLARE(name) __typeof__(&name) name##_;
static struct { FUNCTIONS(DECLARE) } python;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sidl_bool is_found;

enum owner { owner_unknown, owner_us, owner_program };
static enum owner owner; /* of the interpreter, when it has been found or started; atomic */

static enum owner interpreter_owner(void) {
  return __atomic_load_n(&owner, __ATOMIC_ACQUIRE);
}

/* ---- fork --------------------------------------------------------------------------------------
 *
 * A child has Python as its parent's threads left it: the GIL taken by one that the child does not
 * have. So the thread that forks takes it first, as os.fork does, which gets here with it. That is
 * for the interpreter that was started here; one that is the program's own, the program forks.
 */

static __thread sidl_bool has_gil; /* for the fork */
static PyGILState_STATE gil;       /* of the thread that has it */

static void enter_python(void) {
  sidl_await_loading(); /* whoever imports needs the GIL */
  has_gil = interpreter_owner() == owner_us && !python.PyGILState_Check_();
  if (!has_gil) return;
  gil = python.PyGILState_Ensure_();
  python.PyOS_BeforeFork_();
}

static void leave_python_in_parent(void) {
  if (!has_gil) return;
  has_gil = FALSE;
  python.PyOS_AfterFork_Parent_();
  python.PyGILState_Release_(gil);
}

/*
 * This thread is the child's first one: its state in Python is the only one left, and stays, as
 * that of a main thread does. (After the last one Python 3.11 can make no other.)
 */
static void leave_python_in_child(void) {
  if (!has_gil) return;
  has_gil = FALSE;
  python.PyOS_AfterFork_Child_();
  python.PyEval_SaveThread_();
}

/*
 * Python is not being looked for then, unless by a thread that waits for what the forking one
 * holds, which is not waited for in turn.
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

/*
 * libsidl has registered its handlers already, so what comes first here comes before them: threads
 * that have the GIL may want libsidl's locks.
 */
__attribute__((constructor)) static void begin(void) {
  static struct sidl_fork_handler handler = {
      .level = sidl_fork_user_code,
      .before = before_fork,
      .in_parent = in_parent,
      .in_child = in_child,
  };
  sidl_at_fork(&handler);
  pthread_atfork(enter_python, leave_python_in_parent, leave_python_in_child);
}

/* ---- start and end -----------------------------------------------------------------------------
 */

static sidl_bool find_functions(void* library) {
#define FIND(name)                                         \
  *(void**)(void*)&python.name##_ = dlsym(library, #name); \
  if (python.name##_ == NULL) return sidl_python_lacks(#name);
  FUNCTIONS(FIND)
#undef FIND
  return TRUE;
}

static sidl_bool find_python(void) {
  if (dlsym(RTLD_DEFAULT, "Py_IsInitialized") != NULL) return find_functions(RTLD_DEFAULT);
  if (!sidl_python_may_load()) return FALSE;
  /* global: extension modules take Python's symbols for granted */
  void* const library = dlopen(SHINAR_LIBPYTHON, RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL) {
    fprintf(stderr,
            "sidl: Python cannot be loaded: %s. Shinar was built with " SHINAR_PYTHON_EXECUTABLE
            ", whose library must be where the dynamic linker looks (LD_LIBRARY_PATH)\n",
            dlerror());
    return FALSE;
  }
  return find_functions(library);
}

/*
 * Calls a function of a module, with references that it takes over; up to two arguments, of which
 * NULL ends the list. NULL with a Python exception set.
 */
static PyObject* call_python(const char* from, const char* function, PyObject* a, PyObject* b) {
  PyObject* const module = python.PyImport_ImportModule_(from);
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
  if (interpreter_owner() != owner_us || !python.Py_IsInitialized_()) return;
  const PyGILState_STATE state = python.PyGILState_Ensure_();
  PyObject* const done = call_python("shinar._end", "end", NULL, NULL);
  if (done == NULL) python.PyErr_PrintEx_(0);
  if (done != NULL) python.Py_DecRef_(done);
  python.PyGILState_Release_(state);
}

/*
 * When Python's module of signals is imported first, as many modules do, it takes SIGINT unless the
 * program has a handler of its own: Ctrl-C would not end the program any more while it computes.
 */
static void leave_interrupts_alone(void) {
  struct sigaction before;
  if (sigaction(SIGINT, NULL, &before) != 0 || before.sa_handler != SIG_DFL) return;
  (void)python.PyRun_SimpleStringFlags_(
      "__import__('_signal').signal(__import__('_signal').SIGINT, __import__('_signal').SIG_DFL)",
      NULL);
}

static sidl_bool start_python(void) {
  PyConfig config;
  const char* const environment = getenv("SHINAR_PYTHON");
  if (!sidl_python_may_start()) return FALSE;
  if (environment != NULL && access(environment, X_OK) != 0) {
    fprintf(stderr, "sidl: SHINAR_PYTHON does not name a program: %s: %s\n", environment,
            strerror(errno));
    return FALSE;
  }
  python.PyConfig_InitPythonConfig_(&config);
  config.install_signal_handlers = 0; /* the program has its own */
  config.parse_argv = 0;
  PyStatus status = python.PyConfig_SetBytesString_(
      &config, &config.executable, environment != NULL ? environment : SHINAR_PYTHON_EXECUTABLE);
  if (!python.PyStatus_Exception_(status)) status = python.Py_InitializeFromConfig_(&config);
  python.PyConfig_Clear_(&config);
  if (python.PyStatus_Exception_(status)) {
    fprintf(stderr, "sidl: Python cannot be started: %s\n",
            status.err_msg == NULL ? "?" : status.err_msg);
    return FALSE;
  }
  leave_interrupts_alone();
  atexit(end_python);
  python.PyEval_SaveThread_(); /* whoever needs the lock takes it */
  return TRUE;
}

static sidl_bool ensure_python(void) {
  pthread_mutex_lock(&lock);
  if (!is_found) is_found = find_python();
  const sidl_bool was_there = is_found && python.Py_IsInitialized_();
  const sidl_bool is_there = was_there || (is_found && start_python());
  if (is_there && owner == owner_unknown) {
    __atomic_store_n(&owner, was_there ? owner_program : owner_us, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&lock);
  return is_there;
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
  PyObject* const module =
      call_python("shinar._embedded", "server", python.PyUnicode_DecodeFSDefault_(top),
                  python.PyUnicode_DecodeFSDefault_(folder));
  attribute_name(text, sizeof text, name);
  PyObject* const capsule = module == NULL ? NULL : python.PyObject_GetAttrString_(module, text);
  if (capsule != NULL) result = python.PyCapsule_GetPointer_(capsule, "sidl_class");
  if (result == NULL) python.PyErr_PrintEx_(0); /* and sys keeps no frames */
  if (capsule != NULL) python.Py_DecRef_(capsule);
  if (module != NULL) python.Py_DecRef_(module);
  return result;
}

static struct sidl_class* python_class(const char* top, const char* name, const void* near) {
  if (!ensure_python()) return NULL;
  char* const beside = folder_of(near);
  const PyGILState_STATE state = python.PyGILState_Ensure_();
  add_paths(beside);
  struct sidl_class* const result = find_class(top, name, beside == NULL ? "" : beside);
  python.PyGILState_Release_(state);
  free(beside);
  return result;
}

struct sidl_class* sidl_python_class(const char* top, const char* name, const void* near) {
  sidl_begin_loading();
  struct sidl_class* const result = python_class(top, name, near);
  sidl_end_loading();
  return result;
}
