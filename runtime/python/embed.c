/*
 * embed.c: libsidl_python, which finds classes that are implemented in Python.
 *
 * It is not linked with Python: in a Python process it uses the process's own Python functions; in
 * others libpython is loaded when the first class is needed. Either way they are looked up by name,
 * only here.
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

/* Python's functions, looked up once. */
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
static enum owner owner; /* of the interpreter, once it was found or started; atomic */

static enum owner interpreter_owner(void) {
  return __atomic_load_n(&owner, __ATOMIC_ACQUIRE);
}

/*
 * ---- fork --------------------------------------------------------------------------------------
 *
 * In a forked child the GIL may be held by a thread that does not exist there. So the forking
 * thread takes it first; os.fork does so before it gets here. This is done only for an interpreter
 * started here; a program that has its own must do it itself.
 */

static __thread sidl_bool has_gil; /* for the fork */
static PyGILState_STATE gil;       /* of the thread that holds it */

static void enter_python(void) {
  sidl_await_loading(); /* importing threads need the GIL */
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
 * This is the child's only thread: its Python thread state is the only one left and must be kept.
 * (After deleting the last one Python 3.11 cannot create another.)
 */
static void leave_python_in_child(void) {
  if (!has_gil) return;
  has_gil = FALSE;
  python.PyOS_AfterFork_Child_();
  python.PyEval_SaveThread_();
}

/*
 * True if the fork holds the lock. It gives up after a while, as the thread that holds it may wait
 * for the forking one.
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
 * libsidl has registered its handlers already, so these run before them, as threads that hold the
 * GIL may need libsidl's locks.
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
  /* global: extension modules need Python's symbols */
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
 * Calls a function of a module with up to two arguments, whose references it takes over; NULL ends
 * the list. NULL with a Python exception set.
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
 * The first import of Python's signal module, which many modules cause, installs a SIGINT handler
 * unless the program has one: Ctrl-C would then not end the program while it computes.
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
  python.PyEval_SaveThread_(); /* releases the GIL */
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

/* The folder of the file that contains the address. */
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
  if (result == NULL) python.PyErr_PrintEx_(0); /* 0: sys.last_traceback must not keep frames */
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
