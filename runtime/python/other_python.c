/*
 * other_python.c: reports a Python in the process that is not the one libsidl_python was compiled
 * for. (shinar/_environment.py does so for extension modules.)
 */
#define _GNU_SOURCE
#define PY_SSIZE_T_CLEAN
#include "other_python.h"

#include <Python.h>
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
#define SERIES TEXT(PY_MAJOR_VERSION) "." TEXT(PY_MINOR_VERSION)

#define ADVICE                                                                              \
  "Shinar was built for Python " SERIES " (" SHINAR_LIBPYTHON ", " SHINAR_PYTHON_EXECUTABLE \
  "). Link the program with that one, or with none: libsidl_python loads it; or build "     \
  "Shinar and the package for the other one (-DPython3_EXECUTABLE=...)"

static void report(const char* version, const char* file, const char* problem) {
  fprintf(stderr, "sidl: this process has Python %s (%s), %s. " ADVICE "\n", version,
          file == NULL || file[0] == '\0' ? "?" : file, problem);
}

/* Version ("3.12.1") and file of the Python in the process. */
static void describe(char* version, size_t size, const char** file) {
  const char* (*get_version)(void) = NULL;
  Dl_info info;
  *(void**)(void*)&get_version = dlsym(RTLD_DEFAULT, "Py_GetVersion");
  const char* const text = get_version == NULL ? "?" : get_version();
  snprintf(version, size, "%.*s", (int)strcspn(text, " "), text);
  void* const known = dlsym(RTLD_DEFAULT, "Py_IsInitialized");
  *file = known != NULL && dladdr(known, &info) != 0 ? info.dli_fname : NULL;
}

sidl_bool sidl_python_lacks(const char* function) {
  char version[32];
  const char* file = NULL;
  char problem[128];
  describe(version, sizeof version, &file);
  snprintf(problem, sizeof problem, "which has no function %s", function);
  report(version, file, problem);
  return FALSE;
}

sidl_bool sidl_python_may_start(void) {
  char version[32];
  const char* file = NULL;
  describe(version, sizeof version, &file);
  const size_t length = strlen(SERIES);
  if (strncmp(version, SERIES, length) == 0 && version[length] == '.') return TRUE;
  report(version, file,
         "which has not been started, and libsidl_python cannot start it (the program can: "
         "Py_Initialize)");
  return FALSE;
}

static const char* name_of(const char* path) {
  const char* const slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

static const char stem[] = "libpython";

/*
 * Matches "/usr/lib/libpython3.12.so.1.0", but neither ours nor that of the stable ABI, which
 * contains no code.
 */
static int is_other(struct dl_phdr_info* info, size_t size, void* found) {
  (void)size;
  static const char stable[] = "libpython3.so";
  const char* const name = name_of(info->dlpi_name);
  if (strncmp(name, stem, strlen(stem)) != 0 || strstr(name, ".so") == NULL) return 0;
  if (strcmp(name, SHINAR_LIBPYTHON) == 0 || strncmp(name, stable, strlen(stable)) == 0) return 0;
  *(const char**)found = info->dlpi_name; /* valid as long as the library is loaded */
  return 1;
}

sidl_bool sidl_python_may_load(void) {
  const char* file = NULL;
  dl_iterate_phdr(is_other, &file);
  if (file == NULL) return TRUE;
  char version[32];
  const char* const from = name_of(file) + strlen(stem);
  snprintf(version, sizeof version, "%.*s", (int)(strstr(from, ".so") - from), from);
  report(version, file, "for itself (RTLD_LOCAL), and two would take each other's functions");
  return FALSE;
}
